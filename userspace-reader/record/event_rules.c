// SPDX-License-Identifier: GPL-2.0
/* The filters and triggers of the events of a recording, as the user has written them. */
#include <stdlib.h>
#include <string.h>

#include "event_rules.h"
#include "tracefs/available.h"
#include "util/util.h"

/**
 * tring_event_rules_begin - note events that the user names
 * @rules: the rules
 * @patterns: patterns that name the events, one a line
 */
void tring_event_rules_begin(struct tring_event_rules *rules, const char *patterns)
{
	rules->list = tring_one_more(rules->list, rules->count, sizeof(*rules->list));
	rules->list[rules->count++] = (struct tring_event_rule) {
		.patterns = tring_format("%s", patterns),
	};
}

/**
 * tring_event_rules_add_filter - give the events that were named last a filter
 * @rules: the rules
 * @text: the filter; if they have one already, both have to let an event through
 *
 * Return: false if no event has been named.
 */
bool tring_event_rules_add_filter(struct tring_event_rules *rules, const char *text)
{
	struct tring_event_rule *last = rules->count ? &rules->list[rules->count - 1] : NULL;
	char *before;

	if (!last)
		return false;
	before = last->filter;
	last->filter = before ? tring_format("(%s) && (%s)", before, text) :
				tring_format("%s", text);
	free(before);
	return true;
}

/**
 * tring_event_rules_add_trigger - give the events that were named last a trigger
 * @rules: the rules
 * @text: the trigger
 *
 * Return: false if no event has been named.
 */
bool tring_event_rules_add_trigger(struct tring_event_rules *rules, const char *text)
{
	struct tring_event_rule *last = rules->count ? &rules->list[rules->count - 1] : NULL;

	if (last)
		tring_extend(&last->triggers, "%s%s", last->triggers ? "\n" : "", text);
	return last;
}

/**
 * tring_event_rules_have_trigger - is there a trigger of a kind?
 * @rules: the rules
 * @action: name of what it does
 */
bool tring_event_rules_have_trigger(const struct tring_event_rules *rules, const char *action)
{
	size_t size = strlen(action), i;
	const char *line;

	for (i = 0; i < rules->count; i++) {
		for (line = rules->list[i].triggers; line && *line; line += line[0] == '\n') {
			if (!strncmp(line, action, size) && strchr(": \t\n", line[size]))
				return true;
			line += strcspn(line, "\n");
		}
	}
	return false;
}

/**
 * tring_event_rule_is_for - check whether a rule is for an event
 * @rule: the rule
 * @event: the event
 */
bool tring_event_rule_is_for(const struct tring_event_rule *rule,
			     const struct tring_event_name *event)
{
	char *copy = tring_format("%s", rule->patterns), *rest = copy, *pattern;
	bool is_for = false;

	while (!is_for && (pattern = strsep(&rest, "\n")))
		is_for = tring_event_matches(event, pattern);
	free(copy);
	return is_for;
}

/**
 * tring_event_rules_free - free the list
 * @rules: the rules
 */
void tring_event_rules_free(struct tring_event_rules *rules)
{
	while (rules->count) {
		struct tring_event_rule *last = &rules->list[--rules->count];

		free(last->patterns);
		free(last->filter);
		free(last->triggers);
	}
	free(rules->list);
	rules->list = NULL;
}
