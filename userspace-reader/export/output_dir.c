// SPDX-License-Identifier: GPL-2.0
/*
 * A directory that appears under its name when all its files are complete.
 *
 * It has another name until then. Signals are as in output.c. SIGKILL leaves the draft.
 *
 * A format may need more files than a process can have open, so each write opens its file.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output.h"
#include "output_dir.h"
#include "util/util.h"

/* Return: 0 if there is no such file, or an empty directory, which rename() replaces. */
static int check_old(const struct tring_entry *place)
{
	int old = tring_entry_enter(place->dir, place->name), error;

	if (old < 0)
		return old == -ENOENT ? 0 : old == -ENOTDIR ? -EEXIST : old;
	error = tring_entry_empty(old);
	close(old);
	return error == -ENOTEMPTY ? -EEXIST : error;
}

static void tell(const char *path, int error)
{
	if (error == -EEXIST)
		tring_error("-o %s: it exists; not changed", path);
	else if (error != -EINTR)
		tring_entry_report(path, error);
}

static int create_draft(struct tring_output_dir *dir)
{
	char *draft = tring_entry_draft(dir->place.name);

	tring_output_catch();
	dir->fd = tring_entry_make(dir->place.dir, draft, tring_output_mode(0777));
	if (dir->fd >= 0) {
		dir->draft = draft;
		return 0;
	}
	free(draft);
	return dir->fd;
}

/* Return: the folder of a file of the directory, or a negative errno. @last: set to its name */
static int open_folder(const struct tring_output_dir *dir, const char *path, const char **last)
{
	int folder = tring_entry_enter(dir->fd, ".");
	const char *end;

	for (; folder >= 0 && (end = strchr(path, '/')); path = end + 1) {
		char *name = tring_format("%.*s", (int)(end - path), path);
		int inner = tring_entry_enter(folder, name);

		close(folder);
		free(name);
		folder = inner;
	}
	*last = path;
	return folder;
}

/**
 * tring_output_dir_make - make a directory in the directory
 * @dir: the directory; @dir->error tells of a failure
 * @name: name of the new one, of which all but the last part exists
 */
void tring_output_dir_make(struct tring_output_dir *dir, const char *name)
{
	int folder, made = 0;
	const char *last;

	if (dir->error)
		return;
	folder = open_folder(dir, name, &last);
	if (folder >= 0) {
		made = tring_entry_make(folder, last, tring_output_mode(0777));
		close(folder);
	}
	if (made > 0)
		close(made);
	else if (folder < 0 || made != -EEXIST)
		dir->error = folder < 0 ? folder : made;
}

static int open_to_append(const struct tring_output_dir *dir, const char *path)
{
	const char *name;
	int folder = open_folder(dir, path, &name), fd;

	if (folder < 0)
		return folder;
	fd = openat(folder, name, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		fd = errno != ENOENT ? -errno :
		     tring_entry_create(folder, name, tring_output_mode(0666));
	close(folder);
	return fd;
}

/**
 * tring_output_dir_append - add bytes to a file
 * @dir: the directory; @dir->error tells of a failure
 * @name: name of the file, which is created if there is none
 * @bytes: the bytes
 * @size: number of bytes
 */
void tring_output_dir_append(struct tring_output_dir *dir, const char *name, const void *bytes,
			     size_t size)
{
	int fd;

	if (tring_output_caught())
		dir->error = -EINTR;
	if (dir->error)
		return;
	fd = open_to_append(dir, name);
	if (fd < 0) {
		dir->error = fd;
		return;
	}
	dir->error = tring_write_all(fd, bytes, size);
	if (close(fd) && !dir->error)
		dir->error = -errno;
}

/**
 * struct walk - a walk through a tree
 * @call: called for each file, and for each directory behind its files
 */
struct walk {
	int (*call)(int dir, const char *name, bool is_dir);
};

static int walk_inside(void *data, int dir, const char *name)
{
	const struct walk *walk = data;
	int inner = tring_entry_enter(dir, name), error;

	if (inner < 0)
		return inner == -ENOTDIR || inner == -ELOOP ? walk->call(dir, name, false) : inner;
	error = tring_entry_each(inner, NULL, walk_inside, data);
	close(inner);
	return error ? error : walk->call(dir, name, true);
}

static int walk(int dir, const char *name, int (*call)(int dir, const char *name, bool is_dir))
{
	struct walk walk = { call };

	return walk_inside(&walk, dir, name);
}

static int remove_one(int dir, const char *name, bool is_dir)
{
	return unlinkat(dir, name, is_dir ? AT_REMOVEDIR : 0) ? -errno : 0;
}

static int sync_one(int dir, const char *name, bool is_dir)
{
	int fd = openat(dir, name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC), error;

	(void)is_dir;
	error = fd < 0 || fsync(fd) ? -errno : 0;
	if (fd >= 0)
		close(fd);
	return error;
}

/* Without the directory, if it is not complete. If a signal asked for it, the program ends here. */
static void drop(struct tring_output_dir *dir)
{
	if (dir->fd >= 0)
		close(dir->fd);
	if (dir->draft)
		walk(dir->place.dir, dir->draft, remove_one);
	tring_entry_forget(&dir->place);
	free(dir->draft);
	free(dir->path);
	memset(dir, 0, sizeof(*dir));
	dir->fd = -1;
	dir->place.dir = -1;
	tring_output_raise();
}

/**
 * tring_output_dir_open - begin a directory
 * @dir: filled in; for tring_output_dir_close()
 * @path: name that it gets; at most an empty directory has it already
 *
 * Return: 0; or a negative errno, reported on stderr, and there is nothing to close.
 */
int tring_output_dir_open(struct tring_output_dir *dir, const char *path)
{
	size_t size = strlen(path);
	int error;

	memset(dir, 0, sizeof(*dir));
	dir->fd = -1;
	while (size > 1 && path[size - 1] == '/')
		size--;
	dir->path = tring_format("%.*s", (int)size, path);
	error = tring_entry_find(&dir->place, path);
	if (!error)
		error = tring_entry_check(&dir->place);
	if (!error)
		error = check_old(&dir->place);
	if (!error)
		error = create_draft(dir);
	if (error) {
		tell(path, error);
		drop(dir);
	}
	return error;
}

/**
 * tring_output_dir_close - complete the directory
 * @dir: the directory
 *
 * Return: 0; or a negative errno, reported on stderr, without a directory.
 */
int tring_output_dir_close(struct tring_output_dir *dir)
{
	int error;

	/* a disk may fail as late as here */
	if (!dir->error)
		dir->error = walk(dir->place.dir, dir->draft, sync_one);
	if (tring_output_caught() && !dir->error)
		dir->error = -EINTR;
	if (!dir->error)
		dir->error = tring_entry_publish(&dir->place, dir->draft);
	error = dir->error;
	if (error) {
		tell(dir->path, error);
	} else {
		free(dir->draft);
		dir->draft = NULL;
	}
	drop(dir);
	return error;
}
