// SPDX-License-Identifier: GPL-2.0
/*
 * Commands that are programs of their own, tring-COMMAND, because they need libraries that the
 * others would load at each start. Such a program lies beside tring, as in a build folder, or
 * where "make install" puts it. It is never looked for in $PATH, which other users may have set.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "util/util.h"

/* From the directory of tring. */
static const char * const places[] = { "", "../libexec/tring/" };

/**
 * tring_run_program - become the program of a command
 * @name: the command
 * @argv: as main's, with the command's name as argv[0]
 *
 * Return: TRING_EXIT_BAD, reported on stderr, if that is impossible.
 */
int tring_run_program(const char *name, char **argv)
{
	char own[PATH_MAX];
	ssize_t size = readlink("/proc/self/exe", own, sizeof(own) - 1);
	int error = size < 0 ? errno : ENOENT;
	size_t i;

	own[size < 0 ? 0 : size] = 0;
	if (strrchr(own, '/'))
		strrchr(own, '/')[1] = 0;
	for (i = 0; i < sizeof(places) / sizeof(places[0]) && size > 0 && error == ENOENT; i++) {
		char *path = tring_format("%s%string-%s", own, places[i], name);

		execv(path, argv);
		error = errno;
		free(path);
	}
	if (size > 0 && error == ENOENT)
		tring_error("the program tring-%s is not installed: neither in %s nor in %s%s",
			    name, own, own, places[1]);
	else
		tring_error("the program tring-%s cannot be run: %s", name, strerror(error));
	return TRING_EXIT_BAD;
}
