/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Two ways to reserve, in the same frame: ring_cmpxchg.c and ring_xadd.c are
 * two writers that have everything in common but how they get their place and
 * their timestamp. So what differs between their figures is what the one way
 * costs more than the other, and what they cost less than the rings of which
 * they have that way is what those do besides.
 *
 * The frame: a ring of pages for each CPU, as ftrace's and tring's is one. A page
 * starts with a full timestamp. A record has a header of 4 bytes, 27 bits of it
 * timestamp, and is committed by adding its size to the page's count, which
 * nested writers may do in any order. Like the floor it keeps no account, looks
 * at no switch, wakes nobody. Unlike the floor its reservations are right
 * whoever comes in between; but going on to the next page, the same code in
 * both, is not: nobody nests in the benchmark.
 *
 * Whoever includes this has defined struct stamps, and defines the functions
 * that are declared below.
 */
#ifndef _TRING_BENCH_FRAME_H
#define _TRING_BENCH_FRAME_H

#include <linux/align.h>
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include <asm/local.h>

#include "bench.h"
#include "compat.h"

#define FRAME_STAMP_BITS	27
#define FRAME_STAMP_MASK	(BIT(FRAME_STAMP_BITS) - 1)

/* A page's timestamp comes first. */
#define FRAME_CAPACITY		(PAGE_SIZE - sizeof(u64))

/* How often a reservation is tried again before it is given up. */
#define FRAME_RETRIES_MAX	100

/**
 * struct frame_header - of a record
 * @kind: enum frame_kind
 * @stamp: 27 bits of timestamp, in the writer's own way
 */
struct frame_header {
	u32	kind : 32 - FRAME_STAMP_BITS, stamp : FRAME_STAMP_BITS;
};

/**
 * enum frame_kind - what a header is of
 * @FRAME_EVENT: a payload follows, of which the first word is its length
 * @FRAME_STAMP: no payload, but a longer timestamp: the other 32 bits follow,
 *	then the header of the event
 */
enum frame_kind {
	FRAME_EVENT,
	FRAME_STAMP,
};

/* Header and rest of a longer timestamp, as large as ftrace's time extend. */
#define FRAME_EXTENSION		(2 * sizeof(u32))

/**
 * struct frame_page - a page of the ring
 * @write: bytes reserved; more than there is room for: nothing more gets in
 * @committed: bytes committed
 * @used: bytes that have records, once it is left
 * @data: what a reader would get
 */
struct frame_page {
	local_t		write;
	local_t		committed;
	unsigned long	used;
	void		*data;
};

/**
 * struct frame_ring - of one CPU
 * @page: the page that is written to
 * @stamps: the writer's own
 * @clock: where timestamps come from
 * @pages: all of them
 * @count: how many, a power of two
 * @current_page: number of @page, which counts on when it wraps
 */
struct frame_ring {
	struct frame_page	*page;
	struct stamps		stamps;
	enum tring_clock	clock;
	struct frame_page	*pages;
	unsigned long		count;
	unsigned long		current_page;
};

/**
 * struct frame_place - what slow paths return, in two registers
 * @page: page of the record
 * @payload: its payload; NULL: it was given up
 */
struct frame_place {
	struct frame_page	*page;
	void			*payload;
};

static DEFINE_PER_CPU(struct frame_ring, frame_ring);

/* The next record follows something with this stamp. */
static void start_stamps(struct frame_ring *ring, u64 stamp);
/* The stamp of the latest record. */
static u64 latest_stamp(struct frame_ring *ring);
/* Place for a record. */
static struct frame_place reserve(struct frame_ring *ring, unsigned int length);
/* The stamp that a header means, behind something with the stamp @last. */
static u64 stamp_of(struct frame_header header, u64 last);
/* The same for FRAME_STAMP and what follows it. */
static u64 long_stamp_of(struct frame_header header, u32 high, u64 last);

/* The header at @offset of a page's records. */
static __always_inline struct frame_header *frame_header_at(struct frame_page *page,
							    unsigned long offset)
{
	return page->data + sizeof(u64) + offset;
}

/* Stored as one word, which a compiler does not always make of bit fields. */
static __always_inline void *frame_put(struct frame_header *header, enum frame_kind kind,
				       u64 stamp)
{
	*(u32 *)header = (u32)stamp << (32 - FRAME_STAMP_BITS) | kind;
	return header + 1;
}

static void frame_open_page(struct frame_ring *ring, struct frame_page *page)
{
	u64 stamp = tring_clock_read(ring->clock);

	local_set(&page->write, 0);
	local_set(&page->committed, 0);
	page->used = 0;
	*(u64 *)page->data = stamp;
	start_stamps(ring, stamp);
	WRITE_ONCE(ring->page, page);
}

/* On to the next page, as only @used bytes of this one can be used. */
static void frame_next_page(struct frame_ring *ring, unsigned long used)
{
	ring->page->used = used;
	frame_open_page(ring, &ring->pages[++ring->current_page & (ring->count - 1)]);
}

static __always_inline unsigned long write_event(unsigned int length)
{
	struct frame_ring *ring;
	struct frame_place place;

	preempt_disable_notrace();
	ring = this_cpu_ptr(&frame_ring);
	place = reserve(ring, length);
	if (place.payload) {
		*(u64 *)place.payload = length;
		bench_fill(place.payload, length);
		barrier();
		local_add(sizeof(struct frame_header) + length, &place.page->committed);
	}
	preempt_enable_notrace();
	return (unsigned long)place.payload / PAGE_SIZE;
}

#define BENCH_WRITES_ONLY
#include "ops.h"

static void frame_free(void)
{
	struct frame_ring *ring;
	int cpu;

	for_each_possible_cpu(cpu) {
		ring = per_cpu_ptr(&frame_ring, cpu);
		if (ring->pages)
			vfree(ring->pages[0].data);
		kvfree(ring->pages);
		ring->pages = NULL;
	}
}

static int frame_prepare(enum tring_clock clock, bool overwrite, unsigned long bytes)
{
	struct frame_ring *ring;
	unsigned long i;
	void *data;
	int cpu;

	for_each_possible_cpu(cpu) {
		ring = per_cpu_ptr(&frame_ring, cpu);
		ring->clock = clock;
		ring->count = bytes / PAGE_SIZE;
		ring->current_page = 0;
		ring->pages = kvcalloc(ring->count, sizeof(*ring->pages), GFP_KERNEL);
		data = vzalloc(bytes);
		if (!ring->pages || !data) {
			vfree(data);
			frame_free();
			return -ENOMEM;
		}
		for (i = 0; i < ring->count; i++)
			ring->pages[i].data = data + i * PAGE_SIZE;
		frame_open_page(ring, &ring->pages[0]);
	}
	return 0;
}

/* Does a page hold what was committed, with stamps in order? @latest: the last */
static bool frame_page_is_sound(struct frame_page *page, u64 *events, u64 *latest)
{
	unsigned long used = page->used ?: local_read(&page->write), at = 0;
	u64 stamp = *(u64 *)page->data, last = stamp;
	struct frame_header *header;

	while (at < used) {
		header = frame_header_at(page, at);
		if (header->kind == FRAME_STAMP) {
			stamp = long_stamp_of(*header, *(u32 *)(header + 1), last);
			at += FRAME_EXTENSION;
			header = frame_header_at(page, at);
		}
		stamp = stamp_of(*header, stamp);
		if (header->kind != FRAME_EVENT || stamp < last)
			return false;
		last = stamp;
		at += sizeof(*header) + *(u64 *)(header + 1);
		++*events;
	}
	*latest = last;
	return at == used && used == local_read(&page->committed);
}

/* It keeps no account, but each page that is left must be sound. */
static int frame_finish(u64 reserved, u64 kept)
{
	struct frame_ring *ring;
	u64 events = 0, latest;
	int cpu, err = 0;
	unsigned long i;

	for_each_possible_cpu(cpu) {
		ring = per_cpu_ptr(&frame_ring, cpu);
		for (i = 0; i < min(ring->count, ring->current_page + 1); i++)
			if (!frame_page_is_sound(&ring->pages[i], &events, &latest) ||
			    (&ring->pages[i] == ring->page && latest != latest_stamp(ring)))
				err = -EUCLEAN;
		/* Nothing was overwritten, so all of them must be there. */
		if (ring->current_page >= ring->count)
			kept = events;
	}
	if (events != kept)
		err = -EUCLEAN;
	if (err)
		pr_err("%llu reserved, %llu kept, %llu found\n", reserved, kept, events);
	frame_free();
	return err;
}

#endif /* _TRING_BENCH_FRAME_H */
