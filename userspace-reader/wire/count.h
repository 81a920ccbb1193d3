/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Counts a packet's events and collects their ids, for a recorder. */
#ifndef TRING_COUNT_H
#define TRING_COUNT_H

#include "wire.h"

/**
 * struct tring_count - counts of one or more packets
 * @events: records that are not discarded
 * @discarded_records: discarded records
 * @types: short types that occurred, one bit each
 * @ids: by ftrace's id: it occurred in a long or extended record; an array of
 *	65536 entries that the caller owns, or NULL
 * @new_id: an entry of @ids was set
 */
struct tring_count {
	uint64_t	events;
	uint64_t	discarded_records;
	uint32_t	types;
	bool		*ids;
	bool		new_id;
};

void tring_count_record(struct tring_count *count,
			const struct tring_record *record);
bool tring_count_packet(struct tring_count *count,
			const struct tring_packet *packet);

#endif /* TRING_COUNT_H */
