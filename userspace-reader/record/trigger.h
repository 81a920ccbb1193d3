/* SPDX-License-Identifier: GPL-2.0 */
/* Triggers of the events of a recording. */
#ifndef TRING_TRIGGER_H
#define TRING_TRIGGER_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct tring_trigger - a trigger, as the user has written it
 * @events: patterns of its events, separated by commas or white space
 * @text: the trigger
 */
struct tring_trigger {
	const char	*events;
	const char	*text;
};

/**
 * struct tring_triggers - the triggers of a recording
 * @list: the triggers
 * @count: number of @list
 */
struct tring_triggers {
	struct tring_trigger *list;
	size_t		count;
};

struct tring_recording;

void tring_triggers_add(struct tring_triggers *triggers, const char *events, const char *text);
bool tring_triggers_have(const struct tring_triggers *triggers, const char *action);
int tring_triggers_ask(struct tring_recording *recording);
int tring_triggers_set(struct tring_recording *recording);
int tring_triggers_remove(struct tring_recording *recording);
void tring_triggers_free(struct tring_triggers *triggers);

#endif /* TRING_TRIGGER_H */
