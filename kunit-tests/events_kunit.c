// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's events: probes that do not fit, ids of events that are gone, strings that
 * change while they are recorded.
 */

#include <kunit/test.h>
#include <linux/err.h>
#include <linux/irqflags.h>
#include <linux/preempt.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "probes/event.h"
#include "probes/events.h"
#include "probes/examine.h"
#include "probes/layout.h"
#include "probes/own_events.h"
#include "probes/source.h"
#include "ring/ring.h"

/* A string that has become shorter, or another one, since its field was sized. */
static void shorter_string_ends(struct kunit *test)
{
	static const char source[] = "ab\0behind the end";
	char field[sizeof(source)];

	memset(field, 'x', sizeof(field));
	tring_copy_string(field, sizeof(field), source);
	KUNIT_EXPECT_STREQ(test, field, "ab");
	KUNIT_EXPECT_PTR_EQ(test, memchr_inv(field + 2, 0, sizeof(field) - 2), NULL);
}

static void longer_string_is_cut(struct kunit *test)
{
	char field[8];

	memset(field, 'x', sizeof(field));
	tring_copy_string(field, 4, "abcdef");
	KUNIT_EXPECT_STREQ(test, field, "abc");
	KUNIT_EXPECT_EQ(test, field[4], 'x');
	tring_copy_string(field, sizeof("(null)"), NULL);
	KUNIT_EXPECT_STREQ(test, field, "(null)");
}

/* The depth of preempt_disable() that two contexts of the same place differ by. */
static void own_depth_is_left_out(struct kunit *test)
{
	u64 with, without, slow;

	if (!IS_ENABLED(CONFIG_PREEMPT_COUNT))
		kunit_skip(test, "this kernel has no preempt count");
	preempt_disable();
	with = tring_event_context(current, 0);
	without = tring_event_context(current, 1);
	slow = tring_event_context_slow(1);
	preempt_enable();
	KUNIT_EXPECT_EQ(test, with - without,
			1ULL << (TRING_CONTEXT_PREEMPT_SHIFT + TRING_HEAD_CONTEXT_SHIFT));
	KUNIT_EXPECT_EQ(test, slow, without);
}

#define FIELD(_type, _name, _size, _align, _signed)			\
	{ .type = _type, .name = _name, .size = _size, .align = _align,	\
	  .is_signed = _signed }

static const struct trace_event_fields compiled[] = {
	FIELD("pid_t", "pid", 4, 4, 1), FIELD("__data_loc char[]", "name", 4, 4, 1),
	FIELD("unsigned long", "flags", 8, 8, 0), {}
};

/* Each differs from the fields above in one thing; the name of the field is given. */
static const struct {
	const char *field;
	const struct trace_event_fields kernel[5];
} misfits[] = {
	{ "pid", { FIELD("pid_t", "tid", 4, 4, 1), FIELD("__data_loc char[]", "name", 4, 4, 1),
		   FIELD("unsigned long", "flags", 8, 8, 0), {} } },
	{ "flags", { FIELD("pid_t", "pid", 4, 4, 1), FIELD("__data_loc char[]", "name", 4, 4, 1),
		     FIELD("unsigned long", "flags", 4, 8, 0), {} } },
	{ "flags", { FIELD("pid_t", "pid", 4, 4, 1), FIELD("__data_loc char[]", "name", 4, 4, 1),
		     FIELD("unsigned long", "flags", 8, 4, 0), {} } },
	{ "pid", { FIELD("pid_t", "pid", 4, 4, 0), FIELD("__data_loc char[]", "name", 4, 4, 1),
		   FIELD("unsigned long", "flags", 8, 8, 0), {} } },
	{ "name", { FIELD("pid_t", "pid", 4, 4, 1), FIELD("int", "name", 4, 4, 1),
		    FIELD("unsigned long", "flags", 8, 8, 0), {} } },
	{ "name", { FIELD("pid_t", "pid", 4, 4, 1), FIELD("unsigned long", "flags", 8, 8, 0),
		    FIELD("__data_loc char[]", "name", 4, 4, 1), {} } },
	{ "flags", { FIELD("pid_t", "pid", 4, 4, 1), FIELD("__data_loc char[]", "name", 4, 4, 1),
		     {} } },
	{ "more", { FIELD("pid_t", "pid", 4, 4, 1), FIELD("__data_loc char[]", "name", 4, 4, 1),
		    FIELD("unsigned long", "flags", 8, 8, 0), FIELD("int", "more", 4, 4, 1),
		    {} } },
	{ "pid", { {} } },
};

static void mismatch_names_the_field(struct kunit *test)
{
	unsigned int i;

	KUNIT_EXPECT_PTR_EQ(test, tring_fields_mismatch(compiled, compiled), NULL);
	KUNIT_EXPECT_STREQ(test, tring_fields_mismatch(compiled, NULL), "pid");
	for (i = 0; i < ARRAY_SIZE(misfits); i++)
		KUNIT_EXPECT_STREQ(test, tring_fields_mismatch(compiled, misfits[i].kernel),
				   misfits[i].field);
}

static struct tring_event *find_event(struct tring_event_set *set, const char *name)
{
	struct tring_event *event;

	tring_for_each_event(event, set)
		if (!strcmp(event->name, name))
			return event;
	return NULL;
}

static struct tring_event_set *create_set(struct kunit *test)
{
	struct tring_buffer *buffer = tring_buffer_create();
	struct tring_event_set *set;

	KUNIT_ASSERT_NOT_NULL(test, buffer);
	set = tring_events_create(buffer);
	if (!set)
		tring_buffer_destroy(buffer);
	KUNIT_ASSERT_NOT_NULL(test, set);
	return set;
}

static void destroy_set(struct tring_event_set *set)
{
	struct tring_buffer *buffer = set->buffer;

	tring_events_destroy(set);
	tring_buffer_destroy(buffer);
}

static unsigned int count_events(struct tring_event_set *set)
{
	struct tring_event *event;
	unsigned int count = 0;

	tring_for_each_event(event, set)
		count++;
	return count;
}

/* A set ends with its instance, so what it keeps for a name is kept for long. */
static void unknown_names_are_not_kept(struct kunit *test)
{
	struct tring_event_set *set = create_set(test);
	unsigned int before = count_events(set), i;
	char pattern[32];

	for (i = 0; i < 20; i++) {
		snprintf(pattern, sizeof(pattern), "%s:no_event_%u", i % 2 ? "sched" : "x", i);
		KUNIT_EXPECT_EQ(test, tring_events_set(set, pattern, true), -ENOENT);
		KUNIT_EXPECT_EQ(test, tring_events_set(set, pattern, false), -ENOENT);
	}
	mutex_lock(&set->switching);
	mutex_lock(&tring_events_mutex);
	KUNIT_EXPECT_TRUE(test, IS_ERR(tring_event_hold(set, "x", "no_event")));
	mutex_unlock(&tring_events_mutex);
	mutex_unlock(&set->switching);
	KUNIT_EXPECT_EQ(test, count_events(set), before);
	destroy_set(set);
}

/*
 * A probe with other fields than the kernel's event is not used: perf records the event, or
 * it is refused. The other events keep their probes.
 */
static void misfit_is_not_used(struct kunit *test)
{
	struct tring_event_set *set = create_set(test);
	struct tring_event *event = find_event(set, "sched_switch");
	struct tring_event *other = find_event(set, "sched_waking");

	if (!event || !other) {
		destroy_set(set);
		KUNIT_FAIL(test, "there is no sched_switch");
		return;
	}
	event->fields = compiled;
	KUNIT_EXPECT_EQ(test, tring_events_set(set, "sched:sched_switch", true),
			IS_ENABLED(CONFIG_PERF_EVENTS) ? 0 : -ENOEXEC);
	KUNIT_EXPECT_EQ(test, event->enabled, IS_ENABLED(CONFIG_PERF_EVENTS));
	KUNIT_EXPECT_EQ(test, tring_events_set(set, "sched:sched_s*", true), 0);
	KUNIT_EXPECT_EQ(test, tring_events_set(set, "sched:sched_wak*", true), 0);
	KUNIT_EXPECT_TRUE(test, other->enabled);
	KUNIT_EXPECT_PTR_EQ(test, other->source, &tring_probe_source);
	if (event->enabled)
		KUNIT_EXPECT_STREQ(test, event->source->name, "counter");
	destroy_set(set);
}

/*
 * The id of an event that is gone is not given to another one in this trace: a new one
 * begins, or the other event is refused if a reader keeps the trace.
 */
static void taken_id_is_refused(struct kunit *test)
{
	struct tring_event_set *set = create_set(test);
	struct tring_stream *stream = tring_buffer_stream(set->buffer, 0, 0);
	struct tring_event *gone = find_event(set, "sched_switch");
	struct tring_event *heir = find_event(set, "sched_waking");
	u64 head, before;

	if (!gone || !heir) {
		destroy_set(set);
		KUNIT_FAIL(test, "there is no sched_switch");
		return;
	}
	KUNIT_EXPECT_EQ(test, tring_events_set(set, "sched_waking", true), 0);
	head = heir->key.head;
	KUNIT_EXPECT_EQ(test, tring_events_set(set, "sched_switch", true), 0);
	tring_events_clear(set);
	/* As if sched_switch had had the id that sched_waking has got. */
	gone->key.head = head;
	before = tring_cpu_buffer(set->buffer, 0)->trace;
	KUNIT_EXPECT_EQ(test, tring_reader_open(stream), 0);
	KUNIT_EXPECT_EQ(test, tring_events_set(set, "sched_waking", true), -EBUSY);
	KUNIT_EXPECT_FALSE(test, heir->enabled);
	KUNIT_EXPECT_EQ(test, tring_cpu_buffer(set->buffer, 0)->trace, before);
	tring_reader_release(stream);
	KUNIT_EXPECT_EQ(test, tring_events_set(set, "sched_waking", true), 0);
	KUNIT_EXPECT_TRUE(test, heir->enabled);
	KUNIT_EXPECT_NE(test, tring_cpu_buffer(set->buffer, 0)->trace, before);
	destroy_set(set);
}

/*
 * A held event is attached and examined. The user, or a trigger, enables and disables it
 * without changing that; when it is released it stays as it is.
 */
static void held_event_stays_attached(struct kunit *test)
{
	struct tring_event_set *set = create_set(test);
	struct tring_event *event;

	KUNIT_ASSERT_EQ(test, tring_examine_prepare(), 0);
	mutex_lock(&set->switching);
	mutex_lock(&tring_events_mutex);
	event = tring_event_hold(set, "sched", "sched_switch");
	KUNIT_EXPECT_PTR_EQ(test, tring_event_hold(set, "sched", "no_such_event"),
			    ERR_PTR(-ENOENT));
	mutex_unlock(&tring_events_mutex);
	mutex_unlock(&set->switching);
	if (IS_ERR(event)) {
		destroy_set(set);
		KUNIT_FAIL(test, "there is no sched_switch");
		return;
	}
	KUNIT_EXPECT_TRUE(test, event->attached);
	KUNIT_EXPECT_FALSE(test, event->enabled);
	KUNIT_EXPECT_TRUE(test, event->tests & TRING_TEST_FIELDS);
	KUNIT_EXPECT_EQ(test, tring_events_set(set, "sched_switch", true), 0);
	KUNIT_EXPECT_TRUE(test, event->enabled);
	KUNIT_EXPECT_TRUE(test, event->tests & TRING_TEST_FIELDS);
	tring_events_clear(set);
	KUNIT_EXPECT_FALSE(test, event->enabled);
	KUNIT_EXPECT_TRUE(test, event->attached);

	/* As a trigger does it. */
	WRITE_ONCE(event->enabled, true);
	mutex_lock(&tring_events_mutex);
	tring_event_release(set, event);
	mutex_unlock(&tring_events_mutex);
	KUNIT_EXPECT_TRUE(test, event->attached);
	KUNIT_EXPECT_FALSE(test, event->tests & TRING_TEST_FIELDS);
	tring_events_clear(set);
	KUNIT_EXPECT_FALSE(test, event->attached);

	mutex_lock(&set->switching);
	mutex_lock(&tring_events_mutex);
	KUNIT_EXPECT_PTR_EQ(test, tring_event_hold(set, "sched", "sched_switch"), event);
	tring_event_release(set, event);
	mutex_unlock(&tring_events_mutex);
	mutex_unlock(&set->switching);
	KUNIT_EXPECT_FALSE(test, event->attached);
	KUNIT_EXPECT_FALSE(test, event->tests & TRING_TEST_FIELDS);
	destroy_set(set);
}

/* The end of the last field, and where the dynamic ones say where their data are. */
static void layout_is_parsed(struct kunit *test)
{
	char text[] = "name: myopen\nID: 1500\nformat:\n"
		      "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		      "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
		      "\tfield:__data_loc char[] file;\toffset:8;\tsize:4;\tsigned:1;\n"
		      "\tfield:__rel_loc u32[] list;\toffset:12;\tsize:4;\tsigned:0;\n"
		      "\tfield:u8 last;\toffset:16;\tsize:1;\tsigned:0;\n\n"
		      "print fmt: \"%s field:x;\toffset:99;\", REC->file\n";
	char other[] = "\tfield:u8 last;\toffset:16;\tsize:2;\tsigned:0;\n";
	char open_ended[] = "\tfield:char buf[];\toffset:16;\tsize:0;\tsigned:0;\n";
	char huge[] = "\tfield:char buf[70000];\toffset:16;\tsize:70000;\tsigned:0;\n";
	char none[] = "name: myopen\n";
	struct tring_layout *layout = tring_layout_parse(text), *second;

	KUNIT_ASSERT_FALSE(test, IS_ERR(layout));
	KUNIT_EXPECT_EQ(test, layout->end, 17);
	KUNIT_EXPECT_EQ(test, layout->count, 2);
	KUNIT_EXPECT_EQ(test, layout->dynamic[0].offset, 8);
	KUNIT_EXPECT_EQ(test, layout->dynamic[0].from, 0);
	KUNIT_EXPECT_EQ(test, layout->dynamic[1].offset, 12);
	KUNIT_EXPECT_EQ(test, layout->dynamic[1].from, 16);
	second = tring_layout_parse(other);
	KUNIT_ASSERT_FALSE(test, IS_ERR(second));
	KUNIT_EXPECT_EQ(test, second->end, 18);
	KUNIT_EXPECT_NE(test, second->hash, layout->hash);
	kfree(second);
	kfree(layout);
	layout = tring_layout_parse(open_ended);
	KUNIT_ASSERT_FALSE(test, IS_ERR(layout));
	KUNIT_EXPECT_EQ(test, layout->end, 0);
	kfree(layout);
	KUNIT_EXPECT_PTR_EQ(test, tring_layout_parse(huge), ERR_PTR(-EINVAL));
	KUNIT_EXPECT_PTR_EQ(test, tring_layout_parse(none), ERR_PTR(-EINVAL));
}

/* An event that a vendor has added moves those behind it. */
static void ids_come_from_formats(struct kunit *test)
{
	static const char * const none[] = {
		"", "ID: 13\n", "name: user_stack\nID:\n", "name: user_stack\nID: 0\n",
		"name: user_stack\nID: x\nformat:\n",
	};
	enum tring_own_event event;
	unsigned int i;

	KUNIT_EXPECT_EQ(test, tring_layout_id("name: user_stack\nID: 13\nformat:\n"), 13);
	KUNIT_EXPECT_EQ(test, tring_layout_id("name: user_stack\nID: 345\nformat:\n"), 345);
	for (i = 0; i < ARRAY_SIZE(none); i++)
		KUNIT_EXPECT_EQ(test, tring_layout_id(none[i]), -EIO);
	if (tring_own_events_read())
		kunit_skip(test, "this kernel shows no formats");
	for (event = 0; event < TRING_OWN_EVENTS; event++)
		KUNIT_EXPECT_NOT_NULL(test, tring_own_event_name(tring_own_event_id(event)));
	KUNIT_EXPECT_STREQ(test, tring_own_event_name(TRING_PRINT_ID), "print");
	KUNIT_EXPECT_PTR_EQ(test, tring_own_event_name(U16_MAX), NULL);
}

static struct kunit_case events_cases[] = {
	KUNIT_CASE(shorter_string_ends),
	KUNIT_CASE(longer_string_is_cut),
	KUNIT_CASE(own_depth_is_left_out),
	KUNIT_CASE(mismatch_names_the_field),
	KUNIT_CASE(unknown_names_are_not_kept),
	KUNIT_CASE(misfit_is_not_used),
	KUNIT_CASE(taken_id_is_refused),
	KUNIT_CASE(held_event_stays_attached),
	KUNIT_CASE(layout_is_parsed),
	KUNIT_CASE(ids_come_from_formats),
	{ }
};

static struct kunit_suite events_suite = {
	.name = "tring_events",
	.test_cases = events_cases,
};

kunit_test_suite(events_suite);
