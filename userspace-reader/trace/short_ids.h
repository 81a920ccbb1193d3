/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The ring's file short_ids: the events that short types stand for. */
#ifndef TRING_SHORT_IDS_H
#define TRING_SHORT_IDS_H

#include <stdbool.h>
#include <stdint.h>

#include "event/events.h"
#include "tring_format.h"

/**
 * struct tring_short_ids - events of short types
 * @ids: by type: id of the event, 0 if the type stands for none
 * @lengths: by type: bytes of the event's fields, or TRING_LENGTH_VARIES
 */
struct tring_short_ids {
	uint16_t	ids[TRING_TYPES];
	uint8_t		lengths[TRING_TYPES];
};

int tring_short_ids_parse(struct tring_short_ids *shorts, const char *text,
			  const char *where);
uint32_t tring_short_ids_types(const struct tring_short_ids *shorts);
unsigned int tring_short_ids_find(const struct tring_short_ids *shorts,
				  uint16_t id);
int tring_short_ids_check(const struct tring_short_ids *shorts,
			  const struct tring_events *events, const char *where);
bool tring_short_ids_add(struct tring_short_ids *shorts, const struct tring_short_ids *more);
int tring_short_ids_update(struct tring_short_ids *shorts,
			   const struct tring_short_ids *newer,
			   const char *where);

#endif /* TRING_SHORT_IDS_H */
