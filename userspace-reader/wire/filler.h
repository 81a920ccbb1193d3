/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Changes to packets that keep their events: their size and their count of lost events; and
 * packets without events.
 */
#ifndef TRING_FILLER_H
#define TRING_FILLER_H

#include <stdint.h>

/* Least size of a packet without events. */
#define TRING_FILLER_SIZE	128

/* Size of the one that may begin a file: batches begin at the begin of a block. */
#define TRING_FILLER_BLOCK	4096

/**
 * struct tring_filler - what is to be set in a packet without events
 * @stamp: timestamp_begin and timestamp_end
 * @seq_num: packet_seq_num
 * @discarded: events_discarded
 */
struct tring_filler {
	uint64_t	stamp;
	uint64_t	seq_num;
	uint64_t	discarded;
};

void tring_packet_resize(uint8_t *packet, uint32_t size);
void tring_packet_set_discarded(uint8_t *packet, uint64_t discarded);
void tring_filler_write(uint8_t *to, uint32_t size, const uint8_t *like,
			const struct tring_filler *filler);

#endif /* TRING_FILLER_H */
