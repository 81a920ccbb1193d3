// SPDX-License-Identifier: GPL-2.0
/*
 * The lock that lets one recorder at a time use a ring.
 *
 * It is an flock() of the ring's directory in tracefs. That lives exactly as long as the
 * ring, each instance has one, each user that can record can open it, and it needs no
 * other file system that can be written. The kernel drops the lock when its owner dies.
 * An open directory keeps neither the module loaded nor the instance there.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "lock.h"
#include "util/proc.h"
#include "util/util.h"

/* Return: pid of the owner of the lock on @fd, 0 if it is unknown. */
static int find_owner(int fd)
{
	char *text = tring_read_text("/proc/locks", NULL), *rest = text, *line;
	unsigned int major_number, minor_number;
	unsigned long long inode;
	struct stat info;
	int owner = 0, pid;

	if (fstat(fd, &info))
		rest = NULL;
	while (!owner && (line = strsep(&rest, "\n")))
		if (sscanf(line, "%*d: FLOCK ADVISORY WRITE %d %x:%x:%llu ", &pid,
			   &major_number, &minor_number, &inode) == 4 &&
		    major_number == major(info.st_dev) &&
		    minor_number == minor(info.st_dev) && inode == info.st_ino)
			owner = pid;
	free(text);
	return owner;
}

/**
 * tring_lock_process - describe a process by its pid and its command
 * @pid: the pid
 *
 * Return: string to free(), such as "1234 (tring record -e sched)"; NULL if there is no
 * such process.
 */
char *tring_lock_process(int pid)
{
	char *command = tring_proc_command(pid);
	char *process = command ? tring_format("%d (%s)", pid, command) : NULL;

	free(command);
	return process;
}

static void report_owner(int fd, const char *dir, const char *advice)
{
	char *process = tring_lock_process(find_owner(fd));

	if (process)
		tring_error("%s: process %s is recording; %s", dir, process, advice);
	else
		tring_error("%s: another process is recording; %s", dir, advice);
	free(process);
}

static bool is_still_there(int fd, const char *dir)
{
	struct stat mine, now;

	return !fstat(fd, &mine) && !stat(dir, &now) && mine.st_ino == now.st_ino &&
	       mine.st_dev == now.st_dev;
}

/**
 * tring_lock - take the lock of a ring, until it is closed
 * @control: the ring
 * @advice: what can be done if there is a recorder, for the message
 *
 * A process that is forked afterwards shares the lock until it executes a program.
 *
 * Return: 0; -EBUSY if there is a recorder; or another negative errno; reported on stderr.
 */
int tring_lock(struct tring_control *control, const char *advice)
{
	const char *dir = control->dir;
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int error = fd < 0 || flock(fd, LOCK_EX | LOCK_NB) ? -errno : 0;

	if (error == -EWOULDBLOCK) {
		report_owner(fd, dir, advice);
		error = -EBUSY;
	} else if (error) {
		tring_error("cannot lock %s: %s", dir, strerror(-error));
	} else if (!is_still_there(fd, dir)) {
		/* between open() and flock() */
		tring_error("%s: the instance was removed just now", dir);
		error = -ENOENT;
	}
	if (!error)
		control->lock_fd = fd;
	else if (fd >= 0)
		close(fd);
	return error;
}
