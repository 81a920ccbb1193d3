// SPDX-License-Identifier: GPL-2.0
/*
 * Triggers of the events of a recording. They are set when recording is on, so that none
 * fires before, and removed before it is switched off, so that none switches it on again.
 *
 * The kernel is asked for them before that, while the old trace is still there, with a count of
 * 0: such a trigger is checked as any other, and never fires.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tracefs/available.h"
#include "recording.h"
#include "trigger.h"
#include "util/util.h"

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

/* @text: the trigger as the user has written it, for messages; @line: as it is set */
static int set_trigger(struct tring_recording *recording, const struct tring_event_name *event,
		       const char *text, const char *line)
{
	char *file = tring_format("events/%s/%s/trigger", event->system, event->name);
	int error = tring_settings_set_line(&recording->settings, file, line);

	if (error == -EEXIST)
		tring_error("-R %s: %s:%s has a trigger of this kind", text, event->system,
			    event->name);
	else if (error)
		tring_error("-R %s: the kernel refuses it for %s:%s: %s; its log says why", text,
			    event->system, event->name, strerror(-error));
	free(file);
	return error;
}

static bool is_count(const char *text)
{
	char *end;

	errno = 0;
	strtoul(text, &end, 0);
	return isdigit((unsigned char)*text) && !*end && !errno;
}

/* Return: the trigger with a count of 0, with which it never fires, to free(). */
static char *without_effect(const char *text)
{
	const char *begin = text + strspn(text, " \t");
	size_t size = strcspn(begin, " \t");
	char *word = tring_format("%.*s", (int)size, begin), *count = strrchr(word, ':'), *line;

	/* the kernel refuses another text there */
	if (count && is_count(count + 1))
		*count = 0;
	line = tring_format("%s%s%s", word, count && !count[1] ? "0" : ":0", begin + size);
	free(word);
	return line;
}

static int set_all(struct tring_recording *recording, bool ask)
{
	const struct tring_triggers *triggers = &recording->options->triggers;
	struct tring_available available = { 0 };
	size_t i, j;
	int error;

	if (!triggers->count)
		return 0;
	error = tring_available_read(&available, &recording->control);
	for (i = 0; i < triggers->count && !error; i++) {
		const struct tring_trigger *trigger = &triggers->list[i];
		char *line = ask ? without_effect(trigger->text) :
				   tring_format("%s", trigger->text);

		for (j = 0; j < available.count && !error; j++)
			if (is_named(&available.list[j], trigger->events))
				error = set_trigger(recording, &available.list[j], trigger->text,
						    line);
		free(line);
	}
	tring_available_free(&available);
	return error;
}

/**
 * tring_triggers_ask - ask the kernel for the triggers of a recording, which do not fire yet
 * @recording: recording whose old trace is still there
 *
 * Return: 0; or a negative errno, reported on stderr, if it refuses one of them.
 */
int tring_triggers_ask(struct tring_recording *recording)
{
	size_t before = recording->settings.count;
	int error = set_all(recording, true);
	int failed = tring_settings_restore_to(&recording->settings, before);

	return error ? error : failed;
}

/**
 * tring_triggers_set - set the triggers of a recording
 * @recording: recording that is on, after tring_triggers_ask()
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_triggers_set(struct tring_recording *recording)
{
	recording->before_triggers = recording->settings.count;
	return set_all(recording, false);
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
