// SPDX-License-Identifier: GPL-2.0
/* tring why: tells what a task waited for, and what that waited for. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/options.h"
#include "commands.h"
#include "show/choice.h"
#include "show/open.h"
#include "show/top_traces.h"
#include "stats/tables.h"
#include "util/util.h"
#include "why.h"

#define ROWS	5

/**
 * struct request - what the user asks for
 * @choice: of which tasks, and when
 * @longest: which times of these
 * @rows: the longest ones, so many; 0 for all
 * @show: prints one of them
 */
struct request {
	struct tring_choice choice;
	enum tring_why_longest longest;
	uint64_t	rows;
	tring_why_show	*show;
};

/* Return: index of a name; @count if it is none of them. */
static size_t find_name(const char *const *names, size_t count, const char *name)
{
	size_t i;

	for (i = 0; i < count && strcmp(names[i], name); i++)
		;
	return i;
}

static bool take_longest(void *data, const struct tring_option *option, const char *text)
{
	enum tring_why_longest *longest = &((struct request *)data)->longest;

	(void)option;
	*longest = find_name(tring_why_longest_names, TRING_WHY_LONGEST, text);
	if (*longest != TRING_WHY_ALL && *longest != TRING_WHY_LONGEST)
		return true;
	tring_error("--longest %s: wakeup, block, syscall, span or wait is possible", text);
	return false;
}

static bool take_form(void *data, const struct tring_option *option, const char *text)
{
	static const char *const names[] = { "tree", "json", "folded" };
	static tring_why_show *const shows[] = {
		tring_why_show_tree, tring_why_show_json, tring_why_show_folded,
	};
	size_t form = find_name(names, 3, option->letter ? text : "json");

	if (form < 3)
		((struct request *)data)->show = shows[form];
	else
		tring_error("-o %s: tree, json or folded is possible", text);
	return form < 3;
}

static const struct tring_option list[] = {
	{ 'P', "pid", "LIST", "the tasks with these pids", .take = tring_take_choice },
	{ TRING_CHOICE_COMM, "comm", "LIST", "the tasks with these names, which may be globs",
	  .take = tring_take_choice },
	{ TRING_CHOICE_FROM, "from", "TIME", "from this time on; of --longest, what ends then",
	  .take = tring_take_choice },
	{ TRING_CHOICE_TO, "to", "TIME", "up to this time. TIME is as for report",
	  .take = tring_take_choice },
	{ 0, "longest", "WHAT", "the longest wakeup, block, syscall, span or wait, of all\n"
	  "tasks or of the named ones", .take = take_longest },
	{ 'n', "rows", "N", "with --longest: how many, by default 5; 0 for all",
	  .at = offsetof(struct request, rows), .take = tring_take_rows },
	{ 'o', "output", "FORM", "tree (the default), json, or folded, for flame graphs",
	  .take = take_form },
	{ 0, "json", NULL, "the same as -o json", .take = take_form },
	{ 0 },
};

static const struct tring_usage options = {
	.synopsis = "usage: tring why -P LIST [OPTION]... [DIR | FILE]\n"
		    "       tring why --longest WHAT [OPTION]... [DIR | FILE]\n",
	.description =
		"Tells what tasks of the trace in DIR waited for, by default "
		TRING_TRACE_DIR_DEFAULT ",\n"
		"or of a trace.dat FILE: a CPU, and what had it meanwhile; or to be woken, and\n"
		"what the task that did so was doing from the begin of the wait on. WHAT is\n"
		"\n"
		"  wakeup    a time from a wakeup to a CPU\n"
		"  block     a time until a wakeup\n"
		"  syscall   a system call\n"
		"  span      what a program has marked, see tring-marker(5)\n"
		"  wait      a time without a CPU\n",
	.list = list,
	.most = 1,
};

/* Return: false if the trace does not have what is asked for. */
static bool has_all(const struct tring_why *why)
{
	const struct tring_top *top = &why->walk.top;
	const char *lacks = NULL;

	if (!tring_table_has(top, TRING_KIND_SWITCH) || !tring_table_has(top, TRING_KIND_WAKING))
		lacks = "sched_switch,sched_waking";
	else if (why->longest == TRING_WHY_SYSCALL)
		lacks = tring_table_lacks(top, &tring_table_syscall);
	if (lacks)
		tring_error("the trace does not have what this needs: record -e %s", lacks);
	return !lacks;
}

/* Tells why there is no answer. Return: false if the trace has none of the tasks. */
static bool tell_nothing(const struct tring_why *why, const struct tring_wanted *wanted)
{
	size_t i;

	for (i = 0; i < why->life_count && why->longest; i++)
		if (why->lives[i].wanted && why->lives[i].steps.count) {
			tring_note("no %s is known from its begin to its end",
				   tring_why_longest_names[why->longest]);
			return true;
		}
	tring_error("the trace has no task %s%s", wanted->pids ? wanted->pids : wanted->comms ?
		    wanted->comms : "", wanted->from || wanted->to ? " at that time" : "");
	return false;
}

static void answer(struct tring_why *why, const struct request *request)
{
	uint64_t unknown = 0;
	size_t i;

	for (i = 0; i < why->asked.count; i++) {
		struct tring_why_part *asked = &why->asked.list[i];

		tring_why_resolve(why, asked);
		request->show(why, asked);
		unknown += tring_why_unknown(asked);
		tring_why_release(asked);
	}
	if (unknown)
		tring_note("%.6f s are unknown: events were lost then, or not recorded",
			   tring_ns(why->walk.top.trace, unknown) / 1e9);
}

/* Chooses what is read: what goes on at --to is known when it has ended. */
static bool choose(struct tring_why *why, const struct tring_choice *choice)
{
	struct tring_wanted wanted = choice->wanted;

	if (!tring_top_select(why->walk.top.trace, &wanted))
		return false;
	why->from = tring_wants_from(why->walk.top.trace);
	why->to = tring_wants_to(why->walk.top.trace);
	wanted.to = NULL;
	return why->longest || tring_top_select(why->walk.top.trace, &wanted);
}

static bool ask(struct tring_trace *trace, const struct request *request)
{
	struct tring_why why = { .walk.top.trace = trace, .longest = request->longest };
	bool good;

	if (!choose(&why, &request->choice))
		return false;
	tring_why_init(&why);
	good = has_all(&why);
	if (good) {
		tring_why_gather(&why);
		tring_why_choose(&why, request->rows);
		answer(&why, request);
		good = why.asked.count || tell_nothing(&why, &request->choice.wanted);
	}
	tring_why_free(&why);
	return good;
}

/**
 * tring_cmd_why - tell why tasks waited
 * @argc: as main's
 * @argv: as main's
 *
 * Return: TRING_EXIT_OK; _BAD if the trace cannot be read, or does not have what is asked for; or
 * _USAGE.
 */
int tring_cmd_why(int argc, char **argv)
{
	/* -n takes no such number */
	struct request request = { .rows = UINT64_MAX, .show = tring_why_show_tree };
	struct tring_opened opened = { 0 };
	int status = tring_options_parse(&options, &request, argc, argv);

	if (status < 0 && !request.longest && !request.choice.wanted.pids &&
	    !request.choice.wanted.comms) {
		tring_error("of which task: -P, --comm or --longest?");
		status = tring_bad_usage();
	}
	if (status < 0 && !request.longest && request.rows != UINT64_MAX) {
		tring_error("-n is for --longest");
		status = tring_bad_usage();
	}
	if (request.rows == UINT64_MAX)
		request.rows = ROWS;
	if (status < 0) {
		if (tring_opened_open(&opened, optind < argc ? argv[optind] :
				      TRING_TRACE_DIR_DEFAULT))
			opened.failed = !ask(opened.trace, &request);
		status = tring_opened_end(&opened);
	}
	tring_choice_free(&request.choice);
	return status;
}
