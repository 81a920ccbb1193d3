/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which tasks a ring records. See tasks.c.
 */
#ifndef _TRING_TASKS_H
#define _TRING_TASKS_H

#include <linux/mutex.h>
#include <linux/types.h>

struct seq_file;
struct tring_cgroups;
struct tring_event_set;
struct tring_task_map;

/**
 * enum tring_task_list - the lists of pids of a ring
 * @TRING_TASKS_TRACED: events of these tasks only: set_event_pid
 * @TRING_TASKS_UNTRACED: no events of these tasks: set_event_notrace_pid
 * @TRING_TASK_LISTS: number of lists
 */
enum tring_task_list {
	TRING_TASKS_TRACED,
	TRING_TASKS_UNTRACED,
	TRING_TASK_LISTS
};

/**
 * struct tring_tasks - the tasks that a ring records
 * @map: the lists; NULL if there is none
 * @cgroups: the list of cgroups; NULL if there is none
 * @mutex: serialises the users' changes
 * @forks: ftrace's event sched_process_fork while children are followed, else NULL
 * @frees: the same for sched_process_free
 */
struct tring_tasks {
	struct tring_task_map		*map;
	struct tring_cgroups		*cgroups;
	struct mutex			mutex;		/* see above */
	struct trace_event_file		*forks;
	struct trace_event_file		*frees;
};

/* tasks.c APIs: */
void tring_tasks_exit(struct tring_event_set *set);
int tring_tasks_add(struct tring_event_set *set, enum tring_task_list kind, const char *text,
		    size_t length);
void tring_tasks_clear(struct tring_event_set *set, enum tring_task_list kind);
void tring_tasks_update_test(struct tring_event_set *set);
void tring_tasks_show(struct seq_file *m, struct tring_event_set *set,
		      enum tring_task_list kind);
int tring_tasks_follow_forks(struct tring_event_set *set, bool on);

#endif /* _TRING_TASKS_H */
