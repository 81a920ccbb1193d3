// SPDX-License-Identifier: GPL-2.0
/* tring top: prints tables of what a trace has, or of what the machine does now. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "recording_options.h"
#include "show/choice.h"
#include "show/top_traces.h"
#include "top_live.h"
#include "util/clock.h"
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
 * @top: the tables, none for the most important rows of all; and how they are shown, of a trace or
 *	of the machine; its @interval is 0 for the default
 * @json: an object of JSON for each row
 * @diff: what has changed between two traces
 * @events: which events
 * @dirs: the traces
 * @dir_count: number of @dirs; 0 for the default
 * @event_list: arguments of -e, with commas between them, which are to be freed; or NULL
 * @live: the user wants to see the machine as it is now
 * @implied: that is so because there is no trace
 * @live_only: an option that goes with that only; NULL without one
 */
struct request {
	struct tring_top_live top;
	bool		json;
	bool		diff;
	struct tring_choice events;
	char		**dirs;
	size_t		dir_count;
	char		*event_list;
	bool		live;
	bool		implied;
	const char	*live_only;
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

static bool parse_count(struct request *request, const char *text)
{
	if (tring_parse_number(text, &request->top.count) && request->top.count)
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
	const struct tring_table *table = request->top.choice.tables[0];
	bool rate = request->top.interval && !request->live;

	if (!request->top.sort)
		return true;
	if (request->top.choice.count != 1 || rate) {
		tring_error("--sort needs a table%s", rate ? " without --interval" : "");
		return false;
	}
	if (has_column(table, request->top.sort))
		return true;
	report_columns(table, request->top.sort);
	return false;
}

/* Return: false if options do not go together. */
static bool check_options(const struct request *request)
{
	const struct tring_top_choice *choice = &request->top.choice;

	if (request->live && request->dir_count) {
		tring_error("--live and %s: one without the other", request->dirs[0]);
		return false;
	}
	if (request->json && (request->live || request->top.histograms)) {
		tring_error("--json is for the tables of a trace, without --histogram");
		return false;
	}
	if (request->diff && (request->dir_count != 2 || request->top.histograms)) {
		tring_error("--diff is for the tables of two traces, without --histogram");
		return false;
	}
	if (!request->live && request->live_only) {
		tring_error("%s is for --live", request->live_only);
		return false;
	}
	if (request->live && (request->events.wanted.from || request->events.wanted.to)) {
		tring_error("--from and --to are for a trace, not for --live");
		return false;
	}
	if (!request->live && request->top.interval &&
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
		tring_top_choose(&request->top.choice, table);
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
	if (optind < argc && !request->top.choice.count && !request->live &&
	    access(argv[optind], F_OK)) {
		tring_error("there is no table and no trace \"%s\"", argv[optind]);
		return tring_bad_usage();
	}
	request->dirs = argv + optind;
	request->dir_count = argc - optind;
	if (!request->dir_count)
		request->implied = !request->live && access(TRING_TRACE_DIR_DEFAULT, F_OK);
	request->live |= request->implied;
	if (!request->live && request->event_list &&
	    !tring_choice_take(&request->events, 'e', request->event_list))
		return tring_bad_usage();
	return check_options(request) ? -1 : tring_bad_usage();
}

static bool take(void *wanted, const struct tring_option *option, const char *text)
{
	static const char *const names[] = { ['f'] = "-f", ['b'] = "-b" };
	struct request *request = wanted;

	switch (option->letter) {
	case 'n':
		request->top.has_rows = true;
		return tring_take_rows(request, option, text);
	case 'i':
	case 'd':
		return parse_interval(text, &request->top.interval);
	case 'e':
		tring_extend(&request->event_list, "%s%s", request->event_list ? "," : "", text);
		return tring_recording_option(&request->top.recording, option->letter, text);
	case 'f':
	case 'b':
		request->live_only = names[option->letter];
		return tring_recording_option(&request->top.recording, option->letter, text);
	case 0:
		request->live_only = "--count";
		return parse_count(request, text);
	}
	return tring_choice_take(&request->events, option->letter, text);
}

#define AT(member)	offsetof(struct request, member)

static const struct tring_option list[] = {
	{ 'n', "rows", "N", "rows, by default 10; 0 for all", .at = AT(top.rows), .take = take },
	{ 0, "sort", "COLUMN", "the column to sort by, named as in the table's head",
	  .at = AT(top.sort) },
	{ 'H', "histogram", NULL, "a histogram of each row, not of the sum",
	  .at = AT(top.histograms) },
	{ 0, "json", NULL, "a line of JSON for each row, of all rows without -n", .at = AT(json) },
	{ 0, "diff", NULL, "what has changed between two traces, next to how much the\n"
	  "halves of the first one differ", .at = AT(diff) },
	{ 'i', "interval", "S", "rate: seconds of a row; live: seconds of an interval, also\n"
	  "-d", .take = take },
	{ 'd', NULL, "S", NULL, .take = take },
	{ .help = "Live, in an instance of its own, but for -e:" },
	{ 'l', "live", NULL, "what the machine does now", .at = AT(live) },
	{ 0, "count", "N", "end after N intervals", .take = take },
	{ 'e', "event", "EVENT", "record these, too, not only what the tables need; as\n"
	  "record's. Of a trace: these events, and the calls of which\n"
	  "they tell; as report's", .take = take },
	{ 'f', "filter", "FILTER", "of the events of the -e before it, those that it lets\n"
	  "through", .take = take },
	{ 'b', "buffer-size", "SIZE", "size of each CPU's ring: 4M, 64K, or a number of KiB",
	  .take = take },
	{ .help = "Which events, if not all; a LIST has commas:" },
	{ 'c', "cpu", "LIST", "what happened on these CPUs, such as 0,2-3", .take = take },
	{ 'P', "pid", "LIST", "the tasks with these pids, and what happened while they ran",
	  .take = take },
	{ TRING_CHOICE_COMM, "comm", "LIST", "the tasks with these names, which may be globs",
	  .take = take },
	{ TRING_CHOICE_FROM, "from", "TIME", "from this time on, in a trace", .take = take },
	{ TRING_CHOICE_TO, "to", "TIME", "up to this time. TIME is as for report", .take = take },
	{ 0 },
};

static const struct tring_usage command = {
	.synopsis = "usage: tring top [OPTION]... [TABLE]... [DIR | FILE]...\n"
		"       tring top --diff [OPTION]... [TABLE]... BEFORE AFTER\n"
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
		"  waits     the longest wait of each task, in which call, woken by what\n"
		"  irq       times in interrupts\n"
		"  softirq   times in softirqs\n"
		"  syscall   times in system calls\n"
		"  calls     times in the system calls of each task\n"
		"  io        bytes that each task has read and written\n"
		"  futex     times in calls of futex, by address\n"
		"  block     times of requests of block devices\n"
		"  spans     times that programs have marked, see tring-marker(5)\n"
		"  counters  values that they have\n"
		"  events    events of each kind, their rate and bytes\n"
		"  rate      events over time\n"
		"  losses    when events were lost, for how long\n",
	.list = list,
	.most = -1,
};

static int top_traces(const struct request *request)
{
	static char *fallback[] = { TRING_TRACE_DIR_DEFAULT };
	const struct tring_top_traces wanted = {
		.dirs = request->dir_count ? request->dirs : fallback,
		.count = request->dir_count ? request->dir_count : 1,
		.tables = request->top.choice,
		.wanted = request->events.wanted,
		.rows = request->top.has_rows || request->json ? request->top.rows :
			request->top.choice.count ? ROWS : ROWS_BRIEF,
		.json = request->json,
		.sort = request->top.sort,
		.histograms = request->top.histograms,
		.interval = request->top.interval,
	};

	return request->diff ? tring_top_diff(&wanted) : tring_top_traces(&wanted);
}

static int top_machine(struct request *request)
{
	struct tring_top_live *top = &request->top;

	if (!top->has_rows)
		top->rows = ROWS;
	if (!top->interval)
		top->interval = INTERVAL_LIVE;
	top->wanted = &request->events.wanted;
	if (request->implied)
		tring_note("there is no " TRING_TRACE_DIR_DEFAULT " here: --live");
	return tring_top_live(top);
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
	int status = tring_options_parse(&command, &request, argc, argv);

	if (status < 0)
		status = parse_arguments(&request, argc, argv);
	if (status < 0)
		status = request.live ? top_machine(&request) : top_traces(&request);
	tring_choice_free(&request.events);
	free(request.event_list);
	tring_recording_options_free(&request.top.recording);
	return status;
}
