// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The directory of a trace that is split: it has nothing but parts, directories whose names
 * are numbers of six digits or more. Each part is a trace by itself.
 *
 * A part gets its name when it can be read. One that is removed loses its metadata first, then
 * its name: neither a viewer, which looks for metadata, nor a glob finds half of a trace when
 * tring is killed meanwhile.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "old_trace.h"
#include "parts_dir.h"
#include "trace_dir.h"
#include "util/tree.h"
#include "util/util.h"

#define DIGITS_MIN	6
#define DRAFT		".next"
#define REMOVED		".removed"

/**
 * tring_is_part - check whether a name is that of a part
 * @name: name of a file
 *
 * Return: true if it is, also of one that has no number yet, or none any more.
 */
bool tring_is_part(const char *name)
{
	size_t length = strlen(name);

	return (length >= DIGITS_MIN && strspn(name, "0123456789") == length) ||
	       !strcmp(name, DRAFT) || !strcmp(name, REMOVED);
}

/**
 * tring_part_draft - get the path of a part that cannot be read yet
 * @dir: the directory of the parts
 *
 * Return: string to free().
 */
char *tring_part_draft(const char *dir)
{
	return tring_format("%s/" DRAFT, dir);
}

static int is_numbered(const struct dirent *entry)
{
	return isdigit((unsigned char)*entry->d_name) && tring_is_part(entry->d_name);
}

/* Numbers have leading zeroes up to a length. */
static int compare_numbers(const struct dirent **a, const struct dirent **b)
{
	size_t first = strlen((*a)->d_name), second = strlen((*b)->d_name);

	if (first != second)
		return first < second ? -1 : 1;
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* Takes over @part. */
static void add(struct tring_parts_list *list, char *part)
{
	list->dirs = tring_one_more(list->dirs, list->count, sizeof(*list->dirs));
	list->dirs[list->count++] = part;
}

static int list_parts(struct tring_parts_list *list, const char *dir)
{
	struct dirent **parts;
	int count = scandir(dir, &parts, is_numbered, compare_numbers), i;

	if (count <= 0)
		return count < 0 ? -errno : 0;
	for (i = 0; i < count; i++) {
		add(list, tring_trace_path(dir, parts[i]->d_name));
		free(parts[i]);
	}
	free(parts);
	list->divided = true;
	return 0;
}

/**
 * tring_parts_list - find the trace directories of a trace
 * @list: filled in; to be freed in any case
 * @dir: trace directory, or that of the parts of a trace
 *
 * A directory that is neither is listed as if it were a trace directory.
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_parts_list(struct tring_parts_list *list, const char *dir)
{
	char *info = tring_extra_path(dir, TRING_FILE_INFO);
	/* the name "" would make the files those of a trace in the root directory */
	int error = *dir ? 0 : -EINVAL;

	memset(list, 0, sizeof(*list));
	if (!error && access(info, F_OK))
		error = list_parts(list, dir);
	if (error == -ENOENT || error == -ENOTDIR)
		error = 0;
	if (error)
		tring_error("%s: %s", *dir ? dir : "''", strerror(-error));
	if (!error && !list->count)
		add(list, tring_format("%s", dir));
	free(info);
	return error;
}

static uint64_t number_of(const char *part)
{
	return strtoull(strrchr(part, '/') + 1, NULL, 10);
}

/**
 * tring_parts_list_has_gap - check whether a part is missing before another one
 * @list: the parts
 * @at: position of a part that is not the first
 */
bool tring_parts_list_has_gap(const struct tring_parts_list *list, size_t at)
{
	return number_of(list->dirs[at]) != number_of(list->dirs[at - 1]) + 1;
}

/**
 * tring_parts_list_is_newer - check whether a part is behind those of a list
 * @list: the parts
 * @part: path of the part
 */
bool tring_parts_list_is_newer(const struct tring_parts_list *list, const char *part)
{
	return number_of(part) > number_of(list->dirs[list->count - 1]);
}

/**
 * tring_parts_list_add - add a part behind those of a list
 * @list: the parts
 * @part: path of the part; copied
 */
void tring_parts_list_add(struct tring_parts_list *list, const char *part)
{
	add(list, tring_format("%s", part));
}

/**
 * tring_parts_list_free - free a list
 * @list: the list, may be zeroed
 */
void tring_parts_list_free(struct tring_parts_list *list)
{
	while (list->count)
		free(list->dirs[--list->count]);
	free(list->dirs);
	memset(list, 0, sizeof(*list));
}

/**
 * tring_part_path - get the path of a part
 * @dir: the directory of the parts
 * @number: number of the part
 *
 * Return: string to free().
 */
char *tring_part_path(const char *dir, uint64_t number)
{
	return tring_format("%s/%0*" PRIu64, dir, DIGITS_MIN, number);
}

/* A user may have put something there, and then keeps the part. */
static bool is_kept(const char *part, int dir)
{
	struct tring_old_trace old = { 0 };
	bool kept = tring_old_trace_look(&old, dir) == -EEXIST && old.foreign;

	if (kept)
		tring_error("%s: this part stays, because it has \"%s\"", part, old.foreign);
	free(old.foreign);
	return kept;
}

static int remove_part(int parts, const char *part)
{
	char *foreign;
	int dir = tring_tree_list(part), error = tring_old_part_remove(parts, REMOVED, &foreign);
	bool kept = dir >= 0 && is_kept(part, dir);

	free(foreign);
	if (!error && dir >= 0 && !kept && unlinkat(dir, "metadata", 0) && errno != ENOENT)
		error = -errno;
	if (dir >= 0)
		close(dir);
	/* a user may have moved it, and left a link */
	if (error || dir == -ENOENT || dir == -ENOTDIR || dir == -ELOOP || kept)
		return error;
	if (dir < 0)
		return dir;
	if (renameat(parts, strrchr(part, '/') + 1, parts, REMOVED))
		return errno == ENOENT ? 0 : -errno;
	/* what a recorder that was killed has not removed to the end goes, too */
	error = tring_old_part_remove(parts, REMOVED, &foreign);
	free(foreign);
	return error;
}

/**
 * tring_parts_dir_remove - remove a part, unless a user has done that
 * @part: its path
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_parts_dir_remove(const char *part)
{
	char *dir = tring_format("%.*s", (int)(strrchr(part, '/') - part), part);
	int parts = tring_tree_list(dir), error = parts < 0 ? parts : remove_part(parts, part);

	if (parts >= 0)
		close(parts);
	if (error)
		tring_error("%s: cannot remove this part: %s", part, strerror(-error));
	free(dir);
	return error;
}
