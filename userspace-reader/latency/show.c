// SPDX-License-Identifier: GPL-2.0
/* Prints the times of a pair: what they add up to, rows, the longest ones, a histogram. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show.h"
#include "stats/table_pair.h"
#include "util/clock.h"
#include "util/text.h"
#include "util/util.h"

static void show_rows(const struct tring_latency *latency, size_t limit)
{
	struct tring_rows rows = {
		.columns = tring_pair_columns, .column_count = TRING_PAIR_COLUMNS,
		.text = latency->pair.by.name ? latency->pair.by.name : "",
		.sort = tring_pair_columns[TRING_PAIR_MOST].name, .limit = limit,
		.frequency = TRING_NS_A_SECOND, .out = stdout,
	};
	struct tring_row row = tring_pair_row(&latency->all);
	char all[] = "all";

	tring_rows_init(&rows);
	row.text = all;
	tring_pair_rows(latency, &rows);
	if (latency->group_count) {
		tring_rows_show(&rows);
	} else {
		tring_rows_head(&rows);
		row.text = NULL;
	}
	tring_rows_line(&rows, &row);
	tring_rows_free(&rows);
}

static void show_slow(const struct tring_latency *latency)
{
	size_t i;

	if (!latency->slow_count)
		return;
	puts("\nThe longest times:");
	puts("         us            from cpu  task, and what both events have");
	for (i = 0; i < latency->slow_count; i++) {
		const struct tring_slow *slow = &latency->slow[i];
		char *from = tring_clock_text(slow->begin);

		printf("%7" PRIu64 ".%03" PRIu64 " %15s %3d  ", slow->ns / 1000, slow->ns % 1000,
		       from, slow->cpu);
		tring_text_print(stdout, slow->task);
		putchar(' ');
		tring_text_print(stdout, slow->text);
		putchar('\n');
		free(from);
	}
}

static void show_keys(const struct tring_bound_pair *pair)
{
	size_t i;

	for (i = 0; i < pair->key_count; i++) {
		const char *begin = pair->begin_keys[i].name, *end = pair->end_keys[i].name;

		fputs(i ? ", " : ", the same ", stdout);
		tring_text_print(stdout, begin);
		if (strcmp(begin, end)) {
			putchar('=');
			tring_text_print(stdout, end);
		}
	}
	putchar('\n');
}

static void show_number(uint64_t number, const char *what)
{
	if (number)
		printf("%" PRIu64 " %s\n", number, what);
}

/* Each event of the pair is in one of the numbers. */
static void show_unmatched(const struct tring_latency *latency)
{
	show_number(latency->begins.repeated, latency->pair.pair.first ?
		    "begins behind one that had no end yet" :
		    "begins before another one that had no end in between");
	show_number(latency->begins.cancelled, "begins were cancelled");
	show_number(latency->begins.alone, "begins without an end");
	show_number(latency->begins.lost, "begins whose end may be lost");
	show_number(latency->ends.alone, "ends without a begin");
	show_number(latency->ends.lost, "ends whose begin may be lost");
}

/**
 * tring_latency_show - print the times of a pair as tables
 * @latency: from tring_latency_run()
 * @limit: number of rows; 0 for all
 */
void tring_latency_show(const struct tring_latency *latency, size_t limit)
{
	const struct tring_bound_pair *pair = &latency->pair;

	printf("%s:%s to %s:%s", pair->begin->system, pair->begin->name, pair->end->system,
	       pair->end->name);
	show_keys(pair);
	putchar('\n');
	show_rows(latency, limit);
	putchar('\n');
	show_unmatched(latency);
	show_slow(latency);
	if (!latency->all.timing.count)
		return;
	putchar('\n');
	tring_timing_show(&latency->all.timing, stdout);
}
