/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The other half of each file in this folder, which has defined
 * TRING_EVENT_HEADER: reads that header so that it makes probes, or, where
 * scripts/build/probe-events.sh found that it does not compile, lists no event.
 */
#include <linux/init.h>
#include <linux/list.h>

#include "compat.h"

/* The function by which events.c gets a subsystem's events. */
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
