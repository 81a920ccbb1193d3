// SPDX-License-Identifier: GPL-2.0
/*
 * The benchmark's tracepoint, and ftrace's probe for it. Kbuild sees to it that
 * this is the one file which finds the kernel's own trace/define_trace.h.
 */
#define CREATE_TRACE_POINTS
#include "trace/events/tring_bench.h"
