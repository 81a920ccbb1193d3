/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Clocks that a ring can stamp with: NMI-safe ones only. Each event reads the clock, so the
 * common ones are read inline. Nothing here knows of rings.
 */
#ifndef _TRING_CLOCK_H
#define _TRING_CLOCK_H

#include <linux/timekeeping.h>
#include <linux/types.h>

#if defined(CONFIG_X86_TSC) && !defined(CONFIG_UML)
#define TRING_HAVE_TSC
#include <asm/tsc.h>
#endif

/**
 * enum tring_clock - source of timestamps
 * @TRING_CLOCK_MONO: CLOCK_MONOTONIC in ns, the default
 * @TRING_CLOCK_TSC: the x86 time stamp counter, raw
 * @TRING_CLOCK_BOOT: CLOCK_BOOTTIME in ns
 * @TRING_CLOCK_TAI: CLOCK_TAI in ns, as it was set when the trace began
 * @TRING_CLOCKS: number of clocks
 * @TRING_CLOCK_TEST: a test's clock; see tring_test_hooks
 * @TRING_CLOCK_SET_BACK: flag: the clock was set back in this trace, so it is not read inline,
 *	but with an offset
 */
enum tring_clock {
	TRING_CLOCK_MONO,
	TRING_CLOCK_TSC,
	TRING_CLOCK_BOOT,
	TRING_CLOCK_TAI,
	TRING_CLOCKS,
	TRING_CLOCK_TEST = TRING_CLOCKS,
	TRING_CLOCK_SET_BACK = 8
};

u64 tring_clock_read_other(enum tring_clock clock, const u64 *const *offset);
u64 tring_clock_offset(enum tring_clock clock);
u64 tring_clock_missed(enum tring_clock clock);
u64 tring_clock_frequency(enum tring_clock clock);
bool tring_clock_available(enum tring_clock clock);

/**
 * tring_clock_read - read a clock
 * @clock: the clock
 * @offset: address of the address of what is added. May be NULL for a clock that is read inline,
 *	for which neither is fetched
 *
 * Two reads of the TSC that no fence orders may come out swapped by a few ticks. The ring
 * clamps its stamps.
 *
 * Context: any, NMI included.
 */
static __always_inline u64 tring_clock_read(enum tring_clock clock, const u64 *const *offset)
{
#ifdef TRING_HAVE_TSC
	if (clock == TRING_CLOCK_TSC)
		return rdtsc();
#endif
	if (likely(clock == TRING_CLOCK_MONO))
		return ktime_get_mono_fast_ns();
	return tring_clock_read_other(clock, offset);
}

#endif /* _TRING_CLOCK_H */
