// SPDX-License-Identifier: GPL-2.0
/*
 * Lists of pids: what they let through, and how they change.
 */

#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "probes/cgroups.h"
#include "probes/event.h"
#include "probes/events.h"
#include "ring/ring.h"

/* Pids of no task that writes the lists. */
#define LISTED		1000001
#define OTHER		1000002
#define UNLISTED	1000003

struct tasks_test {
	struct tring_event_set	*set;
	struct tring_event	*event;
	/* Nothing but a pid. */
	struct task_struct	*listed, *other, *unlisted;
};

static struct task_struct *make_task(struct kunit *test, pid_t pid)
{
	struct task_struct *task = kunit_kzalloc(test, sizeof(*task), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, task);
	task->pid = pid;
	return task;
}

static int init_test(struct kunit *test)
{
	struct tasks_test *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);
	struct tring_buffer *buffer;

	KUNIT_ASSERT_NOT_NULL(test, t);
	t->listed = make_task(test, LISTED);
	t->other = make_task(test, OTHER);
	t->unlisted = make_task(test, UNLISTED);
	buffer = tring_buffer_create();
	KUNIT_ASSERT_NOT_NULL(test, buffer);
	t->set = tring_events_create(buffer);
	if (!t->set)
		tring_buffer_destroy(buffer);
	KUNIT_ASSERT_NOT_NULL(test, t->set);
	t->event = list_first_entry(&t->set->events, struct tring_event, list);
	test->priv = t;
	return 0;
}

static void exit_test(struct kunit *test)
{
	struct tasks_test *t = test->priv;
	struct tring_buffer *buffer;

	if (!t)
		return;
	buffer = t->set->buffer;
	tring_events_destroy(t->set);
	tring_buffer_destroy(buffer);
}

static int add(struct tasks_test *t, enum tring_task_list kind, const char *text)
{
	return tring_tasks_add(t->set, kind, text, strlen(text));
}

static int add_pid(struct tasks_test *t, enum tring_task_list kind, pid_t pid)
{
	char text[16];

	snprintf(text, sizeof(text), "%d\n", pid);
	return add(t, kind, text);
}

static bool wanted(struct tasks_test *t)
{
	bool event, task;

	preempt_disable();
	event = tring_event_wanted(t->event);
	task = tring_task_wanted(t->set);
	preempt_enable();
	/* Both ask for the same. */
	return event == task && event;
}

static bool unwanted(struct tasks_test *t)
{
	bool event, task;

	preempt_disable();
	event = tring_event_wanted(t->event);
	task = tring_task_wanted(t->set);
	preempt_enable();
	return event == task && !event;
}

static bool wakes(struct tasks_test *t, const struct task_struct *task)
{
	bool wanted;

	preempt_disable();
	wanted = tring_test_wakeup(t->event, task);
	preempt_enable();
	return wanted;
}

static bool switches(struct tasks_test *t, const struct task_struct *prev,
		     const struct task_struct *next)
{
	bool wanted;

	preempt_disable();
	wanted = tring_test_switch(t->event, prev, next);
	preempt_enable();
	return wanted;
}

static void only_listed_tasks_are_wanted(struct kunit *test)
{
	struct tasks_test *t = test->priv;

	KUNIT_EXPECT_EQ(test, t->event->tests, 0);
	KUNIT_EXPECT_TRUE(test, wanted(t));
	KUNIT_EXPECT_EQ(test, add_pid(t, TRING_TASKS_TRACED, LISTED), 0);
	KUNIT_EXPECT_EQ(test, t->event->tests, TRING_TEST_TASKS);
	KUNIT_EXPECT_TRUE(test, unwanted(t));
	KUNIT_EXPECT_EQ(test, add_pid(t, TRING_TASKS_TRACED, current->pid), 0);
	KUNIT_EXPECT_TRUE(test, wanted(t));
	tring_tasks_clear(t->set, TRING_TASKS_TRACED);
	KUNIT_EXPECT_EQ(test, t->event->tests, 0);
	KUNIT_EXPECT_NULL(test, t->set->tasks.map);
}

static void untraced_tasks_are_unwanted(struct kunit *test)
{
	struct tasks_test *t = test->priv;

	KUNIT_EXPECT_EQ(test, add_pid(t, TRING_TASKS_UNTRACED, LISTED), 0);
	KUNIT_EXPECT_TRUE(test, wanted(t));
	KUNIT_EXPECT_EQ(test, add_pid(t, TRING_TASKS_UNTRACED, current->pid), 0);
	KUNIT_EXPECT_TRUE(test, unwanted(t));
	/* Being traced does not help. */
	KUNIT_EXPECT_EQ(test, add_pid(t, TRING_TASKS_TRACED, current->pid), 0);
	KUNIT_EXPECT_TRUE(test, unwanted(t));
	tring_tasks_clear(t->set, TRING_TASKS_UNTRACED);
	KUNIT_EXPECT_TRUE(test, wanted(t));
	tring_tasks_clear(t->set, TRING_TASKS_TRACED);
	KUNIT_EXPECT_NULL(test, t->set->tasks.map);
}

/* A list that has been ended, and begins again, has its new pids only. */
static void list_begins_empty(struct kunit *test)
{
	struct tasks_test *t = test->priv;

	KUNIT_EXPECT_EQ(test, add_pid(t, TRING_TASKS_UNTRACED, LISTED), 0);
	KUNIT_EXPECT_EQ(test, add_pid(t, TRING_TASKS_TRACED, current->pid), 0);
	tring_tasks_clear(t->set, TRING_TASKS_TRACED);
	KUNIT_EXPECT_EQ(test, add_pid(t, TRING_TASKS_TRACED, OTHER), 0);
	KUNIT_EXPECT_TRUE(test, unwanted(t));
}

static void bad_text_changes_nothing(struct kunit *test)
{
	static const char *const texts[] = {
		"1 2 x", "-1", "1,2", "0x", "4194304", "99999999999999999999",
		"0000000000000000000000000001",
	};
	struct tasks_test *t = test->priv;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		KUNIT_EXPECT_EQ_MSG(test, add(t, TRING_TASKS_TRACED, texts[i]), -EINVAL, "%s",
				    texts[i]);
		KUNIT_EXPECT_TRUE(test, wanted(t));
	}
	KUNIT_EXPECT_EQ(test, add(t, TRING_TASKS_TRACED, " \t"), 0);
	KUNIT_EXPECT_NULL(test, t->set->tasks.map);
	KUNIT_EXPECT_EQ(test, add(t, TRING_TASKS_TRACED, "0x3d0900"), 0);
	KUNIT_EXPECT_TRUE(test, unwanted(t));
	KUNIT_EXPECT_EQ(test, add(t, TRING_TASKS_TRACED, "\n"), 0);
	KUNIT_EXPECT_TRUE(test, unwanted(t));
}

static void wakeup_has_two_tasks(struct kunit *test)
{
	struct tasks_test *t = test->priv;

	KUNIT_ASSERT_EQ(test, add_pid(t, TRING_TASKS_TRACED, LISTED), 0);
	KUNIT_EXPECT_TRUE(test, wakes(t, t->listed));
	KUNIT_EXPECT_FALSE(test, wakes(t, t->unlisted));
	KUNIT_ASSERT_EQ(test, add_pid(t, TRING_TASKS_TRACED, current->pid), 0);
	KUNIT_ASSERT_EQ(test, add_pid(t, TRING_TASKS_UNTRACED, LISTED), 0);
	KUNIT_EXPECT_TRUE(test, wakes(t, t->listed));
	KUNIT_EXPECT_TRUE(test, wakes(t, t->unlisted));
}

static void switch_has_two_tasks(struct kunit *test)
{
	struct tasks_test *t = test->priv;

	KUNIT_ASSERT_EQ(test, add_pid(t, TRING_TASKS_TRACED, LISTED), 0);
	KUNIT_EXPECT_TRUE(test, switches(t, t->listed, t->unlisted));
	KUNIT_EXPECT_TRUE(test, switches(t, t->unlisted, t->listed));
	KUNIT_EXPECT_FALSE(test, switches(t, t->unlisted, t->other));
	KUNIT_ASSERT_EQ(test, add_pid(t, TRING_TASKS_UNTRACED, OTHER), 0);
	KUNIT_ASSERT_EQ(test, add_pid(t, TRING_TASKS_UNTRACED, LISTED), 0);
	/* As in ftrace: one is traced, and not both are left out. */
	KUNIT_EXPECT_TRUE(test, switches(t, t->listed, t->unlisted));
	KUNIT_EXPECT_FALSE(test, switches(t, t->listed, t->other));
	tring_tasks_clear(t->set, TRING_TASKS_TRACED);
	KUNIT_EXPECT_TRUE(test, switches(t, t->unlisted, t->other));
	KUNIT_EXPECT_FALSE(test, switches(t, t->listed, t->other));
}

#if TRING_HAS_CGROUPS
/* Without a file system there is no other cgroup: scripts/guest/cgroups.sh has several. */
static void cgroups_are_asked_besides(struct kunit *test)
{
	struct tasks_test *t = test->priv;

	KUNIT_ASSERT_EQ(test, tring_cgroups_set(t->set, "/"), 0);
	KUNIT_EXPECT_EQ(test, t->event->tests, TRING_TEST_TASKS);
	KUNIT_EXPECT_TRUE(test, wanted(t));
	KUNIT_EXPECT_EQ(test, tring_cgroups_set(t->set, "/\n/none"), -ENOENT);
	KUNIT_EXPECT_EQ(test, tring_cgroups_set(t->set, "none"), -EINVAL);
	KUNIT_EXPECT_EQ(test, t->event->tests, TRING_TEST_TASKS);
	KUNIT_ASSERT_EQ(test, add_pid(t, TRING_TASKS_TRACED, LISTED), 0);
	KUNIT_EXPECT_TRUE(test, unwanted(t));
	tring_tasks_clear(t->set, TRING_TASKS_TRACED);
	KUNIT_EXPECT_NULL(test, t->set->tasks.map);
	KUNIT_EXPECT_TRUE(test, wanted(t));
	KUNIT_EXPECT_EQ(test, tring_cgroups_set(t->set, ""), 0);
	KUNIT_EXPECT_NULL(test, t->set->tasks.cgroups);
	KUNIT_EXPECT_EQ(test, t->event->tests, 0);
}
#endif

static int wait_for_stop(void *unused)
{
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

/* kthreadd is the parent of each kernel thread. */
static void child_follows_its_parent(struct kunit *test)
{
	struct tasks_test *t = test->priv;
	struct task_struct *child;
	unsigned int tries;
	bool is_wanted;

	if (strcmp(current->real_parent->comm, "kthreadd"))
		kunit_skip(test, "the test is no child of kthreadd");
	KUNIT_ASSERT_EQ(test, tring_tasks_follow_forks(t->set, true), 0);
	KUNIT_EXPECT_TRUE(test, READ_ONCE(t->set->tasks.forks));
	KUNIT_ASSERT_EQ(test, add_pid(t, TRING_TASKS_TRACED, current->real_parent->pid), 0);
	child = kthread_run(wait_for_stop, NULL, "tring_child");
	KUNIT_ASSERT_FALSE(test, IS_ERR(child));
	is_wanted = wakes(t, child);
	KUNIT_EXPECT_TRUE(test, is_wanted);
	/* Its own task_struct is gone by then. */
	t->unlisted->pid = child->pid;
	kthread_stop(child);
	for (tries = 0; is_wanted && tries < 1000; tries++) {
		msleep(20);
			is_wanted = wakes(t, t->unlisted);
		}
	KUNIT_EXPECT_FALSE(test, is_wanted);
	KUNIT_ASSERT_EQ(test, tring_tasks_follow_forks(t->set, false), 0);
	KUNIT_EXPECT_FALSE(test, READ_ONCE(t->set->tasks.forks));
	child = kthread_run(wait_for_stop, NULL, "tring_child");
	KUNIT_ASSERT_FALSE(test, IS_ERR(child));
	KUNIT_EXPECT_FALSE(test, wakes(t, child));
	kthread_stop(child);
}

static struct kunit_case tasks_cases[] = {
	KUNIT_CASE(only_listed_tasks_are_wanted),
	KUNIT_CASE(untraced_tasks_are_unwanted),
	KUNIT_CASE(list_begins_empty),
	KUNIT_CASE(bad_text_changes_nothing),
	KUNIT_CASE(wakeup_has_two_tasks),
	KUNIT_CASE(switch_has_two_tasks),
#if TRING_HAS_CGROUPS
	KUNIT_CASE(cgroups_are_asked_besides),
#endif
	KUNIT_CASE(child_follows_its_parent),
	{ }
};

static struct kunit_suite tasks_suite = {
	.name = "tring_tasks",
	.init = init_test,
	.exit = exit_test,
	.test_cases = tasks_cases,
};

kunit_test_suite(tasks_suite);
