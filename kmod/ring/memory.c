// SPDX-License-Identifier: GPL-2.0
/*
 * The memory of a ring: slots, sub-buffers and their pages, on the CPU's own
 * node. Who may be in it, and when it goes, is ring/switch.c's and
 * ring/read.c's business.
 */

#include <linux/err.h>
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/topology.h>

#include "ring.h"
#include "fast.h"
#include "internal.h"
#include "slot.h"

/* tring_subbuf::start of one that no packet has lain in: near no position. */
#define START_NONE	(BIT(63) | BIT(TRING_POSITION_BITS - 1))

/*
 * A ring whose first packet is not entered yet, or that has no memory, points
 * here, so that the fast path need not ask. No position is near this start,
 * which sends every writer to the slow path: also those that interrupt the
 * first one after it has moved the position into packet 0.
 */
struct tring_subbuf tring_no_subbuf = { .start = LOCAL_INIT(START_NONE) };

#ifdef TRING_KUNIT
atomic_t tring_memories;
#endif

/* No OOM killer for a trace buffer: a size that is too large is an error. */
static gfp_t page_flags(void)
{
	return GFP_KERNEL | __GFP_ZERO | __GFP_COMP | __GFP_RETRY_MAYFAIL | __GFP_NOWARN;
}

static void *allocate_pages(const struct tring_memory *memory)
{
	struct page *page = alloc_pages_node(cpu_to_node(memory->cpu_buffer->cpu),
					     page_flags(), memory->order - PAGE_SHIFT);

	return page ? page_address(page) : NULL;
}

/**
 * tring_memory_set_up - what writers leave as it is in a packet's header
 * @memory: that the sub-buffer is in
 * @subbuf: nobody else is in it
 *
 * It is the same in all packets of a ring, but that lengths are added.
 *
 * Context: task, with tring_cpu_buffer::mutex held if the ring has the memory.
 */
void tring_memory_set_up(const struct tring_memory *memory, struct tring_subbuf *subbuf)
{
	struct tring_packet_header *header = subbuf->data;

	header->magic = TRING_PACKET_MAGIC;
	memcpy(header->uuid, memory->cpu_buffer->buffer->uuid, TRING_UUID_SIZE);
	header->cpu_id = memory->cpu_buffer->cpu;
	/* One that comes meanwhile comes again, by tring_memory_set_length(). */
	data_race(memcpy(header->lengths, memory->cpu_buffer->buffer->lengths,
			 sizeof(header->lengths)));
}

/**
 * tring_memory_set_length - say in all headers how long a type's fields are
 * @memory: where writers are
 * @held: by the reader, which stays as it is; or NULL
 * @type: no record in @memory has it yet
 *
 * Context: task, with both mutexes held.
 */
void tring_memory_set_length(struct tring_memory *memory, const struct tring_subbuf *held,
			     unsigned int type)
{
	u8 length = memory->cpu_buffer->buffer->lengths[type];
	struct tring_packet_header *header;
	unsigned long i;

	for (i = 0; i <= memory->nr_subbufs; i++) {
		header = memory->subbufs[i].data;
		if (&memory->subbufs[i] != held)
			WRITE_ONCE(header->lengths[type], length);
		cond_resched();
	}
}

/**
 * tring_memory_release - free the pages of a sub-buffer
 * @memory: that it is in
 * @subbuf: nobody will write or read it any more; may have been released
 *
 * Others may have references to the pages: then they go with the last one.
 *
 * Context: task.
 */
void tring_memory_release(struct tring_memory *memory, struct tring_subbuf *subbuf)
{
	free_pages((unsigned long)subbuf->data, memory->order - PAGE_SHIFT);
	subbuf->data = NULL;
}

/**
 * tring_memory_free - free all of a memory
 * @memory: no writer is in it, nor a packet of it held; may be NULL
 *
 * Context: task, may sleep.
 */
void tring_memory_free(struct tring_memory *memory)
{
	unsigned long i;

	if (!memory)
		return;
	if (memory->subbufs)
		for (i = 0; i <= memory->nr_subbufs; i++)
			tring_memory_release(memory, &memory->subbufs[i]);
	kvfree(memory->subbufs);
	kvfree(memory->slots);
	kfree(memory);
	tring_count_memory(-1);
}

/**
 * tring_memory_empty - make a memory look as if nothing had been in it
 * @memory: no writer is in it; the ring's uuid may be another than before
 *
 * Context: task.
 */
void tring_memory_empty(struct tring_memory *memory)
{
	unsigned long i;

	for (i = 0; i <= memory->nr_subbufs; i++) {
		tring_memory_set_up(memory, &memory->subbufs[i]);
		local_set(&memory->subbufs[i].start, START_NONE);
		local_set(&memory->subbufs[i].commits, memory->no_commits);
		memory->subbufs[i].events = 0;
		memory->subbufs[i].bytes = 0;
	}
	/* Each slot looks as if its packet of the lap before had been read. */
	for (i = 0; i < memory->nr_subbufs; i++) {
		memory->subbufs[i].slot = &memory->slots[i];
		atomic64_set(&memory->slots[i],
			     tring_slot_word(TRING_SLOT_FREE, i, i - memory->nr_subbufs));
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
 * @bytes: size of the ring, rounded up to TRING_SUBBUFS_MIN sub-buffers
 * @order: log2 of a sub-buffer's size
 *
 * Context: task, may sleep. A fatal signal ends it.
 * Return: the memory, empty; or ERR_PTR() of -ENOMEM or -EINTR.
 */
struct tring_memory *tring_memory_allocate(struct tring_cpu_buffer *cpu_buffer,
					   unsigned long bytes, unsigned int order)
{
	unsigned long nr = max(DIV_ROUND_UP(bytes, 1UL << order), TRING_SUBBUFS_MIN);
	gfp_t gfp = GFP_KERNEL | __GFP_ZERO | __GFP_RETRY_MAYFAIL | __GFP_NOWARN;
	int node = cpu_to_node(cpu_buffer->cpu);
	struct tring_memory *memory;
	unsigned long i;
	int err = -ENOMEM;

	memory = kzalloc_node(sizeof(*memory), GFP_KERNEL, node);
	if (!memory)
		return ERR_PTR(-ENOMEM);
	tring_count_memory(1);
	INIT_LIST_HEAD(&memory->list);
	memory->cpu_buffer = cpu_buffer;
	memory->nr_subbufs = nr;
	memory->order = order;
	memory->subbuf_size = 1UL << order;
	memory->lap = (u64)nr << TRING_SLOT_PACKET_SHIFT;
	memory->no_commits = (memory->subbuf_size - TRING_PACKET_HEADER_SIZE - 1) <<
			     TRING_COMMITS_SHIFT;
	memory->slots = kvmalloc_node(array_size(nr, sizeof(*memory->slots)), gfp, node);
	memory->subbufs = kvmalloc_node(array_size(nr + 1, sizeof(*memory->subbufs)),
					gfp, node);
	if (!memory->slots || !memory->subbufs)
		goto fail;

	memory->last_slot = &memory->slots[nr - 1];
	for (i = 0; i <= nr; i++) {
		if (fatal_signal_pending(current)) {
			err = -EINTR;
			goto fail;
		}
		memory->subbufs[i].index = i;
		memory->subbufs[i].memory = memory;
		memory->subbufs[i].data = allocate_pages(memory);
		if (!memory->subbufs[i].data)
			goto fail;
		cond_resched();
	}
	tring_memory_empty(memory);
	return memory;

fail:
	tring_memory_free(memory);
	return ERR_PTR(err);
}

/**
 * tring_memory_renew - fresh pages for a sub-buffer
 * @memory: that it is in
 * @subbuf: held by the reader, who gives it back next, which sets its header up;
 *	whoever uses its old pages has references
 *
 * Context: task, may sleep.
 * Return: 0, or -ENOMEM: it has its old pages.
 */
int tring_memory_renew(struct tring_memory *memory, struct tring_subbuf *subbuf)
{
	void *data = allocate_pages(memory);

	if (!data)
		return -ENOMEM;
	free_pages((unsigned long)subbuf->data, memory->order - PAGE_SHIFT);
	subbuf->data = data;
	return 0;
}

/**
 * tring_memory_trim - free the pages that nobody will need any more
 * @memory: sealed
 *
 * Context: task, with tring_cpu_buffer::mutex held.
 */
void tring_memory_trim(struct tring_memory *memory)
{
	unsigned long i;
	u64 word;

	for (i = 0; i < memory->nr_subbufs; i++) {
		word = atomic64_read(&memory->slots[i]);
		if (tring_slot_state(word) == TRING_SLOT_FREE)
			tring_memory_release(memory, &memory->subbufs[tring_slot_index(word)]);
	}
	if (memory->spare)
		tring_memory_release(memory, memory->spare);
}
