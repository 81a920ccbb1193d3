// SPDX-License-Identifier: GPL-2.0
/* tring extract and tring snapshot: save what a ring has as a trace directory. */
#include <getopt.h>
#include <stdio.h>

#include "commands.h"
#include "record/save.h"
#include "recording_options.h"
#include "cli/options.h"
#include "util/util.h"

#define AT(member)	offsetof(struct tring_save_options, member)

/* The set of options of "tring snapshot". */
#define SNAPSHOT	1
#define EXTRACT		2

static const struct tring_option list[] = {
	{ 0, "new", NULL, "take a snapshot also if there is one, which is dropped",
	  .at = AT(renew), .only = SNAPSHOT },
	{ 0, "compress", "[=LEVEL]", "compress the packets, as \"tring record\" does",
	  .at = AT(compress), .take = tring_take_compression },
	TRING_OPTION_OUTPUT(AT(dir), 0),
	TRING_OPTION_FORCE(0),
	TRING_OPTION_INSTANCE(AT(instance), "an instance instead of the top-level ring"),
	TRING_OPTION_QUIET("print errors only"),
	{ 0 },
};

static const struct tring_usage extract_options = {
	.synopsis = "usage: tring extract [OPTION]...\n",
	.description =
		"Saves what the ring has as a trace, and takes it out of the ring. A ring\n"
		"that records is off meanwhile, and then goes on; see also \"tring snapshot\".\n",
	.list = list,
	.set = EXTRACT,
	.most = -1,
};

static const struct tring_usage snapshot_options = {
	.synopsis = "usage: tring snapshot [OPTION]...\n",
	.description =
		"Takes a snapshot, which sets the ring's content aside at one instant while\n"
		"it records on, and saves it as a trace. A snapshot that is there, as a\n"
		"trigger's, is saved instead.\n",
	.list = list,
	.set = SNAPSHOT,
	.most = -1,
};

static int save(bool snapshot, int argc, char **argv)
{
	struct tring_save_options options = {
		.snapshot = snapshot,
		.dir = TRING_TRACE_DIR_DEFAULT,
	};
	int status = tring_options_parse(snapshot ? &snapshot_options : &extract_options,
					 &options, argc, argv);

	if (status >= 0)
		return status;
	if (optind < argc) {
		tring_error("unexpected argument \"%s\"; -o DIR names the trace", argv[optind]);
		return tring_bad_usage();
	}
	return tring_save(&options) ? TRING_EXIT_BAD : TRING_EXIT_OK;
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
	return save(false, argc, argv);
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
	return save(true, argc, argv);
}
