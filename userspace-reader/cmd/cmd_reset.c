// SPDX-License-Identifier: GPL-2.0
/* tring reset: undoes what a recorder has changed that was killed. */
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>

#include "commands.h"
#include "record/control.h"
#include "record/lock.h"
#include "record/recover.h"
#include "util.h"

static const struct option long_options[] = {
	{ "instance", required_argument, NULL, 'B' },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static void print_usage(void)
{
	fputs("usage: tring reset [-B INSTANCE]\n"
	      "\n"
	      "  -B, --instance NAME   an instance instead of the top-level ring\n"
	      "\n"
	      "Puts back what a recorder has changed that was killed: enabled events, clock,\n"
	      "size and options, and whether the ring records. Removes the instance if the\n"
	      "recorder has created it. The next \"tring record\" does the same.\n", stdout);
}

/* Return: -1 to go on, or an exit status. */
static int parse_options(const char **instance, int argc, char **argv)
{
	int option;

	while ((option = getopt_long(argc, argv, "B:h", long_options, NULL)) != -1) {
		switch (option) {
		case 'B':
			*instance = optarg;
			break;
		case 'h':
			print_usage();
			return TRING_EXIT_OK;
		default:
			return tring_bad_usage();
		}
	}
	if (optind == argc)
		return -1;
	tring_error("unexpected argument \"%s\"", argv[optind]);
	return tring_bad_usage();
}

/**
 * tring_cmd_reset - undo what a recorder has changed that was killed
 * @argc: as main's
 * @argv: as main's
 *
 * Return: TRING_EXIT_OK, also if there is nothing to undo; _BAD after an error, or if a
 * recorder uses the ring; or _USAGE.
 */
int tring_cmd_reset(int argc, char **argv)
{
	const char *instance = NULL;
	int status = parse_options(&instance, argc, argv), found;
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
