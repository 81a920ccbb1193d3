/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Included by each file in this folder, which defines TRING_EVENT_HEADER. Makes the probes
 * of that header. If scripts/build/probe-events.sh found that the header does not
 * compile, the subsystem has no events.
 */
#include <linux/init.h>
#include <linux/list.h>

#include "compat.h"

/* Name of the function that adds a subsystem's events to a list. */
#define TRING_LIST_EVENTS(subsystem) CONCATENATE(tring_list_events_, subsystem)

void TRING_LIST_EVENTS(TRING_SUBSYSTEM)(struct list_head *events);

#ifdef TRING_HEADER_LEFT_OUT
void __init TRING_LIST_EVENTS(TRING_SUBSYSTEM)(struct list_head *events)
{
}
#else
#define CREATE_TRACE_POINTS
#include TRING_EVENT_HEADER
#endif
