// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The files of an old trace, which a new one replaces.
 *
 * Nothing is removed that the program would not have made: a file counts by its place, its name
 * and its kind. A user's directory cpu0, a link, a FIFO, and notes beside the counters are
 * foreign. Directories are walked from an open one, and no symbolic link is followed.
 *
 * The metadata goes first, so that no viewer finds half of a trace, and trace_info last: what is
 * left of a removal that was killed is still a trace.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/entry.h"
#include "frames.h"
#include "old_trace.h"
#include "parts_dir.h"
#include "trace_dir.h"
#include "util/util.h"

/* Places in a trace. */
enum place {
	PLACE_TOP,
	PLACE_PART,
	PLACE_EXTRAS,
	PLACE_EVENTS,
	PLACE_SYSTEM,
	PLACE_EVENT,
	PLACE_FILE,
	PLACE_NONE,
};

/**
 * struct visit - a walk through a trace
 * @remove: remove its files
 * @is_trace: the directory has a trace by itself, not only parts
 * @size: bytes of its files so far
 * @foreign: see struct tring_old_trace
 */
struct visit {
	bool		remove;
	bool		is_trace;
	uint64_t	size;
	char		*foreign;
};

/**
 * struct inside - a directory of a trace
 * @visit: the walk
 * @place: the directory's place
 */
struct inside {
	struct visit	*visit;
	enum place	place;
};

static bool is_one_of(const char *name, const char * const *names, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

static bool is_stream(const char *name)
{
	return tring_parse_cpu(name, "") >= 0 || tring_parse_cpu(name, TRING_FRAMES_SUFFIX) >= 0;
}

static bool is_extra(const char *name)
{
	static const char * const names[] = {
		TRING_FILE_INFO, TRING_FILE_SHORT_IDS, TRING_FILE_PRINTK, TRING_FILE_CMDLINES,
		TRING_FILE_KALLSYMS, TRING_FILE_RESERVE, TRING_FILE_HEADER_PAGE, "header_event",
	};

	return is_one_of(name, names, sizeof(names) / sizeof(names[0])) ||
	       tring_parse_cpu(name, ".start") >= 0 || tring_parse_cpu(name, ".end") >= 0 ||
	       tring_parse_cpu(name, ".dropped") >= 0;
}

/* Return: whether a file, but no directory, of this name is in a trace. */
static bool is_file(enum place place, const char *name)
{
	switch (place) {
	case PLACE_TOP:
	case PLACE_PART:
		return is_stream(name) || !strcmp(name, "metadata");
	case PLACE_EXTRAS:
		return is_extra(name);
	case PLACE_EVENT:
		return !strcmp(name, "format");
	default:
		return false;
	}
}

/* One that was being written when the recorder was killed has another name. */
static bool is_draft(enum place place, const char *name)
{
	size_t size = strlen(name);
	char *whole;
	bool is;

	if (*name != '.' || size < strlen(".x.new") || strcmp(name + size - 4, ".new"))
		return false;
	whole = tring_format("%.*s", (int)size - 5, name + 1);
	is = is_file(place, whole);
	free(whole);
	return is;
}

static enum place directory_at(enum place place, const char *name)
{
	if (place == PLACE_TOP && tring_is_part(name))
		return PLACE_PART;
	switch (place) {
	case PLACE_TOP:
	case PLACE_PART:
		return strcmp(name, TRING_EXTRAS) ? PLACE_NONE : PLACE_EXTRAS;
	case PLACE_EXTRAS:
		return strcmp(name, TRING_FILE_EVENTS) ? PLACE_NONE : PLACE_EVENTS;
	case PLACE_EVENTS:
		return PLACE_SYSTEM;
	case PLACE_SYSTEM:
		return PLACE_EVENT;
	default:
		return PLACE_NONE;
	}
}

static enum place place_of(enum place above, const char *name, mode_t mode)
{
	if (S_ISDIR(mode))
		return directory_at(above, name);
	if (S_ISREG(mode) && (is_file(above, name) || is_draft(above, name)))
		return PLACE_FILE;
	return PLACE_NONE;
}

/* Return: whether there is what tells a trace from other directories. */
static bool has_info(int dir)
{
	int extras = tring_entry_enter(dir, TRING_EXTRAS);
	struct stat info;
	bool has;

	if (extras < 0)
		return false;
	has = !fstatat(extras, TRING_FILE_INFO, &info, AT_SYMLINK_NOFOLLOW) &&
	      S_ISREG(info.st_mode);
	close(extras);
	return has;
}

static int refuse(struct visit *visit, const char *name)
{
	visit->foreign = tring_format("%s", name);
	return -EEXIST;
}

/* What was found in a directory has its path from there. */
static void prepend(struct visit *visit, const char *name)
{
	char *path;

	if (!visit->foreign)
		return;
	path = tring_format("%s/%s", name, visit->foreign);
	free(visit->foreign);
	visit->foreign = path;
}

static int visit_directory(struct visit *visit, int dir, enum place place);

static int visit_entry(struct visit *visit, int dir, enum place above, const char *name)
{
	struct stat info;
	enum place place;
	int inner, error;

	if (fstatat(dir, name, &info, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT ? 0 : -errno;
	place = place_of(above, name, info.st_mode);
	if (place == PLACE_NONE || (above == PLACE_TOP && place != PLACE_PART && !visit->is_trace))
		return refuse(visit, name);
	if (place == PLACE_FILE) {
		visit->size += (uint64_t)info.st_blocks * 512;
		return visit->remove && unlinkat(dir, name, 0) && errno != ENOENT ? -errno : 0;
	}
	inner = tring_entry_enter(dir, name);
	if (inner < 0)
		return inner;
	/* a part that cannot be read yet, or not any more, has any of its files */
	if (place == PLACE_PART && !visit->remove && *name != '.' && !has_info(inner)) {
		error = refuse(visit, name);
	} else {
		error = visit_directory(visit, inner, place);
		if (error)
			prepend(visit, name);
	}
	close(inner);
	if (!error && visit->remove && unlinkat(dir, name, AT_REMOVEDIR) && errno != ENOENT)
		error = -errno;
	return error;
}

/* Names are not visited in the order of their listing. Return: -1, 0 or 1. */
static int rank(const char *name)
{
	if (!strcmp(name, "metadata"))
		return -1;
	return !strcmp(name, TRING_EXTRAS) || !strcmp(name, TRING_FILE_INFO);
}

static int compare_ranks(const struct dirent **a, const struct dirent **b)
{
	return rank((*a)->d_name) - rank((*b)->d_name);
}

static int visit_inside(void *data, int dir, const char *name)
{
	const struct inside *inside = data;

	return visit_entry(inside->visit, dir, inside->place, name);
}

static int visit_directory(struct visit *visit, int dir, enum place place)
{
	struct inside inside = { visit, place };

	return tring_entry_each(dir, compare_ranks, visit_inside, &inside);
}

/**
 * tring_old_trace_look - look whether a directory may be replaced
 * @old: filled in; @old->foreign to free() in any case
 * @dir: the directory; unchanged
 *
 * Return: 0; -EEXIST if it has a file that is not of a trace; or another negative errno.
 */
int tring_old_trace_look(struct tring_old_trace *old, int dir)
{
	struct visit visit = { .is_trace = has_info(dir) };
	int error = visit_directory(&visit, dir, PLACE_TOP);

	*old = (struct tring_old_trace) {
		.size = visit.size,
		.is_empty = !error && !tring_entry_empty(dir),
		.foreign = visit.foreign,
	};
	return error;
}

/**
 * tring_old_trace_remove - remove the files of a trace
 * @dir: the directory, which may be a mount point, and stays
 * @foreign: set to the path of a file that is not of a trace, to free(); NULL without one
 *
 * Return: 0; -EEXIST with @foreign; or another negative errno.
 */
int tring_old_trace_remove(int dir, char **foreign)
{
	struct visit visit = { .remove = true, .is_trace = has_info(dir) };
	int error = visit_directory(&visit, dir, PLACE_TOP);

	*foreign = visit.foreign;
	return error;
}

/**
 * tring_old_part_remove - remove a part of a trace, unless it is gone
 * @dir: the directory of the parts
 * @name: name of the part
 * @foreign: as of tring_old_trace_remove()
 *
 * Return: 0; -EEXIST with @foreign; or another negative errno.
 */
int tring_old_part_remove(int dir, const char *name, char **foreign)
{
	struct visit visit = { .remove = true };
	int error = visit_entry(&visit, dir, PLACE_TOP, name);

	*foreign = visit.foreign;
	return error;
}
