// SPDX-License-Identifier: GPL-2.0
/* The trace directory of a recording: what precedes the first packet, and follows the last. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "origin.h"
#include "recording.h"
#include "trace/kernel.h"
#include "trace/trace_dir.h"
#include "watch.h"
#include "util/util.h"

static int keep_info(struct tring_recording *recording, const char *dir,
		     struct tring_trace_info *info)
{
	char *text = tring_origin_text(&recording->control, &recording->options->rules);
	char *ring = NULL, *both;
	int error = text ? tring_control_info(&recording->control, info, &ring) : -ENOMEM;

	if (!error) {
		both = tring_format("%s\nsave_ns=%" PRIu64 "\n%s", ring,
				    recording->options->save_ns, text);
		free(recording->info_text);
		recording->info_text = tring_format("%s", both);
		if (recording->options->watch)
			tring_extend(&both, TRING_STOPPED_BY "%s\n", TRING_WATCH_NOTHING);
		error = tring_trace_info_parse(info, both, "trace_info");
		if (!error)
			error = tring_trace_dir_extra(dir, TRING_FILE_INFO, both);
		free(both);
	}
	free(ring);
	free(text);
	return error;
}

/**
 * tring_recording_begin_dir - begin the trace directory, up to the first packet
 * @recording: recording whose ring is set up, and whose directory was taken
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_recording_begin_dir(struct tring_recording *recording)
{
	const char *tracing = recording->control.tracing;
	char *formats = tring_format("%s/events", tracing);
	const char *dir = recording->dir;
	int error = tring_trace_dir_begin(dir);
	char *tasks;

	recording->modules = tring_read_text(TRING_KERNEL_MODULES, NULL);
	if (!error)
		error = keep_info(recording, dir, &recording->info);
	if (!error)
		error = tring_trace_dir_kernel(dir, tracing);
	tasks = error ? NULL : tring_kernel_tasks();
	if (!error)
		error = tring_trace_dir_tasks(dir, tasks);
	free(tasks);
	/* modules write this event whether or not events are enabled */
	if (!error)
		error = tring_events_add_if(&recording->events, formats, "ftrace", "print");
	free(formats);
	if (!error)
		error = tring_recording_describe_start(recording);
	if (!error)
		error = tring_trace_dir_reserve(dir, recording->control.cpu_count);
	return error;
}

/* The trace has addresses of programs. */
static bool has_programs(const struct tring_recording *recording)
{
	const struct tring_dynamics *dynamics = &recording->dynamics;
	char *text = tring_control_read_if(&recording->control, TRING_USER_STACKS);
	bool has = text && *text == '1';
	size_t i;

	for (i = 0; i < dynamics->count; i++)
		has |= *dynamics->list[i].kind == 'u';
	free(text);
	return has;
}

/**
 * tring_recording_begin_maps - begin to write down what programs have in their memory
 * @recording: recording whose trace directory exists
 * @watch: also what changes from now on
 *
 * Nothing is done for a trace without addresses of programs.
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_recording_begin_maps(struct tring_recording *recording, bool watch)
{
	recording->maps.is_wanted = has_programs(recording);
	tring_maps_watch(&recording->maps, &recording->info, watch);
	return tring_maps_begin(&recording->maps, recording->dir);
}

/**
 * tring_recording_begin_part - begin the directory of a further part
 * @recording: recording whose threads run, with the directory of the present part
 * @dir: directory of the further part
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_recording_begin_part(struct tring_recording *recording, const char *dir)
{
	struct tring_trace_info same;
	int error = tring_trace_dir_begin(dir);

	if (!error)
		error = keep_info(recording, dir, &same);
	if (!error)
		error = tring_trace_dir_kernel(dir, recording->control.tracing);
	if (!error)
		error = tring_recording_describe_next(recording, dir);
	if (!error)
		error = tring_maps_begin(&recording->maps, dir);
	return error ? error : tring_trace_dir_reserve(dir, recording->control.cpu_count);
}

/**
 * tring_recording_write_stats - write down a CPU's counters
 * @dir: trace directory
 * @cpu: number of the CPU
 * @tail: "start" or "end"
 * @stats: the counters
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_recording_write_stats(const char *dir, int cpu, const char *tail,
				const struct tring_stats *stats)
{
	char *name = tring_format("cpu%d.%s", cpu, tail), *text = tring_stats_text(stats);
	int error = tring_trace_dir_extra(dir, name, text);

	free(text);
	free(name);
	return error;
}

/* Each CPU has lost what the ring has lost, and what is not in its file. */
static int note_losses(struct tring_recording *recording)
{
	int error = 0, failed;
	size_t i;

	for (i = 0; i < recording->control.cpu_count; i++) {
		struct tring_drain *drain = &recording->threads[i].drain;
		const struct tring_stats *end = &recording->cpus[i].end;
		uint64_t recorded = tring_stats_recorded(end);
		uint64_t lost = tring_stats_missing(end);

		if (recorded > drain->events)
			lost += recorded - drain->events;
		failed = tring_drain_note_losses(drain, lost);
		if (failed)
			error = failed;
	}
	return error;
}

/**
 * tring_recording_complete_dir - complete the trace directory
 * @recording: recording whose packets are in the files
 * @know_end: the counters of the CPUs are those of the end
 *
 * Return: 0, or the last negative errno, reported on stderr; all steps are tried.
 */
int tring_recording_complete_dir(struct tring_recording *recording, bool know_end)
{
	int error = know_end ? note_losses(recording) : 0, failed;
	char *tasks = NULL;

	if (know_end && !error)
		error = tring_trace_dir_cmdlines(recording->dir, recording->control.tracing,
						 &tasks);
	failed = tring_recording_describe_end(recording);
	/* a full disk can do without the rest */
	if (know_end && !error && !failed)
		failed = tring_trace_dir_tasks(recording->dir, tasks);
	free(tasks);
	if (failed)
		error = failed;
	failed = tring_recording_keep_symbols(recording);
	return failed ? failed : error;
}
