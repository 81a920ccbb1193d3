// SPDX-License-Identifier: GPL-2.0
/*
 * Cgroups by their paths. The kernel numbers them: the inode of a cgroup's directory is its id,
 * which no other one gets, in whatever namespace, and by whatever mount, it is found.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "cgroup.h"
#include "util/util.h"

/* Return: 0; -ENODEV for a directory of another file system; or another negative errno. */
static int look_up(const char *path, uint64_t *id, bool *is_old)
{
	int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC), error = 0;
	struct statfs system;
	struct stat info;

	if (fd < 0)
		return -errno;
	if (fstatfs(fd, &system) || fstat(fd, &info)) {
		error = -errno;
	} else if (system.f_type != CGROUP2_SUPER_MAGIC) {
		*is_old |= system.f_type == CGROUP_SUPER_MAGIC;
		error = -ENODEV;
	} else {
		*id = info.st_ino;
	}
	close(fd);
	return error;
}

/* Return: where the cgroups are mounted, to free(); NULL if they are not. */
static char *find_mount(void)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	const struct mntent *entry;
	char *dir = NULL;

	while (mounts && !dir && (entry = getmntent(mounts)))
		if (!strcmp(entry->mnt_type, "cgroup2"))
			dir = tring_format("%s", entry->mnt_dir);
	if (mounts)
		endmntent(mounts);
	return dir;
}

/**
 * tring_cgroup_find - find a cgroup of version 2
 * @path: its directory, or its path below the one where the cgroups are mounted, as
 *	/proc/PID/cgroup has it
 * @id: set to its id
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_cgroup_find(const char *path, uint64_t *id)
{
	char *mount = find_mount(), *below;
	bool is_old = false;
	int error = look_up(path, id, &is_old);

	if (error && !is_old && mount) {
		below = tring_format("%s/%s", mount, path);
		error = look_up(below, id, &is_old);
		free(below);
	}
	if (error && is_old)
		tring_error("--cgroup %s: this is a cgroup of version 1; those of version 2 count",
			    path);
	else if (error && !mount)
		tring_error("--cgroup %s: no file system of type cgroup2 is mounted here", path);
	else if (error)
		tring_error("--cgroup %s: no such cgroup, here or in %s", path, mount);
	free(mount);
	return error;
}
