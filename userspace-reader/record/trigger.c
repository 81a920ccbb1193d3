// SPDX-License-Identifier: GPL-2.0
/*
 * Triggers of the events of a recording. They are set when recording is on, so that none
 * fires before, and removed before it is switched off, so that none switches it on again.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "available.h"
#include "recording.h"
#include "trigger.h"
#include "util.h"

/**
 * tring_triggers_add - note a trigger that the user wants
 * @triggers: the triggers
 * @events: patterns of its events, separated by commas or white space
 * @text: the trigger
 */
void tring_triggers_add(struct tring_triggers *triggers, const char *events, const char *text)
{
	struct tring_trigger *larger = tring_allocate((triggers->count + 1) * sizeof(*larger));

	if (triggers->count)
		memcpy(larger, triggers->list, triggers->count * sizeof(*larger));
	free(triggers->list);
	triggers->list = larger;
	larger[triggers->count].events = events;
	larger[triggers->count++].text = text;
}

/**
 * tring_triggers_have - is there a trigger of a kind?
 * @triggers: the triggers
 * @action: name of what it does
 */
bool tring_triggers_have(const struct tring_triggers *triggers, const char *action)
{
	size_t size = strlen(action), i;

	for (i = 0; i < triggers->count; i++)
		if (!strncmp(triggers->list[i].text, action, size) &&
		    strchr(": \t", triggers->list[i].text[size]))
			return true;
	return false;
}

static bool is_named(const struct tring_event_name *event, const char *patterns)
{
	char *copy = tring_format("%s", patterns), *rest = copy, *pattern;
	bool named = false;

	while (!named && (pattern = strsep(&rest, ", \t\n")))
		named = *pattern &&
			tring_event_matches(event, strcmp(pattern, "all") ? pattern : "*:*");
	free(copy);
	return named;
}

static int set_trigger(struct tring_recording *recording, const struct tring_event_name *event,
		       const char *text)
{
	char *file = tring_format("events/%s/%s/trigger", event->system, event->name);
	int error = tring_settings_set_line(&recording->settings, file, text);

	if (error == -EEXIST)
		tring_error("-R %s: %s:%s has a trigger of this kind", text, event->system,
			    event->name);
	else if (error)
		tring_error("-R %s: the kernel refuses it for %s:%s: %s; its log says why", text,
			    event->system, event->name, strerror(-error));
	free(file);
	return error;
}

/**
 * tring_triggers_set - set the triggers of a recording
 * @recording: recording that is on
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_triggers_set(struct tring_recording *recording)
{
	const struct tring_triggers *triggers = &recording->options->triggers;
	struct tring_available available = { 0 };
	size_t i, j;
	int error;

	recording->before_triggers = recording->settings.count;
	if (!triggers->count)
		return 0;
	error = tring_available_read(&available, &recording->control);
	for (i = 0; i < triggers->count && !error; i++)
		for (j = 0; j < available.count && !error; j++)
			if (is_named(&available.list[j], triggers->list[i].events))
				error = set_trigger(recording, &available.list[j],
						    triggers->list[i].text);
	tring_available_free(&available);
	return error;
}

/**
 * tring_triggers_remove - undo tring_triggers_set()
 * @recording: the recording
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_triggers_remove(struct tring_recording *recording)
{
	return tring_settings_restore_to(&recording->settings, recording->before_triggers);
}

/**
 * tring_triggers_free - free the list
 * @triggers: the triggers
 */
void tring_triggers_free(struct tring_triggers *triggers)
{
	free(triggers->list);
	triggers->list = NULL;
	triggers->count = 0;
}
