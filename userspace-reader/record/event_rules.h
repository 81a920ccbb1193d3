/* SPDX-License-Identifier: GPL-2.0 */
/* The filters and triggers of the events of a recording, as the user has written them. */
#ifndef TRING_EVENT_RULES_H
#define TRING_EVENT_RULES_H

#include <stdbool.h>
#include <stddef.h>

struct tring_event_name;

/**
 * struct tring_event_rule - events that the user has named at once, and what is for them
 * @patterns: patterns that name the events, one a line
 * @filter: their filter; NULL for none
 * @triggers: their triggers, one a line; NULL for none
 */
struct tring_event_rule {
	char		*patterns;
	char		*filter;
	char		*triggers;
};

/**
 * struct tring_event_rules - the filters and triggers of a recording
 * @list: one for each time that events were named
 * @count: number of @list
 */
struct tring_event_rules {
	struct tring_event_rule *list;
	size_t		count;
};

void tring_event_rules_begin(struct tring_event_rules *rules, const char *patterns);
bool tring_event_rules_add_filter(struct tring_event_rules *rules, const char *text);
bool tring_event_rules_add_trigger(struct tring_event_rules *rules, const char *text);
bool tring_event_rules_have_trigger(const struct tring_event_rules *rules, const char *action);
bool tring_event_rule_is_for(const struct tring_event_rule *rule,
			     const struct tring_event_name *event);
void tring_event_rules_free(struct tring_event_rules *rules);

#endif /* TRING_EVENT_RULES_H */
