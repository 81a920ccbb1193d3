/* SPDX-License-Identifier: GPL-2.0 */
/* Makes whole packets of what a ring in an image has. */
#ifndef TRING_SALVAGE_PACKET_H
#define TRING_SALVAGE_PACKET_H

#include "ring.h"

/**
 * enum tring_packet_end - how the end of a packet's records is known
 * @TRING_PACKET_DELIVERED: the ring has delivered the packet
 * @TRING_PACKET_BY_WRITE: by the writer's position
 * @TRING_PACKET_BY_CLOSE: the packet was closed, and is open only for records in it
 * @TRING_PACKET_BY_COMMITS: the committed bytes are records without a gap
 * @TRING_PACKET_UNSURE: up to what is known to be committed
 */
enum tring_packet_end {
	TRING_PACKET_DELIVERED,
	TRING_PACKET_BY_WRITE,
	TRING_PACKET_BY_CLOSE,
	TRING_PACKET_BY_COMMITS,
	TRING_PACKET_UNSURE,
	TRING_PACKET_ENDS
};

/**
 * struct tring_salvaged - a packet that can be written
 * @bytes: the packet
 * @capacity: bytes allocated
 * @size: bytes of the packet; 0 if it has no record
 * @end: how its end is known
 * @there: committed events that the ring counts in it
 * @recovered: events that a reader gets
 * @uncommitted: records that are not committed
 * @is_sure: it is known which ones these are
 * @faults: pieces of bad input that a reader finds
 * @missing: bytes that the image lacks
 * @repaired: parts of the header that were wrong, and are known
 * @is_guess: nothing but its own records tells its times, and not all of these
 * @is_filled: records fill the packet, as many as the ring counts
 * @is_foreign: it is of an older trace, and is not used
 */
struct tring_salvaged {
	uint8_t		*bytes;
	size_t		capacity;
	size_t		size;
	enum tring_packet_end end;
	uint64_t	there;
	uint64_t	recovered;
	uint64_t	uncommitted;
	bool		is_sure;
	uint64_t	faults;
	size_t		missing;
	unsigned int	repaired;
	bool		is_guess;
	bool		is_filled;
	bool		is_foreign;
};

/**
 * struct tring_met - what occurs in packets
 * @types: short types, one bit each
 * @ids: events in long and extended records, by id
 */
struct tring_met {
	uint32_t	types;
	bool		*ids;
};

/**
 * struct tring_salvage_order - what the packets before tell of the next one
 * @end: timestamp_end of the packet before, 0 in the beginning
 * @discarded: events_discarded of the packet before
 * @most: events_discarded that no packet can exceed
 * @next: timestamp_begin of the packet behind, 0 if it is not known
 * @met: what occurs in the packets is added, may be NULL
 */
struct tring_salvage_order {
	uint64_t	end;
	uint64_t	discarded;
	uint64_t	most;
	uint64_t	next;
	struct tring_met *met;
};

void tring_salvage_packet(const struct tring_ring *ring, const struct tring_place *place,
			  struct tring_salvage_order *order, struct tring_salvaged *packet);
void tring_salvaged_free(struct tring_salvaged *packet);

#endif /* TRING_SALVAGE_PACKET_H */
