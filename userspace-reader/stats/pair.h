/* SPDX-License-Identifier: GPL-2.0 */
/* Two events, and how an end is found for a begin. */
#ifndef TRING_PAIR_H
#define TRING_PAIR_H

#include <stdbool.h>
#include <stddef.h>

#include "tring.h"
#include "util/line.h"

/* Fields that a begin and its end have in common. */
#define TRING_PAIR_KEYS		4

/**
 * struct tring_pair - two events, by name; text that is NULL was not given
 * @name: name of the pair; NULL for one that a user has put together
 * @begin: SYSTEM:EVENT
 * @end: the same
 * @keys: FIELD, or FIELD=FIELD with that of the begin first, with commas
 * @by: a field, for whose values there are rows
 * @begin_time: a field of the begin with its time in ns
 * @end_time: the same of the end
 * @cancel: an event that undoes a begin; a trace may be without it
 * @cancel_keys: its fields in common with the begin, as many
 * @condition: FIELD=NUMBER, which a begin has to meet
 * @first: of several begins the first one counts, not the last one
 * @names: texts for the values of @by; NULL for their numbers
 * @kprobe: a line of kprobe_events that defines @end; NULL if every kernel has it
 */
struct tring_pair {
	const char	*name;
	const char	*begin;
	const char	*end;
	const char	*keys;
	const char	*by;
	const char	*begin_time;
	const char	*end_time;
	const char	*cancel;
	const char	*cancel_keys;
	const char	*condition;
	bool		first;
	const char	*(*names)(uint64_t number);
	const char	*kprobe;
};

/**
 * enum tring_value_kind - where the value of a field comes from
 * @TRING_VALUE_FIELD: from a field of the event
 * @TRING_VALUE_PID: the task that ran
 * @TRING_VALUE_CPU: the CPU
 */
enum tring_value_kind {
	TRING_VALUE_FIELD,
	TRING_VALUE_PID,
	TRING_VALUE_CPU,
};

/**
 * struct tring_value - a field of a begin or an end
 * @name: its name
 * @kind: where it comes from
 * @field: the field; NULL for one that every event has
 */
struct tring_value {
	const char	*name;
	enum tring_value_kind kind;
	const struct tring_field *field;
};

/**
 * struct tring_bound_pair - a pair in a trace
 * @pair: the pair
 * @begin: its begin
 * @end: its end
 * @begin_keys: the fields in common, of the begin
 * @end_keys: the same, of the end
 * @cancel: what undoes a begin; NULL for none
 * @cancel_keys: the same of @cancel
 * @key_count: number of each
 * @by: for whose values there are rows; without @name for none
 * @by_end: it is a field of the end
 * @begin_time: time of the begin; NULL for the event's
 * @end_time: time of the end; NULL for the event's
 * @condition: NULL for none
 * @number: what @condition has to be
 * @texts: what the pair has allocated
 * @text_count: number of @texts
 */
struct tring_bound_pair {
	struct tring_pair pair;
	const struct tring_event *begin;
	const struct tring_event *end;
	struct tring_value begin_keys[TRING_PAIR_KEYS];
	struct tring_value end_keys[TRING_PAIR_KEYS];
	const struct tring_event *cancel;
	struct tring_value cancel_keys[TRING_PAIR_KEYS];
	size_t		key_count;
	struct tring_value by;
	bool		by_end;
	const struct tring_field *begin_time;
	const struct tring_field *end_time;
	const struct tring_field *condition;
	int64_t		number;
	char		*texts[TRING_PAIR_KEYS];
	size_t		text_count;
};

extern const struct tring_pair tring_pairs[];

bool tring_is_event(const struct tring_event *event, const char *name);
bool tring_pair_is_recorded(const struct tring_pair *pair, const struct tring_trace *trace);
bool tring_pair_find(struct tring_pair *pair, const char *name, char **text);
bool tring_pair_bind(struct tring_bound_pair *bound, const struct tring_pair *pair,
		     const struct tring_trace *trace);
void tring_pair_free(struct tring_bound_pair *bound);

void tring_value_add_key(struct tring_line *line, const struct tring_value *value,
			 const struct tring_item *item);
void tring_value_add_text(struct tring_line *line, const struct tring_value *value,
			  const struct tring_item *item);

#endif /* TRING_PAIR_H */
