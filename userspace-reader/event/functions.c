// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Functions of the kernel that print formats call, for libtraceevent.
 *
 * libtraceevent's plugins have some of them, but jiffies_to_msecs() there knows nothing
 * of the traced kernel's tick. A format that was parsed keeps a pointer to its
 * function, which a later one of the same name frees. So the plugins are loaded first,
 * then come these functions, and then the formats.
 */
#include <pthread.h>

#include "functions.h"

#define MSECS_A_SECOND	1000

/* All handles share libtraceevent's list of what its plugins can be told. */
static pthread_mutex_t plugins_lock = PTHREAD_MUTEX_INITIALIZER;

/* As the kernel: rounded up, in 32 bits. The ticks a second come first, see tring_fold_calls(). */
static unsigned long long jiffies_to_msecs(struct trace_seq *text, unsigned long long *args)
{
	uint64_t seconds = args[1] / args[0], rest = args[1] % args[0];

	(void)text;
	return (uint32_t)(seconds * MSECS_A_SECOND +
			  (rest * MSECS_A_SECOND + args[0] - 1) / args[0]);
}

/**
 * tring_functions_add - load libtraceevent's plugins, and add the kernel's functions
 * @events: events without a format yet
 * @tick_frequency: timer ticks per second of the traced kernel, HZ; 0 if unknown. Ticks
 *	are printed as they are then, as by the plugin
 */
void tring_functions_add(struct tring_events *events, uint64_t tick_frequency)
{
	events->tick_frequency = tick_frequency ? tick_frequency : MSECS_A_SECOND;
	pthread_mutex_lock(&plugins_lock);
	events->plugins = tep_load_plugins(events->tep);
	pthread_mutex_unlock(&plugins_lock);
	tep_register_print_function(events->tep, jiffies_to_msecs, TEP_FUNC_ARG_LONG,
				    "jiffies_to_msecs", TEP_FUNC_ARG_LONG, TEP_FUNC_ARG_LONG,
				    TEP_FUNC_ARG_VOID);
}

/**
 * tring_functions_remove - unload libtraceevent's plugins
 * @events: the events; the plugins may not be loaded
 */
void tring_functions_remove(struct tring_events *events)
{
	pthread_mutex_lock(&plugins_lock);
	if (events->plugins)
		tep_unload_plugins(events->plugins, events->tep);
	pthread_mutex_unlock(&plugins_lock);
}
