// SPDX-License-Identifier: GPL-2.0
/* tring report: prints a recorded trace, all CPUs ordered by time. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "choice.h"
#include "commands.h"
#include "open.h"
#include "show.h"
#include "show_json.h"
#include "cli/options.h"
#include "util/util.h"

/**
 * struct report_options - what the user asked for
 * @events: which events to show, the first member for tring_take_choice()
 * @json: JSON instead of lines of text
 * @follow: go on while the trace is recorded
 * @formats: a trace that describes the packets of stdin, or NULL
 * @align: event that is the same moment in all traces, or NULL
 * @style: how to show them
 * @dirs: the traces
 * @count: number of @dirs
 */
struct report_options {
	struct tring_choice events;
	bool		json;
	bool		follow;
	const char	*formats;
	const char	*align;
	struct tring_style style;
	char		**dirs;
	size_t		count;
};

/* What the reader of a part should know of it. */
static void tell_of_part(const struct tring_show *show, const struct tring_wanted *wanted)
{
	bool whole = !wanted->pids && !wanted->comms && !wanted->events && !wanted->filter_count;

	if (show->lost && !whole)
		tring_note("%" PRIu64 " events were lost; how many of them belong here is unknown",
			   show->lost);
	if (!show->given)
		tring_note("no event was selected");
}

/* Return: false if a trace does not tell the wall clock that the user wants. */
static bool set_styles(struct tring_show *show, const struct report_options *options)
{
	struct tring_wall wall;
	size_t i;

	for (i = 0; i < show->count; i++) {
		if (options->style.wall && !tring_wall(show->traces[i].trace, 0, &wall)) {
			tring_error("--wall: %s does not tell the wall clock", options->dirs[i]);
			return false;
		}
		show->traces[i].style = options->style;
	}
	if (show->count > 1)
		tring_show_name(show);
	return true;
}

static bool join(const struct tring_show *show, const char *align)
{
	struct tring_trace **traces = tring_allocate(show->count * sizeof(*traces));
	size_t i;
	int error;

	for (i = 0; i < show->count; i++)
		traces[i] = show->traces[i].trace;
	error = tring_join(traces, show->count, align);
	free(traces);
	return !error;
}

static void tell_of_stop(const struct tring_show *show, const struct report_options *options)
{
	size_t i;

	for (i = 0; i < show->count; i++) {
		const char *stopped_by = tring_env(show->traces[i].trace, "stopped_by");

		if (stopped_by && *stopped_by)
			tring_note("%s: stopped by %s", options->dirs[i], stopped_by);
	}
}

/* Return: false if the traces do not have what was asked for. */
static bool show_all(struct tring_show *show, const struct report_options *options)
{
	void (*print)(struct tring_show *show) =
		options->follow ? tring_show_follow : tring_show_all;
	bool selects = !tring_choice_is_all(&options->events);

	if (show->count > 1 && !join(show, options->align))
		return false;
	if (!set_styles(show, options))
		return false;
	tell_of_stop(show, options);
	if (selects && tring_select(show->traces[0].trace, &options->events.wanted))
		return false;
	if (options->json)
		tring_show_json(show, print);
	else
		print(show);
	if (selects)
		tell_of_part(show, &options->events.wanted);
	return !show->failed;
}

/* See no-color.org. */
static bool wants_colour(void)
{
	const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");

	return isatty(STDOUT_FILENO) && !(no_colour && *no_colour) &&
	       terminal && strcmp(terminal, "dumb");
}

static bool has_stdin(const struct report_options *options)
{
	size_t i;

	for (i = 0; i < options->count; i++)
		if (!strcmp(options->dirs[i], "-"))
			return true;
	return false;
}

/* Return: -1 to go on, or an exit status. */
static int check_options(struct report_options *options, int argc, char **argv)
{
	static char *fallback[] = { TRING_TRACE_DIR_DEFAULT };
	const struct tring_style *style = &options->style;
	bool styled = style->nanoseconds || style->wall || style->delta || style->raw;

	options->style.colour = wants_colour();
	options->dirs = optind < argc ? argv + optind : fallback;
	options->count = optind < argc ? argc - optind : 1;
	if (options->follow && options->count > 1) {
		tring_error("--follow prints the events of one trace");
		return tring_bad_usage();
	}
	if (options->follow && has_stdin(options)) {
		tring_error("--follow is of a trace that tring records; \"-\" is none");
		return tring_bad_usage();
	}
	if (options->json && styled) {
		tring_error("--json has all of an event; no option for lines of text goes with it");
		return tring_bad_usage();
	}
	if (options->formats && !has_stdin(options)) {
		tring_error("--formats is for the packets of \"-\"");
		return tring_bad_usage();
	}
	if (options->align && options->count < 2) {
		tring_error("--align is for several traces");
		return tring_bad_usage();
	}
	return -1;
}

#define AT(member)	offsetof(struct report_options, member)

static const struct tring_option list[] = {
	{ .help = "Which events, if not all; a LIST has commas:" },
	{ 'c', "cpu", "LIST", "events of these CPUs, such as 0,2-3", .take = tring_take_choice },
	{ 'P', "pid", "LIST", "events of the tasks with these pids", .take = tring_take_choice },
	{ TRING_CHOICE_COMM, "comm", "LIST", "events of the tasks with these names, which may be\n"
	  "globs", .take = tring_take_choice },
	{ 'e', "event", "LIST", "these events: EVENT, SYSTEM or SYSTEM:EVENT, also as\n"
	  "globs", .take = tring_take_choice },
	{ 'F', NULL, "FILTER", "events with conditions: EVENT[,EVENT]...[: CONDITION], such\n"
	  "as 'sched_switch: prev_prio < 100 && prev_comm =~ \"^rcu\"'",
	  .take = tring_take_choice },
	{ TRING_CHOICE_FROM, "from", "TIME", "events from this time on",
	  .take = tring_take_choice },
	{ TRING_CHOICE_TO, "to", "TIME", "events up to this time. A TIME is seconds as printed,\n"
	  "or +SECONDS from the first event on, or local\n"
	  "[YYYY-MM-DD ]HH:MM:SS; negative SECONDS count back from the\n"
	  "end of the range", .take = tring_take_choice },
	{ .help = "How:" },
	{ 't', NULL, NULL, "times with nanoseconds", .at = AT(style.nanoseconds) },
	{ 0, "wall", NULL, "times as local date and time", .at = AT(style.wall) },
	{ 0, "delta", NULL, "also the time since the line before", .at = AT(style.delta) },
	{ 'R', NULL, NULL, "all fields as the event's format has them, and no text of\n"
	  "the event", .at = AT(style.raw) },
	{ 0, "json", NULL, "JSON, an object a line", .at = AT(json) },
	{ 0, "follow", NULL, "go on while the trace is recorded, some 2 s behind",
	  .at = AT(follow) },
	{ 0, "align", "FILTER", "of several traces, the first event of each that FILTER lets\n"
	  "through was at the same time, whatever their clocks say", .at = AT(align) },
	{ 0, "formats", "DIR", "a trace whose events are those of the packets of \"-\"",
	  .at = AT(formats) },
	{ 0 },
};

static const struct tring_usage command = {
	.synopsis = "usage: tring report [OPTION]... [DIR | FILE]...\n",
	.description = "Prints the trace in DIR, by default " TRING_TRACE_DIR_DEFAULT
		", or a trace.dat FILE,\n"
		"one line an event. Several traces are ordered by wall clock time; each line\n"
		"then begins with the trace's name. \"-\" is a trace.dat, or a CPU's packets, from\n"
		"stdin.\n",
	.list = list,
	.most = -1,
};

/* Return: -1 to go on, or an exit status. */
static int parse_options(struct report_options *options, int argc, char **argv)
{
	int status = tring_options_parse(&command, options, argc, argv);

	return status < 0 ? check_options(options, argc, argv) : status;
}

/* Return: false if a trace cannot be opened; all that can be are tried. */
static bool open_all(struct tring_show *show, struct tring_opened *opened,
		     const struct report_options *options)
{
	bool good = true;
	size_t i;

	for (i = 0; i < options->count; i++) {
		opened[i].formats = options->formats;
		good &= tring_opened_open(&opened[i], options->dirs[i]);
		show->traces[i].trace = opened[i].trace;
		show->traces[i].name = options->count > 1 ? options->dirs[i] : NULL;
	}
	return good;
}

/* Return: TRING_EXIT_OK, or _USAGE if an option is not for such a trace. */
static int check_kind(const struct tring_show *show, const struct report_options *options)
{
	if (!options->follow || !tring_is_trace_dat(show->traces[0].trace))
		return TRING_EXIT_OK;
	tring_error("--follow is of a trace that tring records; %s is none", options->dirs[0]);
	return tring_bad_usage();
}

static int report_traces(const struct report_options *options)
{
	struct tring_show show = { .count = options->count };
	struct tring_opened *opened = tring_allocate(options->count * sizeof(*opened));
	int status = TRING_EXIT_OK;
	bool good;
	size_t i;

	show.traces = tring_allocate(options->count * sizeof(*show.traces));
	good = open_all(&show, opened, options);
	if (good)
		status = check_kind(&show, options);
	good = good && !status && show_all(&show, options);
	for (i = 0; i < options->count; i++) {
		opened[i].failed |= !good;
		if (tring_opened_end(&opened[i]) && !status)
			status = TRING_EXIT_BAD;
	}
	tring_show_free(&show);
	free(opened);
	return status;
}

/**
 * tring_cmd_report - print traces
 * @argc: as main's
 * @argv: as main's
 *
 * Return: TRING_EXIT_OK; _BAD if anything was wrong with a trace, or if none has what was
 * selected; or _USAGE.
 */
int tring_cmd_report(int argc, char **argv)
{
	struct report_options options = { 0 };
	int status = parse_options(&options, argc, argv);

	if (status < 0)
		status = report_traces(&options);
	tring_choice_free(&options.events);
	return status;
}
