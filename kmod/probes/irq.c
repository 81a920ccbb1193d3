// SPDX-License-Identifier: GPL-2.0
/* How this works: sched.c. */
#include <linux/interrupt.h>

#define TRING_EVENT_HEADER "trace/events/irq.h"
#include "subsystem.h"
