/* SPDX-License-Identifier: GPL-2.0 */
/* Which events tell of what, and where they have it. */
#ifndef TRING_BIND_H
#define TRING_BIND_H

#include <stdint.h>

#include "tring.h"

enum tring_kind {
	TRING_KIND_OTHER,
	TRING_KIND_SWITCH,
	TRING_KIND_WAKING,
	TRING_KIND_WAKEUP,
	TRING_KIND_NEW,
	TRING_KIND_IRQ_ENTRY,
	TRING_KIND_IRQ_EXIT,
	TRING_KIND_VECTOR_ENTRY,
	TRING_KIND_VECTOR_EXIT,
	TRING_KIND_SOFTIRQ_ENTRY,
	TRING_KIND_SOFTIRQ_EXIT,
	TRING_KIND_RAW_ENTER,
	TRING_KIND_RAW_EXIT,
	TRING_KIND_CALL_ENTER,
	TRING_KIND_CALL_EXIT,
	TRING_KIND_MIGRATE,
	TRING_KIND_RAISE,
	TRING_KIND_EXPIRE_ENTRY,
	TRING_KIND_EXPIRE_EXIT,
	TRING_KIND_MARKER,
	TRING_KINDS,
};

/* The numbers of each kind. */
enum {
	TRING_SWITCH_PREV,
	TRING_SWITCH_STATE,
	TRING_SWITCH_NEXT,
	TRING_NUMBERS,
	/* the task, the irq, the softirq, the system call, the function of a timer */
	TRING_NUMBER = 0,
	TRING_CALL_RESULT,
	/* where a task is to run; NULL if a wakeup does not tell */
	TRING_TARGET_CPU = 1,
};

/**
 * struct tring_bound - an event, as far as the tables know it
 * @kind: what it tells
 * @event: the event
 * @numbers: the fields of @kind
 * @name: name of the irq, or text of a marker; NULL without one
 * @vector: number of an interrupt vector, the same for its begin and its end
 * @label: name of the vector or the system call; NULL without one
 */
struct tring_bound {
	enum tring_kind	kind;
	const struct tring_event *event;
	const struct tring_field *numbers[TRING_NUMBERS];
	const struct tring_field *name;
	int64_t		vector;
	char		*label;
};

struct tring_bound *tring_bind(const struct tring_trace *trace);
void tring_bound_free(struct tring_bound *bound, size_t count);

#endif /* TRING_BIND_H */
