// SPDX-License-Identifier: GPL-2.0
/*
 * What tring start leaves behind for the commands that come after it: lines in the file of
 * state.c, which tring reset reads to put everything back.
 *
 *	started UUID			the trace that tring start has begun
 *	counters CPU TOLD NAME:VALUE ...	where the next saved trace of the CPU begins
 *
 * tring extract and tring snapshot save what the ring has recorded since the saved trace
 * before. The counters there are the counters of the start of the next one, so that each
 * event and each loss is in one of them. Packets count the losses of the ring's trace from
 * its begin; TOLD is what the saved traces have told of it.
 *
 * They say nothing of another trace: a user may have begun one by other means.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "started.h"
#include "state_place.h"
#include "trace/trace_info.h"
#include "util/tree.h"
#include "util/util.h"

static const char started_key[] = "started ", counters_key[] = "counters ";

static char *counters_line(const struct tring_started_cpu *cpu)
{
	char *line = tring_format("%s%d %" PRIu64, counters_key, cpu->cpu, cpu->told);
	size_t i;

	for (i = 0; i <= cpu->stats.count; i++) {
		bool is_end = i == cpu->stats.count;
		const struct tring_stat *stat = &cpu->stats.entries[i];
		char *longer = is_end ? tring_format("%s\n", line) :
			       tring_format("%s %s:%" PRIu64, line, stat->name, stat->value);

		free(line);
		line = longer;
	}
	return line;
}

/**
 * tring_started_count - read the counters of the start
 * @started: filled in; to be freed in any case
 * @control: the ring, whose trace was begun and has no event yet
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_started_count(struct tring_started *started, const struct tring_control *control)
{
	struct tring_trace_info info;
	int error = tring_control_info(control, &info, NULL);

	memset(started, 0, sizeof(*started));
	if (error)
		return error;
	started->uuid = tring_uuid_text(info.uuid);
	started->cpus = tring_allocate(control->cpu_count * sizeof(*started->cpus));
	while (started->count < control->cpu_count && !error) {
		struct tring_started_cpu *cpu = &started->cpus[started->count];

		cpu->cpu = control->cpus[started->count++];
		error = tring_control_stats(control, cpu->cpu, &cpu->stats);
	}
	return error;
}

/**
 * tring_started_note - write down that the ring stays as it is set up
 * @started: the counters of the start
 * @state: the file of tring start
 * @settings: the changes
 *
 * An error is reported on stderr.
 */
void tring_started_note(const struct tring_started *started, struct tring_state *state,
			const struct tring_settings *settings)
{
	char *line = tring_format("%s%s\n", started_key, started->uuid);
	size_t i;

	tring_state_add(state, line);
	free(line);
	for (i = 0; i < started->count; i++) {
		line = counters_line(&started->cpus[i]);
		tring_state_add(state, line);
		free(line);
	}
	tring_state_write(state, settings);
}

static bool parse_cpu(struct tring_started_cpu *cpu, char *line)
{
	int used = 0;
	char *at;

	if (sscanf(line, "%d %" SCNu64 " %n", &cpu->cpu, &cpu->told, &used) != 2 || !used)
		return false;
	for (at = line + used; *at; at++)
		if (*at == ' ')
			*at = '\n';
	return !tring_stats_parse(&cpu->stats, line + used);
}

static int parse_counters(struct tring_started *started, char *counters)
{
	char *rest = counters, *line;
	size_t lines = 0;

	for (line = counters; line && *line; line++)
		lines += *line == '\n';
	started->cpus = tring_allocate((lines + 1) * sizeof(*started->cpus));
	while ((line = strsep(&rest, "\n"))) {
		if (!*line)
			continue;
		if (!parse_cpu(&started->cpus[started->count++], line)) {
			tring_error("%s: its counters are not understood; see \"tring reset\"",
				    started->path);
			return -EINVAL;
		}
	}
	return 0;
}

static int read_from(struct tring_started *started, char *path,
		     const struct tring_control *control)
{
	struct tring_leftover leftover;
	int found = tring_leftover_read(&leftover, path, control);

	if (found > 0)
		found = leftover.started ? 1 : 0;
	if (found > 0) {
		started->path = tring_format("%s", path);
		started->process = tring_format("%s", leftover.process);
		started->uuid = tring_format("%s", leftover.started);
		if (parse_counters(started, leftover.counters))
			found = -EINVAL;
	}
	tring_leftover_free(&leftover);
	return found;
}

/**
 * tring_started_read - read what tring start has left behind
 * @started: filled in; to be freed in any case
 * @control: the ring, whose lock the caller holds
 *
 * Return: 1; 0 if the ring was not started; or a negative errno, reported on stderr.
 */
int tring_started_read(struct tring_started *started, const struct tring_control *control)
{
	size_t number;
	int found = 0;

	memset(started, 0, sizeof(*started));
	for (number = 0; number < tring_place_count() && !found; number++) {
		char *path = tring_place_find(control, number);

		if (path)
			found = read_from(started, path, control);
		free(path);
	}
	return found;
}

/**
 * tring_started_cpu - find where the next saved trace of a CPU begins
 * @started: what tring start has left behind
 * @cpu: number of the CPU
 *
 * Return: the CPU; NULL if it is unknown.
 */
struct tring_started_cpu *tring_started_cpu(const struct tring_started *started, int cpu)
{
	size_t i;

	for (i = 0; i < started->count; i++)
		if (started->cpus[i].cpu == cpu)
			return &started->cpus[i];
	return NULL;
}

/**
 * tring_started_update - write down where the next saved traces begin
 * @started: what tring start has left behind, with other counters
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_started_update(const struct tring_started *started)
{
	char *old = tring_read_text(started->path, NULL), *rest = old, *line;
	char *text = NULL;
	size_t size = 0, i;
	FILE *file = open_memstream(&text, &size);
	int error = old && file ? 0 : -EIO;

	while (!error && (line = strsep(&rest, "\n")))
		if (*line && strncmp(line, counters_key, strlen(counters_key)))
			fprintf(file, "%s\n", line);
	for (i = 0; i < started->count && !error; i++) {
		line = counters_line(&started->cpus[i]);
		fputs(line, file);
		free(line);
	}
	if (file && fclose(file))
		error = -ENOMEM;
	if (error)
		tring_error("%s: cannot write down what was saved", started->path);
	else
		error = tring_tree_write(started->path, text, size);
	free(text);
	free(old);
	return error;
}

/**
 * tring_started_refuse - refuse to record in a ring that was started
 * @control: the ring, whose lock the caller holds
 *
 * Return: 0 to go on; -EBUSY, or another negative errno, reported on stderr.
 */
int tring_started_refuse(const struct tring_control *control)
{
	struct tring_started started;
	int found = tring_started_read(&started, control);

	if (found > 0)
		tring_error("%s: process %s has started it; %s", control->dir, started.process,
			    "\"tring reset\" ends that, -B NAME uses a ring of its own");
	tring_started_free(&started);
	return found > 0 ? -EBUSY : found;
}

/**
 * tring_started_free - free what tring_started_read() has read
 * @started: what tring start has left behind
 */
void tring_started_free(struct tring_started *started)
{
	free(started->path);
	free(started->process);
	free(started->uuid);
	free(started->cpus);
	memset(started, 0, sizeof(*started));
}
