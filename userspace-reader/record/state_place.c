// SPDX-License-Identifier: GPL-2.0
/*
 * The place of the files that recorders leave for the case that they are killed.
 *
 * It is /run/tring, or /dev/shm/tring if /run cannot be written. Both are gone after a
 * boot. What a file there says is written to the ring, so the directory has to be one in
 * which only users can write that can also write to the ring: it gets the group of the
 * ring's files, and is writable for the group if they are.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tracefs/control.h"
#include "util/entry.h"
#include "state.h"
#include "util/tree.h"
#include "util/util.h"

/* Return: a place; NULL behind the last one. */
static const char *get_place(size_t number)
{
	static const char * const places[] = { "/run/tring", "/dev/shm/tring", NULL };
	const char *given = getenv("TRING_STATE_DIR");

	/* the only one, then */
	if (given && *given)
		return number ? NULL : given;
	return places[number];
}

/* Return: 0; 1 for a user that cannot change the ring; or a negative errno. */
static int stat_ring(const struct tring_control *control, struct stat *ring)
{
	char *path = tring_format("%s/set_event", control->dir);
	int error = stat(path, ring) ? -errno : !!faccessat(AT_FDCWD, path, W_OK, AT_EACCESS);

	free(path);
	return error;
}

/* Return: whether only users can write to the directory that can write to the ring. */
static bool is_trusted(const struct stat *place, const struct stat *ring)
{
	bool is_group = place->st_gid == ring->st_gid && ring->st_mode & 0020;

	if (!S_ISDIR(place->st_mode) || place->st_mode & 0002)
		return false;
	if (place->st_mode & 0020 && !is_group)
		return false;
	/* a group is given to a directory by its members only */
	return !place->st_uid || place->st_uid == geteuid() || is_group;
}

/* Each ring has a file of its own. */
static char *get_path(const char *place, const struct tring_control *control)
{
	const char *instance = strstr(control->dir + strlen(control->tracing),
				      "/instances/");

	return instance ? tring_format("%s/instance-%s", place,
				       instance + strlen("/instances/")) :
			  tring_format("%s/ring", place);
}

/* What files there say is for all users of the ring, whatever umask the one has that writes it. */
static void add_place(const char *place, int dir)
{
	umask(0022);
	tring_tree_add(place, dir, 0644);
}

/* Return: the directory, or a negative errno. */
static int open_place(const char *place, const struct stat *ring)
{
	mode_t mode = 0755 | (ring->st_mode & 0020);
	int dir = mkdir(place, 0755) && errno != EEXIST ? -errno :
		  tring_entry_enter(AT_FDCWD, place);
	struct stat info;
	int error = 0;

	if (dir < 0)
		return dir;
	/* the ring's group may have changed since */
	if (!fstat(dir, &info) && info.st_uid == geteuid() &&
	    (info.st_gid == ring->st_gid || !fchown(dir, -1, ring->st_gid)))
		fchmod(dir, mode);
	if (fstat(dir, &info))
		error = -errno;
	else if (!is_trusted(&info, ring))
		error = -EPERM;
	else if (faccessat(dir, ".", W_OK | X_OK, AT_EACCESS))
		error = -errno;
	if (!error)
		return dir;
	close(dir);
	return error;
}

/**
 * tring_place_make - get a file that can be written, and make its directory
 * @control: the ring
 *
 * A user that cannot change the ring needs none, and makes no directory that other users
 * would find.
 *
 * Return: path of the ring's file, to free(); NULL if there is no place for it, reported
 * on stderr unless the user cannot change the ring.
 */
char *tring_place_make(const struct tring_control *control)
{
	const char *place, *last = NULL;
	struct stat ring;
	size_t number = 0;
	int dir = -1;

	if (stat_ring(control, &ring))
		return NULL;
	while (dir < 0 && (place = get_place(number++))) {
		dir = open_place(place, &ring);
		last = place;
	}
	if (dir >= 0) {
		add_place(last, dir);
		return get_path(last, control);
	}
	tring_error("%s: %s; after a kill -9 \"tring reset\" could not put anything back",
		    last, strerror(-dir));
	return NULL;
}

/* Return: whether it is worth a message that a file was ignored. */
static bool is_surprise(const struct stat *place)
{
	/* any user can make the directory in /dev/shm, and has no ring to put back */
	return !place->st_uid || place->st_uid == geteuid();
}

static char *find_in(const char *place, const struct tring_control *control)
{
	int dir = tring_entry_enter(AT_FDCWD, place);
	char *path = get_path(place, control);
	struct stat ring, info;

	if (dir >= 0 && !faccessat(dir, strrchr(path, '/') + 1, F_OK, 0) &&
	    stat_ring(control, &ring) >= 0 && !fstat(dir, &info)) {
		if (is_trusted(&info, &ring)) {
			add_place(place, dir);
			return path;
		}
		if (is_surprise(&info))
			tring_error("%s: ignored, because others than the ring's users %s", place,
				    "can write there");
	}
	if (dir >= 0)
		close(dir);
	free(path);
	return NULL;
}

/**
 * tring_place_find - find a file that a recorder has left
 * @control: the ring
 * @number: number of the place to begin with; set to that of the next one
 *
 * Return: path of the ring's file, to free(); NULL if no place has one that can be trusted;
 * another one is reported on stderr.
 */
char *tring_place_find(const struct tring_control *control, size_t *number)
{
	const char *place;
	char *path = NULL;

	while (!path && (place = get_place((*number)++)))
		path = find_in(place, control);
	return path;
}
