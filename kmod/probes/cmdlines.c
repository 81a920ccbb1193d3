// SPDX-License-Identifier: GPL-2.0
/*
 * saved_cmdlines: the names of tasks that have ended. A record has a pid only. A reader finds
 * the names of living tasks in /proc, and the others here.
 *
 * ftrace saves a name when it records an event of the task. tring saves it when the task ends,
 * so that events cost nothing for it. The list has the last SAVED tasks that ended since the
 * first ring got its memory: before that no record has a pid.
 */
#include <linux/bits.h>
#include <linux/err.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mutex.h>
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
#include "ring/ring.h"

#define SAVED	BIT(13)

struct saved_name {
	pid_t	pid;
	char	comm[TASK_COMM_LEN];
};

static DEFINE_RAW_SPINLOCK(saved_lock);		/* protects saved_count and the names */
static unsigned long saved_count;		/* number of names that were ever saved */
static struct saved_name *saved_names;	/* NULL before the first user */

static DEFINE_MUTEX(first_user);		/* protects the pointers */
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
	/* With a name there is memory for it. A text that does not fit is made again. */
	for (i = 1; i <= min(count, SAVED) && !seq_has_overflowed(m); i++) {
		/* A task that ends meanwhile takes the place of the oldest one. */
		raw_spin_lock(&saved_lock);
		name = saved_names[(count - i) % SAVED];
		raw_spin_unlock(&saved_lock);
		/* Behind a newline a name would have a line of another pid. */
		strreplace(name.comm, '\n', '?');
		seq_printf(m, "%d %s\n", name.pid, name.comm);
		cond_resched();
	}
}

static int save_names(void)
{
	struct trace_event_file *file = tring_get_event_file("sched", "sched_process_exit");
	struct tracepoint *tracepoint;
	int err;

	/* A kernel may keep its events from modules: see compat.h. */
	if (IS_ERR(file))
		return 0;
	/* It is part of the kernel, so it stays. */
	tracepoint = file->event_call->tp;
	tring_put_event_file(file);
	if (!saved_names)
		saved_names = kvcalloc(SAVED, sizeof(*saved_names), GFP_KERNEL);
	if (!saved_names)
		return -ENOMEM;
	err = tracepoint_probe_register(tracepoint, save_name, NULL);
	if (!err)
		exit_event = tracepoint;
	return err;
}

/**
 * tring_cmdlines_allocate - tring_buffer_allocate(), and save names from the first time on
 * @buffer: the ring
 *
 * Until then tring is called at no task's end. The names are saved up to the module's exit, as a
 * trace that is read later needs them.
 *
 * Context: process, may sleep.
 * Return: 0, or a negative errno.
 */
int tring_cmdlines_allocate(struct tring_buffer *buffer)
{
	int err = 0;

	mutex_lock(&first_user);
	if (!exit_event)
		err = save_names();
	mutex_unlock(&first_user);
	return err ?: tring_buffer_allocate(buffer);
}
TRING_EXPORT(tring_cmdlines_allocate);

/**
 * tring_cmdlines_exit - save no names any more; nothing records
 *
 * Context: process, may sleep.
 */
void tring_cmdlines_exit(void)
{
	if (exit_event) {
		tracepoint_probe_unregister(exit_event, save_name, NULL);
		tring_synchronize_probes();
	}
	kvfree(saved_names);
}
