// SPDX-License-Identifier: GPL-2.0
/*
 * In what context a record was written: pids, which are left out where they can
 * be, and flags and preempt counts, which a byte can say or not. What is left
 * out must be right whatever comes in between.
 */

#include "helpers.h"
#include "ring/internal.h"

static void write_as(struct ring *ring, u32 pid, u32 length)
{
	ring->pid = pid;
	ring_fill(ring, length, 1);
}

/* The next record has this pid, and says so itself or not. */
static void expect_pid(struct ring *ring, struct walk *walk, u32 pid, bool said)
{
	KUNIT_ASSERT_TRUE(ring->test, walk_next(walk));
	KUNIT_EXPECT_EQ(ring->test, walk->pid, pid);
	KUNIT_EXPECT_EQ_MSG(ring->test, walk_has_pid(walk), said, "at %zu", walk->offset);
}

static void pid_said_where_it_changed(struct kunit *test)
{
	static const struct {
		u32 pid;
		bool said;
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
			expect_pid(ring, &walk, writes[i].pid, writes[i].said);
		KUNIT_EXPECT_FALSE(test, walk_next(&walk));
		ring_finish(ring);
	}
	ring_expect_sound(ring);
}

/* Long, extended and full ones always say it; others may rely on that. */
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
	ring->has_context = true;
	ring->preempt_count = TRING_CONTEXT_PREEMPT_MAX + 1;
	ring_fill(ring, 20, 1);
	ring->has_context = false;
	ring_fill(ring, 21, 1);
	ring->has_context = true;
	write_as(ring, 8, 20);
	ring->has_context = false;
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

/* So that each packet can be read by itself. */
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

/* The pid of a record that is no more is nothing to rely on. */
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

/* One that stays keeps its pid; who came in between says his all the same. */
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
			/* What came behind it is last, but who discards cannot know. */
			expect_pid(ring, &walk, pid, true);
			expect_pid(ring, &walk, pid, false);
			KUNIT_EXPECT_FALSE(test, walk_next(&walk));
			ring_finish(ring);
		}
	ring_expect_sound(ring);
}

/* What somebody does, and what somebody else does in between. */
enum deed {
	DEED_WRITE,
	DEED_DISCARD,
	DEED_DISCARD_COVERED,
	DEED_TWO,
	DEED_LONG,
	DEED_FULL,
	DEED_CROSSING,		/* needs the next sub-buffer */
	DEED_FLUSH,
	DEEDS
};

static void do_deed(struct ring *ring, enum deed deed)
{
	struct event event;

	switch (deed) {
	case DEED_TWO:
		ring_write(ring, 17);
		fallthrough;
	case DEED_WRITE:
		ring_write(ring, 20);
		break;
	case DEED_DISCARD:
	case DEED_DISCARD_COVERED:
		if (ring_reserve(ring, 24, &event))
			break;
		if (deed == DEED_DISCARD_COVERED)
			ring_write(ring, 21);
		ring_discard(ring, &event);
		break;
	case DEED_LONG:
		ring->in_long_form = true;
		ring_write(ring, 20);
		ring->in_long_form = false;
		break;
	case DEED_FULL:
		ring->has_context = true;
		ring->flags = 0x40;
		ring_write(ring, 20);
		ring->has_context = false;
		break;
	case DEED_CROSSING:
		ring_write(ring, 3900);
		break;
	case DEED_FLUSH:
		ring_flush(ring);
		break;
	case DEEDS:
		break;
	}
}

/**
 * struct interruption - what comes in between
 * @step: at this step
 * @occurrence: passed for this time
 * @deed: this
 * @pid: by this one
 * @fired: done
 */
struct interruption {
	enum tring_step	step;
	unsigned int	occurrence;
	enum deed	deed;
	u32		pid;
	bool		fired;
};

static void interrupt_step(struct tring_cpu_buffer *cpu_buffer, enum tring_step step)
{
	struct ring *ring = ring_of(cpu_buffer);
	struct interruption *interruption = ring->private;
	bool in_long_form = ring->in_long_form;
	bool has_context = ring->has_context;
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
	ring->has_context = false;
	do_deed(ring, interruption->deed);
	ring->has_context = has_context;
	ring->in_long_form = in_long_form;
	ring->pid = pid;
}

/*
 * Somebody writes, then somebody does something, then two more write: by each of
 * two, and any of the two does any other thing in between. False once nothing
 * comes in between any more.
 */
static bool run_interrupted(struct ring *ring, enum deed deed, unsigned int pids,
			    struct interruption *interruption)
{
	ring->private = interruption;
	ring->hooks.step = interrupt_step;
	ring->pid = 7 + (pids & 1);
	ring_write(ring, 16);
	ring->pid = 7 + (pids >> 1 & 1);
	do_deed(ring, deed);
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

/* ring_verify() compares each pid with that of the attempt. */
static void pid_interrupted_at_step(struct kunit *test)
{
	struct ring *ring = ring_create(test, 3);
	unsigned long fired = 0;
	unsigned int run;

	for (run = 0; run < DEEDS * DEEDS * 32 && !ring->faults; run++) {
		enum deed deed = run / 32 % DEEDS;
		unsigned int occurrence = 0;
		struct interruption interruption;

		do {
			interruption = (struct interruption) {
				.step = (const char *const *)test->param_value - step_names,
				.occurrence = occurrence++,
				.deed = run / 32 / DEEDS,
				.pid = 7 + (run >> 4 & 1),
			};
		} while (run_interrupted(ring, deed, run & 15, &interruption) && !ring->faults);
		fired += occurrence - 1;
		if (ring->faults)
			kunit_info(test, "deed %u by %#x, interrupted by deed %u of %u, time %u\n",
				   deed, run & 15, interruption.deed, interruption.pid,
				   occurrence - 1);
	}
	KUNIT_EXPECT_GT(test, fired, 0);
	ring_expect_sound(ring);
}

/* Where pid_interrupted_by_switch has got to. */
enum switch_stage {
	SWITCH_OUTER,		/* wait for the outer writer to have his place */
	SWITCH_DONE,
	SWITCH_NESTED,		/* wait for the nested one to have read last_pid */
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
		/* Older, so that what it leaves in last_ts is replaced. */
		ring->now -= 50;
		if (!ring_reserve(ring, 20, &event))
			ring_discard(ring, &event);
		ring->now += 50;
	}
}

/*
 * In other memory there are positions again that only differ in their generation
 * from those before: what a discard leaves there must not be taken for what a writer
 * has left who was interrupted before the switch.
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

/* What a byte says, and what it cannot: all that there is. */
static void context_pack_every_pair(struct kunit *test)
{
	/* Bits that have one in the byte, and those that have one together. */
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
			/* A pid in the byte is nobody's flag. */
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

/* In records of each kind: behind the last one, extended, in the next packet. */
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
			ring->has_context = true;
			ring->flags = contexts[i].flags;
			ring->preempt_count = contexts[i].preempt_count;
			ring_fill(ring, length, 1);
			ring->has_context = false;
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

/* A full one is discarded, and kept: with its flags, count and pid. */
static void context_full_discarded(struct kunit *test)
{
	struct ring *ring = ring_create(test, 2);
	struct event event;
	u32 length;

	for (length = RING_EVENT_MIN; length < 40; length++) {
		ring->in_long_form = length % 3 == 0;
		ring->has_context = true;
		ring->flags = 0xc2;
		ring->preempt_count = length;
		KUNIT_ASSERT_EQ(test, ring_reserve(ring, length, &event), 0);
		ring->has_context = false;
		ring_fill(ring, 20, 1);
		ring_discard(ring, &event);
		ring_drain(ring);
		KUNIT_EXPECT_EQ(test, ring->last_discarded, 1);
	}
	ring_finish(ring);
	ring_expect_sound(ring);
}

static struct kunit_case context_cases[] = {
	KUNIT_CASE(pid_said_where_it_changed),
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
