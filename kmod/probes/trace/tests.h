/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a probe of some classes does in another way. Included by define_trace.h.
 *
 * Such a class has a macro, "0, EXPRESSION", which uses the probe's variables and the event's
 * parameters:
 * - TRING_TEST_CLASS: whether an event that has tests is wanted. Each event of the class belongs to
 *   another task besides current.
 * - TRING_CONTEXT_CLASS: the event's context.
 */

#ifndef TRING_TEST

#define TRING_TEST_sched_switch			0, tring_test_switch(__event, prev, next)
#define TRING_TEST_sched_wakeup_template	0, tring_test_wakeup(__event, p)
#define TRING_CONTEXT_sched_switch		0, tring_switch_context(__task)

/* The second argument is the class's own way, if it has one, else the usual one. */
#define TRING_SECOND_OF(first, second, ...)	second
#define TRING_SECOND(...)	TRING_SECOND_OF(__VA_ARGS__)
#define TRING_TEST(call)	TRING_SECOND(TRING_TEST_##call, tring_test_event(__event), 0)
#define TRING_CONTEXT(call)						\
	TRING_SECOND(TRING_CONTEXT_##call, tring_event_context(__task, TRING_TRACEPOINT_DEPTH), 0)

#endif
