// SPDX-License-Identifier: GPL-2.0
/*
 * Broken rings. Each case runs twice: on a sound ring, where the checks must
 * find nothing, and on one with a deliberate fault, where they must find it.
 */

#include "helpers.h"

#define COMPACT_MAX	((1ull << TRING_STAMP_BITS) - 1)

/*
 * Run @act on a ring with @fault. A ring that is marked as stopped is not
 * checked when it delivers; that would warn, and we want to find it ourselves.
 */
static struct ring *run_busted(struct kunit *test, unsigned long fault,
			       void (*act)(struct ring *ring))
{
	struct ring *ring = ring_create(test, 3);

	ring->cpu_buffer->stopped = fault;
	ring->cpu_buffer->busted = fault;
	act(ring);
	ring_finish(ring);
	ring->cpu_buffer->busted = 0;
	ring->cpu_buffer->stopped = false;
	return ring;
}

static void expect_caught(struct kunit *test, unsigned long fault, const char *what,
			  void (*act)(struct ring *ring))
{
	struct ring *ring;

	ring = run_busted(test, 0, act);
	ring_expect_sound(ring);
	ring = run_busted(test, fault, act);
	KUNIT_EXPECT_GT_MSG(test, ring->faults, 0, "the fault was not seen");
	KUNIT_EXPECT_STREQ(test, ring->fault, what);
}

/* A nested reader finds a packet whose last record is being written. */
static void take_during_write(struct ring *ring)
{
	struct event event;
	unsigned int i;

	/* Each sub-buffer gets fields to be found there: no attempt's number. */
	for (i = 0; i < 4; i++) {
		ring_fill(ring, 3000, 1);
		ring_drain(ring);
	}
	ring_fill(ring, 40, 3);
	ring_reserve(ring, 40, &event);
	ring_flush(ring);
	ring_take_inside(ring, false);
	ring_commit(ring, &event);
}

static void payload_after_commit(struct kunit *test)
{
	expect_caught(test, TRING_BUSTED_COMMIT_EARLY, "sequence",
		      take_during_write);
}

static void nested_later_step(struct tring_cpu_buffer *cpu_buffer, enum tring_step step)
{
	struct ring *ring = ring_of(cpu_buffer);

	if (step != TRING_STEP_RESERVE_BOUND)
		return;
	ring->hooks.step = NULL;
	ring->now += 100;
	ring_fill(ring, 20, 1);
	ring->now -= 60;
}

/*
 * The nested writer's stamp is later than any that we read, and we overwrite
 * its before_ts: last_ts alone knows it.
 */
static void interrupt_and_step_back(struct ring *ring)
{
	ring->unsteady = true;
	ring_fill(ring, 20, 2);
	ring->hooks.step = nested_later_step;
	ring_fill(ring, 20, 1);
}

static void last_ts_not_updated(struct kunit *test)
{
	expect_caught(test, TRING_BUSTED_NO_LAST_TS,
		      "timestamp is after the packet's end", interrupt_and_step_back);
}

static void refuse_some(struct ring *ring)
{
	ring_fill(ring, 40, 3);
	ring_write(ring, PAGE_SIZE);
	ring_fill(ring, 40, 3);
}

static void refusal_not_counted(struct kunit *test)
{
	expect_caught(test, TRING_BUSTED_NO_COUNT, "events_discarded: too few",
		      refuse_some);
}

static void discard_far_stamp(struct ring *ring)
{
	struct event event;

	ring_fill(ring, 40, 1);
	ring->now += COMPACT_MAX + 5;
	if (!ring_reserve(ring, 40, &event))
		ring_discard(ring, &event);
	ring_fill(ring, 40, 1);
}

static void discard_keeps_last_ts(struct kunit *test)
{
	expect_caught(test, TRING_BUSTED_NO_POISON, "timestamp is too old",
		      discard_far_stamp);
}

static void step_back(struct ring *ring)
{
	ring->unsteady = true;
	ring_fill(ring, 40, 3);
	ring->now -= 20;
	ring_fill(ring, 40, 1);
	ring->now += 100;
}

static void clock_not_clamped(struct kunit *test)
{
	expect_caught(test, TRING_BUSTED_NO_CLAMP, "timestamp goes backwards", step_back);
}

static void nested_same_pid_step(struct tring_cpu_buffer *cpu_buffer, enum tring_step step)
{
	struct ring *ring = ring_of(cpu_buffer);

	if (step != TRING_STEP_RESERVE_CLAIMED)
		return;
	ring->hooks.step = NULL;
	ring->pid--;
	ring_fill(ring, 20, 1);
	ring->pid++;
}

/*
 * Who wrote last comes in between once another has his place, but not his pid, which
 * then must not become the last one.
 */
static void interrupt_another(struct ring *ring)
{
	ring_fill(ring, 20, 2);
	ring->pid++;
	ring->hooks.step = nested_same_pid_step;
	ring_fill(ring, 20, 2);
}

static void pid_not_marked(struct kunit *test)
{
	expect_caught(test, TRING_BUSTED_NO_PID_TOKEN, "pid", interrupt_another);
}

static struct kunit_case busted_cases[] = {
	KUNIT_CASE(payload_after_commit),
	KUNIT_CASE(last_ts_not_updated),
	KUNIT_CASE(refusal_not_counted),
	KUNIT_CASE(discard_keeps_last_ts),
	KUNIT_CASE(clock_not_clamped),
	KUNIT_CASE(pid_not_marked),
	{ }
};

static struct kunit_suite busted_suite = {
	.name = "tring_busted",
	.test_cases = busted_cases,
};

kunit_test_suite(busted_suite);
