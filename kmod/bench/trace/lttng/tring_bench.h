/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The benchmark's tracepoint as LTTng wants it described.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM tring_bench

#if !defined(_TRING_BENCH_LTTNG_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _TRING_BENCH_LTTNG_TRACE_H

#include <lttng/tracepoint-event.h>

LTTNG_TRACEPOINT_EVENT(tring_bench_event,

	TP_PROTO(u64 when, u32 what, u32 much),

	TP_ARGS(when, what, much),

	TP_FIELDS(
		ctf_integer(u64, when, when)
		ctf_integer(u32, what, what)
		ctf_integer(u32, much, much)
	)
)

#endif /* _TRING_BENCH_LTTNG_TRACE_H */

/* Outside of the guard: it reads this file again. */
#include <lttng/define_trace.h>
