// SPDX-License-Identifier: GPL-2.0
/*
 * Checks of what the user asks for. They come before anything is changed in the kernel
 * or on the disk, because a recording begins by dropping the old trace in both places.
 *
 * The kernel may still refuse something, such as memory. set_up.c asks it for all of
 * that before the new trace begins.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tracefs/available.h"
#include "thread.h"
#include "recording.h"
#include "trace/trace_dir.h"
#include "watch.h"
#include "util/proc.h"
#include "util/util.h"

/* Exit statuses of env(1) and of shells. */
#define CANNOT_EXECUTE	126
#define NOT_FOUND	127

/* Return: 0, -ENOENT, or why the file cannot be executed. */
static int check_program(const char *path)
{
	struct stat info;

	if (stat(path, &info))
		return errno == ENOTDIR ? -ENOENT : -errno;
	if (S_ISDIR(info.st_mode))
		return -EISDIR;
	return faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) ? -errno : 0;
}

/* As execvp(): a file that cannot be executed does not end the search. */
static int search_program(const char *name)
{
	const char *path = getenv("PATH");
	char *copy = tring_format("%s", path ? path : "/bin:/usr/bin");
	char *rest = copy, *dir;
	int error = -ENOENT;

	while (error && (dir = strsep(&rest, ":"))) {
		char *file = tring_format("%s/%s", *dir ? dir : ".", name);
		int found = check_program(file);

		if (found != -ENOENT && found != -EISDIR)
			error = found;
		free(file);
	}
	free(copy);
	return error;
}

/* Return: 0 or an exit status. */
static int check_command(const char *name)
{
	bool is_path = strchr(name, '/');
	int error = is_path ? check_program(name) : search_program(name);

	if (error == -ENOENT && !is_path) {
		tring_error("COMMAND %s: not found in PATH", name);
		return NOT_FOUND;
	}
	if (!error)
		return TRING_EXIT_OK;
	tring_error("COMMAND %s: %s%s", name, strerror(-error),
		    error == -EACCES ? "; \"chmod +x\" makes a script executable" : "");
	return error == -ENOENT ? NOT_FOUND : CANNOT_EXECUTE;
}

/* Each pattern is judged by itself. */
static int check_events(struct tring_recording_options *options,
			const struct tring_control *control)
{
	char *copy, *rest, *pattern;
	int status = TRING_EXIT_OK;

	if (tring_available_read(&options->available, control))
		return TRING_EXIT_BAD;
	if (options->watch && !options->watch->calls->check(options))
		return TRING_EXIT_USAGE;
	copy = tring_format("%s", options->events);
	rest = copy;
	while ((pattern = strsep(&rest, "\n")))
		if (tring_available_check(&options->available, pattern, "-e "))
			status = TRING_EXIT_USAGE;
	free(copy);
	return status;
}

/* @what: what @file has the names of; @option: what the user has written before @wanted */
static int check_name(const struct tring_control *control, const char *file,
		      const char *option, const char *what, const char *wanted)
{
	char *text = tring_control_read(control, file), *rest = text, *name;
	char *names = NULL;
	bool found = false;

	while (text && (name = strsep(&rest, " []\n"))) {
		if (!*name)
			continue;
		found |= !strcmp(name, wanted);
		tring_extend(&names, "%s%s", names ? ", " : "", name);
	}
	if (text && !found)
		tring_error("%s %s: no such %s; this kernel has %s", option, wanted, what,
			    names ? names : "");
	free(names);
	free(text);
	if (!text)
		return TRING_EXIT_BAD;
	return found ? TRING_EXIT_OK : TRING_EXIT_USAGE;
}

/* The pids are numbers. A task may end before the recording begins all the same. */
static int check_pids(const char *pids)
{
	char *copy = tring_format("%s", pids), *rest = copy, *pid;
	int status = TRING_EXIT_OK;

	while ((pid = strsep(&rest, " "))) {
		char *path = tring_format("/proc/%s", pid);

		/* 0 is the idle task of each CPU */
		if (strcmp(pid, "0") && access(path, F_OK)) {
			tring_error("-P %s: no such task", pid);
			status = TRING_EXIT_USAGE;
		}
		free(path);
	}
	free(copy);
	return status;
}

/* What unshare(2) has made and no task has entered has no inode yet. */
static bool starts_tasks_here(void)
{
	struct stat own, children;

	return stat("/proc/self/ns/pid", &own) ||
	       (!stat("/proc/self/ns/pid_for_children", &children) &&
		children.st_ino == own.st_ino);
}

/* A task of another pid namespace, as in a container, has two pids, and the ring takes one. */
static int check_namespace(const struct tring_recording_options *options)
{
	if (tring_proc_has_kernel_pids() && starts_tasks_here())
		return TRING_EXIT_OK;
	tring_error("%s: the tasks here have other pids for the kernel, %s",
		    options->only_command ? "-F" : "-P",
		    "which /proc does not tell; --cgroup chooses tasks here, too");
	return TRING_EXIT_BAD;
}

/*
 * An instance has the events and the clocks of the top-level ring. @cpus: set to the
 * number of CPUs
 */
static int check_ring(struct tring_recording_options *options, size_t *cpus)
{
	struct tring_control control;
	int status = TRING_EXIT_OK, failed;

	if (tring_control_open(&control, NULL, false))
		status = TRING_EXIT_BAD;
	if (!status && options->events)
		status = check_events(options, &control);
	if (status != TRING_EXIT_BAD && options->clock) {
		failed = check_name(&control, "trace_clock", "-C", "clock", options->clock);
		if (failed)
			status = failed;
	}
	if (status != TRING_EXIT_BAD && options->tracer) {
		failed = check_name(&control, "available_tracers", "-p", "tracer",
				    options->tracer);
		if (failed)
			status = failed;
	}
	*cpus = control.cpu_count;
	tring_control_close(&control);
	return status;
}

/* A kernel with RT_GROUP_SCHED may refuse a real-time priority to root, too. */
static int check_realtime(int realtime)
{
	struct tring_priority before;
	int error = tring_priority_raise(&before, realtime);

	tring_priority_restore(&before);
	if (!error)
		return TRING_EXIT_OK;
	tring_error("-r %d: the kernel refuses this priority: %s", realtime, strerror(-error));
	return TRING_EXIT_BAD;
}

/**
 * tring_request_check - check the options of a recording
 * @options: options of the user
 *
 * Changes nothing but @options->available, to be freed in any case. What is wrong is reported on
 * stderr, by the option's name.
 *
 * Return: TRING_EXIT_OK to go on; else the exit status of tring record: 126 or 127 for
 * the command, as of env(1).
 */
int tring_request_check(struct tring_recording_options *options)
{
	size_t cpus;
	int status = check_ring(options, &cpus);

	if (!status && options->pids)
		status = check_pids(options->pids);
	if (!status && (options->pids || options->only_command))
		status = check_namespace(options);
	if (!status && options->dir && tring_trace_dir_probe(options->dir, cpus, 0))
		status = TRING_EXIT_BAD;
	if (!status && options->realtime)
		status = check_realtime(options->realtime);
	if (!status && options->command)
		status = check_command(options->command[0]);
	return status;
}
