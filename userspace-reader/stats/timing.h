/* SPDX-License-Identifier: GPL-2.0 */
/* Durations of one kind: their sum, the longest one, and how many there are of each length. */
#ifndef TRING_TIMING_H
#define TRING_TIMING_H

#include <stdint.h>
#include <stdio.h>

/* Bucket 0 has durations of 0 ns, bucket N those from 2^(N-1) to 2^N - 1 ns. */
#define TRING_BUCKETS	65

/**
 * struct tring_timing - durations
 * @count: number of durations
 * @unknown: number of those that could not be measured, because a begin or an end is not
 *	in the trace, or because events were lost in between
 * @total: sum in ticks
 * @most: longest one in ticks
 * @most_at: timestamp at which the longest one ended
 * @buckets: TRING_BUCKETS numbers of durations by length; NULL without any
 */
struct tring_timing {
	uint64_t	count;
	uint64_t	unknown;
	uint64_t	total;
	uint64_t	most;
	uint64_t	most_at;
	uint64_t	*buckets;
};

void tring_timing_add(struct tring_timing *timing, uint64_t from, uint64_t to,
		      uint64_t frequency);
void tring_timing_merge(struct tring_timing *timing, const struct tring_timing *other);
void tring_timing_show(const struct tring_timing *timing, FILE *out);
void tring_timing_reset(struct tring_timing *timing);
void tring_timing_free(struct tring_timing *timing);

#endif /* TRING_TIMING_H */
