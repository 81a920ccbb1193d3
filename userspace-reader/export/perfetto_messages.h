/* SPDX-License-Identifier: GPL-2.0 */
/* Which of ftrace's events have a message of their own in Perfetto's traces. */
#ifndef TRING_PERFETTO_MESSAGES_H
#define TRING_PERFETTO_MESSAGES_H

#include <stdint.h>

#include "tring.h"

/* The message of an event that has none of its own. */
#define TRING_PERFETTO_GENERIC	327

/**
 * struct tring_perfetto_places - where the fields of an event go
 * @message: number of the message in FtraceEvent
 * @numbers: by field: number of its place in the message, 0 if there is none; NULL for
 *	TRING_PERFETTO_GENERIC, which has a place for each
 */
struct tring_perfetto_places {
	uint32_t	message;
	uint32_t	*numbers;
};

void tring_perfetto_find_places(struct tring_perfetto_places *places,
				const struct tring_trace *trace,
				const struct tring_event *event);

#endif /* TRING_PERFETTO_MESSAGES_H */
