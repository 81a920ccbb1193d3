// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The users that root trusts with the directory of a trace: root, and the caller of sudo.
 *
 * A user that can write to a directory can plant links in it, and replace what root makes
 * there. A program that does not run as root has the rights of its user only, and asks nothing.
 */
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "trust.h"
#include "util.h"

bool tring_force;

static bool asks(void)
{
	return !geteuid() && !tring_force;
}

static bool read_id(const char *variable, uint64_t *id)
{
	const char *text = getenv(variable);

	return text && tring_parse_number(text, id) && *id < UINT32_MAX;
}

/**
 * tring_trust_caller - get the user that has called sudo
 * @uid: set to the user
 * @gid: set to the user's group
 *
 * Return: false if the program does not run as root, or not by sudo.
 */
bool tring_trust_caller(uid_t *uid, gid_t *gid)
{
	uint64_t user, group;

	if (geteuid() || !read_id("SUDO_UID", &user) || !read_id("SUDO_GID", &group) || !user)
		return false;
	*uid = user;
	*gid = group;
	return true;
}

/**
 * tring_trusts_user - check whether what a user has made can be relied on
 * @uid: the user
 */
bool tring_trusts_user(uid_t uid)
{
	uid_t caller;
	gid_t group;

	return !uid || !asks() || (tring_trust_caller(&caller, &group) && uid == caller);
}

static bool is_trusted_name(const char *name)
{
	const struct passwd *user = strcmp(name, "root") ? getpwnam(name) : NULL;

	return !strcmp(name, "root") || (user && tring_trusts_user(user->pw_uid));
}

/*
 * Distributions give each user a group of the same name, and make files writable for it. Of
 * other groups, users may be members that the group does not list.
 */
static bool is_private_group(gid_t gid)
{
	const struct group *group = getgrgid(gid);
	char **member;

	if (!group)
		return !gid;
	if (!is_trusted_name(group->gr_name))
		return false;
	for (member = group->gr_mem; *member; member++)
		if (strcmp(*member, group->gr_name) && strcmp(*member, "root"))
			return false;
	return true;
}

/* The bits of the group are the most that an access list grants. */
static bool has_access_list(int dir)
{
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool has = fd < 0 || fgetxattr(fd, "system.posix_acl_access", NULL, 0) > 0;

	if (fd >= 0)
		close(fd);
	return has;
}

static bool is_writable_for_others(int dir, const struct stat *info)
{
	if (info->st_mode & 0002)
		return true;
	return info->st_mode & 0020 && (!is_private_group(info->st_gid) || has_access_list(dir));
}

/**
 * tring_trusts_directory - check that no further user can write to a directory
 * @dir: the directory
 */
bool tring_trusts_directory(int dir)
{
	struct stat info;

	if (!asks())
		return true;
	return !fstat(dir, &info) && tring_trusts_user(info.st_uid) &&
	       !is_writable_for_others(dir, &info);
}

/**
 * tring_trusts_parent - check that no further user can replace a file in a directory
 * @dir: the directory
 *
 * In /tmp only the owner of a file can.
 */
bool tring_trusts_parent(int dir)
{
	struct stat info;

	if (!asks())
		return true;
	return !fstat(dir, &info) && tring_trusts_user(info.st_uid) &&
	       (info.st_mode & S_ISVTX || !is_writable_for_others(dir, &info));
}
