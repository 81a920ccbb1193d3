/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Included by subsystem.c, and by tests, which define TRING_SUBSYSTEM and TRING_EVENT_HEADER.
 * Makes the probes of that header. If scripts/build/probe-events.sh found that the header does
 * not compile, the subsystem has no events.
 */
#include <linux/init.h>
#include <linux/list.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <linux/stringify.h>
#include <linux/utsname.h>

#ifdef TRING_STRUCTS_ARE_PRIVATE
#include <generated/utsversion.h>
#endif

#include "compat.h"

/* Name of the function that adds a subsystem's events to a list. */
#define TRING_LIST_EVENTS(subsystem) CONCATENATE(tring_list_events_, subsystem)

void TRING_LIST_EVENTS(TRING_SUBSYSTEM)(struct list_head *events);

/*
 * Members of a structure that is the kernel's own may have moved in another build of the same
 * release, and no version of a symbol tells. Then perf records what needs them.
 */
static bool __init __maybe_unused structs_are_kernels(void)
{
#ifdef TRING_STRUCTS_ARE_PRIVATE
	if (strcmp(init_utsname()->version, UTS_VERSION)) {
		pr_notice("%s: no probes: tring was built for \"%s\"\n",
			  __stringify(TRING_SUBSYSTEM), UTS_VERSION);
		return false;
	}
#endif
	return true;
}

#ifdef TRING_HEADER_LEFT_OUT
void __init TRING_LIST_EVENTS(TRING_SUBSYSTEM)(struct list_head *events)
{
}
#else
#define CREATE_TRACE_POINTS
#include TRING_EVENT_HEADER
#endif
