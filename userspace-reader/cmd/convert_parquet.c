// SPDX-License-Identifier: GPL-2.0
/* Converts a trace to tables of Apache Parquet. */
#include <string.h>

#include "convert.h"
#include "export/parquet_events.h"
#include "read/load.h"

#define DEFAULT_OUTPUT	"tring-trace.parquet"

static void add_item(struct tring_parquet_events *tables, const struct tring_item *item)
{
	const struct tring_record *record = item->record;
	const char *comm;

	if (item->kind == TRING_ITEM_LOSS) {
		tring_parquet_events_lose(tables, item->cpu, record ? &record->stamp : NULL,
					  item->events, item->packets);
		return;
	}
	comm = tring_names_comm(&item->trace->names, record->pid);
	/* libtraceevent's name for a task that it does not know */
	tring_parquet_events_add(tables, item->cpu, record, item->wrong ? NULL : item->event,
				 strcmp(comm, "<...>") ? comm : NULL);
}

/**
 * tring_convert_to_parquet - convert a trace to tables of Apache Parquet
 * @trace: the trace, with its CPUs started; errors of the input are counted there
 * @output: the directory to write; NULL for the default
 *
 * Return: 0; or a negative errno, reported on stderr, without a directory.
 */
int tring_convert_to_parquet(struct tring_trace *trace, const char *output)
{
	struct tring_parquet_events tables;
	struct tring_item item;
	int error;

	tring_parquet_events_init(&tables, &trace->info, &trace->events);
	error = tring_output_dir_open(&tables.output, output ? output : DEFAULT_OUTPUT);
	if (error) {
		tring_output_dir_drop(&tables.output);
	} else {
		tring_load_names(trace);
		tring_parquet_events_begin(&tables);
		while (!tables.output.error && tring_next(trace, &item) > 0)
			add_item(&tables, &item);
		error = tring_parquet_events_close(&tables);
	}
	tring_parquet_events_free(&tables);
	return error;
}
