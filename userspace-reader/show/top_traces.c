// SPDX-License-Identifier: GPL-2.0
/* Prints tables of traces. Pids are of one machine, so each trace has tables of its own. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "export/json.h"
#include "open.h"
#include "stats/top_walk.h"
#include "top_traces.h"
#include "util/text.h"
#include "util/util.h"

/**
 * tring_top_advise - tell what a table lacks
 * @top: all tables
 * @table: a table, which was shown
 */
void tring_top_advise(const struct tring_top *top, const struct tring_table *table)
{
	const char *lacks = tring_table_lacks(top, &tring_table_wakeup);

	if (table == &tring_table_sched && lacks)
		tring_note("how long a task was blocked and waited is unknown: record -e %s",
			   lacks);
	if (table->sums && top->gaps.all)
		tring_note("events were lost %zu times, so the table \"%s\" may lack some",
			   top->gaps.all, table->name);
}

/* Of what few traces have. */
static bool is_empty(const struct tring_top *top, const struct tring_table *table)
{
	return (table == &tring_table_losses && !top->gaps.all) ||
	       (table == &tring_table_spans && !top->marks.count) ||
	       (table == &tring_table_counters && !top->counters.count);
}

static void show_all(struct tring_top *top)
{
	size_t i;

	if (!top->json)
		tring_top_show_head(top);
	for (i = 0; i < TRING_TOP_TABLES; i++) {
		const struct tring_table *table = tring_top_tables[i];
		const char *lacks = tring_table_lacks(top, table);

		if (table == &tring_table_rate || is_empty(top, table))
			continue;
		if (lacks && top->json)
			continue;
		if (lacks)
			printf("\n%s: not recorded; tring record -e %s\n", table->title, lacks);
		else
			tring_top_show_titled(top, table);
	}
}

static void show_chosen(struct tring_top *top, const struct tring_top_choice *choice)
{
	size_t i;

	if (choice->count > 1 && !top->json)
		tring_top_show_head(top);
	for (i = 0; i < choice->count; i++) {
		if (choice->count > 1)
			tring_top_show_titled(top, choice->tables[i]);
		else
			choice->tables[i]->show(top, choice->tables[i]);
		tring_top_advise(top, choice->tables[i]);
	}
}

/**
 * tring_top_has_all - check whether the trace has what tables need
 * @top: all tables
 * @choice: the tables
 *
 * Return: false if it does not, reported on stderr.
 */
bool tring_top_has_all(const struct tring_top *top, const struct tring_top_choice *choice)
{
	bool all = true;
	size_t i;

	for (i = 0; i < choice->count; i++) {
		const struct tring_table *table = choice->tables[i];
		const char *lacks = tring_table_lacks(top, table);

		if (lacks)
			tring_error("the trace has no events for the table \"%s\": record -e %s",
				    table->name, lacks);
		all &= !lacks;
	}
	return all;
}

/* The first object of a trace. */
static void show_json_head(const struct tring_top *top, const char *dir)
{
	fputs("{\"trace\":", stdout);
	tring_json_print(stdout, dir);
	putchar(',');
	tring_top_show_head(top);
	puts("}");
}

/* Return: false if the trace does not have what was asked for. */
static bool show(struct tring_top_walk *walk, const struct tring_top_choice *tables,
		 const char *dir)
{
	if (!tring_top_has_all(&walk->top, tables))
		return false;
	tring_top_walk_run(walk);
	if (!walk->top.seen)
		tring_note("no event was selected");
	if (walk->top.json)
		show_json_head(&walk->top, dir);
	if (tables->count)
		show_chosen(&walk->top, tables);
	else
		show_all(&walk->top);
	return true;
}

static void show_name(const struct tring_trace *trace, const char *dir, bool first)
{
	const char *host = tring_env(trace, "hostname");
	char *name = tring_format("%s%s%s%s", dir, *host ? " (" : "", host, *host ? ")" : "");

	fputs(first ? "==> " : "\n==> ", stdout);
	tring_text_print(stdout, name);
	puts(" <==");
	free(name);
}

/**
 * tring_top_select - let a trace give what its tables are made of
 * @trace: the trace
 * @wanted: the choice of the user
 *
 * Return: false after an error, reported on stderr.
 */
bool tring_top_select(struct tring_trace *trace, const struct tring_wanted *wanted)
{
	struct tring_wanted every = *wanted;

	every.size = sizeof(every);
	every.every = true;
	every.quiet = true;
	return !tring_select(trace, &every);
}

/* Return: columns of the terminal, which the tables are to fit; 0 without one. */
static size_t find_width(void)
{
	struct winsize size;

	return isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) ? size.ws_col : 0;
}

/* Return: false if the trace does not have what was asked for. */
static bool top_trace(struct tring_trace *trace, const char *dir,
		      const struct tring_top_traces *traces)
{
	struct tring_top_walk walk = {
		.top = {
			.trace = trace,
			.rows = traces->rows,
			.sort = traces->sort,
			.histograms = traces->histograms,
			.brief = !traces->tables.count || traces->json,
			.json = traces->json,
			.measures = true,
			.width = find_width(),
			.out = stdout,
			.rate = {
				.width = traces->interval, .fixed = traces->interval,
			},
		},
	};
	bool good;

	if (!tring_top_select(trace, &traces->wanted))
		return false;
	tring_top_walk_init(&walk);
	good = show(&walk, &traces->tables, dir);
	tring_top_walk_free(&walk);
	return good;
}

/**
 * tring_top_traces - print tables of traces
 * @traces: the traces and the tables
 *
 * Return: TRING_EXIT_OK; _BAD if anything was wrong with a trace, or if it does not have what was
 * asked for.
 */
int tring_top_traces(const struct tring_top_traces *traces)
{
	int status = TRING_EXIT_OK;
	size_t i;

	for (i = 0; i < traces->count; i++) {
		struct tring_opened opened = { 0 };

		if (tring_opened_open(&opened, traces->dirs[i])) {
			if (traces->count > 1 && !traces->json)
				show_name(opened.trace, traces->dirs[i], !i);
			opened.failed = !top_trace(opened.trace, traces->dirs[i], traces);
		}
		if (tring_opened_end(&opened))
			status = TRING_EXIT_BAD;
	}
	return status;
}
