// SPDX-License-Identifier: GPL-2.0
/*
 * Triggers: the text of one, and what triggers request of the ring in each context. The
 * requests are compared with what the ring does before their work item has run.
 */

#include <kunit/test.h>
#include <linux/irq_work.h>
#include <linux/irqflags.h>
#include <linux/processor.h>
#include <linux/sched.h>
#include <linux/string.h>

#ifdef CONFIG_X86_LOCAL_APIC
#include <asm/apic.h>
#include <asm/nmi.h>
#define HAVE_NMI
#endif

#include "helpers.h"
#include "probes/trigger.h"

struct text_case {
	const char	*text;
	int		err;
	bool		remove;
	enum tring_trigger_action action;
	const char	*event;		/* system and name with a colon, or NULL */
	long		count;
	const char	*condition;
};

static const struct text_case text_cases[] = {
	{ "traceoff", 0, false, TRING_TRIGGER_TRACEOFF, NULL, -1, NULL },
	{ "  traceon", 0, false, TRING_TRIGGER_TRACEON, NULL, -1, NULL },
	{ "snapshot:3", 0, false, TRING_TRIGGER_SNAPSHOT, NULL, 3, NULL },
	{ "snapshot 3", 0, false, TRING_TRIGGER_SNAPSHOT, NULL, 3, NULL },
	{ "snapshot:0x10:4", 0, false, TRING_TRIGGER_SNAPSHOT, NULL, 16, NULL },
	{ "snapshot:0", 0, false, TRING_TRIGGER_SNAPSHOT, NULL, 0, NULL },
	{ "traceoff:", 0, false, TRING_TRIGGER_TRACEOFF, NULL, -1, NULL },
	{ "traceoff:18446744073709551615", 0, false, TRING_TRIGGER_TRACEOFF, NULL, -1, NULL },
	{ "traceoff:1 if a < 1 && b", 0, false, TRING_TRIGGER_TRACEOFF, NULL, 1, "a < 1 && b" },
	{ "traceoff\tif a", 0, false, TRING_TRIGGER_TRACEOFF, NULL, -1, "a" },
	{ "enable_event:x:y", 0, false, TRING_TRIGGER_ENABLE_EVENT, "x:y", -1, NULL },
	{ "disable_event x:y:5 if a", 0, false, TRING_TRIGGER_DISABLE_EVENT, "x:y", 5, "a" },
	{ "!traceoff:5x when a", 0, true, TRING_TRIGGER_TRACEOFF, NULL, -1, NULL },
	{ "!enable_event:x:y:z", 0, true, TRING_TRIGGER_ENABLE_EVENT, "x:y", -1, NULL },
	{ "", -EINVAL },
	{ "!", -EINVAL },
	{ "! traceoff", -EINVAL },
	{ "!!traceoff", -EINVAL },
	{ "trace", -EINVAL },
	{ "traceoff:5x", -EINVAL },
	{ "traceoff:18446744073709551616", -ERANGE },
	{ "traceoff::5", -EINVAL },
	{ "traceoff:if", -EINVAL },
	{ "traceoff when a", -EINVAL },
	{ "enable_event", -EINVAL },
	{ "enable_event:", -EINVAL },
	{ "enable_event:x", -EINVAL },
	{ "enable_event:x:y:", -EINVAL },
	{ "enable_event:x:y:-1", -EINVAL },
};

static void text_is_parsed(struct kunit *test)
{
	struct tring_trigger_text parsed;
	const struct text_case *c;
	char text[64], event[64];
	const char *why;

	for (c = text_cases; c < text_cases + ARRAY_SIZE(text_cases); c++) {
		why = NULL;
		strscpy(text, c->text, sizeof(text));
		KUNIT_EXPECT_EQ_MSG(test, tring_trigger_parse(text, &parsed, &why), c->err,
				    "\"%s\"", c->text);
		if (c->err) {
			KUNIT_EXPECT_NOT_NULL(test, why);
			continue;
		}
		KUNIT_EXPECT_EQ(test, parsed.remove, c->remove);
		KUNIT_EXPECT_EQ(test, parsed.action, c->action);
		KUNIT_EXPECT_EQ_MSG(test, parsed.count, c->count, "\"%s\"", c->text);
		KUNIT_EXPECT_EQ(test, !parsed.system, !c->event);
		if (c->event) {
			snprintf(event, sizeof(event), "%s:%s", parsed.system, parsed.name);
			KUNIT_EXPECT_STREQ(test, event, c->event);
		}
		KUNIT_EXPECT_EQ(test, !parsed.condition, !c->condition);
		if (c->condition)
			KUNIT_EXPECT_STREQ(test, parsed.condition, c->condition);
	}
}

/* What runs in another context, and that it has. */
static void (*call)(struct ring *ring);
static struct ring *call_ring;
static bool was_called;

static void call_here(struct irq_work *work)
{
	call(call_ring);
	WRITE_ONCE(was_called, true);
}

static void from_interrupt(void)
{
	struct irq_work work = IRQ_WORK_INIT_HARD(call_here);

	irq_work_queue(&work);
	irq_work_sync(&work);
}

static void from_process(void)
{
	call_here(NULL);
}

#ifdef HAVE_NMI
static int handle_nmi(unsigned int type, struct pt_regs *regs)
{
	if (READ_ONCE(was_called))
		return NMI_DONE;
	call_here(NULL);
	return NMI_HANDLED;
}

static void from_nmi(void)
{
	if (register_nmi_handler(NMI_LOCAL, handle_nmi, 0, "tring_kunit"))
		return;
	apic->send_IPI(get_cpu(), NMI_VECTOR);
	put_cpu();
	spin_until_cond(READ_ONCE(was_called));
	unregister_nmi_handler(NMI_LOCAL, "tring_kunit");
}
#endif

static void (*const contexts[])(void) = {
	from_process,
	from_interrupt,
#ifdef HAVE_NMI
	from_nmi,
#endif
};

/* The work item of the request does not get the mutex before let_work_run(). */
static void call_in(unsigned int context, struct ring *ring, void (*function)(struct ring *ring))
{
	call = function;
	call_ring = ring;
	was_called = false;
	mutex_lock(&ring->buffer->mutex);
	contexts[context]();
}

static void let_work_run(struct ring *ring)
{
	mutex_unlock(&ring->buffer->mutex);
	irq_work_sync(&ring->buffer->ask_work);
	flush_delayed_work(&tring_session_of(ring->buffer)->work);
}

static void switch_off(struct ring *ring)
{
	tring_buffer_request_recording(ring->buffer, false);
}

static void switch_on(struct ring *ring)
{
	tring_buffer_request_recording(ring->buffer, true);
}

static void take_snapshot(struct ring *ring)
{
	tring_buffer_request_snapshot(ring->buffer);
}

/* Recording goes off and on with the request, not with the work item behind it. */
static void recording_is_requested(struct kunit *test)
{
	struct ring *ring = ring_create(test, 3);
	unsigned int context;

	for (context = 0; context < ARRAY_SIZE(contexts); context++) {
		ring_fill(ring, 20, 3);
		call_in(context, ring, switch_off);
		KUNIT_EXPECT_TRUE(test, was_called);
		KUNIT_EXPECT_EQ(test, ring_write(ring, 20), -ESHUTDOWN);
		let_work_run(ring);
		KUNIT_EXPECT_FALSE(test, ring->buffer->recording);
		KUNIT_EXPECT_EQ(test, ring_write(ring, 20), -ESHUTDOWN);

		call_in(context, ring, switch_on);
		KUNIT_EXPECT_EQ(test, ring->cpu_buffer->limit, 0);
		ring_fill(ring, 20, 3);
		let_work_run(ring);
		KUNIT_EXPECT_NE(test, ring->cpu_buffer->limit, 0);
		KUNIT_EXPECT_TRUE(test, ring->buffer->recording);
		ring_fill(ring, 20, 3);
	}
	ring_finish(ring);
	KUNIT_EXPECT_EQ(test, ring->refused[TRING_REFUSED_OFF], 2 * ARRAY_SIZE(contexts));
	ring_expect_sound(ring);
}

/* What keeps writers out for other reasons does so, too, when recording is requested. */
static void request_does_not_start_all(struct kunit *test)
{
	struct ring *ring = ring_create(test, 3);

	tring_buffer_set_recording(ring->buffer, false);
	WRITE_ONCE(ring->cpu_buffer->draining, true);
	call_in(0, ring, switch_on);
	KUNIT_EXPECT_EQ(test, ring_write(ring, 20), -ENOMEM);
	WRITE_ONCE(ring->cpu_buffer->draining, false);
	WRITE_ONCE(ring->cpu_buffer->left_out, true);
	KUNIT_EXPECT_EQ(test, ring_write(ring, 20), -ESHUTDOWN);
	WRITE_ONCE(ring->cpu_buffer->left_out, false);
	WRITE_ONCE(ring->cpu_buffer->stopped, true);
	KUNIT_EXPECT_EQ(test, ring_write(ring, 20), -EIO);
	WRITE_ONCE(ring->cpu_buffer->stopped, false);
	KUNIT_EXPECT_EQ(test, ring_write(ring, 20), 0);
	let_work_run(ring);
	KUNIT_EXPECT_EQ(test, ring_write(ring, 20), 0);
	ring_finish(ring);
	ring_expect_sound(ring);
}

/* A ring that overwrites keeps what it had at the request, and takes what it has room for. */
static void snapshot_is_requested(struct kunit *test)
{
	struct tring_stats stats;
	unsigned int context;
	struct ring *ring;

	for (context = 0; context < ARRAY_SIZE(contexts); context++) {
		ring = ring_create(test, 4);
		ring_fill(ring, 3000, 6);
		call_in(context, ring, take_snapshot);
		KUNIT_EXPECT_TRUE(test, was_called);
		KUNIT_EXPECT_EQ(test, ring_write(ring, 3000), -ENOBUFS);
		take_snapshot(ring);
		let_work_run(ring);
		tring_buffer_stats(ring->buffer, ring->cpu, &stats);
		KUNIT_EXPECT_EQ(test, stats.snapshot, 4);
		KUNIT_EXPECT_EQ(test, stats.overwritten, 2);
		KUNIT_EXPECT_EQ(test, tring_session_of(ring->buffer)->snapshots_taken, 1);
		KUNIT_EXPECT_EQ(test, tring_session_of(ring->buffer)->snapshots_asked, 2);
		KUNIT_EXPECT_EQ(test, atomic_read(&ring->buffer->snapshot_requests), 0);
		/* It overwrites again. */
		ring_fill(ring, 3000, 5);
		tring_buffer_stats(ring->buffer, ring->cpu, &stats);
		KUNIT_EXPECT_EQ(test, stats.overwritten, 3);
		ring_check_balance(ring);
		tring_buffer_drop_snapshot(ring->buffer);
		ring_expect_sound(ring);
	}
}

static struct kunit_case trigger_cases[] = {
	KUNIT_CASE(text_is_parsed),
	KUNIT_CASE(recording_is_requested),
	KUNIT_CASE(request_does_not_start_all),
	KUNIT_CASE(snapshot_is_requested),
	{ }
};

static struct kunit_suite trigger_suite = {
	.name = "tring_trigger",
	.test_cases = trigger_cases,
};

kunit_test_suite(trigger_suite);
