// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The cgroups of tasks, and their command lines. A recording takes a snapshot of both at its begin
 * and one at its end. Between them a child begins in its parent's cgroup, and cgroup_attach_task
 * tells of moves. A trace with this event tells the cgroup at each time; without it what the end
 * has found is the better guess, for services are moved when they begin.
 */
#include <limits.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "cgroups.h"
#include "fields.h"
#include "util/util.h"

/* The number of the second version's hierarchy. */
#define SECOND_VERSION	0

/**
 * struct tring_move - the fields of an event that changes a task's cgroup, or its command line
 * @pid: the task
 * @parent: of a fork, its parent, whose cgroup it gets
 * @hierarchy: of a move, the hierarchy
 * @path: of a move, the cgroup; NULL, as @parent, of an exec
 */
struct tring_move {
	const struct tring_field *pid;
	const struct tring_field *parent;
	const struct tring_field *hierarchy;
	const struct tring_field *path;
};

struct cgroup {
	char		*path;
	char		*unit;
};

struct snapshot {
	const struct cgroup *cgroup;
	char		*command;
};

/**
 * struct task - a task
 * @pid: its pid
 * @process: of a thread, its process, which has the rest; else 0
 * @begin: the first snapshot
 * @end: the last snapshot, if there are several
 * @now: the cgroup of @begin, or what events have made of it
 * @is_new: it has begun, or executed a program, since the first snapshot
 */
struct task {
	int32_t		pid;
	int32_t		process;
	struct snapshot	begin;
	struct snapshot	end;
	const struct cgroup *now;
	bool		is_new;
};

static int compare_paths(const void *left, const void *right)
{
	const struct cgroup *a = left, *b = right;

	return strcmp(a->path, b->path);
}

static int compare_tasks(const void *left, const void *right)
{
	const struct task *a = left, *b = right;

	return (a->pid > b->pid) - (a->pid < b->pid);
}

/* Return: whether systemd gives such a unit a cgroup, but for slices, which have others in them. */
static bool is_unit(const char *name)
{
	static const char * const tails[] = { ".service", ".scope", ".socket", ".mount", ".swap" };
	const char *tail = strrchr(name, '.');
	size_t i;

	for (i = 0; tail && tail > name && i < sizeof(tails) / sizeof(tails[0]); i++)
		if (!strcmp(tail, tails[i]))
			return true;
	return false;
}

/* Return: the innermost unit of systemd that a path has, to free(); NULL if there is none. */
static char *find_unit(const char *path)
{
	char *copy = tring_format("%s", path), *unit = NULL, *name;

	while (!unit && (name = strrchr(copy, '/'))) {
		if (is_unit(name + 1))
			unit = tring_format("%s", name + 1);
		*name = 0;
	}
	free(copy);
	return unit;
}

/* Return: what is in the tree, or is now. A tree without memory ends the program, as elsewhere. */
static void *find_or_add(void **tree, const void *wanted, size_t size,
			 int (*compare)(const void *left, const void *right), bool *is_new)
{
	void **found = tfind(wanted, tree, compare), *added;

	*is_new = !found;
	if (found)
		return *found;
	added = tring_allocate(size);
	memcpy(added, wanted, size);
	if (!tsearch(added, tree, compare))
		abort();
	return added;
}

static const struct cgroup *get_cgroup(struct tring_cgroups *cgroups, const char *path, size_t size)
{
	struct cgroup wanted = { .path = tring_format("%.*s", (int)size, path) }, *cgroup;
	bool is_new;

	cgroup = find_or_add(&cgroups->paths, &wanted, sizeof(wanted), compare_paths, &is_new);
	if (is_new)
		cgroup->unit = find_unit(cgroup->path);
	else
		free(wanted.path);
	return cgroup;
}

static struct task *get_task(struct tring_cgroups *cgroups, int32_t pid)
{
	struct task wanted = { .pid = pid };
	bool is_new;

	return find_or_add(&cgroups->tasks, &wanted, sizeof(wanted), compare_tasks, &is_new);
}

static struct task *find_task(const struct tring_cgroups *cgroups, int32_t pid)
{
	struct task wanted = { .pid = pid }, **found;

	found = tfind(&wanted, &cgroups->tasks, compare_tasks);
	return found ? *found : NULL;
}

static const struct cgroup *own_cgroup(const struct tring_cgroups *cgroups, const struct task *task)
{
	const struct cgroup *first, *second;

	first = cgroups->follows ? task->now : task->end.cgroup;
	second = cgroups->follows ? task->end.cgroup : task->now;
	return first ? first : second;
}

/* A thread has its process' cgroup if it has got none of its own. */
static const struct cgroup *find_cgroup(const struct tring_cgroups *cgroups, int32_t pid)
{
	const struct task *task = find_task(cgroups, pid);
	const struct cgroup *cgroup = task ? own_cgroup(cgroups, task) : NULL;

	if (cgroup || !task || !task->process)
		return cgroup;
	task = find_task(cgroups, task->process);
	return task ? own_cgroup(cgroups, task) : NULL;
}

static const char *find_command(const struct tring_cgroups *cgroups, int32_t pid)
{
	const struct task *task = find_task(cgroups, pid);

	if (task && task->process)
		task = find_task(cgroups, task->process);
	if (!task)
		return NULL;
	return task->end.command || task->is_new ? task->end.command : task->begin.command;
}

static bool parse_pid(const char *text, int32_t *pid)
{
	uint64_t number;

	if (!tring_parse_number(text, &number) || !number || number > INT_MAX)
		return false;
	*pid = number;
	return true;
}

/**
 * tring_cgroups_line - take a line of a trace's file "tasks"
 * @cgroups: what is known of tasks
 * @line: the line, which is overwritten
 *
 * Return: false if the line is damaged.
 */
bool tring_cgroups_line(struct tring_cgroups *cgroups, char *line)
{
	struct snapshot *snapshot;
	char *word, *number;
	struct task *task;
	int32_t pid;

	if (!strcmp(line, "snapshot")) {
		cgroups->snapshots++;
		return true;
	}
	word = strsep(&line, " ");
	number = strsep(&line, " ");
	if (!line || !parse_pid(number, &pid) || !cgroups->snapshots)
		return false;
	task = get_task(cgroups, pid);
	snapshot = cgroups->snapshots > 1 ? &task->end : &task->begin;
	if (!strcmp(word, "cgroup") && *line == '/') {
		snapshot->cgroup = get_cgroup(cgroups, line, strlen(line));
		task->now = task->begin.cgroup;
	} else if (!strcmp(word, "command")) {
		free(snapshot->command);
		snapshot->command = tring_format("%s", line);
	} else {
		return !strcmp(word, "thread") && parse_pid(line, &task->process);
	}
	return true;
}

/**
 * tring_move_prepare - find what an event tells of cgroups
 * @event: the event, with its fields
 * @system: the event's system
 *
 * Return: to free(); NULL if it tells nothing.
 */
struct tring_move *tring_move_prepare(const struct tring_event *event, const char *system)
{
	struct tring_move move = { 0 }, *made;
	bool tells = false;

	if (!strcmp(system, "sched") && !strcmp(event->name, "sched_process_fork")) {
		move.pid = tring_find_number(event, "child_pid");
		move.parent = tring_find_number(event, "parent_pid");
		tells = move.parent;
	} else if (!strcmp(system, "sched") && !strcmp(event->name, "sched_process_exec")) {
		move.pid = tring_find_number(event, "pid");
		tells = true;
	} else if (!strcmp(system, "cgroup") && !strcmp(event->name, "cgroup_attach_task")) {
		move.pid = tring_find_number(event, "pid");
		move.hierarchy = tring_find_number(event, "dst_root");
		move.path = tring_find_field(event, "dst_path");
		tells = move.hierarchy && move.path && move.path->kind == TRING_FIELD_TEXT;
	}
	if (!tells || !move.pid)
		return NULL;
	made = tring_allocate(sizeof(*made));
	*made = move;
	return made;
}

/* A thread that the end has found goes where its process goes. */
static void take_fork(struct tring_cgroups *cgroups, int32_t child, int32_t parent)
{
	const struct cgroup *cgroup = find_cgroup(cgroups, parent);
	struct task *task = get_task(cgroups, child);

	task->is_new = true;
	task->now = task->process ? NULL : cgroup;
}

static void take_move(struct tring_cgroups *cgroups, int32_t pid, const struct tring_move *move,
		      const struct tring_record *record, bool big_endian)
{
	uint32_t size, start = tring_field_find(move->path, record, big_endian, &size);
	const char *path = (const char *)record->payload + start;

	if (start < TRING_PAYLOAD_HEAD)
		return;
	size = strnlen(path, record->length - start);
	if (size && *path == '/' &&
	    tring_field_load(move->hierarchy, record->payload, big_endian) == SECOND_VERSION)
		get_task(cgroups, pid)->now = get_cgroup(cgroups, path, size);
}

/**
 * tring_cgroups_move - take what an event tells of a task's cgroup or command line
 * @cgroups: what is known of tasks
 * @move: the event's fields
 * @record: a record that has all fields of its event
 * @big_endian: byte order
 */
void tring_cgroups_move(struct tring_cgroups *cgroups, const struct tring_move *move,
			const struct tring_record *record, bool big_endian)
{
	int64_t pid = tring_field_load(move->pid, record->payload, big_endian);

	if (pid <= 0 || pid > INT_MAX)
		return;
	if (move->parent)
		take_fork(cgroups, pid,
			  tring_field_load(move->parent, record->payload, big_endian));
	else if (move->path)
		take_move(cgroups, pid, move, record, big_endian);
	else
		get_task(cgroups, pid)->is_new = true;
}

/**
 * tring_cgroups_find - find what is known of a task
 * @cgroups: what is known of tasks
 * @pid: the task's pid
 * @what: "cgroup", "unit" or "command"
 *
 * Return: the text, valid as long as @cgroups; NULL if it is not known.
 */
const char *tring_cgroups_find(const struct tring_cgroups *cgroups, int32_t pid, const char *what)
{
	const struct cgroup *cgroup;

	if (!strcmp(what, "command"))
		return find_command(cgroups, pid);
	cgroup = find_cgroup(cgroups, pid);
	if (!cgroup)
		return NULL;
	return strcmp(what, "unit") ? cgroup->path : cgroup->unit;
}

static void reset_task(const void *node, VISIT visit, void *closure)
{
	struct task *task = *(struct task *const *)node;

	(void)visit;
	(void)closure;
	task->now = task->begin.cgroup;
	task->is_new = false;
}

/**
 * tring_cgroups_reset - forget what events have told, because they are read again
 * @cgroups: what is known of tasks; or NULL
 */
void tring_cgroups_reset(struct tring_cgroups *cgroups)
{
	if (cgroups)
		twalk_r(cgroups->tasks, reset_task, NULL);
}

static void free_task(void *item)
{
	struct task *task = item;

	free(task->begin.command);
	free(task->end.command);
	free(task);
}

static void free_cgroup(void *item)
{
	struct cgroup *cgroup = item;

	free(cgroup->path);
	free(cgroup->unit);
	free(cgroup);
}

/**
 * tring_cgroups_free - free what is known of tasks
 * @cgroups: allocated; or NULL
 */
void tring_cgroups_free(struct tring_cgroups *cgroups)
{
	if (!cgroups)
		return;
	tdestroy(cgroups->tasks, free_task);
	tdestroy(cgroups->paths, free_cgroup);
	free(cgroups);
}
