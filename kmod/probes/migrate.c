// SPDX-License-Identifier: GPL-2.0
/* How this works: sched.c. */
#include <linux/migrate.h>

#define TRING_EVENT_HEADER "trace/events/migrate.h"
#include "subsystem.h"
