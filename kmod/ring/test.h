/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where tests get into the ring. In a build without TRING_KUNIT everything
 * here is empty, so the product has neither a hook nor a branch more.
 *
 * A step is a point between two memory accesses that matter, where something
 * else may come in between: an interrupt on the same CPU or another CPU. The
 * tests run a nested writer, flusher or reader at each of them.
 */
#ifndef _TRING_RING_TEST_H
#define _TRING_RING_TEST_H

#include <linux/atomic.h>
#include <linux/bits.h>

struct tring_cpu_buffer;

enum tring_step {
	/* ring/fast.h and reserve in ring.c */
	TRING_STEP_RESERVE_READ,	/* the position is read */
	TRING_STEP_RESERVE_CLOCK,	/* so is the clock */
	TRING_STEP_RESERVE_AT_HAND,	/* so are last_ts and the sub-buffer */
	TRING_STEP_RESERVE_BOUND,	/* so is the stamp's bound */
	TRING_STEP_RESERVE_BEFORE,	/* before_ts is stored */
	TRING_STEP_RESERVE_CLAIMED,	/* the position is moved */
	TRING_STEP_RESERVE_STAMPED,	/* last_ts is stored */
	TRING_STEP_RESERVE_PID_KEPT,	/* so is the pid, if it is another */
	TRING_STEP_RESERVE_DONE,	/* the record header is written */
	TRING_STEP_COMMIT_START,
	TRING_STEP_COMMIT_COUNTED,	/* bytes added, not yet delivered */
	/* entering a sub-buffer */
	TRING_STEP_ENTER_READ,		/* slot word read */
	TRING_STEP_ENTER_OPENED,	/* slot word is ours */
	TRING_STEP_ENTER_COUNTED,	/* what it overwrote is counted */
	TRING_STEP_ENTER_STARTED,	/* position moved, start stored */
	TRING_STEP_ENTER_HEADER,	/* first half of the header written */
	/* closing one */
	TRING_STEP_CLOSE_HEADER,	/* second half of the header written */
	TRING_STEP_DELIVER_RESET,	/* counts are back at their start */
	TRING_STEP_DELIVER_PUBLISHED,	/* the reader may have it */
	/* discard */
	TRING_STEP_DISCARD_POISONED,	/* last_ts and last_pid are unknown */
	TRING_STEP_DISCARD_KEPT,	/* could not be taken back */
	/* going to other memory */
	TRING_STEP_SWITCH_READ,		/* position and clock are read */
	TRING_STEP_SWITCH_MOVED,	/* the position is in the new memory */
	TRING_STEP_SWITCH_DONE,		/* the limit is the new one's */
	/* the reader */
	TRING_STEP_TAKE_READ,		/* slot word read */
	TRING_STEP_TAKE_COUNTED,	/* overwritten events read */
	TRING_STEP_TAKE_TAKEN,		/* exchanged */
	TRING_STEP_PEEK_READ,		/* slot word read */
	TRING_STEP_PEEK_COPIED,		/* packet copied, not validated */
	TRING_STEPS
};

#ifdef TRING_KUNIT

/* Deliberate faults, to show that the tests can see one. */
#define TRING_BUSTED_NO_LAST_TS		BIT(0)	/* last_ts not updated */
#define TRING_BUSTED_NO_COUNT		BIT(1)	/* refusals not counted */
#define TRING_BUSTED_NO_POISON		BIT(2)	/* discard keeps last_ts */
#define TRING_BUSTED_NO_CLAMP		BIT(3)	/* clock may step back */
#define TRING_BUSTED_COMMIT_EARLY	BIT(4)	/* count before payload */
#define TRING_BUSTED_NO_PID_TOKEN	BIT(5)	/* last_pid marked by nobody */

/**
 * struct tring_test_hooks - what a test puts into one CPU's ring
 * @clock: read instead of a real one while the clock is TRING_CLOCK_TEST
 * @step: called at each step, or NULL
 */
struct tring_test_hooks {
	u64 (*clock)(struct tring_cpu_buffer *cpu_buffer);
	void (*step)(struct tring_cpu_buffer *cpu_buffer, enum tring_step step);
};

#define tring_step(cpu_buffer, which)					\
do {									\
	struct tring_cpu_buffer *__cb = (cpu_buffer);			\
									\
	if (__cb->hooks && __cb->hooks->step)				\
		__cb->hooks->step(__cb, which);				\
} while (0)

#define tring_busted(cpu_buffer, fault)	((cpu_buffer)->busted & (fault))

/* Memories that there are, for tests to see that all are freed. */
extern atomic_t tring_memories;
#define tring_count_memory(by)	atomic_add(by, &tring_memories)

#define tring_ring_clock(cpu_buffer)					\
	((cpu_buffer)->clock == TRING_CLOCK_TEST ?			\
	 (cpu_buffer)->hooks->clock(cpu_buffer) :			\
	 tring_clock_read((cpu_buffer)->clock))

#else /* !TRING_KUNIT */

#define tring_step(cpu_buffer, which)		do { } while (0)
#define tring_busted(cpu_buffer, fault)		0UL
#define tring_count_memory(by)			do { } while (0)
#define tring_ring_clock(cpu_buffer)		tring_clock_read((cpu_buffer)->clock)

#endif /* TRING_KUNIT */

#endif /* _TRING_RING_TEST_H */
