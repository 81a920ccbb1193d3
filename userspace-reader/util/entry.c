// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Names of files in open directories, and what the program makes under them.
 *
 * A path that a user gives is resolved once, name by name. What follows is done by the name in
 * the directory that was found. So a user that can change a directory on the way cannot lead
 * one of several steps to another place. Root follows a symbolic link only if a user has made
 * it that root trusts; the kernel does the same in /tmp, if protected_symlinks is set.
 *
 * Files and directories are new: a file, link, FIFO or device that is in their place is an
 * error. What root makes for the caller of sudo belongs to that user.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "entry.h"
#include "trust.h"
#include "util.h"

/* As in the kernel. */
#define LINKS_MAX	40

/**
 * struct walk - a path that is being resolved
 * @dir: directory of the next name
 * @rest: what is left of the path
 * @links: number of symbolic links so far
 */
struct walk {
	int		dir;
	char		*rest;
	unsigned int	links;
};

/**
 * tring_entry_is_path - check that the argument of -o names a file
 * @text: the argument
 *
 * Return: false if it does not, reported on stderr.
 */
bool tring_entry_is_path(const char *text)
{
	if (!*text)
		tring_error("-o '': a name is missing");
	else if (!strcmp(text, "-"))
		tring_error("-o -: not to standard output; ./- is a file of this name");
	else
		return true;
	return false;
}

static int start(const char *path)
{
	return open(*path == '/' ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* Names in a directory are as good as those that can write to it. */
static bool is_trusted_link(const struct walk *walk, const struct stat *info)
{
	return tring_trusts_user(info->st_uid) || tring_trusts_directory(walk->dir);
}

/* @after: what follows the link in the path. Return: 0 or a negative errno. */
static int follow(struct walk *walk, int link, const struct stat *info, const char *after)
{
	char target[PATH_MAX];
	ssize_t size;
	char *rest;

	if (!is_trusted_link(walk, info))
		return -TRING_NOT_TRUSTED;
	if (++walk->links > LINKS_MAX)
		return -ELOOP;
	size = readlinkat(link, "", target, sizeof(target) - 1);
	if (size < 0)
		return -errno;
	target[size] = 0;
	rest = tring_format("%s%s", target, after);
	free(walk->rest);
	walk->rest = rest;
	if (*target != '/')
		return 0;
	close(walk->dir);
	walk->dir = start(target);
	return walk->dir < 0 ? -errno : 0;
}

/* Resolve the next name. Return: 1 if it is the last one, 0, or a negative errno. */
static int step(struct walk *walk)
{
	char *name = walk->rest + strspn(walk->rest, "/"), *after = name + strcspn(name, "/");
	char *one = *name ? tring_format("%.*s", (int)(after - name), name) : tring_format(".");
	bool is_last = !after[strspn(after, "/")];
	int fd = openat(walk->dir, one, O_PATH | O_NOFOLLOW | O_CLOEXEC), error = 0;
	struct stat info;

	if (fd < 0 || fstat(fd, &info)) {
		error = errno == ENOENT && is_last ? 1 : -errno;
	} else if (S_ISLNK(info.st_mode)) {
		error = follow(walk, fd, &info, after);
	} else if (is_last) {
		error = 1;
	} else {
		close(walk->dir);
		walk->dir = fd;
		fd = -1;
		memmove(walk->rest, after, strlen(after) + 1);
	}
	if (fd >= 0)
		close(fd);
	if (error == 1) {
		free(walk->rest);
		walk->rest = one;
	} else {
		free(one);
	}
	return error;
}

/**
 * tring_entry_find - resolve a path up to its last name
 * @entry: filled in; to be forgotten in any case
 * @path: the path; symbolic links in it are followed, also the last name
 *
 * Return: 0, also if there is no such file; or a negative errno.
 */
int tring_entry_find(struct tring_entry *entry, const char *path)
{
	struct walk walk = { .dir = -1 };
	int error = 0;

	*entry = (struct tring_entry) { .dir = -1 };
	if (!*path)
		return -ENOENT;
	walk.rest = tring_format("%s", path);
	walk.dir = start(path);
	if (walk.dir < 0)
		error = -errno;
	while (!error)
		error = step(&walk);
	entry->dir = walk.dir;
	entry->name = walk.rest;
	return error < 0 ? error : 0;
}

/**
 * tring_entry_check - check that root may make a file under a name
 * @entry: the name
 *
 * Return: 0, or -TRING_NOT_TRUSTED if a user that root does not trust could replace the file.
 */
int tring_entry_check(const struct tring_entry *entry)
{
	return tring_trusts_parent(entry->dir) ? 0 : -TRING_NOT_TRUSTED;
}

/**
 * tring_entry_forget - release a name
 * @entry: from tring_entry_find(), or forgotten already
 */
void tring_entry_forget(struct tring_entry *entry)
{
	if (entry->dir >= 0)
		close(entry->dir);
	free(entry->name);
	*entry = (struct tring_entry) { .dir = -1 };
}

/**
 * tring_entry_draft - make up a name for a file that is not complete
 * @name: name that it gets
 *
 * CTF viewers take each file for a stream, except those whose names begin with a dot.
 *
 * Return: string to free().
 */
char *tring_entry_draft(const char *name)
{
	uint64_t number = 0;

	if (getrandom(&number, sizeof(number), 0) < 0)
		number = tring_now_ns();
	return tring_format(".%s.%016" PRIx64, name, number);
}

/**
 * tring_entry_report - say why nothing can be written under a name
 * @path: the path as the user has given it
 * @error: negative errno
 *
 * Return: @error.
 */
int tring_entry_report(const char *path, int error)
{
	if (error == -TRING_NOT_TRUSTED)
		tring_error("-o %s: users other than root%s can write there; %s", path,
			    getenv("SUDO_UID") ? " and the caller of sudo" : "",
			    "--force writes there all the same");
	else
		tring_error("-o %s: %s", path, tring_errno_text(-error));
	return error;
}

/* Not all file systems have owners. */
static void give(int fd)
{
	uid_t uid;
	gid_t gid;

	if (tring_trust_caller(&uid, &gid) && fchown(fd, uid, gid))
		tring_detail("a file stays root's: %s", strerror(errno));
}

/**
 * tring_entry_create - create a file
 * @dir: directory
 * @name: name in it, which no file has
 * @mode: its mode. One that only its owner can read is given to the caller of sudo
 *
 * Return: the file, open for writing; or a negative errno.
 */
int tring_entry_create(int dir, const char *name, mode_t mode)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);

	if (fd < 0)
		return -errno;
	if (!(mode & 0077))
		give(fd);
	return fd;
}

/**
 * tring_entry_enter - open a directory
 * @dir: directory above it
 * @name: name in @dir; a symbolic link is an error
 *
 * Return: the directory, open for reading; or a negative errno.
 */
int tring_entry_enter(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static int is_inside(const struct dirent *found)
{
	return strcmp(found->d_name, ".") && strcmp(found->d_name, "..");
}

/**
 * tring_entry_each - call a function for each name in a directory
 * @dir: the directory; changes that the function makes do no harm
 * @compare: the order; NULL for none
 * @call: the function; what it returns ends the walk if it is not 0
 * @data: for @call
 *
 * Return: 0; what @call has returned; or a negative errno.
 */
int tring_entry_each(int dir, tring_entry_order *compare, tring_entry_fn *call, void *data)
{
	struct dirent **list;
	int count = scandirat(dir, ".", &list, is_inside, compare), error = 0, i;

	if (count < 0)
		return -errno;
	for (i = 0; i < count; i++) {
		if (!error)
			error = call(data, dir, list[i]->d_name);
		free(list[i]);
	}
	free(list);
	return error;
}

/**
 * tring_entry_empty - check that a directory is empty
 * @dir: the directory
 *
 * Return: 0; -ENOTEMPTY; or another negative errno.
 */
int tring_entry_empty(int dir)
{
	int fd = tring_entry_enter(dir, ".");
	DIR *listing = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *found;

	if (!listing)
		return fd < 0 ? fd : -errno;
	do {
		found = readdir(listing);
	} while (found && (!strcmp(found->d_name, ".") || !strcmp(found->d_name, "..")));
	closedir(listing);
	return found ? -ENOTEMPTY : 0;
}

/**
 * tring_entry_make - make a directory
 * @dir: directory above it
 * @name: name in @dir, which no file has
 * @mode: its mode. One that only its owner can read is given to the caller of sudo
 *
 * Return: the directory, open for reading; or a negative errno: -EEXIST, or -ENOTEMPTY if
 * another one was put in its place.
 */
int tring_entry_make(int dir, const char *name, mode_t mode)
{
	int fd = mkdirat(dir, name, mode) ? -errno : tring_entry_enter(dir, name), error;

	if (fd < 0)
		return fd;
	error = tring_entry_empty(fd);
	if (error) {
		close(fd);
		return error;
	}
	if (!(mode & 0077))
		give(fd);
	return fd;
}

/* Those that can read the files of a directory can search it. */
static mode_t search_mode(mode_t mode)
{
	return mode | (mode & 0444) >> 2;
}

/**
 * tring_entry_have - make a directory, unless it is there
 * @dir: directory above it
 * @name: name in @dir
 * @mode: mode of files in it; those that can read them can search it
 *
 * Return: the directory, open for reading; or a negative errno.
 */
int tring_entry_have(int dir, const char *name, mode_t mode)
{
	int fd = tring_entry_enter(dir, name);

	return fd == -ENOENT ? tring_entry_make(dir, name, search_mode(mode)) : fd;
}

static int write_draft(int dir, const char *draft, const char *name, mode_t mode,
		       const void *text, size_t size)
{
	int fd, error;

	/* one of a writer that was killed */
	unlinkat(dir, draft, 0);
	fd = tring_entry_create(dir, draft, mode);
	if (fd < 0)
		return fd;
	error = tring_write_all(fd, text, size);
	if (close(fd) && !error)
		error = -errno;
	if (!error && renameat(dir, draft, dir, name))
		error = -errno;
	if (error)
		unlinkat(dir, draft, 0);
	return error;
}

/**
 * tring_entry_write - replace a small file atomically
 * @dir: directory
 * @name: name in it
 * @mode: as of tring_entry_create()
 * @text: new content
 * @size: number of bytes
 *
 * Return: 0 or a negative errno.
 */
int tring_entry_write(int dir, const char *name, mode_t mode, const void *text, size_t size)
{
	/* CTF viewers take other files for streams */
	char *draft = tring_format(".%s.new", name);
	int error = write_draft(dir, draft, name, mode, text, size);

	free(draft);
	return error;
}

/**
 * tring_entry_is_alone - check whether what the program makes stays its own
 *
 * Return: false if it is given to the caller of sudo. That user can change a directory while files
 * are made in it.
 */
bool tring_entry_is_alone(void)
{
	uid_t uid;
	gid_t gid;

	return !tring_trust_caller(&uid, &gid);
}

/**
 * tring_entry_add - make a directory with one small file in it
 * @dir: directory above it, in which only this program changes something
 * @inner: name in @dir
 * @name: name of the file
 * @mode: as of tring_entry_have()
 * @text: content of the file
 * @size: number of bytes
 *
 * For many directories: tring_entry_have() and tring_entry_write() take three times as many system
 * calls, because they look at what others could have done meanwhile.
 *
 * Return: 0; -EEXIST if the directory is there, unchanged; or another negative errno.
 */
int tring_entry_add(int dir, const char *inner, const char *name, mode_t mode, const void *text,
		    size_t size)
{
	char *path = tring_format("%s/%s", inner, name), *draft;
	int error = mkdirat(dir, inner, search_mode(mode)) ? -errno : 0, fd;

	draft = tring_format("%s/.%s.new", inner, name);
	if (!error) {
		fd = openat(dir, draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
		error = fd < 0 ? -errno : tring_write_all(fd, text, size);
		if (fd >= 0 && close(fd) && !error)
			error = -errno;
		if (!error && renameat(dir, draft, dir, path))
			error = -errno;
		if (error && fd >= 0)
			unlinkat(dir, draft, 0);
	}
	free(draft);
	free(path);
	return error;
}

/**
 * tring_entry_is_name - check whether a text can be the name of a file
 * @text: the text
 *
 * Return: false for a path, and for a name that begins with a dot.
 */
bool tring_entry_is_name(const char *text)
{
	return *text && *text != '.' && !strchr(text, '/');
}

/**
 * tring_entry_publish - give a draft the name that it is for
 * @entry: the name; what has it is replaced
 * @draft: name of the draft, in the same directory
 *
 * Return: 0 or a negative errno.
 */
int tring_entry_publish(const struct tring_entry *entry, const char *draft)
{
	return renameat(entry->dir, draft, entry->dir, entry->name) ? -errno : 0;
}
