/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The events that the running ring can record, and patterns that name them. */
#ifndef TRING_AVAILABLE_H
#define TRING_AVAILABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "control.h"

struct tring_events;

/**
 * struct tring_event_name - name of an event
 * @system: the event's system
 * @name: the event's name
 */
struct tring_event_name {
	const char	*system;
	const char	*name;
};

/**
 * struct tring_available - the events that a ring can record
 * @text: memory of the names
 * @list: the events, ordered by system and name
 * @count: number of entries in @list
 */
struct tring_available {
	char		*text;
	struct tring_event_name *list;
	size_t		count;
};

int tring_available_read(struct tring_available *available,
			 const struct tring_control *control);
void tring_available_free(struct tring_available *available);
bool tring_event_matches(const struct tring_event_name *event, const char *pattern);
int tring_available_check(const struct tring_available *available, const char *pattern,
			  const char *option);
int tring_available_add(struct tring_events *events, const struct tring_control *control,
			const struct tring_available *available, const char *patterns);
int tring_available_load(struct tring_events *events, const struct tring_control *control);
char *tring_available_fields(const struct tring_control *control,
			     const struct tring_event_name *event);

#endif /* TRING_AVAILABLE_H */
