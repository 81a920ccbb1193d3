// SPDX-License-Identifier: GPL-2.0
/*
 * The benchmark's tracepoint and ftrace's probe for it. Kbuild gives only this file an
 * include path that finds the kernel's own trace/define_trace.h.
 */
#define CREATE_TRACE_POINTS
#include "trace/events/tring_bench.h"
