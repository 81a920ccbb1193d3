/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Counts a packet's events and collects their ids, for a recorder. */
#ifndef TRING_TALLY_H
#define TRING_TALLY_H

#include "wire.h"

/**
 * struct tring_tally - counts of one or more packets
 * @events: records that are not discarded
 * @discarded_records: discarded records
 * @types: short types that occurred, one bit each
 * @ids: by ftrace's id: it occurred in a long or extended record; an array of
 *	65536 entries that the caller owns, or NULL
 * @new_id: an entry of @ids was set
 */
struct tring_tally {
	uint64_t	events;
	uint64_t	discarded_records;
	uint32_t	types;
	bool		*ids;
	bool		new_id;
};

void tring_tally_record(struct tring_tally *tally,
			const struct tring_record *record);
bool tring_tally_packet(struct tring_tally *tally,
			const struct tring_packet *packet);

#endif /* TRING_TALLY_H */
