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
		char *path = tring_extra_path(parts->dirs[i - 1], TRING_FILE_CMDLINES);
		char *text = tring_read_text(path, NULL);

		failed = text ? tring_give_tasks(names, text, path) : -errno;
		if (!text && failed != -ENOENT)
			tring_error("%s: %s", path, tring_errno_text(-failed));
		if (failed != -ENOENT)
			error = error ? error : failed;
		free(text);
		free(path);
	}
	return error;
}
