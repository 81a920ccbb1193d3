// SPDX-License-Identifier: LGPL-2.1-or-later
/* Names of tasks, functions and constants of the running kernel, for printing. */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"
#include "util/util.h"

/* A task may have a newline in its name, which would begin a line of its own. */
#define INSTEAD_OF_NEWLINE	'?'

/* as in the kernel, on 64 bits */
#define PID_MAX_LIMIT		(4u << 20)

/* @seen: by pid: it has a name */
struct cmdlines {
	FILE	*file;
	bool	seen[PID_MAX_LIMIT];
};

/* Of several names of a pid, the first one counts. */
static void write_name(struct cmdlines *names, const char *pid, const char *comm)
{
	uint64_t number;

	if (!tring_parse_number(pid, &number) || number >= PID_MAX_LIMIT || names->seen[number])
		return;
	names->seen[number] = true;
	fprintf(names->file, "%s %s\n", pid, comm);
}

static void write_comm(struct cmdlines *names, const char *task, const char *pid)
{
	char *path = tring_format("%s/%s/comm", task, pid), *newline;
	char *comm = tring_read_text(path, NULL);

	/* the name ends in a newline; a task that has ended has none */
	while (comm && (newline = strchr(comm, '\n')) && newline[1])
		*newline = INSTEAD_OF_NEWLINE;
	if (comm && *comm) {
		comm[strcspn(comm, "\n")] = 0;
		write_name(names, pid, comm);
	}
	free(comm);
	free(path);
}

/*
 * The kernel's file, ftrace's or tring's: a line without a pid goes on with the name of the
 * line before.
 */
static void write_saved(struct cmdlines *names, const char *path)
{
	char *saved = tring_read_text(path, NULL), *line, *next, *end;

	for (line = saved; line && *line; line = next) {
		size_t digits = strspn(line, "0123456789");

		for (end = strchr(line, '\n'); end; end = strchr(end, '\n')) {
			size_t more = strspn(end + 1, "0123456789");

			if (!end[1] || (more && end[1 + more] == ' '))
				break;
			*end = INSTEAD_OF_NEWLINE;
		}
		next = end ? end + 1 : line + strlen(line);
		if (!end || !digits || line[digits] != ' ')
			continue;
		*end = 0;
		line[digits] = 0;
		write_name(names, line, line + digits + 1);
	}
	free(saved);
}

static void write_threads(struct cmdlines *names, const char *process)
{
	char *path = tring_format("/proc/%s/task", process);
	DIR *threads = opendir(path);
	struct dirent *entry;

	while (threads && (entry = readdir(threads)))
		if (entry->d_name[0] != '.')
			write_comm(names, path, entry->d_name);
	if (threads)
		closedir(threads);
	free(path);
}

/**
 * tring_kernel_cmdlines - get the names of tasks
 * @tracing: directory of tracefs
 *
 * The names of living tasks come from /proc. tring saves those of the last tasks that have
 * ended, and ftrace some of the tasks that it traces. Reports learn more names from
 * sched_switch, if it is among the events.
 *
 * Return: lines of pid and name, to free(); NULL without memory.
 */
char *tring_kernel_cmdlines(const char *tracing)
{
	struct cmdlines *names = calloc(1, sizeof(*names));
	char *ended = tring_format("%s/tring/saved_cmdlines", tracing);
	char *saved = tring_format("%s/saved_cmdlines", tracing), *text = NULL;
	size_t size = 0;
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	uint64_t pid;

	if (names)
		names->file = open_memstream(&text, &size);
	if (names && names->file) {
		while (proc && (entry = readdir(proc)))
			if (tring_parse_number(entry->d_name, &pid))
				write_threads(names, entry->d_name);
		write_saved(names, ended);
		write_saved(names, saved);
		if (fclose(names->file)) {
			free(text);
			text = NULL;
		}
	}
	if (proc)
		closedir(proc);
	free(saved);
	free(ended);
	free(names);
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
		unsigned int id = events->list[i]->parsed->id;

		if (ids && !ids[id])
			continue;
		if (tring_event_shows_symbol(events->list[i]))
			return true;
	}
	return false;
}
