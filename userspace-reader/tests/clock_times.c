// SPDX-License-Identifier: GPL-2.0
/* Description: a time is found again as the first timestamp that prints it, at any frequency. */

#include "helpers.h"
#include "read/when.h"
#include "util/clock.h"

static const uint64_t frequencies[] = {
	1, 3, 1000, 24000000, 999999999, 1000000000, 1000000001, 2893201000, 20000000000, INT64_MAX,
};

static const int64_t offsets[] = {
	0, 1, -1, 1700000000000000000, -1700000000000000000, INT64_MAX, INT64_MIN,
};

static const uint64_t stamps[] = { 0, 1, 999, 123456789012345, 1ull << 62, UINT64_MAX };

static bool is_before(struct tring_wall a, struct tring_wall b)
{
	return a.seconds < b.seconds || (a.seconds == b.seconds && a.ns < b.ns);
}

static void check_wall(uint64_t stamp, uint64_t frequency, int64_t offset)
{
	struct tring_wall wall = tring_clock_wall(stamp, frequency, offset);
	uint64_t first = tring_clock_first_wall(&wall, frequency, offset);
	struct tring_wall found = tring_clock_wall(first, frequency, offset);

	CHECK(wall.ns < TRING_NS_A_SECOND);
	CHECK(first <= stamp);
	CHECK(!is_before(found, wall));
	if (first)
		CHECK(is_before(tring_clock_wall(first - 1, frequency, offset), wall));
}

static void check_clock(uint64_t stamp, uint64_t frequency)
{
	uint64_t ns = tring_clock_ns(stamp, frequency), first;

	/* more nanoseconds than 64 bits */
	if (stamp / frequency >= UINT64_MAX / TRING_NS_A_SECOND)
		return;
	first = tring_clock_first(ns, frequency);
	CHECK(first <= stamp);
	CHECK_EQ(tring_clock_ns(first, frequency), ns);
	if (first)
		CHECK(tring_clock_ns(first - 1, frequency) < ns);
}

/* A time that is printed of a trace's own clock, whatever its wall clock is rounded to. */
static void check_own(uint64_t stamp, uint64_t frequency)
{
	uint64_t ns = tring_clock_ns(stamp, frequency);
	char *text = tring_clock_text(ns);
	struct tring_trace_info info = { .clock_frequency = frequency, .clock_offset = 12345 };
	struct tring_wall begin = { 0, 0 };
	struct tring_when when;

	CHECK(tring_when_parse(&when, text));
	CHECK_EQ(tring_when_find(&when, &info, &info, &begin, 0), tring_clock_first(ns, frequency));
	free(text);
}

int main(void)
{
	struct tring_wall wall = tring_clock_wall(1500000000, 1000000000, 1700000000000000000);
	size_t i, j, k;

	CHECK_EQ(wall.seconds, 1700000001);
	CHECK_EQ(wall.ns, 500000000);
	/* half a second before the epoch */
	wall = tring_clock_wall(1, 2, -2);
	CHECK_EQ(wall.seconds, -1);
	CHECK_EQ(wall.ns, 500000000);
	CHECK_EQ(tring_clock_first(1, 1000000000), 1);
	CHECK_EQ(tring_clock_first(UINT64_MAX, 1000000000000), UINT64_MAX);
	check_own(123456789012345, 2893201000);
	for (i = 0; i < COUNT(frequencies); i++) {
		for (j = 0; j < COUNT(stamps); j++) {
			check_clock(stamps[j], frequencies[i]);
			for (k = 0; k < COUNT(offsets); k++)
				check_wall(stamps[j], frequencies[i], offsets[k]);
		}
	}
	return 0;
}
