// SPDX-License-Identifier: GPL-2.0
/*
 * The text of a trigger, in ftrace's grammar:
 *
 *	[!]traceon|traceoff|snapshot|stacktrace[:COUNT] [if FILTER]
 *	[!]enable_event|disable_event:SYSTEM:EVENT[:COUNT] [if FILTER]
 *
 * White space may stand for the first colon. As in ftrace, what follows the names does not
 * matter when a trigger is removed.
 *
 * Source: trigger_process_regex() and what it calls, in kernel/trace/trace_events_trigger.c.
 */
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "trigger.h"

static const char *const action_names[TRING_TRIGGER_ACTIONS] = {
	[TRING_TRIGGER_TRACEON]		= "traceon",
	[TRING_TRIGGER_TRACEOFF]	= "traceoff",
	[TRING_TRIGGER_SNAPSHOT]	= "snapshot",
	[TRING_TRIGGER_STACKTRACE]	= "stacktrace",
	[TRING_TRIGGER_ENABLE_EVENT]	= "enable_event",
	[TRING_TRIGGER_DISABLE_EVENT]	= "disable_event",
};

/**
 * tring_trigger_name - name of an action, as users write it
 * @action: the action
 */
const char *tring_trigger_name(enum tring_trigger_action action)
{
	return action_names[action];
}

/**
 * tring_trigger_has_target - does an action concern another event?
 * @action: the action
 */
bool tring_trigger_has_target(enum tring_trigger_action action)
{
	return action == TRING_TRIGGER_ENABLE_EVENT || action == TRING_TRIGGER_DISABLE_EVENT;
}

/* Takes the first word off @text, which becomes NULL if there is nothing behind it. */
static char *take_trigger_word(char **text, const char *separators)
{
	char *word = strsep(text, separators);

	if (*text) {
		*text = skip_spaces(*text);
		if (!**text)
			*text = NULL;
	}
	return word;
}

static int parse_count(char *text, long *count)
{
	char *number = strsep(&text, ":");
	unsigned long value;
	int err;

	if (!number)
		return 0;
	err = kstrtoul(number, 0, &value);
	if (!err)
		*count = value > LONG_MAX ? -1 : value;
	return err;
}

static int parse_condition(char *text, const char **condition)
{
	char *word = strsep(&text, " \t");

	if (!word)
		return 0;
	if (strcmp(word, "if") || !text)
		return -EINVAL;
	*condition = text;
	return 0;
}

/**
 * tring_trigger_parse - parse the text of a trigger
 * @text: the text; changed, and referred to by @parsed
 * @parsed: set to what it says
 * @why: set to a sentence if the text is refused
 *
 * Return: 0; -EINVAL; or -ERANGE if the count is too large.
 */
int tring_trigger_parse(char *text, struct tring_trigger_text *parsed, const char **why)
{
	char *word, *count = NULL;
	int err;

	*parsed = (struct tring_trigger_text) { .count = -1 };
	text = strim(text);
	parsed->remove = *text == '!';
	if (parsed->remove)
		text++;
	word = take_trigger_word(&text, ": \t");
	while (parsed->action < TRING_TRIGGER_ACTIONS && strcmp(word, action_names[parsed->action]))
		parsed->action++;
	if (parsed->action == TRING_TRIGGER_ACTIONS) {
		*why = "tring has no such trigger";
		return -EINVAL;
	}
	if (tring_trigger_has_target(parsed->action)) {
		*why = "it names no event, as SYSTEM:EVENT";
		if (!text)
			return -EINVAL;
		count = take_trigger_word(&text, " \t");
		parsed->system = strsep(&count, ":");
		if (!count)
			return -EINVAL;
		parsed->name = strsep(&count, ":");
	} else if (text && isdigit(*text)) {
		count = take_trigger_word(&text, " \t");
	}
	if (parsed->remove)
		return 0;
	*why = "its count is no number";
	err = parse_count(count, &parsed->count);
	if (err)
		return err;
	*why = "what follows is not \"if\" and a filter";
	return parse_condition(text, &parsed->condition);
}
