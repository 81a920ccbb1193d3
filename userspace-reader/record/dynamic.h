/* SPDX-License-Identifier: GPL-2.0 */
/* Dynamic events that exist for a recording only. */
#ifndef TRING_DYNAMIC_H
#define TRING_DYNAMIC_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct tring_dynamic - a dynamic event
 * @kind: "kprobe" or "uprobe", as in the option that defines it
 * @definition: line for ftrace's file; NULL for an event that a killed recorder has left
 * @event: "GROUP/NAME"
 */
struct tring_dynamic {
	const char	*kind;
	char		*definition;
	char		*event;
};

/**
 * struct tring_dynamics - the dynamic events of a recording
 * @list: the events
 * @count: number of @list
 * @defined: the first so many are in ftrace's file
 */
struct tring_dynamics {
	struct tring_dynamic *list;
	size_t		count;
	size_t		defined;
};

bool tring_dynamics_add(struct tring_dynamics *dynamics, const char *kind,
			const char *definition);
bool tring_dynamics_add_left(struct tring_dynamics *dynamics, const char *value);
int tring_dynamics_check(const struct tring_dynamics *dynamics);
int tring_dynamics_define(struct tring_dynamics *dynamics);
int tring_dynamics_remove(struct tring_dynamics *dynamics);
char *tring_dynamics_patterns(const struct tring_dynamics *dynamics, const char *events);
void tring_dynamics_free(struct tring_dynamics *dynamics);

#endif /* TRING_DYNAMIC_H */
