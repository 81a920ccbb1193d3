// SPDX-License-Identifier: GPL-2.0
/*
 * The instance that tring top makes for itself. Its name has the process's pid, so that any
 * number can run at a time, and what one has left that was killed is found by the next one.
 */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "live_instance.h"
#include "tracefs/control.h"
#include "record/lock.h"
#include "record/state.h"
#include "util/util.h"

#define PREFIX	"top-"

/* Return: whether the process has ended that has made an instance, or would have now. */
static bool is_left(const char *name)
{
	uint64_t pid;

	if (strncmp(name, PREFIX, strlen(PREFIX)) ||
	    !tring_parse_number(name + strlen(PREFIX), &pid) || pid > INT32_MAX)
		return false;
	return (pid_t)pid == getpid() || (kill(pid, 0) && errno == ESRCH);
}

/* What cannot be removed is reported, and stays. */
static void remove_left(const char *name)
{
	struct tring_control control;

	if (!tring_control_open(&control, name, false) &&
	    !tring_lock(&control, "its instance is left alone") &&
	    tring_recover(&control) >= 0) {
		control.made = true;
		tring_control_remove(&control);
	}
	tring_control_close(&control);
}

/**
 * tring_live_instance - get a name for an instance, and remove those that killed ones have left
 *
 * Return: the name, allocated; NULL if there is no ring, reported on stderr.
 */
char *tring_live_instance(void)
{
	struct tring_control control;
	struct dirent *entry;
	char *path;
	DIR *dir;

	if (tring_control_open(&control, NULL, false)) {
		tring_control_close(&control);
		return NULL;
	}
	path = tring_format("%s/instances", control.dir);
	dir = opendir(path);
	while (dir && (entry = readdir(dir)))
		if (is_left(entry->d_name))
			remove_left(entry->d_name);
	if (dir)
		closedir(dir);
	free(path);
	tring_control_close(&control);
	return tring_format(PREFIX "%d", getpid());
}
