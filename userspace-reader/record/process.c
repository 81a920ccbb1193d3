// SPDX-License-Identifier: GPL-2.0
/*
 * The threads of processes whose children are followed. A thread that is started before its
 * starter is followed is no child that the kernel sees, so the threads are looked up again until
 * the kernel has all.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "process.h"
#include "util/util.h"

static bool has_word(const char *words, const char *word)
{
	const size_t size = strlen(word);

	for (; *words; words += strcspn(words, "\n "), words += strspn(words, "\n "))
		if (strcspn(words, "\n ") == size && !strncmp(words, word, size))
			return true;
	return false;
}

/* A thread that is not its process' first one stands for itself. */
static bool is_process(const char *pid)
{
	char *path = tring_format("/proc/%s/status", pid), *text = tring_read_text(path, NULL);
	const char *line = text ? strstr(text, "\nTgid:\t") : NULL;
	const size_t size = strlen(pid);
	bool same = line && !strncmp(line + strlen("\nTgid:\t"), pid, size) &&
		    line[strlen("\nTgid:\t") + size] == '\n';

	free(path);
	free(text);
	return same;
}

static void add_threads(const char *pids, const char *pid, char **added)
{
	char *path = tring_format("/proc/%s/task", pid);
	DIR *dir = is_process(pid) ? opendir(path) : NULL;
	const struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		if (*entry->d_name == '.' || has_word(pids, entry->d_name))
			continue;
		tring_extend(added, " %s", entry->d_name);
	}
	if (dir)
		closedir(dir);
	free(path);
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
			add_threads(pids, pid, &added);
	free(copy);
	return added;
}
