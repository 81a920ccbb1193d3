// SPDX-License-Identifier: GPL-2.0
/*
 * A directory that appears under its name when all its files are complete.
 *
 * It has another name until then, as a file has; see output.c. SIGKILL leaves the draft.
 *
 * A format may need more files than a process can have open, so each write opens its file.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* Return: the folder of a file of the directory, or a negative errno. @last: set to its name */
static int open_folder(const struct tring_output *dir, const char *path, const char **last)
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
void tring_output_dir_make(struct tring_output *dir, const char *name)
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

static int open_to_append(const struct tring_output *dir, const char *path)
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
void tring_output_dir_append(struct tring_output *dir, const char *name, const void *bytes,
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
 * tring_output_dir_open - begin a directory
 * @dir: filled in; for tring_output_close()
 * @path: name that it gets; at most an empty directory has it already
 *
 * Return: 0; or a negative errno, reported on stderr, and there is nothing to close.
 */
int tring_output_dir_open(struct tring_output *dir, const char *path)
{
	int error = tring_output_find(dir, path);
	size_t size = strlen(dir->path);

	/* a message has the name alone */
	while (size > 1 && dir->path[size - 1] == '/')
		dir->path[--size] = 0;
	dir->is_dir = true;
	if (!error)
		error = check_old(&dir->place);
	return tring_output_create(dir, error);
}
