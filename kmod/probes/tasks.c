// SPDX-License-Identifier: GPL-2.0
/*
 * Which tasks a ring records: the lists of set_event_pid and set_event_notrace_pid, and
 * the children of the tasks in them. cgroups.c has set_event_cgroup, which is asked besides.
 *
 * A bit for each possible pid says whether its events are wanted. A probe tests the bit
 * of current, and only if there is a list. ftrace computes the same at each task switch
 * and keeps it for each CPU; here a switch costs nothing, and neither does a wake-up.
 *
 * Concurrency. Probes read the bits in any context, NMI included, without a lock.
 *  - A bit is a word of its own kind: a probe sees it as it was before a change or after
 *    it. No other memory depends on it, so the accesses need no order.
 *  - Bits change under task_map::lock with interrupts off: by a user's write, by a fork,
 *    and by a task that is freed. What they change is computed from the lists under the
 *    same lock. No NMI takes it.
 *  - The map lives longer than its readers, which look at the pointer first. It is complete
 *    when it is published, and is freed a grace period after it was taken away. All probes run
 *    with preemption disabled.
 *
 * A pid may be given to another task before the last task that had it is freed, which is a
 * grace period after its end. A child with such a pid would be taken off the list. Pids
 * are given in turn, so all others have been given in that time. ftrace has the same gap.
 */

#include <linux/bitmap.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/threads.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>
#include <linux/vmalloc.h>

#include "cgroups.h"
#include "event.h"
#include "events.h"
#include "tasks.h"

#define PID_WORDS	BITS_TO_LONGS(PID_MAX_LIMIT)
/* Words that are computed with interrupts off. */
#define WORDS_AT_ONCE	256
/* Longer than any number. */
#define NUMBER_MAX	24

/**
 * struct tring_task_map - lists of pids, a bit for each
 * @wanted: the tasks whose events are recorded; from @pids
 * @pids: the lists; no bit is set in a list that is not in use
 * @in_use: the list has been written; an empty list in use matches no task
 * @lock: protects the members above
 */
struct tring_task_map {
	unsigned long	wanted[PID_WORDS];
	unsigned long	pids[TRING_TASK_LISTS][PID_WORDS];
	bool		in_use[TRING_TASK_LISTS];
	raw_spinlock_t	lock;		/* see above */
};

static void update_word(struct tring_task_map *map, size_t word)
{
	unsigned long wanted = ~0UL;

	lockdep_assert_held(&map->lock);
	if (map->in_use[TRING_TASKS_TRACED])
		wanted = READ_ONCE(map->pids[TRING_TASKS_TRACED][word]);
	/* A list that ends is emptied without the lock, and then all words are computed. */
	wanted &= ~READ_ONCE(map->pids[TRING_TASKS_UNTRACED][word]);
	WRITE_ONCE(map->wanted[word], wanted);
}

static void update_map(struct tring_task_map *map)
{
	unsigned long flags;
	size_t word, end;

	for (word = 0; word < PID_WORDS;) {
		end = min_t(size_t, word + WORDS_AT_ONCE, PID_WORDS);
		raw_spin_lock_irqsave(&map->lock, flags);
		for (; word < end; word++)
			update_word(map, word);
		raw_spin_unlock_irqrestore(&map->lock, flags);
	}
}

/* A list that is not in use takes no pid. */
static void set_pid(struct tring_task_map *map, enum tring_task_list kind, pid_t pid, bool add)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&map->lock, flags);
	if (add && map->in_use[kind])
		set_bit(pid, map->pids[kind]);
	else
		clear_bit(pid, map->pids[kind]);
	update_word(map, BIT_WORD(pid));
	raw_spin_unlock_irqrestore(&map->lock, flags);
}
NOKPROBE_SYMBOL(set_pid);

static void use_list(struct tring_task_map *map, enum tring_task_list kind, bool use)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&map->lock, flags);
	WRITE_ONCE(map->in_use[kind], use);
	raw_spin_unlock_irqrestore(&map->lock, flags);
}

static __always_inline bool is_wanted(const struct tring_tasks *tasks,
				      const struct task_struct *task)
{
	const struct tring_task_map *map = READ_ONCE(tasks->map);

	return (!map || test_bit(task->pid, map->wanted)) && tring_cgroups_have(tasks, task);
}

/**
 * tring_test_event - test whether an event is wanted
 * @event: the event, with TRING_TEST_TASKS in @event->tests
 *
 * See tring_event_wanted().
 *
 * Context: any, preemption disabled.
 */
bool tring_test_event(const struct tring_event *event)
{
	return is_wanted(&event->set->tasks, current);
}
NOKPROBE_SYMBOL(tring_test_event);
TRING_EXPORT(tring_test_event);

/**
 * tring_test_wakeup - tring_test_event() for the wake-up of a task
 * @event: the event
 * @task: the task that is woken
 *
 * As in ftrace: the wake-up is wanted if one of the two tasks is.
 *
 * Context: any, preemption disabled.
 */
bool tring_test_wakeup(const struct tring_event *event, const struct task_struct *task)
{
	const struct tring_tasks *tasks = &event->set->tasks;

	return is_wanted(tasks, current) || is_wanted(tasks, task);
}
NOKPROBE_SYMBOL(tring_test_wakeup);

/**
 * tring_test_switch - tring_test_event() for a task switch
 * @event: the event
 * @prev: the task that ran
 * @next: the task that will run
 *
 * As in ftrace: the switch is wanted if one of the two tasks is to be traced, and not both
 * are to be left out. Of the cgroups, too, one of the two is to be in one.
 *
 * Context: any, preemption disabled.
 */
bool tring_test_switch(const struct tring_event *event, const struct task_struct *prev,
		       const struct task_struct *next)
{
	const struct tring_tasks *tasks = &event->set->tasks;
	const struct tring_task_map *map = READ_ONCE(tasks->map);
	const unsigned long *pids;

	if (!tring_cgroups_have(tasks, prev) && !tring_cgroups_have(tasks, next))
		return false;
	if (!map)
		return true;
	pids = map->pids[TRING_TASKS_TRACED];
	if (READ_ONCE(map->in_use[TRING_TASKS_TRACED]) && !test_bit(prev->pid, pids) &&
	    !test_bit(next->pid, pids))
		return false;
	pids = map->pids[TRING_TASKS_UNTRACED];
	return !test_bit(prev->pid, pids) || !test_bit(next->pid, pids);
}
NOKPROBE_SYMBOL(tring_test_switch);

/**
 * tring_test_task - test whether current is wanted
 * @set: events of a ring, with a bit in @set->tests
 *
 * See tring_task_wanted().
 *
 * Context: any, preemption disabled.
 */
bool tring_test_task(const struct tring_event_set *set)
{
	return is_wanted(&set->tasks, current);
}
NOKPROBE_SYMBOL(tring_test_task);

/* Where a task is in a list, another one comes into it or leaves it, or the task itself. */
static __always_inline void follow_task(const struct tring_tasks *tasks, pid_t listed, pid_t pid,
					bool add)
{
	struct tring_task_map *map;
	int kind;

	preempt_disable_notrace();
	map = READ_ONCE(tasks->map);
	for (kind = 0; map && kind < TRING_TASK_LISTS; kind++)
		if (test_bit(listed, map->pids[kind]))
			set_pid(map, kind, pid, add);
	preempt_enable_notrace();
}

/* Probe of sched_process_fork: a child is in the lists that its parent is in. */
static TRING_PROBE void add_child(void *data, struct task_struct *parent,
				  struct task_struct *child)
{
	follow_task(data, parent->pid, child->pid, true);
}

/* Probe of sched_process_free, the last event of a task. */
static TRING_PROBE void remove_task(void *data, struct task_struct *task)
{
	follow_task(data, task->pid, task->pid, false);
}

/*
 * Takes the next number of a text; @text is moved behind it.
 * Return: 1; 0 if there is none; or -EINVAL.
 */
static int next_pid(const char **text, const char *end, pid_t *pid)
{
	char number[NUMBER_MAX];
	unsigned int value;
	size_t length = 0;
	const char *at = *text;

	/* As in ftrace, a NUL separates, too. */
	while (at < end && (isspace(*at) || !*at))
		at++;
	while (at < end && !isspace(*at) && *at) {
		if (length == sizeof(number) - 1)
			return -EINVAL;
		number[length++] = *at++;
	}
	*text = at;
	if (!length)
		return 0;
	number[length] = '\0';
	/* As in ftrace, it may be octal or hexadecimal. */
	if (kstrtouint(number, 0, &value) || value >= PID_MAX_LIMIT)
		return -EINVAL;
	*pid = value;
	return 1;
}

static struct tring_task_map *create_map(void)
{
	struct tring_task_map *map = vzalloc(sizeof(*map));

	if (map) {
		raw_spin_lock_init(&map->lock);
		update_map(map);
	}
	return map;
}

/* Adds pids to a list in use. */
static void add_pids(struct tring_task_map *map, enum tring_task_list kind, const char *text,
		     const char *end)
{
	pid_t pid;

	while (next_pid(&text, end, &pid) > 0)
		set_pid(map, kind, pid, true);
}

/**
 * tring_tasks_update_test - have probes make the test if there is something to test
 * @set: events of a ring, with tring_tasks::mutex held
 *
 * Context: process, may sleep.
 */
void tring_tasks_update_test(struct tring_event_set *set)
{
	tring_events_set_test(set, TRING_TEST_TASKS, set->tasks.map || set->tasks.cgroups);
}

static void remove_map(struct tring_event_set *set)
{
	struct tring_task_map *map = set->tasks.map;

	WRITE_ONCE(set->tasks.map, NULL);
	tring_tasks_update_test(set);
	/* A CPU that hangs keeps the grace period from its end: nothing waits for that here. */
	kvfree_rcu_mightsleep(map);
}

static void clear_list(struct tring_event_set *set, enum tring_task_list kind)
{
	struct tring_task_map *map = set->tasks.map;
	int other = kind == TRING_TASKS_TRACED ? TRING_TASKS_UNTRACED : TRING_TASKS_TRACED;
	size_t word;

	lockdep_assert_held(&set->tasks.mutex);
	if (!map || !map->in_use[kind])
		return;
	if (!map->in_use[other]) {
		remove_map(set);
		return;
	}
	/* From here on no child comes into the list. */
	use_list(map, kind, false);
	for (word = 0; word < PID_WORDS; word++)
		WRITE_ONCE(map->pids[kind][word], 0);
	update_map(map);
}

/* A list is in use, with its pids, before a probe sees it. */
static int begin_list(struct tring_event_set *set, enum tring_task_list kind, const char *text,
		      const char *end)
{
	struct tring_task_map *map = set->tasks.map, *first = NULL;

	lockdep_assert_held(&set->tasks.mutex);
	if (!map) {
		first = create_map();
		map = first;
	}
	if (!map)
		return -ENOMEM;
	use_list(map, kind, true);
	add_pids(map, kind, text, end);
	update_map(map);
	if (!first)
		return 0;
	/* Probes may use it from here on. */
	smp_store_release(&set->tasks.map, map);
	tring_tasks_update_test(set);
	return 0;
}

/**
 * tring_tasks_add - add pids to a list
 * @set: events of a ring
 * @kind: the list
 * @text: numbers, separated by white space
 * @length: bytes of @text
 *
 * As in ftrace, a list without a pid to which none is added ends: all tasks are traced.
 *
 * Context: process, may sleep.
 * Return: 0; -EINVAL if one of the words is not a number or no pid can be as large, and
 * then nothing has changed; -ENOMEM.
 */
int tring_tasks_add(struct tring_event_set *set, enum tring_task_list kind, const char *text,
		    size_t length)
{
	struct tring_tasks *tasks = &set->tasks;
	const char *at = text, *end = text + length;
	bool is_empty = true;
	int found, err = 0;
	pid_t pid;

	while ((found = next_pid(&at, end, &pid)) > 0)
		is_empty = false;
	if (found)
		return found;

	mutex_lock(&tasks->mutex);
	if (!tasks->map || !tasks->map->in_use[kind]) {
		if (!is_empty)
			err = begin_list(set, kind, text, end);
	} else if (!is_empty) {
		add_pids(tasks->map, kind, text, end);
	} else if (bitmap_empty(tasks->map->pids[kind], PID_MAX_LIMIT)) {
		clear_list(set, kind);
	}
	mutex_unlock(&tasks->mutex);
	return err;
}
TRING_EXPORT(tring_tasks_add);

/**
 * tring_tasks_clear - end a list
 * @set: events of a ring
 * @kind: the list
 *
 * Context: process, may sleep.
 */
void tring_tasks_clear(struct tring_event_set *set, enum tring_task_list kind)
{
	mutex_lock(&set->tasks.mutex);
	clear_list(set, kind);
	mutex_unlock(&set->tasks.mutex);
}

/**
 * tring_tasks_show - print a list
 * @m: output: the pids, one a line, in ascending order
 * @set: events of a ring
 * @kind: the list
 *
 * Context: process, may sleep.
 */
void tring_tasks_show(struct seq_file *m, struct tring_event_set *set,
		      enum tring_task_list kind)
{
	const struct tring_task_map *map;
	unsigned int pid;

	mutex_lock(&set->tasks.mutex);
	map = set->tasks.map;
	if (map) {
		for_each_set_bit(pid, map->pids[kind], PID_MAX_LIMIT)
			seq_printf(m, "%u\n", pid);
	}
	mutex_unlock(&set->tasks.mutex);
}

static int start_following(struct tring_tasks *tasks)
{
	/* Both are part of the kernel. */
	struct trace_event_file *forks = tring_get_event_file("sched", "sched_process_fork");
	struct trace_event_file *frees = tring_get_event_file("sched", "sched_process_free");
	int err = PTR_ERR_OR_ZERO(forks) ?: PTR_ERR_OR_ZERO(frees);

	if (err)
		goto put;
	err = tracepoint_probe_register(frees->event_call->tp, remove_task, tasks);
	if (err)
		goto put;
	err = tracepoint_probe_register(forks->event_call->tp, add_child, tasks);
	if (err)
		goto unregister;
	tasks->frees = frees;
	WRITE_ONCE(tasks->forks, forks);
	return 0;

unregister:
	tracepoint_probe_unregister(frees->event_call->tp, remove_task, tasks);
	tring_synchronize_probes();
put:
	if (!IS_ERR(forks))
		tring_put_event_file(forks);
	if (!IS_ERR(frees))
		tring_put_event_file(frees);
	return err;
}

static void stop_following(struct tring_tasks *tasks)
{
	tracepoint_probe_unregister(tasks->forks->event_call->tp, add_child, tasks);
	tracepoint_probe_unregister(tasks->frees->event_call->tp, remove_task, tasks);
	tring_synchronize_probes();
	tring_put_event_file(tasks->forks);
	tring_put_event_file(tasks->frees);
	WRITE_ONCE(tasks->forks, NULL);
	tasks->frees = NULL;
}

/**
 * tring_tasks_follow_forks - choose whether children are in the lists of their parents
 * @set: events of a ring
 * @on: a child comes into the lists at the fork, and each task leaves them when it is
 *	freed; otherwise the lists stay as they were written
 *
 * Context: process, may sleep.
 * Return: 0, or an error of tracepoint_probe_register().
 */
int tring_tasks_follow_forks(struct tring_event_set *set, bool on)
{
	struct tring_tasks *tasks = &set->tasks;
	int err = 0;

	mutex_lock(&tasks->mutex);
	if (on && !tasks->forks)
		err = start_following(tasks);
	else if (!on && tasks->forks)
		stop_following(tasks);
	mutex_unlock(&tasks->mutex);
	return err;
}

/**
 * tring_tasks_exit - free the lists
 * @set: set without other users, all of whose events are disabled
 *
 * Context: process, may sleep.
 */
void tring_tasks_exit(struct tring_event_set *set)
{
	if (set->tasks.forks)
		stop_following(&set->tasks);
	/* No probe is left. */
	vfree(set->tasks.map);
	tring_cgroups_free(set->tasks.cgroups);
}
