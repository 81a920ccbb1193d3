// SPDX-License-Identifier: GPL-2.0
/* tring latency: prints how long it takes from any event to another one. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/options.h"
#include "commands.h"
#include "show.h"
#include "show/choice.h"
#include "show/open.h"
#include "show/top_traces.h"
#include "stats/top_walk.h"
#include "util/util.h"

#define ROWS		10

/**
 * struct request - what the user asks for
 * @events: which events
 * @pair: the pair
 * @keys: fields in common, if @pair has no name
 * @text: what @pair needs
 * @rows: number of rows, and of the longest times; 0 for all rows
 * @json: as JSON
 * @path: the trace
 */
struct request {
	struct tring_choice events;
	struct tring_pair pair;
	char		*keys;
	char		*text;
	uint64_t	rows;
	bool		json;
	const char	*path;
};

static bool take_key(void *wanted, const struct tring_option *option, const char *text)
{
	struct request *request = wanted;

	(void)option;
	if (!*text) {
		tring_error("--key: a field is missing");
		return false;
	}
	tring_extend(&request->keys, "%s%s", request->keys ? "," : "", text);
	return true;
}

#define AT(member)	offsetof(struct request, member)

static const struct tring_option list[] = {
	{ 'k', "key", "FIELD", "BEGIN and END have the same value there; FIELD=FIELD if the\n"
	  "field of END has another name, or several with commas", .take = take_key },
	{ 'y', "by", "FIELD", "a row for each value of this field of BEGIN, or of END",
	  .at = AT(pair.by) },
	{ 0, "begin-time", "FIELD", "the time in ns is in this field of BEGIN",
	  .at = AT(pair.begin_time) },
	{ 0, "end-time", "FIELD", "the time in ns is in this field of END",
	  .at = AT(pair.end_time) },
	{ 0, "first", NULL, "of several BEGIN without an END the first one counts, not the\n"
	  "last one", .at = AT(pair.first) },
	{ 'n', "rows", "N", "rows, and longest times, by default 10; 0 for all rows",
	  .at = AT(rows), .take = tring_take_rows },
	{ 0, "json", NULL, "print an object of JSON", .at = AT(json) },
	{ .help = "Which events, if not all; a LIST has commas. One of both has to be wanted:" },
	{ 'c', "cpu", "LIST", "those on these CPUs, such as 0,2-3", .take = tring_take_choice },
	{ 'P', "pid", "LIST", "those while the tasks with these pids ran",
	  .take = tring_take_choice },
	{ TRING_CHOICE_COMM, "comm", "LIST", "those while the tasks with these names ran, which\n"
	  "may be globs", .take = tring_take_choice },
	{ TRING_CHOICE_FROM, "from", "TIME", "times that end from this time on",
	  .take = tring_take_choice },
	{ TRING_CHOICE_TO, "to", "TIME", "up to this time. TIME is as for report",
	  .take = tring_take_choice },
	{ 0 },
};

static const struct tring_usage command = {
	.synopsis = "usage: tring latency [OPTION]... PAIR [DIR | FILE]\n"
		"       tring latency [OPTION]... --key FIELD BEGIN END [DIR | FILE]\n"
		"\n"
		"Prints how long it takes from one event to another one in the trace in DIR, by\n"
		"default " TRING_TRACE_DIR_DEFAULT ", or in a trace.dat FILE. BEGIN and END are\n"
		"events, PAIR is one of\n"
		"\n"
		"  wakeup      from a task's waking until it gets a CPU\n"
		"  syscall     system calls; of one alone: syscalls:NAME\n"
		"  futex       calls of futex, by address\n"
		"  block       requests of block devices, from issue to completion\n"
		"  irq         handlers of interrupts\n"
		"  softirq     from the raise of a softirq until it runs\n"
		"  napi        from the softirq NET_RX to its poll of a device\n"
		"  net         packets, from a device's queue to its driver\n"
		"  hrtimer     timers, from their expiry to their function\n"
		"  page-fault  page faults of programs, until the kernel has handled them\n"
		"\n"
		"\"tring record --pair PAIR\" records what a PAIR needs.\n",
	.list = list,
	.missing = "PAIR",
	.most = 3,
};

/* Return: false, reported on stderr, if the pair and its options do not go together. */
static bool name_pair(struct request *request, const char *name)
{
	struct tring_pair given = request->pair;

	if (!tring_pair_find(&request->pair, name, &request->text)) {
		tring_error("there is no pair \"%s\"; \"tring help latency\" has all", name);
		return false;
	}
	if (given.begin_time || given.end_time || given.first) {
		tring_error("--begin-time, --end-time and --first are for --key");
		return false;
	}
	if (given.by) {
		request->pair.by = given.by;
		request->pair.names = NULL;
	}
	return true;
}

/* Return: -1 to go on, or an exit status. */
static int parse(struct request *request, int argc, char **argv)
{
	int status = tring_options_parse(&command, request, argc, argv);
	int events = request->keys ? 2 : 1;

	if (status >= 0)
		return status;
	if (argc - optind < events || argc - optind > events + 1) {
		tring_error(request->keys ? "--key is for BEGIN and END" :
					    "two events need --key, what they have in common");
		return tring_bad_usage();
	}
	request->path = argc - optind > events ? argv[optind + events] : TRING_TRACE_DIR_DEFAULT;
	if (!request->keys)
		return name_pair(request, argv[optind]) ? -1 : tring_bad_usage();
	request->pair.begin = argv[optind];
	request->pair.end = argv[optind + 1];
	request->pair.keys = request->keys;
	return -1;
}

static void tell(const struct tring_latency *latency)
{
	if (latency->damaged)
		tring_error("the payload of %" PRIu64 " events does not fit the format",
			    latency->damaged);
	if (latency->reversed)
		tring_note("%" PRIu64 " ends were before their begins, by their fields: 0 ns",
			   latency->reversed);
	if (latency->blinded)
		tring_note("some %s were not recorded, so no time is known", latency->blinded);
	else if (latency->all.timing.unknown)
		tring_note("events are lost: %" PRIu64 " times are unknown",
			   latency->all.timing.unknown);
}

static bool measure(struct tring_latency *latency, const struct request *request,
		    struct tring_trace *trace)
{
	struct tring_left_out left_out = tring_left_out_parse(tring_env(trace, "left_out"));
	struct tring_item item;

	if (!tring_top_select(trace, &request->events.wanted))
		return false;
	latency->slow_most = request->rows ? request->rows : ROWS;
	tring_latency_init(latency, trace, &left_out);
	while (tring_next(trace, &item) > 0)
		tring_latency_take(latency, &item);
	tring_latency_end(latency);
	if (request->json)
		tring_latency_json(latency);
	else
		tring_latency_show(latency, request->rows);
	tell(latency);
	tring_latency_free(latency);
	return true;
}

static int run(const struct request *request)
{
	struct tring_opened opened = { 0 };
	struct tring_latency latency = { 0 };

	if (tring_opened_open(&opened, request->path)) {
		opened.failed = !tring_pair_bind(&latency.pair, &request->pair, opened.trace) ||
				!measure(&latency, request, opened.trace);
		tring_pair_free(&latency.pair);
	}
	return tring_opened_end(&opened);
}

/**
 * tring_cmd_latency - print how long it takes from any event to another one
 * @argc: as main's
 * @argv: as main's
 *
 * Return: TRING_EXIT_OK; _BAD if anything was wrong with the trace, or if it does not have
 * what was asked for; or _USAGE.
 */
int tring_cmd_latency(int argc, char **argv)
{
	struct request request = { .rows = ROWS };
	int status = parse(&request, argc, argv);

	if (status < 0)
		status = run(&request);
	tring_choice_free(&request.events);
	free(request.keys);
	free(request.text);
	return status;
}
