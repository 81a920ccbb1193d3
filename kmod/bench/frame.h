/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Two ways to reserve, in the same frame. The writers of ring_cmpxchg.c and ring_xadd.c
 * differ only in how they get their place and their timestamp. So the difference of
 * their figures is the difference between these ways. What ftrace's or tring's
 * ring costs beyond the writer of the same way is the rest of that ring.
 *
 * The frame: a ring of pages for each CPU, as in ftrace. A page begins with a full
 * timestamp. A record has a header of 4 bytes with a timestamp of 27 bits, and is
 * committed by adding its size to the count of the page, which nested writers may do
 * in any order. Like the floor, the frame counts nothing, tests no switch and wakes no
 * reader. Unlike the floor, reservations are correct if a nested writer interrupts them.
 * Going on to the next page, the same code for both, is not: no writer nests in the
 * benchmark.
 *
 * A file that includes this defines struct stamps before, and the functions declared
 * below.
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

/* A page begins with its timestamp. */
#define FRAME_CAPACITY		(PAGE_SIZE - sizeof(u64))

/* Number of times that a reservation is tried again. */
#define FRAME_RETRIES_MAX	100

/**
 * struct frame_header - header of a record
 * @kind: enum frame_kind
 * @stamp: 27 bits of timestamp; their meaning depends on the writer
 */
struct frame_header {
	u32	kind : 32 - FRAME_STAMP_BITS, stamp : FRAME_STAMP_BITS;
};

/**
 * enum frame_kind - kind of a header
 * @FRAME_EVENT: a payload follows, whose first word is its length
 * @FRAME_STAMP: longer timestamp: the other 32 bits follow, then the header of the
 *	event
 */
enum frame_kind {
	FRAME_EVENT,
	FRAME_STAMP,
};

/* Header and upper bits of a longer timestamp, as large as ftrace's time extend. */
#define FRAME_EXTENSION		(2 * sizeof(u32))

/**
 * struct frame_page - a page of the ring
 * @write: bytes reserved; a page with more than its size is full
 * @committed: bytes committed
 * @used: bytes that have records; valid when writers have left the page
 * @data: the content for a reader
 */
struct frame_page {
	local_t		write;
	local_t		committed;
	unsigned long	used;
	void		*data;
};

/**
 * struct frame_ring - ring of one CPU
 * @page: current page
 * @stamps: private to the writer
 * @clock: clock of timestamps
 * @pages: array of all pages
 * @count: number of pages, a power of two
 * @current_page: number of @page; not reset when the ring wraps
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
 * struct frame_place - result of slow paths, in two registers
 * @page: page of the record
 * @payload: payload of the record; NULL if the writer gave up
 */
struct frame_place {
	struct frame_page	*page;
	void			*payload;
};

static DEFINE_PER_CPU(struct frame_ring, frame_ring);

/* Sets the stamp that precedes the next record. */
static void start_stamps(struct frame_ring *ring, u64 stamp);
/* Returns the stamp of the latest record. */
static u64 latest_stamp(struct frame_ring *ring);
/* Reserves a record. */
static struct frame_place reserve(struct frame_ring *ring, unsigned int length);
/* Returns the full stamp of a header that follows the stamp @last. */
static u64 stamp_of(struct frame_header header, u64 last);
/* Returns the full stamp of a FRAME_STAMP and the word behind it. */
static u64 long_stamp_of(struct frame_header header, u32 high, u64 last);

/* Returns the header at @offset of the records of a page. */
static __always_inline struct frame_header *frame_header_at(struct frame_page *page,
							    unsigned long offset)
{
	return page->data + sizeof(u64) + offset;
}

/* One store of a word; compilers do not always merge bit fields. */
static __always_inline void *frame_put(struct frame_header *header, enum frame_kind kind,
				       u64 stamp)
{
	*(u32 *)header = (u32)stamp << (32 - FRAME_STAMP_BITS) | kind;
	return header + 1;
}

static void frame_open_page(struct frame_ring *ring, struct frame_page *page)
{
	u64 stamp = tring_clock_read(ring->clock, NULL);

	local_set(&page->write, 0);
	local_set(&page->committed, 0);
	page->used = 0;
	*(u64 *)page->data = stamp;
	start_stamps(ring, stamp);
	WRITE_ONCE(ring->page, page);
}

/* Goes on to the next page; this one has records in @used bytes. */
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

/* Does a page have what was committed, with stamps in order? Sets @latest to the last. */
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

/* There are no counters to compare, but each page in the ring must be valid. */
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
		/* Nothing was overwritten, so all events must be there. */
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
