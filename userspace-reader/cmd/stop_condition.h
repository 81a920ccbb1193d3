/* SPDX-License-Identifier: GPL-2.0 */
/* A condition of tring record --stop-when, as the user has written it. */
#ifndef TRING_STOP_CONDITION_H
#define TRING_STOP_CONDITION_H

#include <stdbool.h>
#include <stdint.h>

#include "stats/pair.h"

/**
 * struct tring_stop_condition - a time that is too long, or an event
 * @text: the condition
 * @pair: the events that the time is between; without @begin it is one event
 * @reached: the limit itself is too long, too
 * @limit: in ns
 * @event: the event; NULL for a time
 * @filter: which of them; NULL for any
 * @words: a copy of @text, which has what @pair, @event and @filter are made of
 * @own: what a pair with a name needs besides
 */
struct tring_stop_condition {
	const char	*text;
	struct tring_pair pair;
	bool		reached;
	uint64_t	limit;
	const char	*event;
	const char	*filter;
	char		*words;
	char		*own;
};

bool tring_stop_condition_parse(struct tring_stop_condition *condition, const char *text);
const char *tring_stop_condition_event(const struct tring_stop_condition *condition,
				       unsigned int at);
void tring_stop_condition_free(struct tring_stop_condition *condition);
bool tring_parse_time(const char *text, uint64_t *ns);

#endif /* TRING_STOP_CONDITION_H */
