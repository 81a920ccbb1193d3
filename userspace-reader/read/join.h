/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Several traces as one. */
#ifndef TRING_JOIN_H
#define TRING_JOIN_H

#include "trace.h"
#include "util/clock.h"

/**
 * struct tring_joined - one of the traces
 * @trace: the trace
 * @item: its next event or loss
 * @time: when that was
 * @more: @item is valid
 */
struct tring_joined {
	struct tring_trace *trace;
	struct tring_item item;
	struct tring_wall time;
	bool		more;
};

/**
 * struct tring_join - several traces as one
 * @traces: the traces
 * @list: what is next of each
 * @selections: their selections
 * @count: number of @traces
 * @given: the one whose @item was given last; NULL before the first
 */
struct tring_join {
	struct tring_trace **traces;
	struct tring_joined *list;
	struct tring_selection *selections;
	size_t		count;
	struct tring_joined *given;
};

int tring_join_next(struct tring_join *join, struct tring_item *item);
void tring_join_part(struct tring_join *join);

#endif /* TRING_JOIN_H */
