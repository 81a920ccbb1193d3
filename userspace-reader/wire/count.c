// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Counts a packet's events and collects their ids.
 *
 * The recorder takes CPU time from the traced system for each packet, so this
 * reads only the length and the timestamp of each record. Compact timestamps
 * cannot fall within a packet, so only the last one is checked.
 */
#include "count.h"
#include "plain_record.h"

/* Size of a usual record's word and context byte. */
#define HEAD_SIZE	(TRING_WORD_SIZE + 1)

/**
 * tring_count_record - count one record
 * @count: counts, to which the record is added
 * @record: record that tring_record_next() returned with a soft result
 */
void tring_count_record(struct tring_count *count,
			const struct tring_record *record)
{
	if (record->id == TRING_ID_DISCARDED)
		count->discarded_records++;
	else
		count->events++;
	if (tring_type_is_short(record->type)) {
		count->types |= 1u << record->type;
	} else if (count->ids && record->id != TRING_ID_DISCARDED &&
		   !count->ids[record->id]) {
		count->ids[record->id] = true;
		count->new_id = true;
	}
}

/*
 * Fill in, by type, the size of a usual record without a pid: without the fields
 * if their length varies, 0 if no record of the type is usual.
 * Return: the largest size.
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

/* As tring_count_packet(), for @count without counts. */
static bool count_records(struct tring_count *count,
			  const struct tring_packet *packet)
{
	const uint32_t mask = tring_stamp_mask(TRING_STAMP_BITS);
	const bool big_endian = TRING_HOST_BIG_ENDIAN;
	const uint8_t *data = packet->data;
	size_t position, end = packet->readable, usual_end;
	uint64_t stamp = packet->timestamp_begin, usual = 0;
	bool types[TRING_TYPES] = { false };
	uint16_t sizes[TRING_TYPES];
	unsigned int type;
	struct tring_cursor cursor;
	struct tring_record record;
	struct tring_plain plain;

	if (packet->big_endian != TRING_HOST_BIG_ENDIAN)
		return false;
	tring_cursor_init(&cursor, packet);
	position = cursor.position;
	/* the longest record that begins before it ends in the content */
	usual_end = size_records(packet, sizes) + TRING_PID_SIZE;
	usual_end = end < usual_end ? 0 : end - usual_end + 1;
	while (position < end) {
		/* an unusual record, or the first one, which must have a pid */
		cursor.position = position;
		cursor.stamp = stamp;
		if (tring_plain_find_long(&cursor, &plain, &record.id))
			record.type = TRING_TYPE_LONG;
		else if (tring_record_next(&cursor, &record) != TRING_OK)
			return false;
		tring_count_record(count, &record);
		stamp = cursor.stamp;
		position = cursor.position;
		while (position < usual_end) {
			const uint8_t *at = data + position;
			uint32_t word = tring_load_u32(at, big_endian);
			size_t kind = tring_header_type(word, big_endian);
			size_t context = at[TRING_WORD_SIZE];
			/* size of the pid, without a branch */
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
	count->events += usual;
	for (type = 0; type < TRING_TYPES; type++)
		count->types |= (uint32_t)types[type] << type;
	return true;
}

/**
 * tring_count_packet - count a packet's events
 * @count: counts, to which the packet's are added; for a bad packet only
 *	@count->ids and @count->new_id may change
 * @packet: packet that tring_packet_parse() returned with a soft result
 *
 * Return: false if tring_record_next() would report anything, or if the packet
 * does not have the host's byte order.
 */
bool tring_count_packet(struct tring_count *count,
			const struct tring_packet *packet)
{
	struct tring_count added = { .ids = count->ids };
	bool good = count_records(&added, packet);

	count->new_id |= added.new_id;
	if (!good)
		return false;
	count->events += added.events;
	count->discarded_records += added.discarded_records;
	count->types |= added.types;
	return true;
}
