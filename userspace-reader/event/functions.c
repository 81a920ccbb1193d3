// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Functions of the kernel that print formats call, for libtraceevent.
 *
 * libtraceevent's plugins have some of them, but jiffies_to_msecs() there knows nothing
 * of the traced kernel's tick. A format that was parsed keeps a pointer to its
 * function, which a later one of the same name frees. So the plugins are loaded first,
 * then come these functions, and then the formats.
 */
#include "functions.h"

#define MSECS_A_SECOND	1000

/* libtraceevent passes no data to a function. */
static uint64_t ticks_a_second;

/* As the kernel: rounded up, in 32 bits. */
static unsigned long long jiffies_to_msecs(struct trace_seq *text, unsigned long long *args)
{
	uint64_t seconds = args[0] / ticks_a_second, rest = args[0] % ticks_a_second;

	(void)text;
	return (uint32_t)(seconds * MSECS_A_SECOND +
			  (rest * MSECS_A_SECOND + ticks_a_second - 1) / ticks_a_second);
}

/**
 * tring_functions_add - load libtraceevent's plugins, and add the kernel's functions
 * @events: events without a format yet
 * @tick_frequency: timer ticks per second of the traced kernel, HZ; 0 if unknown. Ticks
 *	are printed as they are then, as by the plugin
 */
void tring_functions_add(struct tring_events *events, uint64_t tick_frequency)
{
	events->plugins = tep_load_plugins(events->tep);
	ticks_a_second = tick_frequency ? tick_frequency : MSECS_A_SECOND;
	tep_register_print_function(events->tep, jiffies_to_msecs, TEP_FUNC_ARG_LONG,
				    "jiffies_to_msecs", TEP_FUNC_ARG_LONG, TEP_FUNC_ARG_VOID);
}
