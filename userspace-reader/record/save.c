// SPDX-License-Identifier: GPL-2.0
/*
 * Saves what a ring has as a trace directory, like one of a recording.
 *
 * The counters of the end are those of the moment when the content was taken, as if it was
 * read then: what the ring has recorded since is not in them. Those of the start are
 * tring start's, or those of the end of the trace that was saved before: see started.c. For
 * a ring that was not started the start is that of the ring's trace, as far as the packets
 * tell: the last one has the number of lost events.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "lock.h"
#include "recording.h"
#include "save.h"
#include "state.h"
#include "trace/trace_dir.h"
#include "wire/wire.h"
#include "util/util.h"

/**
 * struct save - a trace that is being saved
 * @options: what to save
 * @recording_options: options of @recording
 * @recording: the trace; its threads are not started, their drains are used here
 * @before: counters of each CPU before its content is read
 * @started: what tring start has left behind
 * @is_started: @started is valid for the ring's trace
 */
struct save {
	const struct tring_save_options *options;
	struct tring_recording_options recording_options;
	struct tring_recording recording;
	struct tring_stats *before;
	struct tring_leftover started;
	bool		is_started;
};

static int read_before(struct save *save)
{
	const struct tring_control *control = &save->recording.control;
	int error = 0;
	size_t i;

	for (i = 0; i < control->cpu_count && !error; i++)
		error = tring_control_stats(control, control->cpus[i], &save->before[i]);
	return error;
}

static uint64_t sum(const struct save *save, const char *name)
{
	uint64_t value = 0;
	size_t i;

	for (i = 0; i < save->recording.control.cpu_count; i++)
		value += tring_stats_value(&save->before[i], name);
	return value;
}

/* Nothing is consumed before it is known that the directory can take it. */
static int check_dir(const struct save *save)
{
	return tring_trace_dir_probe(save->options->dir, save->recording.control.cpu_count,
				     sum(save, "remaining_bytes"));
}

/* The files of the packets are open: no other program takes the snapshot away. */
static int take_snapshot(struct save *save)
{
	const struct tring_control *control = &save->recording.control;
	int error;

	if (sum(save, "snapshot") && !save->options->renew) {
		tring_note("saving the snapshot that is there; \"tring snapshot\" then takes one");
		return 0;
	}
	error = tring_control_try(control, "snapshot", "1");
	if (error == -ENOMEM)
		tring_error("%s: the kernel has no memory for as large a ring; %s", control->dir,
			    "\"tring extract\" needs none");
	else
		tring_control_report(control, "snapshot", "1", error);
	return error ? error : read_before(save);
}

static int read_started(struct save *save)
{
	struct tring_recording *recording = &save->recording;
	int found = tring_leftover_find(&save->started, &recording->control);
	struct tring_trace_info info;
	char *uuid;

	if (found <= 0 || !save->started.started)
		return found < 0 ? found : 0;
	if (tring_control_info(&recording->control, &info, NULL))
		return -EIO;
	uuid = tring_uuid_text(info.uuid);
	save->is_started = !strcmp(uuid, save->started.started);
	free(uuid);
	return 0;
}

static int prepare(struct save *save)
{
	struct tring_recording *recording = &save->recording;
	struct tring_control *control = &recording->control;
	int error;

	save->recording_options.dir = save->options->dir;
	save->recording_options.compress = save->options->compress;
	tring_recording_init(recording, &save->recording_options);
	error = tring_control_open(control, save->options->instance, false);
	if (!error)
		error = tring_events_init(&recording->events);
	recording->events.only_fields = true;
	tring_recording_adapt();
	if (!error)
		error = tring_lock(control, "it saves what the ring has");
	if (error)
		return error;
	save->before = tring_allocate(control->cpu_count * sizeof(*save->before));
	error = read_before(save);
	if (!error)
		error = read_started(save);
	if (!error)
		error = check_dir(save);
	if (!error)
		error = tring_recording_open_packets(recording, save->options->snapshot ?
						     TRING_PACKETS_SNAPSHOT : TRING_PACKETS_PIPE);
	if (!error && save->options->snapshot)
		error = take_snapshot(save);
	if (!error)
		error = tring_trace_dir_take(save->options->dir);
	if (!error)
		error = tring_recording_begin_dir(recording);
	return error ? error : tring_recording_begin_maps(recording, false);
}

/*
 * The counters at the moment of the snapshot, as if it had been read then. @after: when it
 * was read; until then the live ring was not.
 */
static void end_of_snapshot(struct tring_stats *end, const struct tring_stats *after)
{
	uint64_t events = tring_stats_value(end, "snapshot");
	uint64_t bytes = tring_stats_value(after, "read_bytes") -
			 tring_stats_value(end, "read_bytes");
	uint64_t packets = tring_stats_value(after, "packets_read") -
			   tring_stats_value(end, "packets_read");

	tring_stats_add(end, "snapshot", -events);
	tring_stats_add(end, "remaining", -events);
	tring_stats_add(end, "read", events);
	tring_stats_add(end, "remaining_bytes", -bytes);
	tring_stats_add(end, "read_bytes", bytes);
	tring_stats_add(end, "packets_read", packets);
	tring_stats_leave_out(end, tring_stats_value(end, "remaining"),
			      tring_stats_value(end, "remaining_bytes"));
}

/* A snapshot that is there belongs to the trace that is saved next. */
static void leave_snapshot(struct tring_stats *end)
{
	uint64_t events = tring_stats_value(end, "snapshot");

	tring_stats_add(end, "snapshot", -events);
	tring_stats_leave_out(end, events, tring_stats_value(end, "remaining_bytes"));
}

/* The start of a ring that was not started: the last packet has the losses since. */
static void guess_start(struct tring_stats *start, const struct tring_stats *before,
			const struct tring_stats *end, const struct tring_drain *drain)
{
	uint64_t events = tring_stats_value(end, "read") - tring_stats_value(before, "read");
	uint64_t overwritten = tring_stats_value(end, "overwritten"), lost = 0, bytes;
	struct tring_packet last;

	if (drain->has_last) {
		tring_packet_parse(drain->last, sizeof(drain->last), &last);
		lost = last.discarded;
	}
	bytes = tring_stats_value(end, "read_bytes") - tring_stats_value(before, "read_bytes");
	if (overwritten > lost)
		overwritten = lost;
	*start = *end;
	tring_stats_add(start, "read", -events);
	tring_stats_add(start, "overwritten", -overwritten);
	tring_stats_add(start, "refused_no_room", overwritten - lost);
	tring_stats_add(start, "committed", -events - overwritten);
	tring_stats_add(start, "discarded", -drain->discarded_records);
	tring_stats_add(start, "reserved", -events - overwritten - drain->discarded_records);
	tring_stats_add(start, "read_bytes", -bytes);
	tring_stats_add(start, "committed_bytes", -bytes);
}

/* Read the counters of a CPU's end, and write them and those of its start. */
static int count(struct save *save, size_t number)
{
	struct tring_recording *recording = &save->recording;
	const struct tring_drain *drain = &recording->threads[number].drain;
	struct tring_started_cpu *begun = tring_started_cpu(&save->started, drain->cpu);
	struct tring_recording_cpu *cpu = &recording->cpus[number];
	struct tring_stats after;
	int error = tring_control_stats(&recording->control, drain->cpu, &after);

	if (error)
		return error;
	cpu->end = save->options->snapshot ? save->before[number] : after;
	if (save->options->snapshot)
		end_of_snapshot(&cpu->end, &after);
	else
		leave_snapshot(&cpu->end);
	if (save->is_started && begun)
		cpu->start = begun->stats;
	else
		guess_start(&cpu->start, &save->before[number], &cpu->end, drain);
	error = tring_recording_write_stats(save->options->dir, drain->cpu, "start", &cpu->start);
	if (!error && !drain->unsure)
		error = tring_recording_write_stats(save->options->dir, drain->cpu, "end",
						    &cpu->end);
	if (begun)
		begun->stats = cpu->end;
	tring_stats_subtract(&cpu->end, &cpu->start);
	if (begun)
		begun->told += tring_stats_lost(&cpu->end);
	return error;
}

static int move_cpu(struct save *save, size_t number)
{
	struct tring_drain *drain = &save->recording.threads[number].drain;
	const struct tring_started_cpu *begun = tring_started_cpu(&save->started, drain->cpu);
	int error, failed;

	if (save->is_started && begun)
		drain->told = begun->told;
	error = tring_drain_finish(drain);
	failed = count(save, number);
	return error ? error : failed;
}

static int move_cpus(struct save *save)
{
	int error = 0, failed;
	size_t i;

	for (i = 0; i < save->recording.control.cpu_count; i++) {
		failed = move_cpu(save, i);
		if (failed)
			error = failed;
	}
	return error;
}

/*
 * A ring that records would record this program, too, and overwrite what is still to be read.
 * So recording is off meanwhile, as for "trace-cmd extract".
 */
static int move_cpus_while_off(struct save *save)
{
	const struct tring_control *control = &save->recording.control;
	uint64_t refused = sum(save, "refused_off"), begin = tring_now_ns();
	int error = tring_control_write(control, "tracing_on", "0"), failed;

	if (!error)
		error = move_cpus(save);
	failed = tring_control_write(control, "tracing_on", "1");
	if (!failed)
		failed = read_before(save);
	if (!failed)
		tring_note("recording was off for %.3f s meanwhile: %" PRIu64 " events refused",
			   (tring_now_ns() - begin) / 1e9, sum(save, "refused_off") - refused);
	return error ? error : failed;
}

/*
 * All steps are tried after an error, and no signal ends them: what is consumed is nowhere else,
 * and recording may be off.
 */
static int move_all(struct save *save)
{
	struct tring_recording *recording = &save->recording;
	/* a trigger may have switched it off just now */
	bool records = !save->options->snapshot && tring_control_is_on(&recording->control);
	int error = records ? move_cpus_while_off(save) : move_cpus(save), failed;
	bool know_end = true;
	size_t i;

	for (i = 0; i < recording->control.cpu_count; i++)
		know_end &= recording->cpus[i].end.count > 0;
	tring_trace_dir_release(save->options->dir);
	failed = tring_recording_complete_dir(recording, know_end);
	if (failed)
		error = failed;
	if (save->is_started) {
		failed = tring_started_update(&save->started);
		if (failed)
			error = failed;
	}
	return error;
}

/* A flight recorder overwrites what is old. */
static void tell_of_losses(uint64_t lost)
{
	if (lost)
		tring_note("%" PRIu64 " older events are lost, see the table for where and why",
			   lost);
}

/**
 * tring_save - save what a ring has as a trace directory
 * @options: what to save
 *
 * Return: 0; 1 if the counters do not balance; or a negative errno; reported on stderr.
 */
int tring_save(const struct tring_save_options *options)
{
	struct save save = { .options = options };
	int error = prepare(&save), failed;
	sigset_t all, old;
	uint64_t lost = 0;

	if (!error) {
		sigfillset(&all);
		sigprocmask(SIG_BLOCK, &all, &old);
		error = move_all(&save);
		sigprocmask(SIG_SETMASK, &old, NULL);
		if (tring_recording_show_table(&save.recording, &lost) && !error)
			error = 1;
		tell_of_losses(lost);
	}
	failed = tring_recording_end(&save.recording);
	free(save.before);
	tring_leftover_free(&save.started);
	return error ? error : failed;
}
