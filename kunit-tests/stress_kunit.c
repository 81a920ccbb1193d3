// SPDX-License-Identifier: GPL-2.0
/*
 * Writers and a reader at the same time: a writer thread on each CPU, hard and soft
 * interrupts that write, and a reader that goes round all CPUs. Each event holds its
 * CPU, context, sequence number and time; the reader checks all of it, and in the
 * end every event must be accounted for.
 *
 * On a machine with one CPU the reader only runs between the writers, and only the
 * interrupts interrupt a writer.
 */

#include <linux/cpu.h>
#include <linux/kthread.h>
#include <linux/moduleparam.h>

#include "stress.h"

#define STRESS_SUBBUFS	8

static unsigned int stress_ms = 2000;
module_param(stress_ms, uint, 0444);
MODULE_PARM_DESC(stress_ms, "how long each KUnit stress case writes, in ms");

/* Longest time to wait until each kind of change was tried. */
#define PATIENCE	(60 * HZ)

static void stop_changing(struct stress *stress)
{
	if (!stress->changer)
		return;
	WRITE_ONCE(stress->stop, true);
	wait_for_completion(&stress->changed);
	complete(&stress->changed);
}

static void stop_stress(void *data)
{
	struct stress *stress = data;
	int cpu;

	WRITE_ONCE(stress->stop, true);
	stop_changing(stress);
	for_each_possible_cpu(cpu) {
		struct stress_cpu *one = &stress->cpus[cpu];

		if (one->task) {
			wait_for_completion(&one->done);
			kthread_stop_put(one->task);
		}
		one->task = NULL;
		if (one->opened)
			tring_reader_release(one->stream);
		one->opened = false;
	}
	tring_buffer_set_recording(stress->buffer, false);
	tring_buffer_destroy(stress->buffer);
}

static struct stress *create_stress(struct kunit *test, bool overwrite)
{
	struct stress *stress = kunit_kzalloc(test, sizeof(*stress), GFP_KERNEL);
	int cpu, context;

	KUNIT_ASSERT_NOT_NULL(test, stress);
	stress->test = test;
	init_completion(&stress->changed);
	stress->cpus = kunit_kcalloc(test, nr_cpu_ids, sizeof(*stress->cpus), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, stress->cpus);
	stress->buffer = tring_buffer_create();
	KUNIT_ASSERT_NOT_NULL(test, stress->buffer);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, stop_stress, stress), 0);
	tring_buffer_add_event(stress->buffer, &stress->varying, STRESS_VARYING_ID, 0, true);
	tring_buffer_add_event(stress->buffer, &stress->fixed, STRESS_FIXED_ID,
			       STRESS_FIXED_LENGTH, true);
	tring_buffer_set_overwrite(stress->buffer, overwrite);
	KUNIT_ASSERT_EQ(test, tring_buffer_resize(stress->buffer, -1,
						  STRESS_SUBBUFS * PAGE_SIZE), 0);
	for_each_online_cpu(cpu) {
		struct stress_cpu *one = &stress->cpus[cpu];

		one->stress = stress;
		one->cpu = cpu;
		init_completion(&one->done);
		for (context = 0; context < STRESS_CONTEXTS; context++)
			prandom_seed_state(&one->writers[context].random,
					   cpu * STRESS_CONTEXTS + context);
		one->stream = tring_buffer_stream(stress->buffer, cpu, TRING_LIVE);
		KUNIT_ASSERT_EQ(test, tring_reader_open(one->stream), 0);
		one->opened = true;
	}
	tring_buffer_set_recording(stress->buffer, true);
	return stress;
}

static void start_writers(struct stress *stress)
{
	struct task_struct *task;
	int cpu;

	for_each_online_cpu(cpu) {
		task = kthread_create_on_cpu(stress_write_from_task, &stress->cpus[cpu], cpu,
					     "tring_stress/%u");
		KUNIT_ASSERT_FALSE(stress->test, IS_ERR(task));
		stress->cpus[cpu].task = get_task_struct(task);
		wake_up_process(task);
	}
}

/* Resizes, new sub-buffer sizes, snapshots and peeks, until the suite stops. */
static int change_things(void *data)
{
	struct stress *stress = data;
	struct rnd_state random;
	unsigned long bytes;
	int cpu, err;
	void *copy;

	copy = kvmalloc(CHANGED_SUBBUF_MAX, GFP_KERNEL);
	prandom_seed_state(&random, 1);
	while (copy && !READ_ONCE(stress->stop)) {
		bytes = (2 + prandom_u32_state(&random) % 10) * PAGE_SIZE;
		switch (prandom_u32_state(&random) % 4) {
		case 0:
			err = tring_buffer_resize(stress->buffer, -1, bytes);
			break;
		case 1:
			err = tring_buffer_set_subbuf_size(stress->buffer,
							   PAGE_SIZE << (bytes / PAGE_SIZE % 3));
			break;
		case 2:
			err = ring_snapshot(stress->buffer);
			tring_buffer_drop_snapshot(stress->buffer);
			break;
		default:
			err = 0;
			for_each_online_cpu(cpu)
				stress_peek_all(stress, cpu, copy);
		}
		if (err)
			stress_fault(stress, "a change failed", -err, 0);
		stress->changes++;
		cond_resched();
	}
	kvfree(copy);
	complete(&stress->changed);
	return 0;
}

static void start_changing(struct stress *stress)
{
	struct task_struct *task = kthread_run(change_things, stress, "tring_change");

	KUNIT_ASSERT_FALSE(stress->test, IS_ERR(task));
	stress->changer = task;
}

/* A slow kernel needs longer to try each kind of change. */
static bool seen_all(struct stress *stress)
{
	return READ_ONCE(stress->changes) >= 8 && READ_ONCE(stress->peeked);
}

static void write_and_read(struct kunit *test, bool overwrite, bool change)
{
	struct stress *stress = create_stress(test, overwrite);
	unsigned long end = jiffies + msecs_to_jiffies(stress_ms);
	unsigned int round = 0;
	int cpu;

	start_writers(stress);
	if (change)
		start_changing(stress);
	while (!stress->faults &&
	       (time_before(jiffies, end) ||
		(change && !seen_all(stress) && time_before(jiffies, end + PATIENCE)))) {
		/* One take in three flushes; with a pause now and then the reader falls behind. */
		for_each_online_cpu(cpu)
			stress_read_one(stress, &stress->cpus[cpu], round % 3 == 0);
		if (++round % 64 == 0)
			schedule_timeout_idle(1);
		cond_resched();
	}
	WRITE_ONCE(stress->stop, true);
	stop_changing(stress);
	for_each_online_cpu(cpu) {
		wait_for_completion(&stress->cpus[cpu].done);
		complete(&stress->cpus[cpu].done);
	}
	for_each_online_cpu(cpu) {
		while (stress_read_one(stress, &stress->cpus[cpu], true))
			;
		smp_call_function_single(cpu, stress_write_last, &stress->cpus[cpu], true);
	}
	tring_buffer_set_recording(stress->buffer, false);
	for_each_online_cpu(cpu) {
		while (stress_read_one(stress, &stress->cpus[cpu], true))
			;
		stress_balance_cpu(stress, &stress->cpus[cpu]);
		KUNIT_EXPECT_GT(test, stress->cpus[cpu].read, 0);
		KUNIT_EXPECT_GT(test, stress->cpus[cpu].writers[STRESS_HARD].attempts, 0);
		KUNIT_EXPECT_GT(test, stress->cpus[cpu].writers[STRESS_SOFT].attempts, 0);
	}
	KUNIT_EXPECT_GT(test, stress->pids_left_out, 0);
	if (change) {
		kunit_info(test, "%lu changes, %lu packets peeked\n", stress->changes,
			   stress->peeked);
		KUNIT_EXPECT_TRUE(test, seen_all(stress));
	}
	KUNIT_EXPECT_EQ_MSG(test, stress->faults, 0, "first: %s: %llu, not %llu",
			    stress->fault, stress->got, stress->wanted);
}

static void write_and_read_overwriting(struct kunit *test)
{
	write_and_read(test, true, false);
}

static void write_and_read_discarding(struct kunit *test)
{
	write_and_read(test, false, false);
}

static void write_and_read_overwriting_while_changing(struct kunit *test)
{
	write_and_read(test, true, true);
}

static void write_and_read_discarding_while_changing(struct kunit *test)
{
	write_and_read(test, false, true);
}

static struct kunit_case stress_cases[] = {
	KUNIT_CASE_SLOW(write_and_read_overwriting),
	KUNIT_CASE_SLOW(write_and_read_discarding),
	KUNIT_CASE_SLOW(write_and_read_overwriting_while_changing),
	KUNIT_CASE_SLOW(write_and_read_discarding_while_changing),
	{ }
};

static struct kunit_suite stress_suite = {
	.name = "tring_stress",
	.test_cases = stress_cases,
};

kunit_test_suite(stress_suite);
