/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ftrace's own events, which have no tracepoint. See own_events.c.
 */
#ifndef _TRING_OWN_EVENTS_H
#define _TRING_OWN_EVENTS_H

#include <linux/types.h>

/**
 * enum tring_own_event - events of ftrace's that tring records, but for print
 * @TRING_OWN_FUNCTION: a call of a function
 * @TRING_OWN_GRAPH_ENTRY: a function begins
 * @TRING_OWN_GRAPH_EXIT: a function ends
 * @TRING_OWN_KERNEL_STACK: a stack of the kernel's
 * @TRING_OWN_USER_STACK: a stack of a program's
 * @TRING_OWN_EVENTS: number of these events
 */
enum tring_own_event {
	TRING_OWN_FUNCTION,
	TRING_OWN_GRAPH_ENTRY,
	TRING_OWN_GRAPH_EXIT,
	TRING_OWN_KERNEL_STACK,
	TRING_OWN_USER_STACK,
	TRING_OWN_EVENTS
};

/* own_events.c APIs: */
int tring_own_events_read(void);
u16 tring_own_event_id(enum tring_own_event event);
const char *tring_own_event_name(u16 id);

#endif /* _TRING_OWN_EVENTS_H */
