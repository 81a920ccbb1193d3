// SPDX-License-Identifier: GPL-2.0
/* The options of tring record and tring start: what is recorded, and how. */
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "stats/pair.h"
#include "recording_options.h"
#include "stop_condition.h"
#include "stop_when.h"
#include "record/cgroup.h"
#include "record/compressor.h"
#include "util/util.h"

/* The trace has eight parts. */
#define MAX_SIZE_MIN_KB	64

/* The kernel's limit. */
#define STRING_MAX	255

static void add_pattern(char **patterns, const char *pattern)
{
	tring_extend(patterns, "%s%s", *patterns ? "\n" : "", pattern);
}

/*
 * A comma separates patterns, as white space does in the kernel's files. @option: what the
 * user has written before @list; @excluded: what to say of a pattern with "!"
 */
static bool add_patterns(char **patterns, const char *list, const char *option,
			 const char *excluded)
{
	char *copy = tring_format("%s", list), *rest = copy, *pattern;
	bool good = true;

	while ((pattern = strsep(&rest, ", \t\n"))) {
		if (*pattern && *pattern != '!') {
			add_pattern(patterns, pattern);
			continue;
		}
		tring_error("%s %s: %s", option, list,
			    *pattern ? excluded : "a name is missing");
		good = false;
	}
	free(copy);
	return good;
}

/* A @take of struct tring_option. */
bool tring_take_compression(void *request, const struct tring_option *option, const char *text)
{
	return tring_compressor_parse(text, (int *)((char *)request + option->at));
}

static bool add_trigger(struct tring_recording_options *options, const char *text)
{
	/* as the kernel does */
	text += strspn(text, " \t\n");
	if (*text == '!')
		tring_error("-R %s: triggers go at the end of the recording; name those to set",
			    text);
	else if (!tring_event_rules_add_trigger(&options->rules, text))
		tring_error("-R %s: which events? Name them before it, by -e", text);
	else
		return true;
	return false;
}

/* As in trace-cmd, where "all" is not the name of an event. */
static bool add_events(struct tring_recording_options *options, const char *list)
{
	char *patterns = NULL;
	bool good = add_patterns(&patterns, strcmp(list, "all") ? list : "*:*", "-e",
				 "an event cannot be excluded; name those to record");

	if (patterns) {
		add_pattern(&options->events, patterns);
		tring_event_rules_begin(&options->rules, patterns);
	}
	free(patterns);
	return good;
}

static bool add_dynamic(struct tring_recording_options *options, const char *kind,
			const char *definition)
{
	const struct tring_dynamics *dynamics = &options->dynamics;
	struct tring_dynamics last = { .count = 1 };
	char *pattern;

	if (!tring_dynamics_add(&options->dynamics, kind, definition))
		return false;
	last.list = &dynamics->list[dynamics->count - 1];
	pattern = tring_dynamics_patterns(&last, NULL);
	tring_event_rules_begin(&options->rules, pattern);
	free(pattern);
	return true;
}

/* To the kernel these take an event's filter away, so that all of it would be recorded. */
static bool is_no_filter(const char *text)
{
	static const char blanks[] = " \t\n";

	text += strspn(text, blanks);
	text += *text == '0';
	return !text[strspn(text, blanks)];
}

static bool add_filter(struct tring_recording_options *options, const char *text)
{
	if (is_no_filter(text)) {
		tring_error("-f '%s': this lets everything through; leave it out", text);
		return false;
	}
	if (tring_event_rules_add_filter(&options->rules, text))
		return true;
	tring_error("-f %s: which events? Name them before it, by -e", text);
	return false;
}

static bool add_pids(struct tring_recording_options *options, const char *list)
{
	char *copy = tring_format("%s", list), *rest = copy, *word;
	bool good = true;
	uint64_t pid;

	while ((word = strsep(&rest, ", \t\n"))) {
		if (!tring_parse_number(word, &pid) || pid > INT_MAX) {
			tring_error("-P %s: \"%s\" is not a pid", list, word);
			good = false;
			continue;
		}
		tring_extend(&options->pids, "%s%" PRIu64, options->pids ? " " : "", pid);
	}
	free(copy);
	return good;
}

static bool take_cgroup(void *request, const struct tring_option *option, const char *text)
{
	struct tring_recording_options *options = request;
	uint64_t id;

	(void)option;
	if (tring_cgroup_find(text, &id))
		return false;
	tring_extend(&options->cgroups, "%s%" PRIu64, options->cgroups ? "\n" : "", id);
	return true;
}

/* Commas divide a long mask, as in tracing_cpumask. */
static bool set_cpus(struct tring_recording_options *options, const char *mask)
{
	options->cpus = mask;
	if (!mask[strspn(mask, "0123456789abcdefABCDEF,")] &&
	    mask[strcspn(mask, "123456789abcdefABCDEF")])
		return true;
	tring_error("-M %s: not a mask of CPUs; a hexadecimal number is one, with bit N for CPU N",
		    mask);
	return false;
}

static bool set_size(struct tring_recording_options *options, const char *text)
{
	uint64_t kb;

	if (!tring_parse_size(text, &kb)) {
		tring_error("-b %s: not a size; 4M, 64K or a number of KiB is one", text);
		return false;
	}
	free(options->size_kb);
	options->size = text;
	options->size_kb = tring_format("%" PRIu64, kb);
	return true;
}

/* Return: whether @text is a number of seconds with @unit behind it. */
static bool is_seconds(const char *text, const char *unit, double *seconds)
{
	char *end;

	*seconds = strtod(text, &end);
	return end != text && !strcmp(end, unit) && *seconds * 1e9 >= 1 && *seconds < 1e9;
}

/* @option: what the user has written before @text */
static bool parse_seconds(const char *option, const char *text, double *seconds)
{
	if (is_seconds(text, "", seconds))
		return true;
	tring_error("%s %s: not a time; a number of seconds greater than 0 is one", option, text);
	return false;
}

static bool take_save(void *request, const struct tring_option *option, const char *text)
{
	struct tring_recording_options *options = request;
	double seconds;
	bool good = parse_seconds("--save-every", text, &seconds);

	(void)option;
	options->save_ns = seconds * 1e9;
	return good;
}

/* A number with "s" is a time, else it is a size. */
static bool set_split(struct tring_recording_options *options, const char *text)
{
	double seconds;
	uint64_t kb;

	if (is_seconds(text, "s", &seconds)) {
		options->split_ns = seconds * 1e9;
	} else if (tring_parse_size(text, &kb)) {
		options->split_bytes = kb * 1024;
	} else {
		tring_error("--split %s: neither a size nor a time; 1G and 60s are", text);
		return false;
	}
	return true;
}

static bool set_max_size(struct tring_recording_options *options, const char *text)
{
	uint64_t kb;

	if (!tring_parse_size(text, &kb) || kb < MAX_SIZE_MIN_KB) {
		tring_error("--max-size %s: not a size of %dK or more, such as 1G", text,
			    MAX_SIZE_MIN_KB);
		return false;
	}
	options->max_bytes = kb * 1024;
	return true;
}

static bool set_realtime(struct tring_recording_options *options, const char *text)
{
	uint64_t priority;

	if (tring_parse_number(text, &priority) &&
	    priority >= (uint64_t)sched_get_priority_min(SCHED_FIFO) &&
	    priority <= (uint64_t)sched_get_priority_max(SCHED_FIFO)) {
		options->realtime = priority;
		return true;
	}
	tring_error("-r %s: not a real-time priority; a number from %d to %d is one", text,
		    sched_get_priority_min(SCHED_FIFO), sched_get_priority_max(SCHED_FIFO));
	return false;
}

static bool check_together(struct tring_recording_options *options)
{
	if (options->only_command && !options->command) {
		tring_error("-F: there is no COMMAND");
		return false;
	}
	if (options->children && !options->only_command && !options->pids) {
		tring_error("-c: whose children? -P or -F says it");
		return false;
	}
	bool is_graph = options->tracer && !strcmp(options->tracer, "function_graph");

	if ((options->functions || options->no_functions) && (!options->tracer || is_graph)) {
		tring_error("-l, -n: they choose among the functions of -p function");
		return false;
	}
	if (!options->graph_functions != !is_graph) {
		tring_error("-g and -p function_graph: one without the other");
		return false;
	}
	if (options->max_depth && !is_graph) {
		tring_error("--max-graph-depth is for -p function_graph");
		return false;
	}
	if (options->after_ns && !options->watch) {
		tring_error("--after is for --stop-when");
		return false;
	}
	if (options->watch && !tring_stop_when_record(options))
		return false;
	if (!options->command || options->seconds <= 0)
		return true;
	tring_error("-s and COMMAND: COMMAND ends the recording; use \"-- timeout SECONDS %s\"",
		    options->command[0]);
	return false;
}

/**
 * tring_recording_option - take one of the options that other commands have, too
 * @options: the options
 * @option: its letter: e, f or b
 * @text: its argument
 *
 * Return: false if it is wrong, reported on stderr.
 */
bool tring_recording_option(struct tring_recording_options *options, int option,
			    const char *text)
{
	if (option == 'e')
		return add_events(options, text);
	return option == 'f' ? add_filter(options, text) : set_size(options, text);
}

static bool take(void *request, const struct tring_option *option, const char *text)
{
	struct tring_recording_options *options = request;

	switch (option->letter) {
	case 'R':
		return add_trigger(options, text);
	case 'g':
		return add_patterns(&options->graph_functions, text, "-g",
				    "it names the functions to record");
	case 'l':
	case 'n':
		return add_patterns(option->letter == 'l' ? &options->functions :
				    &options->no_functions, text,
				    option->letter == 'l' ? "-l" : "-n",
				    "-n names the functions not to record");
	case 'P':
		return add_pids(options, text);
	case 'M':
		return set_cpus(options, text);
	case 'r':
		return set_realtime(options, text);
	case 's':
		return parse_seconds("-s", text, &options->seconds);
	}
	return tring_recording_option(options, option->letter, text);
}

static bool take_dynamic(void *request, const struct tring_option *option, const char *text)
{
	return add_dynamic(request, option->name, text);
}

static bool has_definition(const struct tring_dynamics *dynamics, const char *line)
{
	size_t size = strlen(line), i;

	for (i = 0; i < dynamics->count; i++)
		if (!strncmp(dynamics->list[i].definition, line, size) &&
		    dynamics->list[i].definition[size] == '\n')
			return true;
	return false;
}

/**
 * tring_recording_pair - record what "tring latency" needs for a pair
 * @options: the options
 * @pair: the pair
 *
 * Return: false if it is wrong, reported on stderr.
 */
bool tring_recording_pair(struct tring_recording_options *options, const struct tring_pair *pair)
{
	char *events = tring_format("%s%s%s%s%s", pair->begin, pair->kprobe ? "" : ",",
				    pair->kprobe ? "" : pair->end, pair->cancel ? "," : "",
				    pair->cancel ? pair->cancel : "");
	bool good = add_events(options, events);

	if (good && pair->kprobe && !has_definition(&options->dynamics, pair->kprobe))
		good = add_dynamic(options, "kprobe", pair->kprobe);
	free(events);
	return good;
}

static bool take_pair(void *request, const struct tring_option *option, const char *text)
{
	struct tring_pair pair;
	bool good;
	char *own;

	(void)option;
	if (!tring_pair_find(&pair, text, &own)) {
		tring_error("--pair %s: there is no such pair; \"tring help latency\" has all",
			    text);
		return false;
	}
	good = tring_recording_pair(request, &pair);
	free(own);
	return good;
}

static bool take_stop(void *request, const struct tring_option *option, const char *text)
{
	struct tring_recording_options *options = request;

	if (*option->name == 's')
		return tring_stop_when_add(options, text);
	if (tring_parse_time(text, &options->after_ns))
		return true;
	tring_error("--after %s: not a time; a number with ns, us, ms or s is one, such as 1s",
		    text);
	return false;
}

static bool take_strings(void *request, const struct tring_option *option, const char *text)
{
	struct tring_recording_options *options = request;
	uint64_t size;

	(void)option;
	options->strings = text ? text : "255";
	if (tring_parse_number(options->strings, &size) && size && size <= STRING_MAX)
		return true;
	tring_error("--strings=%s: not a number of bytes from 1 to %d", text, STRING_MAX);
	return false;
}

static bool take_overwrite(void *request, const struct tring_option *option, const char *text)
{
	struct tring_recording_options *options = request;

	(void)text;
	options->overwrite = *option->name == 'o' ? "1" : "0";
	return true;
}

static bool take_limit(void *request, const struct tring_option *option, const char *text)
{
	return *option->name == 's' ? set_split(request, text) : set_max_size(request, text);
}

#define AT(member)	offsetof(struct tring_recording_options, member)
#define FILE_ONLY	TRING_RECORDS_TO_FILE

static const struct tring_option list[] = {
	{ 'e', "event", "EVENT", "SYSTEM, EVENT, SYSTEM:EVENT or a glob, or several with\n"
	  "commas; all for all; default: enabled events. See\n\"tring list\"", .take = take },
	{ 'f', "filter", "FILTER", "of the events of the -e before it, record those that the\n"
	  "filter lets through, as 'prev_prio < 100'", .take = take },
	{ 'R', "trigger", "TRIGGER", "set a trigger on the events of the -e before it, as\n"
	  "'traceoff:1 if prev_prio < 100'", .take = take },
	{ 0, "kprobe", "TEXT", "record an event that is defined for this recording, by a\n"
	  "line of ftrace's kprobe_events: p:NAME FUNCTION ...", .take = take_dynamic },
	{ 0, "uprobe", "TEXT", "the same of uprobe_events: p:NAME FILE:OFFSET ...,\n"
	  "or FILE:FUNCTION[+OFFSET]",
	  .take = take_dynamic },
	{ 0, "pair", "PAIR", "record the events that \"tring latency PAIR\" needs",
	  .take = take_pair },
	{ 'p', "plugin", "TRACER", "function: record calls of functions; function_graph:\n"
	  "record their begins and ends", .at = AT(tracer) },
	{ 'l', NULL, "FUNCTION", "record calls of these functions only; a name or a glob,\n"
	  "or several with commas", .take = take },
	{ 'n', NULL, "FUNCTION", "do not record calls of these functions", .take = take },
	{ 'g', NULL, "FUNCTION", "the functions of function_graph, as -l", .take = take },
	{ 0, "max-graph-depth", "DEPTH", "leave out calls inside DEPTH others",
	  .at = AT(max_depth) },
	{ 'T', "stacktrace", NULL, "record the kernel's stack behind each event",
	  .at = AT(stacks) },
	{ 0, "userstacktrace", NULL, "record the program's stack behind each event",
	  .at = AT(user_stacks) },
	{ 0, "strings", "[=BYTES]", "record the paths and other strings of system calls, with\n"
	  "syscalls:sys_enter_*; up to 255 bytes of each", .take = take_strings },
	TRING_OPTION_OUTPUT(AT(dir), FILE_ONLY),
	TRING_OPTION_FORCE(FILE_ONLY),
	{ 'P', "pid", "PID", "only events of these tasks, or of several with commas",
	  .take = take },
	{ 'F', "command-only", NULL, "only events of COMMAND, and of the tasks of -P",
	  .at = AT(only_command), .only = FILE_ONLY },
	{ 'c', "children", NULL, "and of their children", .at = AT(children) },
	{ 0, "cgroup", "PATH", "only events of tasks that are in this cgroup then, or below it",
	  .take = take_cgroup },
	{ 'M', "cpumask", "MASK", "only events on these CPUs: 3 is CPU 0 and 1, hexadecimal",
	  .take = take },
	TRING_OPTION_INSTANCE(AT(instance), "a separate ring, created if it does not exist"),
	{ 'b', "buffer-size", "SIZE", "size of each CPU's ring: 4M, 64K, or a number of KiB",
	  .take = take },
	{ 'C', "clock", "CLOCK", "mono, tsc, boot or tai", .at = AT(clock) },
	{ 'r', "realtime", "PRIO", "read the rings with this priority of SCHED_FIFO, 1 to 99",
	  .take = take, .only = FILE_ONLY },
	{ 0, "overwrite", NULL, "a full ring overwrites its oldest events",
	  .take = take_overwrite },
	{ 0, "discard", NULL, "a full ring refuses new events", .take = take_overwrite },
	{ 0, "split", "SIZE", "divide the trace into parts of this size, such as 1G, or of\n"
	  "this time, such as 60s: DIR/000001, DIR/000002, ...", .take = take_limit,
	  .only = FILE_ONLY },
	{ 0, "max-size", "SIZE", "keep the newest parts, which have this size together",
	  .take = take_limit, .only = FILE_ONLY },
	{ 0, "compress", "[=LEVEL]", "compress the packets, by a level of zstd: 1 to 19, or -1\n"
	  "and less for more speed; default: 1", .at = AT(compress),
	  .take = tring_take_compression, .only = FILE_ONLY },
	{ 0, "save-every", "SECONDS", "save events of a quiet CPU this often; default: 1",
	  .take = take_save, .only = FILE_ONLY },
	{ 's', "seconds", "SECONDS", "stop after this time", .take = take, .only = FILE_ONLY },
	{ 0, "stop-when", "CONDITION", "stop when it is met: 'latency PAIR > 50ms', with a pair\n"
	  "of \"tring latency\", or 'event EVENT [FILTER]'. A ring\n"
	  "that overwrites is not read until then", .take = take_stop, .only = FILE_ONLY },
	{ 0, "after", "TIME", "stop this much later, such as 1s", .take = take_stop,
	  .only = FILE_ONLY },
	TRING_OPTION_QUIET("print errors and lost events only"),
	TRING_OPTION_VERBOSE("print also what is changed in the kernel"),
	{ 0 },
};

/**
 * tring_recording_options_parse - parse the options of a command that records
 * @options: filled in; to be freed with tring_recording_options_free()
 * @argc: as main's
 * @argv: as main's
 * @command: the command's, without the list; its set is TRING_RECORDS_TO_FILE if a COMMAND may
 *	follow
 *
 * Return: -1 to go on, or an exit status; a mistake is reported on stderr.
 */
int tring_recording_options_parse(struct tring_recording_options *options, int argc, char **argv,
				  const struct tring_usage *command)
{
	struct tring_usage all = *command;
	int status;

	all.list = list;
	status = tring_options_parse(&all, options, argc, argv);
	if (status >= 0)
		return status;
	if (optind < argc)
		options->command = argv + optind;
	return check_together(options) ? -1 : tring_bad_usage();
}

/**
 * tring_recording_options_free - free what tring_recording_options_parse() has filled in
 * @options: the options
 */
void tring_recording_options_free(struct tring_recording_options *options)
{
	tring_stop_when_free(options);
	free(options->size_kb);
	free(options->events);
	free(options->pids);
	free(options->cgroups);
	free(options->functions);
	free(options->no_functions);
	free(options->graph_functions);
	tring_available_free(&options->available);
	tring_event_rules_free(&options->rules);
	tring_dynamics_free(&options->dynamics);
}
