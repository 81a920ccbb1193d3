// SPDX-License-Identifier: GPL-2.0
/*
 * The directory of a trace that is split: it has nothing but parts, directories whose names
 * are numbers of six digits or more. Each part is a trace by itself.
 *
 * A part gets its name when it can be read. One that is removed loses its metadata first, then
 * its name: neither a viewer, which looks for metadata, nor a glob finds half of a trace when
 * tring is killed meanwhile.
 */
#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "parts_dir.h"
#include "trace_dir.h"
#include "util.h"

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

/**
 * tring_parts_dir_is - check whether a directory has parts of a trace
 * @dir: the directory
 */
bool tring_parts_dir_is(const char *dir)
{
	DIR *listing = opendir(dir);
	struct dirent *entry;
	bool found = false;

	while (listing && !found && (entry = readdir(listing)))
		found = tring_is_part(entry->d_name);
	if (listing)
		closedir(listing);
	return found;
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

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *walk)
{
	(void)info;
	(void)type;
	(void)walk;
	return remove(path);
}

/* What a recorder that was killed has not removed to the end goes, too. */
static int remove_tree(const char *path)
{
	return nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS) && errno != ENOENT ? -errno : 0;
}

/**
 * tring_parts_dir_remove - remove a part, unless a user has done that
 * @part: its path
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_parts_dir_remove(const char *part)
{
	char *metadata = tring_trace_path(part, "metadata");
	char *copy = tring_format("%s", part);
	char *removed = tring_format("%s/" REMOVED, dirname(copy));
	int error = remove_tree(removed);

	if (!error && unlink(metadata) && errno != ENOENT)
		error = -errno;
	if (!error && rename(part, removed) && errno != ENOENT)
		error = -errno;
	if (!error)
		error = remove_tree(removed);
	if (error)
		tring_error("%s: cannot remove this part: %s", part, strerror(-error));
	free(removed);
	free(copy);
	free(metadata);
	return error;
}
