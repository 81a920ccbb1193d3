// SPDX-License-Identifier: GPL-2.0
/* Names of tasks, functions and constants of the running kernel, for printing. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"
#include "util.h"

/* A task may have a newline in its name, which would begin a line of its own. */
#define INSTEAD_OF_NEWLINE	'?'

static void write_comm(FILE *file, const char *task, const char *pid)
{
	char *path = tring_format("%s/%s/comm", task, pid), *newline;
	char *comm = tring_read_text(path, NULL);

	/* the name ends in a newline; a task that has ended has none */
	while (comm && (newline = strchr(comm, '\n')) && newline[1])
		*newline = INSTEAD_OF_NEWLINE;
	if (comm && *comm)
		fprintf(file, "%s %s", pid, comm);
	free(comm);
	free(path);
}

/* ftrace's file: a line without a pid goes on with the name of the line before. */
static void write_saved(FILE *file, char *saved)
{
	char *line, *newline = NULL;

	for (line = saved; *line; line = newline + 1) {
		size_t digits = strspn(line, "0123456789");

		if (newline && (!digits || line[digits] != ' '))
			*newline = INSTEAD_OF_NEWLINE;
		newline = strchr(line, '\n');
		if (!newline)
			break;
	}
	fputs(saved, file);
}

static void write_threads(FILE *file, const char *process)
{
	char *path = tring_format("/proc/%s/task", process);
	DIR *threads = opendir(path);
	struct dirent *entry;

	while (threads && (entry = readdir(threads)))
		if (entry->d_name[0] != '.')
			write_comm(file, path, entry->d_name);
	if (threads)
		closedir(threads);
	free(path);
}

/**
 * tring_kernel_cmdlines - get the names of tasks
 * @tracing: directory of tracefs
 *
 * ftrace saves the names of the tasks that it traces. The names of other tasks
 * come from /proc. The names of tasks that have ended come from the events, if
 * sched_switch is among them.
 *
 * Return: lines of pid and name, to free(); NULL without memory.
 */
char *tring_kernel_cmdlines(const char *tracing)
{
	char *saved_path = tring_format("%s/saved_cmdlines", tracing);
	char *saved = tring_read_text(saved_path, NULL), *text = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	uint64_t pid;

	while (file && proc && (entry = readdir(proc)))
		if (tring_parse_number(entry->d_name, &pid))
			write_threads(file, entry->d_name);
	if (file && saved)
		write_saved(file, saved);
	if (file && fclose(file)) {
		free(text);
		text = NULL;
	}
	if (proc)
		closedir(proc);
	free(saved);
	free(saved_path);
	return text;
}

/**
 * tring_event_shows_symbol - check whether printing an event needs symbols
 * @event: the event
 *
 * Return: true if the print format shows an address as a symbol, with %ps for example.
 */
bool tring_event_shows_symbol(const struct tring_event *event)
{
	const char *at = event->text;

	while ((at = strstr(at, "%p"))) {
		at += 2;
		if (*at && strchr("sSfFB", *at))
			return true;
	}
	return false;
}

/**
 * tring_kernel_has_symbols - check whether printing events needs symbols
 * @events: the events
 * @ids: by id: the event is to be checked, 65536 entries; NULL for all events
 *
 * Return: true if one of the events prints an address as a symbol.
 */
bool tring_kernel_has_symbols(const struct tring_events *events,
			      const bool *ids)
{
	size_t i;

	for (i = 0; i < events->count; i++) {
		unsigned int id = events->list[i].parsed->id;

		if (ids && !ids[id])
			continue;
		if (tring_event_shows_symbol(&events->list[i]))
			return true;
	}
	return false;
}
