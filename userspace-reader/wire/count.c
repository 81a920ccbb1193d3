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

static void note_id(struct tring_count *count, uint16_t id)
{
	if (!count->ids || count->ids[id])
		return;
	count->ids[id] = true;
	count->new_id = true;
}

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
	if (tring_type_is_short(record->type))
		count->types |= 1u << record->type;
	else if (record->id != TRING_ID_DISCARDED)
		note_id(count, record->id);
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
	const uint8_t *at, *end = packet->data + packet->readable, *usual_end = packet->data;
	uint32_t counts[TRING_TYPES] = { 0 };
	uint64_t stamp = packet->timestamp_begin;
	uint16_t sizes[TRING_TYPES];
	unsigned int type, longs;
	struct tring_cursor cursor;
	struct tring_record record;
	struct tring_plain plain;
	size_t size;

	if (packet->big_endian != TRING_HOST_BIG_ENDIAN)
		return false;
	tring_cursor_init(&cursor, packet);
	at = packet->data + cursor.position;
	/* the longest record that begins before it ends in the content */
	size = size_records(packet, sizes) + TRING_PID_SIZE;
	if (packet->readable >= size)
		usual_end = end - size + 1;
	while (at < end) {
		/* long records, or an unusual one, or the first one, which must have a pid */
		cursor.position = at - packet->data;
		cursor.stamp = stamp;
		for (longs = 0; tring_plain_find_long(&cursor, &plain, &record.id); longs++)
			note_id(count, record.id);
		count->events += longs;
		if (!longs && tring_record_next(&cursor, &record) != TRING_OK)
			return false;
		if (!longs)
			tring_count_record(count, &record);
		stamp = cursor.stamp;
		at = packet->data + cursor.position;
		while (at < usual_end) {
			uint32_t word = tring_load_u32(at, big_endian);
			size_t kind = tring_header_type(word, big_endian);
			size_t context = at[TRING_WORD_SIZE];

			if (tring_context_is_full(context))
				break;
			/* that of the pid without a branch */
			size = sizes[kind] + (context & TRING_CONTEXT_HAS_PID) *
				(TRING_PID_SIZE / TRING_CONTEXT_HAS_PID);
			if (sizes[kind] < HEAD_SIZE + TRING_FIELDS_MIN) {
				size_t length = tring_load_u16(at + size -
					TRING_SHORT_LENGTH_SIZE, big_endian);

				size += length;
				if (!sizes[kind] || length < TRING_FIELDS_MIN ||
				    size > (size_t)(end - at))
					break;
			}
			stamp += (tring_header_stamp(word, big_endian) -
				  (uint32_t)stamp) & mask;
			counts[kind]++;
			at += size;
		}
	}
	if (stamp < packet->timestamp_begin || stamp > packet->timestamp_end)
		return false;
	for (type = 0; type < TRING_TYPES; type++) {
		count->events += counts[type];
		count->types |= (uint32_t)!!counts[type] << type;
	}
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
