// SPDX-License-Identifier: GPL-2.0
/* tring stat: prints the running ring's counters per CPU, and whether they balance. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "tracefs/control.h"
#include "cli/options.h"
#include "util/util.h"

/* Limit of reads: a writer may change counters during a read. */
#define READ_TRIES	20

static bool is_balanced(const struct tring_stats *stats)
{
	bool good = true;
	size_t line;

	for (line = 0; line < TRING_LEDGER_LINES; line++) {
		char *wrong = tring_ledger_check(stats, line);

		good &= !wrong;
		free(wrong);
	}
	return good;
}

static int read_cpu(const struct tring_control *control, size_t at,
		    struct tring_stats *stats)
{
	int tries = READ_TRIES, error;

	do {
		error = tring_control_stats(control, control->cpus[at], stats);
	} while (!error && !is_balanced(stats) && --tries);
	return error;
}

static void show_text(const struct tring_control *control, const char *file)
{
	char *text = tring_control_read(control, file);

	if (text)
		printf("%s: %s\n", file, text);
	free(text);
}

static void show_counter(const struct tring_control *control,
			 const struct tring_stats *stats, const char *name)
{
	uint64_t all = 0;
	size_t i;

	printf("%-22s", name);
	for (i = 0; i < control->cpu_count; i++) {
		uint64_t value = tring_stats_value(&stats[i], name);

		printf(" %14" PRIu64, value);
		all += value;
	}
	/* the clock is that of all CPUs */
	if (strncmp(name, "clock_", strlen("clock_")))
		printf(" %14" PRIu64 "\n", all);
	else
		puts("");
}

static void show_table(const struct tring_control *control,
		       const struct tring_stats *stats)
{
	size_t i;

	printf("%-22s", "");
	for (i = 0; i < control->cpu_count; i++)
		printf(" %9s%5d", "CPU", control->cpus[i]);
	printf(" %14s\n", "all");
	for (i = 0; i < stats[0].count; i++)
		show_counter(control, stats, stats[0].entries[i].name);
}

static int show_balance(const struct tring_control *control,
			const struct tring_stats *stats)
{
	int bad = 0;
	size_t line, i;

	for (line = 0; line < TRING_LEDGER_LINES; line++) {
		int before = bad;

		for (i = 0; i < control->cpu_count; i++) {
			char *wrong = tring_ledger_check(&stats[i], line);

			if (!wrong)
				continue;
			printf("cpu%d: DOES NOT BALANCE: %s\n",
			       control->cpus[i], wrong);
			free(wrong);
			bad++;
		}
		if (bad == before)
			printf("%s: holds on every CPU\n",
			       tring_ledger_text(line));
	}
	return bad;
}

static const struct tring_usage options = {
	.synopsis = "usage: tring stat [-B INSTANCE]\n",
	.description = "Shows the running ring's counters and whether they balance.\n",
	.list = tring_instance_option,
};

/**
 * tring_cmd_stat - show the counters and the balance
 * @argc: as main's
 * @argv: as main's
 *
 * Return: TRING_EXIT_OK, or _BAD if a CPU does not balance.
 */
int tring_cmd_stat(int argc, char **argv)
{
	struct tring_control control;
	struct tring_stats *stats = NULL;
	const char *instance = NULL;
	int bad = tring_options_parse(&options, &instance, argc, argv);
	bool on = false;
	size_t i;

	if (bad >= 0)
		return bad;
	if (tring_control_open(&control, instance, false)) {
		tring_control_close(&control);
		return TRING_EXIT_BAD;
	}
	bad = 0;
	show_text(&control, "tracing_on");
	show_text(&control, "trace_clock");
	show_text(&control, "options/overwrite");
	show_text(&control, "buffer_size_kb");
	show_text(&control, "buffer_total_size_kb");
	on = tring_control_is_on(&control);
	stats = tring_allocate(control.cpu_count * sizeof(*stats));
	for (i = 0; i < control.cpu_count; i++)
		bad |= read_cpu(&control, i, &stats[i]) != 0;
	if (!bad) {
		show_table(&control, stats);
		bad = show_balance(&control, stats);
		if (bad && on)
			printf("recording is on, so counters may have changed during the read\n");
	}
	free(stats);
	tring_control_close(&control);
	return bad ? TRING_EXIT_BAD : TRING_EXIT_OK;
}
