/* SPDX-License-Identifier: GPL-2.0 */
/* Records that were reserved and not committed when the image was made. */
#ifndef TRING_OPEN_RECORDS_H
#define TRING_OPEN_RECORDS_H

#include "wire/wire.h"

/**
 * struct tring_open_records - what is known of an open packet's records
 * @packet: the packet; @packet->readable is the end of the last record
 * @uncommitted: bytes before that end that are not committed
 * @events: committed events
 *
 * What tring_open_records_resolve() finds out:
 * @end: end of what can be used
 * @records: number of records that are not committed
 * @is_sure: it is known which ones these are
 */
struct tring_open_records {
	struct tring_packet packet;
	uint32_t	uncommitted;
	uint64_t	events;

	uint32_t	end;
	uint64_t	records;
	bool		is_sure;
};

bool tring_records_fill(const struct tring_packet *packet, size_t end, uint64_t *events,
			uint64_t *stamp);
bool tring_open_records_resolve(struct tring_open_records *open, uint8_t *bytes);

#endif /* TRING_OPEN_RECORDS_H */
