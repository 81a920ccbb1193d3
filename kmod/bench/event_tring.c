// SPDX-License-Identifier: GPL-2.0
/*
 * tring's probe for the benchmark's tracepoint, made as those in kmod/probes/.
 */
#define TRING_SUBSYSTEM tring_bench
#define TRING_EVENT_HEADER "trace/events/tring_bench.h"
#include "probes/subsystem.h"
