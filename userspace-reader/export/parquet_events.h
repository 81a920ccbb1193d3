/* SPDX-License-Identifier: GPL-2.0 */
/* Writes events as tables of Apache Parquet: a table an event. */
#ifndef TRING_PARQUET_EVENTS_H
#define TRING_PARQUET_EVENTS_H

#include <stdint.h>

#include "output_dir.h"
#include "parquet.h"
#include "event/events.h"
#include "trace/trace_info.h"
#include "wire/wire.h"

struct tring_parquet_event;

/**
 * struct tring_parquet_events - tables that are being written
 * @output: the directory
 * @info: properties of the trace
 * @events: its events
 * @folder: where in the directory those of the machine are
 * @tables: by index into @events; then events that cannot be decoded, then losses
 * @buffered: bytes of rows in memory
 */
struct tring_parquet_events {
	struct tring_output_dir output;
	const struct tring_trace_info *info;
	const struct tring_events *events;
	char		*folder;
	struct tring_parquet_event *tables;
	uint64_t	buffered;
};

void tring_parquet_events_init(struct tring_parquet_events *tables,
			       const struct tring_trace_info *info,
			       const struct tring_events *events);
void tring_parquet_events_free(struct tring_parquet_events *tables);
void tring_parquet_events_begin(struct tring_parquet_events *tables);
void tring_parquet_events_add(struct tring_parquet_events *tables, int cpu,
			      const struct tring_record *record,
			      const struct tring_event *event, const char *comm);
void tring_parquet_events_lose(struct tring_parquet_events *tables, int cpu,
			       const uint64_t *stamp, uint64_t events, uint64_t packets);
int tring_parquet_events_close(struct tring_parquet_events *tables);

#endif /* TRING_PARQUET_EVENTS_H */
