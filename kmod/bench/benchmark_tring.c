// SPDX-License-Identifier: GPL-2.0
/*
 * tring's probe for the kernel's benchmark_event, made as those in kmod/probes/.
 * Kbuild sees to it that the header is found, which is the kernel's own.
 */
#define TRING_SUBSYSTEM benchmark
#define TRING_EVENT_HEADER "trace_benchmark.h"
#include "probes/subsystem.h"
