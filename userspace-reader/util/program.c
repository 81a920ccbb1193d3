// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Programs that belong to tring, tring-NAME, because they need libraries that the commands would
 * load at each start. Such a program lies beside tring, as in a build folder, or where "make
 * install" puts it. It is never looked for in $PATH, which other users may have set.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "program.h"
#include "util.h"

/* From the directory of tring. */
static const char * const places[] = { "", "../libexec/tring/" };

/**
 * tring_program_find - find a program
 * @name: what follows "tring-"
 *
 * Return: its path, to free(); NULL, reported on stderr, if it is not installed.
 */
char *tring_program_find(const char *name)
{
	char own[PATH_MAX];
	ssize_t size = readlink("/proc/self/exe", own, sizeof(own) - 1);
	size_t i;

	own[size < 0 ? 0 : size] = 0;
	if (strrchr(own, '/'))
		strrchr(own, '/')[1] = 0;
	for (i = 0; i < sizeof(places) / sizeof(places[0]) && size > 0; i++) {
		char *path = tring_format("%s%string-%s", own, places[i], name);

		if (!access(path, F_OK))
			return path;
		free(path);
	}
	tring_error("the program tring-%s is not installed: neither in %s nor in %s%s", name, own,
		    own, places[1]);
	return NULL;
}

/**
 * tring_program_become - become the program of a command
 * @name: the command
 * @argv: as main's, with the command's name as argv[0]
 *
 * Return: TRING_EXIT_BAD, reported on stderr, if that is impossible.
 */
int tring_program_become(const char *name, char **argv)
{
	char *path = tring_program_find(name);

	if (!path)
		return TRING_EXIT_BAD;
	execv(path, argv);
	tring_error("the program tring-%s cannot be run: %s", name, strerror(errno));
	free(path);
	return TRING_EXIT_BAD;
}
