// SPDX-License-Identifier: GPL-2.0
/*
 * The memory of a ring: slots, sub-buffers and their pages, on the CPU's own node.
 * switch.c explains when a ring gets another memory and when the former one goes.
 *
 * A ring may have millions of sub-buffers, so each loop over them lets other tasks run.
 */

#include <linux/err.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/topology.h>

#include "internal.h"
#include "subbuf.h"

/* tring_subbuf::start of a sub-buffer without a packet: near no position. */
#define START_NONE	(BIT(63) | BIT(TRING_POSITION_BITS - 1))

/*
 * current_subbuf of a ring that has no memory, or whose first packet is not entered yet.
 * No position is near its start, so every writer takes the slow path; the fast path need
 * not test for NULL.
 */
struct tring_subbuf tring_no_subbuf = { .start = LOCAL_INIT(START_NONE) };

static void free_subbuf(struct tring_memory *memory, struct tring_subbuf *subbuf)
{
	if (subbuf->data)
		memory->allocator->free(subbuf->data, memory->subbuf_size, true);
	subbuf->data = NULL;
}

/**
 * tring_memory_put - drop a use of a memory; the last one frees it
 * @memory: no writer is in it; may be NULL
 *
 * Context: task, may sleep, with tring_cpu_buffer::mutex held if it was in a stream.
 */
void tring_memory_put(struct tring_memory *memory)
{
	unsigned long i;

	if (!memory || --memory->users)
		return;
	memory->cpu_buffer->buffer->observer->memory_removed(memory);
	for (i = 0; memory->slots && i <= memory->nr_subbufs; i++) {
		free_subbuf(memory, &memory->subbufs[i]);
		cond_resched();
	}
	if (memory->slots)
		memory->allocator->free(memory->slots, memory->arrays_size, false);
	kfree(memory);
}

/**
 * tring_memory_empty - put a memory into its first state
 * @memory: no writer is in it, and no packet of it is held
 *
 * The headers get the ring's uuid, and no times and sizes: an image of the memory shows
 * what belongs to an older trace.
 *
 * Context: task, may sleep.
 */
void tring_memory_empty(struct tring_memory *memory)
{
	struct tring_packet_header *header;
	unsigned long i;

	for (i = 0; i <= memory->nr_subbufs; i++) {
		/* Writers leave magic, uuid, version and cpu_id as they are. */
		header = memory->subbufs[i].data;
		memset(header, 0, sizeof(*header));
		header->magic = TRING_PACKET_MAGIC;
		memcpy(header->uuid, memory->cpu_buffer->buffer->uuid, TRING_UUID_SIZE);
		header->version = TRING_FORMAT_VERSION;
		header->cpu_id = memory->cpu_buffer->cpu;
		local_set(&memory->subbufs[i].start, START_NONE);
		local_set(&memory->subbufs[i].commits, tring_no_commits(memory));
		memory->subbufs[i].events = 0;
		memory->subbufs[i].bytes = 0;
		cond_resched();
	}
	/* Invariant 7: each slot looks as if its packet of the lap before had been read. */
	for (i = 0; i < memory->nr_subbufs; i++) {
		memory->subbufs[i].slot = &memory->slots[i];
		atomic64_set(&memory->slots[i],
			     tring_slot_word(TRING_SLOT_FREE, i, i - memory->nr_subbufs));
		cond_resched();
	}
	memory->spare = &memory->subbufs[memory->nr_subbufs];
	local_set(&memory->overwritten, 0);
	local_set(&memory->overwritten_packets, 0);
	memory->next_packet = 0;
	memory->packets_taken = 0;
}

/**
 * tring_memory_allocate - sub-buffers and slots for one ring
 * @cpu_buffer: the ring; the memory comes from its CPU's node
 * @bytes: size, rounded up to TRING_SUBBUFS_MIN sub-buffers at least
 * @order: log2 of a sub-buffer's size
 *
 * The allocator of the buffer says how much may be taken.
 *
 * Context: task, may sleep. A fatal signal ends it.
 * Return: the empty memory with one use; ERR_PTR() of -ENOMEM or -EINTR.
 */
struct tring_memory *tring_memory_allocate(struct tring_cpu_buffer *cpu_buffer,
					   unsigned long bytes, unsigned int order)
{
	const struct tring_allocator *allocator = cpu_buffer->buffer->allocator;
	unsigned long nr = max(DIV_ROUND_UP(bytes, 1UL << order), TRING_SUBBUFS_MIN), i;
	int node = cpu_to_node(cpu_buffer->cpu), err = allocator->ask((nr + 1) << order);
	struct tring_memory *memory;
	size_t slots_size;
	void *data;

	if (err)
		return ERR_PTR(err);
	memory = kzalloc_node(sizeof(*memory), GFP_KERNEL, node);
	if (!memory)
		return ERR_PTR(-ENOMEM);
	tring_pages_begin();
	memory->allocator = allocator;
	memory->users = 1;
	memory->cpu_buffer = cpu_buffer;
	memory->nr_subbufs = nr;
	memory->order = order;
	memory->subbuf_size = 1UL << order;
	/* Descriptions begin at a multiple of their size, which is that of a cache line. */
	slots_size = ALIGN(array_size(nr, sizeof(*memory->slots)), sizeof(*memory->subbufs));
	memory->arrays_size = size_add(slots_size, array_size(nr + 1, sizeof(*memory->subbufs)));
	data = allocator->alloc(memory->arrays_size, node, false);
	err = PTR_ERR_OR_ZERO(data);
	if (err)
		goto fail;
	memory->slots = data;
	memory->subbufs = data + slots_size;
	for (i = 0; i <= nr; i++) {
		data = allocator->alloc(memory->subbuf_size, node, true);
		err = PTR_ERR_OR_ZERO(data);
		if (err)
			goto fail;
		memory->subbufs[i].memory = memory;
		memory->subbufs[i].data = data;
		cond_resched();
	}
	tring_memory_empty(memory);
	err = cpu_buffer->buffer->observer->memory_added(cpu_buffer->buffer, memory);
	if (err)
		goto fail;
	tring_pages_end();
	return memory;

fail:
	tring_memory_put(memory);
	tring_pages_end();
	return ERR_PTR(err);
}

/**
 * tring_memory_seal - no writer has a pointer into a memory any more
 * @memory: retired
 *
 * Frees the pages that hold nothing unread.
 *
 * Context: task, with tring_cpu_buffer::mutex held.
 */
void tring_memory_seal(struct tring_memory *memory)
{
	unsigned long i;
	u64 word;

	memory->sealed = true;
	for (i = 0; i < memory->nr_subbufs; i++) {
		word = atomic64_read(&memory->slots[i]);
		if (tring_slot_state(word) == TRING_SLOT_FREE)
			free_subbuf(memory, &memory->subbufs[tring_slot_index(word)]);
		cond_resched();
	}
	if (memory->spare)
		free_subbuf(memory, memory->spare);
}

/**
 * tring_memory_return - take a sub-buffer back from the reader
 * @memory: that it belongs to
 * @subbuf: the packet in it was read, or dropped
 *
 * Context: task, with tring_cpu_buffer::mutex held.
 */
void tring_memory_return(struct tring_memory *memory, struct tring_subbuf *subbuf)
{
	if (memory->sealed)
		free_subbuf(memory, subbuf);
	else
		memory->spare = subbuf;
}

/**
 * tring_memory_content - add up what a memory holds
 * @memory: in a stream
 * @content: added to; exact if no writer is in @memory
 *
 * A packet with nothing but its header does not count.
 *
 * Context: task, may sleep, with tring_cpu_buffer::mutex held.
 */
void tring_memory_content(struct tring_memory *memory, struct tring_content *content)
{
	enum tring_slot_state state;
	struct tring_subbuf *subbuf;
	unsigned long i, bytes;
	long commits;
	u64 word;

	for (i = 0; i < memory->nr_subbufs; i++) {
		cond_resched();
		word = atomic64_read_acquire(&memory->slots[i]);
		subbuf = &memory->subbufs[tring_slot_index(word)];
		state = tring_slot_state(word);
		if (state == TRING_SLOT_DELIVERED) {
			/* May be overwritten concurrently; the values are approximate. */
			content->events += READ_ONCE(subbuf->events);
			content->bytes += READ_ONCE(subbuf->bytes);
			content->packets++;
		} else if (state == TRING_SLOT_OPEN) {
			commits = local_read(&subbuf->commits) - tring_no_commits(memory);
			bytes = tring_commits_bytes(commits);
			if (!bytes)
				continue;
			bytes += TRING_PACKET_HEADER_SIZE;
			content->events += (u32)commits;
			content->bytes += bytes;
			content->open_events += (u32)commits;
			content->open_bytes += bytes;
			content->open_packets++;
		}
	}
}
