// SPDX-License-Identifier: GPL-2.0
/*
 * Reservation by addition, in the frame of frame.h: move the position by an add, which
 * cannot fail, and find out before and after whether a nested writer came in between.
 * A record has the time since the record before it, so a writer must know that record's
 * stamp. This is ftrace's way since 2020, described in kernel/trace/ring_buffer.c of
 * 6.12 at __rb_reserve_next(), from where the letters are.
 * Documentation/trace/ring-buffer-design.rst describes the pages, not the stamps.
 *
 * before_stamp is stored before the position moves, write_stamp after it. A writer that
 * finds them different has interrupted another writer between the two. It cannot know
 * the other stamp and writes a full one. If the position has moved since the writer read
 * it (A), the writer has computed its difference from the wrong record.
 */
#include <linux/types.h>

#include <asm/local.h>

struct stamps {
	local_t	before_stamp;
	local_t	write_stamp;
};

#include "frame.h"

static void start_stamps(struct frame_ring *ring, u64 stamp)
{
	local_set(&ring->stamps.before_stamp, stamp);
	local_set(&ring->stamps.write_stamp, stamp);
}

static u64 latest_stamp(struct frame_ring *ring)
{
	return local_read(&ring->stamps.write_stamp);
}

/*
 * A nested writer came between A and C. Returns the difference to the record before, or
 * 0 if yet another writer came since: the record then has the time of the one before.
 */
static noinline u64 fix_up(struct frame_ring *ring, struct frame_page *page, unsigned long end)
{
	u64 before = local_read(&ring->stamps.before_stamp);
	u64 stamp, after;

	barrier();
	stamp = tring_clock_read(ring->clock, NULL);
	/* From now on writers find the two different. */
	local_set(&ring->stamps.before_stamp, stamp);
	barrier();
	after = local_read(&ring->stamps.write_stamp);			/* E */
	barrier();
	if (local_read(&page->write) == end && after == before && after < stamp)	/* F */
		return stamp - after;
	return 0;
}

static struct frame_place reserve_long(struct frame_ring *ring, unsigned int length);
static struct frame_place reserve_on_next(struct frame_ring *ring, unsigned int length,
					  unsigned long place);

/* @is_long, a constant: the record has a longer timestamp. */
static __always_inline struct frame_place
reserve_once(struct frame_ring *ring, unsigned int length, bool is_long)
{
	unsigned int size = sizeof(struct frame_header) + length +
			    (is_long ? FRAME_EXTENSION : 0);
	struct frame_page *page = READ_ONCE(ring->page);
	unsigned long write = local_read(&page->write);			/* A */
	struct frame_header *header;
	unsigned long end, place;
	u64 stamp, before, after, delta;

	barrier();
	before = local_read(&ring->stamps.before_stamp);
	after = local_read(&ring->stamps.write_stamp);
	barrier();
	stamp = tring_clock_read(ring->clock, NULL);
	delta = stamp - after;
	if (!is_long && unlikely(before != after || delta > FRAME_STAMP_MASK))
		return reserve_long(ring, length);

	local_set(&ring->stamps.before_stamp, stamp);			/* B */
	end = local_add_return(size, &page->write);			/* C */
	place = end - size;
	if (unlikely(end > FRAME_CAPACITY))
		return reserve_on_next(ring, length, place);
	header = frame_header_at(page, place);
	if (likely(place == write)) {
		local_set(&ring->stamps.write_stamp, stamp);		/* D */
	} else {
		delta = fix_up(ring, page, end);
		stamp = 0;
	}
	if (is_long) {
		/* The room is reserved, although the interrupted writer does not need it. */
		*(u32 *)frame_put(header, FRAME_STAMP, stamp) = stamp >> FRAME_STAMP_BITS;
		local_add(FRAME_EXTENSION, &page->committed);
		header = (void *)header + FRAME_EXTENSION;
		if (stamp)
			delta = 0;
	}
	return (struct frame_place){ page, frame_put(header, FRAME_EVENT, delta) };
}

static __always_inline struct frame_place reserve(struct frame_ring *ring, unsigned int length)
{
	return reserve_once(ring, length, false);
}

/* The stamp before is not known, or too old. */
static noinline struct frame_place reserve_long(struct frame_ring *ring, unsigned int length)
{
	return reserve_once(ring, length, true);
}

/*
 * The position is behind the end of the page and cannot move back. The writer whose
 * record would have crossed the end goes on to the next page.
 */
static noinline struct frame_place reserve_on_next(struct frame_ring *ring, unsigned int length,
						   unsigned long place)
{
	if (place > FRAME_CAPACITY)
		return (struct frame_place){ };
	frame_next_page(ring, place);
	return reserve_once(ring, length, false);
}

static u64 stamp_of(struct frame_header header, u64 last)
{
	return last + header.stamp;
}

static u64 long_stamp_of(struct frame_header header, u32 high, u64 last)
{
	u64 stamp = (u64)high << FRAME_STAMP_BITS | header.stamp;

	return stamp ?: last;
}

struct bench_ring bench_xadd = {
	.name		= "xadd",
	.prepare	= frame_prepare,
	.finish		= frame_finish,
	.ops		= ops,
};
