// SPDX-License-Identifier: GPL-2.0
/*
 * Clocks that tring_clock_read() does not read inline. kmod/tracefs/ has their names and epochs.
 */

#include <linux/kprobes.h>

#include "clock.h"
#include "compat.h"

/**
 * tring_clock_read_other - read a clock that is not read inline
 * @clock: the clock, with TRING_CLOCK_SET_BACK or not
 * @offset: address of the address of what is added; others may change that
 *
 * CLOCK_TAI can be set, and the stamps of a trace must not follow: if it was set back,
 * they would stand still until it had caught up. So it is read as CLOCK_MONOTONIC and an
 * offset that the trace keeps. A suspend or a migration may set the TSC back; the ring finds
 * that and raises the offset.
 *
 * Context: any, NMI included.
 */
u64 notrace tring_clock_read_other(enum tring_clock clock, const u64 *const *offset)
{
#ifdef TRING_HAVE_TSC
	if (clock == (TRING_CLOCK_TSC | TRING_CLOCK_SET_BACK))
		return rdtsc() + READ_ONCE(**offset);
#endif
	return ((clock & ~TRING_CLOCK_SET_BACK) == TRING_CLOCK_BOOT ? ktime_get_boot_fast_ns() :
		ktime_get_mono_fast_ns()) + READ_ONCE(**offset);
}
TRING_EXPORT(tring_clock_read_other);
NOKPROBE_SYMBOL(tring_clock_read_other);

/**
 * tring_clock_offset - offset of a clock to the one that is read for it
 * @clock: the clock
 *
 * Context: task.
 * Return: ticks; it changes when the clock is set. 0 for a clock that users cannot set.
 */
u64 tring_clock_offset(enum tring_clock clock)
{
	return clock == TRING_CLOCK_TAI ? ktime_mono_to_any(0, TK_OFFS_TAI) : 0;
}

/**
 * tring_clock_missed - time of suspends that a clock does not count
 * @clock: the clock
 *
 * Context: task.
 * Return: nanoseconds since the machine was booted. 0 for a clock that counts them, or is set by
 * them. The TSC may go on or not: it is taken for one that does not.
 */
u64 tring_clock_missed(enum tring_clock clock)
{
	return clock == TRING_CLOCK_BOOT || clock == TRING_CLOCK_TAI ? 0 :
	       ktime_mono_to_any(0, TK_OFFS_BOOT);
}

/**
 * tring_clock_frequency - ticks of a clock in a second
 * @clock: the clock
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
 * tring_clock_available - test whether this machine has a clock that can be relied on
 * @clock: the clock
 *
 * The kernel may find the TSC unstable at any time: stopped by an idle CPU or a suspend,
 * changed by firmware, or not the same on all CPUs.
 */
bool tring_clock_available(enum tring_clock clock)
{
#ifdef TRING_HAVE_TSC
	if (clock == TRING_CLOCK_TSC)
		return tsc_khz && !check_tsc_unstable();
#endif
	return clock < TRING_CLOCKS && clock != TRING_CLOCK_TSC;
}
