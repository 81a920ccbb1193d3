// SPDX-License-Identifier: GPL-2.0
/*
 * Filters of the events of a recording. The kernel parses them. They come before the events
 * are enabled, and stay until these are as before.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tracefs/available.h"
#include "filter.h"
#include "recording.h"
#include "util/util.h"

/**
 * tring_filters_begin - note events that the user names
 * @filters: the filters
 * @patterns: patterns that name the events, one a line
 */
void tring_filters_begin(struct tring_filters *filters, const char *patterns)
{
	struct tring_filtered *larger = tring_allocate((filters->count + 1) * sizeof(*larger));

	if (filters->count)
		memcpy(larger, filters->list, filters->count * sizeof(*larger));
	free(filters->list);
	filters->list = larger;
	larger[filters->count].patterns = tring_format("%s", patterns);
	larger[filters->count++].text = NULL;
}

/**
 * tring_filters_add - give the events that were named last a filter
 * @filters: the filters
 * @text: the filter; if they have one already, both have to let an event through
 *
 * Return: false if no event has been named.
 */
bool tring_filters_add(struct tring_filters *filters, const char *text)
{
	struct tring_filtered *last;
	char *before;

	if (!filters->count)
		return false;
	last = &filters->list[filters->count - 1];
	before = last->text;
	last->text = before ? tring_format("(%s) && (%s)", before, text) :
			      tring_format("%s", text);
	free(before);
	return true;
}

/**
 * tring_filter_is_refused - find out whether a filter is one that the kernel has refused
 * @text: what the file of an event's filter shows
 *
 * Return: true if the kernel says there what is wrong.
 */
bool tring_filter_is_refused(const char *text)
{
	return strstr(text, "\nparse_error: ") || strstr(text, "\nError: (");
}

static bool is_named(const struct tring_event_name *event, const char *patterns)
{
	char *copy = tring_format("%s", patterns), *rest = copy, *pattern;
	bool named = false;

	while (!named && (pattern = strsep(&rest, "\n")))
		named = tring_event_matches(event, pattern);
	free(copy);
	return named;
}

/**
 * struct outcome - what became of the filter of several events
 * @named: number of events
 * @refused: number of those for which the kernel refuses it
 * @event: the first of these
 * @why: what its file says; NULL for nothing
 */
struct outcome {
	size_t	named;
	size_t	refused;
	const struct tring_event_name *event;
	char	*why;
};

/*
 * If the text is what is wrong, the kernel says so in the file, and the event has no filter.
 * The error number may then be any.
 */
static int set_filter(struct tring_recording *recording, const struct tring_event_name *event,
		      const char *text, struct outcome *outcome)
{
	char *file = tring_format("events/%s/%s/filter", event->system, event->name), *why = NULL;
	int error = tring_settings_try(&recording->settings, file, text);

	outcome->named++;
	if (error)
		why = tring_control_read(&recording->control, file);
	if (why && tring_filter_is_refused(why)) {
		error = 0;
		if (!outcome->refused++) {
			outcome->event = event;
			outcome->why = why;
			why = NULL;
		}
	} else if (error) {
		tring_error("-f %s: the kernel refuses it for %s:%s: %s", text, event->system,
			    event->name, strerror(-error));
	}
	free(why);
	free(file);
	return error;
}

/*
 * As in ftrace's file for all events of a system: the filter is for those events that have
 * its fields, and the others are recorded without one.
 */
static int set_filters(struct tring_recording *recording,
		       const struct tring_available *available,
		       const struct tring_filtered *filter)
{
	struct outcome outcome = { 0 };
	int error = 0;
	size_t i;

	for (i = 0; i < available->count && !error; i++)
		if (is_named(&available->list[i], filter->patterns))
			error = set_filter(recording, &available->list[i], filter->text,
					   &outcome);
	if (!error && outcome.refused && outcome.refused == outcome.named) {
		tring_error("-f: the kernel refuses the filter of %s:%s:\n%s",
			    outcome.event->system, outcome.event->name,
			    outcome.why ? outcome.why : filter->text);
		error = -EINVAL;
	} else if (!error && outcome.refused) {
		tring_note("-f %s: %zu of %zu events are recorded without it, as %s:%s",
			   filter->text, outcome.refused, outcome.named,
			   outcome.event->system, outcome.event->name);
	}
	free(outcome.why);
	return error;
}

/**
 * tring_filters_set_up - set the filters of a recording
 * @recording: recording whose ring is open; its dynamic events are defined
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_filters_set_up(struct tring_recording *recording)
{
	const struct tring_filters *filters = &recording->options->filters;
	struct tring_available available = { 0 };
	int error = 0;
	size_t i;

	for (i = 0; i < filters->count && !error; i++) {
		if (!filters->list[i].text)
			continue;
		if (!available.text)
			error = tring_available_read(&available, &recording->control);
		if (!error)
			error = set_filters(recording, &available, &filters->list[i]);
	}
	tring_available_free(&available);
	return error;
}

/**
 * tring_filters_free - free the list
 * @filters: the filters
 */
void tring_filters_free(struct tring_filters *filters)
{
	while (filters->count) {
		struct tring_filtered *last = &filters->list[--filters->count];

		free(last->patterns);
		free(last->text);
	}
	free(filters->list);
	filters->list = NULL;
}
