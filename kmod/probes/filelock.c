// SPDX-License-Identifier: GPL-2.0
/* How this works: sched.c. */
#include "compat.h"

#define TRING_EVENT_HEADER "trace/events/filelock.h"
#include "subsystem.h"
