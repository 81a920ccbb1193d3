/* SPDX-License-Identifier: GPL-2.0 */
/* The tracepoint of lttng-texts.c, for lttng-ust, which includes this more than once. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER tring

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./lttng-texts.h"

#if !defined(TRING_BENCH_LTTNG_TEXTS_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define TRING_BENCH_LTTNG_TEXTS_H

#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(tring, text,
			   LTTNG_UST_TP_ARGS(const char *, text, unsigned short, length,
					     const char *, name),
			   LTTNG_UST_TP_FIELDS(lttng_ust_field_sequence_text(char, text, text,
									     unsigned short, length)
					       lttng_ust_field_string(name, name)))

#endif /* TRING_BENCH_LTTNG_TEXTS_H */

#include <lttng/tracepoint-event.h>
