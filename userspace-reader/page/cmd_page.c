// SPDX-License-Identifier: GPL-2.0
/* tring page: writes a trace as one file that a browser shows. */
#include <errno.h>
#include <getopt.h>
#include <string.h>

#include "cli/options.h"
#include "commands.h"
#include "page.h"
#include "show/choice.h"
#include "show/open.h"
#include "show/top_traces.h"
#include "util/util.h"

#define OUTPUT_DEFAULT	"trace.html"

/**
 * struct request - what the user asks for
 * @choice: of which tasks and CPUs, and when
 * @options: how much of it
 * @output: the file
 * @dirs: the traces
 * @count: number of @dirs
 */
struct request {
	struct tring_choice choice;
	struct tring_page_options options;
	const char	*output;
	char		**dirs;
	size_t		count;
};

static bool take_detail(void *data, const struct tring_option *option, const char *text)
{
	struct request *request = data;

	(void)option;
	request->options.timeline = !strcmp(text, "timeline");
	if (request->options.timeline || !strcmp(text, "all"))
		return true;
	tring_error("--detail %s: all or timeline is possible", text);
	return false;
}

#define AT(member)	offsetof(struct request, member)

static const struct tring_option list[] = {
	{ 'o', "output", "FILE", "the page, by default " OUTPUT_DEFAULT, .at = AT(output),
	  .take = tring_take_path },
	{ 0, "detail", "HOW", "all (the default), or timeline: what tasks and CPUs did, but\n"
	  "not what events have besides, and times are rounded", .take = take_detail },
	{ 'c', "cpu", "LIST", "these CPUs, such as 0,2-3", .take = tring_take_choice },
	{ 'P', "pid", "LIST", "the tasks with these pids", .take = tring_take_choice },
	{ TRING_CHOICE_COMM, "comm", "LIST", "the tasks with these names, which may be globs",
	  .take = tring_take_choice },
	{ 'e', "event", "LIST", "these events: EVENT, SYSTEM or SYSTEM:EVENT, also as\n"
	  "globs; what tasks did is still told by all", .take = tring_take_choice },
	{ 'F', NULL, "FILTER", "events with conditions, as of report", .take = tring_take_choice },
	{ TRING_CHOICE_FROM, "from", "TIME", "from this time on", .take = tring_take_choice },
	{ TRING_CHOICE_TO, "to", "TIME", "up to this time. TIME is as for report",
	  .take = tring_take_choice },
	{ 0, "addresses", NULL, "addresses of the kernel, too, which tell where it lies",
	  .at = AT(options.addresses) },
	{ 0, "command-line", NULL, "the command that has recorded the trace, too",
	  .at = AT(options.command_lines) },
	{ 0, "force", NULL, "as root, write FILE also where other users can write",
	  .take = tring_take_force },
	{ 0 },
};

static const struct tring_usage usage = {
	.synopsis = "usage: tring page [OPTION]... [DIR | FILE]...\n",
	.description = "Writes the trace in DIR, by default " TRING_TRACE_DIR_DEFAULT
		", or a trace.dat FILE,\n"
		"as one HTML file that any browser shows, without a network. Several traces are\n"
		"those of several machines.\n",
	.list = list,
	.most = -1,
};

static bool write_trace(struct tring_trace *trace, const struct request *request,
			struct tring_page_file *file, struct tring_line *index)
{
	if (!tring_top_select(trace, &request->choice.wanted))
		return false;
	tring_page_write(trace, file, &request->options, index);
	return !file->output.error;
}

/* Return: an exit status. */
static int add_trace(struct request *request, const char *dir, struct tring_page_file *file,
		     struct tring_line *index)
{
	struct tring_opened opened = { 0 };

	request->options.name = dir;
	if (tring_opened_open(&opened, dir))
		opened.failed = !write_trace(opened.trace, request, file, index);
	/* a page of a part of the traces is none */
	if (opened.failed && !file->output.error)
		file->output.error = -EINTR;
	return tring_opened_end(&opened);
}

/* Return: an exit status. */
static int write_page(struct request *request)
{
	struct tring_page_file file;
	struct tring_line index;
	int status = TRING_EXIT_OK;

	if (!tring_page_open(&file, request->output, request->dirs[0]))
		return TRING_EXIT_BAD;
	tring_line_init(&index);
	for (file.trace = 0; file.trace < request->count && !file.output.error; file.trace++)
		if (add_trace(request, request->dirs[file.trace], &file, &index))
			status = TRING_EXIT_BAD;
	tring_page_index(&file, &request->options, &index);
	tring_line_free(&index);
	return tring_page_close(&file) ? status : TRING_EXIT_BAD;
}

/**
 * tring_cmd_page - write traces as a page
 * @argc: as main's
 * @argv: as main's
 *
 * Return: TRING_EXIT_OK; _BAD if anything was wrong with a trace or the output; or _USAGE.
 */
int tring_cmd_page(int argc, char **argv)
{
	static char *fallback[] = { TRING_TRACE_DIR_DEFAULT };
	struct request request = {
		.output = OUTPUT_DEFAULT,
	};
	int status = tring_options_parse(&usage, &request, argc, argv);

	if (status < 0) {
		request.dirs = optind < argc ? argv + optind : fallback;
		request.count = optind < argc ? argc - optind : 1;
		status = write_page(&request);
	}
	tring_choice_free(&request.choice);
	return status;
}
