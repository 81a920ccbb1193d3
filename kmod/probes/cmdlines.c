// SPDX-License-Identifier: GPL-2.0
/*
 * saved_cmdlines: the names of tasks that have ended. A record has a pid only. A reader finds
 * the names of living tasks in /proc, and the others here.
 *
 * ftrace saves a name when it records an event of the task. tring saves it when the task ends,
 * so that events cost nothing for it. The list has the last SAVED tasks that ended.
 */
#include <linux/bits.h>
#include <linux/err.h>
#include <linux/init.h>
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>

#include "cmdlines.h"
#include "compat.h"
#include "event.h"

#define SAVED	BIT(13)

struct saved_name {
	pid_t	pid;
	char	comm[TASK_COMM_LEN];
};

static DEFINE_RAW_SPINLOCK(saved_lock);		/* protects the variables below */
static struct saved_name saved_names[SAVED];
static unsigned long saved_count;		/* number of names that were ever saved */

static struct tracepoint *exit_event;

/*
 * Probe of sched_process_exit. Tasks end in no interrupt, so none waits for the lock. Interrupts
 * are off all the same: where the kernel is preemptible, plain unlocking is a function of this
 * module that may have a kprobe.
 */
static TRING_PROBE void save_name(TRING_EXIT_EVENT_ARGS)
{
	struct saved_name *name;
	unsigned long flags;

	preempt_disable_notrace();
	raw_spin_lock_irqsave(&saved_lock, flags);
	name = &saved_names[saved_count++ % SAVED];
	name->pid = task->pid;
	memcpy(name->comm, task->comm, TASK_COMM_LEN);
	raw_spin_unlock_irqrestore(&saved_lock, flags);
	preempt_enable_notrace();
}

/**
 * tring_cmdlines_show - print the names of the tasks that have ended
 * @m: output: a line "PID NAME" for each, as ftrace's; the last one that ended comes first
 *
 * Context: process, may sleep.
 */
void tring_cmdlines_show(struct seq_file *m)
{
	unsigned long count, i;
	struct saved_name name;

	raw_spin_lock(&saved_lock);
	count = saved_count;
	raw_spin_unlock(&saved_lock);
	for (i = 1; i <= min(count, SAVED); i++) {
		/* A task that ends meanwhile takes the place of the oldest one. */
		raw_spin_lock(&saved_lock);
		name = saved_names[(count - i) % SAVED];
		raw_spin_unlock(&saved_lock);
		seq_printf(m, "%d %.*s\n", name.pid, TASK_COMM_LEN, name.comm);
	}
}

/**
 * tring_cmdlines_init - begin to save names
 *
 * Context: process, may sleep.
 * Return: 0, or a negative errno.
 */
int __init tring_cmdlines_init(void)
{
	struct trace_event_file *file = tring_get_event_file("sched", "sched_process_exit");

	/* A kernel may keep its events from modules: see compat.h. */
	if (IS_ERR(file))
		return 0;
	/* It is part of the kernel, so it stays. */
	exit_event = file->event_call->tp;
	tring_put_event_file(file);
	return tracepoint_probe_register(exit_event, save_name, NULL);
}

/**
 * tring_cmdlines_exit - undo tring_cmdlines_init()
 *
 * Context: process, may sleep.
 */
void tring_cmdlines_exit(void)
{
	if (!exit_event)
		return;
	tracepoint_probe_unregister(exit_event, save_name, NULL);
	tring_synchronize_probes();
}
