/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Test hooks of the ring. Without TRING_KUNIT everything here is empty: the product has
 * neither a hook nor a branch more.
 *
 * A step is a point between two memory accesses where an interrupt on the same CPU, or
 * another CPU, may come in between and must do no harm. The tests run a nested writer,
 * a flush or a reader at each step.
 */
#ifndef _TRING_RING_TEST_H
#define _TRING_RING_TEST_H

#include <linux/atomic.h>

struct tring_cpu_buffer;

enum tring_step {
	/* reserve */
	TRING_STEP_RESERVE_READ,	/* position read */
	TRING_STEP_RESERVE_CLOCK,	/* clock read */
	TRING_STEP_RESERVE_AT_HAND,	/* last_ts and current_subbuf read */
	TRING_STEP_RESERVE_BOUND,	/* before_ts about to be stored */
	TRING_STEP_RESERVE_BEFORE,	/* before_ts stored */
	TRING_STEP_RESERVE_CLAIMED,	/* position moved */
	TRING_STEP_RESERVE_STAMPED,	/* last_ts stored */
	TRING_STEP_RESERVE_PID_KEPT,	/* last_pid stored */
	TRING_STEP_RESERVE_DONE,	/* head written */
	TRING_STEP_COMMIT_START,
	TRING_STEP_COMMIT_COUNTED,	/* bytes counted, packet not delivered yet */
	/* enter a sub-buffer */
	TRING_STEP_ENTER_READ,		/* slot word read */
	TRING_STEP_ENTER_OPENED,	/* slot word OPEN */
	TRING_STEP_ENTER_COUNTED,	/* overwritten packet counted */
	TRING_STEP_ENTER_STARTED,	/* position moved, start stored */
	TRING_STEP_ENTER_HEADER,	/* enterer's part of the header written */
	/* close a sub-buffer */
	TRING_STEP_CLOSE_HEADER,	/* closer's part of the header written */
	TRING_STEP_DELIVER_RESET,	/* commits reset */
	TRING_STEP_DELIVER_PUBLISHED,	/* slot word DELIVERED */
	/* discard */
	TRING_STEP_DISCARD_POISONED,	/* last_ts and last_pid unknown */
	TRING_STEP_DISCARD_KEPT,	/* record could not be taken back */
	/* switch to another memory */
	TRING_STEP_SWITCH_MOVED,	/* position in the new memory, limit not yet its own */
	/* reader */
	TRING_STEP_TAKE_READ,		/* slot word read */
	TRING_STEP_TAKE_COUNTED,	/* overwritten events read */
	TRING_STEP_TAKE_TAKEN,		/* sub-buffers exchanged */
	TRING_STEP_PEEK_READ,		/* slot word read */
	TRING_STEP_PEEK_COUNTED,	/* bytes of the open packet counted */
	TRING_STEP_PEEK_COPIED,		/* packet copied, not validated */
	TRING_STEPS
};

#ifdef TRING_KUNIT

/**
 * struct tring_test_hooks - a test's functions in one CPU's ring
 * @clock: the clock while tring_cpu_buffer::clock is TRING_CLOCK_TEST
 * @step: called at each step; may be NULL
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

#define tring_ring_clock(cpu_buffer)					\
	(((cpu_buffer)->clock & ~TRING_CLOCK_SET_BACK) == TRING_CLOCK_TEST ?	\
	 (cpu_buffer)->hooks->clock(cpu_buffer) + READ_ONCE((cpu_buffer)->buffer->clock_offset) : \
	 tring_clock_read((cpu_buffer)->clock, &(cpu_buffer)->clock_offset))

#else /* !TRING_KUNIT */

#define tring_step(cpu_buffer, which)		do { } while (0)
#define tring_ring_clock(cpu_buffer)					\
	tring_clock_read((cpu_buffer)->clock, &(cpu_buffer)->clock_offset)

#endif /* TRING_KUNIT */

#endif /* _TRING_RING_TEST_H */
