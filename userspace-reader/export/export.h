/* SPDX-License-Identifier: GPL-2.0 */
/* Traces in the formats of other tools. */
#ifndef TRING_EXPORT_H
#define TRING_EXPORT_H

#include "tring.h"

int tring_export_ctf(struct tring_trace *trace, const char *path);
int tring_export_parquet(struct tring_trace *trace, const char *path);
int tring_export_perfetto(struct tring_trace *trace, const char *path);
int tring_export_trace_dat(struct tring_trace *trace, const char *path, bool wall,
			   const struct tring_wanted *wanted);

/**
 * tring_has_raw_calls - check whether events of all system calls are part of the choice
 * @trace: the trace
 *
 * With those of one call, too, each of its calls would be there twice.
 */
static inline bool tring_has_raw_calls(const struct tring_trace *trace)
{
	const struct tring_event *begin = tring_event_find(trace, "raw_syscalls", "sys_enter");
	const struct tring_event *end = tring_event_find(trace, "raw_syscalls", "sys_exit");

	return (begin && tring_wants_event(trace, begin)) ||
	       (end && tring_wants_event(trace, end));
}

#endif /* TRING_EXPORT_H */
