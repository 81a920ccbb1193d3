// SPDX-License-Identifier: GPL-2.0
/*
 * Measures a ring: a batch for the mean, and events timed one by one for the spread,
 * both with interrupts off, in a task and in an hrtimer's interrupt.
 *
 * The unit is the tick of the TSC. Under qemu -icount shift=0 that is one guest
 * instruction, and figures repeat to the last digit. Elsewhere it is a cycle of some
 * frequency, and only ratios mean anything.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitops.h>
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/hrtimer.h>
#include <linux/irqflags.h>
#include <linux/math64.h>
#include <linux/printk.h>
#include <linux/sort.h>
#include <linux/timex.h>
#include <linux/vmalloc.h>

#include "bench.h"
#include "compat.h"

/* So many 8-byte events, which take at least 9 bytes, wrap a ring that overwrites. */
#define WARM_UP		150000
#define EVENTS		20000
#define SINGLES		20000
/* After so long a sleep, over 2^27 ticks, the next record needs a full timestamp. */
#define IDLE_MS		200
#define BURST		32
/* Larger rings are not filled before they are measured. */
#define WRAPPED_MAX	SZ_16M

static struct bench_single *singles;
static u32 *sorted;

static void batch_nothing(unsigned int count)
{
	while (count--)
		barrier();
}

static noinline void singles_nothing(struct bench_single *into, unsigned int count)
{
	for (; count; count--, into++) {
		u64 begin = rdtsc();

		barrier();
		into->ticks = rdtsc() - begin;
	}
}

/* Work for an interrupt's context. */
struct job {
	struct hrtimer		timer;
	struct completion	done;
	void			(*run)(struct job *job);
	const struct bench_op	*op;
	unsigned int		count;
	u64			ticks;
};

static u64 time_batch(void (*batch)(unsigned int count), unsigned int count)
{
	u64 begin = rdtsc();

	batch(count);
	return rdtsc() - begin;
}

static void run_batch(struct job *job)
{
	job->ticks = time_batch(job->op->batch, job->count) -
		     time_batch(batch_nothing, job->count);
}

/* Subtracts the ticks of the loop itself, the same in each turn. */
static void run_singles(struct job *job)
{
	unsigned int i, empty;

	singles_nothing(singles, 2);
	empty = singles[1].ticks;
	job->op->singles(singles, job->count);
	for (i = 0; i < job->count; i++)
		singles[i].ticks -= empty;
}

static enum hrtimer_restart run_in_timer(struct hrtimer *timer)
{
	struct job *job = container_of(timer, struct job, timer);

	/* As in bench_irq_save(). */
	if (need_resched()) {
		hrtimer_forward_now(timer, 100 * NSEC_PER_USEC);
		return HRTIMER_RESTART;
	}
	job->run(job);
	complete(&job->done);
	return HRTIMER_NORESTART;
}

static void run_job(struct job *job, bool hardirq, void (*run)(struct job *job))
{
	unsigned long flags;

	job->run = run;
	if (!hardirq) {
		flags = bench_irq_save();
		run(job);
		local_irq_restore(flags);
		return;
	}
	init_completion(&job->done);
	tring_hrtimer_setup_on_stack(&job->timer, run_in_timer, CLOCK_MONOTONIC,
				     HRTIMER_MODE_REL_PINNED_HARD);
	hrtimer_start(&job->timer, 0, HRTIMER_MODE_REL_PINNED_HARD);
	wait_for_completion(&job->done);
	hrtimer_cancel(&job->timer);
	destroy_hrtimer_on_stack(&job->timer);
}

static int compare_u32(const void *a, const void *b)
{
	return *(const u32 *)a < *(const u32 *)b ? -1 : *(const u32 *)a > *(const u32 *)b;
}

/**
 * bench_say_mean - add a mean to the results
 * @key: name of the mean
 * @ticks: sum
 * @count: number of events
 */
void bench_say_mean(const char *key, u64 ticks, unsigned int count)
{
	u64 hundredths = div_u64(ticks * 100 + count / 2, count);

	bench_say(" %s=%llu.%02llu", key, hundredths / 100, hundredths % 100);
}

/* Mean, 99th percentile and worst of the first @count of @sorted. */
static void say_spread(const char *prefix, unsigned int count)
{
	char key[32];
	u64 sum = 0;
	unsigned int i;

	for (i = 0; i < count; i++)
		sum += sorted[i];
	sort(sorted, count, sizeof(*sorted), compare_u32, NULL);
	snprintf(key, sizeof(key), "%smean", prefix);
	bench_say_mean(key, sum, count);
	bench_say(" %sp99=%u %sworst=%u", prefix, sorted[count * 99 / 100], prefix,
		  sorted[count - 1]);
}

/* Events for which the ring went on to another page or sub-buffer. */
static void say_crossings(unsigned int count)
{
	unsigned int i, found = 0;

	for (i = 1; i < count; i++)
		if (singles[i].place != singles[i - 1].place)
			sorted[found++] = singles[i].ticks;
	bench_say(" crossings=%u", found);
	if (found)
		say_spread("crossing_", found);
}

static int measure(struct bench_ring *ring, const struct bench_op *op,
		   enum tring_clock clock, bool overwrite, bool hardirq)
{
	struct job job = { .op = op };
	u64 events = EVENTS + SINGLES;
	unsigned int i, refused = 0;
	int err;

	err = ring->prepare(clock, overwrite, overwrite ? BENCH_RING_BYTES : BENCH_ROOM_BYTES);
	if (err)
		return err;
	bench_say("ring tracer=%s what=%s clock=%s mode=%s context=%s", ring->name, op->what,
		  tring_name_of_clock(clock), overwrite ? "overwrite" : "discard",
		  hardirq ? "hardirq" : "task");
	if (overwrite) {
		op->batch(WARM_UP);
		events += WARM_UP;
	}
	job.count = EVENTS;
	run_job(&job, hardirq, run_batch);
	bench_say_mean("mean", job.ticks, EVENTS);
	job.count = SINGLES;
	run_job(&job, hardirq, run_singles);
	for (i = 0; i < SINGLES; i++) {
		sorted[i] = singles[i].ticks;
		refused += !singles[i].place;
	}
	say_spread("single_", SINGLES);
	if (!op->discards)
		say_crossings(SINGLES);
	bench_say("\n");
	err = ring->finish(events, op->discards ? 0 : events);
	return refused ? -EUCLEAN : err;
}

/* Events in a row after a pause. */
static int measure_burst(struct bench_ring *ring, const struct bench_op *op,
			 enum tring_clock clock, bool overwrite, bool hardirq)
{
	struct job job = { .op = op, .count = BURST };
	unsigned int i, warm_up = overwrite ? WARM_UP : 1;
	int err;

	err = ring->prepare(clock, overwrite, overwrite ? BENCH_RING_BYTES : BENCH_ROOM_BYTES);
	if (err)
		return err;
	op->batch(warm_up);
	msleep(IDLE_MS);
	run_job(&job, hardirq, run_singles);
	for (i = 0; i < BURST; i++)
		sorted[i] = singles[i].ticks;
	bench_say("ring tracer=%s what=burst_of_%u clock=%s mode=%s context=%s first=%u",
		  ring->name, BURST, tring_name_of_clock(clock),
		  overwrite ? "overwrite" : "discard", hardirq ? "hardirq" : "task",
		  singles[0].ticks);
	say_spread("", BURST);
	bench_say("\n");
	return ring->finish(warm_up + BURST, warm_up + BURST);
}

/* The influence of the ring's size. */
static int measure_size(struct bench_ring *ring, const struct bench_op *op,
			enum tring_clock clock, unsigned long bytes)
{
	/* 16-byte events, which take at least 13 bytes, wrap it unless that takes too long. */
	unsigned int warm_up = bytes > WRAPPED_MAX ? WARM_UP : bytes / 12;
	struct job job = { .op = op, .count = EVENTS };
	int err;

	err = ring->prepare(clock, true, bytes);
	if (err)
		return err;
	op->batch(warm_up);
	run_job(&job, false, run_batch);
	bench_say("size tracer=%s what=%s clock=%s kib=%lu wrapped=%d", ring->name, op->what,
		  tring_name_of_clock(clock), bytes / SZ_1K, bytes <= WRAPPED_MAX);
	bench_say_mean("mean", job.ticks, EVENTS);
	bench_say("\n");
	return ring->finish(warm_up + EVENTS, warm_up + EVENTS);
}

/* In an interrupt measure operations of 16 bytes only; the context is of interest. */
static bool measured_in_hardirq(const struct bench_op *op)
{
	return strstr(op->what, "_16");
}

static int measure_ring(struct bench_ring *ring, enum tring_clock clock, bool overwrite)
{
	const struct bench_op *op;
	int hardirq, err;

	for (op = ring->ops; op->what; op++) {
		for (hardirq = 0; hardirq < 2; hardirq++) {
			if (hardirq && !measured_in_hardirq(op))
				continue;
			err = measure(ring, op, clock, overwrite, hardirq);
			if (!err && !strcmp(op->what, "write_16"))
				err = measure_burst(ring, op, clock, overwrite, hardirq);
			if (err)
				return err;
		}
	}
	return 0;
}

/**
 * bench_rings - measure all rings
 * @rings: list of struct bench_ring
 * @clock: clock of all rings
 * @overwrite: rings overwrite; otherwise they have room for all events
 *
 * Context: task, may sleep. One caller at a time.
 * Return: 0; -EUCLEAN if counters do not balance.
 */
int bench_rings(struct list_head *rings, enum tring_clock clock, bool overwrite)
{
	struct bench_ring *ring;
	int err;

	list_for_each_entry(ring, rings, list) {
		err = measure_ring(ring, clock, overwrite);
		if (err) {
			pr_err("%s: error %d\n", ring->name, err);
			return err;
		}
	}
	return 0;
}

/**
 * bench_sizes - measure 16-byte events in rings of some size that overwrite
 * @rings: list of struct bench_ring
 * @clock: clock of all rings
 * @bytes: size of each ring, a power of two
 *
 * Context: task, may sleep. One caller at a time.
 * Return: 0; -ENOMEM; -EUCLEAN if counters do not balance.
 */
int bench_sizes(struct list_head *rings, enum tring_clock clock, unsigned long bytes)
{
	const struct bench_op *op;
	struct bench_ring *ring;
	int err;

	list_for_each_entry(ring, rings, list) {
		for (op = ring->ops; strcmp(op->what, "write_16"); op++)
			;
		err = measure_size(ring, op, clock, bytes);
		if (err) {
			pr_err("%s, %lu bytes: error %d\n", ring->name, bytes, err);
			return err;
		}
	}
	return 0;
}

/**
 * bench_measure_init - allocate memory for the measurements
 *
 * Return: 0 or -ENOMEM.
 */
int bench_measure_init(void)
{
	singles = vmalloc(array_size(SINGLES, sizeof(*singles)));
	sorted = vmalloc(array_size(SINGLES, sizeof(*sorted)));
	if (singles && sorted)
		return 0;
	bench_measure_exit();
	return -ENOMEM;
}

/**
 * bench_measure_exit - free the memory of bench_measure_init()
 */
void bench_measure_exit(void)
{
	vfree(sorted);
	vfree(singles);
}
