// SPDX-License-Identifier: GPL-2.0
/* tring extract and tring snapshot: save what a ring has as a trace directory. */
#include <getopt.h>
#include <stdio.h>

#include "commands.h"
#include "util/entry.h"
#include "record/compressor.h"
#include "record/save.h"
#include "trace/trace_dir.h"
#include "util/trust.h"
#include "util/util.h"

enum {
	OPTION_NEW = 256,
	OPTION_COMPRESS,
	OPTION_FORCE,
};

static const struct option long_options[] = {
	{ "new", no_argument, NULL, OPTION_NEW },
	{ "compress", optional_argument, NULL, OPTION_COMPRESS },
	{ "force", no_argument, NULL, OPTION_FORCE },
	{ "output", required_argument, NULL, 'o' },
	{ "instance", required_argument, NULL, 'B' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static void print_extract_usage(void)
{
	fputs("usage: tring extract [--compress[=LEVEL]] [-o DIR] [--force] [-B INSTANCE] [-q]\n"
	      "\n"
	      "      --compress        compress the packets, as \"tring record\" does\n"
	      "  -o, --output DIR      the trace; default: " TRING_TRACE_DIR_DEFAULT "\n"
	      "      --force           as root, write to DIR also if other users can write there\n"
	      "  -B, --instance NAME   an instance instead of the top-level ring\n"
	      "  -q, --quiet           print errors only\n"
	      "\n"
	      "Saves what the ring has as a trace, and takes it out of the ring. A ring that\n"
	      "records is off meanwhile, and then goes on; see also \"tring snapshot\".\n", stdout);
}

static void print_snapshot_usage(void)
{
	fputs("usage: tring snapshot [--new] [--compress[=LEVEL]] [-o DIR] [--force]\n"
	      "                      [-B INSTANCE] [-q]\n"
	      "\n"
	      "      --new             take a snapshot also if there is one, which is dropped\n"
	      "      --compress        compress the packets, as \"tring record\" does\n"
	      "  -o, --output DIR      the trace; default: " TRING_TRACE_DIR_DEFAULT "\n"
	      "      --force           as root, write to DIR also if other users can write there\n"
	      "  -B, --instance NAME   an instance instead of the top-level ring\n"
	      "  -q, --quiet           print errors only\n"
	      "\n"
	      "Takes a snapshot, which sets the ring's content aside at one instant while it\n"
	      "records on, and saves it as a trace. A snapshot that is there, as a trigger's, is\n"
	      "saved instead.\n", stdout);
}

/* Return: -1 to go on, or an exit status. */
static int parse_options(struct tring_save_options *options, int argc, char **argv)
{
	int option;

	while ((option = getopt_long(argc, argv, "o:B:qh", long_options, NULL)) != -1) {
		switch (option) {
		case OPTION_NEW:
			options->renew = true;
			break;
		case OPTION_COMPRESS:
			if (!tring_compressor_parse(optarg, &options->compress))
				return tring_bad_usage();
			break;
		case OPTION_FORCE:
			tring_force = true;
			break;
		case 'o':
			if (!tring_entry_is_path(optarg))
				return tring_bad_usage();
			options->dir = optarg;
			break;
		case 'B':
			options->instance = optarg;
			break;
		case 'q':
			tring_verbosity = TRING_QUIET;
			break;
		case 'h':
			if (options->snapshot)
				print_snapshot_usage();
			else
				print_extract_usage();
			return TRING_EXIT_OK;
		default:
			return tring_bad_usage();
		}
	}
	if (options->renew && !options->snapshot) {
		tring_error("--new: only \"tring snapshot\" takes one");
		return tring_bad_usage();
	}
	if (optind == argc)
		return -1;
	tring_error("unexpected argument \"%s\"; -o DIR names the trace", argv[optind]);
	return tring_bad_usage();
}

static int save(struct tring_save_options *options, int argc, char **argv)
{
	int status;

	options->dir = TRING_TRACE_DIR_DEFAULT;
	status = parse_options(options, argc, argv);
	if (status >= 0)
		return status;
	return tring_save(options) ? TRING_EXIT_BAD : TRING_EXIT_OK;
}

/**
 * tring_cmd_extract - save what a ring has, and take it out of the ring
 * @argc: as main's
 * @argv: as main's
 *
 * Return: TRING_EXIT_OK, also if events were lost; _BAD or _USAGE.
 */
int tring_cmd_extract(int argc, char **argv)
{
	struct tring_save_options options = { 0 };

	return save(&options, argc, argv);
}

/**
 * tring_cmd_snapshot - take a snapshot of a ring and save it
 * @argc: as main's
 * @argv: as main's
 *
 * Return: as tring_cmd_extract().
 */
int tring_cmd_snapshot(int argc, char **argv)
{
	struct tring_save_options options = { .snapshot = true };

	return save(&options, argc, argv);
}
