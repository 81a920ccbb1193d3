// SPDX-License-Identifier: GPL-2.0
/*
 * tring's probe for the kernel's benchmark_event, made as in kmod/probes/. Kbuild adds
 * the include path of the kernel's header.
 */
#define TRING_SUBSYSTEM benchmark
#define TRING_EVENT_HEADER "trace_benchmark.h"
#include "probes/subsystem.h"
