// SPDX-License-Identifier: GPL-2.0
/*
 * Filters of the events in a ring: the text that users write, and the parsed filter that
 * probes match. The kernel parses and matches; see filter_parser.c and examine.c.
 *
 * An event keeps the text, also while it is not enabled, or not there because its module is
 * not. It has the parsed filter only while it is enabled, since that refers to the event's
 * fields. As in ftrace, a text that the kernel refuses removes the filter, and the file shows
 * what is wrong with the text.
 */
#include <linux/err.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "event.h"
#include "examine.h"
#include "filter.h"
#include "source.h"

/**
 * tring_filter_create - make a filter from its text
 * @system: system of the event whose fields it has
 * @name: name of the event
 * @text: the filter, in ftrace's grammar; not "0"
 *
 * The filter may be used while the event is there.
 *
 * Context: a process with memory of its own, may sleep; below tring_event_set::switching and
 * without tring_events_mutex, as it takes inode locks of tracefs.
 * Return: the filter, to be freed by tring_filter_free(); or an ERR_PTR() from
 * tring_filter_parse().
 */
struct event_filter *tring_filter_create(const char *system, const char *name,
					 const char *text)
{
	struct event_filter *filter;
	char *shown;
	int err = tring_filter_parse(system, name, text, &filter, &shown);

	if (!IS_ERR(shown))
		kfree(shown);
	return err ? ERR_PTR(err) : filter;
}

/**
 * tring_filter_attach - let an event have the filter that its text says
 * @event: event that is being enabled; its file is referenced
 *
 * Context: a process with memory of its own, may sleep; with tring_event_set::switching and
 * tring_events_mutex held. The latter is released meanwhile.
 * Return: 0, also without a filter; or an error of tring_filter_parse().
 */
int tring_filter_attach(struct tring_event *event)
{
	struct event_filter *filter;

	if (!event->filter_text || event->filter_refused)
		return 0;
	mutex_unlock(&tring_events_mutex);
	filter = tring_filter_create(event->system, event->name, event->filter_text);
	mutex_lock(&tring_events_mutex);
	if (IS_ERR(filter))
		return PTR_ERR(filter);
	WRITE_ONCE(event->filter, filter);
	tring_examine_update(event);
	return 0;
}

/**
 * tring_filter_detach - undo tring_filter_attach(); the text stays
 * @event: event that nothing records any more
 *
 * Context: process, may sleep, with tring_events_mutex held.
 */
void tring_filter_detach(struct tring_event *event)
{
	struct event_filter *filter = event->filter;

	WRITE_ONCE(event->filter, NULL);
	tring_examine_update(event);
	tring_filter_free(filter);
}

/* Takes @text over, and @filter if the event has a use for it. Returns what is to be freed. */
static struct event_filter *replace(struct tring_event *event, struct event_filter *filter,
				    char *text, bool refused)
{
	struct event_filter *old = event->filter;

	kfree(event->filter_text);
	event->filter_text = text;
	event->filter_refused = refused;
	if (!event->file)
		return filter;
	/* Either filter lets through what is wanted, before this or after. */
	WRITE_ONCE(event->filter, filter);
	tring_examine_update(event);
	tring_synchronize_probes();
	return old;
}

static bool is_zero(const char *text)
{
	const char *begin = skip_spaces(text);

	return *begin == '0' && !*skip_spaces(begin + 1);
}

/**
 * tring_filter_set - give an event of a ring a filter
 * @set: events of the ring
 * @system: system of the event
 * @name: name of the event
 * @text: the filter, in ftrace's grammar; "0" for none
 *
 * While the event is recorded each one passes by the filter before or by the one after.
 *
 * Context: a process with memory of its own, may sleep.
 * Return: 0 or an error of tring_filter_parse(). If the kernel refuses the text the event has no
 * filter; after another error nothing has changed.
 */
int tring_filter_set(struct tring_event_set *set, const char *system, const char *name,
		     char *text)
{
	struct event_filter *filter = NULL;
	struct tring_event *event;
	char *shown = NULL;
	int err = 0;

	mutex_lock(&set->switching);
	if (!is_zero(text)) {
		err = tring_filter_parse(system, name, text, &filter, &shown);
		if (IS_ERR(shown))
			goto unlock;
	}
	mutex_lock(&tring_events_mutex);
	event = shown ? tring_event_find_or_add(set, system, name) :
			tring_event_find(set, system, name);
	if (event) {
		filter = replace(event, filter, shown, err);
		shown = NULL;
	} else if (shown) {
		err = -ENOMEM;
	}
	mutex_unlock(&tring_events_mutex);
	tring_filter_free(filter);
	kfree(shown);
unlock:
	mutex_unlock(&set->switching);
	return err;
}

/**
 * tring_filter_show - show the filter of an event, or what was wrong with the last one
 * @m: file to print to
 * @set: events of a ring
 * @system: system of the event
 * @name: name of the event
 *
 * Context: process, may sleep.
 * Return: 0.
 */
int tring_filter_show(struct seq_file *m, struct tring_event_set *set, const char *system,
		      const char *name)
{
	const struct tring_event *event;

	mutex_lock(&tring_events_mutex);
	event = tring_event_find(set, system, name);
	seq_puts(m, event && event->filter_text ? event->filter_text : "none\n");
	mutex_unlock(&tring_events_mutex);
	return 0;
}
