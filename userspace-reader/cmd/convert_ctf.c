// SPDX-License-Identifier: GPL-2.0
/* Converts a trace to CTF for Trace Compass. */
#include <string.h>

#include "convert.h"
#include "export/ctf.h"
#include "read/load.h"
#include "wire/clock.h"

#define DEFAULT_OUTPUT	"tring-trace.ctf"

static const char *add_event(struct tring_report *report, const struct tring_report_cpu *cpu,
			     const struct tring_record *record)
{
	const char *wrong = tring_printer_learn(&report->printer, record);
	const char *comm = tring_names_comm(&report->printer.names, record->pid);
	struct tring_ctf *ctf = report->writer_data;

	tring_ctf_add(ctf, cpu - report->cpus, record,
		      wrong ? NULL : tring_events_find(&report->events, record->id),
		      tring_clock_ns(record->stamp, report->info.clock_frequency), comm);
	report->failed = ctf->output.error;
	return wrong;
}

static void add_loss(struct tring_report *report, const struct tring_report_cpu *cpu,
		     const struct tring_record *behind, uint64_t events, uint64_t packets)
{
	uint64_t frequency = report->info.clock_frequency;

	tring_ctf_lose(report->writer_data, cpu - report->cpus,
		       behind ? tring_clock_ns(behind->stamp, frequency) : 0, events, packets);
}

static const struct tring_report_writer writer = { add_event, add_loss };

/**
 * tring_convert_to_ctf - convert a trace to CTF for Trace Compass
 * @report: the trace, with its CPUs started; errors of the input are counted there
 * @output: the directory to write; NULL for the default
 *
 * Return: 0; or a negative errno, reported on stderr, without a directory.
 */
int tring_convert_to_ctf(struct tring_report *report, const char *output)
{
	struct tring_ctf ctf;
	size_t i;
	int error;

	tring_ctf_init(&ctf, &report->info, &report->events, report->count);
	for (i = 0; i < report->count; i++)
		tring_ctf_set_cpu(&ctf, i, report->cpus[i].cpu);
	error = tring_output_dir_open(&ctf.output, output ? output : DEFAULT_OUTPUT);
	if (error) {
		tring_output_dir_drop(&ctf.output);
	} else {
		tring_load_names(report);
		report->writer = &writer;
		report->writer_data = &ctf;
		tring_report_print(report);
		error = tring_ctf_close(&ctf);
	}
	tring_ctf_free(&ctf);
	return error;
}
