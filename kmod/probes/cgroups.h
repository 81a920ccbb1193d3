/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The cgroups whose tasks a ring records. See cgroups.c.
 */
#ifndef _TRING_CGROUPS_H
#define _TRING_CGROUPS_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "compat.h"
#include "tasks.h"

struct seq_file;
struct task_struct;
struct tring_cgroups;
struct tring_event_set;

/* A probe compares its task with each one. */
#define TRING_CGROUPS_MAX	64

#if TRING_HAS_CGROUPS
/* cgroups.c APIs: */
bool tring_cgroups_test(const struct tring_cgroups *cgroups, const struct task_struct *task);
int tring_cgroups_set(struct tring_event_set *set, const char *text);
int tring_cgroups_show(struct seq_file *m, struct tring_event_set *set);
void tring_cgroups_free(struct tring_cgroups *cgroups);

/**
 * tring_cgroups_have - test whether a task is in one of the cgroups
 * @tasks: of a ring
 * @task: a task that cannot be freed meanwhile
 *
 * Context: any, preemption disabled.
 * Return: true if it is, or if there is no list.
 */
static __always_inline bool tring_cgroups_have(const struct tring_tasks *tasks,
					       const struct task_struct *task)
{
	const struct tring_cgroups *cgroups = READ_ONCE(tasks->cgroups);

	return !cgroups || tring_cgroups_test(cgroups, task);
}
#else
static inline bool tring_cgroups_have(const struct tring_tasks *tasks,
				      const struct task_struct *task)
{
	return true;
}

static inline void tring_cgroups_free(struct tring_cgroups *cgroups)
{
}
#endif

#endif /* _TRING_CGROUPS_H */
