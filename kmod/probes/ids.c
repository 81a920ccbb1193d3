// SPDX-License-Identifier: GPL-2.0
/*
 * Ids die with their event: when a module goes, or a user removes a dynamic event, ftrace
 * may give the id to another event, in 6.12 to the next one. So the records of an event
 * must be gone before its id can mean another. ftrace clears its buffers then; tring begins
 * a new trace, in each ring that may have records of the event:
 *  - When a module goes, at once.
 *  - Of a dynamic event there is no news. So when an event is enabled whose id the trace has
 *    for another one, or a dynamic event that has other fields than the records which the
 *    trace has of it.
 *
 * That is not possible while a reader is open. Then the id stays taken in this trace: no
 * event is enabled that would have it.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/printk.h>
#include <linux/trace_events.h>

#include "event.h"
#include "ids.h"
#include "layout.h"
#include "source.h"

/* All sets; protected by tring_events_mutex. */
static LIST_HEAD(sets_with_ids);

static u64 trace_number(struct tring_buffer *buffer)
{
	int cpu = cpumask_first(cpu_possible_mask);

	/* A new trace counts for all rings alike. */
	return READ_ONCE(tring_cpu_buffer(buffer, cpu)->trace);
}

/**
 * tring_ids_may_have_records - may the trace have records of an event that is not attached?
 * @event: the event
 *
 * Context: process, with tring_events_mutex held.
 */
bool tring_ids_may_have_records(const struct tring_event *event)
{
	return tring_head_id(event->key.head) && event->trace == trace_number(event->buffer);
}

/* Does the trace have this id for another event, which is gone? */
static bool id_is_taken(struct tring_event_set *set, const struct tring_event *event, u16 id)
{
	const struct tring_event *other;

	tring_for_each_event(other, set) {
		if (other != event && tring_head_id(other->key.head) == id &&
		    !other->attached && tring_ids_may_have_records(other))
			return true;
	}
	return false;
}

/* Does the trace have records of a former dynamic event of this name? */
static bool was_another(const struct tring_event *event)
{
	const struct trace_event_call *call = event->file->event_call;

	return call->flags & TRACE_EVENT_FL_DYNAMIC && tring_ids_may_have_records(event) &&
	       (event->layout->hash != event->layout_hash ||
		call->event.type != tring_head_id(event->key.head));
}

/**
 * tring_ids_take - an event is about to be recorded
 * @set: events of a ring
 * @event: the event, whose file is set, and whose layout if it is a dynamic event
 *
 * Context: process, may sleep, with tring_events_mutex held.
 * Return: 0, or -EBUSY if its id means another event in this trace, and a reader keeps the
 * trace.
 */
int tring_ids_take(struct tring_event_set *set, struct tring_event *event)
{
	const struct trace_event_call *call = event->file->event_call;

	lockdep_assert_held(&tring_events_mutex);
	if (!was_another(event) && !id_is_taken(set, event, call->event.type))
		goto take;
	if (tring_buffer_new_trace(set->buffer, -1)) {
		pr_notice("%s:%s cannot be recorded in this trace, which is being read: it has got the id, or the name, of an event that is gone\n",
			  event->system, event->name);
		return -EBUSY;
	}
	pr_info("a new trace begins, because the old one may have records of an event that is gone, whose id or name %s:%s has got\n",
		event->system, event->name);
take:
	event->layout_hash = event->layout ? event->layout->hash : 0;
	event->module = call->flags & TRACE_EVENT_FL_DYNAMIC ? NULL : call->module;
	return 0;
}

/**
 * tring_ids_leave - an event is not recorded any more
 * @event: the event; nothing runs that could record it
 *
 * Context: process, with tring_events_mutex held.
 */
void tring_ids_leave(struct tring_event *event)
{
	event->trace = trace_number(event->buffer);
}

/**
 * tring_ids_watch - begin new traces in a ring when modules go
 * @set: events of the ring
 *
 * Context: process, with tring_events_mutex held.
 */
void tring_ids_watch(struct tring_event_set *set)
{
	list_add_tail(&set->list, &sets_with_ids);
}

/**
 * tring_ids_unwatch - undo tring_ids_watch()
 * @set: events of the ring
 *
 * Context: process, with tring_events_mutex held.
 */
void tring_ids_unwatch(struct tring_event_set *set)
{
	list_del(&set->list);
}

#ifdef CONFIG_MODULES
/* An attached event keeps its module. */
static bool has_records_of(struct tring_event_set *set, const struct module *module)
{
	const struct tring_event *event;

	tring_for_each_event(event, set) {
		if (event->module == module && !event->attached &&
		    tring_ids_may_have_records(event))
			return true;
	}
	return false;
}

static int module_changes(struct notifier_block *block, unsigned long state, void *data)
{
	const struct module *module = data;
	struct tring_event_set *set;

	if (state != MODULE_STATE_GOING)
		return NOTIFY_DONE;
	mutex_lock(&tring_events_mutex);
	list_for_each_entry(set, &sets_with_ids, list) {
		if (!has_records_of(set, module))
			continue;
		if (tring_buffer_new_trace(set->buffer, -1))
			pr_notice("a ring that is being read keeps records of the module %s, which is gone\n",
				  module->name);
		else
			pr_info("a new trace begins, because the old one has records of the module %s, which is gone\n",
				module->name);
	}
	mutex_unlock(&tring_events_mutex);
	return NOTIFY_OK;
}

static struct notifier_block module_notifier = {
	.notifier_call = module_changes,
};

/**
 * tring_ids_init - watch modules that go
 *
 * Context: process, may sleep.
 * Return: 0, or an error of register_module_notifier().
 */
int __init tring_ids_init(void)
{
	return register_module_notifier(&module_notifier);
}

/**
 * tring_ids_exit - undo tring_ids_init(), after the last set
 *
 * Context: process, may sleep.
 */
void tring_ids_exit(void)
{
	unregister_module_notifier(&module_notifier);
}
#else
int __init tring_ids_init(void)
{
	return 0;
}

void tring_ids_exit(void)
{
}
#endif
