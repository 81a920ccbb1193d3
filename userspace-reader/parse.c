// SPDX-License-Identifier: GPL-2.0
/*
 * One packet: its header, its records, and where the next one may lie.
 *
 * Every length is checked against what is there before it is used. Lengths
 * that are 32 bits wide are added up as size_t, so that no sum wraps.
 */
#include <string.h>

#include "plain_record.h"
#include "tring_parse.h"

_Static_assert(sizeof(size_t) >= 8, "sums of 32-bit lengths must not wrap");

static const char * const reason_texts[TRING_REASONS] = {
	[TRING_OK] = "no error",
	[TRING_END] = "end of data",
	[TRING_PACKET_HEADER_TORN] = "too few bytes left for a packet header",
	[TRING_PACKET_ZEROED] = "zeroes where a packet header is due",
	[TRING_PACKET_NO_MAGIC] = "no packet magic",
	[TRING_PACKET_CONTENT_BITS] = "content_size is no whole number of bytes",
	[TRING_PACKET_SIZE_BITS] = "packet_size is no whole number of bytes",
	[TRING_PACKET_CONTENT_SHORT] = "content_size is smaller than the packet header",
	[TRING_PACKET_SIZE_SHORT] = "packet_size is smaller than content_size",
	[TRING_PACKET_TRUNCATED] = "packet is longer than what is left of the data",
	[TRING_PACKET_EMPTY] = "packet without a record",
	[TRING_PACKET_TIME_BACKWARDS] = "timestamp_end is before timestamp_begin",
	[TRING_STREAM_BYTE_ORDER] = "byte order differs from the stream's",
	[TRING_STREAM_UUID] = "uuid differs from the stream's",
	[TRING_STREAM_CPU] = "cpu_id differs from the stream's",
	[TRING_STREAM_SEQUENCE] = "packet_seq_num does not rise",
	[TRING_STREAM_DISCARDED] = "events_discarded decreases",
	[TRING_STREAM_OVERLAP] = "packet begins before the last one ends",
	[TRING_PACKET_OVERRUN] = "another packet starts inside this one",
	[TRING_RECORD_HEADER_TORN] = "too few bytes left for a record header",
	[TRING_RECORD_TYPE_RESERVED] = "reserved type_len",
	[TRING_RECORD_LENGTH_TORN] = "record header goes past the content",
	[TRING_RECORD_PAYLOAD_SHORT] = "payload is shorter than the smallest one",
	[TRING_RECORD_PAYLOAD_TORN] = "payload goes past the content",
	[TRING_RECORD_SKIP] = "skip of a discarded record disagrees with its length",
	[TRING_RECORD_STAMP_BACKWARDS] = "timestamp is before the last one",
	[TRING_RECORD_STAMP_LATE] = "timestamp is after timestamp_end",
};

/**
 * tring_reason_text - sentence for a reason
 * @reason: the reason
 *
 * Return: static string, never NULL.
 */
const char *tring_reason_text(enum tring_reason reason)
{
	if ((unsigned int)reason >= TRING_REASONS)
		return "unknown reason";
	return reason_texts[reason];
}

/**
 * tring_reason_is_soft - may the packet or record be used all the same?
 * @reason: what tring_packet_parse() or tring_record_next() returned
 *
 * Return: true for TRING_OK and for findings that leave every length sound.
 */
bool tring_reason_is_soft(enum tring_reason reason)
{
	switch (reason) {
	case TRING_OK:
	case TRING_PACKET_TRUNCATED:
	case TRING_PACKET_EMPTY:
	case TRING_PACKET_TIME_BACKWARDS:
	case TRING_STREAM_SEQUENCE:
	case TRING_STREAM_DISCARDED:
	case TRING_STREAM_OVERLAP:
	case TRING_PACKET_OVERRUN:
	case TRING_RECORD_STAMP_BACKWARDS:
	case TRING_RECORD_STAMP_LATE:
		return true;
	default:
		return false;
	}
}

static bool is_zeroed(const uint8_t *bytes, size_t size)
{
	while (size--)
		if (*bytes++)
			return false;
	return true;
}

static bool load_magic(const uint8_t *data, bool *big_endian)
{
	*big_endian = tring_load_u32(data, true) == TRING_PACKET_MAGIC;
	return *big_endian || tring_load_u32(data, false) == TRING_PACKET_MAGIC;
}

static void load_header(const uint8_t *data, struct tring_packet *packet)
{
	struct tring_packet_header raw;
	bool big_endian = packet->big_endian;

	memcpy(&raw, data, sizeof(raw));
	memcpy(packet->uuid, raw.uuid, sizeof(packet->uuid));
	packet->cpu_id = tring_load_u32(&raw.cpu_id, big_endian);
	packet->timestamp_begin = tring_load_u64(&raw.timestamp_begin,
						 big_endian);
	packet->timestamp_end = tring_load_u64(&raw.timestamp_end, big_endian);
	packet->content_size = tring_load_u32(&raw.content_size, big_endian);
	packet->packet_size = tring_load_u32(&raw.packet_size, big_endian);
	packet->seq_num = tring_load_u64(&raw.packet_seq_num, big_endian);
	packet->discarded = tring_load_u64(&raw.events_discarded, big_endian);
}

/**
 * tring_packet_parse - read and check a packet header
 * @data: where the packet starts, any alignment
 * @size: bytes that may be looked at
 * @packet: filled in as far as the checks got; @packet->offset is 0
 *
 * Return: TRING_OK, or the first TRING_PACKET_* reason that holds. After a soft
 * one (tring_reason_is_soft()) the packet's records can be walked.
 */
enum tring_reason tring_packet_parse(const void *data, size_t size,
				     struct tring_packet *packet)
{
	memset(packet, 0, sizeof(*packet));
	packet->data = data;

	if (size < TRING_PACKET_HEADER_SIZE)
		return size && is_zeroed(data, size) ? TRING_PACKET_ZEROED :
						       TRING_PACKET_HEADER_TORN;
	if (!load_magic(data, &packet->big_endian))
		return is_zeroed(data, TRING_PACKET_HEADER_SIZE) ?
			TRING_PACKET_ZEROED : TRING_PACKET_NO_MAGIC;
	load_header(data, packet);
	if (packet->content_size % 8)
		return TRING_PACKET_CONTENT_BITS;
	if (packet->packet_size % 8)
		return TRING_PACKET_SIZE_BITS;
	packet->content_size /= 8;
	packet->packet_size /= 8;
	if (packet->content_size < TRING_PACKET_HEADER_SIZE)
		return TRING_PACKET_CONTENT_SHORT;
	if (packet->packet_size < packet->content_size)
		return TRING_PACKET_SIZE_SHORT;

	packet->readable = packet->content_size;
	if (packet->packet_size > size) {
		if (packet->readable > size)
			packet->readable = size;
		return TRING_PACKET_TRUNCATED;
	}
	if (packet->content_size == TRING_PACKET_HEADER_SIZE)
		return TRING_PACKET_EMPTY;
	if (packet->timestamp_end < packet->timestamp_begin)
		return TRING_PACKET_TIME_BACKWARDS;
	return TRING_OK;
}

static bool is_plausible(const uint8_t *data, size_t size, const uint8_t *uuid)
{
	struct tring_packet packet;
	struct tring_cursor cursor;
	struct tring_record record;
	enum tring_reason reason = tring_packet_parse(data, size, &packet);
	bool truncated = reason == TRING_PACKET_TRUNCATED;

	if (!tring_reason_is_soft(reason))
		return false;
	if (uuid && memcmp(uuid, packet.uuid, sizeof(packet.uuid)))
		return false;
	tring_cursor_init(&cursor, &packet);
	reason = tring_record_next(&cursor, &record);
	if (truncated && (reason == TRING_RECORD_HEADER_TORN ||
			  reason == TRING_RECORD_LENGTH_TORN ||
			  reason == TRING_RECORD_PAYLOAD_TORN))
		return true;
	return reason == TRING_END || tring_reason_is_soft(reason);
}

/**
 * tring_packet_find - look for the next plausible packet
 * @data: the stream
 * @size: its bytes
 * @from: offset to start at
 * @uuid: that the packet must have, NULL for any
 *
 * Plausible means that the header passes every check and that its first record
 * does too: payload bytes that look like a magic are not enough.
 *
 * Return: the packet's offset, @size if there is none.
 */
size_t tring_packet_find(const void *data, size_t size, size_t from,
			 const uint8_t *uuid)
{
	/* the magic's first byte is the same in both byte orders */
	const uint8_t *bytes = data, *hit;
	bool big_endian;

	while (from < size && size - from >= TRING_PACKET_HEADER_SIZE) {
		hit = memchr(bytes + from, TRING_PACKET_MAGIC & 0xff,
			     size - from);
		if (!hit)
			break;
		from = hit - bytes;
		if (size - from < TRING_PACKET_HEADER_SIZE)
			break;
		if (load_magic(hit, &big_endian) &&
		    is_plausible(hit, size - from, uuid))
			return from;
		from++;
	}
	return size;
}

/**
 * tring_cursor_init - start at a packet's first record
 * @cursor: the cursor
 * @packet: from tring_packet_parse() with a soft result
 */
void tring_cursor_init(struct tring_cursor *cursor,
		       const struct tring_packet *packet)
{
	cursor->packet = packet;
	cursor->position = TRING_PACKET_HEADER_SIZE;
	cursor->stamp = packet->timestamp_begin;
}

/*
 * A words record says its length in units of 4, so the exact one may be up to
 * 3 bytes shorter: at the packet's end, where content_size is exact, and in
 * the skip of a discarded record.
 */
static bool skip_agrees(const struct tring_record *record, bool big_endian)
{
	uint64_t exact = tring_load_u32(record->payload + TRING_SKIP_OFFSET,
					big_endian);

	exact += TRING_PAYLOAD_MIN;
	if (record->type_len == TRING_TYPE_BYTES ||
	    record->type_len == TRING_TYPE_EXTENDED)
		return exact == record->length;
	return tring_record_align(exact) == tring_record_align(record->length);
}

/**
 * tring_record_next - read and check the next record
 * @cursor: position, moved behind the record unless its length is unusable
 * @record: filled in as far as the checks got
 *
 * Return: TRING_OK, TRING_END at the end of the packet, or the first
 * TRING_RECORD_* reason that holds. After a soft one the record is whole and
 * the cursor can go on; after another it cannot, and a further call returns
 * the same reason.
 */
enum tring_reason tring_record_next(struct tring_cursor *cursor,
				    struct tring_record *record)
{
	const struct tring_packet *packet = cursor->packet;
	size_t position = tring_record_align(cursor->position);
	size_t left, header, room, slack = 0;
	uint64_t before = cursor->stamp;
	bool big_endian = packet->big_endian;
	const uint8_t *data;
	uint32_t word;

	if (cursor->position >= packet->readable)
		return TRING_END;

	memset(record, 0, sizeof(*record));
	record->offset = position;
	if (position + TRING_HEADER_WORDS_SIZE > packet->readable)
		return TRING_RECORD_HEADER_TORN;
	left = packet->readable - position;
	data = packet->data + position;
	word = tring_load_u32(data, big_endian);
	record->type_len = tring_header_type(word, big_endian);
	record->compact = tring_header_stamp(word, big_endian);

	if (record->type_len == TRING_TYPE_BYTES)
		header = TRING_HEADER_BYTES_SIZE;
	else if (record->type_len == TRING_TYPE_EXTENDED)
		header = TRING_HEADER_EXTENDED_SIZE;
	else if (record->type_len <= TRING_TYPE_WORDS_MAX)
		header = TRING_HEADER_WORDS_SIZE;
	else
		return TRING_RECORD_TYPE_RESERVED;
	if (left < header)
		return TRING_RECORD_LENGTH_TORN;
	left -= header;

	if (header == TRING_HEADER_WORDS_SIZE) {
		room = record->type_len * 4;
		slack = 3;
	} else {
		room = tring_load_u32(data + 4, big_endian);
	}
	if (record->type_len == TRING_TYPE_EXTENDED)
		record->stamp = tring_load_u64(data + 8, big_endian);
	else
		record->stamp = tring_stamp_rebuild(before, record->compact,
						    TRING_STAMP_BITS);
	record->length = room;
	if (room < TRING_PAYLOAD_MIN)
		return TRING_RECORD_PAYLOAD_SHORT;
	if (room > left + slack || left < TRING_PAYLOAD_MIN)
		return TRING_RECORD_PAYLOAD_TORN;
	if (room > left)
		record->length = left;

	record->payload = data + header;
	tring_record_context(record, big_endian);
	if (record->id == TRING_ID_DISCARDED && !skip_agrees(record, big_endian))
		return TRING_RECORD_SKIP;

	cursor->position = position + header + record->length;
	cursor->stamp = record->stamp;
	if (record->stamp < before)
		return TRING_RECORD_STAMP_BACKWARDS;
	if (record->stamp > packet->timestamp_end)
		return TRING_RECORD_STAMP_LATE;
	return TRING_OK;
}
