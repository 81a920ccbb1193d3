// SPDX-License-Identifier: GPL-2.0
/*
 * Clocks that are traced: reading them records an event in the same ring. Clocks that are
 * set while a trace goes on.
 */

#include <linux/timekeeping.h>

#include "helpers.h"

#define SUBBUFS		3
/*
 * A reservation reads the clock once in each turn of the reserve loop, and once more in
 * the fast path, which only the outermost writer takes. Events of the clock are refused from
 * the second turn on. So the outermost writer lets two events in, each nested one lets one in,
 * until nesting is too deep.
 */
#define EVENTS_MAX	(1 + 2 * (TRING_NESTING_MAX - 1))

/* Each read of this clock writes an event, and so reads the clock again. */
static u64 self_tracing_clock(struct tring_cpu_buffer *cpu_buffer)
{
	ring_write(ring_of(cpu_buffer), 16);
	return ring_clock(cpu_buffer);
}

static void clock_traces_itself(struct kunit *test)
{
	struct ring *ring = ring_create(test, SUBBUFS);
	unsigned int i;
	u64 committed;

	ring->unsteady = true;
	for (i = 0; i < 100; i++) {
		ring_fill(ring, 16, 1);
		committed = ring->committed;
		ring->hooks.clock = self_tracing_clock;
		KUNIT_EXPECT_EQ(test, ring_write(ring, 24 + i), 0);
		ring->hooks.clock = ring_clock;
		KUNIT_EXPECT_EQ(test, ring->committed, committed + EVENTS_MAX);
		ring_drain(ring);
	}
	KUNIT_EXPECT_GE(test, ring->refused[TRING_REFUSED_NESTED], 100);
	KUNIT_EXPECT_EQ(test, ring->refused[TRING_REFUSED_RETRIES], 0);
	ring_finish(ring);
	ring_expect_sound(ring);
}

/* The clock's value is older than the timestamp of the event that reading it writes. */
static u64 late_tracing_clock(struct tring_cpu_buffer *cpu_buffer)
{
	u64 stamp = ring_clock(cpu_buffer);

	ring_write(ring_of(cpu_buffer), 16);
	return stamp;
}

static void clock_traces_itself_late(struct kunit *test)
{
	struct ring *ring = ring_create(test, SUBBUFS);
	unsigned int i;
	u64 committed;

	ring->unsteady = true;
	for (i = 0; i < 100; i++) {
		ring_fill(ring, 16, 1);
		committed = ring->committed;
		ring->hooks.clock = late_tracing_clock;
		KUNIT_EXPECT_EQ(test, ring_write(ring, 24 + i), 0);
		ring->hooks.clock = ring_clock;
		KUNIT_EXPECT_LE(test, ring->committed, committed + EVENTS_MAX);
		ring_drain(ring);
	}
	KUNIT_EXPECT_EQ(test, ring->refused[TRING_REFUSED_RETRIES], 0);
	ring_finish(ring);
	ring_expect_sound(ring);
}

/* The clock has stepped back, so its values are older than all earlier timestamps. */
static void clock_traces_itself_behind(struct kunit *test)
{
	struct ring *ring = ring_create(test, SUBBUFS);
	unsigned int i;
	u64 committed;

	ring->unsteady = true;
	ring_fill(ring, 16, 1);
	ring->now -= 1000;
	for (i = 0; i < 50; i++) {
		committed = ring->committed;
		ring->hooks.clock = i % 2 ? late_tracing_clock : self_tracing_clock;
		KUNIT_EXPECT_EQ(test, ring_write(ring, 24), 0);
		ring->hooks.clock = ring_clock;
		KUNIT_EXPECT_LE(test, ring->committed, committed + EVENTS_MAX);
		ring->now -= 100;
	}
	KUNIT_EXPECT_EQ(test, ring->refused[TRING_REFUSED_RETRIES], 0);
	ring_finish(ring);
	ring_expect_sound(ring);
}

/* Each reservation takes the slow path, which reads the clock again. */
static void clock_traces_itself_in_slow_path(struct kunit *test)
{
	struct ring *ring = ring_create(test, SUBBUFS);
	unsigned int i;

	ring->unsteady = true;
	for (i = 0; i < 100; i++) {
		ring->hooks.clock = self_tracing_clock;
		KUNIT_EXPECT_EQ(test, ring_write(ring, 24 + 30 * i), 0);
		ring->hooks.clock = ring_clock;
		ring_drain(ring);
	}
	KUNIT_EXPECT_GE(test, ring->refused[TRING_REFUSED_NESTED], 100);
	KUNIT_EXPECT_EQ(test, ring->refused[TRING_REFUSED_RETRIES], 0);
	ring_finish(ring);
	ring_expect_sound(ring);
}

/* This clock writes an event at each read, except inside of such a write. */
static u64 guarded_tracing_clock(struct tring_cpu_buffer *cpu_buffer)
{
	struct ring *ring = ring_of(cpu_buffer);

	if (!ring->private) {
		ring->private = ring;
		ring_write(ring, 16);
		ring->private = NULL;
	}
	return ring_clock(cpu_buffer);
}

static void clock_is_traced(struct kunit *test)
{
	struct ring *ring = ring_create(test, SUBBUFS);
	unsigned int i;

	ring_fill(ring, 16, 1);
	ring->hooks.clock = guarded_tracing_clock;
	for (i = 0; i < 50; i++)
		KUNIT_EXPECT_EQ(test, ring_write(ring, 24), 0);
	/* Each write, and two events for its reads of the clock. */
	KUNIT_EXPECT_EQ(test, ring->committed, 1 + 3 * 50);
	KUNIT_EXPECT_EQ(test, ring->refused[TRING_REFUSED_NESTED], 50);
	/* A flush reads the clock, too. */
	ring_drain(ring);
	KUNIT_EXPECT_EQ(test, ring->read, 1 + 3 * 50);
	ring->hooks.clock = ring_clock;
	ring_finish(ring);
	ring_expect_sound(ring);
}

static void set_date(struct kunit *test, s64 seconds)
{
	struct timespec64 time;

	ktime_get_real_ts64(&time);
	time.tv_sec += seconds;
	KUNIT_ASSERT_EQ(test, do_settimeofday64(&time), 0);
}

/* The date is set, but the stamps of "tai" rise as before, and the step is known. */
static void date_is_set(struct kunit *test, s64 seconds)
{
	struct ring *ring = ring_create(test, SUBBUFS);
	unsigned int i;
	u64 begin, last;
	s64 step;

	tring_reader_release(ring->stream);
	KUNIT_ASSERT_EQ(test, tring_buffer_new_trace(ring->buffer, TRING_CLOCK_TAI), 0);
	KUNIT_ASSERT_EQ(test, tring_reader_open(ring->stream), 0);
	ring_begin_trace(ring);
	ring->unsteady = true;
	ring_fill(ring, 16, 1);
	ring_drain(ring);
	set_date(test, seconds);
	for (i = 0; i < 5; i++) {
		last = ring->last_stamp;
		begin = ktime_get_ns();
		while (ktime_get_ns() < begin + 2 * NSEC_PER_MSEC)
			cpu_relax();
		ring_fill(ring, 16, 1);
		ring_drain(ring);
		KUNIT_EXPECT_GE(test, ring->last_stamp, last + 2 * NSEC_PER_MSEC);
		KUNIT_EXPECT_LT(test, ring->last_stamp, last + 60 * NSEC_PER_SEC);
	}
	step = tring_clock_offset(TRING_CLOCK_TAI) - ring->buffer->clock_offset;
	/* Setting the date takes a moment, by which the new one is behind. */
	KUNIT_EXPECT_LE(test, step, seconds * NSEC_PER_SEC);
	KUNIT_EXPECT_GT(test, step, (seconds - 1) * NSEC_PER_SEC);
	set_date(test, -seconds);
	ring_finish(ring);
	ring_expect_sound(ring);
}

static void date_is_set_back(struct kunit *test)
{
	/*
	 * Where nothing keeps the date it is 1970, and no date before the boot can be set. Each
	 * setting takes a moment, for which a second remains.
	 */
	set_date(test, 7200);
	date_is_set(test, -3600);
	set_date(test, -7199);
}

static void date_is_set_forward(struct kunit *test)
{
	date_is_set(test, 3600);
}

/*
 * The clock is set back during a trace. Stamps stay where they are for the event that finds
 * it, and then rise as the clock does; another step adds up. A new trace begins without it.
 */
static void clock_is_set_back(struct kunit *test)
{
	struct ring *ring = ring_create(test, SUBBUFS);
	u64 last, behind = 0;
	unsigned int i, turn;

	ring->unsteady = true;
	ring->now = 1ULL << 40;
	ring->tick = 100;
	for (turn = 0; turn < 3; turn++) {
		ring_fill(ring, 16, 10);
		ring_drain(ring);
		last = ring->last_stamp;
		ring->now -= 1ULL << (30 + turn);
		behind += 1ULL << (30 + turn);
		ring_fill(ring, 16, 1);
		ring_drain(ring);
		KUNIT_EXPECT_LE(test, ring->last_stamp - last, 10 * ring->tick);
		for (i = 0; i < 5; i++) {
			last = ring->last_stamp;
			ring->now += 5000;
			ring_fill(ring, 16, 1);
			ring_drain(ring);
			KUNIT_EXPECT_GE(test, ring->last_stamp, last + 5000);
			KUNIT_EXPECT_LE(test, ring->last_stamp, last + 5000 + 10 * ring->tick);
		}
		/* The clock goes on while the step is found. */
		KUNIT_EXPECT_LE(test, ring->buffer->clock_offset, behind);
		KUNIT_EXPECT_GT(test, ring->buffer->clock_offset, behind - 1000 * ring->tick);
	}
	tring_reader_release(ring->stream);
	KUNIT_EXPECT_EQ(test, tring_buffer_new_trace(ring->buffer, -1), 0);
	KUNIT_ASSERT_EQ(test, tring_reader_open(ring->stream), 0);
	KUNIT_EXPECT_EQ(test, ring->buffer->clock_offset, 0);
	KUNIT_EXPECT_EQ(test, ring->cpu_buffer->clock, TRING_CLOCK_TEST);
	ring_begin_trace(ring);
	ring->now -= 1ULL << 30;
	ring_fill(ring, 16, 1);
	ring_drain(ring);
	KUNIT_EXPECT_LT(test, ring->last_stamp, 1ULL << 40);
	ring_finish(ring);
	ring_expect_sound(ring);
}

/* A step by less than writers may differ for other reasons: stamps wait for the clock. */
static void clock_is_set_back_a_little(struct kunit *test)
{
	struct ring *ring = ring_create(test, SUBBUFS);
	u64 last;

	ring->unsteady = true;
	ring_fill(ring, 16, 10);
	ring_drain(ring);
	last = ring->last_stamp;
	ring->now -= 1000;
	ring_fill(ring, 16, 10);
	ring_drain(ring);
	KUNIT_EXPECT_EQ(test, ring->last_stamp, last);
	KUNIT_EXPECT_EQ(test, ring->buffer->clock_offset, 0);
	ring_finish(ring);
	ring_expect_sound(ring);
}

static void jump_ahead(struct tring_cpu_buffer *cpu_buffer, enum tring_step step)
{
	struct ring *ring = ring_of(cpu_buffer);

	if (step != TRING_STEP_RESERVE_CLOCK || ring->private)
		return;
	ring->private = ring;
	ring->now += 1ULL << 30;
	ring_write(ring, 16);
	ring->private = NULL;
}

/* A nested writer, a long time after the interrupted one has read the clock: no step. */
static void interrupt_lasts_long(struct kunit *test)
{
	struct ring *ring = ring_create(test, SUBBUFS);
	unsigned int i;

	ring->unsteady = true;
	ring_fill(ring, 16, 1);
	for (i = 0; i < 10; i++) {
		ring->hooks.step = jump_ahead;
		/* The slow path, where a step would be found. */
		ring->pid++;
		KUNIT_EXPECT_EQ(test, ring_write(ring, 24), 0);
		ring->hooks.step = NULL;
	}
	KUNIT_EXPECT_EQ(test, ring->buffer->clock_offset, 0);
	ring_finish(ring);
	ring_expect_sound(ring);
}

static struct kunit_case clock_cases[] = {
	KUNIT_CASE(clock_is_set_back),
	KUNIT_CASE(clock_is_set_back_a_little),
	KUNIT_CASE(interrupt_lasts_long),
	KUNIT_CASE(clock_traces_itself),
	KUNIT_CASE(clock_traces_itself_late),
	KUNIT_CASE(clock_traces_itself_behind),
	KUNIT_CASE(clock_traces_itself_in_slow_path),
	KUNIT_CASE(clock_is_traced),
	KUNIT_CASE(date_is_set_back),
	KUNIT_CASE(date_is_set_forward),
	{ }
};

static struct kunit_suite clock_suite = {
	.name = "tring_clock",
	.test_cases = clock_cases,
};

kunit_test_suite(clock_suite);
