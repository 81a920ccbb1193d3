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
#include <regex.h>
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

#define PART		"([0-9]{6,}|\\.next|\\.removed)"
#define CPU		"cpu[0-9]{1,6}"
/* Of a file that could not be completed the draft is left: see tring_entry_write(). */
#define FILES(names)	"((" names ")|\\.(" names ")\\.new)"

/* Paths of its directories, and of its files. */
static const char directory_paths[] =
	"^(" PART "|(" PART "/)?" TRING_EXTRAS "(/" TRING_FILE_EVENTS "(/[^/]+(/[^/]+)?)?)?)$";
static const char file_paths[] =
	"^(" PART "/)?(" FILES("metadata|" CPU "(\\" TRING_FRAMES_SUFFIX ")?") "|"
	TRING_EXTRAS "/(" FILES(CPU "\\.(start|end|dropped)|header_event|" TRING_FILE_INFO "|"
				TRING_FILE_SHORT_IDS "|" TRING_FILE_PRINTK "|"
				TRING_FILE_CMDLINES "|" TRING_FILE_KALLSYMS "|"
				TRING_FILE_MAPS "|" TRING_FILE_TASKS "|" TRING_FILE_RESERVE "|"
				TRING_FILE_HEADER_PAGE) "|"
	TRING_FILE_EVENTS "/[^/]+/[^/]+/" FILES("format") "))$";

/**
 * struct visit - a walk through a trace
 * @remove: remove its files
 * @is_trace: the directory has a trace by itself, not only parts
 * @directories: matches the paths of its directories
 * @files: matches those of its files
 * @size: bytes of its files so far
 * @foreign: see struct tring_old_trace
 */
struct visit {
	bool		remove;
	bool		is_trace;
	regex_t		directories;
	regex_t		files;
	uint64_t	size;
	char		*foreign;
};

/**
 * struct inside - a directory of a trace
 * @visit: the walk
 * @path: its path in the trace, "" for the trace's own
 */
struct inside {
	struct visit	*visit;
	const char	*path;
};

static void begin(struct visit *visit, bool remove, bool is_trace)
{
	*visit = (struct visit) { .remove = remove, .is_trace = is_trace };
	if (regcomp(&visit->directories, directory_paths, REG_EXTENDED | REG_NOSUB) ||
	    regcomp(&visit->files, file_paths, REG_EXTENDED | REG_NOSUB))
		abort();
}

static void end(struct visit *visit)
{
	regfree(&visit->directories);
	regfree(&visit->files);
}

/* Is it at its place, and of its kind? */
static bool is_known(const struct visit *visit, const char *path, mode_t mode)
{
	const regex_t *paths = S_ISDIR(mode) ? &visit->directories : &visit->files;

	if (!strchr(path, '/') && !tring_is_part(path) && !visit->is_trace)
		return false;
	return (S_ISDIR(mode) || S_ISREG(mode)) && !regexec(paths, path, 0, NULL, 0);
}

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

static int refuse(struct visit *visit, const char *path)
{
	visit->foreign = tring_format("%s", path);
	return -EEXIST;
}

static int visit_directory(struct visit *visit, int dir, const char *path);

static int visit_entry(struct visit *visit, int dir, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	struct stat info;
	int inner, error;

	if (fstatat(dir, name, &info, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT ? 0 : -errno;
	if (!is_known(visit, path, info.st_mode))
		return refuse(visit, path);
	if (S_ISREG(info.st_mode)) {
		visit->size += (uint64_t)info.st_blocks * 512;
		return visit->remove && unlinkat(dir, name, 0) && errno != ENOENT ? -errno : 0;
	}
	inner = tring_entry_enter(dir, name);
	if (inner < 0)
		return inner;
	/* a part that cannot be read yet, or not any more, has any of its files */
	if (tring_is_part(path) && !visit->remove && *name != '.' && !has_info(inner))
		error = refuse(visit, path);
	else
		error = visit_directory(visit, inner, path);
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
	char *path = tring_format("%s%s%s", inside->path, *inside->path ? "/" : "", name);
	int error = visit_entry(inside->visit, dir, path);

	free(path);
	return error;
}

static int visit_directory(struct visit *visit, int dir, const char *path)
{
	struct inside inside = { visit, path };

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
	struct visit visit;
	int error;

	begin(&visit, false, has_info(dir));
	error = visit_directory(&visit, dir, "");
	end(&visit);
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
	struct visit visit;
	int error;

	begin(&visit, true, has_info(dir));
	error = visit_directory(&visit, dir, "");
	end(&visit);
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
	struct visit visit;
	int error;

	begin(&visit, true, false);
	error = visit_entry(&visit, dir, name);
	end(&visit);
	*foreign = visit.foreign;
	return error;
}
