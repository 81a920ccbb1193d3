// SPDX-License-Identifier: GPL-2.0
/* tring record: its options and the steps of a recording; recording.c has the steps. */
#include "commands.h"
#include "recording_options.h"
#include "util/util.h"

static const struct tring_usage command = {
	.synopsis = "usage: tring record [-e EVENT... [-f FILTER] [-R TRIGGER]...]... [OPTION]...\n"
		"                    [-s SECONDS | -- COMMAND...]\n",
	.description =
		"Begins a new trace, which drops the ring's content. Records until COMMAND\n"
		"ends, the time is up, a condition is met, or Ctrl-C.\n",
	.set = TRING_RECORDS_TO_FILE,
	.most = -1,
	.runs = true,
};

/**
 * tring_cmd_record - record events to a CTF trace
 * @argc: as main's
 * @argv: as main's
 *
 * Return: exit status of the command, if there is one and recording succeeded;
 * else TRING_EXIT_OK, _BAD, _USAGE, or _NOT_MET without what --stop-when waits for.
 */
int tring_cmd_record(int argc, char **argv)
{
	struct tring_recording_options options = {
		.dir = TRING_TRACE_DIR_DEFAULT, .save_ns = TRING_SAVE_NS,
	};
	int status = tring_recording_options_parse(&options, argc, argv, &command);

	if (status < 0) {
		status = tring_request_check(&options);
		if (!status)
			status = tring_record(&options);
	}
	tring_recording_options_free(&options);
	return status;
}
