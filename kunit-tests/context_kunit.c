// SPDX-License-Identifier: GPL-2.0
/*
 * The context of records. A record carries its pid only if the record before it has
 * another one; flags and preempt count fit into the context byte or follow it. The
 * pid that a reader infers must be the writer's, whatever interrupts the writer.
 */

#include "helpers.h"
#include "ring/internal.h"

static void write_as(struct ring *ring, u32 pid, u32 length)
{
	ring->pid = pid;
	ring_fill(ring, length, 1);
}

/* The next record has this pid, and carries it or not. */
static void expect_pid(struct ring *ring, struct walk *walk, u32 pid, bool carried)
{
	KUNIT_ASSERT_TRUE(ring->test, walk_next(walk));
	KUNIT_EXPECT_EQ(ring->test, walk->pid, pid);
	KUNIT_EXPECT_EQ_MSG(ring->test, walk_has_pid(walk), carried, "at %zu", walk->offset);
}

static void pid_carried_when_it_changes(struct kunit *test)
{
	static const struct {
		u32 pid;
		bool carried;
	} writes[] = {
		{ 7, true }, { 7, false }, { 8, true }, { 8, false }, { 7, true },
		{ 0, true }, { 0, false }, { RING_PID_MAX, true }, { RING_PID_MAX, false },
		{ 1, true }, { 1, false }, { 1, false },
	};
	struct ring *ring = ring_create(test, 2);
	unsigned int i, varies;
	struct tring_packet packet;
	struct walk walk;

	for (varies = 0; varies < 2; varies++) {
		for (i = 0; i < ARRAY_SIZE(writes); i++)
			write_as(ring, writes[i].pid, 20 + varies);
		ring_hold(ring, &packet, &walk);
		for (i = 0; i < ARRAY_SIZE(writes); i++)
			expect_pid(ring, &walk, writes[i].pid, writes[i].carried);
		KUNIT_EXPECT_FALSE(test, walk_next(&walk));
		ring_finish(ring);
	}
	ring_expect_sound(ring);
}

/* Long and extended records and full contexts always carry the pid. */
static void pid_behind_longer_heads(struct kunit *test)
{
	struct ring *ring = ring_create(test, 2);
	struct tring_packet packet;
	struct walk walk;
	unsigned int i;

	write_as(ring, 7, 20);
	ring->in_long_form = true;
	ring_fill(ring, 20, 1);
	ring->in_long_form = false;
	ring_fill(ring, 20, 1);
	ring->now += COMPACT_MAX + 1;
	ring_fill(ring, 20, 2);
	ring->fixed_context = true;
	ring->preempt_count = TRING_CONTEXT_PREEMPT_MAX + 1;
	ring_fill(ring, 20, 1);
	ring->fixed_context = false;
	ring_fill(ring, 21, 1);
	ring->fixed_context = true;
	write_as(ring, 8, 20);
	ring->fixed_context = false;
	ring_fill(ring, 20, 1);

	ring_hold(ring, &packet, &walk);
	expect_pid(ring, &walk, 7, true);
	for (i = 0; i < 3; i++) {
		expect_pid(ring, &walk, 7, true);
		expect_pid(ring, &walk, 7, false);
	}
	expect_pid(ring, &walk, 8, true);
	expect_pid(ring, &walk, 8, false);
	KUNIT_EXPECT_FALSE(test, walk_next(&walk));
	ring_finish(ring);
	ring_expect_sound(ring);
}

/* A reader needs no earlier packet to find the pids. */
static void pid_in_each_packets_first_record(struct kunit *test)
{
	struct ring *ring = ring_create(test, 6);
	unsigned int packets = 0;
	struct tring_packet packet;
	struct walk walk;

	ring_fill_packets(ring, 500);
	while (!tring_reader_take(ring->stream, true, &packet)) {
		packets++;
		walk_begin(&walk, packet.data, packet.size);
		expect_pid(ring, &walk, RING_PID, true);
		while (walk_next(&walk))
			KUNIT_EXPECT_FALSE(test, walk_has_pid(&walk));
		ring_verify(ring, &packet);
		tring_reader_put(ring->stream);
	}
	KUNIT_EXPECT_EQ(test, packets, 5);
	ring_finish(ring);
	ring_expect_sound(ring);
}

/* After a record was taken back, the next record carries its pid. */
static void pid_after_discard_taken_back(struct kunit *test)
{
	struct ring *ring = ring_create(test, 2);
	struct event event;
	struct tring_packet packet;
	struct walk walk;
	u32 pid, next;

	for (pid = 7; pid < 9; pid++)
		for (next = 7; next < 9; next++) {
			write_as(ring, 7, 20);
			ring->pid = pid;
			KUNIT_ASSERT_EQ(test, ring_reserve(ring, 20, &event), 0);
			ring_discard(ring, &event);
			write_as(ring, next, 20);
			ring_fill(ring, 20, 1);
			ring_hold(ring, &packet, &walk);
			expect_pid(ring, &walk, 7, true);
			expect_pid(ring, &walk, next, true);
			expect_pid(ring, &walk, next, false);
			KUNIT_EXPECT_FALSE(test, walk_next(&walk));
			ring_finish(ring);
		}
	ring_expect_sound(ring);
}

/* A discarded record that is kept keeps its pid; later records carry their own pid. */
static void pid_after_discard_kept(struct kunit *test)
{
	struct ring *ring = ring_create(test, 2);
	unsigned int in_long_form;
	struct event event;
	struct tring_packet packet;
	struct walk walk;
	u32 pid;

	for (in_long_form = 0; in_long_form < 2; in_long_form++)
		for (pid = 7; pid < 9; pid++) {
			write_as(ring, 7, 20);
			ring->pid = pid;
			ring->in_long_form = in_long_form;
			KUNIT_ASSERT_EQ(test, ring_reserve(ring, 20, &event), 0);
			ring->in_long_form = false;
			ring_fill(ring, 20, 1);
			ring_discard(ring, &event);
			ring_fill(ring, 20, 2);
			ring_hold(ring, &packet, &walk);
			expect_pid(ring, &walk, 7, true);
			expect_pid(ring, &walk, pid, in_long_form || pid != 7);
			KUNIT_EXPECT_EQ(test, walk.id, TRING_TYPE_DISCARDED);
			expect_pid(ring, &walk, pid, true);
			/* The discarding writer does not know the last record's pid. */
			expect_pid(ring, &walk, pid, true);
			expect_pid(ring, &walk, pid, false);
			KUNIT_EXPECT_FALSE(test, walk_next(&walk));
			ring_finish(ring);
		}
	ring_expect_sound(ring);
}

/* Actions of a writer, and of the interrupt that interrupts it. */
enum action {
	ACTION_WRITE,
	ACTION_DISCARD,
	ACTION_DISCARD_COVERED,
	ACTION_TWO,
	ACTION_LONG,
	ACTION_FULL,
	ACTION_CROSSING,		/* needs the next sub-buffer */
	ACTION_FLUSH,
	ACTIONS
};

static void run_action(struct ring *ring, enum action action)
{
	struct event event;

	switch (action) {
	case ACTION_TWO:
		ring_write(ring, 17);
		fallthrough;
	case ACTION_WRITE:
		ring_write(ring, 20);
		break;
	case ACTION_DISCARD:
	case ACTION_DISCARD_COVERED:
		if (ring_reserve(ring, 24, &event))
			break;
		if (action == ACTION_DISCARD_COVERED)
			ring_write(ring, 21);
		ring_discard(ring, &event);
		break;
	case ACTION_LONG:
		ring->in_long_form = true;
		ring_write(ring, 20);
		ring->in_long_form = false;
		break;
	case ACTION_FULL:
		ring->fixed_context = true;
		ring->flags = 0x40;
		ring_write(ring, 20);
		ring->fixed_context = false;
		break;
	case ACTION_CROSSING:
		ring_write(ring, 3900);
		break;
	case ACTION_FLUSH:
		ring_flush(ring);
		break;
	case ACTIONS:
		break;
	}
}

/**
 * struct interruption - one interrupt
 * @step: step at which it comes
 * @occurrence: number of passes of @step that it lets go by
 * @action: its action
 * @pid: its pid
 * @fired: the interrupt has come
 */
struct interruption {
	enum tring_step	step;
	unsigned int	occurrence;
	enum action	action;
	u32		pid;
	bool		fired;
};

static void interrupt_step(struct tring_cpu_buffer *cpu_buffer, enum tring_step step)
{
	struct ring *ring = ring_of(cpu_buffer);
	struct interruption *interruption = ring->private;
	bool in_long_form = ring->in_long_form;
	bool fixed_context = ring->fixed_context;
	u32 pid = ring->pid;

	if (step != interruption->step || interruption->fired)
		return;
	if (interruption->occurrence) {
		interruption->occurrence--;
		return;
	}
	interruption->fired = true;
	ring->pid = interruption->pid;
	ring->in_long_form = false;
	ring->fixed_context = false;
	run_action(ring, interruption->action);
	ring->fixed_context = fixed_context;
	ring->in_long_form = in_long_form;
	ring->pid = pid;
}

/*
 * One write, one action, two more writes; bit n of @pids selects the pid of the nth
 * of them. False if the interrupt did not come.
 */
static bool run_interrupted(struct ring *ring, enum action action, unsigned int pids,
			    struct interruption *interruption)
{
	ring->private = interruption;
	ring->hooks.step = interrupt_step;
	ring->pid = 7 + (pids & 1);
	ring_write(ring, 16);
	ring->pid = 7 + (pids >> 1 & 1);
	run_action(ring, action);
	ring->pid = 7 + (pids >> 2 & 1);
	ring_write(ring, 16);
	ring->pid = 7 + (pids >> 3 & 1);
	ring_write(ring, 17);
	ring->hooks.step = NULL;
	ring_finish(ring);
	return interruption->fired;
}

static const void *next_step(const void *previous, char *name)
{
	const char *const *step = previous ? previous : NULL;

	step = step ? step + 1 : step_names;
	if (step > step_names + TRING_STEP_DISCARD_KEPT)
		return NULL;
	strscpy(name, *step, KUNIT_PARAM_DESC_SIZE);
	return step;
}

/*
 * Each action with each combination of two pids, interrupted by each action of each
 * pid at each pass of the step. ring_verify() compares each pid with the attempt's.
 */
static void pid_interrupted_at_step(struct kunit *test)
{
	struct ring *ring = ring_create(test, 3);
	unsigned long fired = 0;
	unsigned int run;

	for (run = 0; run < ACTIONS * ACTIONS * 32 && !ring->faults; run++) {
		enum action action = run / 32 % ACTIONS;
		unsigned int occurrence = 0;
		struct interruption interruption;

		do {
			interruption = (struct interruption) {
				.step = (const char *const *)test->param_value - step_names,
				.occurrence = occurrence++,
				.action = run / 32 / ACTIONS,
				.pid = 7 + (run >> 4 & 1),
			};
		} while (run_interrupted(ring, action, run & 15, &interruption) && !ring->faults);
		fired += occurrence - 1;
		if (ring->faults)
			kunit_info(test, "action %u by %#x, interrupted by action %u of %u, time %u\n",
				   action, run & 15, interruption.action, interruption.pid,
				   occurrence - 1);
	}
	KUNIT_EXPECT_GT(test, fired, 0);
	ring_expect_sound(ring);
}

/* Progress of pid_interrupted_by_switch. */
enum switch_stage {
	SWITCH_OUTER,		/* wait until the outer writer has moved the position */
	SWITCH_DONE,
	SWITCH_NESTED,		/* wait until the nested writer has read last_pid */
	SWITCH_END
};

static void switch_step(struct tring_cpu_buffer *cpu_buffer, enum tring_step step)
{
	struct ring *ring = ring_of(cpu_buffer);
	enum switch_stage *stage = ring->private;
	struct event event;

	if (*stage == SWITCH_OUTER && step == TRING_STEP_RESERVE_CLAIMED) {
		*stage = SWITCH_DONE;
		KUNIT_EXPECT_EQ(ring->test, ring_switch(ring, 3, PAGE_SIZE), 0);
		write_as(ring, 7, 20);
		*stage = SWITCH_NESTED;
		ring->now += 100;
		write_as(ring, 7, 20);
		ring->pid = 8;
	} else if (*stage == SWITCH_NESTED && step == TRING_STEP_RESERVE_BOUND) {
		*stage = SWITCH_END;
		/* An older timestamp: the nested writer replaces it in last_ts. */
		ring->now -= 50;
		if (!ring_reserve(ring, 20, &event))
			ring_discard(ring, &event);
		ring->now += 50;
	}
}

/*
 * Positions in the new memory differ from those in the old memory only in their
 * generation. The token that a discard leaves in last_pid there must differ from the
 * token of a writer that was interrupted before the switch.
 */
static void pid_interrupted_by_switch(struct kunit *test)
{
	struct ring *ring = ring_create(test, 3);
	enum switch_stage stage = SWITCH_OUTER;

	ring->unsteady = true;
	write_as(ring, 7, 20);
	ring->private = &stage;
	ring->hooks.step = switch_step;
	write_as(ring, 8, 20);
	ring->hooks.step = NULL;
	KUNIT_EXPECT_EQ(test, stage, SWITCH_END);
	write_as(ring, 8, 20);
	ring_finish(ring);
	ring_expect_sound(ring);
}

/* Every pair of flags and preempt count: it fits into the byte, or it does not. */
static void context_pack_every_pair(struct kunit *test)
{
	/* Flags with a bit each in the context byte, and flags that share one. */
	const u8 alone = 0x01 | 0x08 | 0x10, together = 0x04 | 0x20;
	unsigned int flags, count, wrong = 0, full = 0;

	for (flags = 0; flags < 256; flags++)
		for (count = 0; count < 256; count++) {
			u8 byte = tring_context_pack(flags, count);
			bool fits = !(flags & ~(alone | together)) && count < 7 &&
				    ((flags & together) == 0 || (flags & together) == together);

			if (byte & TRING_CONTEXT_HAS_PID || tring_context_is_full(byte) == fits)
				wrong++;
			if (!fits) {
				full++;
				wrong += byte != TRING_CONTEXT_FULL;
				continue;
			}
			wrong += tring_context_flags(byte) != flags;
			wrong += tring_context_preempt_count(byte) != count;
			wrong += tring_context_size(byte) != 1;
			wrong += tring_context_size(byte | TRING_CONTEXT_HAS_PID) != 5;
			/* TRING_CONTEXT_HAS_PID changes no flag. */
			byte |= TRING_CONTEXT_HAS_PID;
			wrong += tring_context_flags(byte) != flags || tring_context_is_full(byte);
		}
	KUNIT_EXPECT_EQ(test, wrong, 0);
	KUNIT_EXPECT_EQ(test, full, 65536 - 16 * 7);
	KUNIT_EXPECT_EQ(test, tring_context_size(TRING_CONTEXT_FULL | TRING_CONTEXT_HAS_PID), 7);
}

static const struct {
	u8 flags;
	u8 preempt_count;
	bool full;
} contexts[] = {
	{ 0x00, 0, false },
	{ 0x01, 0, false },	/* IRQS_OFF */
	{ 0x02, 0, true },
	{ 0x04, 0, true },	/* NEED_RESCHED alone */
	{ 0x08, 0, false },	/* HARDIRQ */
	{ 0x10, 0, false },	/* SOFTIRQ */
	{ 0x20, 0, true },	/* PREEMPT_RESCHED alone */
	{ 0x24, 0, false },	/* both */
	{ 0x40, 0, true },	/* NMI */
	{ 0x80, 0, true },
	{ 0x3d, 6, false },
	{ 0x7d, 6, true },
	{ 0xff, 0xff, true },
	{ 0x00, 6, false },
	{ 0x00, 7, true },
	{ 0x00, 15, true },
	{ 0x00, 0x10, true },	/* migration disabled, once */
	{ 0x01, 0xf1, true },
};

/* Each context in each form of record: compact, long, extended, in the next packet. */
static void context_of_every_kind_of_record(struct kunit *test)
{
	static const u32 lengths[] = { RING_EVENT_MIN, 20, 21, 3900 };
	struct ring *ring = ring_create(test, 4);
	unsigned int i, run, full = 0;
	struct tring_packet packet;
	struct walk walk;

	for (run = 0; run < ARRAY_SIZE(lengths) * 2 * 2; run++) {
		u32 length = lengths[run / 4];

		for (i = 0; i < ARRAY_SIZE(contexts); i++) {
			ring_fill(ring, 20, 1);
			ring->in_long_form = run & 1;
			if (run & 2)
				ring->now += COMPACT_MAX + 1;
			ring->fixed_context = true;
			ring->flags = contexts[i].flags;
			ring->preempt_count = contexts[i].preempt_count;
			ring_fill(ring, length, 1);
			ring->fixed_context = false;
			ring->in_long_form = false;
			ring_fill(ring, 20, 1);
			if (length < 100) {
				ring_hold(ring, &packet, &walk);
				KUNIT_ASSERT_TRUE(test, walk_next(&walk));
				KUNIT_ASSERT_TRUE(test, walk_next(&walk));
				KUNIT_EXPECT_EQ(test, tring_context_is_full(walk.context),
						contexts[i].full);
				full += tring_context_is_full(walk.context);
			}
			ring_drain(ring);
		}
	}
	KUNIT_EXPECT_GT(test, full, 0);
	ring_finish(ring);
	ring_expect_sound(ring);
}

/* A discarded record that is kept keeps its full context and its pid. */
static void context_full_discarded(struct kunit *test)
{
	struct ring *ring = ring_create(test, 2);
	struct event event;
	u32 length;

	for (length = RING_EVENT_MIN; length < 40; length++) {
		ring->in_long_form = length % 3 == 0;
		ring->fixed_context = true;
		ring->flags = 0xc2;
		ring->preempt_count = length;
		KUNIT_ASSERT_EQ(test, ring_reserve(ring, length, &event), 0);
		ring->fixed_context = false;
		ring_fill(ring, 20, 1);
		ring_discard(ring, &event);
		ring_drain(ring);
		KUNIT_EXPECT_EQ(test, ring->last_discarded, 1);
	}
	ring_finish(ring);
	ring_expect_sound(ring);
}

static struct kunit_case context_cases[] = {
	KUNIT_CASE(pid_carried_when_it_changes),
	KUNIT_CASE(pid_behind_longer_heads),
	KUNIT_CASE(pid_in_each_packets_first_record),
	KUNIT_CASE(pid_after_discard_taken_back),
	KUNIT_CASE(pid_after_discard_kept),
	KUNIT_CASE_PARAM(pid_interrupted_at_step, next_step),
	KUNIT_CASE(pid_interrupted_by_switch),
	KUNIT_CASE(context_pack_every_pair),
	KUNIT_CASE(context_of_every_kind_of_record),
	KUNIT_CASE(context_full_discarded),
	{ }
};

static struct kunit_suite context_suite = {
	.name = "tring_context",
	.test_cases = context_cases,
};

kunit_test_suite(context_suite);
