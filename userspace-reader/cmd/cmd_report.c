// SPDX-License-Identifier: GPL-2.0
/* tring report: prints a recorded trace, all CPUs ordered by time. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "complete.h"
#include "load.h"
#include "pager.h"
#include "report.h"
#include "summary.h"
#include "trace/trace_dir.h"
#include "util.h"

enum {
	OPTION_NO_PAGER = 256,
	OPTION_WALL,
	OPTION_DELTA,
};

static const struct option long_options[] = {
	{ "cpu", required_argument, NULL, 'c' },
	{ "pid", required_argument, NULL, 'P' },
	{ "comm", required_argument, NULL, TRING_OPTION_COMM },
	{ "event", required_argument, NULL, 'e' },
	{ "from", required_argument, NULL, TRING_OPTION_FROM },
	{ "to", required_argument, NULL, TRING_OPTION_TO },
	{ "wall", no_argument, NULL, OPTION_WALL },
	{ "delta", no_argument, NULL, OPTION_DELTA },
	{ "no-pager", no_argument, NULL, OPTION_NO_PAGER },
	{ "summary", no_argument, NULL, 's' },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

/**
 * struct report_options - what the user asked for
 * @summary: a summary instead of events
 * @paged: use a pager on a terminal
 * @selection: which events to show
 * @style: how to show them
 * @dir: the trace
 */
struct report_options {
	bool		summary;
	bool		paged;
	struct tring_selection selection;
	struct tring_style style;
	const char	*dir;
};

/* What the reader of a part should know of it. */
static void tell_of_part(const struct tring_report *report)
{
	const struct tring_selection *selection = report->selection;

	if (report->lost && !tring_selection_is_whole(selection))
		tring_note("%" PRIu64 " events were lost; how many of them belong here is unknown",
			   report->lost);
	if (!report->printed)
		tring_note("no event was selected");
}

/* Return: false if the trace does not have what was selected. */
static bool print_all(struct tring_report *report, struct report_options *options)
{
	bool selects = !tring_selection_is_all(&options->selection);

	if (selects && tring_selection_apply(&options->selection, report))
		return false;
	tring_load_names(report, options->dir);
	report->style = options->style;
	tring_report_print(report);
	if (selects)
		tell_of_part(report);
	return true;
}

static void print_usage(void)
{
	fputs("usage: tring report [OPTION]... [DIR]\n"
	      "\n"
	      "Which events, if not all; a LIST has commas:\n"
	      "  -c, --cpu LIST     events of these CPUs, such as 0,2-3\n"
	      "  -P, --pid LIST     events of the tasks with these pids\n"
	      "      --comm LIST    events of the tasks with these names, which may be globs\n"
	      "  -e, --event LIST   these events: EVENT, SYSTEM or SYSTEM:EVENT, also as globs\n"
	      "  -F FILTER          events with conditions: EVENT[,EVENT]...[: CONDITION], such as\n"
	      "                     'sched_switch: prev_prio < 100 && prev_comm =~ \"^rcu\"'\n"
	      "      --from TIME    events from this time on\n"
	      "      --to TIME      events up to this time. A TIME is seconds as printed, or +SECONDS\n"
	      "                     from the first event on, or local [YYYY-MM-DD ]HH:MM:SS\n"
	      "\n"
	      "How:\n"
	      "  -t                 times with nanoseconds\n"
	      "      --wall         times as local date and time\n"
	      "      --delta        also the time since the line before\n"
	      "  -R                 all fields as the event's format has them, and no text of the event\n"
	      "  -s, --summary      decode everything, but show only the number of each event and\n"
	      "                     the range of values of its fields\n"
	      "      --no-pager     no $PAGER, which is less by default, on a terminal\n"
	      "\n"
	      "Prints the trace in DIR, by default " TRING_TRACE_DIR_DEFAULT
	      ", one line an event.\n", stdout);
}

/* Return: -1 to go on, or an exit status. */
static int check_options(struct report_options *options, int argc, char **argv)
{
	const struct tring_style *style = &options->style;

	if (argc - optind > 1) {
		tring_error("unexpected argument \"%s\"", argv[optind + 1]);
		return tring_bad_usage();
	}
	if (options->summary && (!tring_selection_is_all(&options->selection) ||
				 style->nanoseconds || style->wall || style->delta || style->raw)) {
		tring_error("--summary is of the whole trace; no option for events goes with it");
		return tring_bad_usage();
	}
	options->dir = optind < argc ? argv[optind] : TRING_TRACE_DIR_DEFAULT;
	return -1;
}

/* Return: -1 to go on, or an exit status. */
static int parse_options(struct report_options *options, int argc, char **argv)
{
	int option;

	while ((option = getopt_long(argc, argv, "c:P:e:F:tRsh", long_options, NULL)) != -1) {
		switch (option) {
		case 's':
			options->summary = true;
			break;
		case 't':
			options->style.nanoseconds = true;
			break;
		case 'R':
			options->style.raw = true;
			break;
		case OPTION_WALL:
			options->style.wall = true;
			break;
		case OPTION_DELTA:
			options->style.delta = true;
			break;
		case OPTION_NO_PAGER:
			options->paged = false;
			break;
		case 'h':
			print_usage();
			return TRING_EXIT_OK;
		case '?':
			return tring_bad_usage();
		default:
			if (!tring_selection_option(&options->selection, option, optarg))
				return tring_bad_usage();
		}
	}
	return check_options(options, argc, argv);
}

static int report_trace(struct report_options *options)
{
	struct tring_report report = { 0 };
	bool complete = true;
	int status;

	if (options->paged)
		tring_pager_start();
	if (tring_load_trace(&report, options->dir))
		report.bad++;
	else if (options->summary)
		tring_report_summarise(&report);
	else
		complete = print_all(&report, options);
	if (complete)
		tring_complete_check(&report, options->dir);
	else
		report.bad++;
	status = tring_report_end(&report);
	tring_pager_end();
	return status;
}

/**
 * tring_cmd_report - print a trace
 * @argc: as main's
 * @argv: as main's
 *
 * Return: TRING_EXIT_OK; _BAD if anything was wrong with the trace, or if it does not have
 * what was selected; or _USAGE.
 */
int tring_cmd_report(int argc, char **argv)
{
	struct report_options options = { .paged = true };
	int status = parse_options(&options, argc, argv);

	if (status < 0)
		status = report_trace(&options);
	tring_selection_free(&options.selection);
	return status;
}
