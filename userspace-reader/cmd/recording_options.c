// SPDX-License-Identifier: GPL-2.0
/* The options of tring record and tring start: what is recorded, and how. */
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "util/entry.h"
#include "record/compressor.h"
#include "recording_options.h"
#include "util/trust.h"
#include "util/util.h"

/* The trace has eight parts. */
#define MAX_SIZE_MIN_KB	64

enum {
	OPTION_OVERWRITE = 256,
	OPTION_DISCARD,
	OPTION_MAX_GRAPH_DEPTH,
	OPTION_KPROBE,
	OPTION_UPROBE,
	OPTION_USER_STACKS,
	OPTION_SPLIT,
	OPTION_MAX_SIZE,
	OPTION_COMPRESS,
	OPTION_FORCE,
};

static const struct option long_options[] = {
	{ "event", required_argument, NULL, 'e' },
	{ "filter", required_argument, NULL, 'f' },
	{ "trigger", required_argument, NULL, 'R' },
	{ "kprobe", required_argument, NULL, OPTION_KPROBE },
	{ "uprobe", required_argument, NULL, OPTION_UPROBE },
	{ "plugin", required_argument, NULL, 'p' },
	{ "max-graph-depth", required_argument, NULL, OPTION_MAX_GRAPH_DEPTH },
	{ "stacktrace", no_argument, NULL, 'T' },
	{ "userstacktrace", no_argument, NULL, OPTION_USER_STACKS },
	{ "output", required_argument, NULL, 'o' },
	{ "buffer-size", required_argument, NULL, 'b' },
	{ "pid", required_argument, NULL, 'P' },
	{ "children", no_argument, NULL, 'c' },
	{ "command-only", no_argument, NULL, 'F' },
	{ "cpumask", required_argument, NULL, 'M' },
	{ "instance", required_argument, NULL, 'B' },
	{ "clock", required_argument, NULL, 'C' },
	{ "realtime", required_argument, NULL, 'r' },
	{ "split", required_argument, NULL, OPTION_SPLIT },
	{ "max-size", required_argument, NULL, OPTION_MAX_SIZE },
	{ "compress", optional_argument, NULL, OPTION_COMPRESS },
	{ "force", no_argument, NULL, OPTION_FORCE },
	{ "seconds", required_argument, NULL, 's' },
	{ "overwrite", no_argument, NULL, OPTION_OVERWRITE },
	{ "discard", no_argument, NULL, OPTION_DISCARD },
	{ "quiet", no_argument, NULL, 'q' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static void add_pattern(char **patterns, const char *pattern)
{
	char *longer = *patterns ? tring_format("%s\n%s", *patterns, pattern) :
				   tring_format("%s", pattern);

	free(*patterns);
	*patterns = longer;
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

static bool add_trigger(struct tring_recording_options *options, const char *events,
			const char *text)
{
	if (!events)
		tring_error("-R %s: which events? Name them before it, by -e", text);
	else if (*text == '!')
		tring_error("-R %s: triggers go at the end of the recording; name those to set",
			    text);
	else
		tring_triggers_add(&options->triggers, events, text);
	return events && *text != '!';
}

/* As in trace-cmd, where "all" is not the name of an event. */
static bool add_events(struct tring_recording_options *options, const char *list)
{
	char *patterns = NULL;
	bool good = add_patterns(&patterns, strcmp(list, "all") ? list : "*:*", "-e",
				 "an event cannot be excluded; name those to record");

	if (patterns) {
		add_pattern(&options->events, patterns);
		tring_filters_begin(&options->filters, patterns);
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
	tring_filters_begin(&options->filters, pattern);
	free(pattern);
	return true;
}

static bool add_filter(struct tring_recording_options *options, const char *text)
{
	if (tring_filters_add(&options->filters, text))
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
		char *longer;

		if (!tring_parse_number(word, &pid) || pid > INT_MAX) {
			tring_error("-P %s: \"%s\" is not a pid", list, word);
			good = false;
			continue;
		}
		longer = options->pids ? tring_format("%s %" PRIu64, options->pids, pid) :
					 tring_format("%" PRIu64, pid);
		free(options->pids);
		options->pids = longer;
	}
	free(copy);
	return good;
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

static bool set_seconds(struct tring_recording_options *options, const char *text)
{
	char *end;

	options->seconds = strtod(text, &end);
	if (end != text && !*end && options->seconds > 0 && options->seconds < 1e9)
		return true;
	tring_error("-s %s: not a time; a number of seconds greater than 0 is one", text);
	return false;
}

/* A number with "s" is a time, else it is a size. */
static bool set_split(struct tring_recording_options *options, const char *text)
{
	uint64_t kb;
	char *end;
	double seconds = strtod(text, &end);

	if (end != text && !strcmp(end, "s") && seconds > 0 && seconds < 1e9)
		options->split_ns = seconds * 1e9;
	else if (tring_parse_size(text, &kb))
		options->split_bytes = kb * 1024;
	if (options->split_ns || options->split_bytes)
		return true;
	tring_error("--split %s: neither a size nor a time; 1G and 60s are", text);
	return false;
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

static bool check_together(const struct tring_recording_options *options)
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

/**
 * tring_recording_options_parse - parse the options of a command that records
 * @options: filled in; to be freed with tring_recording_options_free()
 * @argc: as main's
 * @argv: as main's
 * @accepted: the options that the command has
 *
 * Return: -1 to go on, or an exit status; a mistake is reported on stderr.
 */
int tring_recording_options_parse(struct tring_recording_options *options, int argc, char **argv,
				  const struct tring_accepted_options *accepted)
{
	static const char use_n[] = "-n names the functions not to record";
	const char *last_events = NULL;
	bool good = true;
	int option, word;

	while ((option = getopt_long(argc, argv, accepted->letters, long_options,
				     &word)) != -1) {
		bool is_known = option < OPTION_OVERWRITE ? !!strchr(accepted->letters, option) :
				option < OPTION_SPLIT || accepted->has_command;

		/* getopt has said so of one that no command has */
		if (!is_known && option != '?') {
			tring_error("there is no option --%s here", long_options[word].name);
			return tring_bad_usage();
		}
		switch (option) {
		case 'e':
			last_events = optarg;
			good &= tring_recording_option(options, option, optarg);
			break;
		case 'f':
		case 'b':
			good &= tring_recording_option(options, option, optarg);
			break;
		case 'R':
			good &= add_trigger(options, last_events, optarg);
			break;
		case 'p':
			options->tracer = optarg;
			break;
		case 'l':
			good &= add_patterns(&options->functions, optarg, "-l", use_n);
			break;
		case 'g':
			good &= add_patterns(&options->graph_functions, optarg, "-g",
					     "it names the functions to record");
			break;
		case OPTION_MAX_GRAPH_DEPTH:
			options->max_depth = optarg;
			break;
		case 'n':
			good &= add_patterns(&options->no_functions, optarg, "-n", use_n);
			break;
		case 'o':
			options->dir = optarg;
			good &= tring_entry_is_path(optarg);
			break;
		case 'P':
			good &= add_pids(options, optarg);
			break;
		case 'F':
			options->only_command = true;
			break;
		case 'c':
			options->children = true;
			break;
		case 'M':
			good &= set_cpus(options, optarg);
			break;
		case 'B':
			options->instance = optarg;
			break;
		case 'C':
			options->clock = optarg;
			break;
		case 'r':
			good &= set_realtime(options, optarg);
			break;
		case OPTION_SPLIT:
			good &= set_split(options, optarg);
			break;
		case OPTION_MAX_SIZE:
			good &= set_max_size(options, optarg);
			break;
		case OPTION_COMPRESS:
			good &= tring_compressor_parse(optarg, &options->compress);
			break;
		case OPTION_FORCE:
			tring_force = true;
			break;
		case 's':
			good &= set_seconds(options, optarg);
			break;
		case OPTION_KPROBE:
			good &= add_dynamic(options, "kprobe", optarg);
			break;
		case 'T':
			options->stacks = true;
			break;
		case OPTION_USER_STACKS:
			options->user_stacks = true;
			break;
		case OPTION_UPROBE:
			good &= add_dynamic(options, "uprobe", optarg);
			break;
		case OPTION_OVERWRITE:
			options->overwrite = "1";
			break;
		case OPTION_DISCARD:
			options->overwrite = "0";
			break;
		case 'q':
			tring_verbosity = TRING_QUIET;
			break;
		case 'v':
			tring_verbosity = TRING_VERBOSE;
			break;
		case 'h':
			accepted->print_usage();
			return TRING_EXIT_OK;
		default:
			return tring_bad_usage();
		}
	}
	if (optind < argc && !accepted->has_command) {
		tring_error("unexpected argument \"%s\"", argv[optind]);
		good = false;
	} else if (optind < argc) {
		options->command = argv + optind;
	}
	good &= check_together(options);
	return good ? -1 : tring_bad_usage();
}

/**
 * tring_recording_options_free - free what tring_recording_options_parse() has filled in
 * @options: the options
 */
void tring_recording_options_free(struct tring_recording_options *options)
{
	free(options->size_kb);
	free(options->events);
	free(options->pids);
	free(options->functions);
	free(options->no_functions);
	free(options->graph_functions);
	tring_filters_free(&options->filters);
	tring_triggers_free(&options->triggers);
	tring_dynamics_free(&options->dynamics);
}
