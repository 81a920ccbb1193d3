/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The clocks' names: in trace_clock, in trace_info, and in the benchmark's output.
 */
#ifndef _TRING_CLOCK_NAMES_H
#define _TRING_CLOCK_NAMES_H

#include <linux/string.h>

#include "clock.h"

/**
 * tring_name_of_clock - name of a clock
 * @clock: the clock, below TRING_CLOCKS
 */
static inline const char *tring_name_of_clock(enum tring_clock clock)
{
	static const char *const names[TRING_CLOCKS] = {
		[TRING_CLOCK_MONO]	= "mono",
		[TRING_CLOCK_TSC]	= "tsc",
		[TRING_CLOCK_BOOT]	= "boot",
		[TRING_CLOCK_TAI]	= "tai",
	};

	return names[clock];
}

/**
 * tring_clock_of_name - clock that has a name
 * @name: the name
 *
 * Return: the clock, or TRING_CLOCKS if none has that name.
 */
static inline enum tring_clock tring_clock_of_name(const char *name)
{
	enum tring_clock clock;

	for (clock = 0; clock < TRING_CLOCKS; clock++) {
		if (!strcmp(tring_name_of_clock(clock), name))
			break;
	}
	return clock;
}

#endif /* _TRING_CLOCK_NAMES_H */
