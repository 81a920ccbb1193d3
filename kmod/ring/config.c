// SPDX-License-Identifier: GPL-2.0
/*
 * Recording on and off, mode, clock, context, and what sizes there are. Everything here
 * runs in task context under tring_buffer::mutex. See ring.c DOC; for what sets
 * sizes, ring/switch.c.
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
#include "check.h"
#include "fast.h"
#include "internal.h"

static void set_limit(struct tring_cpu_buffer *cpu_buffer, unsigned long limit)
{
	/*
	 * TB(first:A) memory, and what was reset in it, before the limit, which
	 * keeps writers out until then. Pairs with TB(first:B).
	 */
	smp_wmb();
	WRITE_ONCE(cpu_buffer->limit, limit);
	/*
	 * TB(limit:A) TRING_WARN_ON() may have come in between: it has the last
	 * word. Pairs with TB(stop:A).
	 */
	smp_mb();
	if (READ_ONCE(cpu_buffer->stopped))
		WRITE_ONCE(cpu_buffer->limit, 0);
}

/**
 * tring_ring_update_limit - let writers in or keep them out
 * @cpu_buffer: the ring
 *
 * Context: task, with tring_buffer::mutex held.
 */
void tring_ring_update_limit(struct tring_cpu_buffer *cpu_buffer)
{
	bool on = cpu_buffer->buffer->wanted_recording && cpu_buffer->memory;

	WRITE_ONCE(cpu_buffer->draining, false);
	set_limit(cpu_buffer, on ? cpu_buffer->memory->subbuf_size - 1 : 0);
}

/**
 * tring_ring_limit - another limit for a ring, if it records
 * @cpu_buffer: the ring
 * @limit: highest end of a record, counted from its sub-buffer's start
 *
 * Context: any, with tring_buffer::mutex held by whoever waits for us.
 */
void tring_ring_limit(struct tring_cpu_buffer *cpu_buffer, unsigned long limit)
{
	if (READ_ONCE(cpu_buffer->limit))
		set_limit(cpu_buffer, limit);
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
	/* TB(stop:A) the mark before the limit. Pairs with TB(limit:A). */
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

/* May @cpu's ring be emptied? A reader that is open forbids it. */
static bool has_reader(struct tring_buffer *buffer, int cpu)
{
	int kind;

	lockdep_assert_held(&buffer->mutex);
	for (kind = 0; kind < TRING_STREAMS; kind++)
		if (tring_buffer_stream(buffer, cpu, kind)->reader_open)
			return true;
	return false;
}

/* Keep all writers out; when it returns none is in any more. */
static void drain_writers(struct tring_buffer *buffer)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		/* What comes meanwhile is a loss, if recording is on. */
		WRITE_ONCE(tring_cpu_buffer(buffer, cpu)->draining,
			   buffer->wanted_recording);
		WRITE_ONCE(tring_cpu_buffer(buffer, cpu)->limit, 0);
	}
	/* TB(off:A) as in tring_buffer_set_recording(). */
	synchronize_rcu();
}

/* The trace ends here: nobody is to read on, and no writer is in any more. */
static int end_trace(struct tring_buffer *buffer)
{
	int cpu;

	for_each_possible_cpu(cpu)
		if (has_reader(buffer, cpu))
			return -EBUSY;
	drain_writers(buffer);
	return 0;
}

/*
 * Another one begins, with what was changed since: the uuid is a new one, and what
 * was recorded and not read is counted as overwritten.
 */
static void begin_trace(struct tring_buffer *buffer)
{
	struct tring_cpu_buffer *cpu_buffer;
	int cpu;

	generate_random_uuid(buffer->uuid);
	tring_short_forget(buffer);
	for_each_possible_cpu(cpu) {
		cpu_buffer = tring_cpu_buffer(buffer, cpu);
		mutex_lock(&cpu_buffer->mutex);
		tring_ring_forget(cpu_buffer);
		mutex_unlock(&cpu_buffer->mutex);
	}
	/* TB(off:A) writers that read what was changed before it was are refused. */
	synchronize_rcu();
	for_each_possible_cpu(cpu)
		tring_ring_update_limit(tring_cpu_buffer(buffer, cpu));
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
	int cpu, err = 0;

	if (!tring_clock_available(clock))
		return -EINVAL;

	mutex_lock(&buffer->mutex);
	if (clock == buffer->clock)
		goto out;
	err = end_trace(buffer);
	if (err)
		goto out;
	buffer->clock = clock;
	for_each_possible_cpu(cpu)
		tring_cpu_buffer(buffer, cpu)->clock = clock;
	begin_trace(buffer);
out:
	mutex_unlock(&buffer->mutex);
	return err;
}
TRING_EXPORT(tring_buffer_set_clock);

/**
 * tring_buffer_has_context - do records say who wrote them, and in what context?
 * @buffer: the buffer
 *
 * Context: any. With tring_buffer::mutex held it stays so.
 */
bool tring_buffer_has_context(const struct tring_buffer *buffer)
{
	return !(READ_ONCE(buffer->lengths[TRING_PACKET_FLAGS]) & TRING_PACKET_NO_CONTEXT);
}

/**
 * tring_buffer_set_context - are records to say who wrote them, and in what context?
 * @buffer: the buffer
 * @on: they have pid, flags and preempt count; else none of these, and are shorter
 *
 * As packets say whether their records do, there could be both in one trace; but
 * who reads one is to know beforehand. So a new trace begins, as with
 * another clock, unless it is so already.
 *
 * Context: task, may sleep.
 * Return: 0, or -EBUSY while a reader is open.
 */
int tring_buffer_set_context(struct tring_buffer *buffer, bool on)
{
	u64 head_bits = on ? 0 : TRING_HEAD_OTHER | TRING_HEAD_BARE;
	int cpu, err = 0;

	mutex_lock(&buffer->mutex);
	if (on == tring_buffer_has_context(buffer))
		goto out;
	err = end_trace(buffer);
	if (err)
		goto out;
	WRITE_ONCE(buffer->lengths[TRING_PACKET_FLAGS], on ? 0 : TRING_PACKET_NO_CONTEXT);
	for_each_possible_cpu(cpu)
		WRITE_ONCE(tring_cpu_buffer(buffer, cpu)->head_bits, head_bits);
	begin_trace(buffer);
out:
	mutex_unlock(&buffer->mutex);
	return err;
}
TRING_EXPORT(tring_buffer_set_context);

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
	bytes = cpu_buffer->memory ?
		cpu_buffer->memory->nr_subbufs << cpu_buffer->memory->order :
		cpu_buffer->wanted_bytes;
	mutex_unlock(&buffer->mutex);
	return bytes;
}

/**
 * tring_buffer_total_size - size of all rings together
 * @buffer: the buffer
 *
 * Return: bytes; as in ftrace the readers' sub-buffers are not counted, nor is
 * what lies in retired memory or a snapshot.
 */
unsigned long tring_buffer_total_size(struct tring_buffer *buffer)
{
	unsigned long bytes = 0;
	int cpu;

	mutex_lock(&buffer->mutex);
	for_each_possible_cpu(cpu) {
		struct tring_cpu_buffer *cpu_buffer = tring_cpu_buffer(buffer, cpu);

		if (cpu_buffer->memory)
			bytes += cpu_buffer->memory->nr_subbufs << cpu_buffer->memory->order;
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
