// SPDX-License-Identifier: GPL-2.0
/*
 * How many events a packet has, and of which ids.
 *
 * A recorder walks each packet while the traced system waits for the CPU, so
 * this looks at what says how long a record is and when it was written, and at
 * nothing else. Compact timestamps only rise: it is enough to see where the
 * last one leads.
 */
#include "tally.h"

/* A usual record's word and context. */
#define HEAD_SIZE	(TRING_WORD_SIZE + 1)

/**
 * tring_tally_record - count one record
 * @tally: added to
 * @record: from tring_record_next() with a soft result
 */
void tring_tally_record(struct tring_tally *tally,
			const struct tring_record *record)
{
	if (record->id == TRING_ID_DISCARDED)
		tally->taken_back++;
	else
		tally->events++;
	if (tring_type_is_short(record->type))
		tally->types |= 1u << record->type;
	else if (tally->ids && record->id != TRING_ID_DISCARDED)
		tally->ids[record->id] = true;
}

/*
 * By type, what a record takes that has its pid from the one before: without the
 * fields where their length varies, and 0 where no record is usual. Return: the
 * most.
 */
static size_t size_records(const struct tring_packet *packet, uint16_t *sizes)
{
	const uint16_t varies = HEAD_SIZE + TRING_SHORT_LENGTH_SIZE;
	uint16_t most = varies;
	unsigned int type;

	for (type = 0; type < TRING_TYPES; type++) {
		uint16_t length = packet->lengths[type];
		uint16_t size = length + HEAD_SIZE;

		size = length == TRING_LENGTH_VARIES ? varies : size;
		size = length ? size : 0;
		sizes[type] = size;
		most = size > most ? size : most;
	}
	return most;
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
	const uint8_t *data = packet->data;
	size_t position, end = packet->readable, usual_end;
	uint64_t stamp = packet->timestamp_begin, usual = 0;
	bool types[TRING_TYPES] = { false };
	uint16_t sizes[TRING_TYPES];
	unsigned int type;
	struct tring_cursor cursor;
	struct tring_record record;

	if (packet->big_endian != TRING_HOST_BIG_ENDIAN)
		return false;
	tring_cursor_init(&cursor, packet);
	position = cursor.position;
	/* before it the longest fits: no look at where each ends */
	usual_end = size_records(packet, sizes) + TRING_PID_SIZE;
	usual_end = end < usual_end ? 0 : end - usual_end + 1;
	while (position < end) {
		/* the first record, too, for it must have a pid */
		cursor.position = position;
		cursor.stamp = stamp;
		if (tring_record_next(&cursor, &record) != TRING_OK)
			return false;
		tring_tally_record(&others, &record);
		stamp = cursor.stamp;
		position = cursor.position;
		while (position < usual_end) {
			const uint8_t *at = data + position;
			uint32_t word = tring_load_u32(at, big_endian);
			size_t kind = tring_header_type(word, big_endian);
			size_t context = at[TRING_WORD_SIZE];
			/* the pid, without a branch */
			size_t size = (context & TRING_CONTEXT_HAS_PID) *
				(TRING_PID_SIZE / TRING_CONTEXT_HAS_PID);

			if (tring_context_is_full(context))
				break;
			size += sizes[kind];
			if (sizes[kind] < HEAD_SIZE + TRING_FIELDS_MIN) {
				size_t length = tring_load_u16(at + size -
					TRING_SHORT_LENGTH_SIZE, big_endian);

				size += length;
				if (!sizes[kind] || length < TRING_FIELDS_MIN ||
				    size > end - position)
					break;
			}
			stamp += (tring_header_stamp(word, big_endian) -
				  (uint32_t)stamp) & mask;
			types[kind] = true;
			usual++;
			position += size;
		}
	}
	if (stamp < packet->timestamp_begin || stamp > packet->timestamp_end)
		return false;
	tally->events += usual + others.events;
	tally->taken_back += others.taken_back;
	tally->types |= others.types;
	for (type = 0; type < TRING_TYPES; type++)
		tally->types |= (uint32_t)types[type] << type;
	return true;
}
