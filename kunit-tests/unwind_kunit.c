// SPDX-License-Identifier: GPL-2.0
/*
 * Stacks: tring_unwind() finds the addresses that the kernel finds, by rules that it has
 * learnt and before it has.
 */

#include <kunit/test.h>
#include <linux/smp.h>
#include <linux/stacktrace.h>

#include "probes/examine.h"
#include "probes/unwind.h"

#define SIZE	320
/* Of these functions the first two addresses may differ. */
#define OWN	4
#define DEPTH	20

struct stacks {
	unsigned long	found[SIZE];
	unsigned long	kernels[SIZE];
	unsigned int	count;
	unsigned int	kernels_count;
};

static noinline void save(void *info)
{
	struct stacks *stacks = info;

	preempt_disable();
	stacks->count = tring_unwind(stacks->found, SIZE, NULL);
	stacks->kernels_count = stack_trace_save(stacks->kernels, SIZE, 0);
	preempt_enable();
}

/* From the caller of save() on. */
static void expect_equal(struct kunit *test, const struct stacks *stacks)
{
	unsigned int first = 0, i;

	while (first < OWN && stacks->found[first] != stacks->kernels[1])
		first++;
	KUNIT_ASSERT_LT(test, first, OWN);
	KUNIT_ASSERT_EQ(test, stacks->count - first, stacks->kernels_count - 1);
	for (i = 1; i < stacks->kernels_count; i++)
		KUNIT_EXPECT_EQ(test, stacks->found[first + i - 1], stacks->kernels[i]);
}

/* Its frames are found by BP. */
static noinline void call(struct stacks *stacks, unsigned int depth)
{
	char *room = __builtin_alloca(1 + depth * 8);

	room[depth] = depth;
	barrier_data(room);
	if (depth)
		call(stacks, depth - 1);
	else
		save(stacks);
	barrier_data(room);
}

static void unwind_deep(struct kunit *test)
{
	struct stacks *stacks = kunit_kzalloc(test, sizeof(*stacks), GFP_KERNEL);
	unsigned int depth, turn;

	KUNIT_ASSERT_NOT_NULL(test, stacks);
	for (depth = 0; depth < DEPTH; depth++) {
		for (turn = 0; turn < 3; turn++) {
			call(stacks, depth);
			expect_equal(test, stacks);
			KUNIT_EXPECT_GT(test, stacks->count, depth);
		}
	}
}

static void unwind_in_interrupt(struct kunit *test)
{
	struct stacks *stacks = kunit_kzalloc(test, sizeof(*stacks), GFP_KERNEL);
	unsigned int turn;
	int cpu;

	KUNIT_ASSERT_NOT_NULL(test, stacks);
	for (turn = 0; turn < 3; turn++) {
		for_each_online_cpu(cpu) {
			smp_call_function_single(cpu, save, stacks, true);
			expect_equal(test, stacks);
		}
	}
}

static void unwind_into_less_room(struct kunit *test)
{
	struct stacks *stacks = kunit_kzalloc(test, sizeof(*stacks), GFP_KERNEL);
	unsigned int size;

	KUNIT_ASSERT_NOT_NULL(test, stacks);
	for (size = 1; size < 4; size++) {
		stacks->found[size] = 1;
		preempt_disable();
		stacks->count = tring_unwind(stacks->found, size, NULL);
		preempt_enable();
		KUNIT_EXPECT_EQ(test, stacks->count, size);
		KUNIT_EXPECT_EQ(test, stacks->found[size], 1UL);
	}
}

/* Elsewhere the kernel's function walks. */
static int init_test(struct kunit *test)
{
	if (!IS_ENABLED(CONFIG_UNWINDER_ORC))
		kunit_skip(test, "this kernel has no ORC tables");
	return tring_examine_prepare();
}

static struct kunit_case unwind_cases[] = {
	KUNIT_CASE(unwind_deep),
	KUNIT_CASE(unwind_in_interrupt),
	KUNIT_CASE(unwind_into_less_room),
	{}
};

static struct kunit_suite unwind_suite = {
	.name		= "tring_unwind",
	.init		= init_test,
	.test_cases	= unwind_cases,
};

kunit_test_suite(unwind_suite);
