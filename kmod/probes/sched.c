// SPDX-License-Identifier: GPL-2.0
/*
 * Probes for the scheduler's events, and the example for a new subsystem.
 *
 * The kernel's <trace/events/sched.h> describes what sched_switch records, and
 * kmod/probes/trace/define_trace.h makes a probe from that description. To add a
 * subsystem:
 *
 *  1. Copy this file to kmod/probes/NAME.c, where NAME is the TRACE_SYSTEM of the
 *     header, and change the name of the header.
 *  2. Add NAME to the list in kmod/probes/Kbuild.include, with the kernel option that
 *     such events depend on, if any.
 *  3. Build. The build prints which events it leaves out, and the reason: the header
 *     does not compile outside the kernel, or an event calls a function that is not
 *     exported.
 *
 * If the header needs other headers that its users in the kernel include first, include
 * them above the two lines, as here for struct folio.
 */
#include <linux/mm_types.h>

#define TRING_EVENT_HEADER "trace/events/sched.h"
#include "subsystem.h"
