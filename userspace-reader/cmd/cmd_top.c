// SPDX-License-Identifier: GPL-2.0
/* tring top: prints tables of what a trace has. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "complete.h"
#include "load.h"
#include "pager.h"
#include "print/clock.h"
#include "top/tables.h"
#include "top_walk.h"
#include "trace/trace_dir.h"
#include "util.h"

#define ROWS		10
#define ROWS_BRIEF	5

/* Bounds of an interval in seconds. */
#define INTERVAL_MIN	0.000001
#define INTERVAL_MAX	1000000

enum {
	OPTION_NO_PAGER = 256,
	OPTION_SORT,
};

static const struct option long_options[] = {
	{ "rows", required_argument, NULL, 'n' },
	{ "sort", required_argument, NULL, OPTION_SORT },
	{ "histogram", no_argument, NULL, 'H' },
	{ "interval", required_argument, NULL, 'i' },
	{ "cpu", required_argument, NULL, 'c' },
	{ "pid", required_argument, NULL, 'P' },
	{ "comm", required_argument, NULL, TRING_OPTION_COMM },
	{ "from", required_argument, NULL, TRING_OPTION_FROM },
	{ "to", required_argument, NULL, TRING_OPTION_TO },
	{ "no-pager", no_argument, NULL, OPTION_NO_PAGER },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static const struct tring_table *const tables[] = {
	&tring_table_cpu, &tring_table_sched, &tring_table_wakeup, &tring_table_irq,
	&tring_table_softirq, &tring_table_syscall, &tring_table_events, &tring_table_rate,
	&tring_table_losses,
};

/**
 * struct request - what the user asked for
 * @table: the table; NULL for the most important rows of all
 * @rows: number of rows
 * @has_rows: the user has given @rows
 * @sort: column to sort by, or NULL
 * @histograms: a histogram of each row
 * @interval: nanoseconds of an interval, or 0
 * @paged: use a pager on a terminal
 * @selection: which events
 * @dir: the trace
 */
struct request {
	const struct tring_table *table;
	uint64_t	rows;
	bool		has_rows;
	const char	*sort;
	bool		histograms;
	uint64_t	interval;
	bool		paged;
	struct tring_selection selection;
	const char	*dir;
};

static void print_usage(void)
{
	fputs("usage: tring top [OPTION]... [TABLE] [DIR]\n"
	      "\n"
	      "Prints a table of the trace in DIR, by default " TRING_TRACE_DIR_DEFAULT
	      "; without TABLE the first rows of all:\n"
	      "\n"
	      "  cpu       events, losses, busy and idle time of each CPU\n"
	      "  sched     what each task did: running, waiting for a CPU, blocked\n"
	      "  wakeup    how long each task waited for a CPU after a wakeup\n"
	      "  irq       times in interrupts\n"
	      "  softirq   times in softirqs\n"
	      "  syscall   times in system calls\n"
	      "  events    events of each kind, their rate and bytes\n"
	      "  rate      events over time\n"
	      "  losses    when events were lost, for how long\n"
	      "\n"
	      "  -n, --rows N       rows, by default 10; 0 for all\n"
	      "      --sort COLUMN  the column to sort by, named as in the table's head\n"
	      "  -H, --histogram    a histogram of each row, not of the sum\n"
	      "  -i, --interval S   rate: seconds of a row\n"
	      "      --no-pager     no $PAGER, which is less by default, on a terminal\n"
	      "\n"
	      "Which events, if not all; a LIST has commas:\n"
	      "  -c, --cpu LIST     what happened on these CPUs, such as 0,2-3\n"
	      "  -P, --pid LIST     the tasks with these pids, and what happened while they ran\n"
	      "      --comm LIST    the tasks with these names, which may be globs\n"
	      "      --from TIME    from this time on\n"
	      "      --to TIME      up to this time. TIME is as for report\n", stdout);
}

static const struct tring_table *find_table(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		if (!strcmp(name, tables[i]->name))
			return tables[i];
	return NULL;
}

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

static bool has_column(const struct tring_table *table, const char *name)
{
	size_t i;

	for (i = 0; i < table->column_count; i++)
		if (!strcmp(table->columns[i].name, name))
			return true;
	return false;
}

/* Return: false if options do not go together. */
static bool check_options(const struct request *request)
{
	const struct tring_table *table = request->table;
	char *names = NULL, *longer;
	size_t i;

	if (request->interval && table != &tring_table_rate) {
		tring_error("--interval is for the table \"rate\"");
		return false;
	}
	if (!request->sort)
		return true;
	if (!table || request->interval) {
		tring_error("--sort needs a table%s", table ? " without --interval" : "");
		return false;
	}
	if (has_column(table, request->sort))
		return true;
	for (i = 0; i < table->column_count; i++) {
		longer = tring_format("%s%s%s", names ? names : "", names ? ", " : "",
				      table->columns[i].name);
		free(names);
		names = longer;
	}
	tring_error("--sort %s: the columns are %s", request->sort, names);
	free(names);
	return false;
}

/* Return: -1 to go on, or an exit status. */
static int parse_arguments(struct request *request, int argc, char **argv)
{
	if (optind < argc) {
		request->table = find_table(argv[optind]);
		optind += !!request->table;
	}
	if (argc - optind > 1) {
		if (request->table)
			tring_error("unexpected argument \"%s\"", argv[optind + 1]);
		else
			tring_error("there is no table \"%s\"", argv[optind]);
		return tring_bad_usage();
	}
	request->dir = optind < argc ? argv[optind] : TRING_TRACE_DIR_DEFAULT;
	return check_options(request) ? -1 : tring_bad_usage();
}

/* Return: -1 to go on, or an exit status. */
static int parse_options(struct request *request, int argc, char **argv)
{
	int option;

	while ((option = getopt_long(argc, argv, "n:Hi:c:P:h", long_options, NULL)) != -1) {
		bool good = true;

		switch (option) {
		case 'n':
			good = parse_rows(request, optarg);
			break;
		case 'H':
			request->histograms = true;
			break;
		case 'i':
			good = parse_interval(optarg, &request->interval);
			break;
		case OPTION_SORT:
			request->sort = optarg;
			break;
		case OPTION_NO_PAGER:
			request->paged = false;
			break;
		case 'h':
			print_usage();
			return TRING_EXIT_OK;
		case '?':
			return tring_bad_usage();
		default:
			good = tring_selection_option(&request->selection, option, optarg);
		}
		if (!good)
			return tring_bad_usage();
	}
	return parse_arguments(request, argc, argv);
}

/* What a table shows although the trace does not have all that it could. */
static void advise(const struct tring_top *top, const struct tring_table *table)
{
	const char *lacks = tring_table_wakeup.lacks(top);

	if (table == &tring_table_sched && lacks)
		tring_note("how long a task was blocked and waited is unknown: record -e %s",
			   lacks);
}

static void show_head(const struct tring_top *top)
{
	uint64_t ns = tring_clock_ns(top->end - top->begin, top->frequency);
	uint64_t events = 0, bytes = 0, lost = 0;
	size_t i;

	for (i = 0; i < top->cpu_count; i++) {
		events += top->cpus[i].events;
		bytes += top->cpus[i].bytes;
		lost += top->cpus[i].lost;
	}
	printf("%" PRIu64 " events, %" PRIu64 " lost, in %.6f s", events, lost, ns / 1e9);
	if (events && ns)
		printf(": %.1f a second, of %.1f bytes", events * 1e9 / ns,
		       (double)bytes / events);
	putchar('\n');
}

static void show_all(struct tring_top *top)
{
	size_t i;

	show_head(top);
	for (i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		const struct tring_table *table = tables[i];

		if (table == &tring_table_rate || (table == &tring_table_losses && !top->gaps.all))
			continue;
		if (table->lacks && table->lacks(top)) {
			printf("\n%s: not recorded; tring record -e %s\n", table->title,
			       table->lacks(top));
			continue;
		}
		printf("\n%s (tring top %s):\n", table->title, table->name);
		table->show(top, table);
	}
}

/* Return: false if the trace does not have what was asked for. */
static bool show(struct tring_top_walk *walk, const struct request *request)
{
	const struct tring_table *table = request->table;
	const char *lacks = table && table->lacks ? table->lacks(&walk->top) : NULL;

	if (lacks) {
		tring_error("the trace has no events for the table \"%s\": record -e %s",
			    table->name, lacks);
		return false;
	}
	tring_top_walk_run(walk);
	if (!walk->top.begun)
		tring_note("no event was selected");
	if (!table) {
		show_all(&walk->top);
		return true;
	}
	table->show(&walk->top, table);
	advise(&walk->top, table);
	return true;
}

static int top_trace(struct request *request)
{
	struct tring_report report = { 0 };
	struct tring_top_walk walk = {
		.report = &report,
		.selection = &request->selection,
		.top = {
			.rows = request->has_rows ? request->rows :
				request->table ? ROWS : ROWS_BRIEF,
			.sort = request->sort,
			.histograms = request->histograms,
			.brief = !request->table,
			.out = stdout,
			.rate = {
				.width = request->interval, .fixed = request->interval,
			},
		},
	};
	int status;

	if (request->paged)
		tring_pager_start();
	if (tring_load_trace(&report, request->dir) ||
	    tring_selection_apply(&request->selection, &report)) {
		report.bad++;
	} else {
		tring_load_names(&report);
		tring_top_walk_init(&walk);
		if (show(&walk, request))
			tring_complete_check(&report, request->dir);
		else
			report.bad++;
		tring_top_walk_free(&walk);
	}
	status = tring_report_end(&report);
	tring_pager_end();
	return status;
}

/**
 * tring_cmd_top - print tables of a trace
 * @argc: as main's
 * @argv: as main's
 *
 * Return: TRING_EXIT_OK; _BAD if anything was wrong with the trace, or if it does not have
 * what was asked for; or _USAGE.
 */
int tring_cmd_top(int argc, char **argv)
{
	struct request request = { .paged = true };
	int status = parse_options(&request, argc, argv);

	if (status < 0)
		status = top_trace(&request);
	tring_selection_free(&request.selection);
	return status;
}
