// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The names of tasks that a trace has saved. Each part of a trace has those of its end. The
 * kernel keeps the names of the last tasks only, so earlier parts have others. If a pid has
 * several names, the latest one is taken.
 */
#include <errno.h>
#include <stdlib.h>

#include "cmdlines.h"
#include "event/name_files.h"
#include "trace_dir.h"
#include "util/util.h"

/* Adds what a part has; a part whose recorder was killed may have none. */
static int read_part(struct tring_names *names, const char *dir, const char *file,
		     int (*give)(struct tring_names *names, char *text, const char *path))
{
	char *path = tring_extra_path(dir, file), *text = tring_read_text(path, NULL);
	int error = text ? give(names, text, path) : errno == ENOENT ? 0 : -errno;

	if (!text && error)
		tring_error("%s: %s", path, tring_errno_text(-error));
	free(text);
	free(path);
	return error;
}

/**
 * tring_cmdlines_read - read the names of tasks of a trace
 * @names: the names are added to it
 * @parts: the directories of the trace
 *
 * Return: 0, also if there are none; or a negative errno, reported on stderr.
 */
int tring_cmdlines_read(struct tring_names *names, const struct tring_parts_list *parts)
{
	int error = 0, failed;
	size_t i;

	for (i = parts->count; i; i--) {
		failed = read_part(names, parts->dirs[i - 1], TRING_FILE_CMDLINES,
				   tring_give_tasks);
		error = error ? error : failed;
	}
	return error;
}

/**
 * tring_cgroups_read - read the cgroups and command lines of a trace's tasks
 * @names: they are added to it
 * @parts: the directories of the trace
 *
 * Return: as tring_cmdlines_read().
 */
int tring_cgroups_read(struct tring_names *names, const struct tring_parts_list *parts)
{
	int error = 0, failed;
	size_t i;

	for (i = 0; i < parts->count; i++) {
		failed = read_part(names, parts->dirs[i], TRING_FILE_TASKS, tring_give_cgroups);
		error = error ? error : failed;
	}
	return error;
}
