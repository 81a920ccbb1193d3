// SPDX-License-Identifier: GPL-2.0
/*
 * tring arm: begins to record into a ring that the next boot can read, if the machine crashes.
 * tring wipe: erases what earlier boots have left.
 */
#include <errno.h>
#include <stddef.h>

#include "commands.h"
#include "tracefs/control.h"
#include "recording_options.h"
#include "util/util.h"

#define LAST_BOOT	"last_boot"

static const struct tring_usage arm_options = {
	.synopsis = "usage: tring arm [OPTION]...\n",
	.description =
		"Does what \"tring start\" does, with the ring in memory that outlives the\n"
		"kernel: after a crash \"tring salvage\" of the file last_boot makes a trace of\n"
		"it. tring.ko must have been loaded with persist=ADDRESS,SIZE: see tring(4).\n",
	.set = TRING_RECORDS_TO_RING,
};

static const struct tring_usage wipe_options = {
	.synopsis = "usage: tring wipe\n",
	.description =
		"Erases what earlier boots have left in the memory of persist=ADDRESS,SIZE,\n"
		"salvaged or not. The rings of this boot stay.\n",
};

/**
 * tring_cmd_arm - begin to record into a ring that the next boot can read
 * @argc: as main's
 * @argv: as main's
 *
 * Return: TRING_EXIT_OK, _BAD or _USAGE.
 */
int tring_cmd_arm(int argc, char **argv)
{
	return tring_start_ring(argc, argv, &arm_options, true);
}

/**
 * tring_cmd_wipe - erase what earlier boots have left
 * @argc: as main's
 * @argv: as main's
 *
 * Return: TRING_EXIT_OK, _BAD or _USAGE.
 */
int tring_cmd_wipe(int argc, char **argv)
{
	struct tring_control control;
	int error = tring_options_parse(&wipe_options, NULL, argc, argv);

	if (error >= 0)
		return error;
	error = tring_control_open(&control, NULL, false);
	if (!error) {
		error = tring_control_try(&control, LAST_BOOT, "0");
		if (error == -ENODEV)
			tring_error("tring.ko has no persist=ADDRESS,SIZE: see tring(4)");
		else if (error)
			tring_control_report(&control, LAST_BOOT, "0", error);
	}
	tring_control_close(&control);
	return error ? TRING_EXIT_BAD : TRING_EXIT_OK;
}
