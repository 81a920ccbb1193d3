// SPDX-License-Identifier: GPL-2.0
/*
 * What tring start leaves behind for the commands that come after it: lines in the file of
 * state.c, which tring reset reads to put everything back.
 *
 *	started UUID			the trace that tring start has begun
 *	counters CPU TOLD NAME: VALUE ...	where the next saved trace of the CPU begins
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

#include "state.h"
#include "util/tree.h"
#include "trace/trace_info.h"
#include "util/util.h"

#define COUNTERS	"counters "

static void replace_all(char *text, char from, char to)
{
	for (; *text; text++)
		if (*text == from)
			*text = to;
}

static void add_counters(char **lines, const struct tring_started_cpu *cpu)
{
	char *text = tring_stats_text(&cpu->stats);

	replace_all(text, '\n', ' ');
	tring_extend(lines, COUNTERS "%d %" PRIu64 " %s\n", cpu->cpu, cpu->told, text);
	free(text);
}

/**
 * tring_started_parse - parse what follows the key of a line of counters
 * @leftover: to which the CPU is added
 * @line: the text, which is changed
 *
 * Return: false if it is not understood.
 */
bool tring_started_parse(struct tring_leftover *leftover, char *line)
{
	struct tring_started_cpu *cpu;
	int used = 0;

	leftover->cpus = tring_one_more(leftover->cpus, leftover->count, sizeof(*cpu));
	cpu = &leftover->cpus[leftover->count++];
	if (sscanf(line, "%d %" SCNu64 " %n", &cpu->cpu, &cpu->told, &used) != 2 || !used)
		return false;
	replace_all(line, ' ', '\n');
	return !tring_stats_parse(&cpu->stats, line + used);
}

/**
 * tring_started_count - read the counters of the start
 * @lines: set to what the file of tring start ends with, to free() in any case
 * @control: the ring, whose trace was begun and has no event yet
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_started_count(char **lines, const struct tring_control *control)
{
	struct tring_trace_info info;
	int error = tring_control_info(control, &info, NULL);
	char *uuid;
	size_t i;

	*lines = NULL;
	if (error)
		return error;
	uuid = tring_uuid_text(info.uuid);
	tring_extend(lines, "started %s\n", uuid);
	free(uuid);
	for (i = 0; i < control->cpu_count && !error; i++) {
		struct tring_started_cpu cpu = { .cpu = control->cpus[i] };

		error = tring_control_stats(control, cpu.cpu, &cpu.stats);
		add_counters(lines, &cpu);
	}
	return error;
}

/**
 * tring_started_cpu - find where the next saved trace of a CPU begins
 * @started: what tring start has left behind
 * @cpu: number of the CPU
 *
 * Return: the CPU; NULL if it is unknown.
 */
struct tring_started_cpu *tring_started_cpu(const struct tring_leftover *started, int cpu)
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
int tring_started_update(const struct tring_leftover *started)
{
	char *text = tring_tree_read(started->path);
	char *counters = text ? strstr(text, "\n" COUNTERS) : NULL;
	int error = -EIO;
	size_t i;

	/* they are the last lines */
	if (counters) {
		counters[1] = 0;
		for (i = 0; i < started->count; i++)
			add_counters(&text, &started->cpus[i]);
		error = tring_tree_write(started->path, text, strlen(text));
	} else {
		tring_error("%s: cannot write down what was saved", started->path);
	}
	free(text);
	return error;
}
