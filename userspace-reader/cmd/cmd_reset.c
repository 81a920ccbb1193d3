// SPDX-License-Identifier: GPL-2.0
/* tring reset: undoes what tring start, or a recorder that was killed, has changed. */
#include <stdbool.h>
#include <stdio.h>

#include "commands.h"
#include "instance_option.h"
#include "tracefs/control.h"
#include "record/lock.h"
#include "record/recover.h"
#include "util/util.h"

static void print_usage(void)
{
	fputs("usage: tring reset [-B INSTANCE]\n"
	      "\n"
	      "  -B, --instance NAME   an instance instead of the top-level ring\n"
	      "\n"
	      "Puts back what \"tring start\", or a recorder that was killed, has changed: enabled\n"
	      "events, tasks, CPUs, clock, size and options, and whether the ring records. Removes\n"
	      "the instance if it was created then. After a kill the next \"tring record\" does the\n"
	      "same.\n", stdout);
}

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
	int status = tring_parse_instance(&instance, argc, argv, print_usage), found;
	struct tring_lock lock = { .fd = -1 };
	struct tring_control control;
	bool made;

	if (status >= 0)
		return status;
	found = tring_control_open(&control, instance, false);
	if (!found)
		found = tring_lock_take(&lock, control.dir,
					"it undoes its changes when it ends");
	if (!found)
		found = tring_recover(&control);
	if (!found)
		tring_note("nothing to put back");
	made = control.made;
	if (tring_control_remove(&control))
		found = -1;
	else if (made)
		tring_note("%s: the recorder had created it, removed", control.dir);
	tring_control_close(&control);
	tring_lock_drop(&lock);
	return found < 0 || found == TRING_PUT_BACK_PARTLY ? TRING_EXIT_BAD : TRING_EXIT_OK;
}
