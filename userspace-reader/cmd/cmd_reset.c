// SPDX-License-Identifier: GPL-2.0
/* tring reset: undoes what tring start, or a recorder that was killed, has changed. */
#include <stdbool.h>
#include <stdio.h>

#include "commands.h"
#include "tracefs/control.h"
#include "record/lock.h"
#include "record/own_ring.h"
#include "record/state.h"
#include "cli/options.h"
#include "util/util.h"

static const struct tring_usage options = {
	.synopsis = "usage: tring reset [-B INSTANCE]\n",
	.description =
		"Puts back what \"tring start\", or a recorder that was killed, has changed:\n"
		"enabled events, tasks, CPUs, clock, size and options, and whether the ring\n"
		"records. Removes the instance if it was created then. After a kill the next\n"
		"\"tring record\" does the same.\n",
	.list = tring_instance_option,
};

/**
 * tring_cmd_reset - undo what tring start, or a recorder that was killed, has changed
 * @argc: as main's
 * @argv: as main's
 *
 * Return: TRING_EXIT_OK, also if there is nothing to undo; _BAD after an error, or if a
 * recorder uses the ring; or _USAGE.
 */
int tring_cmd_reset(int argc, char **argv)
{
	const char *instance = NULL;
	int status = tring_options_parse(&options, &instance, argc, argv), found;
	struct tring_control control;
	bool made;

	if (status >= 0)
		return status;
	found = tring_control_open(&control, instance, false);
	if (!found)
		found = tring_lock(&control, "it undoes its changes when it ends");
	if (!found)
		found = tring_recover(&control, true);
	if (!found)
		tring_note("nothing to put back");
	made = control.made;
	if (tring_control_remove(&control))
		found = -1;
	else if (made)
		tring_note("%s: the recorder had created it, removed", control.dir);
	/* the recorder may have had others for its conditions */
	if (control.dir && tring_own_rings_clean_up())
		found = -1;
	tring_control_close(&control);
	return found < 0 || found == TRING_PUT_BACK_PARTLY ? TRING_EXIT_BAD : TRING_EXIT_OK;
}
