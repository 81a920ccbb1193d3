// SPDX-License-Identifier: GPL-2.0
/*
 * Writers, flushes, readers and switches that interrupt a scenario: at every step of
 * steps.h, each time that the scenario passes the step, one and two levels deep.
 */

#include <linux/preempt.h>
#include <linux/random.h>

#include "helpers.h"
#include "ring/internal.h"

#define SUBBUFS		3
#define LEVELS		2
#define OTHER_PID	(RING_PID + 1)

/* Actions of an interrupt. */
enum nested {
	NESTED_SMALL,		/* write an event */
	NESTED_CROSSING,	/* write an event that needs the next sub-buffer */
	NESTED_DISCARD,		/* discard an event */
	NESTED_FLUSH,
	NESTED_COVERED_DISCARD,	/* discard an event that is not the last one */
	NESTED_TWO,
	NESTED_CROSSING_DISCARD,
	NESTED_WRITE_FLUSH,
	NESTED_FLUSH_WRITE,
	NESTED_LAP,		/* write more than the ring holds */
	NESTED_LATER,		/* write an event that needs a full timestamp */
	NESTED_TAKE,		/* take a packet */
	NESTED_TAKE_FLUSH,
	NESTED_PEEK,		/* peek at all packets */
	NESTED_PEEK_OPEN,	/* and at the open one */
	NESTED_SWITCH,		/* switch to memory of another size */
	NESTED_KINDS
};

#define NESTED_KINDS_DEEP	(NESTED_COVERED_DISCARD + 1)

/**
 * struct level - one interrupt
 * @step: step at which it comes
 * @occurrence: number of earlier passes of @step that it lets go by
 * @kind: its action
 * @pid: pid of its writers; the interrupted writer's or another one
 * @seen: number of times that @step was passed so far
 * @fired: the interrupt has come
 */
struct level {
	enum tring_step	step;
	unsigned int	occurrence;
	enum nested	kind;
	u32		pid;
	unsigned int	seen;
	bool		fired;
};

/* Level 0 interrupts the scenario, each further level the one before it. */
struct sweep {
	struct level	levels[LEVELS];
	unsigned int	nr_levels;
	unsigned int	depth;
};

static void write_and_discard(struct ring *ring, u32 length)
{
	struct event event;

	if (!ring_reserve(ring, length, &event))
		ring_discard(ring, &event);
}

/* Discard a record that has another record behind it. */
static void discard_covered(struct ring *ring, u32 length)
{
	struct event outer;
	int err;

	err = ring_reserve(ring, length, &outer);
	ring_write(ring, 20);
	if (!err)
		ring_discard(ring, &outer);
}

static void run_nested(struct ring *ring, enum nested kind)
{
	unsigned int i;

	switch (kind) {
	case NESTED_TWO:
		ring_write(ring, 21);
		fallthrough;
	case NESTED_SMALL:
		ring_write(ring, 17);
		break;
	case NESTED_CROSSING:
		ring_write(ring, 3500);
		break;
	case NESTED_DISCARD:
		write_and_discard(ring, 33);
		break;
	case NESTED_FLUSH:
		ring_flush(ring);
		break;
	case NESTED_COVERED_DISCARD:
		discard_covered(ring, 15);
		break;
	case NESTED_CROSSING_DISCARD:
		write_and_discard(ring, 3500);
		break;
	case NESTED_WRITE_FLUSH:
		ring_write(ring, 12);
		ring_flush(ring);
		break;
	case NESTED_FLUSH_WRITE:
		ring_flush(ring);
		ring_write(ring, 12);
		break;
	case NESTED_LAP:
		for (i = 0; i < 2 * SUBBUFS + 1; i++)
			ring_write(ring, 3000);
		break;
	case NESTED_LATER:
		ring->now += COMPACT_MAX;
		ring_write(ring, 113);
		break;
	case NESTED_TAKE:
		ring_take_inside(ring, false);
		break;
	case NESTED_TAKE_FLUSH:
		ring_take_inside(ring, true);
		break;
	case NESTED_PEEK:
		ring_peek(ring);
		break;
	case NESTED_PEEK_OPEN:
		ring_peek_open(ring);
		break;
	case NESTED_SWITCH:
		if (!ring_switch(ring, SUBBUFS + 1, 2 * PAGE_SIZE))
			ring_write(ring, 19);
		break;
	case NESTED_KINDS:
		break;
	}
}

static void sweep_step(struct tring_cpu_buffer *cpu_buffer, enum tring_step step)
{
	struct ring *ring = ring_of(cpu_buffer);
	struct sweep *sweep = ring->private;
	struct level *level = &sweep->levels[sweep->depth];
	u32 outer = ring->pid;

	if (sweep->depth == sweep->nr_levels || level->fired || step != level->step ||
	    level->seen++ != level->occurrence)
		return;
	level->fired = true;
	sweep->depth++;
	ring->pid = level->pid;
	run_nested(ring, level->kind);
	ring->pid = outer;
	sweep->depth--;
}

/*
 * Passes every step of writers and readers, most steps several times, with two
 * different pids.
 */
static void run_scenario(struct ring *ring)
{
	struct event outer, inner;
	int outer_err, inner_err;
	unsigned int i;

	ring->pid = RING_PID;
	ring_write(ring, 30);
	for (i = 0; i < 4; i++)
		ring_write(ring, 1500);
	ring->pid = OTHER_PID;
	ring_write(ring, 31);
	write_and_discard(ring, 50);
	ring->now += COMPACT_MAX + 1;
	ring_write(ring, 14);
	ring->pid = RING_PID;
	discard_covered(ring, 200);

	outer_err = ring_reserve(ring, 3500, &outer);
	inner_err = ring_reserve(ring, 29, &inner);
	if (!inner_err)
		ring_commit(ring, &inner);
	if (!outer_err)
		ring_commit(ring, &outer);
	ring_flush(ring);
	ring_write(ring, 3000);
	ring_write(ring, 3000);
	ring_take(ring, false);
	ring_write(ring, 40);
	ring_take(ring, true);
	ring_settle(ring, false);
	ring_write(ring, 41);
	if (!ring_switch(ring, SUBBUFS, PAGE_SIZE))
		ring_settle(ring, false);
	ring_write(ring, 42);
	ring_peek(ring);
	ring_peek_open(ring);
	ring_take(ring, true);
}

/* Run the scenario with the interrupts of @sweep; false if the last one did not come. */
static bool run_interrupted(struct ring *ring, struct sweep *sweep)
{
	unsigned int i;
	bool fired;

	for (i = 0; i < LEVELS; i++) {
		sweep->levels[i].seen = 0;
		sweep->levels[i].fired = false;
	}
	ring->private = sweep;
	ring->hooks.step = sweep_step;
	run_scenario(ring);
	ring->hooks.step = NULL;
	fired = sweep->levels[sweep->nr_levels - 1].fired;
	ring_finish(ring);
	return fired;
}

static void explain(struct ring *ring, const struct sweep *sweep)
{
	unsigned int i;

	if (!ring->faults)
		return;
	for (i = 0; i < sweep->nr_levels; i++)
		kunit_info(ring->test, "level %u: kind %u of %u at %s, time %u, overwrite %d\n",
			   i, sweep->levels[i].kind, sweep->levels[i].pid,
			   step_names[sweep->levels[i].step], sweep->levels[i].occurrence,
			   ring->buffer->overwrite);
}

/* Interrupt with each kind at each pass of @step; returns the number of interrupts. */
static unsigned long sweep_one_level(struct ring *ring, enum tring_step step)
{
	struct sweep sweep = { .nr_levels = 1 };
	struct level *level = &sweep.levels[0];
	unsigned long fired = 0;
	unsigned int run;

	level->step = step;
	for (run = 0; run < 2 * 2; run++) {
		tring_buffer_set_overwrite(ring->buffer, run & 1);
		level->pid = run & 2 ? OTHER_PID : RING_PID;
		for (level->kind = 0; level->kind < NESTED_KINDS; level->kind++) {
			level->occurrence = 0;
			while (run_interrupted(ring, &sweep) && !ring->faults) {
				level->occurrence++;
				fired++;
			}
			if (ring->faults) {
				explain(ring, &sweep);
				return fired;
			}
		}
	}
	return fired;
}

/* Interrupt at the first two passes of @step, and interrupt that at each of its steps. */
static unsigned long sweep_two_levels(struct ring *ring, enum tring_step step)
{
	struct sweep sweep = { .nr_levels = 2 };
	struct level *outer = &sweep.levels[0];
	struct level *inner = &sweep.levels[1];
	unsigned long fired = 0;
	unsigned int run;

	outer->step = step;
	/* Each interrupt has another pid than the writer that it interrupts. */
	outer->pid = OTHER_PID;
	inner->pid = RING_PID;
	for (run = 0; run < 2 * 2 * NESTED_KINDS_DEEP * NESTED_KINDS_DEEP; run++) {
		tring_buffer_set_overwrite(ring->buffer, run & 1);
		outer->occurrence = (run >> 1) & 1;
		outer->kind = (run >> 2) % NESTED_KINDS_DEEP;
		inner->kind = (run >> 2) / NESTED_KINDS_DEEP;
		for (inner->step = 0; inner->step < TRING_STEPS; inner->step++) {
			inner->occurrence = 0;
			while (run_interrupted(ring, &sweep) && !ring->faults) {
				inner->occurrence++;
				fired++;
			}
			if (ring->faults) {
				explain(ring, &sweep);
				return fired;
			}
		}
	}
	return fired;
}

static const void *next_step(const void *previous, char *name)
{
	const char *const *step = previous ? previous : NULL;

	step = step ? step + 1 : step_names;
	if (step == step_names + TRING_STEPS)
		return NULL;
	strscpy(name, *step, KUNIT_PARAM_DESC_SIZE);
	return step;
}

static enum tring_step param_step(struct kunit *test)
{
	return (const char *const *)test->param_value - step_names;
}

static void interrupt_at_step(struct kunit *test)
{
	struct ring *ring = ring_create(test, SUBBUFS);

	KUNIT_EXPECT_GT(test, sweep_one_level(ring, param_step(test)), 0);
	ring_expect_sound(ring);
}

static void interrupt_at_step_twice(struct kunit *test)
{
	struct ring *ring = ring_create(test, SUBBUFS);

	KUNIT_EXPECT_GT(test, sweep_two_levels(ring, param_step(test)), 0);
	ring_expect_sound(ring);
}

/* Before the first record a ring has no current sub-buffer. */
static void reserve_interrupted_first_packet(struct kunit *test)
{
	static const enum nested kinds[] = { NESTED_SMALL, NESTED_CROSSING, NESTED_DISCARD,
					     NESTED_FLUSH_WRITE };
	struct sweep sweep = { .nr_levels = 1 };
	struct ring *ring;
	unsigned int i;

	sweep.levels[0].step = param_step(test);
	sweep.levels[0].pid = OTHER_PID;
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		ring = ring_create(test, SUBBUFS);
		sweep.levels[0].kind = kinds[i];
		run_interrupted(ring, &sweep);
		explain(ring, &sweep);
		ring_expect_sound(ring);
	}
}

/* A clock that steps back by up to 64 ticks between two reads, but advances over time. */
static u64 jittery_clock(struct tring_cpu_buffer *cpu_buffer)
{
	ring_clock(cpu_buffer);
	return ring_of(cpu_buffer)->now - get_random_u32_below(64);
}

/* A clock that sometimes falls back to half its value, far more than COMPACT_MAX. */
static u64 falling_clock(struct tring_cpu_buffer *cpu_buffer)
{
	struct ring *ring = ring_of(cpu_buffer);

	ring->now += get_random_u32_below(4) ? 10 : COMPACT_MAX;
	return get_random_u32_below(4) ? ring->now : ring->now / 2;
}

static void stamp_monotonic_jittery_clock(struct kunit *test)
{
	struct ring *ring = ring_create(test, SUBBUFS);

	ring->hooks.clock = jittery_clock;
	ring->unsteady = true;
	KUNIT_EXPECT_GT(test, sweep_one_level(ring, param_step(test)), 0);
	ring_expect_sound(ring);
}

static void stamp_monotonic_falling_clock(struct kunit *test)
{
	struct ring *ring = ring_create(test, SUBBUFS);

	ring->hooks.clock = falling_clock;
	ring->unsteady = true;
	KUNIT_EXPECT_GT(test, sweep_one_level(ring, param_step(test)), 0);
	ring_expect_sound(ring);
}

static void stamp_monotonic_jittery_clock_twice(struct kunit *test)
{
	struct ring *ring = ring_create(test, SUBBUFS);

	ring->hooks.clock = jittery_clock;
	ring->unsteady = true;
	KUNIT_EXPECT_GT(test, sweep_two_levels(ring, TRING_STEP_RESERVE_CLOCK), 0);
	KUNIT_EXPECT_GT(test, sweep_two_levels(ring, TRING_STEP_RESERVE_BOUND), 0);
	KUNIT_EXPECT_GT(test, sweep_two_levels(ring, TRING_STEP_RESERVE_BEFORE), 0);
	KUNIT_EXPECT_GT(test, sweep_two_levels(ring, TRING_STEP_RESERVE_CLAIMED), 0);
	ring_expect_sound(ring);
}

/* Each attempt of a reservation is disturbed by an interrupt that writes. */
static void disturb_from_irq(struct tring_cpu_buffer *cpu_buffer, enum tring_step step)
{
	struct ring *ring = ring_of(cpu_buffer);

	if (step != TRING_STEP_RESERVE_CLOCK || ring->private)
		return;
	ring->private = ring;
	__preempt_count_add(HARDIRQ_OFFSET);
	ring_write(ring, 12);
	__preempt_count_sub(HARDIRQ_OFFSET);
	ring->private = NULL;
}

static void reserve_retries_exhausted(struct kunit *test)
{
	struct ring *ring = ring_create(test, SUBBUFS);

	ring_fill(ring, 12, 1);
	ring->hooks.step = disturb_from_irq;
	KUNIT_EXPECT_EQ(test, ring_write(ring, 12), -EAGAIN);
	ring->hooks.step = NULL;
	/* The interrupts' events: one of the fast path, the others of the loop. */
	KUNIT_EXPECT_EQ(test, ring->committed, 1 + 1 + TRING_RETRIES_MAX);
	KUNIT_EXPECT_EQ(test, ring->refused[TRING_REFUSED_RETRIES], 1);
	ring_finish(ring);
	ring_expect_sound(ring);
}

/* As above, in each context but an NMI. */
static void disturb_from_nmi(struct tring_cpu_buffer *cpu_buffer, enum tring_step step)
{
	struct ring *ring = ring_of(cpu_buffer);

	if (step != TRING_STEP_RESERVE_CLOCK || ring->private)
		return;
	ring->private = ring;
	__preempt_count_add(NMI_OFFSET);
	ring_write(ring, 12);
	__preempt_count_sub(NMI_OFFSET);
	ring->private = NULL;
}

/* A ring that keeps its memory would have other sub-buffers than the rest. */
static void switch_wins_in_the_end(struct kunit *test)
{
	struct ring *ring = ring_create(test, SUBBUFS);

	ring_fill(ring, 12, 1);
	ring->hooks.step = disturb_from_nmi;
	KUNIT_EXPECT_EQ(test, tring_buffer_set_subbuf_size(ring->buffer, 2 * PAGE_SIZE), 0);
	ring->hooks.step = NULL;
	KUNIT_EXPECT_EQ(test, tring_buffer_subbuf_size(ring->buffer), 2 * PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, ring->cpu_buffer->memory->subbuf_size, 2 * PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, ring->committed, 1 + TRING_RETRIES_MAX);
	KUNIT_EXPECT_EQ(test, ring->refused[TRING_REFUSED_NESTED], 1);
	ring_finish(ring);
	ring_expect_sound(ring);
}

static void reserve_nested_too_deep(struct kunit *test)
{
	struct ring *ring = ring_create(test, SUBBUFS);
	struct event events[TRING_NESTING_MAX];
	int i;

	for (i = 0; i < TRING_NESTING_MAX; i++)
		KUNIT_ASSERT_EQ(test, ring_reserve(ring, 12 + i, &events[i]), 0);
	KUNIT_EXPECT_EQ(test, ring_write(ring, 12), -ELOOP);
	while (i--)
		ring_commit(ring, &events[i]);
	KUNIT_EXPECT_EQ(test, ring->refused[TRING_REFUSED_NESTED], 1);
	ring_finish(ring);
	ring_expect_sound(ring);
}

/* Progress of reserve_stale_current_at_boundary. */
enum boundary_stage {
	BOUNDARY_OUTER,		/* wait until the outer writer enters a packet */
	BOUNDARY_FILL,
	BOUNDARY_INNER,		/* wait until the inner writer moves the position */
	BOUNDARY_FLUSH,
	BOUNDARY_NEXT,		/* wait until a later writer opens the next packet */
	BOUNDARY_WRITE,
	BOUNDARY_END
};

static void boundary_step(struct tring_cpu_buffer *cpu_buffer, enum tring_step step)
{
	struct ring *ring = ring_of(cpu_buffer);
	enum boundary_stage *stage = ring->private;

	if (*stage == BOUNDARY_OUTER && step == TRING_STEP_ENTER_HEADER) {
		*stage = BOUNDARY_FILL;
		ring_fill(ring, 3000, 2);
		write_and_discard(ring, 12);
		*stage = BOUNDARY_INNER;
		ring_fill(ring, 12, 1);
	} else if (*stage == BOUNDARY_INNER && step == TRING_STEP_RESERVE_CLAIMED) {
		*stage = BOUNDARY_FLUSH;
		ring_flush(ring);
		*stage = BOUNDARY_NEXT;
	} else if (*stage == BOUNDARY_NEXT && step == TRING_STEP_ENTER_COUNTED) {
		*stage = BOUNDARY_WRITE;
		ring_fill(ring, 12, 1);
		*stage = BOUNDARY_END;
	}
}

/*
 * A writer that is interrupted before it stores current_subbuf leaves current_subbuf
 * a lap behind. Later the writer of the next lap opens that sub-buffer, while the
 * position still is at its first byte, where a flush left it. A nested writer then
 * finds current_subbuf and the position in agreement, and must not write there.
 * The unknown last_ts that the flush leaves does not protect against this: while the
 * clock stands still, a writer that the flush interrupted replaces it.
 */
static void reserve_stale_current_at_boundary(struct kunit *test)
{
	struct ring *ring = ring_create(test, SUBBUFS);
	enum boundary_stage stage = BOUNDARY_OUTER;

	ring->tick = 0;
	ring->unsteady = true;
	/* The writer that enters the next packet then has no packet to close. */
	ring_fill(ring, 3000, 1);
	ring_flush(ring);
	ring->private = &stage;
	ring->hooks.step = boundary_step;
	ring_fill(ring, 3000, 1);
	KUNIT_EXPECT_EQ(test, stage, BOUNDARY_NEXT);
	KUNIT_EXPECT_EQ(test, ring_offset(ring), 0);
	ring_fill(ring, 3000, 1);
	KUNIT_EXPECT_EQ(test, stage, BOUNDARY_END);
	ring->hooks.step = NULL;
	ring_finish(ring);
	ring_expect_sound(ring);
}

static struct kunit_case nesting_cases[] = {
	KUNIT_CASE_PARAM(reserve_interrupted_first_packet, next_step),
	KUNIT_CASE_PARAM(interrupt_at_step, next_step),
	KUNIT_CASE_PARAM_ATTR(interrupt_at_step_twice, next_step, { .speed = KUNIT_SPEED_SLOW }),
	KUNIT_CASE_PARAM(stamp_monotonic_jittery_clock, next_step),
	KUNIT_CASE_PARAM(stamp_monotonic_falling_clock, next_step),
	KUNIT_CASE_SLOW(stamp_monotonic_jittery_clock_twice),
	KUNIT_CASE(reserve_retries_exhausted),
	KUNIT_CASE(switch_wins_in_the_end),
	KUNIT_CASE(reserve_nested_too_deep),
	KUNIT_CASE(reserve_stale_current_at_boundary),
	{ }
};

static struct kunit_suite nesting_suite = {
	.name = "tring_nesting",
	.test_cases = nesting_cases,
};

kunit_test_suite(nesting_suite);
