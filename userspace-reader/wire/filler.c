// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Changes to packets that keep their events: their size and their count of lost events; and
 * packets without events.
 *
 * Some viewers stop at a packet without a record, so a packet without events has one
 * discarded record.
 */
#include <stdbool.h>
#include <string.h>

#include "filler.h"
#include "util/store.h"
#include "tring_format.h"
#include "wire.h"

static bool is_big_endian(const uint8_t *packet)
{
	return tring_load_u32(packet, true) == TRING_PACKET_MAGIC;
}

/**
 * tring_packet_resize - set the size of a packet
 * @packet: the packet
 * @size: number of bytes up to the next packet
 */
void tring_packet_resize(uint8_t *packet, uint32_t size)
{
	tring_store_u32(packet + offsetof(struct tring_packet_header, packet_size),
			8 * size, is_big_endian(packet));
}

/**
 * tring_packet_set_discarded - set the number of lost events of a packet
 * @packet: the packet
 * @discarded: events that the trace has lost up to its end
 */
void tring_packet_set_discarded(uint8_t *packet, uint64_t discarded)
{
	tring_store_u64(packet + offsetof(struct tring_packet_header, events_discarded), discarded,
			is_big_endian(packet));
}

_Static_assert(TRING_FILLER_CONTENT <= TRING_FILLER_SIZE, "a filler has no room");

static void write_discarded_record(uint8_t *to, uint64_t stamp, bool big_endian)
{
	tring_store_u32(to, tring_header_pack(stamp, TRING_TYPE_DISCARDED, big_endian),
			big_endian);
	to += TRING_WORD_SIZE;
	/* the first record of a packet has a pid; 0 is that of no task in particular */
	*to++ = TRING_CONTEXT_HAS_PID;
	tring_store_u32(to, 0, big_endian);
	to += TRING_PID_SIZE;
	tring_store_u32(to, 0, big_endian);
}

/**
 * tring_filler_write - write a packet without events
 * @to: TRING_FILLER_SIZE bytes, all of which are written
 * @size: size of the packet, at least TRING_FILLER_SIZE; the caller zeroes the rest
 * @like: header of a packet of the same stream
 * @filler: what differs from @like
 */
void tring_filler_write(uint8_t *to, uint32_t size, const uint8_t *like,
			const struct tring_filler *filler)
{
	const bool big_endian = is_big_endian(like);
	struct tring_packet_header *header = (struct tring_packet_header *)to;

	memset(to, 0, TRING_FILLER_SIZE);
	memcpy(to, like, sizeof(*header));
	memset(header->lengths, 0, sizeof(header->lengths));
	write_discarded_record(to + sizeof(*header), filler->stamp, big_endian);
	tring_store_u64((uint8_t *)&header->timestamp_begin, filler->stamp, big_endian);
	tring_store_u64((uint8_t *)&header->timestamp_end, filler->stamp, big_endian);
	tring_store_u32((uint8_t *)&header->content_size, 8 * TRING_FILLER_CONTENT, big_endian);
	tring_store_u64((uint8_t *)&header->packet_seq_num, filler->seq_num, big_endian);
	tring_store_u64((uint8_t *)&header->events_discarded, filler->discarded, big_endian);
	tring_packet_resize(to, size);
}
