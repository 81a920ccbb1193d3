// SPDX-License-Identifier: GPL-2.0
/* Converts a trace to one of Perfetto. */
#include "convert.h"
#include "export/perfetto.h"
#include "wire/clock.h"

#define DEFAULT_OUTPUT	"trace.pftrace"

static const char *add_event(struct tring_report *report, const struct tring_report_cpu *cpu,
			     const struct tring_record *record)
{
	const char *wrong = tring_printer_learn(&report->printer, record);
	struct tring_perfetto *trace = report->writer_data;

	tring_perfetto_add(trace, cpu - report->cpus, record,
			   wrong ? NULL : tring_events_find(&report->events, record->id),
			   tring_clock_ns(record->stamp, report->info.clock_frequency));
	report->failed = trace->output.error;
	return wrong;
}

static void add_loss(struct tring_report *report, const struct tring_report_cpu *cpu,
		     const struct tring_record *behind, uint64_t events, uint64_t packets)
{
	uint64_t frequency = report->info.clock_frequency;

	tring_perfetto_lose(report->writer_data, cpu - report->cpus,
			    behind ? tring_clock_ns(behind->stamp, frequency) : 0, events,
			    packets);
}

static const struct tring_report_writer writer = { add_event, add_loss };

/* What has no packets begins with its first event. Return: its time, in ticks. */
static uint64_t find_first(const struct tring_report *report, const struct tring_report_cpu *cpu)
{
	struct tring_packets packets;
	uint64_t stamp = UINT64_MAX;
	struct tring_stream stream;
	struct tring_record record;

	tring_report_stream(report, cpu, &packets, &stream);
	if (tring_stream_next(&stream, &record) == TRING_OK)
		stamp = report->dat ? record.stamp : stream.packet.timestamp_begin;
	tring_packets_close(&packets);
	return stamp;
}

/* Return: the time at which the first packet of all begins, in ticks. */
static uint64_t find_begin(const struct tring_report *report)
{
	uint64_t begin = UINT64_MAX;
	size_t i;

	for (i = 0; i < report->count; i++) {
		uint64_t first = find_first(report, &report->cpus[i]);

		if (first < begin)
			begin = first;
	}
	return begin == UINT64_MAX ? 0 : begin;
}

static int convert(struct tring_report *report, struct tring_perfetto *trace, const char *output)
{
	int error = tring_perfetto_open(trace, output, find_begin(report));

	if (error) {
		tring_output_drop(&trace->output);
		return error;
	}
	report->writer = &writer;
	report->writer_data = trace;
	tring_report_print(report);
	return tring_perfetto_close(trace);
}

/**
 * tring_convert_to_perfetto - convert a trace to one of Perfetto
 * @report: the trace, with its CPUs started; errors of the input are counted there
 * @output: the file to write; NULL for the default
 *
 * Return: 0; or a negative errno, reported on stderr, without a file.
 */
int tring_convert_to_perfetto(struct tring_report *report, const char *output)
{
	struct tring_perfetto trace;
	size_t i;
	int error;

	tring_perfetto_init(&trace, &report->info, &report->events, report->count);
	for (i = 0; i < report->count; i++)
		trace.cpus[i].cpu = report->cpus[i].cpu;
	error = convert(report, &trace, output ? output : DEFAULT_OUTPUT);
	tring_perfetto_free(&trace);
	return error;
}
