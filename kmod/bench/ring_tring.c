// SPDX-License-Identifier: GPL-2.0
/*
 * tring's ring in the benchmark, through its public interface.
 */
#include <linux/errno.h>
#include <linux/log2.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "bench.h"
#include "compat.h"
#include "ring/fast.h"
#include "session/session.h"

/* An event for each length, as for probes. */
#define EVENT_ID(length)	(0x100 + (length))
#define LENGTH_MAX		256

static struct tring_buffer *buffer;
static struct tring_key keys[ilog2(LENGTH_MAX) + 1];
static u64 heads[ARRAY_SIZE(keys)];
static u64 source[LENGTH_MAX / sizeof(u64)];
static u32 pid;

static __always_inline unsigned long place_of(const void *payload)
{
	return (unsigned long)payload / TRING_SUBBUF_SIZE_DEFAULT;
}

static __always_inline int reserve(unsigned int length, struct tring_record *record)
{
	int err;

	preempt_disable_notrace();
	err = __tring_reserve(buffer, heads[ilog2(length)], false, pid, length, record);
	if (unlikely(err))
		preempt_enable_notrace();
	return err;
}

static __always_inline unsigned long write_event(unsigned int length)
{
	struct tring_record TRING_UNINITIALIZED record;
	u64 *payload;

	if (reserve(length, &record))
		return 0;
	payload = record.payload;
	bench_fill(payload, length);
	tring_commit(&record);
	return place_of(payload);
}

/* As ring_buffer_write(): a function for any event and length. */
static noinline __noclone int copy(u64 head, const void *payload, u32 length)
{
	struct tring_record TRING_UNINITIALIZED record;
	int err = tring_reserve(buffer, head, pid, length, &record);

	if (err)
		return err;
	memcpy(record.payload + TRING_PAYLOAD_HEAD, payload + TRING_PAYLOAD_HEAD,
	       length - TRING_PAYLOAD_HEAD);
	tring_commit(&record);
	return 0;
}

/* Without the place, as ring_buffer_write() does not return it either. */
static __always_inline unsigned long copy_event(unsigned int length)
{
	return !copy(heads[ilog2(length)], source, length);
}

static __always_inline unsigned long discard_event(unsigned int length)
{
	struct tring_record TRING_UNINITIALIZED record;

	if (reserve(length, &record))
		return 0;
	tring_discard(&record);
	return place_of(record.payload);
}

#include "ops.h"

static int prepare(enum tring_clock clock, bool overwrite, unsigned long bytes)
{
	unsigned int length, i;
	int err;

	buffer = tring_buffer_create();
	if (!buffer)
		return -ENOMEM;
	tring_buffer_set_overwrite(buffer, overwrite);
	err = tring_buffer_set_subbuf_size(buffer, TRING_SUBBUF_SIZE_DEFAULT) ?:
	      tring_buffer_resize(buffer, -1, bytes) ?:
	      tring_buffer_new_trace(buffer, clock) ?:
	      tring_buffer_allocate(buffer);
	if (err) {
		tring_buffer_destroy(buffer);
		return err;
	}
	for (length = TRING_PAYLOAD_HEAD; length <= LENGTH_MAX; length *= 2) {
		i = ilog2(length);
		tring_buffer_add_event(buffer, &keys[i], EVENT_ID(length),
				       max_t(unsigned int, length, TRING_PAYLOAD_MIN) -
				       TRING_PAYLOAD_HEAD, true);
		heads[i] = keys[i].head | tring_context(TRACE_FLAG_IRQS_OFF, 0);
	}
	pid = current->pid;
	tring_buffer_set_recording(buffer, true);
	return 0;
}

/* Destroys the buffer and returns its counters. */
static u64 sum_up(struct tring_stats *sum)
{
	struct tring_stats stats;
	u64 refused = 0;
	int cpu, reason;

	memset(sum, 0, sizeof(*sum));
	tring_buffer_set_recording(buffer, false);
	for_each_possible_cpu(cpu) {
		tring_buffer_stats(buffer, cpu, &stats);
		sum->reserved += stats.reserved;
		sum->committed += stats.committed;
		sum->discarded += stats.discarded;
		sum->overwritten += stats.overwritten;
		sum->remaining += stats.remaining;
		for (reason = 0; reason < TRING_REFUSALS; reason++)
			refused += stats.refused[reason];
	}
	tring_buffer_destroy(buffer);
	return refused;
}

static int finish(u64 reserved, u64 kept)
{
	struct tring_stats sum;
	u64 refused = sum_up(&sum);

	if (!refused && sum.reserved == reserved && sum.committed == kept &&
	    sum.discarded == reserved - kept &&
	    sum.overwritten + sum.remaining == kept)
		return 0;
	pr_err("%llu reserved, %llu kept; tring: reserved %llu committed %llu discarded %llu overwritten %llu remaining %llu refused %llu\n",
	       reserved, kept, sum.reserved, sum.committed, sum.discarded, sum.overwritten,
	       sum.remaining, refused);
	return -EUCLEAN;
}

/**
 * bench_tring_prepare - make a buffer for an event
 * @clock: name of the clock
 * @made: set to the buffer, which overwrites; bench_tring.finish() or
 *	bench_tring_finish() destroys it
 *
 * Return: 0, -EINVAL or -ENOMEM.
 */
int bench_tring_prepare(const char *clock, struct tring_buffer **made)
{
	int found = bench_find_clock(clock);
	int err = found < 0 ? found : prepare(found, true, BENCH_RING_BYTES);

	*made = buffer;
	return err;
}

/**
 * bench_tring_finish - destroy the buffer of bench_tring_prepare()
 *
 * Return: 0; -EUCLEAN if no event was recorded or the counters do not balance.
 */
int bench_tring_finish(void)
{
	struct tring_stats sum;
	u64 refused = sum_up(&sum);

	if (!refused && sum.committed && sum.reserved == sum.committed &&
	    sum.overwritten + sum.remaining == sum.committed)
		return 0;
	pr_err("tring: reserved %llu committed %llu overwritten %llu remaining %llu refused %llu\n",
	       sum.reserved, sum.committed, sum.overwritten, sum.remaining, refused);
	return -EUCLEAN;
}

struct bench_ring bench_tring = {
	.name		= "tring",
	.prepare	= prepare,
	.finish		= finish,
	.ops		= ops,
};
