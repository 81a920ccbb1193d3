/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Clocks that a ring can stamp with: NMI-safe ones only. The read is inline
 * and direct, because it is in the reserve loop of each event.
 */
#ifndef _TRING_CLOCK_H
#define _TRING_CLOCK_H

#include <linux/timekeeping.h>
#include <linux/types.h>

#if defined(CONFIG_X86_TSC) && !defined(CONFIG_UML)
#define TRING_HAVE_TSC
#include <asm/msr.h>
#endif

/**
 * enum tring_clock - timestamp source
 * @TRING_CLOCK_MONO: CLOCK_MONOTONIC in ns, the default
 * @TRING_CLOCK_TSC: the x86 time stamp counter, raw
 * @TRING_CLOCK_BOOT: CLOCK_BOOTTIME in ns
 * @TRING_CLOCK_TAI: CLOCK_TAI in ns
 * @TRING_CLOCKS: how many there are
 * @TRING_CLOCK_TEST: tests set it; see tring_test_hooks
 */
enum tring_clock {
	TRING_CLOCK_MONO,
	TRING_CLOCK_TSC,
	TRING_CLOCK_BOOT,
	TRING_CLOCK_TAI,
	TRING_CLOCKS,
	TRING_CLOCK_TEST = TRING_CLOCKS
};

u64 tring_clock_read_other(enum tring_clock clock);
const char *tring_clock_name(enum tring_clock clock);
int tring_clock_find(const char *name);
bool tring_clock_available(enum tring_clock clock);
u64 tring_clock_frequency(enum tring_clock clock);
s64 tring_clock_offset(enum tring_clock clock);

/**
 * tring_clock_is_inline - is it read without a call?
 * @clock: which one
 */
static __always_inline bool tring_clock_is_inline(enum tring_clock clock)
{
#ifdef TRING_HAVE_TSC
	return clock == TRING_CLOCK_TSC;
#else
	return false;
#endif
}

/**
 * tring_clock_read - now
 * @clock: which one
 *
 * Context: any, NMI included.
 */
static __always_inline u64 tring_clock_read(enum tring_clock clock)
{
#ifdef TRING_HAVE_TSC
	/*
	 * No fence: two reads on one CPU may come out swapped by a few ticks,
	 * which the ring clamps.
	 */
	if (clock == TRING_CLOCK_TSC)
		return rdtsc();
#endif
	if (likely(clock == TRING_CLOCK_MONO))
		return ktime_get_mono_fast_ns();
	return tring_clock_read_other(clock);
}

#endif /* _TRING_CLOCK_H */
