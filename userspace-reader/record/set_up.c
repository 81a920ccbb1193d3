// SPDX-License-Identifier: GPL-2.0
/*
 * The ring's settings for a recording, up to its new trace.
 *
 * What the kernel may refuse comes first, and what drops the ring's content comes last:
 * a smaller size, the clock, whose change begins a new trace, and the new trace of the
 * recording.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "origin.h"
#include "process.h"
#include "recording.h"
#include "tracefs/available.h"
#include "util/util.h"

/*
 * Level at which a ring wakes its thread. A wake-up costs some thousand instructions, so
 * it should bring many packets; what is above the level is for the events that come until
 * the thread runs. Rings of four and of sixteen sub-buffers wake at one and at four.
 */
#define WAKE_PERCENT		25

#define TRACER			"current_tracer"
#define KERNEL_STACKS		"options/stacktrace"
#define EVENT_PIDS		"set_event_pid"
#define EVENT_NO_PIDS		"set_event_notrace_pid"
#define EVENT_CGROUPS		"set_event_cgroup"

/* What keeps the kernel from changing the fields of events. */
#define BUSY_CALLS	"events of system calls are on already, or another program reads the ring"

/* Return: memory that the kernel can still give, in KiB; 0 if it is unknown. */
static uint64_t available_kb(void)
{
	char *text = tring_read_text("/proc/meminfo", NULL);
	char *line = text ? strstr(text, "MemAvailable:") : NULL;
	uint64_t kb = line ? strtoull(line + strlen("MemAvailable:"), NULL, 10) : 0;

	free(text);
	return kb;
}

/* @what: the option, and what the kernel refuses */
static void report_size(const struct tring_recording *recording, const char *what,
			int error)
{
	tring_error("%s: %s; %" PRIu64 " KiB are available for the rings of %zu CPUs", what,
		    strerror(-error), available_kb(), recording->control.cpu_count);
}

static int set_size(struct tring_recording *recording)
{
	const struct tring_recording_options *options = recording->options;
	int error = tring_settings_try(&recording->settings, "buffer_size_kb",
				       options->size_kb);
	char *what = tring_format("-b %s: the kernel refuses %s KiB for each CPU",
				  options->size, options->size_kb);

	if (error)
		report_size(recording, what, error);
	free(what);
	return error;
}

static int set_overwrite(struct tring_recording *recording)
{
	const char *value = recording->options->overwrite;
	int error = tring_settings_try(&recording->settings, "options/overwrite", value);

	if (error)
		tring_error("--%s: the kernel refuses it: %s; without it the ring keeps its mode",
			    *value == '1' ? "overwrite" : "discard", strerror(-error));
	return error;
}

static int write_events(struct tring_recording *recording)
{
	char *patterns = tring_dynamics_patterns(&recording->dynamics,
						 recording->options->events);
	int error = 0;

	if (!patterns)
		return 0;
	tring_recording_show_step("switching events on");
	error = tring_settings_try(&recording->settings, "set_event", patterns);
	tring_recording_show_step(NULL);
	free(patterns);
	return error;
}

/*
 * Events that are on run their probes also while recording is off, and to load a thousand
 * descriptions makes some 100,000 of them: so that comes first.
 */
static int load_wanted(struct tring_recording *recording)
{
	const struct tring_recording_options *options = recording->options;

	if (!options->available.count)
		return 0;
	return tring_available_add(&recording->events, &recording->control, &options->available,
				   options->events);
}

/* The first event allocates the rings. */
static int set_events(struct tring_recording *recording)
{
	int error = write_events(recording);

	if (error == -ENOMEM)
		report_size(recording, "-e, -b: the kernel refuses the rings' memory", error);
	else if (error)
		tring_error("-e: the kernel refuses the events: %s", strerror(-error));
	return error;
}

/* @known: an errno of the kernel's for @why */
static int set(struct tring_recording *recording, const char *option, const char *file,
	       const char *value, int known, const char *why)
{
	int error = tring_settings_try(&recording->settings, file, value);

	if (error == known)
		tring_error("%s %s: %s", option, value, why);
	else if (error)
		tring_error("%s %s: the kernel refuses it: %s", option, value, strerror(-error));
	return error;
}

/*
 * While children are followed, forks change both lists. So these are put back when
 * children are not followed any more, whether they are written here or not.
 */
static int follow_children(struct tring_settings *settings)
{
	static const char * const lists[] = { EVENT_PIDS, EVENT_NO_PIDS };
	int error = 0;
	size_t i;

	for (i = 0; i < sizeof(lists) / sizeof(lists[0]) && !error; i++)
		error = tring_settings_add(settings, lists[i],
					   tring_settings_read(settings->control, lists[i]));
	return error ? error : tring_settings_change(settings, "options/event-fork", "1");
}

/* No counter has what a user has kept out of the ring before, by hand or by "tring start". */
static void tell_limits(const struct tring_recording *recording)
{
	static const char * const files[] = {
		EVENT_PIDS, EVENT_NO_PIDS, EVENT_CGROUPS, TRING_CPU_MASK
	};
	size_t i;

	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (!tring_settings_have(&recording->settings, files[i]) &&
		    tring_origin_is_limit(&recording->control, files[i]))
			tring_error("%s: it was set before, so not all %s are recorded", files[i],
				    strcmp(files[i], TRING_CPU_MASK) ? "tasks" : "CPUs");
}

/* Adds the threads of processes, until the kernel has all. */
static int add_threads(struct tring_recording *recording)
{
	const struct tring_control *control = &recording->control;
	char *added, *pids;
	int error = 0;
	bool more;

	do {
		pids = tring_control_read(control, EVENT_PIDS);
		added = pids ? tring_process_threads(pids, recording->options->pids) : NULL;
		more = added;
		if (more || !pids)
			error = pids ? tring_control_append(control, EVENT_PIDS, added) : -EIO;
		free(pids);
		free(added);
	} while (!error && more);
	return error;
}

/* Children first: none of a task in the list is missed. */
static int set_tasks(struct tring_recording *recording)
{
	const struct tring_recording_options *options = recording->options;
	struct tring_settings *settings = &recording->settings;
	char *pids = tring_format("%s", options->pids ? options->pids : ""), *more;
	int error = 0;

	if (options->only_command) {
		more = tring_format("%s%s%d", pids, *pids ? " " : "", recording->child.proc_pid);
		free(pids);
		pids = more;
	}
	if (options->children)
		error = follow_children(settings);
	if (!error && *pids)
		error = tring_settings_change(settings, EVENT_PIDS, pids);
	if (!error && options->children && options->pids)
		error = add_threads(recording);
	free(pids);
	return error;
}

static int set_cgroups(struct tring_recording *recording)
{
	int error = tring_settings_try(&recording->settings, EVENT_CGROUPS,
				       recording->options->cgroups);

	if (error == -ENOSPC)
		tring_error("--cgroup: the kernel does not take as many");
	else if (error)
		tring_error("--cgroup: the kernel refuses it: %s", strerror(-error));
	return error;
}

static int set_stacks(struct tring_recording *recording)
{
	const struct tring_recording_options *options = recording->options;
	struct tring_settings *settings = &recording->settings;
	int error = options->stacks ? tring_settings_change(settings, KERNEL_STACKS, "1") : 0;

	if (!error && options->user_stacks)
		error = tring_settings_change(settings, TRING_USER_STACKS, "1");
	return error;
}

/* Load an event that no probe records. An older module, or another kernel, may not have @file. */
static int load_if(struct tring_recording *recording, const char *file, const char *value,
		   const char *event)
{
	char *formats = tring_format("%s/events", recording->control.tracing);
	char *text = tring_control_read_if(&recording->control, file);
	int error = 0;

	if (text && !strcmp(text, value))
		error = tring_events_add(&recording->events, formats, "ftrace", event);
	free(text);
	free(formats);
	return error;
}

static int load_calls(struct tring_recording *recording)
{
	int error = load_if(recording, TRACER, "function", "function");

	if (!error)
		error = load_if(recording, TRACER, "function_graph", "funcgraph_entry");
	return error ? error : load_if(recording, TRACER, "function_graph", "funcgraph_exit");
}

static int load_stacks(struct tring_recording *recording)
{
	int error = load_if(recording, KERNEL_STACKS, "1", "kernel_stack");

	return error ? error : load_if(recording, TRING_USER_STACKS, "1", "user_stack");
}

static int load_events(struct tring_recording *recording)
{
	int error = tring_available_load(&recording->events, &recording->control);

	if (!error)
		error = load_calls(recording);
	if (!error && !recording->events.count)
		tring_error("no event is enabled (see -e, -p): only what modules or users write");
	return error ? error : load_stacks(recording);
}

static int count_remaining(const struct tring_control *control, uint64_t *events)
{
	struct tring_stats stats;
	int error = 0;
	size_t i;

	*events = 0;
	for (i = 0; i < control->cpu_count && !error; i++) {
		error = tring_control_stats(control, control->cpus[i], &stats);
		if (!error)
			*events += tring_stats_value(&stats, "remaining");
	}
	return error;
}

/*
 * Events that are in the ring already are not part of this recording, and the
 * metadata may not describe them. Without a new trace the viewers would also
 * report each event that the ring has lost since the module was loaded.
 */
static int begin_new_trace(const struct tring_recording *recording, uint64_t before)
{
	uint64_t after;
	int error = tring_control_begin_trace(&recording->control);

	if (!error)
		error = count_remaining(&recording->control, &after);
	if (!error && before > after)
		tring_note("dropped %" PRIu64 " events that were in the ring before the recording",
			   before - after);
	return error;
}

/* Return: -EBUSY, reported on stderr, if a program has the file of a CPU open. */
static int check_file(const struct tring_control *control, int cpu, const char *file)
{
	char *path = tring_format("%s/per_cpu/cpu%d/%s", control->dir, cpu, file);
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	bool is_busy = fd < 0 && errno == EBUSY;

	if (fd >= 0)
		close(fd);
	if (is_busy)
		tring_error("%s: cannot begin a new trace while another program reads the ring",
			    path);
	free(path);
	return is_busy ? -EBUSY : 0;
}

/* A smaller ring drops some of its content, so readers are looked for before that. */
static int check_readers(const struct tring_control *control)
{
	int error = 0;
	size_t i;

	for (i = 0; i < control->cpu_count && !error; i++) {
		error = check_file(control, control->cpus[i], TRING_PACKETS_PIPE);
		if (!error)
			error = check_file(control, control->cpus[i],
					   TRING_PACKETS_SNAPSHOT);
	}
	return error;
}

/* From the size on, each step may drop what is in the ring. */
static int begin(struct tring_recording *recording)
{
	const struct tring_recording_options *options = recording->options;
	uint64_t before;
	int error = count_remaining(&recording->control, &before);

	if (!error && options->persistent)
		error = tring_blackbox_move_out(recording);
	if (!error && options->size_kb)
		error = set_size(recording);
	if (!error && options->persistent)
		error = tring_blackbox_move_in(recording);
	if (!error && options->clock)
		error = set(recording, "-C", "trace_clock", options->clock, -EBUSY,
			    "cannot begin a new trace while another program reads the ring");
	if (!error)
		error = begin_new_trace(recording, before);
	return error ? error : tring_blackbox_leave_blob(recording);
}

/* What one read brings is to fit into a part, if the rings are large for --max-size. */
static int set_wake(struct tring_recording *recording)
{
	const struct tring_recording_options *options = recording->options;
	const struct tring_control *control = &recording->control;
	uint64_t percent = WAKE_PERCENT, part = tring_parts_limit(options), kb, most;
	char *size = NULL, *text;
	int error;

	if (options->max_bytes)
		size = options->size_kb ? tring_format("%s", options->size_kb) :
					  tring_settings_read(control, "buffer_size_kb");
	if (size && tring_parse_number(size, &kb) && kb) {
		most = part * 100 / 1024 / kb / control->cpu_count;
		if (most < percent)
			percent = most ? most : 1;
	}
	text = tring_format("%" PRIu64, percent);
	error = tring_settings_change(&recording->settings, "buffer_percent", text);
	free(text);
	free(size);
	return error;
}

/**
 * tring_recording_set_up - change the ring's settings and begin a new trace
 * @recording: recording whose ring is open
 *
 * Return: 0 or a negative errno, reported on stderr. After an error the ring has its
 * content, unless another program has begun to read the ring meanwhile.
 */
int tring_recording_set_up(struct tring_recording *recording)
{
	const struct tring_recording_options *options = recording->options;
	struct tring_settings *settings = &recording->settings;
	int error = check_readers(&recording->control);

	if (!error)
		error = tring_settings_change(settings, "tracing_on", "0");
	if (!error && options->overwrite)
		error = set_overwrite(recording);
	if (!error && options->dir)
		error = set_wake(recording);
	if (!error && options->cpus)
		error = set(recording, "-M", TRING_CPU_MASK, options->cpus, -EOVERFLOW,
			    "it has a CPU that this machine does not have");
	if (!error && options->cgroups)
		error = set_cgroups(recording);
	if (!error)
		error = set_tasks(recording);
	if (!error)
		error = set_stacks(recording);
	/* filters may look at the strings, and formats have them, so it comes before both */
	if (!error && options->strings)
		error = set(recording, "--strings", TRING_STRING_SIZE, options->strings, -EBUSY,
			    BUSY_CALLS);
	if (!error)
		error = tring_filters_set_up(recording);
	if (!error)
		error = load_wanted(recording);
	if (!error)
		error = set_events(recording);
	if (!error)
		error = tring_calls_set_up(recording);
	if (!error)
		error = load_events(recording);
	if (!error)
		error = tring_triggers_ask(recording);
	if (!error)
		tell_limits(recording);
	return error ? error : begin(recording);
}
