// SPDX-License-Identifier: GPL-2.0
/* How this works: sched.c. */
#define TRING_EVENT_HEADER "asm/trace/irq_vectors.h"
#include "subsystem.h"
