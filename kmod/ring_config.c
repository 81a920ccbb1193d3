// SPDX-License-Identifier: GPL-2.0
/*
 * Switches and sizes of a buffer. Everything here runs in task context under
 * tring_buffer::mutex, and keeps writers out before it touches what they use.
 * See ring.c DOC.
 */

#include <linux/cpu.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/uuid.h>
#include <linux/wait.h>

#include "compat.h"
#include "ring.h"
#include "ring_check.h"
#include "ring_fast.h"
#include "ring_internal.h"

/**
 * tring_ring_update_limit - let writers in or keep them out
 * @cpu_buffer: the ring
 *
 * Context: task, with tring_buffer::mutex held.
 */
void tring_ring_update_limit(struct tring_cpu_buffer *cpu_buffer)
{
	bool on = cpu_buffer->buffer->wanted_recording && cpu_buffer->allocated;

	WRITE_ONCE(cpu_buffer->draining, false);
	WRITE_ONCE(cpu_buffer->limit, on ? cpu_buffer->subbuf_size - 1 : 0);
	/* TRING_WARN_ON() may have come in between: it has the last word. */
	smp_mb();
	if (READ_ONCE(cpu_buffer->stopped))
		WRITE_ONCE(cpu_buffer->limit, 0);
}

/**
 * tring_ring_stop - no more records on this CPU
 * @cpu_buffer: the ring
 *
 * What is in it stays readable. Allocating it anew starts it again.
 *
 * Context: any.
 */
void tring_ring_stop(struct tring_cpu_buffer *cpu_buffer)
{
	WRITE_ONCE(cpu_buffer->stopped, true);
	/* Pairs with the barrier in tring_ring_update_limit(). */
	smp_mb();
	WRITE_ONCE(cpu_buffer->limit, 0);
}

/**
 * tring_buffer_set_recording - switch recording on or off
 * @buffer: the buffer
 * @on: which
 *
 * When it returns after switching off, every record is committed and readers
 * that find no more have reached the end.
 *
 * Context: task, may sleep.
 */
void tring_buffer_set_recording(struct tring_buffer *buffer, bool on)
{
	int cpu;

	mutex_lock(&buffer->mutex);
	buffer->wanted_recording = on;
	if (on)
		WRITE_ONCE(buffer->recording, true);
	for_each_possible_cpu(cpu)
		tring_ring_update_limit(tring_cpu_buffer(buffer, cpu));
	if (!on) {
		/* TB(off:A) writers that saw the old limit are through. */
		synchronize_rcu();
		WRITE_ONCE(buffer->recording, false);
		for_each_possible_cpu(cpu)
			wake_up_all(&tring_cpu_buffer(buffer, cpu)->wait);
	}
	mutex_unlock(&buffer->mutex);
}
TRING_EXPORT(tring_buffer_set_recording);

/**
 * tring_buffer_set_overwrite - what to do when a ring is full
 * @buffer: the buffer
 * @on: overwrite the oldest packet; else refuse the new event
 *
 * Context: any. Holds from the next sub-buffer that is entered.
 */
void tring_buffer_set_overwrite(struct tring_buffer *buffer, bool on)
{
	WRITE_ONCE(buffer->overwrite, on);
}
TRING_EXPORT(tring_buffer_set_overwrite);

/* May @cpu's ring be given other memory? A reader that is open forbids it. */
static bool has_reader(struct tring_buffer *buffer, int cpu)
{
	lockdep_assert_held(&buffer->mutex);
	return tring_cpu_buffer(buffer, cpu)->reader_open;
}

/* Keep the writers of @cpus out; when it returns none is in any more. */
static void drain_writers(struct tring_buffer *buffer, const struct cpumask *cpus)
{
	int cpu;

	for_each_cpu(cpu, cpus) {
		/* What comes meanwhile is a loss, if recording is on. */
		WRITE_ONCE(tring_cpu_buffer(buffer, cpu)->draining,
			   buffer->wanted_recording);
		WRITE_ONCE(tring_cpu_buffer(buffer, cpu)->limit, 0);
	}
	/* TB(off:A) as in tring_buffer_set_recording(). */
	synchronize_rcu();
}

/*
 * Give the rings of @cpus other sub-buffers; @bytes 0 keeps each ring's size.
 * All are allocated before the first ring changes.
 */
static int replace_memory(struct tring_buffer *buffer, const struct cpumask *cpus,
			  unsigned long bytes, unsigned int order)
{
	struct tring_cpu_buffer *cpu_buffer;
	struct tring_memory *memory;
	int cpu, err = 0;

	memory = kcalloc(nr_cpu_ids, sizeof(*memory), GFP_KERNEL);
	if (!memory)
		return -ENOMEM;

	for_each_cpu(cpu, cpus) {
		cpu_buffer = tring_cpu_buffer(buffer, cpu);
		if (has_reader(buffer, cpu))
			err = -EBUSY;
		else if (cpu_buffer->allocated || (bytes && cpu_online(cpu)))
			err = tring_memory_allocate(&memory[cpu], cpu,
						    bytes ?: cpu_buffer->wanted_bytes,
						    order);
		if (err)
			goto out;
	}

	drain_writers(buffer, cpus);
	for_each_cpu(cpu, cpus) {
		cpu_buffer = tring_cpu_buffer(buffer, cpu);
		mutex_lock(&cpu_buffer->mutex);
		if (memory[cpu].slots)
			tring_ring_exchange_memory(cpu_buffer, &memory[cpu]);
		if (bytes)
			cpu_buffer->wanted_bytes = bytes;
		tring_ring_update_limit(cpu_buffer);
		mutex_unlock(&cpu_buffer->mutex);
	}
out:
	for_each_cpu(cpu, cpus)
		tring_memory_free(&memory[cpu]);
	kfree(memory);
	return err;
}

/**
 * tring_buffer_resize - set the size of one ring or of all
 * @buffer: the buffer
 * @cpu: which CPU's, -1 for all
 * @bytes: size of a ring, rounded up to sub-buffers, two at least
 *
 * Events that come while a ring has no sub-buffers are refused and counted
 * (TRING_REFUSED_NO_MEMORY); what was recorded and not read is counted as
 * overwritten.
 *
 * Context: task, may sleep.
 * Return: 0; -EINVAL for a size out of bounds; -EBUSY while a reader is open;
 * -ENOMEM. If it fails every ring is as it was.
 */
int tring_buffer_resize(struct tring_buffer *buffer, int cpu, unsigned long bytes)
{
	int err = -EINVAL;

	if (!bytes)
		return -EINVAL;
	cpus_read_lock();
	mutex_lock(&buffer->mutex);
	if (bytes >> buffer->subbuf_order <= TRING_SUBBUFS_MAX)
		err = replace_memory(buffer, cpu < 0 ? cpu_possible_mask : cpumask_of(cpu),
				     bytes, buffer->subbuf_order);
	mutex_unlock(&buffer->mutex);
	cpus_read_unlock();
	return err;
}
TRING_EXPORT(tring_buffer_resize);

/**
 * tring_buffer_set_subbuf_size - set the size of all sub-buffers
 * @buffer: the buffer
 * @bytes: rounded up to a power of two, TRING_SUBBUF_SIZE_MIN at least
 *
 * The rings keep their sizes. As tring_buffer_resize() otherwise.
 */
int tring_buffer_set_subbuf_size(struct tring_buffer *buffer, unsigned long bytes)
{
	unsigned int order;
	int err;

	if (!bytes || bytes > TRING_SUBBUF_SIZE_MAX)
		return -EINVAL;
	order = order_base_2(max(bytes, TRING_SUBBUF_SIZE_MIN));

	cpus_read_lock();
	mutex_lock(&buffer->mutex);
	err = replace_memory(buffer, cpu_possible_mask, 0, order);
	if (!err)
		buffer->subbuf_order = order;
	mutex_unlock(&buffer->mutex);
	cpus_read_unlock();
	return err;
}

/**
 * tring_buffer_set_clock - choose the timestamps' source
 * @buffer: the buffer
 * @clock: which
 *
 * Old and new timestamps cannot be compared, so that a new trace begins: the
 * uuid changes, and what was recorded and not read is counted as overwritten.
 *
 * Context: task, may sleep.
 * Return: 0; -EINVAL if this machine has no such clock; -EBUSY while a reader
 * is open.
 */
int tring_buffer_set_clock(struct tring_buffer *buffer, enum tring_clock clock)
{
	struct tring_cpu_buffer *cpu_buffer;
	int cpu, err = 0;

	if (!tring_clock_available(clock))
		return -EINVAL;

	mutex_lock(&buffer->mutex);
	if (clock == buffer->clock)
		goto out;
	for_each_possible_cpu(cpu)
		if (has_reader(buffer, cpu))
			err = -EBUSY;
	if (err)
		goto out;

	drain_writers(buffer, cpu_possible_mask);
	buffer->clock = clock;
	generate_random_uuid(buffer->uuid);
	for_each_possible_cpu(cpu) {
		cpu_buffer = tring_cpu_buffer(buffer, cpu);
		mutex_lock(&cpu_buffer->mutex);
		tring_ring_forget(cpu_buffer);
		cpu_buffer->clock = clock;
		tring_ring_update_limit(cpu_buffer);
		mutex_unlock(&cpu_buffer->mutex);
	}
out:
	mutex_unlock(&buffer->mutex);
	return err;
}
TRING_EXPORT(tring_buffer_set_clock);

/**
 * tring_buffer_size - size of one CPU's ring
 * @buffer: the buffer
 * @cpu: which
 *
 * Return: bytes, as last set or rounded up to sub-buffers if they are there.
 */
unsigned long tring_buffer_size(struct tring_buffer *buffer, int cpu)
{
	struct tring_cpu_buffer *cpu_buffer = tring_cpu_buffer(buffer, cpu);
	unsigned long bytes;

	mutex_lock(&buffer->mutex);
	bytes = cpu_buffer->allocated ?
		cpu_buffer->nr_subbufs << cpu_buffer->subbuf_order :
		cpu_buffer->wanted_bytes;
	mutex_unlock(&buffer->mutex);
	return bytes;
}

/**
 * tring_buffer_total_size - memory that all rings' sub-buffers take now
 * @buffer: the buffer
 *
 * Return: bytes, the readers' sub-buffers not counted, as ftrace does.
 */
unsigned long tring_buffer_total_size(struct tring_buffer *buffer)
{
	unsigned long bytes = 0;
	int cpu;

	mutex_lock(&buffer->mutex);
	for_each_possible_cpu(cpu) {
		struct tring_cpu_buffer *cpu_buffer = tring_cpu_buffer(buffer, cpu);

		if (cpu_buffer->allocated)
			bytes += cpu_buffer->nr_subbufs << cpu_buffer->subbuf_order;
	}
	mutex_unlock(&buffer->mutex);
	return bytes;
}

/**
 * tring_buffer_subbuf_size - size of a sub-buffer
 * @buffer: the buffer
 *
 * Return: bytes.
 */
unsigned long tring_buffer_subbuf_size(struct tring_buffer *buffer)
{
	return 1UL << READ_ONCE(buffer->subbuf_order);
}
