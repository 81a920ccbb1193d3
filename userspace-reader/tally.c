// SPDX-License-Identifier: GPL-2.0
/*
 * How many events a packet has, and of which ids.
 *
 * A recorder walks each packet while the traced system waits for the CPU, so
 * this looks at a record's header and id alone. Compact timestamps only rise:
 * it is enough to see where the last one leads.
 */
#include "tally.h"

/* Of a record whose header says its length in words. */
#define TYPE_MIN	(TRING_PAYLOAD_MIN / 4)
#define USUAL_MAX	(TRING_HEADER_WORDS_SIZE + TRING_WORDS_PAYLOAD_MAX)

/* Return: false if something is wrong with the record. */
static bool tally_any(struct tring_tally *tally, struct tring_cursor *cursor)
{
	struct tring_record record;

	if (tring_record_next(cursor, &record) != TRING_OK)
		return false;
	if (record.id == TRING_ID_DISCARDED)
		tally->taken_back++;
	else
		tally->events++;
	tally->ids[record.id] = true;
	return true;
}

/**
 * tring_tally_packet - count a packet's events
 * @tally: added to; of a packet with which something is wrong @tally->ids may
 *	have been, too
 * @packet: from tring_packet_parse()
 *
 * Return: false if tring_record_next() would find something wrong, or the
 * packet has another machine's byte order.
 */
bool tring_tally_packet(struct tring_tally *tally,
			const struct tring_packet *packet)
{
	const uint32_t mask = tring_stamp_mask(TRING_STAMP_BITS);
	const bool big_endian = TRING_HOST_BIG_ENDIAN;
	struct tring_tally others = { .ids = tally->ids };
	struct tring_cursor cursor = { .packet = packet };
	const uint8_t *data = packet->data;
	size_t position = TRING_PACKET_HEADER_SIZE, end = packet->readable;
	/* before it the longest in words fits: no look at where each ends */
	size_t usual_end = end < USUAL_MAX ? 0 : end - USUAL_MAX + 1;
	uint64_t stamp = packet->timestamp_begin, usual = 0;
	bool *const ids = tally->ids;

	if (packet->big_endian != big_endian)
		return false;
	while (position < end) {
		while (position < usual_end) {
			uint32_t word = tring_load_u32(data + position,
						       big_endian);
			size_t type = tring_header_type(word, big_endian);
			uint16_t id = tring_load_u16(data + position +
						     TRING_HEADER_WORDS_SIZE,
						     big_endian);

			if (type - TYPE_MIN > TRING_TYPE_WORDS_MAX - TYPE_MIN ||
			    id == TRING_ID_DISCARDED)
				break;
			stamp += (tring_header_stamp(word, big_endian) -
				  (uint32_t)stamp) & mask;
			ids[id] = true;
			usual++;
			position += TRING_HEADER_WORDS_SIZE + 4 * type;
		}
		if (position >= end)
			break;
		cursor.position = position;
		cursor.stamp = stamp;
		if (!tally_any(&others, &cursor))
			return false;
		stamp = cursor.stamp;
		position = tring_record_align(cursor.position);
		/* less than a record's alignment is left */
		if (cursor.position < end && position >= end)
			return false;
	}
	if (stamp < packet->timestamp_begin || stamp > packet->timestamp_end)
		return false;
	tally->events += usual + others.events;
	tally->taken_back += others.taken_back;
	return true;
}
