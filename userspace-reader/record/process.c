// SPDX-License-Identifier: GPL-2.0
/*
 * The threads of processes whose children are followed. A thread that is started before its
 * starter is followed is no child that the kernel sees, so the threads are looked up again until
 * the kernel has all.
 */
#include <stdlib.h>
#include <string.h>

#include "process.h"
#include "util/proc.h"
#include "util/util.h"

static bool has_pid(const char *pids, int32_t pid)
{
	char *end;

	for (; *pids; pids = *end ? end + 1 : end)
		if (strtol(pids, &end, 10) == pid)
			return true;
	return false;
}

/* A thread that is not its process' first one stands for itself. */
static bool is_process(int32_t pid)
{
	char *text = tring_proc_text(pid, "status", NULL);
	const char *line = text ? strstr(text, "\nTgid:\t") : NULL;
	bool same = line && atoi(line + strlen("\nTgid:\t")) == pid;

	free(text);
	return same;
}

static void add_threads(const char *pids, int32_t process, char **added)
{
	int32_t *threads = NULL;
	size_t count = is_process(process) ? tring_proc_list(process, &threads) : 0, i;

	for (i = 0; i < count; i++)
		if (!has_pid(pids, threads[i]))
			tring_extend(added, " %d", threads[i]);
	free(threads);
}

/**
 * tring_process_threads - find the threads of processes
 * @pids: pids that are known, with white space between them
 * @of: the processes, by pid, with spaces between them; a thread's pid has no others
 *
 * Return: the pids of others, each behind a space, to free(); NULL if there are none. What has
 * ended meanwhile has none.
 */
char *tring_process_threads(const char *pids, const char *of)
{
	char *copy = tring_format("%s", of), *rest = copy, *added = NULL, *pid;

	while ((pid = strsep(&rest, " ")))
		if (*pid)
			add_threads(pids, atoi(pid), &added);
	free(copy);
	return added;
}
