// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The events that the running ring can record, and patterns that name them.
 *
 * The ring's set_event takes the same patterns. tring matches them by itself first,
 * because a refused pattern must not change anything, and the kernel says only that it
 * has no such event.
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "available.h"
#include "event/events.h"
#include "util/util.h"

static int compare(const void *a, const void *b)
{
	const struct tring_event_name *one = a, *other = b;
	int order = strcmp(one->system, other->system);

	return order ? order : strcmp(one->name, other->name);
}

/**
 * tring_available_read - read the ring's file available_events
 * @available: filled in; to be freed also after an error
 * @control: the ring
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_available_read(struct tring_available *available,
			 const struct tring_control *control)
{
	char *rest, *line;

	memset(available, 0, sizeof(*available));
	available->text = tring_control_read(control, "available_events");
	if (!available->text)
		return -EIO;
	/* an event takes four bytes at least, with its newline */
	available->list = tring_allocate((strlen(available->text) / 4 + 1) *
					 sizeof(*available->list));
	rest = available->text;
	while ((line = strsep(&rest, "\n"))) {
		char *name = strchr(line, ':');

		if (!name || name == line || !name[1])
			continue;
		*name++ = 0;
		available->list[available->count].system = line;
		available->list[available->count++].name = name;
	}
	qsort(available->list, available->count, sizeof(*available->list), compare);
	return 0;
}

/**
 * tring_available_free - free the events
 * @available: the events, may be zeroed
 */
void tring_available_free(struct tring_available *available)
{
	free(available->text);
	free(available->list);
	memset(available, 0, sizeof(*available));
}

/**
 * tring_event_matches - check whether a pattern names an event
 * @event: the event
 * @pattern: as in set_event: "event", "system" or "system:event"; an empty side of the
 *	colon means all, and each side may be a glob
 *
 * Return: true if it does.
 */
bool tring_event_matches(const struct tring_event_name *event, const char *pattern)
{
	const char *colon = strchr(pattern, ':');
	bool matches;
	char *system;

	if (!colon)
		return !fnmatch(pattern, event->system, 0) ||
		       !fnmatch(pattern, event->name, 0);
	system = strndup(pattern, colon - pattern);
	matches = system && (!*system || !fnmatch(system, event->system, 0)) &&
		  (!colon[1] || !fnmatch(colon + 1, event->name, 0));
	free(system);
	return matches;
}

static bool has(const struct tring_available *available, const char *pattern)
{
	size_t i;

	for (i = 0; i < available->count; i++)
		if (tring_event_matches(&available->list[i], pattern))
			return true;
	return false;
}

/**
 * tring_available_check - check that a pattern names an event
 * @available: the events
 * @pattern: a pattern
 * @option: what the user has written before it, for the message
 *
 * Return: 0; or -ENOENT if it names none, reported on stderr with the reason.
 */
int tring_available_check(const struct tring_available *available, const char *pattern,
			  const char *option)
{
	bool is_print = !strcmp(pattern, "print") || !strcmp(pattern, "ftrace:print");

	if (has(available, pattern))
		return 0;
	tring_error("%s%s: %s", option, pattern, is_print ?
		    "texts of the ring's trace_marker are recorded without it" :
		    "no such event; \"tring list\" prints all");
	return -ENOENT;
}

/**
 * tring_available_add - load the descriptions of events that are going to be enabled
 * @events: gets them
 * @control: the ring
 * @available: its events
 * @patterns: patterns that name those, one a line
 *
 * An event that has gone meanwhile is left out.
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_available_add(struct tring_events *events, const struct tring_control *control,
			const struct tring_available *available, const char *patterns)
{
	char *formats = tring_control_formats(control);
	char *copy = tring_format("%s", patterns), *rest = copy, *pattern;
	bool *wanted = tring_allocate((available->count + 1) * sizeof(*wanted));
	int error = 0;
	size_t i;

	while ((pattern = strsep(&rest, "\n")))
		for (i = 0; i < available->count; i++)
			wanted[i] |= tring_event_matches(&available->list[i], pattern);
	for (i = 0; i < available->count && !error; i++)
		if (wanted[i])
			error = tring_events_add_if(events, formats,
						    available->list[i].system,
						    available->list[i].name);
	free(wanted);
	free(copy);
	free(formats);
	return error;
}

/* Return: the names of the events that are described, ordered, to free(). */
static struct tring_event_name *list_known(const struct tring_events *events)
{
	struct tring_event_name *known = tring_allocate((events->count + 1) * sizeof(*known));
	size_t i;

	for (i = 0; i < events->count; i++)
		known[i] = (struct tring_event_name) {
			.system = events->list[i]->system, .name = events->list[i]->name,
		};
	qsort(known, events->count, sizeof(*known), compare);
	return known;
}

/**
 * tring_available_load - load the descriptions of the events that are enabled
 * @events: gets those that it does not have
 * @control: the ring
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_available_load(struct tring_events *events, const struct tring_control *control)
{
	char *dir = tring_control_formats(control);
	char *text = tring_control_read(control, "set_event"), *rest = text, *line;
	struct tring_event_name *known = list_known(events);
	size_t count = events->count;
	int error = text ? 0 : -EIO;

	while (!error && (line = strsep(&rest, "\n"))) {
		struct tring_event_name event = { .system = line, .name = strchr(line, ':') };

		if (!event.name)
			continue;
		line[event.name++ - line] = 0;
		if (!bsearch(&event, known, count, sizeof(*known), compare))
			error = tring_events_add(events, dir, event.system, event.name);
	}
	free(known);
	free(text);
	free(dir);
	return error;
}

/**
 * tring_available_fields - get the fields of an event
 * @control: the ring
 * @event: one of its events
 *
 * Return: lines with a tab, type and name, to be freed; NULL after an error, reported on stderr.
 */
char *tring_available_fields(const struct tring_control *control,
			     const struct tring_event_name *event)
{
	char *formats = tring_control_formats(control);
	const struct tep_format_field *field;
	struct tring_events events;
	char *text = NULL;

	if (!tring_events_init(&events) &&
	    !tring_events_add(&events, formats, event->system, event->name)) {
		text = tring_format("%s", "");
		for (field = events.list[0]->parsed->format.fields; field; field = field->next)
			tring_extend(&text, "\t%s %s\n", field->type, field->name);
	}
	tring_events_free(&events);
	free(formats);
	return text;
}
