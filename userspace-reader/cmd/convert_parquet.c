// SPDX-License-Identifier: GPL-2.0
/* Converts a trace to tables of Apache Parquet. */
#include <string.h>

#include "convert.h"
#include "export/parquet_events.h"
#include "read/load.h"

#define DEFAULT_OUTPUT	"tring-trace.parquet"

static const char *add_event(struct tring_report *report, const struct tring_report_cpu *cpu,
			     const struct tring_record *record)
{
	const char *wrong = tring_printer_learn(&report->printer, record);
	const char *comm = tring_names_comm(&report->printer.names, record->pid);
	struct tring_parquet_events *tables = report->writer_data;

	/* libtraceevent's name for a task that it does not know */
	tring_parquet_events_add(tables, cpu->cpu, record,
				 wrong ? NULL : tring_events_find(&report->events, record->id),
				 strcmp(comm, "<...>") ? comm : NULL);
	report->failed = tables->output.error;
	return wrong;
}

static void add_loss(struct tring_report *report, const struct tring_report_cpu *cpu,
		     const struct tring_record *behind, uint64_t events, uint64_t packets)
{
	tring_parquet_events_lose(report->writer_data, cpu->cpu, behind ? &behind->stamp : NULL,
				  events, packets);
}

static const struct tring_report_writer writer = { add_event, add_loss };

/**
 * tring_convert_to_parquet - convert a trace to tables of Apache Parquet
 * @report: the trace, with its CPUs started; errors of the input are counted there
 * @output: the directory to write; NULL for the default
 *
 * Return: 0; or a negative errno, reported on stderr, without a directory.
 */
int tring_convert_to_parquet(struct tring_report *report, const char *output)
{
	struct tring_parquet_events tables;
	int error;

	tring_parquet_events_init(&tables, &report->info, &report->events);
	error = tring_output_dir_open(&tables.output, output ? output : DEFAULT_OUTPUT);
	if (error) {
		tring_output_dir_drop(&tables.output);
	} else {
		tring_load_names(report);
		tring_parquet_events_begin(&tables);
		report->writer = &writer;
		report->writer_data = &tables;
		tring_report_print(report);
		error = tring_parquet_events_close(&tables);
	}
	tring_parquet_events_free(&tables);
	return error;
}
