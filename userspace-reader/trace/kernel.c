// SPDX-License-Identifier: LGPL-2.1-or-later
/* Names of tasks, functions and constants of the running kernel, for printing. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "event/name_files.h"
#include "kernel.h"
#include "util/proc.h"
#include "util/util.h"

/* As the kernel's MODULE_NAME_LEN, or more. */
#define MODULE_NAME_MAX		64

/* Bytes of a command line that tell it from others. */
#define COMMAND_MOST		256

/* The name ends in a newline; a task that has ended has none. */
static void add_comm(struct tring_names *names, int32_t pid)
{
	char *comm = tring_proc_text(pid, "comm", NULL);

	if (comm && *comm) {
		comm[strlen(comm) - 1] = 0;
		tring_names_add(names, pid, comm);
	}
	free(comm);
}

static void add_saved(struct tring_names *names, const char *tracing)
{
	char *path = tring_format("%s/tring/saved_cmdlines", tracing);
	char *saved = tring_read_text(path, NULL);

	if (saved)
		tring_give_tasks(names, saved, path);
	free(saved);
	free(path);
}

/* Return: number of processes; 0 if /proc has other pids than the kernel's. */
static size_t list_processes(int32_t **processes)
{
	*processes = NULL;
	return tring_proc_has_kernel_pids() ? tring_proc_list(0, processes) : 0;
}

static const char *next_line(const char *line)
{
	line += strcspn(line, "\n");
	return *line ? line + 1 : line;
}

/*
 * The path in the hierarchy of cgroups' second version; where that is not in use, in systemd's. The
 * second version's line is the last one.
 */
static const char *find_cgroup(const char *text, size_t *size)
{
	static const char second[] = "0::", systemd[] = ":name=systemd:";
	const char *line, *path = NULL;

	for (line = text; *line; line = next_line(line)) {
		const char *name = line + strspn(line, "0123456789");

		if (!strncmp(line, second, strlen(second)))
			path = line + strlen(second);
		else if (!strncmp(name, systemd, strlen(systemd)))
			path = name + strlen(systemd);
	}
	*size = path ? strcspn(path, "\n") : 0;
	return path;
}

/* @own: command line of this process, which a child has that has not executed its own yet */
static void write_process(FILE *file, int32_t process, const char *command, const char *own)
{
	char *cgroups = tring_proc_text(process, "cgroup", NULL);
	const char *path;
	size_t size = 0;

	if (process == getpid() || strcmp(command, own))
		fprintf(file, "command %d %.*s\n", process, COMMAND_MOST, command);
	path = cgroups ? find_cgroup(cgroups, &size) : NULL;
	if (path)
		fprintf(file, "cgroup %d %.*s\n", process, (int)size, path);
	free(cgroups);
}

/*
 * A thread of the kernel has no command line, and is where it was made: asking for more of each
 * than a name that is wanted would take most of the time.
 */
static void take_process(struct tring_names *names, FILE *file, int32_t process, const char *own)
{
	char *command = file ? tring_proc_command(process) : NULL;
	int32_t *threads = NULL;
	size_t count = names || command ? tring_proc_list(process, &threads) : 0, i;

	if (command)
		write_process(file, process, command, own);
	for (i = 0; i < count; i++) {
		if (names)
			add_comm(names, threads[i]);
		if (command && threads[i] != process)
			fprintf(file, "thread %d %d\n", threads[i], process);
	}
	free(threads);
	free(command);
}

/* @names: get the names of all tasks; @file: gets lines of the file "tasks"; NULL for none */
static void take_all(struct tring_names *names, FILE *file)
{
	char *own = tring_proc_command(getpid());
	int32_t *processes;
	size_t count = list_processes(&processes), i;

	for (i = 0; i < count; i++)
		take_process(names, file, processes[i], own ? own : "");
	free(processes);
	free(own);
}

static char *take_tasks(struct tring_names *names)
{
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	if (!file)
		return NULL;
	fputs("snapshot\n", file);
	take_all(names, file);
	if (fclose(file)) {
		free(text);
		text = NULL;
	}
	return text;
}

/**
 * tring_kernel_names - get the names of tasks
 * @names: the names are added to it
 * @tracing: directory of tracefs
 * @tasks: set to what tring_kernel_tasks() would return now; NULL if it is not wanted
 *
 * The names of living tasks come from /proc. tring saves those of the last tasks that have
 * ended. Reports learn more names from sched_switch, if it is among the events. ftrace's own
 * saved_cmdlines is not asked: a name with a newline gives it a line of another pid.
 */
void tring_kernel_names(struct tring_names *names, const char *tracing, char **tasks)
{
	if (tasks)
		*tasks = take_tasks(names);
	else
		take_all(names, NULL);
	add_saved(names, tracing);
}

/**
 * tring_kernel_cmdlines - get the names of tasks, to be saved
 * @tracing: directory of tracefs
 * @tasks: as for tring_kernel_names()
 *
 * Return: lines of pid and name, to free(); NULL without memory.
 */
char *tring_kernel_cmdlines(const char *tracing, char **tasks)
{
	struct tring_names names;
	char *text;

	tring_names_init(&names);
	tring_kernel_names(&names, tracing, tasks);
	text = tring_names_text(&names);
	tring_names_free(&names);
	return text;
}

/**
 * tring_kernel_tasks - get the cgroups and command lines of tasks, to be saved
 *
 * Return: lines as of a trace's file "tasks", to free(); NULL without memory.
 */
char *tring_kernel_tasks(void)
{
	return take_tasks(NULL);
}

/* "NAME SIZE USERS BY STATE ADDRESS" Return: false if it has no address that users may see. */
static bool parse_module(const char *line, char name[MODULE_NAME_MAX], uint64_t *address)
{
	return sscanf(line, "%63s %*s %*s %*s %*s %" SCNx64, name, address) == 2 && *address;
}

static bool has_module(const char *modules, const char *wanted, uint64_t wanted_at)
{
	char name[MODULE_NAME_MAX];
	uint64_t address;

	for (; *modules; modules = next_line(modules))
		if (parse_module(modules, name, &address) && address == wanted_at &&
		    !strcmp(name, wanted))
			return true;
	return false;
}

/**
 * tring_kernel_gone - make symbols of the modules that have gone
 * @before: content of /proc/modules
 * @after: the same, later
 *
 * Without them an address in such a module would be one of the function before it.
 *
 * Return: lines as of kallsyms, to free().
 */
char *tring_kernel_gone(const char *before, const char *after)
{
	char *text = tring_format("%s", ""), name[MODULE_NAME_MAX];
	uint64_t address;

	for (; *before; before = next_line(before))
		if (parse_module(before, name, &address) && !has_module(after, name, address))
			tring_extend(&text, "%016" PRIx64 " t unloaded\t[%s]\n", address, name);
	return text;
}

/**
 * tring_event_shows_symbol - check whether printing an event needs symbols
 * @event: the event
 *
 * Return: true if the print format shows an address as a symbol, with %ps for example; or if it
 * is of a probe, whose address tring report tells so.
 */
bool tring_event_shows_symbol(const struct tring_event *event)
{
	const char *at = event->text;

	while ((at = strstr(at, "%p"))) {
		at += 2;
		if (*at && strchr("sSfFB", *at))
			return true;
	}
	return strstr(event->text, " __probe_");
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
		unsigned int id = events->list[i]->id;

		if (ids && !ids[id])
			continue;
		if (tring_event_shows_symbol(events->list[i]))
			return true;
	}
	return false;
}
