// SPDX-License-Identifier: GPL-2.0
/*
 * A directory that appears under its name when all its files are complete.
 *
 * It has another name until then. A signal cannot remove a tree, so it is only noted: the
 * next write fails, the writer gives up, and the signal is raised again when the draft is
 * gone. SIGKILL leaves the draft.
 *
 * A format may need more files than a process can have open, so each write opens its file.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output_dir.h"
#include "util.h"

static const int fatal_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };

static atomic_int caught;

static void note_signal(int signal_number)
{
	caught = signal_number;
}

static void catch_signals(void)
{
	size_t i;

	for (i = 0; i < sizeof(fatal_signals) / sizeof(fatal_signals[0]); i++)
		/* a signal that the caller ignores, as nohup does, stays ignored */
		if (signal(fatal_signals[i], note_signal) == SIG_IGN)
			signal(fatal_signals[i], SIG_IGN);
	/* a file that may not get larger is an error of write() */
	signal(SIGXFSZ, SIG_IGN);
}

static void raise_caught(void)
{
	if (!caught)
		return;
	signal(caught, SIG_DFL);
	raise(caught);
}

/* Return: 0 if there is no such file, or an empty directory, which rename() replaces. */
static int check_old(const char *path)
{
	struct dirent *entry;
	DIR *old;

	old = opendir(path);
	if (!old)
		return errno == ENOENT ? 0 : errno == ENOTDIR ? -EEXIST : -errno;
	do {
		entry = readdir(old);
	} while (entry && (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")));
	closedir(old);
	return entry ? -EEXIST : 0;
}

static void tell(const char *path, int error)
{
	if (error == -EEXIST)
		tring_error("-o %s: it exists; not changed", path);
	else if (error != -EINTR)
		tring_error("-o %s: %s", path, tring_errno_text(-error));
}

static int create_draft(struct tring_output_dir *dir)
{
	const char *name = strrchr(dir->path, '/');
	int parent = name ? name + 1 - dir->path : 0;
	mode_t mask = umask(0);

	umask(mask);
	catch_signals();
	dir->draft = tring_format("%.*s.%s.XXXXXX", parent, dir->path, dir->path + parent);
	if (!mkdtemp(dir->draft)) {
		free(dir->draft);
		dir->draft = NULL;
		return -errno;
	}
	if (chmod(dir->draft, 0777 & ~mask))
		return -errno;
	dir->fd = open(dir->draft, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return dir->fd < 0 ? -errno : 0;
}

/**
 * tring_output_dir_open - begin a directory
 * @dir: filled in; for tring_output_dir_close() or tring_output_dir_drop(), after an error,
 *	too
 * @path: name that it gets; at most an empty directory has it already
 *
 * Return: 0 or a negative errno, reported on stderr.
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
	error = check_old(dir->path);
	if (!error)
		error = create_draft(dir);
	if (error)
		tell(path, error);
	return error;
}

/**
 * tring_output_dir_make - make a directory in the directory
 * @dir: the directory; @dir->error tells of a failure
 * @name: name of the new one, of which all but the last part exists
 */
void tring_output_dir_make(struct tring_output_dir *dir, const char *name)
{
	if (!dir->error && mkdirat(dir->fd, name, 0777) && errno != EEXIST)
		dir->error = -errno;
}

static int write_all(int fd, const char *bytes, size_t size)
{
	while (size) {
		ssize_t wrote = write(fd, bytes, size);

		if (wrote < 0 && errno == EINTR && !caught)
			continue;
		if (wrote <= 0)
			return wrote ? -errno : -ENOSPC;
		bytes += wrote;
		size -= wrote;
	}
	return 0;
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

	if (caught)
		dir->error = -EINTR;
	if (dir->error)
		return;
	fd = openat(dir->fd, name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (fd < 0) {
		dir->error = -errno;
		return;
	}
	dir->error = write_all(fd, bytes, size);
	if (close(fd) && !dir->error)
		dir->error = -errno;
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *place)
{
	(void)info;
	(void)kind;
	(void)place;
	return remove(path);
}

static int sync_entry(const char *path, const struct stat *info, int kind, struct FTW *place)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), error;

	(void)info;
	(void)kind;
	(void)place;
	if (fd < 0)
		return -1;
	error = fsync(fd);
	close(fd);
	return error;
}

/**
 * tring_output_dir_drop - drop the directory
 * @dir: the directory
 *
 * If a signal asked for it, the program ends here.
 */
void tring_output_dir_drop(struct tring_output_dir *dir)
{
	if (dir->fd >= 0)
		close(dir->fd);
	if (dir->draft)
		nftw(dir->draft, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
	free(dir->draft);
	free(dir->path);
	memset(dir, 0, sizeof(*dir));
	dir->fd = -1;
	raise_caught();
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
	if (!dir->error && nftw(dir->draft, sync_entry, 16, FTW_DEPTH | FTW_PHYS))
		dir->error = -errno;
	if (caught && !dir->error)
		dir->error = -EINTR;
	if (!dir->error && rename(dir->draft, dir->path))
		dir->error = -errno;
	error = dir->error;
	if (error) {
		tell(dir->path, error);
	} else {
		free(dir->draft);
		dir->draft = NULL;
	}
	tring_output_dir_drop(dir);
	return error;
}
