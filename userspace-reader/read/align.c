// SPDX-License-Identifier: LGPL-2.1-or-later
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

#include "event/check.h"
#include "util/clock.h"
#include "align.h"
#include "util/util.h"

/* Finds the first event that the filter lets through. Return: false if there is none. */
static bool find_event(struct tring_trace *trace, struct tring_filter *filter, uint64_t *stamp)
{
	struct tring_merge_entry *entries, *entry;
	struct tring_packets *packets;
	struct tring_stream *streams;
	struct tring_merge merge;
	bool found = false;
	size_t i;

	entries = tring_allocate(trace->count * sizeof(*entries));
	packets = tring_allocate(trace->count * sizeof(*packets));
	streams = tring_allocate(trace->count * sizeof(*streams));
	for (i = 0; i < trace->count; i++) {
		tring_cpu_stream(&trace->cpus[i], &packets[i], &streams[i]);
		streams[i].private = &trace->cpus[i];
		entries[i].stream = &streams[i];
	}
	tring_merge_init(&merge, entries, trace->count);
	while (!found && (entry = tring_merge_next(&merge))) {
		const struct tring_cpu *cpu = entry->stream->private;
		const struct tring_record *record = &entry->record;
		const struct tring_event *event = tring_events_find(&trace->events, record->id);

		if (record->id == TRING_ID_DISCARDED || tring_learn(event, record, &trace->names))
			continue;
		found = tring_filter_matches(filter, event, record, cpu->cpu, &trace->names);
		*stamp = record->stamp;
	}
	for (i = 0; i < trace->count; i++)
		tring_packets_close(&packets[i]);
	free(packets);
	free(entries);
	free(streams);
	return found;
}

/* Finds the wall clock time of the event, by the trace's own clock. */
static int find_moment(struct tring_trace *trace, const char *text, uint64_t *stamp)
{
	struct tring_filter filter;
	int error = 0;

	if (!tring_filter_compile(&filter, &trace->events, text)) {
		tring_error("--align: %s: %s:\n  %s\n  %*s^", trace->dir, filter.fault.why, text,
			    (int)filter.fault.at, "");
		error = -EINVAL;
	} else if (!find_event(trace, &filter, stamp)) {
		tring_error("--align: %s: the trace has no such event", trace->dir);
		error = -ENOENT;
	}
	tring_filter_free(&filter);
	return error;
}

/* Makes a timestamp mean a wall clock time. */
static int set_offset(struct tring_trace *trace, uint64_t stamp, const struct tring_wall *wall)
{
	uint64_t frequency = trace->info.clock_frequency;
	__int128 ticks = (__int128)wall->seconds * frequency;

	/* rounded up, because the way back rounds down */
	ticks += ((__int128)wall->ns * frequency + TRING_NS_A_SECOND - 1) / TRING_NS_A_SECOND;
	ticks -= stamp;
	if (ticks < INT64_MIN || ticks > INT64_MAX) {
		tring_error("--align: %s: the clock's zero is too far away", trace->dir);
		return -ERANGE;
	}
	trace->info.clock_offset = ticks;
	return 0;
}

/* A clock runs on evenly in a boot, while the wall clock may be set between two recordings. */
static bool have_same_clock(const struct tring_trace_info *a, const struct tring_trace_info *b)
{
	return *a->boot_id && !strcmp(a->boot_id, b->boot_id) && !strcmp(a->clock, b->clock) &&
	       a->clock_frequency == b->clock_frequency;
}

static void join_boots(struct tring_trace **traces, size_t count)
{
	size_t i, j;

	for (i = 1; i < count; i++) {
		for (j = 0; j < i && !have_same_clock(&traces[j]->info, &traces[i]->info); j++)
			;
		if (j < i)
			traces[i]->info.clock_offset = traces[j]->info.clock_offset;
	}
}

/* Return: the first trace that has the clock of a trace.dat, and a wall clock if @wall. */
static const struct tring_trace *find_clock(struct tring_trace **traces, size_t count,
					    const struct tring_trace_info *info, bool wall)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!strcmp(traces[i]->info.clock, info->clock) &&
		    (!wall || !traces[i]->info.no_wall))
			return traces[i];
	return NULL;
}

/* A trace.dat that does not tell the wall clock gets that of a trace with the same clock. */
static int join_clocks(struct tring_trace **traces, size_t count)
{
	const struct tring_trace *other;
	bool wall = false;
	size_t i;

	for (i = 0; i < count; i++)
		wall |= !traces[i]->info.no_wall;
	for (i = 0; i < count; i++) {
		struct tring_trace_info *info = &traces[i]->info;

		if (!info->no_wall)
			continue;
		other = find_clock(traces, count, info, wall);
		if (!other || (!wall && other != traces[0])) {
			tring_error("%s: nothing relates its clock, %s, to %s; --align does",
				    traces[i]->dir, info->clock, "that of the others");
			return -EINVAL;
		}
		if (!wall)
			continue;
		tring_note("%s: it is taken to be of the same boot as %s, by its clock, %s",
			   traces[i]->dir, other->dir, info->clock);
		info->clock_offset = (__int128)other->info.clock_offset * info->clock_frequency /
				     other->info.clock_frequency;
		info->no_wall = false;
	}
	return 0;
}

/**
 * tring_align - put the traces' times on one time line
 * @traces: the traces, with their events, CPUs and names
 * @count: number of traces
 * @filter: event that was at the same moment in all traces, as a filter; the first one of each
 *	trace counts. NULL to believe the wall clock
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_align(struct tring_trace **traces, size_t count, const char *filter)
{
	struct tring_wall wall = { 0 };
	int error = 0;
	size_t i;

	if (!filter) {
		join_boots(traces, count);
		error = join_clocks(traces, count);
	}
	for (i = 0; filter && i < count && !error; i++) {
		const struct tring_trace_info *info = &traces[i]->info;
		uint64_t stamp = 0;

		error = find_moment(traces[i], filter, &stamp);
		traces[i]->info.no_wall = traces[0]->info.no_wall;
		if (!error && i)
			error = set_offset(traces[i], stamp, &wall);
		else if (!error)
			wall = tring_clock_wall(stamp, info->clock_frequency, info->clock_offset);
	}
	return error;
}

