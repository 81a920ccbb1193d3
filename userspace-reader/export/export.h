/* SPDX-License-Identifier: GPL-2.0 */
/* Traces in the formats of other tools. */
#ifndef TRING_EXPORT_H
#define TRING_EXPORT_H

#include "tring.h"

int tring_export_json(struct tring_trace *trace, const char *path);
int tring_export_ctf(struct tring_trace *trace, const char *path);
int tring_export_parquet(struct tring_trace *trace, const char *path);
int tring_export_perfetto(struct tring_trace *trace, const char *path);
int tring_export_trace_dat(struct tring_trace *trace, const char *path, bool wall);

/**
 * tring_has_raw_calls - check whether a trace has events of all system calls
 * @trace: the trace
 *
 * With those of one call, too, each of its calls would be there twice.
 */
static inline bool tring_has_raw_calls(const struct tring_trace *trace)
{
	return tring_event_find(trace, "raw_syscalls", "sys_enter") ||
	       tring_event_find(trace, "raw_syscalls", "sys_exit");
}

#endif /* TRING_EXPORT_H */
