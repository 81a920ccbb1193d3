// SPDX-License-Identifier: GPL-2.0
/* tring record: options and the steps of a recording; recording.c has the steps. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "record/recording.h"
#include "trace/trace_dir.h"
#include "util.h"

enum {
	OPTION_OVERWRITE = 256,
	OPTION_DISCARD,
};

static const struct option long_options[] = {
	{ "event", required_argument, NULL, 'e' },
	{ "output", required_argument, NULL, 'o' },
	{ "buffer-size", required_argument, NULL, 'b' },
	{ "instance", required_argument, NULL, 'B' },
	{ "clock", required_argument, NULL, 'C' },
	{ "seconds", required_argument, NULL, 's' },
	{ "overwrite", no_argument, NULL, OPTION_OVERWRITE },
	{ "discard", no_argument, NULL, OPTION_DISCARD },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static void print_usage(void)
{
	fputs("usage: tring record [-e EVENT]... [-o DIR] [-B INSTANCE] [-b KB] [-C CLOCK]\n"
	      "                    [--overwrite | --discard]\n"
	      "                    [-s SECONDS | -- COMMAND...]\n"
	      "\n"
	      "  -e, --event EVENT     SYSTEM, SYSTEM:EVENT or a glob; default: enabled events\n"
	      "  -o, --output DIR      the trace; default: " TRING_TRACE_DIR_DEFAULT "\n"
	      "  -B, --instance NAME   a separate ring, created for this recording if it does\n"
	      "                        not exist\n"
	      "  -b, --buffer-size KB  size of each CPU's ring\n"
	      "  -C, --clock CLOCK     mono, tsc, boot or tai\n"
	      "      --overwrite       a full ring overwrites its oldest events\n"
	      "      --discard         a full ring refuses new events\n"
	      "  -s, --seconds SECONDS stop after this time\n"
	      "\n"
	      "Begins a new trace, which drops the ring's content. Records until COMMAND ends,\n"
	      "the time is up, or Ctrl-C.\n", stdout);
}

static void add_pattern(struct tring_recording_options *options,
			const char *pattern)
{
	char *longer = options->events ?
		tring_format("%s\n%s", options->events, pattern) :
		tring_format("%s", pattern);

	free(options->events);
	options->events = longer;
}

static bool parse_seconds(double *seconds, const char *text)
{
	char *end;

	*seconds = strtod(text, &end);
	return end != text && !*end && *seconds > 0 && *seconds < 1e9;
}

static bool check_option(bool good, const char *name, const char *value)
{
	if (!good)
		tring_error("bad value for %s: \"%s\"", name, value);
	return good;
}

/* Return: -1 to go on, or an exit status. */
static int parse_options(struct tring_recording_options *options, int argc,
			 char **argv)
{
	uint64_t number;
	bool good = true;
	int option;

	/* + : stop at the command, whose options are its own */
	while ((option = getopt_long(argc, argv, "+e:o:B:b:C:s:h", long_options,
				     NULL)) != -1) {
		switch (option) {
		case 'e':
			good &= check_option(*optarg &&
					     !strpbrk(optarg, "!\n "), "-e",
					     optarg);
			add_pattern(options, optarg);
			break;
		case 'o':
			options->dir = optarg;
			break;
		case 'B':
			options->instance = optarg;
			break;
		case 'b':
			options->size_kb = optarg;
			good &= check_option(tring_parse_number(optarg,
								&number) &&
					     number, "-b", optarg);
			break;
		case 'C':
			options->clock = optarg;
			break;
		case 's':
			good &= check_option(parse_seconds(&options->seconds,
							   optarg), "-s",
					     optarg);
			break;
		case OPTION_OVERWRITE:
			options->overwrite = "1";
			break;
		case OPTION_DISCARD:
			options->overwrite = "0";
			break;
		case 'h':
			print_usage();
			return TRING_EXIT_OK;
		default:
			return tring_bad_usage();
		}
	}
	if (optind < argc)
		options->command = argv + optind;
	return good ? -1 : TRING_EXIT_USAGE;
}

/**
 * tring_cmd_record - record events to a CTF trace
 * @argc: as main's
 * @argv: as main's
 *
 * Return: exit status of the command, if there is one and recording succeeded;
 * else TRING_EXIT_OK, _BAD or _USAGE.
 */
int tring_cmd_record(int argc, char **argv)
{
	struct tring_recording_options options = {
		.dir = TRING_TRACE_DIR_DEFAULT,
	};
	struct tring_recording recording;
	int status = parse_options(&options, argc, argv);
	bool bad = false;

	if (status >= 0) {
		free(options.events);
		return status;
	}
	status = TRING_EXIT_OK;
	if (tring_recording_prepare(&recording, &options)) {
		bad = true;
	} else {
		if (!options.command && options.seconds <= 0)
			fprintf(stderr, "recording, Ctrl-C ends it\n");
		bad |= tring_recording_run(&recording) != 0;
		bad |= tring_recording_finish(&recording) != 0;
		bad |= tring_recording_show_summary(&recording) != 0;
		if (tring_child_reap(&recording.child))
			status = recording.child.status;
	}
	bad |= tring_recording_end(&recording) != 0;
	free(options.events);
	/* a command's success must not hide an error of the recording */
	return bad && !status ? TRING_EXIT_BAD : status;
}
