// SPDX-License-Identifier: GPL-2.0
/* How this works: sched.c. */
#include <linux/mm.h>
#include <linux/mm_inline.h>

#define TRING_EVENT_HEADER "trace/events/vmscan.h"
#include "subsystem.h"
