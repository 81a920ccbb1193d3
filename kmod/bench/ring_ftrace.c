// SPDX-License-Identifier: GPL-2.0
/*
 * ftrace's ring in the benchmark, through its exported interface and with the
 * clocks that tring is measured with.
 */
#include <linux/errno.h>
#include <linux/printk.h>
#include <linux/ring_buffer.h>

#include "bench.h"
#include "compat.h"

static struct trace_buffer *buffer;
static u64 source[256 / sizeof(u64)];

static u64 notrace read_tsc(void)
{
	return rdtsc();
}

static __always_inline unsigned long place_of(const void *payload)
{
	return (unsigned long)payload / PAGE_SIZE;
}

static __always_inline unsigned long write_event(unsigned int length)
{
	struct ring_buffer_event *event = ring_buffer_lock_reserve(buffer, length);
	u64 *payload;

	if (!event)
		return 0;
	payload = ring_buffer_event_data(event);
	bench_fill(payload, length);
	tring_ring_buffer_unlock_commit(buffer, event);
	return place_of(event);
}

/* ring_buffer_write() does not return the place. */
static __always_inline unsigned long copy_event(unsigned int length)
{
	return !ring_buffer_write(buffer, length, source);
}

static __always_inline unsigned long discard_event(unsigned int length)
{
	struct ring_buffer_event *event = ring_buffer_lock_reserve(buffer, length);

	if (!event)
		return 0;
	ring_buffer_discard_commit(buffer, event);
	return place_of(event);
}

#include "ops.h"

static int prepare(enum tring_clock clock, bool overwrite, unsigned long bytes)
{
	void (*set_clock)(struct trace_buffer *buffer, u64 (*clock)(void)) =
		(void *)bench_set_clock_address;

	buffer = ring_buffer_alloc(bytes, overwrite ? RB_FL_OVERWRITE : 0);
	if (!buffer)
		return -ENOMEM;
	set_clock(buffer, clock == TRING_CLOCK_TSC ? read_tsc : ktime_get_mono_fast_ns);
	return 0;
}

static int finish(u64 reserved, u64 kept)
{
	u64 entries = ring_buffer_entries(buffer);
	u64 overruns = ring_buffer_overruns(buffer);

	ring_buffer_free(buffer);
	if (entries + overruns == kept)
		return 0;
	pr_err("%llu reserved, %llu kept; ftrace: entries %llu overruns %llu\n",
	       reserved, kept, entries, overruns);
	return -EUCLEAN;
}

struct bench_ring bench_ftrace = {
	.name		= "ftrace",
	.prepare	= prepare,
	.finish		= finish,
	.ops		= ops,
};
