// SPDX-License-Identifier: GPL-2.0
/*
 * Reads a trace for its tables: the events of all CPUs in the order of time, and the losses.
 *
 * What happened before --from is read, too, so that it is known what each task does from
 * there on; and the numbers do not depend on where packets begin.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "gaps.h"
#include "top_walk.h"
#include "util.h"

/**
 * struct walk - state of a walk
 * @of: the trace and its tables
 * @scouts: for each CPU
 * @errors: pieces of bad input so far, of each CPU
 * @unknown: events without a format, of each CPU
 * @next: timestamp behind which the next loss is
 * @last: timestamp of the last event that was counted
 * @later: there are later events than the user has asked for
 */
struct walk {
	struct tring_top_walk *of;
	struct tring_scout *scouts;
	uint64_t	*errors;
	uint64_t	*unknown;
	uint64_t	next;
	uint64_t	last;
	bool		later;
};

static bool wants(void *data, int32_t pid)
{
	struct tring_top_walk *walk = data;

	return tring_selection_has_pid(walk->selection, pid) &&
	       (!walk->selection->comms.count ||
		tring_selection_has_comm(walk->selection,
					 tring_names_comm(&walk->printer.names, pid)));
}

static const char *get_comm(void *data, int32_t pid)
{
	struct tring_top_walk *walk = data;

	return tring_names_comm(&walk->printer.names, pid);
}

/**
 * tring_top_walk_init - prepare the tables of a trace
 * @walk: with its @report and @selection, and with what the caller sets of @walk->top
 */
void tring_top_walk_init(struct tring_top_walk *walk)
{
	const struct tring_selection *selection = walk->selection;
	struct tring_report *report = walk->report;
	struct tring_top *top = &walk->top;
	size_t i;

	tring_printer_init(&walk->printer, &report->events, report->info.clock_frequency);
	top->events = &report->events;
	top->big_endian = report->info.big_endian;
	top->frequency = report->info.clock_frequency;
	top->cpu_count = report->count;
	top->cpus = tring_allocate(report->count * sizeof(*top->cpus));
	top->every_cpu = !selection->cpus.count;
	top->first = selection->first;
	top->last = selection->last;
	top->comm = get_comm;
	top->data = walk;
	if (selection->pids.count || selection->comms.count)
		top->wants = wants;
	for (i = 0; i < report->count; i++) {
		top->cpus[i].cpu = report->cpus[i].cpu;
		top->cpus[i].wanted = tring_selection_has_cpu(selection, report->cpus[i].cpu);
		tring_packets_set_range(&report->cpus[i].packets, &report->cpus[i].stream, 0,
					selection->last);
	}
	tring_top_init(top);
}

static void find_next(struct walk *walk)
{
	size_t i;

	walk->next = UINT64_MAX;
	for (i = 0; i < walk->of->top.cpu_count; i++)
		if (!walk->of->top.cpus[i].blind && walk->scouts[i].from < walk->next)
			walk->next = walk->scouts[i].from;
}

/* Begins the losses before a time, the earliest first. */
static void begin_losses(struct walk *walk, uint64_t stamp)
{
	struct tring_top *top = &walk->of->top;
	size_t i;

	while (walk->next < stamp) {
		for (i = 0; i < top->cpu_count; i++)
			if (!top->cpus[i].blind && walk->scouts[i].from == walk->next)
				tring_top_lose(top, &top->cpus[i], walk->next);
		find_next(walk);
	}
}

static void end_loss(struct walk *walk, size_t at, const struct tring_stream *stream,
		     uint64_t stamp)
{
	struct tring_scout *scout = &walk->scouts[at];
	struct tring_top *top = &walk->of->top;
	struct tring_gap gap = {
		.cpu = &top->cpus[at],
		.from = scout->from ? scout->from : TRING_NO_VALUE,
		.to = stamp,
		.events = stream->lost_events,
		.packets = stream->lost_packets,
	};

	/* a loss whose time lies as a whole behind the selected one is none of it */
	if (scout->from <= walk->of->selection->last) {
		if (!gap.cpu->blind)
			tring_top_lose(top, gap.cpu, scout->from);
		tring_top_gap(top, &gap);
	}
	walk->errors[at] = stream->errors;
	tring_scout_next(scout);
	find_next(walk);
}

static void take(struct walk *walk, size_t at, const struct tring_stream *stream,
		 const struct tring_record *record)
{
	struct tring_top_walk *of = walk->of;
	const uint8_t *start = stream->packet.data + record->offset;

	if (record->stamp > of->selection->last) {
		walk->later = true;
		return;
	}
	walk->last = record->stamp;
	walk->unknown[at] += !of->report->events.by_id[record->id];
	tring_printer_learn(&of->printer, record);
	tring_top_take(&of->top, &of->top.cpus[at], record,
		       record->payload + record->length - start);
}

static void read_all(struct walk *walk)
{
	struct tring_report *report = walk->of->report;
	struct tring_merge_entry *entries, *entry;
	struct tring_merge merge;
	size_t i;

	entries = tring_allocate(report->count * sizeof(*entries));
	for (i = 0; i < report->count; i++)
		entries[i].stream = &report->cpus[i].stream;
	tring_merge_init(&merge, entries, report->count);
	while ((entry = tring_merge_next(&merge))) {
		const struct tring_stream *stream = entry->stream;
		struct tring_report_cpu *cpu = stream->private;
		size_t at = cpu - report->cpus;

		if (entry->record.stamp > walk->next &&
		    entry->record.stamp <= walk->of->selection->last)
			begin_losses(walk, entry->record.stamp);
		if (stream->lost_events || stream->lost_packets ||
		    stream->errors != walk->errors[at])
			end_loss(walk, at, stream, entry->record.stamp);
		if (entry->record.id == TRING_ID_DISCARDED)
			continue;
		cpu->events++;
		take(walk, at, stream, &entry->record);
	}
	free(entries);
}

/* Return: timestamp up to which times are counted. */
static uint64_t find_end(const struct walk *walk)
{
	const struct tring_report *report = walk->of->report;
	bool later = walk->later;
	size_t i;

	for (i = 0; i < report->count; i++)
		later |= report->cpus[i].stream.partial;
	return later ? walk->of->selection->last : walk->last;
}

/* What was lost behind the last event of a CPU lasts until the end. */
static void end_all(struct walk *walk)
{
	struct tring_top *top = &walk->of->top;
	uint64_t end = find_end(walk);
	size_t i;

	begin_losses(walk, end < UINT64_MAX ? end + 1 : end);
	tring_top_end(top, end);
	for (i = 0; i < top->cpu_count; i++) {
		const struct tring_report_cpu *cpu = &walk->of->report->cpus[i];
		struct tring_gap gap = {
			.cpu = &top->cpus[i],
			.from = walk->scouts[i].from ? walk->scouts[i].from : TRING_NO_VALUE,
			.to = TRING_NO_VALUE,
			.events = tring_report_last_loss(cpu),
			.packets = cpu->stream.pending_packets,
		};

		if (gap.cpu->blind)
			tring_top_gap(top, &gap);
	}
}

static void tell_of_errors(const struct walk *walk)
{
	struct tring_report *report = walk->of->report;
	uint64_t damaged = walk->of->top.damaged;
	size_t i;

	for (i = 0; i < report->count; i++) {
		report->bad += report->cpus[i].stream.errors + walk->unknown[i];
		if (walk->unknown[i])
			tring_error("%s: no format describes %" PRIu64 " events",
				    tring_report_path(&report->cpus[i]), walk->unknown[i]);
	}
	report->bad += damaged;
	if (damaged)
		tring_error("the payload of %" PRIu64 " events does not fit the format", damaged);
}

/**
 * tring_top_walk_run - read the trace
 * @walk: from tring_top_walk_init()
 *
 * What is wrong with the trace is reported on stderr and counted in @walk->report.
 */
void tring_top_walk_run(struct tring_top_walk *walk)
{
	size_t count = walk->report->count, i;
	struct walk state = {
		.of = walk,
		.scouts = tring_allocate(count * sizeof(*state.scouts)),
		.errors = tring_allocate(count * sizeof(*state.errors)),
		.unknown = tring_allocate(count * sizeof(*state.unknown)),
	};

	for (i = 0; i < count; i++)
		tring_scout_init(&state.scouts[i], &walk->report->cpus[i]);
	find_next(&state);
	read_all(&state);
	end_all(&state);
	tell_of_errors(&state);
	for (i = 0; i < count; i++)
		tring_scout_free(&state.scouts[i]);
	free(state.scouts);
	free(state.errors);
	free(state.unknown);
}

/**
 * tring_top_walk_free - free the tables of a trace
 * @walk: from tring_top_walk_init()
 */
void tring_top_walk_free(struct tring_top_walk *walk)
{
	tring_top_free(&walk->top);
	tring_printer_free(&walk->printer);
	free(walk->top.cpus);
}
