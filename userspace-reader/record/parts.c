// SPDX-License-Identifier: GPL-2.0
/*
 * The parts of a recording that is split. Each is a trace directory, whole by itself: its
 * files have whole packets, its metadata describes them, its counters balance, and it tells
 * the losses since the part before. So --max-size drops whole parts, the oldest first.
 *
 * The next part is described while the threads write to the present one. Then each thread turns
 * to the next one by itself, between two reads of its ring: it saves what it has moved, reads the
 * CPU's counters, which are the end of one part and the start of the next, and goes on with
 * another file. So no ring waits for other threads, or for the main thread, which may get the
 * processor late. What takes longer, such as waiting for the disk, follows when all have turned.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recording.h"
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

/**
 * tring_parts_begin - begin the first part if the recording is split
 * @recording: recording whose ring is set up
 */
void tring_parts_begin(struct tring_recording *recording)
{
	const struct tring_recording_options *options = recording->options;
	struct tring_parts *parts = &recording->parts;

	if (!tring_parts_limit(options) && !options->split_ns)
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

/**
 * tring_parts_begin_dir - begin the trace directory, or that of the first part
 * @recording: recording after tring_parts_begin()
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_parts_begin_dir(struct tring_recording *recording)
{
	int error = tring_trace_dir_take(recording->options->dir);
	char *first = recording->dir;

	if (error || !recording->parts.number)
		return error ? error : tring_recording_begin_dir(recording);
	recording->dir = tring_part_draft(recording->options->dir);
	error = tring_recording_begin_dir(recording);
	if (!error)
		error = publish(recording->dir, first);
	free(recording->dir);
	recording->dir = first;
	return error;
}

static uint64_t count_bytes(const struct tring_recording *recording)
{
	uint64_t bytes = 0;
	size_t i;

	for (i = 0; i < recording->control.cpu_count; i++)
		bytes += atomic_load(&recording->threads[i].progress.stored);
	return bytes;
}

static bool have_turned(const struct tring_recording *recording)
{
	size_t i;

	for (i = 0; i < recording->control.cpu_count; i++)
		if (atomic_load(&recording->threads[i].turning))
			return false;
	return true;
}

/**
 * tring_parts_due_ns - get the time at which the present part should be looked at
 * @recording: the recording
 * @now: the present time
 *
 * Return: @now if tring_parts_go_on() is to be called; UINT64_MAX if a notice tells when, or
 * if the recording is not split.
 */
uint64_t tring_parts_due_ns(const struct tring_recording *recording, uint64_t now)
{
	const struct tring_recording_options *options = recording->options;
	uint64_t limit = tring_parts_limit(options), due = UINT64_MAX;

	if (recording->parts.next)
		return have_turned(recording) ? now : UINT64_MAX;
	if (limit)
		due = count_bytes(recording) >= limit ? now : now + LOOK_NS;
	if (options->split_ns && recording->parts.begin_ns + options->split_ns < due)
		due = recording->parts.begin_ns + options->split_ns;
	return due < now ? now : due;
}

/* A user may move a part that has ended, or all of the trace, at any moment, and leave a link. */
static bool is_moved(const char *part)
{
	int dir = tring_tree_list(part);

	if (dir >= 0)
		close(dir);
	return dir == -ENOENT || dir == -ENOTDIR || dir == -ELOOP;
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

/**
 * struct tring_ending - the end of a CPU's part
 * @end: counters of the end
 * @fd: file of the packets, which the disk may not have yet; -1 for none
 * @events: number of events in the file
 * @bytes: bytes of their packets
 * @stored: bytes of the file
 * @bad: number of errors, reported on stderr
 */
struct tring_ending {
	struct tring_stats end;
	int		fd;
	uint64_t	events;
	uint64_t	bytes;
	uint64_t	stored;
	int		bad;
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

/**
 * tring_parts_turn - end the present part of a CPU, and go on with the next one
 * @data: the recording
 * @thread: the CPU's thread, which calls this
 *
 * The counters are the end of this part and the start of the next one.
 *
 * Return: 0 or a negative errno, reported on stderr; the next part is gone on with all the same.
 */
int tring_parts_turn(void *data, struct tring_cpu_thread *thread)
{
	struct tring_recording *recording = data;
	size_t i = thread - recording->threads;
	struct tring_ending *ending = &recording->parts.endings[i];
	struct tring_recording_cpu cpu = recording->cpus[i];
	struct tring_drain *drain = &thread->drain;
	char *path = tring_stream_path(recording->parts.next, drain->cpu,
				       recording->options->compress);
	int error = tring_drain_save(drain), failed = read_end(recording, drain->cpu, &ending->end);
	uint64_t lost, missing = 0;

	error = error ? error : failed;
	cpu.end = ending->end;
	tring_stats_subtract(&cpu.end, &cpu.start);
	lost = tring_stats_lost(&cpu.end);
	if (drain->failed)
		missing = tring_stats_recorded(&cpu.end) - drain->events;
	ending->bad = tring_recording_check_cpu(&cpu, drain);
	failed = tring_drain_note_losses(drain, lost + missing + tring_stats_taken(&cpu.end));
	error = error ? error : failed;
	ending->events = drain->events;
	ending->bytes = drain->bytes;
	ending->stored = tring_stream_file_stored(&drain->file);
	/* what was met since the next part was described is written there before packets */
	drain->is_described &= tring_recording_has_described_next(recording);
	ending->fd = tring_drain_turn(drain, path);
	drain->told += lost;
	/* readers take it for the end of the file before */
	failed = tring_recording_write_stats(recording->parts.next, drain->cpu, "start",
					     &ending->end);
	free(path);
	return error ? error : failed;
}

/* Add what the CPU's thread has left to the sums of the parts. */
static void end_cpu(struct tring_recording *recording, size_t i, struct tring_part *part)
{
	const struct tring_ending *ending = &recording->parts.endings[i];
	struct tring_recording_cpu *cpu = &recording->cpus[i];

	cpu->end = ending->end;
	tring_stats_subtract(&cpu->end, &cpu->start);
	recording->parts.bad += ending->bad;
	part->events[i] = ending->events;
	part->lost[i] = tring_stats_missing(&cpu->end);
	part->bytes += ending->stored;
	cpu->earlier_events += ending->events;
	cpu->earlier_bytes += ending->bytes;
	cpu->earlier_stored += ending->stored;
	cpu->told += tring_stats_lost(&cpu->end);
	if (cpu->earlier.count)
		tring_stats_sum(&cpu->earlier, &cpu->end);
	else
		cpu->earlier = cpu->end;
	cpu->start = ending->end;
}

/* What the disk has refused behind the back has no counters of the end. */
static int complete_cpu(const struct tring_part *part, int cpu, const struct tring_ending *ending)
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

static int complete_part(const struct tring_recording *recording, const struct tring_part *part)
{
	const struct tring_control *control = &recording->control;
	int error = 0, failed;
	char *tasks;
	size_t i;

	tring_trace_dir_release(part->dir);
	for (i = 0; i < control->cpu_count; i++) {
		failed = complete_cpu(part, control->cpus[i], &recording->parts.endings[i]);
		if (failed)
			error = failed;
	}
	failed = tring_trace_dir_cmdlines(part->dir, control->tracing, &tasks);
	if (!failed)
		failed = tring_trace_dir_tasks(part->dir, tasks);
	free(tasks);
	if (failed)
		error = failed;
	/* it lacks then what the messages say, and the other parts do not */
	return error == -ENOENT && is_moved(part->dir) ? 0 : error;
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

/* Describe the next part, and tell the threads to turn to it, each when it may. */
static int begin_turn(struct tring_recording *recording)
{
	const size_t count = recording->control.cpu_count;
	struct tring_parts *parts = &recording->parts;
	char *next = tring_part_path(recording->options->dir, parts->number + 1);
	int error = describe_next(recording, next);
	size_t i;

	if (error) {
		free(next);
		return error;
	}
	parts->endings = tring_allocate(count * sizeof(*parts->endings));
	parts->number++;
	parts->begin_ns = tring_now_ns();
	pthread_mutex_lock(&recording->describing);
	parts->next = next;
	pthread_mutex_unlock(&recording->describing);
	for (i = 0; i < count; i++)
		tring_cpu_thread_turn(&recording->threads[i]);
	return 0;
}

/* What may take a while. */
static int end_turn(struct tring_recording *recording)
{
	const size_t count = recording->control.cpu_count;
	struct tring_parts *parts = &recording->parts;
	struct tring_part *part = add_part(recording);
	int error, failed;
	size_t i;

	pthread_mutex_lock(&recording->describing);
	part->described = recording->described;
	recording->described = parts->described;
	recording->dir = parts->next;
	parts->next = NULL;
	pthread_mutex_unlock(&recording->describing);
	for (i = 0; i < count; i++)
		end_cpu(recording, i, part);
	error = complete_part(recording, part);
	failed = keep_size(recording, tring_parts_limit(recording->options));
	for (i = 0; i < count; i++)
		if (parts->endings[i].fd >= 0)
			close(parts->endings[i].fd);
	free(parts->endings);
	parts->endings = NULL;
	return error ? error : failed;
}

/**
 * tring_parts_go_on - begin the next part; or end the one before, when all threads have left it
 * @recording: recording whose tring_parts_due_ns() has come, or whose threads have ended
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_parts_go_on(struct tring_recording *recording)
{
	return recording->parts.next ? end_turn(recording) : begin_turn(recording);
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
		recording->described = recording->parts.list[i].described;
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
	free(parts->next);
	free(parts->endings);
	memset(parts, 0, sizeof(*parts));
}
