// SPDX-License-Identifier: GPL-2.0
/* How this works: sched.c. */
#include <linux/mm.h>

#define TRING_EVENT_HEADER "trace/events/mmap.h"
#include "subsystem.h"
