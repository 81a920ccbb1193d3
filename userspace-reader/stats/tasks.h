/* SPDX-License-Identifier: GPL-2.0 */
/* The tasks of a trace, by pid. */
#ifndef TRING_TASKS_H
#define TRING_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spans.h"

enum tring_task_state {
	/* not seen yet */
	TRING_TASK_NONE,
	TRING_TASK_RUNNING,
	TRING_TASK_WAITING,
	TRING_TASK_BLOCKED,
	TRING_TASK_UNKNOWN,
	/* it has ended */
	TRING_TASK_GONE,
	TRING_TASK_STATES,
};

/* In place of the pid of a waker. */
enum {
	TRING_WAKER_UNKNOWN = -1,
	TRING_WAKER_IRQ = -2,
	TRING_WAKER_SOFTIRQ = -3,
};

/**
 * struct tring_waits - times in which a task did not run, whose begin and end are known
 * @count: their number
 * @unknown: number of those whose begin or end is not known
 * @total: sum in ticks
 * @from: begin of the longest one
 * @to: its end
 * @state: what the task did then
 * @waits: times in which it did not run
 * @calls: its system calls
 * @call: the system call in which it did; NULL if that is unknown
 * @waker: pid of the task that has ended it if it was blocked, that has begun it if it was not;
 *	TRING_WAKER_...
 */
struct tring_waits {
	uint64_t	count;
	uint64_t	unknown;
	uint64_t	total;
	uint64_t	from;
	uint64_t	to;
	enum tring_task_state state;
	const struct tring_span *call;
	int32_t		waker;
};

/**
 * struct tring_task - a task
 * @pid: its pid
 * @number: its place among all tasks
 * @state: what it does
 * @since: timestamp at which it began to
 * @cpu: index of the CPU on which it ran last; -1 if it has not been seen running
 * @woken: it waits because it was woken, not because another task took its CPU
 * @waking: it was woken while it ran
 * @waker: pid of the task that has woken it, of one that waits because of that; else -1
 * @woken_by: the same, but an interrupt is told from the task that it has interrupted
 * @followed: an event has told that it is one of the tasks that were recorded
 * @partial: switches to it may be missing in @switches and @migrations
 * @times: ticks in each state
 * @switches: how often it got a CPU
 * @migrations: how often that was another CPU than the one before
 * @wakeups: times from a wakeup to a CPU
 * @waits: times in which it did not run
 * @calls: its system calls
 * @call: the system call that it is in
 * @call_raw: raw_syscalls' event has told of it
 * @marks: spans that have begun, the outermost one first
 * @mark_count: number of @marks
 * @too_deep: number of spans within these that are not followed
 * @name: what it was called when it ended; NULL before
 * @unit: the unit that it was in then; NULL if that is not known
 * @cgroup: the same of the cgroup
 * @wanted: the user had asked for it then
 */
struct tring_task {
	int32_t		pid;
	size_t		number;
	enum tring_task_state state;
	uint64_t	since;
	int		cpu;
	bool		woken;
	bool		waking;
	int32_t		waker;
	int32_t		woken_by;
	bool		followed;
	bool		partial;
	uint64_t	times[TRING_TASK_STATES];
	uint64_t	switches;
	uint64_t	migrations;
	struct tring_timing wakeups;
	struct tring_waits waits;
	struct tring_spans calls;
	struct tring_open call;
	bool		call_raw;
	struct tring_open *marks;
	size_t		mark_count;
	size_t		too_deep;
	char		*name;
	const char	*unit;
	const char	*cgroup;
	bool		wanted;
};

/**
 * struct tring_tasks - all tasks
 * @list: the tasks, in the order in which they were seen
 * @count: number of @list
 * @places: hash table of @list, by pid; of tasks with the same pid, the last one
 * @size: number of @places, a power of 2
 */
struct tring_tasks {
	struct tring_task **list;
	size_t		count;
	struct tring_task **places;
	size_t		size;
};

struct tring_task *tring_tasks_get(struct tring_tasks *tasks, int32_t pid);
void tring_tasks_reset(struct tring_tasks *tasks, uint64_t first);
void tring_tasks_free(struct tring_tasks *tasks);

#endif /* TRING_TASKS_H */
