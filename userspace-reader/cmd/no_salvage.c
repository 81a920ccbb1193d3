// SPDX-License-Identifier: GPL-2.0
/* tring salvage in a program that was built without its libraries. */
#include "commands.h"
#include "util/util.h"

/**
 * tring_cmd_salvage - say that there is no such command
 * @argc: as main's
 * @argv: as main's
 *
 * Return: TRING_EXIT_USAGE.
 */
int tring_cmd_salvage(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	tring_error("this program was built without libkdumpfile and libarchive");
	return TRING_EXIT_USAGE;
}
