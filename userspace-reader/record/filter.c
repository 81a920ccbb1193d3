// SPDX-License-Identifier: GPL-2.0
/*
 * Filters of the events of a recording. The kernel parses them. They come before the events
 * are enabled, and stay until these are as before.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tracefs/available.h"
#include "recording.h"
#include "util/util.h"

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
		       const struct tring_event_rule *rule)
{
	struct outcome outcome = { 0 };
	int error = 0;
	size_t i;

	for (i = 0; i < available->count && !error; i++)
		if (tring_event_rule_is_for(rule, &available->list[i]))
			error = set_filter(recording, &available->list[i], rule->filter, &outcome);
	if (!error && outcome.refused && outcome.refused == outcome.named) {
		tring_error("the kernel refuses the filter of %s:%s:\n%s",
			    outcome.event->system, outcome.event->name,
			    outcome.why ? outcome.why : rule->filter);
		error = -EINVAL;
	} else if (!error && outcome.refused) {
		tring_note("-f %s: %zu of %zu events are recorded without it, as %s:%s",
			   rule->filter, outcome.refused, outcome.named,
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
	const struct tring_event_rules *rules = &recording->options->rules;
	struct tring_available available = { 0 };
	int error = 0;
	size_t i;

	for (i = 0; i < rules->count && !error; i++) {
		if (!rules->list[i].filter)
			continue;
		if (!available.text)
			error = tring_available_read(&available, &recording->control);
		if (!error)
			error = set_filters(recording, &available, &rules->list[i]);
	}
	tring_available_free(&available);
	return error;
}
