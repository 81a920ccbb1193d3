// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The names of tasks that a trace has saved. Each part of a trace has those of its end. The
 * kernel keeps the names of the last tasks only, so earlier parts have others. If a pid has
 * several names, the latest one is taken.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmdlines.h"
#include "trace_dir.h"
#include "util/util.h"

/* The kernel has no larger pid. */
#define PIDS	(4 * 1024 * 1024 + 1)

/* Adds the lines of pids that are new. A name may have newlines, behind which no pid stands. */
static void add_new(FILE *to, const char *text, bool *known)
{
	bool is_new = false;

	while (*text) {
		size_t digits = strspn(text, "0123456789"), length = strcspn(text, "\n");
		unsigned long pid;

		if (digits && text[digits] == ' ') {
			pid = strtoul(text, NULL, 10);
			is_new = pid >= PIDS || !known[pid];
			if (pid < PIDS)
				known[pid] = true;
		}
		length += text[length] == '\n';
		if (is_new)
			fwrite(text, 1, length, to);
		text += length;
	}
}

static char *read_part(const char *dir, size_t *size)
{
	char *path = tring_extra_path(dir, TRING_FILE_CMDLINES);
	char *text = tring_read_text(path, size);

	if (!text && errno != ENOENT)
		tring_error("%s: %s", path, tring_errno_text(errno));
	free(path);
	return text;
}

/**
 * tring_cmdlines_read - read the names of tasks of a trace
 * @parts: the directories of the trace
 * @size: set to the number of bytes; may be NULL
 *
 * Return: lines as of saved_cmdlines, to free(); NULL with errno set: ENOENT if there are
 * none, others reported on stderr.
 */
char *tring_cmdlines_read(const struct tring_parts_list *parts, size_t *size)
{
	char *all = NULL, *text;
	size_t length = 0, i;
	bool *known;
	FILE *to;

	if (parts->count == 1)
		return read_part(parts->dirs[0], size);
	to = open_memstream(&all, &length);
	if (!to)
		return NULL;
	known = tring_allocate(PIDS * sizeof(*known));
	for (i = parts->count; i; i--) {
		text = read_part(parts->dirs[i - 1], NULL);
		if (text)
			add_new(to, text, known);
		free(text);
	}
	free(known);
	if (fclose(to)) {
		free(all);
		return NULL;
	}
	if (size)
		*size = length;
	return all;
}
