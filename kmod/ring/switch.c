// SPDX-License-Identifier: GPL-2.0
/*
 * Other memory for a ring while it records: resize, sub-buffer size, snapshot.
 *
 * DOC: memories
 *
 * A ring's position says which memory it is in: its upper bits are the memory's
 * generation. So one local cmpxchg of the position, on the ring's own CPU, ends
 * the old memory and begins the new one, whatever it interrupts. Whoever has
 * reserved in the old memory commits there; whoever has not fails his cmpxchg
 * and goes to the new one. No event is refused for it.
 *
 * A memory's life
 *   current   writers reserve in it: tring_cpu_buffer::memory
 *   retired   they reserve in the next one; open records are committed here yet
 *   sealed    two grace periods later: no writer has a pointer into it. The
 *             first is for the records, the second for whoever has read
 *             tring_cpu_buffer::current_subbuf while a late writer had made it
 *             point back here
 *   freed     when a reader has taken its last packet, or it is dropped
 *
 * Readers go from one memory to the next when the first is sealed and through,
 * so that they get packets in the order of time. What is consumed of a sealed
 * memory is freed at once, so a ring that was made smaller gets smaller.
 *
 * What is dropped
 *   Growing loses nothing. When writers that overwrite reach the oldest packet
 *   of the current memory, memories before it have had their time as well: they
 *   are dropped by a work item. A ring that overwrites and is made smaller drops
 *   its oldest packets as far as they exceed the new size. A ring that does not
 *   overwrite keeps everything. What is dropped is counted as overwritten.
 *
 * The generation has two bits, and each switch waits for its grace periods
 * under tring_buffer::mutex, so a position that a writer holds is at most one
 * generation old.
 */

#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/wait.h>

#include "compat.h"
#include "ring.h"
#include "fast.h"
#include "internal.h"

/* Only NMIs can keep us from switching, with an event for each of our tries. */
#define SWITCH_TRIES	100

/**
 * tring_ring_run - call a function where a ring's writers run
 * @cpu_buffer: the ring
 * @func: called with interrupts off, on the ring's CPU if that is online
 * @info: for @func
 *
 * A CPU that is offline has no writer, and its ring may be touched from here.
 *
 * Context: task, with CPU hotplug locked out.
 */
void tring_ring_run(struct tring_cpu_buffer *cpu_buffer, smp_call_func_t func, void *info)
{
	unsigned long flags;

	if (cpu_online(cpu_buffer->cpu)) {
		smp_call_function_single(cpu_buffer->cpu, func, info, true);
		return;
	}
	local_irq_save(flags);
	func(info);
	local_irq_restore(flags);
}

/* Of a ring that overwrites: what is retired must not exceed its new size. */
static void drop_surplus(struct tring_cpu_buffer *cpu_buffer)
{
	unsigned long room = cpu_buffer->memory->nr_subbufs << cpu_buffer->memory->order;
	struct tring_stream *live = &cpu_buffer->streams[TRING_LIVE];
	u64 already_dropped = cpu_buffer->dropped_bytes;
	struct tring_content content = { };
	struct tring_memory *memory, *next;

	if (!READ_ONCE(cpu_buffer->buffer->overwrite))
		return;
	list_for_each_entry(memory, &live->memories, list)
		if (memory->sealed)
			tring_memory_content(memory, &content);
	list_for_each_entry_safe(memory, next, &live->memories, list)
		while (memory->sealed &&
		       content.bytes - (cpu_buffer->dropped_bytes - already_dropped) > room)
			if (!tring_drop_packet(live, memory))
				break;
}

struct switch_request {
	struct tring_cpu_buffer	*cpu_buffer;
	struct tring_memory	*memory;
	bool			done;
};

static void switch_here(void *info)
{
	struct switch_request *request = info;

	request->done = tring_switch(request->cpu_buffer, request->memory);
}

/**
 * tring_ring_switch - make other memory the ring's
 * @cpu_buffer: the ring; it has memory, which is retired afterwards
 * @memory: empty
 *
 * Context: task, with both mutexes held and CPU hotplug locked out, a grace
 * period and more after the last time.
 * Return: 0, or -EBUSY if NMIs did not let us: nothing has changed.
 */
int tring_ring_switch(struct tring_cpu_buffer *cpu_buffer, struct tring_memory *memory)
{
	struct switch_request request = { .cpu_buffer = cpu_buffer, .memory = memory };
	struct tring_memory *old = cpu_buffer->memory;
	unsigned int tries;

	memory->generation = (old->generation + 1) % TRING_GENERATIONS;
	memory->serial = old->serial + 1;
	for (tries = 0; tries < SWITCH_TRIES && !request.done; tries++) {
		if (tries)
			usleep_range(1000, 2000);
		tring_ring_run(cpu_buffer, switch_here, &request);
	}
	if (!request.done)
		return -EBUSY;

	old->retired = true;
	list_add_tail(&memory->list, &cpu_buffer->streams[TRING_LIVE].memories);
	WRITE_ONCE(cpu_buffer->memory, memory);
	WRITE_ONCE(cpu_buffer->stopped, false);
	tring_ring_update_limit(cpu_buffer);
	tring_ring_update_wake(cpu_buffer);
	return 0;
}

/**
 * tring_forget_old_subbuf - undo what a late writer may have done
 * @info: the ring, of which current_subbuf may point into its former memory
 *
 * Context: where the ring's writers run, a grace period after the switch.
 */
void tring_forget_old_subbuf(void *info)
{
	struct tring_cpu_buffer *cpu_buffer = info;
	struct tring_subbuf *subbuf = READ_ONCE(cpu_buffer->current_subbuf);
	struct tring_memory *memory = cpu_buffer->memory;

	if (subbuf < memory->subbufs || subbuf > memory->subbufs + memory->nr_subbufs)
		cmpxchg(&cpu_buffer->current_subbuf, subbuf, &tring_no_subbuf);
}

/* Until no writer is in the retired memories any more. */
static void wait_for_writers(struct tring_buffer *buffer, const struct cpumask *cpus)
{
	struct tring_cpu_buffer *cpu_buffer;
	int cpu;

	/* TB(off:A) as in tring_buffer_set_recording(). */
	synchronize_rcu();
	for_each_cpu(cpu, cpus) {
		cpu_buffer = tring_cpu_buffer(buffer, cpu);
		if (cpu_buffer->memory)
			tring_ring_run(cpu_buffer, tring_forget_old_subbuf, cpu_buffer);
	}
	synchronize_rcu();
}

static void seal_memories(struct tring_cpu_buffer *cpu_buffer)
{
	struct tring_memory *memory;

	list_for_each_entry(memory, &cpu_buffer->streams[TRING_LIVE].memories, list) {
		if (!memory->retired || memory->sealed)
			continue;
		memory->sealed = true;
		tring_memory_trim(memory);
	}
}

/* All that is sealed becomes the snapshot, in place of the former one. */
static void set_aside(struct tring_cpu_buffer *cpu_buffer)
{
	struct tring_stream *aside = &cpu_buffer->streams[TRING_SNAPSHOT];
	struct tring_stream *live = &cpu_buffer->streams[TRING_LIVE];
	struct tring_memory *memory, *next;

	tring_drop_stream(aside);
	aside->lost = live->lost;
	list_for_each_entry_safe(memory, next, &live->memories, list) {
		struct tring_content content = { };

		if (!memory->sealed)
			continue;
		tring_memory_content(memory, &content);
		tring_count_gone(cpu_buffer, content.packets);
		live->lost += local_read(&memory->overwritten);
		list_move_tail(&memory->list, &aside->memories);
	}
}

/**
 * tring_ring_settle - the retired memories have no writer any more
 * @cpu_buffer: the ring
 * @aside: what they hold becomes the snapshot; else readers get it first
 *
 * Context: task, with tring_cpu_buffer::mutex held.
 */
void tring_ring_settle(struct tring_cpu_buffer *cpu_buffer, bool aside)
{
	seal_memories(cpu_buffer);
	if (aside)
		set_aside(cpu_buffer);
	else
		drop_surplus(cpu_buffer);
	tring_ring_update_retired(cpu_buffer);
	/* Writers may have come round before they knew of it. */
	if (local_read(&cpu_buffer->memory->overwritten_packets))
		tring_drop_retired(cpu_buffer);
}

/*
 * Give the rings of @cpus the memories that there are for them; those that were
 * used are taken out of @memories. What the rings held becomes the snapshot if
 * @aside, else it comes first for their readers.
 */
static int switch_rings(struct tring_buffer *buffer, const struct cpumask *cpus,
			struct tring_memory **memories, bool aside)
{
	struct tring_cpu_buffer *cpu_buffer;
	int cpu, err = 0;

	for_each_cpu(cpu, cpus) {
		int ret = 0;

		if (!memories[cpu])
			continue;
		cpu_buffer = tring_cpu_buffer(buffer, cpu);
		mutex_lock(&cpu_buffer->mutex);
		if (cpu_buffer->memory)
			ret = tring_ring_switch(cpu_buffer, memories[cpu]);
		else
			tring_ring_first_memory(cpu_buffer, memories[cpu]);
		mutex_unlock(&cpu_buffer->mutex);
		if (ret)
			err = ret;
		else
			memories[cpu] = NULL;
	}

	wait_for_writers(buffer, cpus);

	for_each_cpu(cpu, cpus) {
		cpu_buffer = tring_cpu_buffer(buffer, cpu);
		mutex_lock(&cpu_buffer->mutex);
		if (cpu_buffer->memory)
			tring_ring_settle(cpu_buffer, aside);
		mutex_unlock(&cpu_buffer->mutex);
		wake_up_all(&cpu_buffer->wait);
	}
	return err;
}

/*
 * New memory for the rings of @cpus, all of it before the first ring changes;
 * @bytes 0 keeps each ring's size.
 */
static int replace_memories(struct tring_buffer *buffer, const struct cpumask *cpus,
			    unsigned long bytes, unsigned int order, bool aside)
{
	struct tring_memory **memories, *memory;
	struct tring_cpu_buffer *cpu_buffer;
	int cpu, err = 0;

	memories = kcalloc(nr_cpu_ids, sizeof(*memories), GFP_KERNEL);
	if (!memories)
		return -ENOMEM;

	for_each_cpu(cpu, cpus) {
		cpu_buffer = tring_cpu_buffer(buffer, cpu);
		if (!cpu_buffer->memory && (!bytes || !cpu_online(cpu)))
			continue;
		memory = tring_memory_allocate(cpu_buffer, bytes ?: cpu_buffer->wanted_bytes,
					       order);
		if (IS_ERR(memory)) {
			err = PTR_ERR(memory);
			goto out;
		}
		memories[cpu] = memory;
	}
	err = switch_rings(buffer, cpus, memories, aside);
	if (bytes && !err)
		for_each_cpu(cpu, cpus)
			tring_cpu_buffer(buffer, cpu)->wanted_bytes = bytes;
out:
	for_each_cpu(cpu, cpus)
		tring_memory_free(memories[cpu]);
	kfree(memories);
	return err;
}

/**
 * tring_buffer_resize - set the size of one ring or of all
 * @buffer: the buffer
 * @cpu: which CPU's, -1 for all
 * @bytes: size of a ring, rounded up to sub-buffers, two at least
 *
 * While it records, and whoever reads. No event is refused for it; what was
 * recorded can still be read: see "What is dropped" above.
 *
 * Context: task, may sleep.
 * Return: 0; -EINVAL for a size out of bounds; -ENOMEM or -EINTR: every ring is
 * as it was; -EBUSY if a storm of NMIs kept a ring from being switched.
 */
int tring_buffer_resize(struct tring_buffer *buffer, int cpu, unsigned long bytes)
{
	int err = -EINVAL;

	if (!bytes)
		return -EINVAL;
	cpus_read_lock();
	mutex_lock(&buffer->mutex);
	if (bytes >> buffer->subbuf_order <= TRING_SUBBUFS_MAX)
		err = replace_memories(buffer, cpu < 0 ? cpu_possible_mask : cpumask_of(cpu),
				       bytes, buffer->subbuf_order, false);
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
	err = replace_memories(buffer, cpu_possible_mask, 0, order, false);
	if (!err)
		buffer->subbuf_order = order;
	mutex_unlock(&buffer->mutex);
	cpus_read_unlock();
	return err;
}
TRING_EXPORT(tring_buffer_set_subbuf_size);

/**
 * tring_buffer_snapshot - take what is in the rings aside, and go on recording
 * @buffer: the buffer
 *
 * Of each CPU at one instant, without copying: its ring gets new memory of the
 * same size. A snapshot that was there before is dropped; what nobody has read
 * of it counts as overwritten.
 *
 * Context: task, may sleep.
 * Return: as tring_buffer_resize(); if it fails with -ENOMEM or -EINTR, nothing
 * has changed.
 */
int tring_buffer_snapshot(struct tring_buffer *buffer)
{
	int err;

	cpus_read_lock();
	mutex_lock(&buffer->mutex);
	err = replace_memories(buffer, cpu_possible_mask, 0, buffer->subbuf_order, true);
	mutex_unlock(&buffer->mutex);
	cpus_read_unlock();
	return err;
}
TRING_EXPORT(tring_buffer_snapshot);

/**
 * tring_buffer_drop_snapshot - free the snapshot
 * @buffer: the buffer
 *
 * What nobody has read of it counts as overwritten.
 *
 * Context: task, may sleep.
 */
void tring_buffer_drop_snapshot(struct tring_buffer *buffer)
{
	struct tring_cpu_buffer *cpu_buffer;
	int cpu;

	mutex_lock(&buffer->mutex);
	for_each_possible_cpu(cpu) {
		cpu_buffer = tring_cpu_buffer(buffer, cpu);
		mutex_lock(&cpu_buffer->mutex);
		tring_drop_stream(&cpu_buffer->streams[TRING_SNAPSHOT]);
		mutex_unlock(&cpu_buffer->mutex);
	}
	mutex_unlock(&buffer->mutex);
}
TRING_EXPORT(tring_buffer_drop_snapshot);

/**
 * tring_buffer_has_snapshot - is there one that was not read to its end?
 * @buffer: the buffer
 *
 * Context: task, may sleep.
 */
bool tring_buffer_has_snapshot(struct tring_buffer *buffer)
{
	struct tring_cpu_buffer *cpu_buffer;
	bool found = false;
	int cpu;

	for_each_possible_cpu(cpu) {
		cpu_buffer = tring_cpu_buffer(buffer, cpu);
		mutex_lock(&cpu_buffer->mutex);
		if (!list_empty(&cpu_buffer->streams[TRING_SNAPSHOT].memories))
			found = true;
		mutex_unlock(&cpu_buffer->mutex);
	}
	return found;
}
