// SPDX-License-Identifier: GPL-2.0
/*
 * Converts the streams of a trace to the pages of a trace.dat, one CPU after the other.
 *
 * All pages have the same size, and an event has to fit into one. So if there are events
 * that are too large for ftrace's usual pages, all streams are read to find the largest
 * one, and then once more.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "read/complete.h"
#include "convert.h"
#include "export/trace_dat.h"
#include "util/clock.h"
#include "util/util.h"

#define DEFAULT_OUTPUT	"trace.dat"

/**
 * struct conversion - state of a conversion
 * @trace: the trace
 * @dat: the file
 * @needed: size of page that the largest event needs, if it has not fit
 * @nameless: number of events of short types without an id
 * @too_large: number of events for which no page is large enough
 */
struct conversion {
	struct tring_trace *trace;
	struct tring_trace_dat dat;
	size_t		needed;
	uint64_t	nameless;
	uint64_t	too_large;
};

static void add_event(struct conversion *conversion, const struct tring_record *record)
{
	struct tring_ftrace_pages *pages = &conversion->dat.pages;
	uint64_t frequency = conversion->trace->info.clock_frequency;

	if (record->id == TRING_ID_UNKNOWN) {
		conversion->nameless++;
		tring_ftrace_pages_lose(pages, 1);
		return;
	}
	if (tring_ftrace_pages_add(pages, record, tring_clock_ns(record->stamp, frequency)))
		return;
	if (pages->needed > TRING_FTRACE_PAGE_MAX)
		conversion->too_large++;
	else if (pages->needed > conversion->needed)
		conversion->needed = pages->needed;
	tring_ftrace_pages_lose(pages, 1);
}

/* Return: number of events lost, those behind the last event included. */
static uint64_t convert_events(struct conversion *conversion, struct tring_cpu *cpu)
{
	struct tring_stream *stream = &cpu->stream;
	struct tring_record record;
	uint64_t lost = 0;

	while (!conversion->dat.output.error &&
	       tring_stream_next(stream, &record) == TRING_OK) {
		if (stream->lost_events || stream->lost_packets) {
			lost += stream->lost_events;
			tring_ftrace_pages_lose(&conversion->dat.pages, stream->lost_events);
		}
		if (record.id == TRING_ID_DISCARDED)
			continue;
		cpu->events++;
		add_event(conversion, &record);
	}
	return lost + tring_cpu_last_loss(cpu);
}

static void convert_cpus(struct conversion *conversion)
{
	struct tring_trace *trace = conversion->trace;
	size_t i;

	for (i = 0; i < trace->count; i++) {
		struct tring_cpu *cpu = &trace->cpus[i];
		uint64_t lost;

		tring_trace_dat_begin_cpu(&conversion->dat, &conversion->dat.cpus[i]);
		lost = convert_events(conversion, cpu);
		tring_trace_dat_end_cpu(&conversion->dat, &conversion->dat.cpus[i],
					cpu->events, lost, tring_cpu_last_loss(cpu));
	}
}

/* All that is wrong with the streams was told before. */
static void convert_again(struct conversion *conversion)
{
	struct tring_trace *trace = conversion->trace;
	size_t i;

	while (conversion->dat.page_size < conversion->needed)
		conversion->dat.page_size *= 2;
	conversion->nameless = 0;
	conversion->too_large = 0;
	tring_trace_dat_begin(&conversion->dat);
	for (i = 0; i < trace->count; i++) {
		tring_complete_restart(&trace->cpus[i]);
		trace->cpus[i].stream.report = NULL;
	}
	convert_cpus(conversion);
}

static void tell(const struct conversion *conversion)
{
	struct tring_trace *trace = conversion->trace;
	size_t i;

	for (i = 0; i < trace->count; i++) {
		struct tring_cpu *cpu = &trace->cpus[i];
		uint64_t last = tring_cpu_last_loss(cpu);

		trace->problems += cpu->stream.errors;
		if (last)
			tring_note("CPU %d: %" PRIu64 " events are lost behind its last event; %s",
				   cpu->cpu, last, "only \"trace-cmd report --stat\" tells it");
	}
	if (conversion->nameless)
		tring_error("%" PRIu64 " events of short types without an id are left out",
			    conversion->nameless);
	if (conversion->too_large)
		tring_error("%" PRIu64 " events are left out: they are too large for a page",
			    conversion->too_large);
	trace->problems += conversion->nameless + conversion->too_large;
}

/**
 * tring_convert_to_trace_dat - convert a trace to a trace.dat
 * @trace: the trace, with its CPUs started; errors of the input are counted there
 * @output: the file to write; NULL for the default
 * @wall: times are those of the wall clock
 *
 * Return: 0; or a negative errno, reported on stderr, without a file.
 */
int tring_convert_to_trace_dat(struct tring_trace *trace, const char *output, bool wall)
{
	struct conversion conversion = {
		.trace = trace,
		.dat = {
			.parts = &trace->parts,
			.info = &trace->info,
			.events = &trace->events,
			.count = trace->count,
			.wall = wall,
		},
	};
	struct tring_trace_dat *dat = &conversion.dat;
	int error;
	size_t i;

	if (trace->dat) {
		tring_error("%s: it is a trace.dat already; %s changes its version",
			    trace->dat->file.path, "\"trace-cmd convert\"");
		return -EINVAL;
	}
	dat->cpus = tring_allocate(trace->count * sizeof(*dat->cpus));
	for (i = 0; i < trace->count; i++)
		dat->cpus[i].cpu = trace->cpus[i].cpu;
	error = tring_trace_dat_open(dat, output ? output : DEFAULT_OUTPUT);
	if (!error) {
		if (tring_trace_dat_begin(dat))
			trace->problems++;
		convert_cpus(&conversion);
		if (conversion.needed)
			convert_again(&conversion);
		error = tring_trace_dat_close(dat);
		/* of streams that were not read to their end there is nothing to tell */
		if (!error)
			tell(&conversion);
	} else {
		tring_output_drop(&dat->output);
	}
	free(dat->cpus);
	return error;
}
