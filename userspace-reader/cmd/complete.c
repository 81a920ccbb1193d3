// SPDX-License-Identifier: GPL-2.0
/*
 * Checks whether a trace has all that was recorded.
 *
 * The recorder saves the ring's counters of each CPU at the start, before any packet,
 * and at the end. Their difference says how many events the files should have. A
 * recorder that was killed leaves no counters of the end. The counters also tell what
 * happened to the clock.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "complete.h"
#include "trace/stats.h"
#include "trace/trace_dir.h"
#include "util.h"

/* Return: false if there are no counters. */
static bool read_stats(struct tring_report *report, const char *dir, int cpu,
		       const char *tail, struct tring_stats *stats)
{
	char *name = tring_format("cpu%d.%s", cpu, tail);
	char *path = tring_extra_path(dir, name);
	char *text = tring_read_text(path, NULL);
	int line = text ? tring_stats_parse(stats, text) : 0;

	if (line) {
		tring_error("%s: line %d is not a counter", path, line);
		report->bad++;
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
	if (tring_stats_value(end, "clock_unreliable"))
		tring_note("the kernel found the clock %s unstable: times and order may be wrong",
			   info->clock);
}

/* What record --max-size has dropped is told of the oldest part that is left. */
static void tell_of_dropped(struct tring_report *report, const char *dir, int cpu)
{
	struct tring_stats stats;
	uint64_t events;

	if (!read_stats(report, dir, cpu, "dropped", &stats))
		return;
	events = tring_stats_value(&stats, "dropped_by_max_size");
	if (events)
		tring_note("%s: %" PRIu64 " events of CPU %d before it were dropped by %s", dir,
			   events, cpu, "--max-size");
}

/**
 * tring_complete_restart - set the stream of a CPU to its beginning
 * @report: the report, with its short ids
 * @cpu: the CPU, with its input
 */
void tring_complete_restart(struct tring_report *report, struct tring_report_cpu *cpu)
{
	cpu->events = 0;
	tring_report_start_cpu(report, cpu);
	/* a recording begins with a new trace, so nothing was lost before */
	tring_stream_know_discarded(&cpu->stream, 0);
	tring_stream_know_cpu(&cpu->stream, cpu->cpu);
}

/**
 * tring_complete_read_counters - read how many events a CPU should have
 * @report: the report; errors are counted there
 * @dir: the trace
 * @cpu: the CPU
 */
void tring_complete_read_counters(struct tring_report *report, const char *dir,
				  struct tring_report_cpu *cpu)
{
	struct tring_stats start, end;

	cpu->know_start = read_stats(report, dir, cpu->cpu, "start", &start);
	cpu->know_end = cpu->know_start && read_stats(report, dir, cpu->cpu, "end", &end);
	if (!cpu->know_end)
		return;
	if (cpu == report->cpus)
		tell_of_clock(&report->info, &end);
	tring_stats_subtract(&end, &start);
	cpu->recorded = tring_stats_recorded(&end);
	cpu->lost = tring_stats_lost(&end);
}

/**
 * tring_complete_open - open the stream of a CPU
 * @report: the report, to which the CPU is added; with its short ids
 * @dir: the trace
 * @cpu: number of the CPU; it may lack its stream
 */
void tring_complete_open(struct tring_report *report, const char *dir, int cpu)
{
	char *name = tring_format("cpu%d", cpu);
	struct tring_report_cpu *added;

	added = tring_report_add_cpu(report, cpu, tring_trace_path(dir, name));
	free(name);
	tring_complete_read_counters(report, dir, added);
	tell_of_dropped(report, dir, cpu);
	/* a CPU without a packet has no file */
	if (!access(added->path, F_OK) && tring_input_open(&added->input, added->path))
		report->bad++;
	tring_complete_restart(report, added);
}

static void check_cpu(struct tring_report *report, const struct tring_report_cpu *cpu)
{
	if (cpu->events == cpu->recorded || cpu->stream.partial)
		return;
	report->bad++;
	if (cpu->events > cpu->recorded)
		tring_error("%s: it has %" PRIu64 " events, but %" PRIu64 " were recorded",
			    cpu->path, cpu->events, cpu->recorded);
	else
		tring_error("%s%s: %" PRIu64 " of %" PRIu64 " recorded events are missing",
			    cpu->path, access(cpu->path, F_OK) ? ": no such file" : "",
			    cpu->recorded - cpu->events, cpu->recorded);
}

/**
 * tring_complete_check - check that the streams have all that was recorded
 * @report: the report, after all packets were read; errors are counted there
 * @dir: the trace
 *
 * What is missing is reported on stderr.
 */
void tring_complete_check(struct tring_report *report, const char *dir)
{
	/* without any file of a CPU the recorder was killed at its beginning */
	bool know_start = false, ended = report->count;
	size_t i;

	/* the rest was not read */
	if (report->failed)
		return;
	for (i = 0; i < report->count; i++)
		know_start |= report->cpus[i].know_start;
	for (i = 0; i < report->count && know_start; i++) {
		const struct tring_report_cpu *cpu = &report->cpus[i];

		if (cpu->know_end) {
			check_cpu(report, cpu);
		} else if (cpu->know_start) {
			ended = false;
		} else {
			tring_error("%s: not of this recording, which has no counters of the CPU",
				    cpu->path);
			report->bad++;
		}
	}
	if (ended)
		return;
	tring_error("%s: the recording has no end: %s; how many events are missing is unknown",
		    dir, "its recorder was killed or could not write");
	report->bad++;
}
