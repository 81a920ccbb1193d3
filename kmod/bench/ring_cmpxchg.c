// SPDX-License-Identifier: GPL-2.0
/*
 * Reservation by cmpxchg, in the frame of frame.h: read the position, the stamp of the
 * latest record and the clock; move the position by a cmpxchg, which fails if a nested
 * writer has moved it; then save the stamp. A record has the low bits of its own
 * timestamp, which do not depend on its neighbours. LTTng reserves in this way, so
 * did a proposal for ftrace in 2024, and so does tring, which does more to keep
 * stamps in order whatever the clock does.
 */
#include <linux/types.h>

struct stamps {
	unsigned long	last_ts;
};

#include "frame.h"

static void start_stamps(struct frame_ring *ring, u64 stamp)
{
	WRITE_ONCE(ring->stamps.last_ts, stamp);
}

static u64 latest_stamp(struct frame_ring *ring)
{
	return ring->stamps.last_ts;
}

/* Slow path: the next page, a longer timestamp, another try. */
static noinline struct frame_place reserve_slow(struct frame_ring *ring, unsigned int length)
{
	unsigned long write, last, end;
	struct frame_header *header;
	struct frame_page *page;
	int retry;
	u64 stamp;

	for (retry = 0; retry < FRAME_RETRIES_MAX; retry++) {
		bool is_long;

		page = READ_ONCE(ring->page);
		write = local_read(&page->write);
		last = READ_ONCE(ring->stamps.last_ts);
		barrier();
		stamp = tring_clock_read(ring->clock, NULL);
		is_long = stamp - last > FRAME_STAMP_MASK;
		end = write + sizeof(*header) + length + (is_long ? FRAME_EXTENSION : 0);
		if (end > FRAME_CAPACITY) {
			if (tring_local_try_cmpxchg(&page->write, write, PAGE_SIZE))
				frame_next_page(ring, write);
			continue;
		}
		if (!tring_local_try_cmpxchg(&page->write, write, end))
			continue;
		WRITE_ONCE(ring->stamps.last_ts, stamp);
		header = frame_header_at(page, write);
		if (is_long) {
			*(u32 *)frame_put(header, FRAME_STAMP, stamp) =
				stamp >> FRAME_STAMP_BITS;
			local_add(FRAME_EXTENSION, &page->committed);
			header = (void *)header + FRAME_EXTENSION;
		}
		return (struct frame_place){ page, frame_put(header, FRAME_EVENT, stamp) };
	}
	return (struct frame_place){ };
}

static __always_inline struct frame_place reserve(struct frame_ring *ring, unsigned int length)
{
	struct frame_page *page = READ_ONCE(ring->page);
	unsigned long write = local_read(&page->write);
	unsigned long last = READ_ONCE(ring->stamps.last_ts);
	unsigned long end = write + sizeof(struct frame_header) + length;
	u64 stamp;

	barrier();
	stamp = tring_clock_read(ring->clock, NULL);
	if (unlikely(end > FRAME_CAPACITY))
		return reserve_slow(ring, length);
	/* The stamp of a nested writer is later, so this one is not compact. */
	if (unlikely(stamp - last > FRAME_STAMP_MASK))
		return reserve_slow(ring, length);
	if (unlikely(!tring_local_try_cmpxchg(&page->write, write, end)))
		return reserve_slow(ring, length);
	/* A nested writer here has left a later stamp; storing the older one is safe. */
	WRITE_ONCE(ring->stamps.last_ts, stamp);
	return (struct frame_place){
		page, frame_put(frame_header_at(page, write), FRAME_EVENT, stamp)
	};
}

/* The low bits are in the record; the bits above have grown by one at most. */
static u64 stamp_of(struct frame_header header, u64 last)
{
	return last + ((header.stamp - last) & FRAME_STAMP_MASK);
}

static u64 long_stamp_of(struct frame_header header, u32 high, u64 last)
{
	return (u64)high << FRAME_STAMP_BITS | header.stamp;
}

struct bench_ring bench_cmpxchg = {
	.name		= "cmpxchg",
	.prepare	= frame_prepare,
	.finish		= frame_finish,
	.ops		= ops,
};
