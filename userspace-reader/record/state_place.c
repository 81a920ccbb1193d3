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
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "control.h"
#include "state_place.h"
#include "util.h"

static const char * const places[] = { "/run/tring", "/dev/shm/tring" };

/* Return: the only place, which a user has given; NULL for the usual ones. */
static const char *given_place(void)
{
	const char *given = getenv("TRING_STATE_DIR");

	return given && *given ? given : NULL;
}

static const char *get_place(size_t number)
{
	const char *given = given_place();

	return given ? given : places[number];
}

/**
 * tring_place_count - count the places
 *
 * Return: number of places.
 */
size_t tring_place_count(void)
{
	return given_place() ? 1 : sizeof(places) / sizeof(places[0]);
}

static int stat_ring(const struct tring_control *control, struct stat *ring)
{
	char *path = tring_format("%s/set_event", control->dir);
	int error = stat(path, ring) ? -errno : 0;

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

static int make_directory(const char *place, const struct stat *ring)
{
	mode_t mode = 0755 | (ring->st_mode & 0020);
	struct stat info;

	if (mkdir(place, 0755) && errno != EEXIST)
		return -errno;
	if (lstat(place, &info))
		return -errno;
	/* the ring's group may have changed since */
	if (S_ISDIR(info.st_mode) && info.st_uid == geteuid() &&
	    (info.st_gid == ring->st_gid || !chown(place, -1, ring->st_gid)))
		chmod(place, mode);
	if (lstat(place, &info))
		return -errno;
	if (!is_trusted(&info, ring))
		return -EPERM;
	return access(place, W_OK | X_OK) ? -errno : 0;
}

/**
 * tring_place_make - get a file that can be written, and make its directory
 * @control: the ring
 *
 * Return: path of the ring's file, to free(); NULL if there is no place for it, reported
 * on stderr.
 */
char *tring_place_make(const struct tring_control *control)
{
	size_t number, count = tring_place_count();
	struct stat ring;
	int error = stat_ring(control, &ring);

	for (number = 0; number < count && !error; number++) {
		error = make_directory(get_place(number), &ring);
		if (!error)
			return get_path(get_place(number), control);
		if (number + 1 < count)
			error = 0;
	}
	tring_error("%s: %s; after a kill -9 \"tring reset\" could not put anything back",
		    get_place(count - 1), strerror(-error));
	return NULL;
}

/**
 * tring_place_find - find a file that a recorder has left
 * @control: the ring
 * @number: number of the place, less than tring_place_count()
 *
 * Return: path of the ring's file, to free(); NULL if the place has none or is not to be
 * trusted, which is reported on stderr.
 */
char *tring_place_find(const struct tring_control *control, size_t number)
{
	const char *place = get_place(number);
	char *path = get_path(place, control);
	struct stat ring, info;

	if (access(path, F_OK) || stat_ring(control, &ring) || lstat(place, &info)) {
		free(path);
		return NULL;
	}
	if (is_trusted(&info, &ring))
		return path;
	tring_error("%s: ignored, because others than the ring's users can write there", place);
	free(path);
	return NULL;
}
