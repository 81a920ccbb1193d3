// SPDX-License-Identifier: GPL-2.0
/* tring flame: draws where tasks were when they left their CPUs, or where events happened. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "commands.h"
#include "export/output.h"
#include "flame.h"
#include "show/choice.h"
#include "show/open.h"
#include "show/top_traces.h"
#include "stats/tables.h"
#include "util/text.h"
#include "util/util.h"

/**
 * struct form - how a flame graph is written
 * @end: end of the file's name
 * @magic: begin of such a file; "" for one of lines that end with numbers
 * @write: makes its text
 */
static const struct form {
	const char	*end;
	const char	*magic;
	tring_flame_write *write;
} forms[] = {
	{ ".folded", "", tring_flame_folded },
	{ ".svg", "<svg xmlns=", tring_flame_svg },
	{ ".speedscope.json", "{\"$schema\":", tring_flame_speedscope },
};

/**
 * struct request - what the user asks for
 * @choice: of which events and tasks, and when
 * @off_cpu: --off-cpu
 * @wakeup: --wakeup
 * @tasks: a frame for each task
 * @output: the file; NULL for stdout
 * @form: how it is written
 */
struct request {
	struct tring_choice choice;
	bool		off_cpu;
	bool		wakeup;
	bool		tasks;
	const char	*output;
	const struct form *form;
};

static bool take_output(void *data, const struct tring_option *option, const char *text)
{
	struct request *request = data;
	size_t i;

	for (i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (tring_ends_with(text, forms[i].end)) {
			request->form = &forms[i];
			return tring_take_path(request, option, text);
		}
	}
	tring_error("-o %s: a name that ends in .svg, .folded or .speedscope.json is possible",
		    text);
	return false;
}

#define AT(member)	offsetof(struct request, member)

static const struct tring_option list[] = {
	{ 0, "off-cpu", NULL, "the times that tasks were off their CPUs, by the stack of\n"
	  "sched_switch; the default", .at = AT(off_cpu) },
	{ 0, "wakeup", NULL, "the times until they were woken, with the stacks of what\n"
	  "has woken them behind their own", .at = AT(wakeup) },
	{ 'e', "event", "LIST", "the number of these events: EVENT, SYSTEM or SYSTEM:EVENT,\n"
	  "also as globs", .take = tring_take_choice },
	{ 'F', NULL, "FILTER", "the number of events with conditions, as for report",
	  .take = tring_take_choice },
	{ 'c', "cpu", "LIST", "of these CPUs", .take = tring_take_choice },
	{ 'P', "pid", "LIST", "of the tasks with these pids", .take = tring_take_choice },
	{ TRING_CHOICE_COMM, "comm", "LIST", "of the tasks with these names, which may be globs",
	  .take = tring_take_choice },
	{ TRING_CHOICE_FROM, "from", "TIME", "from this time on", .take = tring_take_choice },
	{ TRING_CHOICE_TO, "to", "TIME", "up to this time. TIME is as for report",
	  .take = tring_take_choice },
	{ 0, "tasks", NULL, "a frame for each task, not for each name", .at = AT(tasks) },
	{ 'o', "output", "FILE", "the file to write: NAME.svg, NAME.folded or\n"
	  "NAME.speedscope.json; by default folded stacks on stdout",
	  .at = AT(output), .take = take_output },
	{ 0, "force", NULL, "as root, write FILE also where other users can write",
	  .take = tring_take_force },
	{ 0 },
};

static const struct tring_usage options = {
	.synopsis = "usage: tring flame [OPTION]... [DIR | FILE]\n",
	.description =
		"Draws a flame graph of the trace in DIR, by default " TRING_TRACE_DIR_DEFAULT ",\n"
		"or of a trace.dat FILE. It needs stacks: record -T -e sched\n",
	.list = list,
	.most = 1,
};

static bool has_stacks(const struct tring_trace *trace)
{
	return tring_event_find(trace, "ftrace", "kernel_stack") ||
	       tring_event_find(trace, "ftrace", "user_stack");
}

/* Return: false if the trace does not have what is asked for. */
static bool has_all(const struct tring_flame *flame)
{
	const struct tring_top *top = &flame->walk.top;
	bool events = flame->mode == TRING_FLAME_EVENTS;

	if (has_stacks(top->trace) && (events || tring_table_has(top, TRING_KIND_SWITCH)) &&
	    (flame->mode != TRING_FLAME_WAKEUP || tring_table_has(top, TRING_KIND_WAKING)))
		return true;
	tring_error("the trace does not have what this needs: record -T%s",
		    events ? "" : " -e sched");
	return false;
}

static void tell(const struct tring_flame *flame)
{
	if (!flame->found)
		tring_note("no event has a stack: record -T%s",
			   flame->mode == TRING_FLAME_EVENTS ? "" : " -e sched");
	if (flame->lost && flame->mode == TRING_FLAME_EVENTS)
		tring_note("%" PRIu64 " events were lost; how many of them belong here is unknown",
			   flame->lost);
	if (!flame->all[0])
		tring_note("there is nothing to draw");
}

static bool write_file(const struct request *request, const struct tring_line *text)
{
	const char *magic = request->form->magic;
	struct tring_output output;

	if (tring_output_open(&output, request->output, magic, strlen(magic)))
		return false;
	tring_output_add(&output, text->start, text->at - text->start);
	return !tring_output_close(&output);
}

static bool draw(struct tring_flame *flame, const struct request *request)
{
	struct tring_line text;
	bool good = true;

	tring_line_init(&text);
	tring_flame_grow(flame);
	request->form->write(flame, &text);
	if (request->output)
		good = write_file(request, &text);
	else
		fwrite(text.start, 1, text.at - text.start, stdout);
	tring_line_free(&text);
	if (good)
		tell(flame);
	return good;
}

static enum tring_flame_mode mode_of(const struct request *request)
{
	if (request->choice.wanted.events || request->choice.wanted.filter_count)
		return TRING_FLAME_EVENTS;
	return request->wakeup ? TRING_FLAME_WAKEUP : TRING_FLAME_OFF_CPU;
}

static bool make(struct tring_trace *trace, const struct request *request)
{
	static const char *const titles[] = {
		[TRING_FLAME_OFF_CPU] = "off-CPU time", [TRING_FLAME_WAKEUP] = "time until wakeup",
		[TRING_FLAME_EVENTS] = "events",
	};
	struct tring_flame flame = {
		.walk.top.trace = trace, .mode = mode_of(request), .tasks = request->tasks,
	};
	const char *events = request->choice.wanted.events;
	char *title;
	bool good;

	if (!tring_top_select(trace, &request->choice.wanted))
		return false;
	title = tring_format("%s%s%s", titles[flame.mode], events ? " " : "", events ? events : "");
	flame.title = title;
	tring_flame_init(&flame);
	good = has_all(&flame);
	if (good) {
		tring_flame_gather(&flame);
		good = draw(&flame, request);
	}
	tring_flame_free(&flame);
	free(title);
	return good;
}

/**
 * tring_cmd_flame - draw a flame graph
 * @argc: as main's
 * @argv: as main's
 *
 * Return: TRING_EXIT_OK; _BAD if the trace cannot be read, or does not have what is asked for, or
 * if the output cannot be written; or _USAGE.
 */
int tring_cmd_flame(int argc, char **argv)
{
	struct request request = { .form = forms };
	struct tring_opened opened = { 0 };
	int status = tring_options_parse(&options, &request, argc, argv);

	if (status < 0 && request.off_cpu + request.wakeup +
	    (mode_of(&request) == TRING_FLAME_EVENTS) > 1) {
		tring_error("--off-cpu, --wakeup and events do not go together");
		status = tring_bad_usage();
	}
	if (status < 0) {
		if (tring_opened_open(&opened, optind < argc ? argv[optind] :
				      TRING_TRACE_DIR_DEFAULT))
			opened.failed = !make(opened.trace, &request);
		status = tring_opened_end(&opened);
	}
	tring_choice_free(&request.choice);
	return status;
}
