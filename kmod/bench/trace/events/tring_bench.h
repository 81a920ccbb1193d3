/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The benchmark's tracepoint, to be traced by ftrace and, from this very
 * description, by tring.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM tring_bench

#if !defined(_TRING_BENCH_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _TRING_BENCH_TRACE_H

#include <linux/tracepoint.h>

TRACE_EVENT(tring_bench_event,

	TP_PROTO(u64 when, u32 what, u32 much),

	TP_ARGS(when, what, much),

	TP_STRUCT__entry(
		__field(u64, when)
		__field(u32, what)
		__field(u32, much)
	),

	TP_fast_assign(
		__entry->when = when;
		__entry->what = what;
		__entry->much = much;
	),

	TP_printk("when=%llu what=%u much=%u", __entry->when, __entry->what, __entry->much)
);

#endif /* _TRING_BENCH_TRACE_H */

/* Outside of the guard: it reads this file again. */
#include <trace/define_trace.h>
