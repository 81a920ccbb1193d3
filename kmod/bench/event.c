// SPDX-License-Identifier: GPL-2.0
/*
 * From the tracepoint to the record: the benchmark's own tracepoint in a loop, calls of its
 * own function in a loop, and sched_switch by two threads that wake each other. The user
 * has enabled the event in one tracer before, or in none. tring's probe for the benchmark's
 * tracepoint is registered here.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/completion.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/list.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>

#include "bench.h"
#include "probes/event.h"
#include "probes/events.h"
#include "probes/filter.h"
#include "trace/events/tring_bench.h"

#define EVENT_ID	77
#define EVENTS		20000
#define WARM_UP		100000
#define WARM_UPS	10
#define SWITCHES	5000
#define ROUNDS		5
/* Pid of init, which does not measure. */
#define OTHER_PID	1

static LIST_HEAD(patterns);
static struct tring_event event;

static noinline void batch_event(unsigned int count)
{
	while (count--)
		trace_tring_bench_event(count, count, count);
}

static noinline void batch_call(unsigned int count)
{
	while (count--)
		bench_function(count);
}

static noinline void batch_nothing(unsigned int count)
{
	while (count--)
		barrier();
}

static void measure_event(const char *what, void (*batch)(unsigned int count),
			  const char *tracer, const char *clock)
{
	unsigned long flags;
	u64 begin, end, empty;
	unsigned int i;

	/* The event asks for its short type, and the sleeps let it have that. */
	for (i = 0; i < WARM_UPS; i++) {
		batch(WARM_UP / WARM_UPS);
		schedule_timeout_uninterruptible(2);
	}
	flags = bench_irq_save();
	begin = rdtsc();
	batch(EVENTS);
	end = rdtsc();
	batch_nothing(EVENTS);
	empty = rdtsc() - end;
	local_irq_restore(flags);
	bench_say("event tracer=%s what=%s clock=%s events=%u", tracer, what, clock,
		  WARM_UP + EVENTS);
	bench_say_mean("mean", end - begin - empty, EVENTS);
	bench_say("\n");
}

/* Puts the event into a set that has a list of pids, or that has none: @pid is negative. */
static int list_pid(pid_t pid)
{
	char text[16];
	int err;

	event.tests = 0;
	event.set = NULL;
	if (pid < 0)
		return 0;
	event.set = tring_events_create(event.buffer);
	if (!event.set)
		return -ENOMEM;
	snprintf(text, sizeof(text), "%d", pid);
	err = tring_tasks_add(event.set, TRING_TASKS_TRACED, text, strlen(text));
	event.tests = event.set->tests;
	return err;
}

/* Puts the event into a set that records the kernel's stacks. */
static int want_stacks(void)
{
	event.set = tring_events_create(event.buffer);
	if (!event.set)
		return -ENOMEM;
	event.enabled = true;
	event.tests = TRING_TEST_FIELDS;
	return tring_stacks_set(event.set, TRING_STACK_KERNEL, true);
}

/* The pid in the list; negative if there is no list. */
static pid_t pid_of(const char *tracer)
{
	if (!strcmp(tracer, "tring-listed"))
		return current->pid;
	return strcmp(tracer, "tring-unlisted") ? -1 : OTHER_PID;
}

/* Gives tring's event a filter, the same as ftrace's event has when ftrace is measured. */
static int use_filter(const char *text)
{
	struct tring_filter *filter;

	/* It says that there is no stack, too. */
	event.set = tring_events_create(event.buffer);
	if (!event.set)
		return -ENOMEM;
	filter = tring_filter_create(event.set, "tring_bench", "tring_bench_event", text);
	if (IS_ERR(filter))
		return PTR_ERR(filter);
	event.filter = filter;
	event.first_filter = filter;
	event.tests |= TRING_TEST_FIELDS;
	return 0;
}

/**
 * bench_event - measure the benchmark's tracepoint
 * @tracer: "tring"; "tring-listed" and "tring-unlisted" with a list of pids; "tring-stack"
 *	with the kernel's stack; "tring-passing" and "tring-failing" with a filter, which lets
 *	the event through or does not; "disabled"; or the tracer that has enabled the event: what
 *	begins as "tring-by-perf" is tring, too
 * @clock: name of the clock; set here for tring
 *
 * Context: task, may sleep.
 * Return: 0, an error of registering the probe, or -EUCLEAN.
 */
int bench_event(const char *tracer, const char *clock)
{
	bool is_wanted = strcmp(tracer, "tring-unlisted") && strcmp(tracer, "tring-failing");
	u64 recorded = is_wanted ? WARM_UP + EVENTS : 0;
	bool stacks = !strcmp(tracer, "tring-stack");
	int err;

	if (strncmp(tracer, "tring", strlen("tring")) ||
	    !strncmp(tracer, "tring-by-perf", strlen("tring-by-perf"))) {
		measure_event("tracepoint", batch_event, tracer, clock);
		return 0;
	}
	err = bench_tring_prepare(clock, &event.buffer);
	if (err)
		return err;
	err = list_pid(pid_of(tracer));
	if (!err && stacks) {
		err = want_stacks();
		recorded *= 2;
	}
	if (err)
		goto finish;
	event.enabled = true;
	if (!strcmp(tracer, "tring-passing"))
		err = use_filter("what < 1000000");
	else if (!strcmp(tracer, "tring-failing"))
		err = use_filter("what == 1000000");
	if (err)
		goto finish;
	tring_buffer_add_event(event.buffer, &event.key, EVENT_ID, event.length, true);
	err = tracepoint_probe_register(&__tracepoint_tring_bench_event, event.probe, &event);
	if (!err) {
		measure_event("tracepoint", batch_event, tracer, clock);
		tracepoint_probe_unregister(&__tracepoint_tring_bench_event, event.probe, &event);
		tring_synchronize_probes();
	}
finish:
	tring_filter_free(event.filter);
	event.filter = NULL;
	event.first_filter = NULL;
	if (event.set)
		tring_events_destroy(event.set);
	return bench_tring.finish(recorded, recorded) ?: err;
}

/**
 * bench_call - measure the call of a function
 * @what: "function" or "function_graph", for the results
 * @tracer: the tracer that records the calls of bench_function(), or "disabled"
 * @clock: name of the clock
 *
 * Context: task.
 */
void bench_call(const char *what, const char *tracer, const char *clock)
{
	measure_event(what, batch_call, tracer, clock);
}

static struct task_struct *timed, *other;
static u64 ticks_of_switches;
static bool running;

static void hand_over(struct task_struct *to)
{
	set_current_state(TASK_UNINTERRUPTIBLE);
	wake_up_process(to);
	schedule();
}

static int run_other(void *done)
{
	while (READ_ONCE(running))
		hand_over(timed);
	complete(done);
	return 0;
}

static int run_timed(void *done)
{
	u64 begin;
	int i;

	hand_over(other);
	begin = rdtsc();
	for (i = 0; i < SWITCHES; i++)
		hand_over(other);
	ticks_of_switches = rdtsc() - begin;
	WRITE_ONCE(running, false);
	wake_up_process(other);
	complete(done);
	return 0;
}

static struct task_struct *create(int (*function)(void *data), void *data)
{
	struct task_struct *task = kthread_create(function, data, "tring_bench");

	if (!IS_ERR(task)) {
		kthread_bind(task, raw_smp_processor_id());
		sched_set_fifo(task);
	}
	return task;
}

/* A turn of the timed thread is two switches and two wake-ups. */
static int time_switches(void)
{
	DECLARE_COMPLETION_ONSTACK(timed_done);
	DECLARE_COMPLETION_ONSTACK(other_done);

	WRITE_ONCE(running, true);
	timed = create(run_timed, &timed_done);
	if (IS_ERR(timed))
		return PTR_ERR(timed);
	other = create(run_other, &other_done);
	if (IS_ERR(other)) {
		kthread_stop(timed);
		return PTR_ERR(other);
	}
	/* The first thread wakes the second. */
	wake_up_process(timed);
	wait_for_completion(&timed_done);
	wait_for_completion(&other_done);
	return 0;
}

/**
 * bench_switch - measure a context switch
 * @tracer: the tracer that has enabled sched_switch, or "disabled"
 * @clock: name of the clock
 *
 * Interrupts have to be on, so the result is the best of several rounds.
 *
 * Context: task, may sleep.
 * Return: 0 or -ENOMEM.
 */
int bench_switch(const char *tracer, const char *clock)
{
	u64 best = U64_MAX;
	int i, err;

	for (i = 0; i < ROUNDS; i++) {
		err = time_switches();
		if (err)
			return err;
		best = min(best, ticks_of_switches);
	}
	bench_say("event tracer=%s what=sched_switch clock=%s events=%u", tracer, clock,
		  2 * SWITCHES);
	bench_say_mean("mean", best, 2 * SWITCHES);
	bench_say("\n");
	return 0;
}

/**
 * bench_event_init - find tring's probe
 */
void __init bench_event_init(void)
{
	tring_list_events_tring_bench(&patterns);
	event = *list_first_entry(&patterns, struct tring_event, list);
}
