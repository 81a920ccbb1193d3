// SPDX-License-Identifier: GPL-2.0
/*
 * What the files available_events, event_sources, set_event, short_ids, and enable of
 * several events show.
 */
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "event.h"
#include "events.h"
#include "ids.h"
#include "names.h"
#include "own_events.h"
#include "source.h"

/**
 * tring_events_show_available - print the events that can be enabled at present
 * @m: output: a line "system:event" for each, in ftrace's order
 * @set: events of a ring
 * @with_source: "system:event source" instead, which tells how the event is recorded
 *
 * Context: process, may sleep.
 */
void tring_events_show_available(struct seq_file *m, struct tring_event_set *set, bool with_source)
{
	char *names = tring_names_read(set, "*:*"), *rest = names;
	const struct tring_source *source;
	char *system, *name;

	/* A text that does not fit is made again. */
	while (!seq_has_overflowed(m) && tring_names_next(&rest, &system, &name)) {
		mutex_lock(&tring_events_mutex);
		source = tring_source_of(set, system, name);
		mutex_unlock(&tring_events_mutex);
		if (source)
			seq_printf(m, "%s:%s%s%s\n", system, name, with_source ? " " : "",
				   with_source ? source->name : "");
		cond_resched();
	}
	kvfree(names);
}

/* Returns bits TRING_EVENTS_*, or 0 if the event is off and cannot be switched on. */
static unsigned int state_of_event(struct tring_event_set *set, const char *system,
				   const char *name)
{
	const struct tring_event *event;
	unsigned int state = 0;

	mutex_lock(&tring_events_mutex);
	event = tring_event_find(set, system, name);
	if (event && READ_ONCE(event->enabled))
		state = TRING_EVENTS_ON;
	else if (tring_source_of(set, system, name))
		state = TRING_EVENTS_OFF;
	if (event && event->holders)
		state |= TRING_EVENTS_HELD;
	mutex_unlock(&tring_events_mutex);
	return state;
}

/**
 * tring_events_state - are events enabled?
 * @set: events of a ring
 * @system: system of the events, or "" for all
 * @name: name of the event, or "" for all
 *
 * Context: process, may sleep.
 * Return: TRING_EVENTS_ON if one of the events is enabled, TRING_EVENTS_OFF if one is not, or
 * both. Among several, an event that cannot be recorded is neither. For a single event also
 * TRING_EVENTS_HELD, if triggers hold it. Or -ENOMEM.
 */
int tring_events_state(struct tring_event_set *set, const char *system, const char *name)
{
	char *names, *rest, *event_system, *event_name;
	unsigned int state = 0;

	if (*name)
		return state_of_event(set, system, name) ?: TRING_EVENTS_OFF;
	names = tring_names_read(set, "*:*");
	if (!names)
		return -ENOMEM;
	rest = names;
	while (state != (TRING_EVENTS_OFF | TRING_EVENTS_ON) &&
	       tring_names_next(&rest, &event_system, &event_name)) {
		if (!*system || !strcmp(event_system, system))
			state |= state_of_event(set, event_system, event_name) &
				 ~TRING_EVENTS_HELD;
		cond_resched();
	}
	kvfree(names);
	return state;
}

/**
 * tring_events_show_enabled - print the events that are enabled
 * @m: output: a line "system:event" for each
 * @set: events of a ring
 *
 * Context: process, may sleep.
 */
void tring_events_show_enabled(struct seq_file *m, struct tring_event_set *set)
{
	struct tring_event *event;

	mutex_lock(&tring_events_mutex);
	tring_for_each_event(event, set) {
		if (READ_ONCE(event->enabled))
			seq_printf(m, "%s:%s\n", event->system, event->name);
	}
	mutex_unlock(&tring_events_mutex);
}

/**
 * tring_events_show_counters - mark the events that a counter of perf's records
 * @m: output: a line "by_counter=system:event" for each that is enabled
 * @set: events of a ring
 *
 * perf drops some of them without counting: see counter.c.
 *
 * Context: process, may sleep.
 */
void tring_events_show_counters(struct seq_file *m, struct tring_event_set *set)
{
	struct tring_event *event;

	mutex_lock(&tring_events_mutex);
	tring_for_each_event(event, set) {
		if (IS_ENABLED(CONFIG_PERF_EVENTS) && READ_ONCE(event->enabled) &&
		    event->source == &tring_counter_source)
			seq_printf(m, "by_counter=%s:%s\n", event->system, event->name);
	}
	mutex_unlock(&tring_events_mutex);
}

/* Prints the event that has an id in this trace. */
static void show_event_of_id(struct seq_file *m, struct tring_event_set *set, u16 id)
{
	const struct tring_event *event;
	const char *name;

	tring_for_each_event(event, set) {
		if (tring_head_id(event->key.head) == id &&
		    (event->attached || tring_ids_may_have_records(event))) {
			seq_printf(m, "%s:%s ", event->system, event->name);
			return;
		}
	}
	/* Modules may record an event of any id. */
	name = tring_own_event_name(id);
	seq_printf(m, "%s%s ", name ? "ftrace:" : "-", name ?: "");
}

/**
 * tring_events_show_short - print the short ids of a ring
 * @m: output: a line "type id system:event length" for each; the length is "-" if it
 *	varies, and the name is "-" if the event is not in @set
 * @set: events of the ring
 *
 * Context: process, may sleep.
 */
void tring_events_show_short(struct seq_file *m, struct tring_event_set *set)
{
	struct tring_buffer *buffer = set->buffer;
	unsigned int type;
	u16 id;

	mutex_lock(&tring_events_mutex);
	for (type = TRING_TYPE_SHORT_MIN; type <= TRING_TYPE_SHORT_MAX; type++) {
		id = READ_ONCE(tring_session_of(buffer)->short_ids[type]);
		if (!id)
			continue;
		seq_printf(m, "%u %u ", type, id);
		show_event_of_id(m, set, id);
		if (buffer->lengths[type] == TRING_LENGTH_VARIES)
			seq_puts(m, "-\n");
		else
			seq_printf(m, "%u\n", buffer->lengths[type]);
	}
	mutex_unlock(&tring_events_mutex);
}
