// SPDX-License-Identifier: GPL-2.0
/* Durations of one kind, and their histogram in the terminal. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/clock.h"
#include "timing.h"
#include "util/util.h"

#define BAR_WIDTH	40

/**
 * tring_timing_add - add a duration
 * @timing: the durations, zeroed before the first one
 * @from: timestamp of its begin
 * @to: timestamp of its end
 * @frequency: ticks per second
 */
void tring_timing_add(struct tring_timing *timing, uint64_t from, uint64_t to,
		      uint64_t frequency)
{
	/* a damaged stream may have times that go back */
	uint64_t ticks = to > from ? to - from : 0;
	uint64_t ns = tring_clock_ns(ticks, frequency);

	if (!timing->count++ || ticks > timing->most) {
		timing->most = ticks;
		timing->most_at = to;
	}
	timing->total += ticks;
	if (!timing->buckets)
		timing->buckets = tring_allocate(TRING_BUCKETS * sizeof(*timing->buckets));
	timing->buckets[ns ? 64 - __builtin_clzll(ns) : 0]++;
}

/**
 * tring_timing_merge - add all durations of another kind
 * @timing: the sum
 * @other: durations to add
 */
void tring_timing_merge(struct tring_timing *timing, const struct tring_timing *other)
{
	size_t i;

	timing->unknown += other->unknown;
	if (!other->count)
		return;
	if (!timing->count || other->most > timing->most) {
		timing->most = other->most;
		timing->most_at = other->most_at;
	}
	timing->count += other->count;
	timing->total += other->total;
	if (!timing->buckets)
		timing->buckets = tring_allocate(TRING_BUCKETS * sizeof(*timing->buckets));
	for (i = 0; i < TRING_BUCKETS; i++)
		timing->buckets[i] += other->buckets[i];
}

/* @bucket: the border is 2^@bucket ns */
static void show_border(unsigned int bucket, FILE *out)
{
	static const char * const units[] = { "ns", "us", "ms", "s " };
	double value = (double)(UINT64_C(1) << bucket);
	unsigned int unit = 0;

	while (value >= 1000 && unit < 3) {
		value /= 1000;
		unit++;
	}
	fprintf(out, "%8.*f %s", unit ? 3 : 0, value, units[unit]);
}

static void show_bucket(unsigned int bucket, uint64_t count, uint64_t most, FILE *out)
{
	int width = (double)count / most * BAR_WIDTH + 0.5;

	if (bucket)
		show_border(bucket - 1, out);
	else
		fprintf(out, "%8d ns", 0);
	fprintf(out, " - ");
	if (bucket < TRING_BUCKETS - 1)
		show_border(bucket, out);
	else
		fprintf(out, "%11s", "");
	fprintf(out, " %12" PRIu64 " |%.*s\n", count, width,
		"########################################");
}

/**
 * tring_timing_show - print how many durations there are of each length
 * @timing: the durations
 * @out: where they go
 *
 * Each line has twice the length of the line before.
 */
void tring_timing_show(const struct tring_timing *timing, FILE *out)
{
	unsigned int first = 0, last = TRING_BUCKETS - 1, i;
	uint64_t most = 0;

	if (!timing->count)
		return;
	while (!timing->buckets[first])
		first++;
	while (!timing->buckets[last])
		last--;
	for (i = first; i <= last; i++)
		if (timing->buckets[i] > most)
			most = timing->buckets[i];
	for (i = first; i <= last; i++)
		show_bucket(i, timing->buckets[i], most, out);
}

/**
 * tring_timing_free - free what tring_timing_add() has allocated
 * @timing: the durations
 */
void tring_timing_free(struct tring_timing *timing)
{
	free(timing->buckets);
}

/**
 * tring_timing_reset - forget all durations
 * @timing: the durations
 */
void tring_timing_reset(struct tring_timing *timing)
{
	tring_timing_free(timing);
	*timing = (struct tring_timing) { 0 };
}
