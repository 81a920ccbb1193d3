// SPDX-License-Identifier: GPL-2.0
/* tring top: prints tables of what a trace has, or of what the machine does now. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "read/complete.h"
#include "read/load.h"
#include "pager.h"
#include "wire/clock.h"
#include "recording_options.h"
#include "util/text.h"
#include "show.h"
#include "top_live.h"
#include "top_show.h"
#include "stats/top_walk.h"
#include "trace/trace_dir.h"
#include "cli/options.h"
#include "util/util.h"

#define ROWS		10
#define ROWS_BRIEF	5

/* Bounds of an interval in seconds. */
#define INTERVAL_MIN	0.000001
#define INTERVAL_MAX	1000000
#define INTERVAL_LIVE	(2 * TRING_NS_A_SECOND)

/**
 * struct request - what the user asked for
 * @choice: the tables; none for the most important rows of all
 * @rows: number of rows
 * @has_rows: the user has given @rows
 * @sort: column to sort by, or NULL
 * @histograms: a histogram of each row
 * @interval: nanoseconds of an interval, or 0
 * @unpaged: use no pager on a terminal
 * @selection: which events
 * @dirs: the traces
 * @dir_count: number of @dirs; 0 for the default
 * @live: the user wants to see the machine as it is now
 * @implied: that is so because there is no trace
 * @live_only: an option that goes with that only; NULL without one
 * @count: number of intervals; 0 for no end
 * @recording: what is recorded then, and how
 */
struct request {
	struct tring_top_choice choice;
	uint64_t	rows;
	bool		has_rows;
	const char	*sort;
	bool		histograms;
	uint64_t	interval;
	bool		unpaged;
	struct tring_selection selection;
	char		**dirs;
	size_t		dir_count;
	bool		live;
	bool		implied;
	const char	*live_only;
	uint64_t	count;
	struct tring_recording_options recording;
};

static bool parse_interval(const char *text, uint64_t *ns)
{
	char *end;
	double seconds = strtod(text, &end);

	if (end == text || *end || !(seconds >= INTERVAL_MIN && seconds <= INTERVAL_MAX)) {
		tring_error("bad value for --interval: \"%s\"", text);
		return false;
	}
	*ns = seconds * TRING_NS_A_SECOND + 0.5;
	return true;
}

static bool parse_rows(struct request *request, const char *text)
{
	request->has_rows = true;
	if (tring_parse_number(text, &request->rows) && request->rows <= INT32_MAX)
		return true;
	tring_error("bad value for --rows: \"%s\"", text);
	return false;
}

static bool parse_count(struct request *request, const char *text)
{
	if (tring_parse_number(text, &request->count) && request->count)
		return true;
	tring_error("bad value for --count: \"%s\"", text);
	return false;
}

static bool has_column(const struct tring_table *table, const char *name)
{
	size_t i;

	for (i = 0; i < table->column_count; i++)
		if (!strcmp(table->columns[i].name, name))
			return true;
	return false;
}

static void report_columns(const struct tring_table *table, const char *name)
{
	char *names = NULL;
	size_t i;

	for (i = 0; i < table->column_count; i++)
		tring_extend(&names, "%s%s", names ? ", " : "", table->columns[i].name);
	tring_error("--sort %s: the columns are %s", name, names);
	free(names);
}

/* Return: false if --sort does not go with the tables. */
static bool check_sort(const struct request *request)
{
	const struct tring_table *table = request->choice.tables[0];
	bool rate = request->interval && !request->live;

	if (!request->sort)
		return true;
	if (request->choice.count != 1 || rate) {
		tring_error("--sort needs a table%s", rate ? " without --interval" : "");
		return false;
	}
	if (has_column(table, request->sort))
		return true;
	report_columns(table, request->sort);
	return false;
}

/* Return: false if options do not go together. */
static bool check_options(const struct request *request)
{
	const struct tring_top_choice *choice = &request->choice;

	if (request->live && request->dir_count) {
		tring_error("--live and %s: one without the other", request->dirs[0]);
		return false;
	}
	if (!request->live && request->live_only) {
		tring_error("%s is for --live", request->live_only);
		return false;
	}
	if (request->live && (request->selection.from.kind || request->selection.to.kind)) {
		tring_error("--from and --to are for a trace, not for --live");
		return false;
	}
	if (!request->live && request->interval &&
	    (choice->count != 1 || choice->tables[0] != &tring_table_rate)) {
		tring_error("--interval is for the table \"rate\", or for --live");
		return false;
	}
	return check_sort(request);
}

/* Return: -1 to go on, or an exit status. */
static int parse_arguments(struct request *request, int argc, char **argv)
{
	const struct tring_table *table;
	int i;

	while (optind < argc && (table = tring_top_find(argv[optind]))) {
		tring_top_choose(&request->choice, table);
		optind++;
	}
	for (i = optind + 1; i < argc; i++) {
		if (!tring_top_find(argv[i]))
			continue;
		tring_error("tables come first: tring top %s %s", argv[i], argv[optind]);
		return tring_bad_usage();
	}
	if (argc - optind > 1 && access(argv[optind], F_OK)) {
		tring_error("there is no table \"%s\"", argv[optind]);
		return tring_bad_usage();
	}
	if (optind < argc && !request->choice.count && !request->live &&
	    access(argv[optind], F_OK)) {
		tring_error("there is no table and no trace \"%s\"", argv[optind]);
		return tring_bad_usage();
	}
	request->dirs = argv + optind;
	request->dir_count = argc - optind;
	if (!request->dir_count)
		request->implied = !request->live && access(TRING_TRACE_DIR_DEFAULT, F_OK);
	request->live |= request->implied;
	return check_options(request) ? -1 : tring_bad_usage();
}

static bool take(void *wanted, const struct tring_option *option, const char *text)
{
	static const char *const names[] = { ['e'] = "-e", ['f'] = "-f", ['b'] = "-b" };
	struct request *request = wanted;

	switch (option->letter) {
	case 'n':
		return parse_rows(request, text);
	case 'i':
	case 'd':
		return parse_interval(text, &request->interval);
	case 'e':
	case 'f':
	case 'b':
		request->live_only = names[option->letter];
		return tring_recording_option(&request->recording, option->letter, text);
	case 0:
		request->live_only = "--count";
		return parse_count(request, text);
	}
	return tring_selection_option(&request->selection, option->letter, text);
}

#define AT(member)	offsetof(struct request, member)

static const struct tring_option list[] = {
	{ 'n', "rows", "N", "rows, by default 10; 0 for all", .take = take },
	{ 0, "sort", "COLUMN", "the column to sort by, named as in the table's head",
	  .at = AT(sort) },
	{ 'H', "histogram", NULL, "a histogram of each row, not of the sum",
	  .at = AT(histograms) },
	{ 'i', "interval", "S", "rate: seconds of a row; live: seconds of an interval, also\n"
	  "-d", .take = take },
	{ 'd', NULL, "S", NULL, .take = take },
	{ 0, "no-pager", NULL, "no $PAGER, which is less by default, on a terminal",
	  .at = AT(unpaged) },
	{ .help = "Live, in an instance of its own:" },
	{ 'l', "live", NULL, "what the machine does now", .at = AT(live) },
	{ 0, "count", "N", "end after N intervals", .take = take },
	{ 'e', "event", "EVENT", "record these, too, not only what the tables need; as\n"
	  "record's", .take = take },
	{ 'f', "filter", "FILTER", "of the events of the -e before it, those that it lets\n"
	  "through", .take = take },
	{ 'b', "buffer-size", "SIZE", "size of each CPU's ring: 4M, 64K, or a number of KiB",
	  .take = take },
	{ .help = "Which events, if not all; a LIST has commas:" },
	{ 'c', "cpu", "LIST", "what happened on these CPUs, such as 0,2-3", .take = take },
	{ 'P', "pid", "LIST", "the tasks with these pids, and what happened while they ran",
	  .take = take },
	{ TRING_OPTION_COMM, "comm", "LIST", "the tasks with these names, which may be globs",
	  .take = take },
	{ TRING_OPTION_FROM, "from", "TIME", "from this time on, in a trace", .take = take },
	{ TRING_OPTION_TO, "to", "TIME", "up to this time. TIME is as for report", .take = take },
	{ 0 },
};

static const struct tring_usage command = {
	.synopsis = "usage: tring top [OPTION]... [TABLE]... [DIR | FILE]...\n"
		"       tring top --live [OPTION]... [TABLE]...\n"
		"\n"
		"Prints tables of the trace in DIR, or of a trace.dat FILE; without TABLE the\n"
		"first rows of all. Several traces have tables one after another, each behind its\n"
		"name. With --live, and if there is neither DIR nor " TRING_TRACE_DIR_DEFAULT ",\n"
		"prints what the machine does now, every 2 seconds, until q or SIGINT:\n"
		"\n"
		"  cpu       events, losses, busy and idle time of each CPU\n"
		"  sched     what each task did: running, waiting for a CPU, blocked\n"
		"  wakeup    how long each task waited for a CPU after a wakeup\n"
		"  irq       times in interrupts\n"
		"  softirq   times in softirqs\n"
		"  syscall   times in system calls\n"
		"  events    events of each kind, their rate and bytes\n"
		"  rate      events over time\n"
		"  losses    when events were lost, for how long\n",
	.list = list,
	.most = -1,
};

/* Return: -1 to go on, or an exit status. */
static int parse_options(struct request *request, int argc, char **argv)
{
	int status = tring_options_parse(&command, request, argc, argv);

	return status < 0 ? parse_arguments(request, argc, argv) : status;
}

/* What a table shows although the trace does not have all that it could. */
static void advise(const struct tring_top *top, const struct tring_table *table)
{
	const char *lacks = tring_table_wakeup.lacks(top);

	if (table == &tring_table_sched && lacks)
		tring_note("how long a task was blocked and waited is unknown: record -e %s",
			   lacks);
}

static void show_all(struct tring_top *top)
{
	size_t i;

	tring_top_show_head(top);
	for (i = 0; i < TRING_TOP_TABLES; i++) {
		const struct tring_table *table = tring_top_tables[i];

		if (table == &tring_table_rate || (table == &tring_table_losses && !top->gaps.all))
			continue;
		if (table->lacks && table->lacks(top))
			printf("\n%s: not recorded; tring record -e %s\n", table->title,
			       table->lacks(top));
		else
			tring_top_show_titled(top, table);
	}
}

static void show_chosen(struct tring_top *top, const struct tring_top_choice *choice)
{
	size_t i;

	if (choice->count > 1)
		tring_top_show_head(top);
	for (i = 0; i < choice->count; i++) {
		if (choice->count > 1)
			tring_top_show_titled(top, choice->tables[i]);
		else
			choice->tables[i]->show(top, choice->tables[i]);
		advise(top, choice->tables[i]);
	}
}

/* Return: false if the trace does not have what a table needs. */
static bool has_all(const struct tring_top *top, const struct tring_top_choice *choice)
{
	bool all = true;
	size_t i;

	for (i = 0; i < choice->count; i++) {
		const struct tring_table *table = choice->tables[i];
		const char *lacks = table->lacks ? table->lacks(top) : NULL;

		if (lacks)
			tring_error("the trace has no events for the table \"%s\": record -e %s",
				    table->name, lacks);
		all &= !lacks;
	}
	return all;
}

/* Return: false if the trace does not have what was asked for. */
static bool show(struct tring_top_walk *walk, const struct request *request)
{
	if (!has_all(&walk->top, &request->choice))
		return false;
	tring_top_walk_run(walk);
	if (!walk->top.begun)
		tring_note("no event was selected");
	if (request->choice.count)
		show_chosen(&walk->top, &request->choice);
	else
		show_all(&walk->top);
	return true;
}

static void show_name(const struct tring_trace *trace, const char *dir, bool first)
{
	const char *host = trace->info.hostname;
	char *name = tring_format("%s%s%s%s", dir, *host ? " (" : "", host, *host ? ")" : "");

	fputs(first ? "==> " : "\n==> ", stdout);
	tring_text_print(stdout, name);
	puts(" <==");
	free(name);
}

static int top_trace(const struct request *request, const char *dir)
{
	struct tring_trace trace = { 0 };
	struct tring_selection selection = { 0 };
	struct tring_top_walk walk = {
		.trace = &trace,
		.selection = &selection,
		.top = {
			.rows = request->has_rows ? request->rows :
				request->choice.count ? ROWS : ROWS_BRIEF,
			.sort = request->sort,
			.histograms = request->histograms,
			.brief = !request->choice.count,
			.out = stdout,
			.rate = {
				.width = request->interval, .fixed = request->interval,
			},
		},
	};
	int status;

	tring_selection_copy(&selection, &request->selection);
	if (tring_load_trace(&trace, dir) || tring_selection_apply(&selection, &trace)) {
		trace.problems++;
	} else {
		if (request->dir_count > 1)
			show_name(&trace, dir, dir == request->dirs[0]);
		tring_load_names(&trace);
		tring_top_walk_init(&walk);
		if (show(&walk, request))
			tring_complete_check(&trace, dir);
		else
			trace.problems++;
		tring_top_walk_free(&walk);
	}
	status = tring_show_end(&trace);
	tring_selection_free(&selection);
	return status;
}

/* Pids are of one machine, so each trace has tables of its own. */
static int top_traces(const struct request *request)
{
	int status = TRING_EXIT_OK, failed;
	size_t i;

	if (!request->unpaged)
		tring_pager_start();
	if (!request->dir_count)
		status = top_trace(request, TRING_TRACE_DIR_DEFAULT);
	for (i = 0; i < request->dir_count; i++) {
		failed = top_trace(request, request->dirs[i]);
		if (failed)
			status = failed;
	}
	tring_pager_end();
	return status;
}

static int top_machine(struct request *request)
{
	struct tring_top_live live = {
		.choice = request->choice,
		.rows = request->has_rows ? request->rows : ROWS,
		.has_rows = request->has_rows,
		.sort = request->sort,
		.histograms = request->histograms,
		.interval = request->interval ? request->interval : INTERVAL_LIVE,
		.count = request->count,
		.selection = &request->selection,
		.recording = request->recording,
	};
	int status;

	if (request->implied)
		tring_note("there is no " TRING_TRACE_DIR_DEFAULT " here: --live");
	status = tring_top_live(&live);
	request->recording = live.recording;
	return status;
}

/**
 * tring_cmd_top - print tables of a trace, or of what the machine does now
 * @argc: as main's
 * @argv: as main's
 *
 * Return: TRING_EXIT_OK; _BAD if anything was wrong with the trace, or if it does not have
 * what was asked for; or _USAGE.
 */
int tring_cmd_top(int argc, char **argv)
{
	struct request request = { 0 };
	int status = parse_options(&request, argc, argv);

	if (status < 0)
		status = request.live ? top_machine(&request) : top_traces(&request);
	tring_selection_free(&request.selection);
	tring_recording_options_free(&request.recording);
	return status;
}
