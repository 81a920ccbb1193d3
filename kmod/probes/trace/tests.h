/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether an event is wanted, for a probe whose event has tests; see event.h. Included by
 * define_trace.h.
 *
 * Most events belong to current. A class of which each event also belongs to another task
 * has a macro TRING_TEST_CLASS, "0, EXPRESSION", that uses __event and the event's
 * parameters.
 */

#ifndef TRING_TEST

#define TRING_TEST_sched_switch			0, tring_test_switch(__event, prev, next)
#define TRING_TEST_sched_wakeup_template	0, tring_test_wakeup(__event, p)

/* The second argument is the class's own test, if it has one, else the usual one. */
#define TRING_SECOND_OF(first, second, ...)	second
#define TRING_SECOND(...)	TRING_SECOND_OF(__VA_ARGS__)
#define TRING_TEST(call)	TRING_SECOND(TRING_TEST_##call, tring_test_event(__event), 0)

#endif
