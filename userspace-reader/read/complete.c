// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Checks whether a trace has all that was recorded.
 *
 * The recorder saves the ring's counters of each CPU at the start, before any packet,
 * and at the end. Their difference says how many events the files should have. A
 * recorder that was killed leaves no counters of the end. The counters also tell what
 * happened to the clock.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "complete.h"
#include "tracefs/stats.h"
#include "trace/trace_dir.h"
#include "util/util.h"

/* Return: false if there are no counters. */
static bool read_stats(struct tring_trace *trace, const char *dir, int cpu,
		       const char *tail, struct tring_stats *stats)
{
	char *name = tring_format("cpu%d.%s", cpu, tail);
	char *path = tring_extra_path(dir, name);
	char *text = tring_read_text(path, NULL);
	int line = text ? tring_stats_parse(stats, text) : 0;

	if (line) {
		tring_error("%s: line %d is not a counter", path, line);
		trace->problems++;
	}
	free(path);
	free(name);
	free(text);
	return text && !line;
}

static void tell_of_set_clock(const struct tring_trace_info *info, uint64_t ticks,
			      const char *direction)
{
	if (ticks)
		tring_note("the clock %s was set %s by %.6f s, but the times go on as before",
			   info->clock, direction,
			   (double)ticks / (double)info->clock_frequency);
}

/* What happened to the clock until the recording ended. It is the same for all CPUs. */
static void tell_of_clock(const struct tring_trace_info *info,
			  const struct tring_stats *end)
{
	tell_of_set_clock(info, tring_stats_value(end, "clock_set_back"), "back");
	tell_of_set_clock(info, tring_stats_value(end, "clock_set_forward"), "forward");
	if (tring_stats_value(end, "clock_missed_ns"))
		tring_note("the machine slept for %.6f s, which the clock %s does not count: %s",
			   tring_stats_value(end, "clock_missed_ns") / 1e9, info->clock,
			   "times of the wall clock on one side of it are wrong by as much");
	if (tring_stats_value(end, "clock_unreliable"))
		tring_note("the kernel found the clock %s unstable: times and order may be wrong",
			   info->clock);
}

/* What record --max-size has dropped is told of the oldest part that is left. */
static void tell_of_dropped(struct tring_trace *trace, const char *dir, int cpu)
{
	struct tring_stats stats;
	uint64_t events, lost;

	if (!read_stats(trace, dir, cpu, "dropped", &stats))
		return;
	events = tring_stats_value(&stats, "dropped_by_max_size");
	lost = tring_stats_value(&stats, "lost_before");
	if (events)
		tring_note("%s: %" PRIu64 " events of CPU %d before it were dropped by %s", dir,
			   events, cpu, "--max-size");
	if (lost)
		tring_note("%s: %" PRIu64 " events of CPU %d before it were lost, in no sum",
			   dir, lost, cpu);
}

/**
 * tring_complete_restart - set the stream of a CPU to its beginning
 * @cpu: the CPU, with its files, of a trace with its short ids
 */
void tring_complete_restart(struct tring_cpu *cpu)
{
	tring_cpu_start(cpu);
	/* a recording begins with a new trace, so nothing was lost before */
	tring_stream_know_discarded(&cpu->stream, 0);
	tring_stream_know_cpu(&cpu->stream, cpu->cpu);
}

/**
 * tring_complete_read_counters - read how many events a file of a CPU should have
 * @trace: the trace; errors are counted there
 * @cpu: the CPU
 * @file: its file
 */
void tring_complete_read_counters(struct tring_trace *trace, const struct tring_cpu *cpu,
				  struct tring_packet_file *file)
{
	struct tring_stats start, end;

	file->know_start = read_stats(trace, file->dir, cpu->cpu, "start", &start);
	file->know_end = file->know_start &&
			 read_stats(trace, file->dir, cpu->cpu, "end", &end);
	if (!file->know_end)
		return;
	/* the last part tells what happened in all of them */
	if (cpu == trace->cpus &&
	    !strcmp(file->dir, trace->parts.dirs[trace->parts.count - 1]))
		tell_of_clock(&trace->info, &end);
	tring_stats_subtract(&end, &start);
	file->recorded = tring_stats_recorded(&end);
	file->lost = tring_stats_missing(&end);
}

/**
 * tring_complete_add - add a CPU's file of a trace, or of a part of it
 * @trace: the trace
 * @cpu: the CPU
 * @part: position of the directory among the parts; it may lack the file
 */
void tring_complete_add(struct tring_trace *trace, struct tring_cpu *cpu, size_t part)
{
	const char *dir = trace->parts.dirs[part];
	struct tring_packet_file *file =
		tring_cpu_add_file(cpu, tring_stream_path(dir, cpu->cpu, false));

	file->compressed = tring_stream_path(dir, cpu->cpu, true);
	file->dir = tring_format("%s", dir);
	file->gap = part && tring_parts_list_has_gap(&trace->parts, part);
	tring_complete_read_counters(trace, cpu, file);
}

/**
 * tring_complete_open - open the stream of a CPU
 * @trace: the trace, with the directories of its parts and with its short ids; the CPU is
 *	added to it
 * @cpu: number of the CPU
 */
void tring_complete_open(struct tring_trace *trace, int cpu)
{
	struct tring_cpu *added = tring_trace_add_cpu(trace, cpu, NULL);
	size_t i;

	for (i = 0; i < trace->parts.count; i++)
		tring_complete_add(trace, added, i);
	tell_of_dropped(trace, trace->parts.dirs[0], cpu);
	tring_complete_restart(added);
}

static void check_file(struct tring_trace *trace, const struct tring_packet_file *file,
		       uint64_t events)
{
	const char *path = tring_packet_file_path(file);

	if (events == file->recorded)
		return;
	trace->problems++;
	if (events > file->recorded)
		tring_error("%s: it has %" PRIu64 " events, but %" PRIu64 " were recorded",
			    path, events, file->recorded);
	else
		tring_error("%s%s: %" PRIu64 " of %" PRIu64 " recorded events are missing",
			    path, access(path, F_OK) ? ": no such file" : "",
			    file->recorded - events, file->recorded);
}

/* Return: false if the recording of a file has no end. */
static bool check_cpu(struct tring_trace *trace, const struct tring_cpu *cpu)
{
	bool ended = true;
	size_t i;

	for (i = 0; i < cpu->count; i++) {
		const struct tring_packet_file *file = &cpu->files[i];
		bool last = i == cpu->packets.at;

		if (file->know_end) {
			if (!cpu->stream.partial)
				check_file(trace, file,
					   last ? tring_cpu_events(cpu) : file->events);
		} else if (file->know_start) {
			ended = false;
		} else if (!trace->parts.divided || tring_packet_file_exists(file)) {
			tring_error("%s: not of this recording, which has no counters of the CPU",
				    tring_packet_file_path(file));
			trace->problems++;
		}
	}
	return ended;
}

static bool knows_start(const struct tring_cpu *cpu)
{
	size_t i;

	for (i = 0; i < cpu->count; i++)
		if (cpu->files[i].know_start)
			return true;
	return false;
}

/**
 * tring_complete_check - check that the streams have all that was recorded
 * @trace: the trace, after all packets were read; errors are counted there
 * @dir: the trace
 *
 * What is missing is reported on stderr.
 */
void tring_complete_check(struct tring_trace *trace, const char *dir)
{
	/* without any file of a CPU the recorder was killed at its beginning */
	bool know_start = false, ended = trace->count;
	size_t i;

	/* the rest was not read, or nothing tells how many there should be */
	if (trace->dat)
		return;
	for (i = 0; i < trace->count; i++)
		know_start |= knows_start(&trace->cpus[i]);
	for (i = 0; i < trace->count && know_start; i++)
		ended &= check_cpu(trace, &trace->cpus[i]);
	if (ended)
		return;
	tring_error("%s: the recording has no end: %s; how many events are missing is unknown",
		    dir, "its recorder was killed or could not write");
	trace->problems++;
}
