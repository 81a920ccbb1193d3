/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Timestamps as nanoseconds, and back. */
#ifndef TRING_CLOCK_H
#define TRING_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "tring.h"

#define TRING_NS_A_SECOND	1000000000ull

/**
 * tring_clock_ns - convert a timestamp
 * @stamp: ticks
 * @frequency: ticks per second, not 0
 *
 * Seconds and ticks are converted separately: a 64-bit clock times 10^9 needs 94 bits.
 *
 * Return: nanoseconds, modulo 2^64.
 */
static inline uint64_t tring_clock_ns(uint64_t stamp, uint64_t frequency)
{
	uint64_t seconds, ticks;

	if (frequency == TRING_NS_A_SECOND)
		return stamp;
	seconds = stamp / frequency;
	ticks = stamp % frequency;
	/* above 18 GHz the lowest bits are less than a nanosecond; no ticks become a second */
	while (frequency > UINT64_MAX / TRING_NS_A_SECOND) {
		frequency -= frequency / 2;
		ticks /= 2;
	}
	return seconds * TRING_NS_A_SECOND + ticks * TRING_NS_A_SECOND / frequency;
}

/**
 * tring_wall_between - get the time from one to another
 * @from: the one, usually the earlier one
 * @to: the other one
 *
 * Return: nanoseconds, modulo 2^64.
 */
static inline uint64_t tring_wall_between(const struct tring_wall *from,
					  const struct tring_wall *to)
{
	return ((uint64_t)to->seconds - (uint64_t)from->seconds) * TRING_NS_A_SECOND + to->ns -
	       from->ns;
}

char *tring_clock_text(uint64_t ns);
struct tring_wall tring_clock_wall(uint64_t stamp, uint64_t frequency, int64_t offset);
int64_t tring_wall_ns(const struct tring_wall *wall);
bool tring_wall_is_before(const struct tring_wall *a, const struct tring_wall *b);
uint64_t tring_clock_first(uint64_t ns, uint64_t frequency);
uint64_t tring_clock_first_wall(const struct tring_wall *wall, uint64_t frequency,
				int64_t offset);

#endif /* TRING_CLOCK_H */
