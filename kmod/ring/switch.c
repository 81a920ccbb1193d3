// SPDX-License-Identifier: GPL-2.0
/*
 * Another memory for a ring while it records: the one mechanism behind resize, sub-buffer
 * size, snapshot, and the move into memory of another kind.
 *
 * A position says which memory it is in: its upper bits are the memory's generation. So
 * one local cmpxchg of the position, on the ring's own CPU, ends the old memory and begins
 * the new one, whatever it interrupts. A writer that has reserved in the old memory
 * commits there. A writer that has not fails its cmpxchg and goes to the new memory. No
 * event is refused, but where NMIs have come first TRING_RETRIES_MAX times: those of the next
 * NMIs are, for that one cmpxchg, and count as nested too deep. So each switch is done where the
 * CPU answers, and all rings have memory of the same kind behind it.
 *
 * The life of a memory (invariant 11)
 *   current   writers reserve in it: tring_cpu_buffer::memory
 *   retired   writers reserve in the next one; open records are still committed here
 *   sealed    no writer has a pointer into it: the writers that were in the ring are through,
 *             twice (drain.c). The first time for the records, the second for a writer that
 *             has read current_subbuf while a late writer had made it point back here
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
 * Two generations suffice: a ring is switched again when its former memory is sealed, so a
 * position that a writer holds is one generation old at most. A ring whose CPU hangs keeps its
 * memory, and one that does not get through is not switched again until it does.
 */

#include <linux/err.h>
#include <linux/kprobes.h>
#include <linux/log2.h>

#include "internal.h"

/**
 * tring_switch - go on in another memory
 * @info: the ring; tring_cpu_buffer::next_memory is empty and of the other generation
 *
 * From one cmpxchg on all records go to that memory. Records that are open in the former
 * memory are committed there; the last committer delivers as ever. The limit is left to
 * tring_ring_update_limit().
 *
 * Context: as tring_end_packet(), with tring_cpu_buffer::mutex held by the task that waits
 * for it, when what the ring left at the last switch is sealed.
 */
void tring_switch(void *info)
{
	struct tring_cpu_buffer *cpu_buffer = info;
	struct tring_memory *memory = cpu_buffer->next_memory;

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

/**
 * tring_ring_switch - give a ring its first memory, or another one
 * @cpu_buffer: the ring; its present memory is retired
 * @memory: empty
 *
 * Context: task, with both mutexes held and CPU hotplug locked out, when no writer is in the
 * memory before @cpu_buffer's present one.
 * Return: 0, or -EBUSY: the CPU does not answer. Nothing has changed.
 */
int tring_ring_switch(struct tring_cpu_buffer *cpu_buffer, struct tring_memory *memory)
{
	if (cpu_buffer->memory)
		memory->generation = (cpu_buffer->memory->generation + 1) % TRING_GENERATIONS;
	cpu_buffer->buffer->observer->memory_published(memory, &cpu_buffer->streams[TRING_LIVE]);
	cpu_buffer->next_memory = memory;
	if (!cpu_buffer->memory)
		cpu_buffer->memories[memory->generation] = memory;
	else if (tring_ring_run(cpu_buffer, tring_switch))
		cpu_buffer->unsettled = true;
	else
		return -EBUSY;
	cpu_buffer->next_memory = NULL;
	list_add_tail(&memory->list, &cpu_buffer->streams[TRING_LIVE].memories);
	/* TB(first:A) the memory's place before the memory. Pairs with TB(first:B). */
	smp_store_release(&cpu_buffer->memory, memory);
	WRITE_ONCE(cpu_buffer->stopped, false);
	tring_ring_update_wake(cpu_buffer);
	tring_ring_update_limit(cpu_buffer, false);
	return 0;
}

/**
 * tring_ring_forget_subbuf - make current_subbuf point into no former memory
 * @info: the ring
 *
 * Context: where the ring's writers run, when those of before the switch are through.
 */
void tring_ring_forget_subbuf(void *info)
{
	struct tring_cpu_buffer *cpu_buffer = info;
	struct tring_subbuf *subbuf = READ_ONCE(cpu_buffer->current_subbuf);

	if (subbuf->memory != cpu_buffer->memory)
		cmpxchg(&cpu_buffer->current_subbuf, subbuf, &tring_no_subbuf);
}

/* Wait until no writer is in the retired memories of @cpus, but of those that are silent then. */
static void wait_for_writers(struct tring_buffer *buffer, const struct cpumask *cpus)
{
	struct tring_cpu_buffer *cpu_buffer;

	/* The writers that were in a retired memory are through. */
	tring_drain(buffer, cpus);
	tring_for_each_ring(cpu_buffer, buffer, cpus)
		tring_ring_call(cpu_buffer, tring_ring_forget_subbuf);
	/* And so are those that had read current_subbuf. */
	tring_drain(buffer, cpus);
}

/* With what a former reader has left half read. A reader that is open keeps its packet. */
static void drop_snapshot(struct tring_stream *aside)
{
	if (!aside->reader_open)
		tring_drop_held(aside);
	tring_drop_stream(aside);
}

/* All that is sealed becomes the snapshot, in place of the former one. */
static void set_aside(struct tring_cpu_buffer *cpu_buffer)
{
	struct tring_stream *aside = &cpu_buffer->streams[TRING_SNAPSHOT];
	struct tring_stream *live = &cpu_buffer->streams[TRING_LIVE];
	struct tring_memory *memory, *next;

	drop_snapshot(aside);
	aside->lost = live->lost;
	list_for_each_entry_safe(memory, next, &live->memories, list) {
		struct tring_content content = { };

		if (!memory->sealed)
			continue;
		tring_memory_content(memory, &content);
		local_add(content.packets, &cpu_buffer->packets_gone);
		live->lost += local_read(&memory->overwritten);
		list_move_tail(&memory->list, &aside->memories);
		cpu_buffer->buffer->observer->memory_published(memory, aside);
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
	cpu_buffer->unsettled = false;
	/* A snapshot keeps what the live ring has lost since: writers may wrap at once. */
	if (aside) {
		set_aside(cpu_buffer);
	} else {
		tring_drop_lapsed(cpu_buffer);
		drop_surplus(cpu_buffer, READ_ONCE(cpu_buffer->buffer->overwrite));
	}
}

/* Seal what the rings of @cpus have left: of those that are silent, when they no longer are. */
static void settle_rings(struct tring_buffer *buffer, const struct cpumask *cpus, bool aside)
{
	struct tring_cpu_buffer *cpu_buffer;

	wait_for_writers(buffer, cpus);
	tring_for_each_ring(cpu_buffer, buffer, cpus) {
		mutex_lock(&cpu_buffer->mutex);
		if (cpu_buffer->memory && !cpu_buffer->silent)
			tring_ring_settle(cpu_buffer, aside);
		else if (aside)
			drop_snapshot(&cpu_buffer->streams[TRING_SNAPSHOT]);
		mutex_unlock(&cpu_buffer->mutex);
		if (cpu_buffer->silent)
			buffer->observer->unsettled(buffer);
		wake_up_all(&cpu_buffer->wait);
	}
}

/**
 * tring_buffer_settle - seal what rings have left at a switch while their CPU did not answer
 * @buffer: the buffer
 * @cpus: CPUs of the rings
 *
 * A reader does not get past a memory that is not sealed. A CPU whose interrupt is still to
 * come is asked when it has come.
 *
 * Context: task, between tring_buffer_lock() and tring_buffer_unlock().
 */
void tring_buffer_settle(struct tring_buffer *buffer, const struct cpumask *cpus)
{
	struct tring_cpu_buffer *cpu_buffer;

	tring_for_each_ring(cpu_buffer, buffer, cpus)
		if (cpu_buffer->unsettled) {
			cpu_buffer->silent |= READ_ONCE(cpu_buffer->hangs) &&
					      cpu_online(cpu_buffer->cpu);
			settle_rings(buffer, cpumask_of(cpu_buffer->cpu), false);
		}
}

/*
 * Make tring_cpu_buffer::next_memory the memory of each ring of @cpus that has one. A snapshot
 * is taken without the CPUs that hang; another size is refused before the first ring changes.
 */
static int switch_rings(struct tring_buffer *buffer, const struct cpumask *cpus, bool aside)
{
	struct tring_cpu_buffer *cpu_buffer;
	int err = 0;

	tring_buffer_settle(buffer, cpus);
	if (!aside && !tring_drain(buffer, cpus))
		return -EBUSY;
	tring_for_each_ring(cpu_buffer, buffer, cpus) {
		if (!cpu_buffer->next_memory)
			continue;
		mutex_lock(&cpu_buffer->mutex);
		if (!cpu_buffer->silent)
			cpu_buffer->silent = tring_ring_switch(cpu_buffer, cpu_buffer->next_memory);
		mutex_unlock(&cpu_buffer->mutex);
		if (cpu_buffer->silent && !aside)
			err = -EBUSY;
	}
	settle_rings(buffer, cpus, aside);
	return err;
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
	int err = 0;

	lockdep_assert_held(&buffer->mutex);
	order = order ?: buffer->subbuf_order;
	tring_for_each_ring(cpu_buffer, buffer, cpus) {
		size = bytes ?: cpu_buffer->wanted_bytes;
		/* A ring without memory would get it later, and with this many sub-buffers. */
		if (size >> order > TRING_SUBBUFS_MAX)
			err = -EINVAL;
		if (err || (!cpu_buffer->memory && (!bytes || !cpu_online(cpu_buffer->cpu))))
			continue;
		memory = tring_memory_allocate(cpu_buffer, size, order);
		if (IS_ERR(memory))
			err = PTR_ERR(memory);
		else
			cpu_buffer->next_memory = memory;
	}
	if (!err)
		err = switch_rings(buffer, cpus, aside);
	if (!err)
		buffer->subbuf_order = order;
	tring_for_each_ring(cpu_buffer, buffer, cpus) {
		if (!err && bytes)
			cpu_buffer->wanted_bytes = bytes;
		tring_memory_put(cpu_buffer->next_memory);
		cpu_buffer->next_memory = NULL;
	}
	return err;
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
 * Return: 0; -EINVAL for a size out of bounds; -ENOMEM, -EINTR, or -EBUSY if a CPU hangs: every
 * ring is as it was, unless that CPU has begun to hang while the rings were switched.
 */
int tring_buffer_resize(struct tring_buffer *buffer, int cpu, unsigned long bytes)
{
	int err;

	if (!bytes)
		return -EINVAL;
	tring_buffer_lock(buffer);
	err = replace_memories(buffer, cpu < 0 ? cpu_possible_mask : cpumask_of(cpu), bytes, 0,
			       false);
	tring_buffer_unlock(buffer);
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
	tring_buffer_lock(buffer);
	err = replace_memories(buffer, cpu_possible_mask, 0,
			       order_base_2(max(bytes, TRING_SUBBUF_SIZE_MIN)), false);
	tring_buffer_unlock(buffer);
	return err;
}
TRING_EXPORT(tring_buffer_set_subbuf_size);

/**
 * tring_buffer_snapshot - set aside what the rings hold, and go on recording
 * @buffer: the buffer
 *
 * Of each CPU at one instant, without a copy: its ring gets another memory of the same
 * size. An earlier snapshot is dropped; its unread events count as overwritten. A CPU that
 * hangs has no part in it.
 *
 * Context: task, between tring_buffer_lock() and tring_buffer_unlock().
 * Return: as tring_buffer_resize().
 */
int tring_buffer_snapshot(struct tring_buffer *buffer)
{
	return replace_memories(buffer, cpu_possible_mask, 0, 0, true);
}

/**
 * tring_buffer_set_allocator - move the rings into memory of another kind
 * @buffer: the buffer
 * @allocator: of that memory; rings that have none yet get it there
 *
 * Works while the ring records and is read, as tring_buffer_resize().
 *
 * Context: task, between tring_buffer_lock() and tring_buffer_unlock().
 * Return: as tring_buffer_resize().
 */
int tring_buffer_set_allocator(struct tring_buffer *buffer,
			       const struct tring_allocator *allocator)
{
	const struct tring_allocator *was = buffer->allocator;
	int err;

	WRITE_ONCE(buffer->allocator, allocator);
	err = replace_memories(buffer, cpu_possible_mask, 0, 0, false);
	if (err)
		WRITE_ONCE(buffer->allocator, was);
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

	mutex_lock(&buffer->mutex);
	tring_for_each_ring(cpu_buffer, buffer, cpu_possible_mask) {
		mutex_lock(&cpu_buffer->mutex);
		drop_snapshot(&cpu_buffer->streams[TRING_SNAPSHOT]);
		mutex_unlock(&cpu_buffer->mutex);
	}
	mutex_unlock(&buffer->mutex);
}
