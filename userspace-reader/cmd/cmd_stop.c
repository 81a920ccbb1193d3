// SPDX-License-Identifier: GPL-2.0
/* tring stop and tring restart: switch a ring's recording off and on. */
#include <stdio.h>

#include "commands.h"
#include "tracefs/control.h"
#include "record/lock.h"
#include "cli/options.h"
#include "util/util.h"

static const struct tring_usage stop_options = {
	.synopsis = "usage: tring stop [-B INSTANCE]\n",
	.description =
		"Switches recording off. The ring keeps what it has and how it is set up:\n"
		"\"tring extract\" saves it, \"tring restart\" goes on.\n",
	.list = tring_instance_option,
};

static const struct tring_usage restart_options = {
	.synopsis = "usage: tring restart [-B INSTANCE]\n",
	.description =
		"Switches recording on again after \"tring stop\". What the ring has stays.\n",
	.list = tring_instance_option,
};

/* Not under a recorder, which takes the end of recording for an error. */
static int switch_ring(int argc, char **argv, const struct tring_usage *options,
		       const char *value)
{
	const char *instance = NULL;
	int status = tring_options_parse(options, &instance, argc, argv), error;
	struct tring_control control;

	if (status >= 0)
		return status;
	error = tring_control_open(&control, instance, false);
	if (!error)
		error = tring_lock(&control, "Ctrl-C there ends it");
	if (!error && tring_control_is_on(&control) == (*value == '1'))
		tring_note("%s: recording is %s already", control.dir,
			   *value == '1' ? "on" : "off");
	if (!error)
		error = tring_control_write(&control, "tracing_on", value);
	tring_control_close(&control);
	return error ? TRING_EXIT_BAD : TRING_EXIT_OK;
}

/**
 * tring_cmd_stop - switch recording off
 * @argc: as main's
 * @argv: as main's
 *
 * Return: TRING_EXIT_OK; _BAD after an error, or if a recorder uses the ring; or _USAGE.
 */
int tring_cmd_stop(int argc, char **argv)
{
	return switch_ring(argc, argv, &stop_options, "0");
}

/**
 * tring_cmd_restart - switch recording on again
 * @argc: as main's
 * @argv: as main's
 *
 * Return: as tring_cmd_stop().
 */
int tring_cmd_restart(int argc, char **argv)
{
	return switch_ring(argc, argv, &restart_options, "1");
}
