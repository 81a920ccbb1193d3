// SPDX-License-Identifier: GPL-2.0
/* How this works: sched.c. */
#define TRING_EVENT_HEADER "trace/events/nmi.h"
#include "subsystem.h"
