// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The library's functions that open a trace, select and describe. Each lets the messages of what
 * it calls go to the trace: the thread is told so for as long as the call lasts.
 */
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "complete.h"
#include "event/cgroups.h"
#include "follow.h"
#include "join.h"
#include "live_ring.h"
#include "load.h"
#include "load_stream.h"
#include "peek.h"
#include "tring_version.h"
#include "util/clock.h"

static void take_message(struct tring_sink *sink, enum tring_level level, const char *text)
{
	struct tring_trace *trace = (struct tring_trace *)((char *)sink -
							   offsetof(struct tring_trace, sink));

	if (level == TRING_PROBLEM) {
		free(trace->text);
		trace->text = tring_format("%s", text);
	}
	if (trace->options.message)
		trace->options.message(trace->options.data, level, text);
}

/**
 * tring_trace_enter - let the thread's messages go to a trace
 * @trace: the trace; one that tring_open() has not opened leaves them where they go
 *
 * Return: where they went before, for tring_trace_leave().
 */
struct tring_sink *tring_trace_enter(struct tring_trace *trace)
{
	return tring_sink_set(trace->sink.take ? &trace->sink : NULL);
}

/**
 * tring_trace_leave - end what tring_trace_enter() has begun
 * @trace: the trace
 * @before: what tring_trace_enter() has returned
 * @error: result of the call, which is kept if it is the trace's first error
 *
 * Return: @error.
 */
int tring_trace_leave(struct tring_trace *trace, struct tring_sink *before, int error)
{
	tring_sink_set(before);
	if (error && !trace->status)
		trace->status = error;
	return error;
}

/**
 * tring_trace_make - make a trace for a caller of the library
 * @options: what the caller wants; may be NULL
 * @path: what it is called
 */
struct tring_trace *tring_trace_make(const struct tring_options *options, const char *path)
{
	struct tring_trace *trace = tring_allocate(sizeof(*trace));

	trace->path = tring_format("%s", path);
	trace->dir = trace->path;
	trace->sink.take = take_message;
	/* a caller that was built with an older library knows less of them */
	if (options && options->size <= sizeof(trace->options))
		memcpy(&trace->options, options, options->size);
	return trace;
}

/**
 * tring_open - open a trace
 * @trace: set to the trace, to be closed with tring_close() also after an error
 * @path: the trace's directory, or that of its parts; a trace.dat, or "FILE:INSTANCE" of one
 * @options: NULL for the defaults
 *
 * Return: 0 or a negative errno, which tring_status() and tring_status_text() tell, too.
 */
int tring_open(struct tring_trace **trace, const char *path, const struct tring_options *options)
{
	struct tring_trace *opened = tring_trace_make(options, path);
	struct tring_sink *before = tring_trace_enter(opened);
	int error;

	*trace = opened;
	error = tring_load_trace(opened, opened->path);
	if (!error)
		tring_load_tasks(opened);
	return tring_trace_leave(opened, before, error);
}

/**
 * tring_open_fd - open a trace that comes through a pipe
 * @trace: as of tring_open()
 * @fd: a pipe, a socket, or a file, which is read to its end, into memory; the caller closes it
 * @options: NULL for the defaults
 *
 * It is a trace.dat, or the packets of one CPU.
 *
 * Return: as tring_open().
 */
int tring_open_fd(struct tring_trace **trace, int fd, const struct tring_options *options)
{
	struct tring_trace *opened = tring_trace_make(options, "the stream");
	struct tring_sink *before = tring_trace_enter(opened);
	int error = -EBADF;

	*trace = opened;
	if (fd < 0)
		tring_error("%s: %s", opened->path, strerror(EBADF));
	else
		error = tring_load_stream(opened, fd);
	return tring_trace_leave(opened, before, error);
}

/**
 * tring_open_ring - open a ring: what is in it now, or what comes
 * @trace: as of tring_open()
 * @instance: name of the instance, NULL for the top-level ring
 * @options: NULL for the defaults
 *
 * Nothing is consumed, so a recorder beside it loses nothing, unless @options want that. Then
 * tring_follow() takes what has come, and tring_next() gives it.
 *
 * Return: as tring_open().
 */
int tring_open_ring(struct tring_trace **trace, const char *instance,
		    const struct tring_options *options)
{
	struct tring_trace *opened = tring_trace_make(options, instance ? instance : "the ring");
	struct tring_sink *before = tring_trace_enter(opened);

	*trace = opened;
	return tring_trace_leave(opened, before, opened->options.consume ?
				 tring_live_ring_open(opened, instance) :
				 tring_peek(opened, instance));
}

/**
 * tring_close - close a trace
 * @trace: the trace, or NULL
 */
void tring_close(struct tring_trace *trace)
{
	if (!trace)
		return;
	tring_trace_free(trace);
	free(trace->path);
	free(trace->text);
	free(trace);
}

/**
 * tring_library_version - get the version of the library
 */
const char *tring_library_version(void)
{
	return TRING_VERSION;
}

/**
 * tring_status - get the first error of a call
 * @trace: the trace
 *
 * Return: 0 or a negative errno.
 */
int tring_status(const struct tring_trace *trace)
{
	return trace->status;
}

/**
 * tring_status_text - get the text of what was told last
 * @trace: the trace
 *
 * Return: the text, valid until the next call for the trace; "" if nothing was wrong.
 */
const char *tring_status_text(const struct tring_trace *trace)
{
	return trace->text ? trace->text : "";
}

/**
 * tring_problems - get the number of things that were wrong so far
 * @trace: the trace
 *
 * Each was told by a message. What is wrong with packets is counted at the end.
 */
uint64_t tring_problems(const struct tring_trace *trace)
{
	return trace->problems;
}

/**
 * tring_check - check that a trace has all that was recorded
 * @trace: a trace, after tring_next() has returned 0
 *
 * Return: 0; or -ENODATA if something is missing that no loss tells of, or if it is unknown.
 */
int tring_check(struct tring_trace *trace)
{
	struct tring_sink *before = tring_trace_enter(trace);
	uint64_t problems = trace->problems;

	if (trace->parts.count && !trace->is_stream) {
		tring_follow_tell(trace);
		if (!trace->growing)
			tring_complete_check(trace, trace->dir);
	}
	return tring_trace_leave(trace, before, trace->problems == problems ? 0 : -ENODATA);
}

static void restart_cpu(struct tring_cpu *cpu)
{
	if (cpu->trace->live)
		tring_live_ring_start(cpu);
	else if (cpu->count)
		tring_complete_restart(cpu);
	else
		tring_cpu_start(cpu);
	cpu->held_events = 0;
	cpu->held_packets = 0;
	cpu->held = false;
	cpu->errors = 0;
}

static void restart(struct tring_trace *trace)
{
	size_t i;

	for (i = 0; i < trace->count; i++)
		restart_cpu(&trace->cpus[i]);
	tring_cgroups_reset(trace->names.cgroups);
	trace->floor = 0;
	trace->only = 0;
	trace->begun = false;
	if (!trace->follow)
		return;
	tring_follow_free(trace);
	trace->more = false;
	trace->growing = false;
	trace->limit = UINT64_MAX;
}

/* A caller that was built with an older library knows less of them. */
static struct tring_wanted known_part(const struct tring_wanted *wanted)
{
	struct tring_wanted known = { 0 };

	memcpy(&known, wanted, wanted->size < sizeof(known) ? wanted->size : sizeof(known));
	return known;
}

/**
 * tring_wanted_is_good - check a choice without a trace
 * @wanted: the choice
 * @options: where a message goes; NULL for nowhere
 *
 * Return: false if a list or a time has no meaning. Whether a trace has what is named is not
 * checked, and neither are filters.
 */
bool tring_wanted_is_good(const struct tring_wanted *wanted, const struct tring_options *options)
{
	struct tring_trace *none = tring_trace_make(options, "");
	struct tring_sink *before = tring_trace_enter(none);
	const struct tring_wanted known = known_part(wanted);
	bool good = tring_selection_take(&none->chosen, &known);

	tring_trace_leave(none, before, 0);
	tring_close(none);
	return good;
}

/* @selections: one for each trace */
static int choose(struct tring_trace **traces, struct tring_selection *selections, size_t count,
		  const struct tring_wanted *wanted)
{
	size_t i;

	for (i = 0; i < count; i++) {
		traces[i]->selection = NULL;
		traces[i]->every = wanted->every;
		traces[i]->quiet = wanted->quiet;
		traces[i]->newest = wanted->newest;
		traces[i]->nameless = wanted->nameless && !wanted->comms;
		tring_selection_free(&selections[i]);
		restart(traces[i]);
	}
	for (i = 0; i < count; i++)
		if (!tring_selection_take(&selections[i], wanted))
			return -EINVAL;
	if (tring_selection_is_all(selections))
		return 0;
	return tring_selection_apply(selections, traces, count);
}

/**
 * tring_select - choose the events that tring_next() gives
 * @trace: the trace, which begins anew
 * @wanted: the events
 *
 * A loss is given where events of the choice may be missing.
 *
 * Return: 0; or -EINVAL for a bad choice, or if the trace has nothing of it.
 */
int tring_select(struct tring_trace *trace, const struct tring_wanted *wanted)
{
	struct tring_sink *before = tring_trace_enter(trace);
	struct tring_join *join = trace->join;
	const struct tring_wanted known = known_part(wanted);
	int error = -EINVAL;

	if (join) {
		join->given = NULL;
		error = choose(join->traces, join->selections, join->count, &known);
	} else if (trace->events.tep) {
		error = choose(&trace, &trace->chosen, 1, &known);
	}
	return tring_trace_leave(trace, before, error);
}

static void seek(struct tring_trace *trace, uint64_t stamp)
{
	const struct tring_selection *selection = trace->selection;
	uint64_t to = selection ? selection->last : UINT64_MAX;
	size_t i;

	restart(trace);
	if (selection && stamp < selection->first)
		stamp = selection->first;
	for (i = 0; i < trace->count; i++)
		tring_packets_set_range(&trace->cpus[i].packets, &trace->cpus[i].stream, stamp,
					to);
	trace->floor = stamp;
}

static void seek_all(struct tring_join *join, const struct tring_wall *wall)
{
	size_t i;

	join->given = NULL;
	for (i = 0; i < join->count; i++) {
		const struct tring_trace_info *info = &join->traces[i]->info;

		seek(join->traces[i], tring_clock_first_wall(wall, info->clock_frequency,
							     info->clock_offset));
	}
}

/**
 * tring_seek - go on with the first event at or behind a time
 * @trace: the trace
 * @stamp: the time, in ticks of the trace's clock
 *
 * Packets before it are skipped by bisection. Names of tasks that only they tell are unknown.
 *
 * Return: 0.
 */
int tring_seek(struct tring_trace *trace, uint64_t stamp)
{
	struct tring_sink *before = tring_trace_enter(trace);
	struct tring_wall wall;

	if (trace->join) {
		wall = tring_clock_wall(stamp, trace->info.clock_frequency,
					trace->info.clock_offset);
		seek_all(trace->join, &wall);
	} else {
		seek(trace, stamp);
	}
	return tring_trace_leave(trace, before, 0);
}

/**
 * tring_raw_cpu - go to the begin of one CPU, and read its records as they are
 * @trace: the trace
 * @at: place of the CPU, below tring_cpu_count()
 *
 * Others are not read, until the next call that goes elsewhere. Items have no description; nothing
 * is selected by fields, no record is checked, and no name of a task is learnt. What was wrong with
 * packets that were read before is not told again.
 *
 * Return: 0; or -EINVAL for joined traces.
 */
int tring_raw_cpu(struct tring_trace *trace, size_t at)
{
	struct tring_sink *before = tring_trace_enter(trace);

	if (trace->join)
		return tring_trace_leave(trace, before, -EINVAL);
	restart_cpu(&trace->cpus[at]);
	trace->floor = 0;
	trace->only = at + 1;
	trace->begun = false;
	return tring_trace_leave(trace, before, 0);
}

/**
 * tring_place - get a number for the place of an event, or of a loss, in its trace
 * @item: the item that tring_next() gave last, not of a ring that is consumed
 *
 * Return: a number that no other event of the trace has, and no other loss; the same in each
 * reading, whatever is selected.
 */
uint64_t tring_place(const struct tring_item *item)
{
	const struct tring_trace *trace = item->trace;
	const struct tring_cpu *cpu = &trace->cpus[item->cpu_at];
	const uint64_t file = cpu->packets.at * trace->count + cpu->at;
	uint64_t at = trace->dat ? tring_dat_records_place(&cpu->stream) :
				   tring_packets_offset(&cpu->packets, &cpu->stream);

	/* no record begins in the second byte of a packet */
	at += item->record ? item->record->offset : 1;
	/* the multiples of the golden ratio leave files of 2^62 bytes in all their own ranges */
	return file * UINT64_C(0x9e3779b97f4a7c15) + at;
}

/**
 * tring_complain - tell what is wrong with a record, as tring_next() does
 * @item: the item that tring_next() gave last, an event
 * @wrong: what is wrong
 *
 * The message has the place of the record, and tring_problems() counts it.
 */
void tring_complain(const struct tring_item *item, const char *wrong)
{
	tring_cpu_problem(&item->trace->cpus[item->cpu_at], item->record, wrong);
}

/**
 * tring_wants_cpu - check whether a CPU is part of the choice
 * @trace: the trace
 * @cpu: number of the CPU
 */
bool tring_wants_cpu(const struct tring_trace *trace, int cpu)
{
	return !trace->selection || tring_selection_has_cpu(trace->selection, cpu);
}

/**
 * tring_wants_event - check whether events of a kind are part of the choice
 * @trace: the trace
 * @event: the event's description; NULL if the trace has none
 *
 * Return: true if they may be; conditions for their fields are not looked at.
 */
bool tring_wants_event(const struct tring_trace *trace, const struct tring_event *event)
{
	const struct tring_selection *selection = trace->selection;

	return !selection || !selection->ids || (event && selection->ids[event->id]);
}

/**
 * tring_wants_task - check whether a task is part of the choice
 * @trace: the trace
 * @pid: the task's pid
 */
bool tring_wants_task(struct tring_trace *trace, int32_t pid)
{
	const struct tring_selection *selection = trace->selection;

	return !selection || (tring_selection_has_pid(selection, pid) &&
			      (!selection->comms.count ||
			       tring_selection_has_comm(selection, tring_comm(trace, pid))));
}

/**
 * tring_wants_all_tasks - check whether the choice names no tasks
 * @trace: the trace
 */
bool tring_wants_all_tasks(const struct tring_trace *trace)
{
	return !trace->selection ||
	       (!trace->selection->pids.count && !trace->selection->comms.count);
}

/**
 * tring_wants_from - get the begin of the choice
 * @trace: the trace
 *
 * Return: ticks of the trace's clock; 0 if it has none.
 */
uint64_t tring_wants_from(const struct tring_trace *trace)
{
	return trace->selection ? trace->selection->first : 0;
}

/**
 * tring_wants_to - get the end of the choice
 * @trace: the trace
 *
 * Return: ticks of the trace's clock, the last ones; UINT64_MAX if it has none.
 */
uint64_t tring_wants_to(const struct tring_trace *trace)
{
	return trace->selection ? trace->selection->last : UINT64_MAX;
}

/**
 * tring_has_later - check whether there are events behind the end of the choice
 * @trace: the trace, of which all events were read. Of a ring that is consumed, after tring_next()
 *	has returned -EAGAIN, these are events that were read and wait for the next tring_follow()
 */
bool tring_has_later(const struct tring_trace *trace)
{
	bool later = trace->later || (trace->live && trace->entry);
	size_t i;

	for (i = 0; i < trace->count; i++)
		later |= trace->cpus[i].stream.partial;
	return later;
}
