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
#include "util/util.h"

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

/* Set a trigger on the events of its rule, or ask the kernel for it. */
static int set_for(struct tring_recording *recording, const struct tring_available *available,
		   const struct tring_event_rule *rule, const char *text, bool ask)
{
	char *line = ask ? without_effect(text) : tring_format("%s", text);
	int error = 0;
	size_t i;

	for (i = 0; i < available->count && !error; i++)
		if (tring_event_rule_is_for(rule, &available->list[i]))
			error = set_trigger(recording, &available->list[i], text, line);
	free(line);
	return error;
}

static int set_all(struct tring_recording *recording, bool ask)
{
	const struct tring_event_rules *rules = &recording->options->rules;
	struct tring_available available = { 0 };
	int error = 0;
	size_t i;

	for (i = 0; i < rules->count && !error; i++) {
		const char *triggers = rules->list[i].triggers;
		char *copy = triggers ? tring_format("%s", triggers) : NULL, *rest = copy, *text;

		if (copy && !available.text)
			error = tring_available_read(&available, &recording->control);
		while (!error && (text = strsep(&rest, "\n")))
			error = set_for(recording, &available, &rules->list[i], text, ask);
		free(copy);
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
	int failed = tring_settings_restore(&recording->settings, before, NULL);

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
	return set_all(recording, false);
}
