// SPDX-License-Identifier: GPL-2.0
/* tring start: begins to record into a ring that nothing reads until something is looked for. */
#include "commands.h"
#include "recording_options.h"
#include "util/util.h"

static const struct tring_usage command = {
	.synopsis = "usage: tring start [-e EVENT... [-f FILTER] [-R TRIGGER]...]... [OPTION]...\n",
	.description =
		"Begins a new trace, which drops the ring's content, and ends while the ring\n"
		"records on. \"tring snapshot\" and \"tring extract\" save what it has; \"tring\n"
		"stop\" and \"tring restart\" switch it; \"tring reset\" undoes all of it.\n",
	.set = TRING_RECORDS_TO_RING,
};

/**
 * tring_start_ring - parse the options of "tring start" or "tring arm", and do it
 * @argc: as main's
 * @argv: as main's
 * @usage: the command's
 * @persistent: keep the ring for the next boot
 *
 * Return: TRING_EXIT_OK, _BAD or _USAGE.
 */
int tring_start_ring(int argc, char **argv, const struct tring_usage *usage, bool persistent)
{
	struct tring_recording_options options = { .persistent = persistent };
	int status = tring_recording_options_parse(&options, argc, argv, usage);

	if (status < 0) {
		status = tring_request_check(&options);
		if (!status)
			status = tring_start(&options) ? TRING_EXIT_BAD : TRING_EXIT_OK;
	}
	tring_recording_options_free(&options);
	return status;
}

/**
 * tring_cmd_start - begin to record into a ring that nothing reads
 * @argc: as main's
 * @argv: as main's
 *
 * Return: as tring_start_ring().
 */
int tring_cmd_start(int argc, char **argv)
{
	return tring_start_ring(argc, argv, &command, false);
}
