/* SPDX-License-Identifier: GPL-2.0 */
/* How many events a packet has, and of which ids: what a recorder must know. */
#ifndef TRING_TALLY_H
#define TRING_TALLY_H

#include "tring_parse.h"

/**
 * struct tring_tally - what was counted
 * @events: records that stand
 * @taken_back: records that their writer took back
 * @types: which short types occurred, a bit each
 * @ids: which of the 65536 ids of ftrace occurred in long and extended records;
 *	the caller's, NULL if that does not matter
 */
struct tring_tally {
	uint64_t	events;
	uint64_t	taken_back;
	uint32_t	types;
	bool		*ids;
};

void tring_tally_record(struct tring_tally *tally,
			const struct tring_record *record);
bool tring_tally_packet(struct tring_tally *tally,
			const struct tring_packet *packet);

#endif /* TRING_TALLY_H */
