// SPDX-License-Identifier: GPL-2.0
/*
 * The reader: taking, flushing, holding and waiting for packets, and being lapped.
 */

#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/fs.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/poll.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "helpers.h"
#include "ring/internal.h"
#include "tracefs/control.h"

#define WAIT_MAX	(60 * HZ)

static void take_from_empty_ring(struct kunit *test)
{
	struct ring *ring = ring_create(test, 2);

	KUNIT_EXPECT_FALSE(test, tring_reader_has_data(ring->stream));
	KUNIT_EXPECT_EQ(test, ring_take(ring, false), -EAGAIN);
	KUNIT_EXPECT_EQ(test, ring_take(ring, true), -EAGAIN);
	ring_flush(ring);
	KUNIT_EXPECT_EQ(test, ring_take(ring, true), -EAGAIN);
	ring_finish(ring);
	ring_expect_sound(ring);
}

static void take_open_sub_buffer_flushes(struct kunit *test)
{
	struct ring *ring = ring_create(test, 2);

	ring_fill(ring, 30, 1);
	KUNIT_EXPECT_TRUE(test, tring_reader_has_data(ring->stream));
	KUNIT_EXPECT_EQ(test, ring_take(ring, false), -EAGAIN);
	KUNIT_EXPECT_EQ(test, ring_take(ring, true), 0);
	KUNIT_EXPECT_EQ(test, ring->read, 1);
	KUNIT_EXPECT_FALSE(test, tring_reader_has_data(ring->stream));
	KUNIT_EXPECT_EQ(test, ring_take(ring, true), -EAGAIN);
	ring_finish(ring);
	ring_expect_sound(ring);
}

/* Delivered packets come first; a take flushes only if there is none. */
static void take_delivered_before_open(struct kunit *test)
{
	struct ring *ring = ring_create(test, 3);

	ring_fill(ring, 3000, 2);
	KUNIT_EXPECT_EQ(test, ring_take(ring, true), 0);
	KUNIT_EXPECT_EQ(test, ring->read, 1);
	KUNIT_EXPECT_EQ(test, ring_offset(ring),
			TRING_PACKET_HEADER_SIZE + ring_size(ring, 3000, true));
	KUNIT_EXPECT_EQ(test, ring_take(ring, true), 0);
	KUNIT_EXPECT_EQ(test, ring_offset(ring), 0);
	ring_finish(ring);
	ring_expect_sound(ring);
}

static void take_with_open_commit(struct kunit *test)
{
	struct ring *ring = ring_create(test, 3);
	struct event outer;

	ring_fill(ring, 30, 1);
	KUNIT_ASSERT_EQ(test, ring_reserve(ring, 30, &outer), 0);
	/* The flush has closed the packet, but a record in it is open. */
	KUNIT_EXPECT_EQ(test, ring_take_inside(ring, true), -EAGAIN);
	KUNIT_EXPECT_EQ(test, ring_offset(ring), 0);
	ring_fill(ring, 30, 1);
	/* A later packet does not overtake it. */
	KUNIT_EXPECT_EQ(test, ring_take_inside(ring, true), -EAGAIN);
	ring_commit(ring, &outer);
	KUNIT_EXPECT_EQ(test, ring_take(ring, false), 0);
	KUNIT_EXPECT_EQ(test, ring->read, 2);
	ring_finish(ring);
	ring_expect_sound(ring);
}

static void take_with_open_discard(struct kunit *test)
{
	struct ring *ring = ring_create(test, 3);
	struct event outer;

	KUNIT_ASSERT_EQ(test, ring_reserve(ring, 30, &outer), 0);
	KUNIT_EXPECT_EQ(test, ring_take_inside(ring, true), -EAGAIN);
	ring_discard(ring, &outer);
	/* The flush closed the packet first, so the discarded record is kept. */
	KUNIT_EXPECT_EQ(test, ring_take(ring, false), 0);
	KUNIT_EXPECT_EQ(test, ring->last_discarded, 1);
	KUNIT_EXPECT_EQ(test, ring->read, 0);
	ring_finish(ring);
	ring_expect_sound(ring);
}

static void take_again_is_the_same_packet(struct kunit *test)
{
	struct ring *ring = ring_create(test, 3);
	struct tring_packet first, second;

	ring_fill(ring, 3000, 3);
	KUNIT_ASSERT_EQ(test, tring_reader_take(ring->stream, true, &first), 0);
	KUNIT_ASSERT_EQ(test, tring_reader_take(ring->stream, true, &second), 0);
	KUNIT_EXPECT_PTR_EQ(test, first.data, second.data);
	KUNIT_EXPECT_EQ(test, first.size, second.size);
	KUNIT_EXPECT_TRUE(test, tring_reader_has_data(ring->stream));
	ring_finish(ring);
	KUNIT_EXPECT_EQ(test, ring->gap, 0);
	ring_expect_sound(ring);
}

static void held_packet_survives_release(struct kunit *test)
{
	struct ring *ring = ring_create(test, 3);
	struct tring_packet packet;

	ring_fill(ring, 3000, 2);
	KUNIT_ASSERT_EQ(test, tring_reader_take(ring->stream, false, &packet), 0);
	tring_reader_release(ring->stream);
	ring_check_balance(ring);
	KUNIT_ASSERT_EQ(test, tring_reader_open(ring->stream), 0);
	ring_finish(ring);
	KUNIT_EXPECT_EQ(test, ring->gap, 0);
	ring_expect_sound(ring);
}

/* A packet that a reader holds is unchanged after twenty laps of the writer. */
static void held_packet_is_not_overwritten(struct kunit *test)
{
	struct ring *ring = ring_create(test, 3);
	struct tring_packet packet;
	void *copy;

	ring_fill(ring, 1000, 4);
	KUNIT_ASSERT_EQ(test, tring_reader_take(ring->stream, false, &packet), 0);
	copy = kunit_kmalloc(test, packet.size, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, copy);
	memcpy(copy, packet.data, packet.size);
	ring_fill(ring, 1000, 3 * 20);
	KUNIT_EXPECT_MEMEQ(test, packet.data, copy, packet.size);
	ring_check_balance(ring);
	ring_finish(ring);
	ring_expect_sound(ring);
}

static void reader_open_twice_is_busy(struct kunit *test)
{
	struct ring *ring = ring_create(test, 2);

	KUNIT_EXPECT_EQ(test, tring_reader_open(ring->stream), -EBUSY);
	tring_reader_release(ring->stream);
	KUNIT_EXPECT_EQ(test, tring_reader_open(ring->stream), 0);
	ring_finish(ring);
	ring_expect_sound(ring);
}

/* Each missing sequence number is an overwritten packet. */
static void packet_numbers_have_overwritten_gaps(struct kunit *test)
{
	struct ring *ring = ring_create(test, 4);
	struct tring_stats stats;
	unsigned int i;

	for (i = 0; i < 100; i++) {
		ring_fill(ring, 700 + i, i % 37);
		if (i % 3 == 0)
			ring_flush(ring);
		ring_take(ring, i % 2);
		tring_buffer_stats(ring->buffer, ring->cpu, &stats);
		if (ring->gap > stats.packets_overwritten)
			ring_fault(ring, "gap", ring->gap, stats.packets_overwritten);
	}
	ring_finish(ring);
	KUNIT_EXPECT_GT(test, ring->gap, 50);
	ring_expect_sound(ring);
}

/* The counters of events and bytes balance in each state of a ring. */
static void stats_balance_in_each_state(struct kunit *test)
{
	struct ring *ring = ring_create(test, 3);
	struct tring_packet packet;
	struct tring_stats stats;
	struct event outer;

	ring_check_balance(ring);
	ring_fill(ring, 41, 3);
	ring_check_balance(ring);
	tring_buffer_stats(ring->buffer, ring->cpu, &stats);
	KUNIT_EXPECT_EQ(test, stats.remaining, 3);
	KUNIT_EXPECT_EQ(test, stats.remaining_bytes, ring_offset(ring));
	ring_flush(ring);
	ring_check_balance(ring);
	KUNIT_ASSERT_EQ(test, tring_reader_take(ring->stream, false, &packet), 0);
	ring_check_balance(ring);
	ring_fill(ring, 1000, 30);
	ring_check_balance(ring);

	KUNIT_ASSERT_EQ(test, ring_reserve(ring, 100, &outer), 0);
	preempt_enable_notrace();
	tring_buffer_stats(ring->buffer, ring->cpu, &stats);
	preempt_disable_notrace();
	KUNIT_EXPECT_EQ(test, stats.open, 1);
	ring_commit(ring, &outer);
	ring_finish(ring);
	ring_expect_sound(ring);
}

/**
 * struct sleeper - a thread that waits for data
 * @ring: ring that it waits for
 * @started: completed when the thread runs
 * @ended: completed when tring_reader_wait() has returned
 * @result: return value of tring_reader_wait()
 */
struct sleeper {
	struct ring		*ring;
	struct completion	started;
	struct completion	ended;
	int			result;
};

static int sleep_for_data(void *data)
{
	struct sleeper *sleeper = data;

	complete(&sleeper->started);
	sleeper->result = tring_reader_wait(sleeper->ring->stream);
	complete(&sleeper->ended);
	return 0;
}

static void start_sleeper(struct kunit *test, struct sleeper *sleeper, struct ring *ring)
{
	struct task_struct *task;

	sleeper->ring = ring;
	sleeper->result = -EDOM;
	init_completion(&sleeper->started);
	init_completion(&sleeper->ended);
	task = kthread_run(sleep_for_data, sleeper, "tring_sleeper");
	KUNIT_ASSERT_FALSE(test, IS_ERR(task));
	KUNIT_ASSERT_GT(test, wait_for_completion_timeout(&sleeper->started, WAIT_MAX), 0);
	/* The data must wake the thread, whether it sleeps already or is about to. */
	if (ring->now % 2)
		schedule_timeout_idle(HZ / 20);
}

static void wait_ends_with_data(struct kunit *test)
{
	struct ring *ring = ring_create(test, 3);
	struct sleeper *sleeper = kunit_kzalloc(test, sizeof(*sleeper), GFP_KERNEL);
	int i;

	KUNIT_ASSERT_NOT_NULL(test, sleeper);
	for (i = 0; i < 6; i++) {
		ring->now += i % 2;
		start_sleeper(test, sleeper, ring);
		/* Entering a packet and delivering one both wake the reader. */
		ring_fill(ring, 3000, 1 + i / 2);
		KUNIT_ASSERT_GT(test, wait_for_completion_timeout(&sleeper->ended,
								  WAIT_MAX), 0);
		KUNIT_EXPECT_EQ(test, sleeper->result, 0);
		ring_drain(ring);
	}
	ring_finish(ring);
	ring_expect_sound(ring);
}

static void wait_ends_with_recording(struct kunit *test)
{
	struct ring *ring = ring_create(test, 3);
	struct sleeper *sleeper = kunit_kzalloc(test, sizeof(*sleeper), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, sleeper);
	start_sleeper(test, sleeper, ring);
	tring_buffer_set_recording(ring->buffer, false);
	KUNIT_ASSERT_GT(test, wait_for_completion_timeout(&sleeper->ended, WAIT_MAX), 0);
	KUNIT_EXPECT_EQ(test, sleeper->result, 0);
	ring_finish(ring);
	ring_expect_sound(ring);
}

/**
 * struct opened - an open trace_pipe_raw_compact, without a directory around it
 * @file: entry of tracefs
 * @inode: its inode
 * @filp: the open file
 */
struct opened {
	struct tring_file	file;
	struct inode		inode;
	struct file		filp;
};

static bool is_readable(struct ring *ring, struct opened *opened)
{
	unsigned int depth = ring_pretend_other_cpu(ring);
	__poll_t events = tring_pipe_fops.poll(&opened->filp, NULL);

	ring_end_other_cpu(depth);
	return events & EPOLLIN;
}

/*
 * A writer whose probe dies never commits. poll() must not say for ever that there is
 * something to read, whatever is recorded behind.
 */
static void poll_with_dead_writer(struct kunit *test)
{
	struct ring *ring = ring_create(test, 4);
	struct opened *opened = kunit_kzalloc(test, sizeof(*opened), GFP_KERNEL);
	struct event dead;

	KUNIT_ASSERT_NOT_NULL(test, opened);
	tring_reader_release(ring->stream);
	opened->file.buffer = ring->buffer;
	opened->file.cpu = ring->cpu;
	opened->inode.i_private = &opened->file.tracefs;
	opened->filp.f_mode = FMODE_READ;
	KUNIT_ASSERT_EQ(test, tring_pipe_fops.open(&opened->inode, &opened->filp), 0);

	KUNIT_EXPECT_FALSE(test, is_readable(ring, opened));
	KUNIT_ASSERT_EQ(test, ring_reserve(ring, 30, &dead), 0);
	KUNIT_EXPECT_EQ(test, ring_take_inside(ring, true), -EAGAIN);
	KUNIT_EXPECT_FALSE(test, is_readable(ring, opened));
	ring_fill(ring, 30, 1);
	KUNIT_EXPECT_FALSE(test, is_readable(ring, opened));
	/* Packets behind it are delivered. */
	ring_fill(ring, 3000, 2);
	KUNIT_EXPECT_EQ(test, ring_take_inside(ring, true), -EAGAIN);
	KUNIT_EXPECT_FALSE(test, is_readable(ring, opened));
	/* The writer was only slow. */
	ring_commit(ring, &dead);
	KUNIT_EXPECT_TRUE(test, is_readable(ring, opened));
	KUNIT_EXPECT_EQ(test, ring_take(ring, false), 0);
	KUNIT_EXPECT_TRUE(test, is_readable(ring, opened));

	tring_pipe_fops.release(&opened->inode, &opened->filp);
	KUNIT_ASSERT_EQ(test, tring_reader_open(ring->stream), 0);
	ring_finish(ring);
	ring_expect_sound(ring);
}

/* A reader on another CPU flushes and reads the ring of an offline CPU. */
static void take_from_offline_cpu(struct kunit *test)
{
	int here = raw_smp_processor_id();
	struct ring *ring;
	int cpu, err;

	cpu = cpumask_any_but(cpu_online_mask, 0);
	if (cpu >= nr_cpu_ids)
		kunit_skip(test, "needs two CPUs");
	KUNIT_ASSERT_EQ(test, set_cpus_allowed_ptr(current, cpumask_of(cpu)), 0);
	ring = ring_create(test, 3);
	KUNIT_ASSERT_EQ(test, ring->cpu, cpu);
	ring_fill(ring, 3000, 2);
	KUNIT_ASSERT_EQ(test, set_cpus_allowed_ptr(current, cpumask_of(0)), 0);

	err = remove_cpu(cpu);
	if (err) {
		set_cpus_allowed_ptr(current, cpumask_of(here));
		kunit_skip(test, "CPU %d cannot go offline: %d", cpu, err);
	}
	KUNIT_EXPECT_EQ(test, ring_take(ring, true), 0);
	KUNIT_EXPECT_EQ(test, ring_take(ring, true), 0);
	KUNIT_EXPECT_EQ(test, ring_take(ring, true), -EAGAIN);
	KUNIT_EXPECT_EQ(test, ring->read, 2);
	KUNIT_EXPECT_EQ(test, add_cpu(cpu), 0);
	KUNIT_ASSERT_EQ(test, set_cpus_allowed_ptr(current, cpumask_of(cpu)), 0);
	ring_finish(ring);
	ring_expect_sound(ring);
}

static struct {
	struct irq_work	work;
	bool		wanted;
	bool		begun;
	bool		others_wait;
} hang;

static void hang_here(struct irq_work *work)
{
	WRITE_ONCE(hang.begun, true);
	while (READ_ONCE(hang.wanted))
		cpu_relax();
}

static void wait_for_hang(void *unused)
{
	WRITE_ONCE(hang.others_wait, true);
	while (!READ_ONCE(hang.begun))
		cpu_relax();
}

static call_single_data_t hold_caller = CSD_INIT(wait_for_hang, NULL);

/*
 * The interrupt comes behind the one that has moved the ring to its next memory, and the CPU that
 * has sent this one sends no other before.
 */
static void hang_behind_switch(struct tring_cpu_buffer *cpu_buffer, enum tring_step step)
{
	if (step != TRING_STEP_SWITCH_MOVED || hang.others_wait)
		return;
	smp_call_function_single_async(0, &hold_caller);
	while (!READ_ONCE(hang.others_wait))
		cpu_relax();
	irq_work_queue(&hang.work);
}

static struct tring_memory *first_memory(struct ring *ring)
{
	return list_first_entry(&ring->stream->memories, struct tring_memory, list);
}

/* What a CPU leaves at a switch, and does not answer, is read when the CPU goes on. */
static void take_behind_slow_cpu(struct kunit *test)
{
	int cpu = cpumask_any_but(cpu_online_mask, 0);
	unsigned long begin = jiffies;
	struct tring_stats stats;
	struct ring *ring;

	if (cpu >= nr_cpu_ids)
		kunit_skip(test, "needs two CPUs");
	KUNIT_ASSERT_EQ(test, set_cpus_allowed_ptr(current, cpumask_of(cpu)), 0);
	ring = ring_create(test, 3);
	ring_fill(ring, 3000, 2);
	hang.work = IRQ_WORK_INIT_HARD(hang_here);
	hang.wanted = true;
	hang.begun = false;
	hang.others_wait = false;
	ring->hooks.step = hang_behind_switch;
	KUNIT_ASSERT_EQ(test, set_cpus_allowed_ptr(current, cpumask_of(0)), 0);
	KUNIT_EXPECT_EQ(test, tring_buffer_resize(ring->buffer, cpu, 4 * PAGE_SIZE), 0);
	ring->hooks.step = NULL;
	KUNIT_EXPECT_TRUE(test, hang.begun);
	KUNIT_EXPECT_PTR_NE(test, first_memory(ring), ring->cpu_buffer->memory);
	KUNIT_EXPECT_FALSE(test, first_memory(ring)->sealed);
	WRITE_ONCE(hang.wanted, false);

	while (!READ_ONCE(first_memory(ring)->sealed) &&
	       time_before(jiffies, begin + WAIT_MAX))
		schedule_timeout_uninterruptible(1);
	KUNIT_EXPECT_TRUE(test, first_memory(ring)->sealed);
	tring_buffer_stats(ring->buffer, cpu, &stats);
	KUNIT_EXPECT_GT(test, stats.unanswered, 0);
	KUNIT_ASSERT_EQ(test, set_cpus_allowed_ptr(current, cpumask_of(cpu)), 0);
	ring_fill(ring, 3000, 1);
	ring_finish(ring);
	KUNIT_EXPECT_EQ(test, ring->read, 4);
	ring_expect_sound(ring);
}

static struct kunit_case read_cases[] = {
	KUNIT_CASE(take_from_empty_ring),
	KUNIT_CASE(take_open_sub_buffer_flushes),
	KUNIT_CASE(take_delivered_before_open),
	KUNIT_CASE(take_with_open_commit),
	KUNIT_CASE(take_with_open_discard),
	KUNIT_CASE(take_again_is_the_same_packet),
	KUNIT_CASE(held_packet_survives_release),
	KUNIT_CASE(held_packet_is_not_overwritten),
	KUNIT_CASE(reader_open_twice_is_busy),
	KUNIT_CASE(packet_numbers_have_overwritten_gaps),
	KUNIT_CASE(stats_balance_in_each_state),
	KUNIT_CASE(wait_ends_with_data),
	KUNIT_CASE(wait_ends_with_recording),
	KUNIT_CASE(poll_with_dead_writer),
	KUNIT_CASE(take_from_offline_cpu),
	KUNIT_CASE(take_behind_slow_cpu),
	{ }
};

static struct kunit_suite read_suite = {
	.name = "tring_read",
	.test_cases = read_cases,
};

kunit_test_suite(read_suite);
