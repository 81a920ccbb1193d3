// SPDX-License-Identifier: GPL-2.0
/*
 * Writes the events of a trace to the pages of a trace.dat, one CPU after the other.
 *
 * All pages have the same size, and an event has to fit into one. So if there are events
 * that are too large for ftrace's usual pages, all of them are read to find the largest
 * one, and then once more.
 *
 * A task's name, and so a choice by it, depends on what other CPUs have told before. So if the user
 * has chosen some events, all of the chosen time is read for each CPU.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "export.h"
#include "trace_dat_head.h"
#include "util/util.h"

/**
 * struct conversion - state of a conversion
 * @dat: the file
 * @wanted: which events; NULL for all
 * @chosen: the CPUs of @wanted, by their places
 * @needed: size of page that the largest event needs, if it has not fit
 * @nameless: number of events of short types without an id
 * @too_large: number of events for which no page is large enough
 */
struct conversion {
	struct tring_trace_dat dat;
	const struct tring_wanted *wanted;
	bool		*chosen;
	size_t		needed;
	uint64_t	nameless;
	uint64_t	too_large;
};

static void add_event(struct conversion *conversion, const struct tring_item *item)
{
	struct tring_ftrace_pages *pages = &conversion->dat.pages;
	const struct tring_record *record = item->record;

	if (record->id == TRING_ID_UNKNOWN) {
		conversion->nameless++;
		tring_ftrace_pages_lose(pages, 1);
		return;
	}
	if (tring_ftrace_pages_add(pages, record, tring_ns(item->trace, record->stamp)))
		return;
	if (pages->needed > TRING_FTRACE_PAGE_MAX)
		conversion->too_large++;
	else if (pages->needed > conversion->needed)
		conversion->needed = pages->needed;
	tring_ftrace_pages_lose(pages, 1);
}

/* Return: false if there is nothing to read of a CPU. */
static bool begin_cpu(const struct conversion *conversion, size_t at)
{
	struct tring_trace *trace = conversion->dat.trace;
	struct tring_wanted wanted;
	char *cpu;

	if (!conversion->wanted)
		return !tring_raw_cpu(trace, at);
	if (!conversion->chosen[at])
		return false;
	wanted = *conversion->wanted;
	cpu = tring_format("%d", tring_cpu_at(trace, at));
	wanted.cpus = cpu;
	at = tring_select(trace, &wanted);
	free(cpu);
	return !at;
}

static void convert_cpu(struct conversion *conversion, size_t at)
{
	struct tring_trace_dat *dat = &conversion->dat;
	struct tring_trace_dat_cpu *cpu = &dat->cpus[at];
	uint64_t events = 0, lost = 0;
	struct tring_item item;
	bool reads;

	cpu->last = 0;
	tring_trace_dat_begin_cpu(dat, cpu);
	reads = begin_cpu(conversion, at);
	while (reads && !dat->output.error && tring_next(dat->trace, &item) > 0) {
		if (item.kind == TRING_ITEM_EVENT) {
			events++;
			add_event(conversion, &item);
			continue;
		}
		lost += item.events;
		if (item.record)
			tring_ftrace_pages_lose(&dat->pages, item.events);
		else
			cpu->last = item.events;
	}
	tring_trace_dat_end_cpu(dat, cpu, events, lost);
}

static void convert_cpus(struct conversion *conversion)
{
	size_t i;

	conversion->nameless = 0;
	conversion->too_large = 0;
	for (i = 0; i < conversion->dat.count; i++)
		convert_cpu(conversion, i);
}

/* Return: 0, or 1 if the file lacks events that the trace has. */
static int tell(const struct conversion *conversion)
{
	const struct tring_trace_dat *dat = &conversion->dat;
	size_t i;

	for (i = 0; i < dat->count; i++)
		if (dat->cpus[i].last)
			tring_note("CPU %d: %" PRIu64 " events are lost behind its last event; %s",
				   dat->cpus[i].cpu, dat->cpus[i].last,
				   "only \"trace-cmd report --stat\" tells it");
	if (conversion->nameless)
		tring_error("%" PRIu64 " events of short types without an id are left out",
			    conversion->nameless);
	if (conversion->too_large)
		tring_error("%" PRIu64 " events are left out: they are too large for a page",
			    conversion->too_large);
	return conversion->nameless || conversion->too_large;
}

static int convert(struct conversion *conversion)
{
	struct tring_trace_dat *dat = &conversion->dat;
	int lacks = !!tring_trace_dat_begin(dat), error;

	convert_cpus(conversion);
	if (conversion->needed) {
		while (dat->page_size < conversion->needed)
			dat->page_size *= 2;
		tring_trace_dat_begin(dat);
		convert_cpus(conversion);
	}
	error = tring_trace_dat_close(dat);
	/* of CPUs that were not read to their end there is nothing to tell */
	if (error)
		return error;
	return tell(conversion) || lacks;
}

/**
 * tring_export_trace_dat - write a trace as a trace.dat
 * @trace: the trace, of tring's
 * @path: name that the file gets; only a trace.dat is replaced
 * @wall: times are those of the wall clock
 * @wanted: which events, as tring_select() has chosen them; NULL for all
 *
 * Return: 0; 1 if the file lacks something that the trace has, reported on stderr; or a negative
 * errno, reported on stderr, without a file.
 */
int tring_export_trace_dat(struct tring_trace *trace, const char *path, bool wall,
			   const struct tring_wanted *wanted)
{
	struct conversion conversion = {
		.dat = { .trace = trace, .wall = wall }, .wanted = wanted,
	};
	struct tring_trace_dat *dat = &conversion.dat;
	size_t count = tring_cpu_count(trace), i;
	int error;

	conversion.chosen = tring_allocate(count + 1);
	for (i = 0; i < count; i++)
		conversion.chosen[i] = tring_wants_cpu(trace, tring_cpu_at(trace, i));
	error = tring_trace_dat_open(dat, path);
	if (!error)
		error = convert(&conversion);
	free(dat->cpus);
	free(conversion.chosen);
	return error;
}
