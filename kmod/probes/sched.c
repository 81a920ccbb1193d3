// SPDX-License-Identifier: GPL-2.0
/*
 * Probes for the scheduler's events, and the example for a new subsystem.
 *
 * There is nothing to write about an event: <trace/events/sched.h> of the
 * kernel that this is built for says what sched_switch records, and
 * kmod/probes/trace/define_trace.h makes a probe of that. To add a subsystem:
 *
 *  1. Copy this file to kmod/probes/NAME.c, NAME being the header's
 *     TRACE_SYSTEM, and name the header.
 *  2. Add NAME to the list in kmod/probes/Kbuild.include, with the option that
 *     the kernel needs to have such events, if there is one.
 *  3. Build. The build says which events it had to leave out, and why: the
 *     header does not compile outside the kernel, or an event calls a function
 *     that modules must not call.
 *
 * If the header relies on others that its users in the kernel include first,
 * include those above the two lines, as here for struct folio.
 */
#include <linux/mm_types.h>

#define TRING_EVENT_HEADER "trace/events/sched.h"
#include "subsystem.h"
