// SPDX-License-Identifier: GPL-2.0
/* The tasks of a trace, by pid: a hash table that is half empty. */
#include <stdlib.h>
#include <string.h>

#include "tasks.h"
#include "util/util.h"

#define FIRST_SIZE	256

static struct tring_task **find_place(const struct tring_tasks *tasks, int32_t pid)
{
	size_t at = ((uint32_t)pid * 2654435761u) & (tasks->size - 1);

	while (tasks->places[at] && tasks->places[at]->pid != pid)
		at = (at + 1) & (tasks->size - 1);
	return &tasks->places[at];
}

static void grow(struct tring_tasks *tasks)
{
	size_t i;

	tasks->size = tasks->size ? 2 * tasks->size : FIRST_SIZE;
	free(tasks->places);
	tasks->places = tring_allocate(tasks->size * sizeof(*tasks->places));
	for (i = 0; i < tasks->count; i++)
		*find_place(tasks, tasks->list[i]->pid) = tasks->list[i];
}

/**
 * tring_tasks_get - get a task
 * @tasks: the tasks, zeroed before the first call
 * @pid: its pid
 *
 * Return: the task, which is new if no task had this pid, or if that has ended.
 */
struct tring_task *tring_tasks_get(struct tring_tasks *tasks, int32_t pid)
{
	struct tring_task **place;

	if (2 * tasks->count >= tasks->size)
		grow(tasks);
	place = find_place(tasks, pid);
	if (!*place || (*place)->state == TRING_TASK_GONE) {
		*place = tring_allocate(sizeof(**place));
		(*place)->pid = pid;
		(*place)->cpu = -1;
		(*place)->number = tasks->count;
		tasks->list = tring_one_more(tasks->list, tasks->count, sizeof(*tasks->list));
		tasks->list[tasks->count++] = *place;
	}
	return *place;
}

/* It has ended; or that was lost, for nothing is known of it since the interval began. */
static bool is_over(const struct tring_task *task, uint64_t first)
{
	return task->state == TRING_TASK_NONE || task->state == TRING_TASK_GONE ||
	       (task->state == TRING_TASK_UNKNOWN && task->since < first);
}

static void free_task(struct tring_task *task)
{
	tring_timing_free(&task->wakeups);
	tring_spans_free(&task->calls);
	free(task->marks);
	free(task->name);
	free(task);
}

/**
 * tring_tasks_reset - begin another interval
 * @tasks: the tasks, whose numbers become 0
 * @first: begin of the interval before
 *
 * Tasks that are over are forgotten, so that there are never more than the machine has. A
 * system call that such a task was in is unknown.
 */
void tring_tasks_reset(struct tring_tasks *tasks, uint64_t first)
{
	size_t count = tasks->count, i;

	tasks->count = 0;
	for (i = 0; i < count; i++) {
		struct tring_task *task = tasks->list[i];

		if (is_over(task, first)) {
			if (task->call.span)
				task->call.span->timing.unknown++;
			while (task->mark_count)
				task->marks[--task->mark_count].span->timing.unknown++;
			free_task(task);
			continue;
		}
		memset(task->times, 0, sizeof(task->times));
		task->switches = 0;
		task->migrations = 0;
		tring_timing_reset(&task->wakeups);
		tring_spans_reset(&task->calls);
		task->waits = (struct tring_waits) { 0 };
		task->number = tasks->count;
		tasks->list[tasks->count++] = task;
	}
	if (tasks->places)
		memset(tasks->places, 0, tasks->size * sizeof(*tasks->places));
	for (i = 0; i < tasks->count; i++)
		*find_place(tasks, tasks->list[i]->pid) = tasks->list[i];
}

/**
 * tring_tasks_free - free all tasks
 * @tasks: the tasks
 */
void tring_tasks_free(struct tring_tasks *tasks)
{
	size_t i;

	for (i = 0; i < tasks->count; i++)
		free_task(tasks->list[i]);
	free(tasks->list);
	free(tasks->places);
}
