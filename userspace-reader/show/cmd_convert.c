// SPDX-License-Identifier: GPL-2.0
/* tring convert: writes a recorded trace in the format of another tool. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "choice.h"
#include "commands.h"
#include "export/export.h"
#include "open.h"
#include "cli/options.h"
#include "util/util.h"

static const struct format {
	const char *name;
	/* NULL for trace.dat, which has an option of its own */
	int (*convert)(struct tring_trace *trace, const char *output);
	const char *output;
} formats[] = {
	{ "trace.dat", NULL, "trace.dat" },
	{ "perfetto", tring_export_perfetto, "trace.pftrace" },
	{ "ctf", tring_export_ctf, "tring-trace.ctf" },
	{ "parquet", tring_export_parquet, "tring-trace.parquet" },
};

struct request {
	struct tring_choice events;
	const struct format *format;
	const char *output;
	const char *dir;
	bool wall;
};

static const struct format *find_format(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (!strcmp(name, formats[i].name))
			return &formats[i];
	tring_error("--to %s: there is no such format", name);
	return NULL;
}

/* The option is report's, too, whose argument is a time, with a digit in front or a sign. */
static bool take_to(void *request, const struct tring_option *option, const char *text)
{
	struct request *wanted = request;

	(void)option;
	if (strspn(text, "+-0123456789"))
		return tring_choice_take(&wanted->events, TRING_CHOICE_TO, text);
	wanted->format = find_format(text);
	return wanted->format;
}

static const struct tring_option list[] = {
	{ 't', "to", "FORMAT", "trace.dat: for trace-cmd and KernelShark\n"
	  "perfetto: for Perfetto's viewer and trace processor\n"
	  "ctf: a directory for Trace Compass\n"
	  "parquet: a directory of tables for DuckDB, Spark and so on", .take = take_to },
	{ 'o', "output", "OUT", "the file or directory to write; by default trace.dat,\n"
	  "trace.pftrace, tring-trace.ctf or tring-trace.parquet",
	  .at = offsetof(struct request, output), .take = tring_take_path },
	{ 0, "wall", NULL, "in trace.dat, times of the wall clock, as of\n"
	  "\"trace-cmd record --date\", instead of the trace's clock",
	  .at = offsetof(struct request, wall) },
	{ 0, "force", NULL, "as root, write OUT also where other users can write",
	  .take = tring_take_force },
	{ .help = "Which events, if not all, as report's:" },
	{ 'c', "cpu", "LIST", "events of these CPUs", .take = tring_take_choice },
	{ 'P', "pid", "LIST", "events of the tasks with these pids", .take = tring_take_choice },
	{ TRING_CHOICE_COMM, "comm", "LIST", "events of the tasks with these names",
	  .take = tring_take_choice },
	{ 'e', "event", "LIST", "these events", .take = tring_take_choice },
	{ 'F', NULL, "FILTER", "events with conditions", .take = tring_take_choice },
	{ TRING_CHOICE_FROM, "from", "TIME", "events from this time on; and beside --to FORMAT,\n"
	  "--to TIME: up to this time", .take = tring_take_choice },
	{ 0 },
};

static const struct tring_usage options = {
	.synopsis = "usage: tring convert --to FORMAT [-o OUT] [OPTION]... [DIR | FILE]\n",
	.description = "Writes the trace in DIR, by default " TRING_TRACE_DIR_DEFAULT
		", or a trace.dat FILE, in another format.\n",
	.list = list,
	.most = 1,
};

/* Return: -1 to go on, or an exit status. */
static int parse_options(struct request *request, int argc, char **argv)
{
	int status = tring_options_parse(&options, request, argc, argv);

	if (status >= 0)
		return status;
	if (!request->format) {
		tring_error("--to FORMAT is missing");
		return tring_bad_usage();
	}
	if (request->wall && request->format->convert) {
		tring_error("--wall is of trace.dat; %s has both times", request->format->name);
		return tring_bad_usage();
	}
	if (optind < argc)
		request->dir = argv[optind];
	return -1;
}

/* Return: false if something is missing in the output, reported on stderr. */
static bool write_output(struct tring_trace *trace, const struct request *request,
			 const struct tring_wanted *wanted)
{
	const struct format *format = request->format;
	const char *output = request->output ? request->output : format->output;

	if (format->convert)
		return !format->convert(trace, output);
	if (tring_is_trace_dat(trace)) {
		tring_error("%s: it is a trace.dat already; %s changes its version", request->dir,
			    "\"trace-cmd convert\"");
		return false;
	}
	return !tring_export_trace_dat(trace, output, request->wall, wanted);
}

/* As above. */
static bool convert(struct tring_trace *trace, const struct request *request)
{
	const struct tring_wanted *wanted = &request->events.wanted;

	if (tring_choice_is_all(&request->events))
		return write_output(trace, request, NULL);
	if (tring_select(trace, wanted) || !write_output(trace, request, wanted))
		return false;
	if (!tring_given(trace))
		tring_note("no event was selected");
	return true;
}

/**
 * tring_cmd_convert - convert a trace
 * @argc: as main's
 * @argv: as main's
 *
 * Return: TRING_EXIT_OK, or _BAD if anything was wrong with the trace or the output.
 */
int tring_cmd_convert(int argc, char **argv)
{
	struct request request = { .dir = TRING_TRACE_DIR_DEFAULT };
	struct tring_opened opened = { 0 };
	int status = parse_options(&request, argc, argv);

	if (status >= 0) {
		tring_choice_free(&request.events);
		return status;
	}
	if (tring_opened_open(&opened, request.dir))
		opened.failed = !convert(opened.trace, &request);
	status = tring_opened_end(&opened);
	tring_choice_free(&request.events);
	return status;
}
