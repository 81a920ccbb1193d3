// SPDX-License-Identifier: GPL-2.0
/*
 * Several traces on one time line: that of the wall clock, which each trace's clock_offset
 * leads to. Where wall clocks do not agree, an event that all traces have is taken for the
 * same moment, and the offsets are changed so that it is. Traces of one boot and one clock
 * need no wall clock; a trace.dat, which mostly has none, is taken for one of them. The times
 * that are shown are those of the first trace's clock.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire/clock.h"
#include "util/text.h"
#include "together.h"
#include "util/util.h"

/* Of a terminal: none of those that lines have elsewhere. */
static const int colours[] = { 33, 32, 35, 34 };

#define COLOURS		(sizeof(colours) / sizeof(colours[0]))

/* Finds the first event that the filter lets through. Return: false if there is none. */
static bool find_event(struct tring_report *report, struct tring_filter *filter, uint64_t *stamp)
{
	struct tring_merge_entry *entries, *entry;
	struct tring_packets *packets;
	struct tring_stream *streams;
	struct tring_printer printer;
	struct tring_merge merge;
	bool found = false;
	size_t i;

	entries = tring_allocate(report->count * sizeof(*entries));
	packets = tring_allocate(report->count * sizeof(*packets));
	streams = tring_allocate(report->count * sizeof(*streams));
	for (i = 0; i < report->count; i++) {
		tring_report_stream(report, &report->cpus[i], &packets[i], &streams[i]);
		streams[i].private = &report->cpus[i];
		entries[i].stream = &streams[i];
	}
	/* knows the names of tasks */
	tring_printer_init(&printer, &report->events, report->info.clock_frequency);
	tring_merge_init(&merge, entries, report->count);
	while (!found && (entry = tring_merge_next(&merge))) {
		const struct tring_report_cpu *cpu = entry->stream->private;
		const struct tring_record *record = &entry->record;
		const struct tring_event *event = tring_events_find(&report->events, record->id);

		if (record->id == TRING_ID_DISCARDED || tring_printer_learn(&printer, record))
			continue;
		found = tring_filter_names(filter, event) &&
			tring_filter_matches(filter, event, record, cpu->cpu, &printer.names);
		*stamp = record->stamp;
	}
	tring_printer_free(&printer);
	for (i = 0; i < report->count; i++)
		tring_packets_close(&packets[i]);
	free(packets);
	free(entries);
	free(streams);
	return found;
}

/* Finds the wall clock time of the event, by the trace's own clock. */
static int find_moment(struct tring_report *report, const char *text, uint64_t *stamp)
{
	struct tring_filter_fault fault;
	struct tring_filter filter;
	int error = 0;

	if (!tring_filter_compile(&filter, &report->events, text, &fault)) {
		tring_error("--align: %s: %s:\n  %s\n  %*s^", report->name, fault.why, text,
			    (int)fault.at, "");
		error = -EINVAL;
	} else if (!find_event(report, &filter, stamp)) {
		tring_error("--align: %s: the trace has no such event", report->name);
		error = -ENOENT;
	}
	tring_filter_free(&filter);
	return error;
}

/* Makes a timestamp mean a wall clock time. */
static int set_offset(struct tring_report *report, uint64_t stamp, const struct tring_wall *wall)
{
	uint64_t frequency = report->info.clock_frequency;
	__int128 ticks = (__int128)wall->seconds * frequency;

	/* rounded up, because the way back rounds down */
	ticks += ((__int128)wall->ns * frequency + TRING_NS_A_SECOND - 1) / TRING_NS_A_SECOND;
	ticks -= stamp;
	if (ticks < INT64_MIN || ticks > INT64_MAX) {
		tring_error("--align: %s: the clock's zero is too far away", report->name);
		return -ERANGE;
	}
	report->info.clock_offset = ticks;
	return 0;
}

/* A clock runs on evenly in a boot, while the wall clock may be set between two recordings. */
static bool have_same_clock(const struct tring_trace_info *a, const struct tring_trace_info *b)
{
	return *a->boot_id && !strcmp(a->boot_id, b->boot_id) && !strcmp(a->clock, b->clock) &&
	       a->clock_frequency == b->clock_frequency;
}

static void join_boots(struct tring_report *reports, size_t count)
{
	size_t i, j;

	for (i = 1; i < count; i++) {
		for (j = 0; j < i && !have_same_clock(&reports[j].info, &reports[i].info); j++)
			;
		if (j < i)
			reports[i].info.clock_offset = reports[j].info.clock_offset;
	}
}

/* Return: the first trace that has the clock of a trace.dat, and a wall clock if @wall. */
static const struct tring_report *find_clock(const struct tring_report *reports, size_t count,
					     const struct tring_trace_info *info, bool wall)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!strcmp(reports[i].info.clock, info->clock) &&
		    (!wall || !reports[i].info.no_wall))
			return &reports[i];
	return NULL;
}

/* A trace.dat that does not tell the wall clock gets that of a trace with the same clock. */
static int join_clocks(struct tring_report *reports, size_t count)
{
	const struct tring_report *other;
	bool wall = false;
	size_t i;

	for (i = 0; i < count; i++)
		wall |= !reports[i].info.no_wall;
	for (i = 0; i < count; i++) {
		struct tring_trace_info *info = &reports[i].info;

		if (!info->no_wall)
			continue;
		other = find_clock(reports, count, info, wall);
		if (!other || (!wall && other != reports)) {
			tring_error("%s: nothing relates its clock, %s, to %s; --align does",
				    reports[i].name, info->clock, "that of the others");
			return -EINVAL;
		}
		if (!wall)
			continue;
		tring_note("%s: it is taken to be of the same boot as %s, by its clock, %s",
			   reports[i].name, other->name, info->clock);
		info->clock_offset = (__int128)other->info.clock_offset * info->clock_frequency /
				     other->info.clock_frequency;
		info->no_wall = false;
	}
	return 0;
}

/**
 * tring_together_align - put the traces' times on one time line
 * @reports: the traces, with their events, CPUs and names
 * @count: number of traces
 * @filter: event that was at the same moment in all traces, as a filter; the first one of each
 *	trace counts. NULL to believe the wall clock
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_together_align(struct tring_report *reports, size_t count, const char *filter)
{
	struct tring_wall wall = { 0 };
	int error = 0;
	size_t i;

	if (!filter) {
		join_boots(reports, count);
		error = join_clocks(reports, count);
	}
	for (i = 0; filter && i < count && !error; i++) {
		const struct tring_trace_info *info = &reports[i].info;
		uint64_t stamp;

		error = find_moment(&reports[i], filter, &stamp);
		reports[i].info.no_wall = reports->info.no_wall;
		if (!error && i)
			error = set_offset(&reports[i], stamp, &wall);
		else if (!error)
			wall = tring_clock_wall(stamp, info->clock_frequency, info->clock_offset);
	}
	return error;
}

/**
 * tring_together_name - let each line tell its trace, and its time on the common time line
 * @reports: the traces, with @name and their style; to be freed with tring_together_free()
 * @count: number of traces
 */
void tring_together_name(struct tring_report *reports, size_t count)
{
	const struct tring_trace_info *first = &reports->info;
	int width = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		char *name = tring_text_escaped(reports[i].name);

		if ((int)strlen(name) > width)
			width = strlen(name);
		free(name);
	}
	for (i = 0; i < count; i++) {
		struct tring_style *style = &reports[i].style;
		char *name = tring_text_escaped(reports[i].name);

		style->aligned = true;
		style->zero = tring_clock_wall(0, first->clock_frequency, first->clock_offset);
		if (style->colour)
			style->label = tring_format("\033[%dm%*s:" TRING_COLOUR_END " ",
						    colours[i % COLOURS], width, name);
		else
			style->label = tring_format("%*s: ", width, name);
		free(name);
	}
}

static struct tring_wall find_time(const struct tring_report *report)
{
	return tring_clock_wall(report->entry->record.stamp, report->info.clock_frequency,
				report->info.clock_offset);
}

/* Return: the trace with the earliest event, of equal ones the first; NULL at the end. */
static struct tring_report *find_earliest(struct tring_report *reports, size_t count,
					  struct tring_wall *times)
{
	struct tring_report *earliest = NULL;
	size_t i;

	for (i = 0; i < count; i++)
		if (reports[i].entry &&
		    (!earliest || tring_wall_is_before(&times[i], &times[earliest - reports])))
			earliest = &reports[i];
	return earliest;
}

/**
 * tring_together_print - write the events and the losses of several traces, ordered by time
 * @reports: the traces, named, with their events and with their CPUs started
 * @count: number of traces
 */
void tring_together_print(struct tring_report *reports, size_t count)
{
	struct tring_wall *times = tring_allocate(count * sizeof(*times));
	struct tring_line_before before = { 0 };
	struct tring_report *next;
	bool failed = false;
	size_t i;

	for (i = 0; i < count; i++) {
		tring_report_begin(&reports[i]);
		if (reports[i].entry)
			times[i] = find_time(&reports[i]);
	}
	while (!failed && (next = find_earliest(reports, count, times))) {
		next->printer.before = before;
		tring_report_take(next);
		before = next->printer.before;
		failed = next->failed;
		if (next->entry)
			times[next - reports] = find_time(next);
	}
	for (i = 0; i < count; i++) {
		reports[i].failed |= failed;
		tring_report_finish(&reports[i]);
	}
	free(times);
}

/**
 * tring_together_free - free what tring_together_name() has allocated
 * @reports: the traces
 * @count: number of traces
 */
void tring_together_free(struct tring_report *reports, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		free((char *)reports[i].style.label);
}
