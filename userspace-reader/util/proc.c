// SPDX-License-Identifier: LGPL-2.1-or-later
/* The tasks that /proc tells: which ones, and whether the kernel records them by these pids. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "proc.h"
#include "util.h"

/* The kernel's PROC_PID_INIT_INO. */
#define FIRST_PID_NAMESPACE	0xeffffffcu
/* The kernel's PF_KTHREAD. */
#define KERNEL_THREAD		0x00200000u

/* All kernel threads are in the first pid namespace, and pid 2 is their parent. */
static bool shows_kernel_threads(void)
{
	char *text = tring_proc_text(2, "stat", NULL);
	const char *name_end = text ? strrchr(text, ')') : NULL;
	unsigned long flags = 0;

	if (name_end)
		sscanf(name_end, ") %*c %*d %*d %*d %*d %*d %lu", &flags);
	free(text);
	return flags & KERNEL_THREAD;
}

/**
 * tring_proc_is_first - check whether this process is in the first pid namespace
 *
 * The kernel records the pids that tasks have there.
 */
bool tring_proc_is_first(void)
{
	struct stat own;

	/* a kernel without namespaces has no such file */
	return stat("/proc/self/ns/pid", &own) || own.st_ino == FIRST_PID_NAMESPACE;
}

/**
 * tring_proc_has_kernel_pids - check whether /proc has the pids that the kernel records
 *
 * It may have them in another pid namespace, too.
 */
bool tring_proc_has_kernel_pids(void)
{
	return tring_proc_is_first() || shows_kernel_threads();
}

/**
 * tring_proc_list - list the processes, or the threads of one
 * @process: pid of the process; 0 for all processes
 * @pids: set to their pids, to free()
 *
 * Return: number of @pids; 0 if the process has ended.
 */
size_t tring_proc_list(int32_t process, int32_t **pids)
{
	char *dir = process ? tring_format("/proc/%d/task", process) : tring_format("/proc");
	const struct dirent *entry;
	DIR *proc = opendir(dir);
	size_t count = 0;
	uint64_t pid;

	*pids = NULL;
	while (proc && (entry = readdir(proc))) {
		if (!tring_parse_number(entry->d_name, &pid) || !pid || pid > INT32_MAX)
			continue;
		*pids = tring_one_more(*pids, count, sizeof(**pids));
		(*pids)[count++] = pid;
	}
	if (proc)
		closedir(proc);
	free(dir);
	return count;
}

/**
 * tring_proc_text - read a file of a task
 * @pid: the task's pid
 * @file: name of the file
 * @size: set to the number of bytes; may be NULL
 *
 * Return: the text, to free(); NULL if the task has ended.
 */
char *tring_proc_text(int32_t pid, const char *file, size_t *size)
{
	char *path = tring_format("/proc/%d/%s", pid, file), *text = tring_read_text(path, size);

	free(path);
	return text;
}

/**
 * tring_proc_command - get the command line of a process
 * @pid: the process
 *
 * Return: its words with blanks between them, without control characters, to free(); NULL if the
 * process has ended, or is a thread of the kernel.
 */
char *tring_proc_command(int32_t pid)
{
	size_t size = 0, i;
	char *text = tring_proc_text(pid, "cmdline", &size);

	/* a process that writes its title may leave NULs behind it */
	while (size && !text[size - 1])
		size--;
	for (i = 0; i < size; i++)
		if (!text[i])
			text[i] = ' ';
		else if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
			text[i] = '?';
	if (size)
		return text;
	free(text);
	return NULL;
}
