// SPDX-License-Identifier: GPL-2.0
/*
 * Clocks that tring_clock_read() does not read inline. Their names, frequencies and epochs
 * are none of the ring's business: see kmod/tracefs/.
 */

#include <linux/kprobes.h>

#include "clock.h"
#include "compat.h"

#ifdef TRING_HAVE_TSC
#include <asm/tsc.h>
#endif

/**
 * tring_clock_read_other - read a clock that is not read inline
 * @clock: the clock
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
NOKPROBE_SYMBOL(tring_clock_read_other);

/**
 * tring_clock_available - test whether this machine has a clock
 * @clock: the clock
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
