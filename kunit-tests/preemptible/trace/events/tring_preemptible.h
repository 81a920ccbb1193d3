/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An event whose probe looks at the context in which it runs.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM tring_preemptible

#if !defined(_TRING_PREEMPTIBLE_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _TRING_PREEMPTIBLE_TRACE_H

#include <linux/tracepoint.h>

#include "preemptible.h"

TRACE_EVENT(tring_preemptible_event,

	TP_PROTO(struct preemptible_call *call),

	TP_ARGS(call),

	TP_STRUCT__entry(
		__field(u32, number)
	),

	TP_fast_assign(
		preemptible_look(call);
		__entry->number = call->number;
	),

	TP_printk("number=%u", __entry->number)
);

#endif /* _TRING_PREEMPTIBLE_TRACE_H */

/* Outside of the guard: it reads this file again. */
#include <trace/define_trace.h>
