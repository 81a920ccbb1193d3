// SPDX-License-Identifier: GPL-2.0
/*
 * The parts of a recording that is split. Each is a trace directory, whole by itself: its
 * files have whole packets, its metadata describes them, its counters balance, and it tells
 * the losses since the part before. So --max-size drops whole parts, the oldest first.
 *
 * The next part is described before the present one ends. Then the threads save what they
 * have moved and end, the counters are read, which are the end of one part and the start of
 * the next, and threads go on with the files of the next part. Meanwhile the rings take what
 * comes. What takes longer, such as waiting for the disk, follows when the threads run again.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "recording.h"
#include "trace/hold.h"
#include "trace/parts_dir.h"
#include "trace/trace_dir.h"
#include "util/tree.h"
#include "util/util.h"

/* Whole parts are dropped, so these are the steps in which the size of all varies. */
#define PARTS_OF_MAX_SIZE	8

/* How often the size of the present part is looked at. */
#define LOOK_NS			20000000ull

/**
 * tring_parts_limit - get the size at which a part ends
 * @options: options of the recording
 *
 * Return: bytes of packets, or of frames; 0 for none.
 */
uint64_t tring_parts_limit(const struct tring_recording_options *options)
{
	uint64_t limit = options->max_bytes / PARTS_OF_MAX_SIZE;

	if (!options->split_bytes || (limit && limit < options->split_bytes))
		return limit;
	return options->split_bytes;
}

static bool is_split(const struct tring_recording_options *options)
{
	return tring_parts_limit(options) || options->split_ns;
}

/**
 * tring_parts_begin - begin the first part if the recording is split
 * @recording: recording whose ring is set up
 */
void tring_parts_begin(struct tring_recording *recording)
{
	const struct tring_recording_options *options = recording->options;
	struct tring_parts *parts = &recording->parts;

	if (!is_split(options))
		return;
	parts->number = 1;
	parts->begin_ns = tring_now_ns();
	parts->dropped = tring_allocate(recording->control.cpu_count * sizeof(*parts->dropped));
	parts->lost = tring_allocate(recording->control.cpu_count * sizeof(*parts->lost));
	free(recording->dir);
	recording->dir = tring_part_path(options->dir, parts->number);
}

static int publish(const char *draft, const char *part)
{
	int error = tring_tree_rename(draft, part);

	if (error)
		tring_error("%s: %s", part, strerror(-error));
	return error;
}

/* Until the process ends, the directory is one in which a trace is recorded. */
static int hold(const struct tring_recording *recording)
{
	int dir = tring_tree_list(recording->options->dir);

	if (dir >= 0)
		tring_hold(dir);
	return dir < 0 ? dir : 0;
}

/**
 * tring_parts_begin_dir - begin the trace directory, or that of the first part
 * @recording: recording after tring_parts_begin()
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_parts_begin_dir(struct tring_recording *recording)
{
	char *first = recording->dir;
	int error;

	if (!recording->parts.number) {
		error = tring_recording_begin_dir(recording);
		return error ? error : hold(recording);
	}
	recording->dir = tring_part_draft(recording->options->dir);
	error = tring_trace_dir_clear(recording->options->dir);
	if (!error)
		error = tring_recording_begin_dir(recording);
	if (!error)
		error = publish(recording->dir, first);
	free(recording->dir);
	recording->dir = first;
	return error ? error : hold(recording);
}

static uint64_t count_bytes(const struct tring_recording *recording)
{
	uint64_t bytes = 0;
	size_t i;

	for (i = 0; i < recording->control.cpu_count; i++)
		bytes += atomic_load(&recording->threads[i].progress.stored);
	return bytes;
}

/**
 * tring_parts_due_ns - get the time at which the present part should be looked at
 * @recording: the recording
 * @now: the present time
 *
 * Return: @now if the next part should begin; UINT64_MAX if the recording is not split.
 */
uint64_t tring_parts_due_ns(const struct tring_recording *recording, uint64_t now)
{
	const struct tring_recording_options *options = recording->options;
	uint64_t limit = tring_parts_limit(options), due = UINT64_MAX;

	if (limit)
		due = count_bytes(recording) >= limit ? now : now + LOOK_NS;
	if (options->split_ns && recording->parts.begin_ns + options->split_ns < due)
		due = recording->parts.begin_ns + options->split_ns;
	return due < now ? now : due;
}

/* A user may move a part that has ended, at any moment; or all of the trace, which is no matter. */
static bool is_moved(const char *part)
{
	int dir = tring_tree_list(part);

	if (dir >= 0)
		close(dir);
	return dir == -ENOENT;
}

static int describe_next(struct tring_recording *recording, const char *next)
{
	char *draft = tring_part_draft(recording->options->dir);
	int error = tring_recording_begin_part(recording, draft);

	if (!error)
		error = publish(draft, next);
	if (error && !is_moved(draft))
		tring_parts_dir_remove(draft);
	free(draft);
	return error;
}

static int pause_threads(struct tring_recording *recording)
{
	size_t count = recording->control.cpu_count, i;
	int error = 0, failed;

	for (i = 0; i < count; i++)
		tring_cpu_thread_pause(&recording->threads[i]);
	for (i = 0; i < count; i++) {
		failed = tring_cpu_thread_join(&recording->threads[i]);
		if (failed)
			error = failed;
	}
	return error;
}

/**
 * struct ending - the end of a CPU's part
 * @end: counters of the end
 * @fd: file of the packets, which the disk may not have yet; -1 for none
 */
struct ending {
	struct tring_stats end;
	int		fd;
};

static int read_end(const struct tring_recording *recording, int number, struct tring_stats *end)
{
	int error = tring_control_stats(&recording->control, number, end);

	if (!error)
		tring_stats_leave_out(end, tring_stats_value(end, "remaining") -
				      tring_stats_value(end, "snapshot"),
				      tring_stats_value(end, "remaining_bytes"));
	return error;
}

/* The counters are the end of this part and the start of the next one. */
static int turn_cpu(struct tring_recording *recording, size_t i, struct tring_part *part,
		    struct ending *ending)
{
	struct tring_drain *drain = &recording->threads[i].drain;
	struct tring_recording_cpu *cpu = &recording->cpus[i];
	char *name = tring_stream_name(drain->cpu, recording->options->compress), *path;
	int error = read_end(recording, drain->cpu, &ending->end);

	cpu->end = ending->end;
	tring_stats_subtract(&cpu->end, &cpu->start);
	recording->parts.bad += tring_recording_check_cpu(cpu, drain);
	if (!error)
		error = tring_drain_note_losses(drain, tring_stats_lost(&cpu->end));
	ending->fd = drain->file.fd >= 0 ? dup(drain->file.fd) : -1;
	part->events[i] = drain->events;
	part->lost[i] = tring_stats_lost(&cpu->end);
	part->bytes += tring_stream_file_stored(&drain->file);
	cpu->earlier_events += drain->events;
	cpu->earlier_bytes += drain->bytes;
	cpu->earlier_stored += tring_stream_file_stored(&drain->file);
	cpu->told += tring_stats_lost(&cpu->end);
	if (cpu->earlier.count)
		tring_stats_sum(&cpu->earlier, &cpu->end);
	else
		cpu->earlier = cpu->end;
	cpu->start = ending->end;
	path = tring_trace_path(recording->dir, name);
	if (!error)
		error = tring_drain_go_on(drain, path);
	drain->told = cpu->told;
	atomic_store(&recording->threads[i].progress.bytes, 0);
	atomic_store(&recording->threads[i].progress.stored, 0);
	atomic_store(&recording->threads[i].progress.events, 0);
	atomic_store(&recording->threads[i].progress.ended, false);
	free(path);
	free(name);
	return error;
}

/* What the disk has refused behind the back has no counters of the end. */
static int end_cpu(const struct tring_part *part, int cpu, const struct ending *ending)
{
	int error = 0;

	if (ending->fd >= 0 && fsync(ending->fd)) {
		error = -errno;
		tring_error("%s/cpu%d: %s; the disk may lack any of its packets", part->dir, cpu,
			    strerror(-error));
	}
	return error ? error : tring_recording_write_stats(part->dir, cpu, "end", &ending->end);
}

static int write_dropped(const struct tring_recording *recording, const char *dir)
{
	int error = 0;
	size_t i;

	for (i = 0; i < recording->control.cpu_count && !error; i++) {
		char *name = tring_format("cpu%d.dropped", recording->control.cpus[i]);
		char *text = tring_format("dropped_by_max_size: %" PRIu64 "\n"
					  "lost_before: %" PRIu64 "\n",
					  recording->parts.dropped[i], recording->parts.lost[i]);

		error = tring_trace_dir_extra(dir, name, text);
		free(text);
		free(name);
	}
	return error;
}

static void forget(struct tring_parts *parts, size_t at)
{
	free(parts->list[at].dir);
	free(parts->list[at].events);
	free(parts->list[at].lost);
	parts->count--;
	memmove(parts->list + at, parts->list + at + 1, (parts->count - at) * sizeof(*parts->list));
}

/* What was moved away is not dropped by --max-size, and takes no space. */
static void forget_moved(struct tring_parts *parts)
{
	size_t i = 0;

	while (i < parts->count)
		if (is_moved(parts->list[i].dir))
			forget(parts, i);
		else
			i++;
}

/* The next part knows what is dropped before it is, so that a kill does not hide it. */
static int drop_oldest(struct tring_recording *recording)
{
	struct tring_parts *parts = &recording->parts;
	const struct tring_part *oldest = &parts->list[0];
	const char *next = parts->count > 1 ? parts->list[1].dir : recording->dir;
	size_t i;
	int error;

	for (i = 0; i < recording->control.cpu_count; i++) {
		parts->dropped[i] += oldest->events[i];
		parts->lost[i] += oldest->lost[i];
	}
	error = write_dropped(recording, next);
	/* the numbers are sums: the next drop writes them to a part that is there */
	if (error == -ENOENT && is_moved(next))
		error = 0;
	if (!error)
		error = tring_parts_dir_remove(oldest->dir);
	forget(parts, 0);
	return error;
}

/* @bytes: those that the present part has or is going to have */
static int keep_size(struct tring_recording *recording, uint64_t bytes)
{
	const struct tring_recording_options *options = recording->options;
	struct tring_parts *parts = &recording->parts;
	int error = 0;
	size_t i;

	if (!options->max_bytes)
		return 0;
	forget_moved(parts);
	for (i = 0; i < parts->count; i++)
		bytes += parts->list[i].bytes;
	while (!error && parts->count && bytes > options->max_bytes) {
		bytes -= parts->list[0].bytes;
		error = drop_oldest(recording);
	}
	return error;
}

static int complete_part(const struct tring_recording *recording, const struct tring_part *part,
			 const struct ending *endings)
{
	const struct tring_control *control = &recording->control;
	int error = 0, failed;
	size_t i;

	tring_trace_dir_release(part->dir);
	for (i = 0; i < control->cpu_count; i++) {
		failed = end_cpu(part, control->cpus[i], &endings[i]);
		if (failed)
			error = failed;
	}
	failed = tring_trace_dir_cmdlines(part->dir, control->tracing);
	if (failed)
		error = failed;
	/* it lacks then what the messages say, and the other parts do not */
	return error == -ENOENT && is_moved(part->dir) ? 0 : error;
}

/* What may take a while. */
static int end_part(struct tring_recording *recording, const struct ending *endings)
{
	struct tring_parts *parts = &recording->parts;
	int error = complete_part(recording, &parts->list[parts->count - 1], endings);

	return error ? error : keep_size(recording, tring_parts_limit(recording->options));
}

static struct tring_part *add_part(struct tring_recording *recording)
{
	struct tring_parts *parts = &recording->parts;
	size_t size = recording->control.cpu_count * sizeof(uint64_t);

	parts->list = tring_one_more(parts->list, parts->count, sizeof(*parts->list));
	parts->list[parts->count] = (struct tring_part) {
		.dir = recording->dir,
		.events = tring_allocate(size),
		.lost = tring_allocate(size),
	};
	return &parts->list[parts->count++];
}

static int turn(struct tring_recording *recording, char *next, struct ending *endings)
{
	const struct tring_control *control = &recording->control;
	struct tring_parts *parts = &recording->parts;
	struct tring_part *part = add_part(recording);
	int error = 0, failed;
	size_t i;

	recording->dir = next;
	parts->number++;
	parts->begin_ns = tring_now_ns();
	/* what was met since the next part was described; threads write it before packets */
	recording->described = parts->described;
	recording->unwritten = parts->described < recording->events.count ||
			       memcmp(&parts->shorts, &recording->shorts, sizeof(parts->shorts));
	for (i = 0; i < control->cpu_count; i++) {
		failed = turn_cpu(recording, i, part, &endings[i]);
		if (!failed)
			failed = tring_recording_write_stats(next, control->cpus[i], "start",
							     &recording->cpus[i].start);
		if (failed)
			error = failed;
	}
	return error;
}

/**
 * tring_parts_go_on - end the present part, and begin the next one
 * @recording: recording whose threads run
 *
 * Return: 0 or a negative errno, reported on stderr, after which no thread may run.
 */
int tring_parts_go_on(struct tring_recording *recording)
{
	const struct tring_control *control = &recording->control;
	char *next = tring_part_path(recording->options->dir, recording->parts.number + 1);
	struct ending *endings = tring_allocate(control->cpu_count * sizeof(*endings));
	int error = describe_next(recording, next);
	size_t i;

	if (!error) {
		error = pause_threads(recording);
		if (error)
			tring_parts_dir_remove(next);
	}
	if (error) {
		free(next);
		free(endings);
		return error;
	}
	error = turn(recording, next, endings);
	if (!error)
		error = tring_recording_start_threads(recording);
	if (!error)
		error = end_part(recording, endings);
	for (i = 0; i < control->cpu_count; i++)
		if (endings[i].fd >= 0)
			close(endings[i].fd);
	free(endings);
	return error;
}

/**
 * tring_parts_complete - drop what is too much, and complete the parts that have ended
 * @recording: recording whose last part is complete
 *
 * Return: 0, or the last negative errno, reported on stderr.
 */
int tring_parts_complete(struct tring_recording *recording)
{
	char *present = recording->dir;
	int error, failed;
	uint64_t last = 0;
	size_t i;

	/* it may have more than its limit: all that was in the rings */
	for (i = 0; i < recording->control.cpu_count; i++)
		last += tring_stream_file_stored(&recording->threads[i].drain.file);
	error = keep_size(recording, last);
	for (i = 0; i < recording->parts.count; i++) {
		recording->dir = recording->parts.list[i].dir;
		failed = is_moved(recording->dir) ? 0 :
			 tring_recording_describe_part(recording);
		if (failed)
			error = failed;
	}
	recording->dir = present;
	return error;
}

/**
 * tring_parts_free - forget the parts
 * @recording: the recording
 */
void tring_parts_free(struct tring_recording *recording)
{
	struct tring_parts *parts = &recording->parts;

	while (parts->count)
		forget(parts, parts->count - 1);
	free(parts->list);
	free(parts->dropped);
	free(parts->lost);
	memset(parts, 0, sizeof(*parts));
}
