// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The files that the program makes, replaces, removes and reads back in a directory that a user
 * has named.
 *
 * The directory is opened once, and root asks whether other users can write there. Paths of its
 * files begin with its own path, which is not resolved again: what follows it is looked up from
 * the open directory, name by name, and no symbolic link is followed.
 *
 * Trees are opened before threads start, and stay open.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "entry.h"
#include "tree.h"
#include "trust.h"
#include "util.h"

/**
 * struct tree - a directory that a user has named
 * @path: the path as the user has given it
 * @entry: its name in the directory above
 * @dir: the directory; -1 while there is none
 * @mode: mode of its files; directories can be searched by those that can read
 * @next: the tree that was opened before
 */
struct tree {
	char		*path;
	struct tring_entry entry;
	int		dir;
	mode_t		mode;
	struct tree	*next;
};

static struct tree *trees;

/* Return: what follows the path of the tree in a path; NULL for a path elsewhere. */
static const char *rest_of(const struct tree *tree, const char *path)
{
	size_t size = strlen(tree->path);

	if (strncmp(path, tree->path, size))
		return NULL;
	if (path[size] && path[size] != '/' && path[size - 1] != '/')
		return NULL;
	return path + size + strspn(path + size, "/");
}

static struct tree *find_tree(const char *path, const char **rest)
{
	struct tree *tree, *best = NULL;

	for (tree = trees; tree; tree = tree->next) {
		const char *found = rest_of(tree, path);

		if (!found || (best && strlen(tree->path) < strlen(best->path)))
			continue;
		best = tree;
		*rest = found;
	}
	return best;
}

/* Go from a directory to one in it, by the first name of a path. Return: 0 or a negative errno. */
static int enter(int *dir, const char *path, size_t size)
{
	char *name = tring_format("%.*s", (int)size, path);
	int inner = openat(*dir, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int error = inner < 0 ? -errno : 0;

	free(name);
	if (!error) {
		close(*dir);
		*dir = inner;
	}
	return error;
}

/* Find the directory and the name of a file; the tree itself has the name ".". */
static int locate(struct tring_entry *entry, const char *path, mode_t *mode)
{
	const char *rest;
	struct tree *tree = find_tree(path, &rest);
	int error = 0;

	*entry = (struct tring_entry) { .dir = -1 };
	if (!tree || tree->dir < 0)
		return tree ? -ENOENT : -EXDEV;
	if (mode)
		*mode = tree->mode;
	entry->dir = fcntl(tree->dir, F_DUPFD_CLOEXEC, 0);
	if (entry->dir < 0)
		return -errno;
	while (!error && rest[strcspn(rest, "/")]) {
		size_t size = strcspn(rest, "/");

		error = enter(&entry->dir, rest, size);
		rest += size + strspn(rest + size, "/");
	}
	entry->name = tring_format("%s", *rest ? rest : ".");
	return error;
}

static void add_tree(const char *path, struct tring_entry *entry, int dir, mode_t mode)
{
	struct tree *tree = tring_allocate(sizeof(*tree));

	tree->path = tring_format("%s", path);
	tree->entry = *entry;
	tree->dir = dir;
	tree->mode = mode;
	tree->next = trees;
	trees = tree;
}

/* Return: 0 if root may write there. */
static int check(const struct tring_entry *entry, int dir)
{
	if (dir < 0)
		return tring_entry_check(entry);
	return tring_trusts_directory(dir) ? 0 : -TRING_NOT_TRUSTED;
}

/**
 * tring_tree_open - open a directory to which files are to be written
 * @path: the directory, which may be missing; one that is open already stays open
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_tree_open(const char *path)
{
	struct tring_entry entry;
	const char *rest;
	int dir = -1, error;

	if (*path && find_tree(path, &rest))
		return 0;
	error = tring_entry_find(&entry, path);
	if (!error) {
		dir = tring_entry_enter(entry.dir, entry.name);
		error = dir < 0 && dir != -ENOENT ? dir : 0;
	}
	if (!error)
		error = check(&entry, dir);
	if (!error) {
		add_tree(path, &entry, dir, 0600);
		return 0;
	}
	if (dir >= 0)
		close(dir);
	tring_entry_forget(&entry);
	if (error != -ENOENT)
		return tring_entry_report(path, error);
	tring_error("-o %s: cannot create it: %s; another -o DIR may do", path, strerror(ENOENT));
	return error;
}

/**
 * tring_tree_add - take a directory that is open
 * @path: its path
 * @dir: the directory; the tree's from now on
 * @mode: mode of its files
 */
void tring_tree_add(const char *path, int dir, mode_t mode)
{
	struct tring_entry none = { .dir = -1 };
	const char *rest;

	if (find_tree(path, &rest))
		close(dir);
	else
		add_tree(path, &none, dir, mode);
}

/**
 * tring_tree_list - open a directory for reading
 * @path: path in a tree, or of the tree
 *
 * Return: the directory, or a negative errno.
 */
int tring_tree_list(const char *path)
{
	struct tring_entry entry;
	int dir = locate(&entry, path, NULL);

	if (!dir)
		dir = tring_entry_enter(entry.dir, entry.name);
	tring_entry_forget(&entry);
	return dir;
}

/**
 * tring_tree_above - open the directory in which one is to be made
 * @path: path in a tree, or of the tree, which is missing
 *
 * Return: the directory, or a negative errno.
 */
int tring_tree_above(const char *path)
{
	const char *rest;
	struct tree *tree = find_tree(path, &rest);
	struct tring_entry entry;
	int dir;

	if (tree && tree->dir < 0)
		return tring_entry_enter(tree->entry.dir, ".");
	dir = locate(&entry, path, NULL);
	if (!dir)
		dir = tring_entry_enter(entry.dir, ".");
	tring_entry_forget(&entry);
	return dir;
}

static int make_tree(struct tree *tree)
{
	tree->dir = tring_entry_make(tree->entry.dir, tree->entry.name, 0700);
	return tree->dir < 0 ? tree->dir : 0;
}

/**
 * tring_tree_enter - make a directory, unless it is there, and open it
 * @path: path in a tree, or of the tree
 * @mode: set to the mode of files in it
 *
 * Many files are written faster from there than by their paths.
 *
 * Return: the directory, open for reading; or a negative errno, reported on stderr.
 */
int tring_tree_enter(const char *path, mode_t *mode)
{
	struct tring_entry entry = { .dir = -1 };
	const char *rest;
	struct tree *tree = find_tree(path, &rest);
	int dir = tree && tree->dir < 0 ? make_tree(tree) : 0;

	if (!dir)
		dir = locate(&entry, path, mode);
	if (!dir)
		dir = tring_entry_have(entry.dir, entry.name, *mode);
	tring_entry_forget(&entry);
	if (dir < 0)
		tring_error("%s: %s", path, strerror(-dir));
	return dir;
}

/**
 * tring_tree_make - make a directory, unless it is there
 * @path: path in a tree, or of the tree
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_tree_make(const char *path)
{
	mode_t mode;
	int dir = tring_tree_enter(path, &mode);

	if (dir >= 0)
		close(dir);
	return dir < 0 ? dir : 0;
}

/**
 * tring_tree_hold - get a path that leads to the file that there is now, whatever follows
 * @path: path in a tree
 * @held: set to the path, to free(); it is valid until the returned file is closed
 *
 * A symbolic link can be held, but not read.
 *
 * Return: what holds the file; or a negative errno.
 */
int tring_tree_hold(const char *path, char **held)
{
	struct tring_entry entry;
	int fd = locate(&entry, path, NULL);

	*held = NULL;
	if (!fd) {
		fd = openat(entry.dir, entry.name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
		fd = fd < 0 ? -errno : fd;
	}
	tring_entry_forget(&entry);
	if (fd >= 0)
		*held = tring_format("/proc/self/fd/%d", fd);
	return fd;
}

/**
 * tring_tree_read - read a small file into a string
 * @path: path in a tree
 *
 * Return: as of tring_read_text().
 */
char *tring_tree_read(const char *path)
{
	char *held, *text = NULL;
	int fd = tring_tree_hold(path, &held), error = -fd;

	if (fd >= 0) {
		text = tring_read_text(held, NULL);
		error = errno;
		close(fd);
	}
	free(held);
	errno = error;
	return text;
}

/**
 * tring_tree_create - create a file
 * @path: path in a tree, which no file has
 *
 * Return: the file, open for writing; or a negative errno.
 */
int tring_tree_create(const char *path)
{
	struct tring_entry entry;
	mode_t mode;
	int fd = locate(&entry, path, &mode);

	if (!fd)
		fd = tring_entry_create(entry.dir, entry.name, mode);
	tring_entry_forget(&entry);
	return fd;
}

/**
 * tring_tree_begin - create a file that is written through a buffer
 * @path: path in a tree, which no file has
 * @file: set to the file; NULL after an error
 *
 * Return: 0 or a negative errno.
 */
int tring_tree_begin(const char *path, FILE **file)
{
	int fd = tring_tree_create(path), error = fd < 0 ? fd : 0;

	*file = error ? NULL : fdopen(fd, "w");
	if (!error && !*file) {
		error = -errno;
		close(fd);
	}
	return error;
}

/**
 * tring_tree_write - replace a small file atomically
 * @path: path in a tree
 * @text: new content
 * @size: number of bytes
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_tree_write(const char *path, const void *text, size_t size)
{
	struct tring_entry entry;
	mode_t mode;
	int error = locate(&entry, path, &mode);

	if (!error)
		error = tring_entry_write(entry.dir, entry.name, mode, text, size);
	tring_entry_forget(&entry);
	if (error)
		tring_error("%s: %s", path, strerror(-error));
	return error;
}

/**
 * tring_tree_rename - give a file another name
 * @from: path in a tree
 * @to: path in a tree
 *
 * Return: 0 or a negative errno.
 */
int tring_tree_rename(const char *from, const char *to)
{
	struct tring_entry old, new = { .dir = -1 };
	int error = locate(&old, from, NULL);

	if (!error)
		error = locate(&new, to, NULL);
	if (!error && renameat(old.dir, old.name, new.dir, new.name))
		error = -errno;
	tring_entry_forget(&old);
	tring_entry_forget(&new);
	return error;
}

/**
 * tring_tree_remove - remove a file
 * @path: path in a tree
 *
 * Return: 0 or a negative errno.
 */
int tring_tree_remove(const char *path)
{
	struct tring_entry entry;
	int error = locate(&entry, path, NULL);

	if (!error && unlinkat(entry.dir, entry.name, 0))
		error = -errno;
	tring_entry_forget(&entry);
	return error;
}
