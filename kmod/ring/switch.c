// SPDX-License-Identifier: GPL-2.0
/*
 * Another memory for a ring while it records: the one mechanism behind resize, sub-buffer
 * size, snapshot, and the move into memory that outlives the kernel.
 *
 * A position says which memory it is in: its upper bits are the memory's generation. So
 * one local cmpxchg of the position, on the ring's own CPU, ends the old memory and begins
 * the new one, whatever it interrupts. A writer that has reserved in the old memory
 * commits there. A writer that has not fails its cmpxchg and goes to the new memory. No
 * event is refused, but where NMIs have come first TRING_RETRIES_MAX times: those of the next
 * NMIs are, for that one cmpxchg, and count as nested too deep. So each switch is done, and
 * all rings have memory of the same kind behind it.
 *
 * The life of a memory
 *   current   writers reserve in it: tring_cpu_buffer::memory
 *   retired   writers reserve in the next one; open records are still committed here
 *   sealed    two grace periods later no writer has a pointer into it. The first waits
 *             for the records, the second for a writer that has read current_subbuf
 *             while a late writer had made it point back here
 *   freed     when a reader has taken its last packet, or when it is dropped
 *
 * A reader goes from one memory to the next when the first is sealed and through, so it
 * gets packets in the order of time. The pages of a sealed memory are freed as they are
 * read, so a ring that was made smaller gets smaller.
 *
 * What is dropped
 *   A ring that refuses new events when it is full keeps everything. A ring that
 *   overwrites drops its oldest packets as far as they exceed the new size. It drops all
 *   older memories when a reader comes and finds that the current memory has wrapped.
 *
 * Two generations suffice: each switch waits for its grace periods under
 * tring_buffer::mutex, so a position that a writer holds is one generation old at most.
 */

#include <linux/cpu.h>
#include <linux/err.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/rcupdate.h>

#include "directory.h"
#include "internal.h"
#include "region.h"

/**
 * tring_ring_run - call a function where a ring's writers run
 * @cpu_buffer: the ring
 * @func: called with interrupts off, on the ring's CPU if that is online
 * @info: argument of @func
 *
 * A CPU that is offline has no writer: any CPU may stand in for it.
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

/**
 * tring_switch - go on in another memory
 * @cpu_buffer: the ring
 * @memory: empty, of the other generation
 *
 * From one cmpxchg on all records go to @memory. Records that are open in the former
 * memory are committed there; the last committer delivers as ever. The limit is left to
 * tring_ring_update_limit().
 *
 * Context: as tring_end_packet(), with tring_cpu_buffer::mutex held by the task that waits
 * for it, and a grace period after the last switch.
 */
void tring_switch(struct tring_cpu_buffer *cpu_buffer, struct tring_memory *memory)
{
	/* The fast path looks at the limit alone, the slow path at the position's memory. */
	tring_ring_update_limit(cpu_buffer, true);
	WRITE_ONCE(cpu_buffer->memories[memory->generation], memory);
	if (!tring_end_packet(cpu_buffer, memory)) {
		/* Nested writers are refused from here on, so none comes first. */
		local_add(TRING_NESTING_MAX, &cpu_buffer->nesting);
		TRING_WARN_ON(cpu_buffer, !tring_end_packet(cpu_buffer, memory));
		local_sub(TRING_NESTING_MAX, &cpu_buffer->nesting);
	}
	tring_step(cpu_buffer, TRING_STEP_SWITCH_MOVED);
}
NOKPROBE_SYMBOL(tring_switch);

static void switch_here(void *info)
{
	struct tring_memory *memory = info;

	tring_switch(memory->cpu_buffer, memory);
}

/**
 * tring_ring_switch - give a ring its first memory, or another one
 * @cpu_buffer: the ring; its present memory is retired
 * @memory: empty
 *
 * Context: task, with both mutexes held and CPU hotplug locked out, after the grace
 * periods of the last switch.
 */
void tring_ring_switch(struct tring_cpu_buffer *cpu_buffer, struct tring_memory *memory)
{
	if (cpu_buffer->memory)
		memory->generation = (cpu_buffer->memory->generation + 1) % TRING_GENERATIONS;
	tring_directory_publish(memory, &cpu_buffer->streams[TRING_LIVE]);
	if (cpu_buffer->memory)
		tring_ring_run(cpu_buffer, switch_here, memory);
	else
		cpu_buffer->memories[memory->generation] = memory;
	list_add_tail(&memory->list, &cpu_buffer->streams[TRING_LIVE].memories);
	/* TB(first:A) the memory's place before the memory. Pairs with TB(first:B). */
	smp_store_release(&cpu_buffer->memory, memory);
	WRITE_ONCE(cpu_buffer->stopped, false);
	tring_ring_update_wake(cpu_buffer);
	tring_ring_update_limit(cpu_buffer, false);
}

/**
 * tring_ring_forget_subbuf - make current_subbuf point into no former memory
 * @info: the ring
 *
 * Context: where the ring's writers run, a grace period after the switch.
 */
void tring_ring_forget_subbuf(void *info)
{
	struct tring_cpu_buffer *cpu_buffer = info;
	struct tring_subbuf *subbuf = READ_ONCE(cpu_buffer->current_subbuf);

	if (subbuf->memory != cpu_buffer->memory)
		cmpxchg(&cpu_buffer->current_subbuf, subbuf, &tring_no_subbuf);
}

/* Wait until no writer is in the retired memories. */
static void wait_for_writers(struct tring_buffer *buffer, const struct cpumask *cpus)
{
	struct tring_cpu_buffer *cpu_buffer;
	int cpu;

	/* TB(off:A) the writers that were in a retired memory are through. */
	synchronize_rcu();
	for_each_cpu(cpu, cpus) {
		cpu_buffer = tring_cpu_buffer(buffer, cpu);
		if (cpu_buffer->memory)
			tring_ring_run(cpu_buffer, tring_ring_forget_subbuf, cpu_buffer);
	}
	synchronize_rcu();
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
		local_add(content.packets, &cpu_buffer->packets_gone);
		live->lost += local_read(&memory->overwritten);
		list_move_tail(&memory->list, &aside->memories);
		tring_directory_publish(memory, aside);
	}
}

/*
 * Of a ring that overwrites, drop the oldest packets as far as they exceed its new size.
 * Empty memories go at once, as no reader may come for a long time.
 */
static void drop_surplus(struct tring_cpu_buffer *cpu_buffer, bool overwrite)
{
	unsigned long size, room = cpu_buffer->memory->nr_subbufs << cpu_buffer->memory->order;
	struct tring_stream *live = &cpu_buffer->streams[TRING_LIVE];
	struct tring_memory *memory, *next;

	list_for_each_entry_safe_reverse(memory, next, &live->memories, list) {
		struct tring_content content = { };

		if (!memory->sealed)
			continue;
		tring_memory_content(memory, &content);
		size = content.packets << memory->order;
		for (; overwrite && size > room; size -= memory->subbuf_size) {
			if (!tring_drop_packet(live, memory))
				break;
			cond_resched();
		}
		room -= min(room, size);
		if (!size && !content.open_packets)
			tring_drop_memory(live, memory);
	}
}

/**
 * tring_ring_settle - seal the retired memories of a ring
 * @cpu_buffer: the ring
 * @aside: their content becomes the snapshot; else readers get it first
 *
 * Context: task, with tring_cpu_buffer::mutex held, when no writer is in them.
 */
void tring_ring_settle(struct tring_cpu_buffer *cpu_buffer, bool aside)
{
	struct tring_stream *live = &cpu_buffer->streams[TRING_LIVE];
	struct tring_memory *memory;

	list_for_each_entry(memory, &live->memories, list)
		if (memory != cpu_buffer->memory && !memory->sealed)
			tring_memory_seal(memory);
	/* A snapshot keeps what the live ring has lost since: writers may wrap at once. */
	if (aside) {
		set_aside(cpu_buffer);
	} else {
		tring_drop_lapsed(cpu_buffer);
		drop_surplus(cpu_buffer, READ_ONCE(cpu_buffer->buffer->overwrite));
	}
}

/* Make tring_cpu_buffer::next_memory the memory of each ring of @cpus that has one. */
static void switch_rings(struct tring_buffer *buffer, const struct cpumask *cpus, bool aside)
{
	struct tring_cpu_buffer *cpu_buffer;
	int cpu;

	for_each_cpu(cpu, cpus) {
		cpu_buffer = tring_cpu_buffer(buffer, cpu);
		if (!cpu_buffer->next_memory)
			continue;
		mutex_lock(&cpu_buffer->mutex);
		tring_ring_switch(cpu_buffer, cpu_buffer->next_memory);
		mutex_unlock(&cpu_buffer->mutex);
		cpu_buffer->next_memory = NULL;
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
}

/*
 * New memory for the rings of @cpus, all of it before the first ring changes. 0 for @bytes
 * or @order keeps the rings' own.
 */
static int replace_memories(struct tring_buffer *buffer, const struct cpumask *cpus,
			    unsigned long bytes, unsigned int order, bool aside)
{
	struct tring_cpu_buffer *cpu_buffer;
	struct tring_memory *memory;
	unsigned long size;
	int cpu, err = 0;

	lockdep_assert_held(&buffer->mutex);
	order = order ?: buffer->subbuf_order;
	for_each_cpu(cpu, cpus) {
		cpu_buffer = tring_cpu_buffer(buffer, cpu);
		size = bytes ?: cpu_buffer->wanted_bytes;
		/* A ring without memory would get it later, and with this many sub-buffers. */
		if (size >> order > TRING_SUBBUFS_MAX)
			err = -EINVAL;
		if (err || (!cpu_buffer->memory && (!bytes || !cpu_online(cpu))))
			continue;
		memory = tring_memory_allocate(cpu_buffer, size, order);
		if (IS_ERR(memory))
			err = PTR_ERR(memory);
		else
			cpu_buffer->next_memory = memory;
	}
	if (!err) {
		switch_rings(buffer, cpus, aside);
		buffer->subbuf_order = order;
	}
	for_each_cpu(cpu, cpus) {
		cpu_buffer = tring_cpu_buffer(buffer, cpu);
		if (!err && bytes)
			cpu_buffer->wanted_bytes = bytes;
		tring_memory_put(cpu_buffer->next_memory);
		cpu_buffer->next_memory = NULL;
	}
	return err;
}

static void lock_rings(struct tring_buffer *buffer)
{
	cpus_read_lock();
	mutex_lock(&buffer->mutex);
}

static void unlock_rings(struct tring_buffer *buffer)
{
	mutex_unlock(&buffer->mutex);
	cpus_read_unlock();
}

/**
 * tring_buffer_resize - set the size of one ring or of all
 * @buffer: the buffer
 * @cpu: CPU of the ring, -1 for all
 * @bytes: size of a ring, rounded up to sub-buffers, two at least
 *
 * Works while the ring records and is read. No event is refused for it, and what was
 * recorded stays readable: see "What is dropped" above.
 *
 * Context: task, may sleep.
 * Return: 0; -EINVAL for a size out of bounds, -ENOMEM or -EINTR: every ring is as it was.
 */
int tring_buffer_resize(struct tring_buffer *buffer, int cpu, unsigned long bytes)
{
	int err;

	if (!bytes)
		return -EINVAL;
	lock_rings(buffer);
	err = replace_memories(buffer, cpu < 0 ? cpu_possible_mask : cpumask_of(cpu), bytes, 0,
			       false);
	unlock_rings(buffer);
	return err;
}
TRING_EXPORT(tring_buffer_resize);

/**
 * tring_buffer_set_subbuf_size - set the size of all sub-buffers
 * @buffer: the buffer
 * @bytes: rounded up to a power of two, TRING_SUBBUF_SIZE_MIN at least
 *
 * The rings keep their sizes. So a size by which one of them, with memory or not yet, would
 * have more than TRING_SUBBUFS_MAX sub-buffers is out of bounds.
 *
 * Context: task, may sleep.
 * Return: as tring_buffer_resize().
 */
int tring_buffer_set_subbuf_size(struct tring_buffer *buffer, unsigned long bytes)
{
	int err;

	if (!bytes || bytes > TRING_SUBBUF_SIZE_MAX)
		return -EINVAL;
	lock_rings(buffer);
	err = replace_memories(buffer, cpu_possible_mask, 0,
			       order_base_2(max(bytes, TRING_SUBBUF_SIZE_MIN)), false);
	unlock_rings(buffer);
	return err;
}
TRING_EXPORT(tring_buffer_set_subbuf_size);

/**
 * tring_buffer_snapshot - set aside what the rings hold, and go on recording
 * @buffer: the buffer
 *
 * Of each CPU at one instant, without a copy: its ring gets another memory of the same
 * size. An earlier snapshot is dropped; its unread events count as overwritten.
 *
 * Context: task, may sleep.
 * Return: as tring_buffer_resize().
 */
int tring_buffer_snapshot(struct tring_buffer *buffer)
{
	int err;

	lock_rings(buffer);
	err = replace_memories(buffer, cpu_possible_mask, 0, 0, true);
	unlock_rings(buffer);
	return err;
}

/**
 * tring_buffer_set_persistent - move the rings into memory that outlives the kernel, or back
 * @buffer: the buffer
 * @on: into that memory; rings that have none yet get it there
 *
 * Works while the ring records and is read, as tring_buffer_resize().
 *
 * Context: task, may sleep.
 * Return: 0; -ENODEV, -EBUSY or -ENOMEM of tring_region_begin(); else as
 * tring_buffer_resize().
 */
int tring_buffer_set_persistent(struct tring_buffer *buffer, bool on)
{
	bool was;
	int err = on ? tring_region_begin() : 0;

	if (err)
		return err;
	lock_rings(buffer);
	was = buffer->persistent;
	if (was == on)
		goto unlock;
	buffer->persistent = on;
	err = tring_directory_move(buffer);
	if (!err) {
		err = replace_memories(buffer, cpu_possible_mask, 0, 0, false);
		if (err) {
			buffer->persistent = was;
			/* Where it is now it shows the rings, too. */
			tring_directory_move(buffer);
		}
	}
	buffer->persistent = err ? was : on;
unlock:
	unlock_rings(buffer);
	return err;
}

/**
 * tring_buffer_drop_snapshot - free the snapshot
 * @buffer: the buffer
 *
 * Its unread events count as overwritten.
 *
 * Context: task, may sleep.
 */
void tring_buffer_drop_snapshot(struct tring_buffer *buffer)
{
	struct tring_cpu_buffer *cpu_buffer;
	int cpu;

	for_each_possible_cpu(cpu) {
		cpu_buffer = tring_cpu_buffer(buffer, cpu);
		mutex_lock(&cpu_buffer->mutex);
		tring_drop_stream(&cpu_buffer->streams[TRING_SNAPSHOT]);
		mutex_unlock(&cpu_buffer->mutex);
	}
}
