/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ring's steps, and the hooks by which a test comes in between; kmod/ring/fast.h includes
 * this in a ring that is tested.
 */
#ifndef _TRING_STEPS_H
#define _TRING_STEPS_H

enum tring_step {
#define STEP(step) TRING_STEP_##step
#include "step_list.h"
#undef STEP
	TRING_STEPS
};

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

#endif /* _TRING_STEPS_H */
