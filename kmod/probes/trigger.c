// SPDX-License-Identifier: GPL-2.0
/*
 * Triggers: what an event does besides being recorded, as users write it to
 * events/SYSTEM/EVENT/trigger. Grammar and errors are ftrace's (trigger_text.c). ftrace's own
 * triggers cannot be used: they act on ftrace's ring.
 *
 * As in ftrace, triggers fire whether or not the event is enabled, its filter lets it pass, or
 * recording is on. traceon, enable_event and disable_event fire before the event is recorded,
 * and so decide about itself, too; the others behind it. Events of an interrupt that comes
 * between the record and the trigger are recorded, as in ftrace. A trigger that would change
 * nothing does not fire, and its count stays. Differences:
 *  - The event is in the snapshot that it triggers. A snapshot is taken by a worker, which
 *    may meet several triggers at once; see kmod/session/session.c.
 *  - traceoff and snapshot work in NMIs, too.
 *  - A count is exact, whatever CPUs fire at the same time.
 *
 * An event that has triggers, and one that triggers enable or disable, is held: events.c.
 *
 * A probe reads the list without a lock, with preemption disabled. It is changed under
 * tring_event_set::switching and tring_events_mutex; a trigger is freed a grace period after
 * it was taken off the list.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "event.h"
#include "events.h"
#include "examine.h"
#include "filter.h"
#include "own_events.h"
#include "source.h"
#include "stack.h"
#include "trigger.h"

/**
 * struct tring_trigger - a trigger of an event
 * @next: in tring_event::triggers
 * @action: what it does
 * @is_limited: it fires only as often as @left says
 * @left: how often it fires from now on; not above 0 if it does not
 * @filter: events on which it fires; NULL for all
 * @condition: text of @filter
 * @target: event that it enables or disables, held; NULL for other actions
 * @has_stacks: the ring is prepared for its stacks
 */
struct tring_trigger {
	struct tring_trigger __rcu	*next;
	enum tring_trigger_action	action;
	bool				is_limited;
	atomic_long_t			left;
	struct tring_filter		*filter;
	char				*condition;
	struct tring_event		*target;
	bool				has_stacks;
};

/*
 * Uses one of the count up. A trigger that has none left costs no atomic operation; one that
 * has costs one, and an action.
 */
static __always_inline bool use_count(struct tring_trigger *trigger)
{
	if (!trigger->is_limited)
		return true;
	return atomic_long_read(&trigger->left) > 0 && atomic_long_dec_return(&trigger->left) >= 0;
}

/*
 * Race: two CPUs may find that recording is on and both switch it off. Worst case: they use
 * up two of the count.
 */
static __always_inline void switch_recording(struct tring_trigger *trigger,
					     struct tring_buffer *buffer, bool on)
{
	if (READ_ONCE(buffer->wanted_recording) != on && use_count(trigger))
		tring_buffer_request_recording(buffer, on);
}

/* Race: as above. */
static __always_inline void switch_event(struct tring_trigger *trigger, bool on)
{
	struct tring_event *target = trigger->target;

	if (READ_ONCE(target->enabled) != on && use_count(trigger))
		WRITE_ONCE(target->enabled, on);
}

static __always_inline bool fires_behind(const struct tring_trigger *trigger)
{
	return trigger->action == TRING_TRIGGER_TRACEOFF ||
	       trigger->action == TRING_TRIGGER_SNAPSHOT ||
	       trigger->action == TRING_TRIGGER_STACKTRACE;
}

/**
 * tring_triggers_fire - do what an event triggers
 * @event: the event
 * @entry: the event's fields and its head, for conditions
 * @regs: registers of the event, by perf; NULL for one that tring's probe records
 * @behind: the event has been recorded, or left out
 *
 * Context: any, NMI included, preemption disabled.
 */
TRING_PROBE void tring_triggers_fire(struct tring_event *event, const struct trace_entry *entry,
				     struct pt_regs *regs, bool behind)
{
	struct tring_trigger *trigger;

	for (trigger = rcu_dereference_raw(event->triggers); trigger;
	     trigger = rcu_dereference_raw(trigger->next)) {
		if (fires_behind(trigger) != behind)
			continue;
		if (trigger->filter && !tring_filter_matches(trigger->filter, entry))
			continue;
		switch (trigger->action) {
		case TRING_TRIGGER_TRACEON:
			switch_recording(trigger, event->buffer, true);
			break;
		case TRING_TRIGGER_TRACEOFF:
			switch_recording(trigger, event->buffer, false);
			break;
		case TRING_TRIGGER_SNAPSHOT:
			if (use_count(trigger))
				tring_buffer_request_snapshot(event->buffer);
			break;
		case TRING_TRIGGER_STACKTRACE:
			if (use_count(trigger))
				tring_stack_record(event, entry, TRING_STACK_KERNEL, regs);
			break;
		case TRING_TRIGGER_ENABLE_EVENT:
			switch_event(trigger, true);
			break;
		case TRING_TRIGGER_DISABLE_EVENT:
			switch_event(trigger, false);
			break;
		case TRING_TRIGGER_ACTIONS:
			break;
		}
	}
}

/* The trigger of the event that is of the same kind: as in ftrace, there can be one only. */
static struct tring_trigger __rcu **find_kind(struct tring_event *event,
					      enum tring_trigger_action action,
					      const struct tring_event *target)
{
	bool has_target = tring_trigger_has_target(action);
	bool is_onoff = action == TRING_TRIGGER_TRACEON || action == TRING_TRIGGER_TRACEOFF;
	struct tring_trigger __rcu **link = &event->triggers;
	struct tring_trigger *trigger;

	for (; (trigger = rcu_access_pointer(*link)); link = &trigger->next) {
		if (has_target ? trigger->target == target :
		    trigger->action == action ||
		    (is_onoff && (trigger->action == TRING_TRIGGER_TRACEON ||
				  trigger->action == TRING_TRIGGER_TRACEOFF)))
			return link;
	}
	return NULL;
}

/* Nothing runs that could read it. */
static void free_trigger(struct tring_event_set *set, struct tring_trigger *trigger)
{
	if (trigger->target)
		tring_event_release(set, trigger->target);
	if (trigger->has_stacks)
		tring_stacks_unuse(set, TRING_STACK_KERNEL);
	tring_filter_free(trigger->filter);
	kfree(trigger->condition);
	kfree(trigger);
}

static struct tring_trigger *create_trigger(const struct tring_trigger_text *text)
{
	struct tring_trigger *trigger = kzalloc(sizeof(*trigger), GFP_KERNEL);

	if (!trigger)
		return NULL;
	trigger->action = text->action;
	trigger->is_limited = text->count >= 0;
	atomic_long_set(&trigger->left, text->count);
	if (text->condition) {
		trigger->condition = kstrdup(text->condition, GFP_KERNEL);
		if (!trigger->condition) {
			kfree(trigger);
			return NULL;
		}
	}
	return trigger;
}

/* What a trigger needs besides its event. */
static int prepare_action(struct tring_event_set *set, struct tring_trigger *trigger,
			  const struct tring_trigger_text *text)
{
	struct tring_event *target;

	if (text->action == TRING_TRIGGER_STACKTRACE) {
		tring_stacks_use(set, TRING_STACK_KERNEL);
		trigger->has_stacks = true;
	}
	if (!tring_trigger_has_target(text->action))
		return 0;
	target = tring_event_hold(set, text->system, text->name);
	if (IS_ERR(target))
		/* ftrace's error for an event that is not there */
		return target == ERR_PTR(-ENOENT) ? -EINVAL : PTR_ERR(target);
	trigger->target = target;
	return 0;
}

/* The held event keeps its fields. */
static int create_filter(struct tring_trigger *trigger, const struct tring_event *event)
{
	struct tring_filter *filter;

	if (!trigger->condition)
		return 0;
	mutex_unlock(&tring_events_mutex);
	filter = tring_filter_create(event->set, event->system, event->name,
				     trigger->condition);
	mutex_lock(&tring_events_mutex);
	if (IS_ERR(filter))
		return PTR_ERR(filter);
	trigger->filter = filter;
	return 0;
}

static int add_trigger(struct tring_event_set *set, const char *system, const char *name,
		       const struct tring_trigger_text *text, const char **why)
{
	struct tring_trigger *trigger = create_trigger(text);
	struct tring_event *event;
	int err;

	*why = "there is no memory";
	if (!trigger)
		return -ENOMEM;
	*why = "its event cannot be recorded";
	event = tring_event_hold(set, system, name);
	if (IS_ERR(event)) {
		free_trigger(set, trigger);
		return PTR_ERR(event);
	}
	*why = "the event that it names is not there or cannot be recorded";
	err = prepare_action(set, trigger, text);
	if (err)
		goto release;
	*why = "its filter is refused";
	err = create_filter(trigger, event);
	if (err)
		goto release;
	*why = "the event has a trigger of this kind";
	if (find_kind(event, text->action, trigger->target)) {
		err = -EEXIST;
		goto release;
	}
	RCU_INIT_POINTER(trigger->next, rcu_access_pointer(event->triggers));
	rcu_assign_pointer(event->triggers, trigger);
	return 0;

release:
	free_trigger(set, trigger);
	tring_event_release(set, event);
	return err;
}

/* Takes a trigger off its event and frees it. */
static void drop_trigger(struct tring_event_set *set, struct tring_event *event,
			 struct tring_trigger __rcu **link)
{
	struct tring_trigger *trigger = rcu_access_pointer(*link);

	rcu_assign_pointer(*link, rcu_access_pointer(trigger->next));
	tring_synchronize_probes();
	free_trigger(set, trigger);
	tring_event_release(set, event);
}

static int remove_trigger(struct tring_event_set *set, const char *system, const char *name,
			  const struct tring_trigger_text *text, const char **why)
{
	struct tring_event *event = tring_event_find(set, system, name), *target = NULL;
	struct tring_trigger __rcu **link;

	if (tring_trigger_has_target(text->action)) {
		*why = "the event that it names is not there";
		if (!tring_source_of(set, text->system, text->name))
			return -EINVAL;
		target = tring_event_find(set, text->system, text->name);
		if (!target)
			return 0;
	}
	link = event ? find_kind(event, text->action, target) : NULL;
	if (link)
		drop_trigger(set, event, link);
	return 0;
}

/**
 * tring_trigger_write - set or remove a trigger
 * @set: events of a ring
 * @system: system of the event
 * @name: name of the event
 * @text: a trigger, or "!" and one; without white space at its end; changed
 *
 * When this returns a trigger that was removed has fired for the last time.
 *
 * Context: process, may sleep.
 * Return: 0, also if there is no such trigger to be removed; an error of
 * tring_trigger_parse(); -EINVAL if the event that it names is not there; -EEXIST if the event
 * has a trigger of this kind; or an error of tring_event_hold(), tring_filter_create() or
 * tring_own_events_read().
 */
int tring_trigger_write(struct tring_event_set *set, const char *system, const char *name,
			char *text)
{
	struct tring_trigger_text parsed;
	const char *why;
	int err;

	err = tring_events_wait_for_cpus(set->buffer);
	if (err)
		return err;
	err = tring_trigger_parse(text, &parsed, &why);
	if (!err && parsed.action == TRING_TRIGGER_STACKTRACE && !parsed.remove) {
		why = "the ids of ftrace's events cannot be read";
		err = tring_own_events_read();
	}
	if (!err && !parsed.remove) {
		why = "there is no memory";
		err = tring_examine_prepare();
	}
	if (!err) {
		mutex_lock(&set->switching);
		mutex_lock(&tring_events_mutex);
		tring_expedite_grace_periods();
		err = parsed.remove ? remove_trigger(set, system, name, &parsed, &why) :
				      add_trigger(set, system, name, &parsed, &why);
		tring_unexpedite_grace_periods();
		mutex_unlock(&tring_events_mutex);
		mutex_unlock(&set->switching);
	}
	if (err)
		pr_notice_ratelimited("%s:%s: a trigger is refused: %s\n", system, name, why);
	return err;
}

static void show_trigger(struct seq_file *m, const struct tring_trigger *trigger)
{
	seq_puts(m, tring_trigger_name(trigger->action));
	if (trigger->target)
		seq_printf(m, ":%s:%s", trigger->target->system, trigger->target->name);
	if (trigger->is_limited)
		seq_printf(m, ":count=%ld", max(atomic_long_read(&trigger->left), 0L));
	else
		seq_puts(m, ":unlimited");
	if (trigger->condition)
		seq_printf(m, " if %s", trigger->condition);
	seq_putc(m, '\n');
}

/**
 * tring_trigger_show - print the triggers of an event
 * @m: output, in ftrace's form
 * @set: events of a ring
 * @system: system of the event
 * @name: name of the event
 *
 * Context: process, may sleep.
 * Return: 0.
 */
int tring_trigger_show(struct seq_file *m, struct tring_event_set *set, const char *system,
		       const char *name)
{
	const struct tring_trigger *trigger = NULL;
	const struct tring_event *event;
	unsigned int action;

	mutex_lock(&tring_events_mutex);
	event = tring_event_find(set, system, name);
	if (event)
		trigger = rcu_access_pointer(event->triggers);
	if (!trigger) {
		seq_puts(m, "# Available triggers:\n#");
		for (action = 0; action < TRING_TRIGGER_ACTIONS; action++)
			seq_printf(m, " %s", tring_trigger_name(action));
		seq_putc(m, '\n');
	}
	for (; trigger; trigger = rcu_access_pointer(trigger->next))
		show_trigger(m, trigger);
	mutex_unlock(&tring_events_mutex);
	return 0;
}

/**
 * tring_triggers_clear - remove all triggers of a ring
 * @set: events of the ring, which no other task changes
 *
 * Context: process, may sleep, with tring_events_mutex held.
 */
void tring_triggers_clear(struct tring_event_set *set)
{
	struct tring_event *event;

	lockdep_assert_held(&tring_events_mutex);
	tring_for_each_event(event, set) {
		while (rcu_access_pointer(event->triggers))
			drop_trigger(set, event, &event->triggers);
	}
}
