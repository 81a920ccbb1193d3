// SPDX-License-Identifier: GPL-2.0
/*
 * The cgroups whose tasks a ring records: the list of set_event_cgroup.
 *
 * A probe asks the kernel's own structures at each event: which cgroup of version 2 the task is
 * in, and whether that is a listed one or below it. Each cgroup has an array of those above it,
 * so this takes one comparison for each listed one. A task that is moved, and a child, is
 * right from the kernel's own step on, and a move costs nothing.
 *
 * Concurrency. Probes read in any context, NMI included, without a lock.
 *  - A list is complete when it is published, and does not change. Another one takes its place,
 *    and a grace period later it is freed. Probes run with preemption disabled.
 *  - A listed cgroup is referenced, so its memory stays when its directory is removed. No task
 *    is in it any more then.
 *  - The kernel frees a css_set, and the cgroups that it refers to, a grace period after the
 *    last task has left it.
 */

#include <linux/cgroup.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/limits.h>
#include <linux/nsproxy.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "cgroups.h"
#include "event.h"

#if TRING_HAS_CGROUPS

/**
 * struct tring_cgroups - a list of cgroups
 * @count: number of them, not 0
 * @list: the cgroups, each with a reference
 */
struct tring_cgroups {
	unsigned int	count;
	struct cgroup	*list[];
};

/**
 * tring_cgroups_test - test whether a task is in a list
 * @cgroups: the list
 * @task: a task that cannot be freed meanwhile
 *
 * Context: any, preemption disabled.
 */
bool tring_cgroups_test(const struct tring_cgroups *cgroups, const struct task_struct *task)
{
	/* Not task_css_set(), which calls lockdep, where there may be probes. */
	struct cgroup *own = rcu_dereference_raw(task->cgroups)->dfl_cgrp;
	unsigned int i;

	for (i = 0; i < cgroups->count; i++)
		if (cgroup_is_descendant(own, cgroups->list[i]))
			return true;
	return false;
}
NOKPROBE_SYMBOL(tring_cgroups_test);

/* By its path in the caller's cgroup namespace, or by its number. */
static struct cgroup *get_cgroup(const char *text)
{
	u64 id;

	if (*text == '/')
		return cgroup_get_from_path(text);
	if (kstrtou64(text, 10, &id))
		return ERR_PTR(-EINVAL);
	return cgroup_get_from_id(id);
}

static int add_cgroup(struct tring_cgroups *cgroups, const char *text)
{
	struct cgroup *cgroup = get_cgroup(text);

	if (IS_ERR(cgroup))
		return PTR_ERR(cgroup);
	if (cgroups->count == TRING_CGROUPS_MAX) {
		cgroup_put(cgroup);
		return -ENOSPC;
	}
	cgroups->list[cgroups->count++] = cgroup;
	return 0;
}

/**
 * tring_cgroups_free - free a list
 * @cgroups: list that no probe reads; may be NULL
 *
 * Context: process, may sleep.
 */
void tring_cgroups_free(struct tring_cgroups *cgroups)
{
	while (cgroups && cgroups->count)
		cgroup_put(cgroups->list[--cgroups->count]);
	kfree(cgroups);
}

/* Return: the list of a text, NULL if that has none; or an ERR_PTR(). */
static struct tring_cgroups *read_list(const char *text)
{
	char *copy = kstrdup(text, GFP_KERNEL), *rest = copy, *line;
	struct tring_cgroups *cgroups;
	int err = 0;

	cgroups = kzalloc(struct_size(cgroups, list, TRING_CGROUPS_MAX), GFP_KERNEL);
	if (!copy || !cgroups)
		err = -ENOMEM;
	while (!err && (line = strsep(&rest, "\n")))
		if (*line)
			err = add_cgroup(cgroups, line);
	kfree(copy);
	if (!err && cgroups->count)
		return cgroups;
	tring_cgroups_free(cgroups);
	return ERR_PTR(err);
}

/**
 * tring_cgroups_set - choose the cgroups whose tasks are recorded
 * @set: events of a ring
 * @text: paths or numbers of cgroups, one a line; none: all tasks are recorded
 *
 * When this returns, nothing records an event by the list of before.
 *
 * Context: process, may sleep.
 * Return: 0; -EINVAL for a line that is neither path nor number; -ENOENT if there is no such
 * cgroup, -ENOTDIR if it is a file of one; -ENOSPC for more than TRING_CGROUPS_MAX; -ENOMEM.
 * After an error nothing has changed.
 */
int tring_cgroups_set(struct tring_event_set *set, const char *text)
{
	struct tring_cgroups *cgroups = read_list(text), *old;
	struct tring_tasks *tasks = &set->tasks;

	if (IS_ERR(cgroups))
		return PTR_ERR(cgroups);
	mutex_lock(&tasks->mutex);
	old = tasks->cgroups;
	/* Probes may use it from here on. */
	smp_store_release(&tasks->cgroups, cgroups);
	tring_tasks_update_test(set);
	mutex_unlock(&tasks->mutex);
	synchronize_rcu();
	tring_cgroups_free(old);
	return 0;
}

/**
 * tring_cgroups_show - print the list
 * @m: output: a path a line, in the reader's cgroup namespace, as in /proc/PID/cgroup
 * @set: events of a ring
 *
 * Context: process, may sleep.
 * Return: 0, -ENOMEM, or -ENAMETOOLONG for a path longer than PATH_MAX.
 */
int tring_cgroups_show(struct seq_file *m, struct tring_event_set *set)
{
	char *path = kmalloc(PATH_MAX, GFP_KERNEL);
	const struct tring_cgroups *cgroups;
	int length, err = 0;
	unsigned int i;

	if (!path)
		return -ENOMEM;
	mutex_lock(&set->tasks.mutex);
	cgroups = set->tasks.cgroups;
	for (i = 0; cgroups && !err && i < cgroups->count; i++) {
		struct cgroup *cgroup = cgroups->list[i];

		/* Kernels differ in what they return for a path that does not fit. */
		length = cgroup_path_ns(cgroup, path, PATH_MAX, current->nsproxy->cgroup_ns);
		if (length < 0 || length >= PATH_MAX)
			err = -ENAMETOOLONG;
		else
			seq_printf(m, "%s%s\n", path,
				   cgroup->self.flags & CSS_ONLINE ? "" : " (deleted)");
	}
	mutex_unlock(&set->tasks.mutex);
	kfree(path);
	return err;
}

#endif
