// SPDX-License-Identifier: GPL-2.0
/*
 * Names, frequency and epoch of the clocks. The hot read is in clock.h.
 */

#include <linux/errno.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "clock.h"
#include "compat.h"

#ifdef TRING_HAVE_TSC
#include <asm/tsc.h>
#endif

/* Samples of a pair of clocks; the one taken fastest is the most exact. */
#define OFFSET_SAMPLES	10

static const char *const names[TRING_CLOCKS] = {
	[TRING_CLOCK_MONO]	= "mono",
	[TRING_CLOCK_TSC]	= "tsc",
	[TRING_CLOCK_BOOT]	= "boot",
	[TRING_CLOCK_TAI]	= "tai",
};

/**
 * tring_clock_read_other - the clocks that tring_clock_read() does not inline
 * @clock: which
 *
 * Context: any, NMI included.
 */
u64 notrace tring_clock_read_other(enum tring_clock clock)
{
	switch (clock) {
	case TRING_CLOCK_BOOT:
		return ktime_get_boot_fast_ns();
	case TRING_CLOCK_TAI:
		return ktime_get_tai_fast_ns();
	default:
		return ktime_get_mono_fast_ns();
	}
}
TRING_EXPORT(tring_clock_read_other);

/**
 * tring_clock_name - as trace_clock calls it
 * @clock: below TRING_CLOCKS
 */
const char *tring_clock_name(enum tring_clock clock)
{
	return clock < TRING_CLOCKS ? names[clock] : "test";
}
TRING_EXPORT(tring_clock_name);

/**
 * tring_clock_find - clock of a name
 * @name: of it
 *
 * Return: enum tring_clock, or -EINVAL.
 */
int tring_clock_find(const char *name)
{
	int clock = match_string(names, TRING_CLOCKS, name);

	return clock >= 0 && tring_clock_available(clock) ? clock : -EINVAL;
}

/**
 * tring_clock_available - does this machine have it?
 * @clock: which
 */
bool tring_clock_available(enum tring_clock clock)
{
	if (clock == TRING_CLOCK_TSC) {
#ifdef TRING_HAVE_TSC
		return tsc_khz != 0;
#else
		return false;
#endif
	}
	return clock < TRING_CLOCKS;
}

/**
 * tring_clock_frequency - ticks a second
 * @clock: which
 */
u64 tring_clock_frequency(enum tring_clock clock)
{
#ifdef TRING_HAVE_TSC
	if (clock == TRING_CLOCK_TSC)
		return (u64)tsc_khz * 1000;
#endif
	return NSEC_PER_SEC;
}

/**
 * tring_clock_offset - what to add to a timestamp for the wall clock
 * @clock: which
 *
 * True for the moment: the wall clock may be set and slewed.
 *
 * Context: any.
 * Return: ticks of @clock from the Unix epoch to its zero.
 */
s64 tring_clock_offset(enum tring_clock clock)
{
	u64 frequency = tring_clock_frequency(clock);
	u64 before, after, real, ticks, best = U64_MAX;
	s64 offset = 0;
	int i;

	for (i = 0; i < OFFSET_SAMPLES; i++) {
		before = tring_clock_read(clock);
		real = ktime_get_real_ns();
		after = tring_clock_read(clock);
		if (after - before >= best)
			continue;
		best = after - before;
		ticks = frequency == NSEC_PER_SEC ? real :
			mul_u64_u64_div_u64(real, frequency, NSEC_PER_SEC);
		offset = ticks - (before + best / 2);
	}
	return offset;
}
