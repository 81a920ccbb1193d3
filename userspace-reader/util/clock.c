// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Timestamps as wall clock time, and timestamps that belong to a time. A time is found by
 * bisection with the function that prints it, so that no rounding can differ.
 */
#include <inttypes.h>

#include "clock.h"
#include "util.h"

/**
 * tring_clock_wall - convert a timestamp to wall clock time
 * @stamp: ticks
 * @frequency: ticks per second, 1 to INT64_MAX
 * @offset: ticks from the Unix epoch to the clock's zero
 *
 * Return: the time, which does not decrease with @stamp.
 */
struct tring_wall tring_clock_wall(uint64_t stamp, uint64_t frequency, int64_t offset)
{
	int64_t seconds = offset / (int64_t)frequency, rest = offset % (int64_t)frequency;
	struct tring_wall wall;
	uint64_t ticks;

	if (rest < 0) {
		rest += frequency;
		seconds--;
	}
	ticks = stamp % frequency + rest;
	/* the sum of both may exceed 2^63 if the frequency is a few ticks a second */
	if (__builtin_add_overflow(seconds, stamp / frequency + ticks / frequency,
				   &wall.seconds)) {
		wall.seconds = INT64_MAX;
		wall.ns = 0;
		return wall;
	}
	wall.ns = tring_clock_ns(ticks % frequency, frequency);
	return wall;
}

/**
 * tring_wall_ns - get the nanoseconds since the Unix epoch
 * @wall: a time
 *
 * Return: the nanoseconds; INT64_MIN or INT64_MAX if they need more bits, as before the year 1678
 * and behind 2261.
 */
int64_t tring_wall_ns(const struct tring_wall *wall)
{
	int64_t ns;

	if (__builtin_mul_overflow(wall->seconds, (int64_t)TRING_NS_A_SECOND, &ns) ||
	    __builtin_add_overflow(ns, (int64_t)wall->ns, &ns))
		return wall->seconds < 0 ? INT64_MIN : INT64_MAX;
	return ns;
}

/**
 * tring_wall_is_before - compare two wall clock times
 * @a: a time
 * @b: a time
 *
 * Return: true if @a is before @b.
 */
bool tring_wall_is_before(const struct tring_wall *a, const struct tring_wall *b)
{
	return a->seconds < b->seconds || (a->seconds == b->seconds && a->ns < b->ns);
}

/**
 * tring_clock_first_wall - find the first timestamp of a wall clock time
 * @wall: the time
 * @frequency: ticks per second, 1 to INT64_MAX
 * @offset: ticks from the Unix epoch to the clock's zero
 *
 * Return: the smallest timestamp that is not earlier; UINT64_MAX if there is none.
 */
uint64_t tring_clock_first_wall(const struct tring_wall *wall, uint64_t frequency,
				int64_t offset)
{
	uint64_t least = 0, most = UINT64_MAX;

	while (least < most) {
		uint64_t middle = least + (most - least) / 2;
		struct tring_wall found = tring_clock_wall(middle, frequency, offset);

		if (tring_wall_is_before(&found, wall))
			least = middle + 1;
		else
			most = middle;
	}
	return least;
}

/**
 * tring_clock_text - make the text of a time
 * @ns: nanoseconds
 *
 * Return: seconds with nine digits behind the point, allocated.
 */
char *tring_clock_text(uint64_t ns)
{
	const uint64_t second = TRING_NS_A_SECOND;

	return tring_format("%" PRIu64 ".%09" PRIu64, ns / second, ns % second);
}

/**
 * tring_clock_first - find the first timestamp of a time
 * @ns: the time in nanoseconds
 * @frequency: ticks per second, 1 to INT64_MAX
 *
 * Return: the smallest timestamp that is not earlier; UINT64_MAX if there is none.
 */
uint64_t tring_clock_first(uint64_t ns, uint64_t frequency)
{
	const struct tring_wall wall = { ns / TRING_NS_A_SECOND, ns % TRING_NS_A_SECOND };

	return tring_clock_first_wall(&wall, frequency, 0);
}
