// SPDX-License-Identifier: GPL-2.0
/*
 * The cost of an event while several CPUs write: a thread on each CPU adds events to the
 * same ring for a fixed time.
 *
 * Time is that of the TSC, on the thread's own CPU. If there are more virtual CPUs than
 * the host has CPUs, the figures say more about the host than about the ring.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timex.h>

#include <asm/msr.h>
#include <asm/tsc.h>

#include "bench.h"

#define DURATION_MS	200
/* Events between two reads of the clock, and before the first. */
#define BATCH		1000
#define WARM_UP		100000

/**
 * struct bench_writer - a thread that adds events on its CPU
 * @task: the thread
 * @op: operation that the thread repeats
 * @ready: completed when the thread has warmed up
 * @start: completed when the thread may begin
 * @done: completed when the thread has added all events
 * @begin: clock before the first event
 * @end: clock after the last event
 * @events: number of events in between
 */
struct bench_writer {
	struct task_struct	*task;
	const struct bench_op	*op;
	struct completion	ready;
	struct completion	*start;
	struct completion	done;
	u64			begin;
	u64			end;
	u64			events;
};

static int add_events(void *data)
{
	struct bench_writer *writer = data;
	u64 duration = (u64)tsc_khz * DURATION_MS;

	writer->op->batch(WARM_UP);
	complete(&writer->ready);
	wait_for_completion(writer->start);

	writer->begin = rdtsc();
	do {
		writer->op->batch(BATCH);
		writer->events += BATCH;
		cond_resched();
		writer->end = rdtsc();
	} while (writer->end - writer->begin < duration);

	complete(&writer->done);
	/* kthread_stop() waits for the thread, so that the module can be unloaded. */
	for (;;) {
		set_current_state(TASK_INTERRUPTIBLE);
		if (kthread_should_stop())
			break;
		schedule();
	}
	__set_current_state(TASK_RUNNING);
	return 0;
}

static int start_writers(struct bench_writer *writers, unsigned int count)
{
	unsigned int cpu, i = 0;

	for_each_online_cpu(cpu) {
		struct bench_writer *writer = &writers[i];

		if (i == count)
			break;
		writer->task = kthread_create(add_events, writer, "tring_bench/%u", cpu);
		if (IS_ERR(writer->task))
			return PTR_ERR(writer->task);
		kthread_bind(writer->task, cpu);
		wake_up_process(writer->task);
		wait_for_completion(&writer->ready);
		i++;
	}
	return i == count ? 0 : -EINVAL;
}

static void say_writers(const char *tracer, enum tring_clock clock,
			const struct bench_writer *writers, unsigned int count)
{
	u64 events = 0, ticks = 0, least = U64_MAX, most = 0;
	unsigned int i;

	for (i = 0; i < count; i++) {
		ticks += writers[i].end - writers[i].begin;
		events += writers[i].events;
		least = min(least, writers[i].events);
		most = max(most, writers[i].events);
	}
	bench_say("scale tracer=%s what=%s clock=%s cpus=%u khz=%u events=%llu", tracer,
		  writers->op->what, tring_name_of_clock(clock), count, tsc_khz, events);
	bench_say_mean("mean", ticks, events);
	/* The largest share of a CPU, relative to an equal share. */
	bench_say_mean("least", least * count, events);
	bench_say_mean("most", most * count, events);
	bench_say("\n");
}

static int scale_ring(struct bench_ring *ring, const struct bench_op *op,
		      enum tring_clock clock, unsigned int count)
{
	struct bench_writer *writers;
	struct completion start;
	u64 events = 0;
	unsigned int i;
	int err, finished;

	writers = kcalloc(count, sizeof(*writers), GFP_KERNEL);
	if (!writers)
		return -ENOMEM;
	err = ring->prepare(clock, true, BENCH_RING_BYTES);
	if (err) {
		kfree(writers);
		return err;
	}
	init_completion(&start);
	for (i = 0; i < count; i++) {
		writers[i].op = op;
		writers[i].start = &start;
		init_completion(&writers[i].ready);
		init_completion(&writers[i].done);
	}
	err = start_writers(writers, count);
	complete_all(&start);
	for (i = 0; i < count && !IS_ERR_OR_NULL(writers[i].task); i++) {
		wait_for_completion(&writers[i].done);
		kthread_stop(writers[i].task);
		events += WARM_UP + writers[i].events;
	}
	if (!err)
		say_writers(ring->name, clock, writers, count);
	finished = ring->finish(events, events);
	kfree(writers);
	return err ?: finished;
}

/**
 * bench_scale - measure 16-byte events while several CPUs write
 * @rings: list of struct bench_ring
 * @clock: clock of all rings
 * @count: number of CPUs
 *
 * Context: task, may sleep. One caller at a time.
 * Return: 0; -EINVAL if there are not so many CPUs; -ENOMEM; -EUCLEAN if counters do
 * not balance.
 */
int bench_scale(struct list_head *rings, enum tring_clock clock, unsigned int count)
{
	const struct bench_op *op;
	struct bench_ring *ring;
	int err;

	list_for_each_entry(ring, rings, list) {
		for (op = ring->ops; strcmp(op->what, "write_16"); op++)
			;
		err = scale_ring(ring, op, clock, count);
		if (err) {
			pr_err("%s, %u CPUs: error %d\n", ring->name, count, err);
			return err;
		}
	}
	return 0;
}
