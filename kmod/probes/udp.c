// SPDX-License-Identifier: GPL-2.0
/* How this works: sched.c. */
#include <linux/ip.h>
#include <linux/ipv6.h>

#define TRING_EVENT_HEADER "trace/events/udp.h"
#include "subsystem.h"
