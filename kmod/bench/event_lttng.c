// SPDX-License-Identifier: GPL-2.0
/*
 * tring_bench_lttng_event.ko: LTTng's probe for the benchmark's tracepoint, made as
 * LTTng's own probes. The module registers it when it is loaded.
 */
#include <linux/module.h>

#include <lttng/tracer.h>

#include "trace/events/tring_bench.h"

#define LTTNG_PACKAGE_BUILD
#define CREATE_TRACE_POINTS
#define TRACE_INCLUDE_PATH lttng
#include "lttng/tring_bench.h"

MODULE_DESCRIPTION("LTTng's probe for tring's benchmark");
MODULE_LICENSE("GPL");
