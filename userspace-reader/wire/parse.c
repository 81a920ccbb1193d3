// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * One packet: its header, its records, and the search for the next packet.
 *
 * Every length is checked against the available bytes before it is used. Lengths
 * of 32 bits are added up as size_t, so that no sum wraps.
 */
#include <string.h>

#include "plain_record.h"
#include "resync.h"
#include "wire.h"

#define TEXT_OF(number)		TEXT_OF_EXPANDED(number)
#define TEXT_OF_EXPANDED(number)	#number

/* Of any ring. */
#define PACKET_SIZE_MAX	(256 * 1024 * 1024)

#define VERSION_OFFSET	offsetof(struct tring_packet_header, version)

_Static_assert(sizeof(size_t) >= 8, "sums of 32-bit lengths must not wrap");

static const uint16_t no_short_ids[TRING_TYPES];

static const char * const reason_texts[TRING_REASONS] = {
	[TRING_OK] = "no error",
	[TRING_END] = "end of data",
	[TRING_PACKET_HEADER_TORN] = "too few bytes left for a packet header",
	[TRING_PACKET_ZEROED] = "zeroes instead of a packet header",
	[TRING_PACKET_NO_MAGIC] = "no packet magic",
	[TRING_PACKET_VERSION] =
		("packet is not of format version " TEXT_OF(TRING_FORMAT_VERSION)),
	[TRING_PACKET_UNFINISHED] = "content_size is 0: the packet is not complete",
	[TRING_PACKET_CONTENT_BITS] = "content_size is not a whole number of bytes",
	[TRING_PACKET_SIZE_BITS] = "packet_size is not a whole number of bytes",
	[TRING_PACKET_CONTENT_SHORT] = "content_size is smaller than the packet header",
	[TRING_PACKET_SIZE_SHORT] = "packet_size is smaller than content_size",
	[TRING_PACKET_TRUNCATED] = "packet is longer than the rest of the data",
	[TRING_PACKET_EMPTY] = "packet without a record",
	[TRING_PACKET_CONTENT_EARLY] = "records go on behind content_size",
	[TRING_PACKET_TIME_BACKWARDS] = "timestamp_end is before timestamp_begin",
	[TRING_STREAM_BYTE_ORDER] = "byte order differs from the stream's",
	[TRING_STREAM_UUID] = "uuid differs from the stream's",
	[TRING_STREAM_CPU] = "cpu_id differs from the stream's",
	[TRING_STREAM_SEQUENCE] = "packet_seq_num does not rise",
	[TRING_STREAM_DISCARDED] = "events_discarded decreases",
	[TRING_STREAM_OVERLAP] = "packet begins before the previous one ends",
	[TRING_STREAM_FIRST_TIME] = "timestamp_begin is not the first record's time",
	[TRING_PACKET_OVERRUN] = "another packet starts inside this one",
	[TRING_RECORD_HEADER_TORN] = "too few bytes left for a record header",
	[TRING_RECORD_TYPE_UNUSED] = "record type that the packet does not use",
	[TRING_RECORD_ID] = "id that no event can have",
	[TRING_RECORD_CONTEXT] = "context that no writer produces",
	[TRING_RECORD_LENGTH_TORN] = "record header extends past the content",
	[TRING_RECORD_FIELDS_SHORT] = "fields are shorter than the minimum",
	[TRING_RECORD_FIELDS_TORN] = "fields extend past the content",
	[TRING_RECORD_STAMP_BACKWARDS] = "timestamp is before the previous one",
	[TRING_RECORD_STAMP_LATE] = "timestamp is after timestamp_end",
	[TRING_RECORD_STAMP_UNSURE] =
		"timestamps from here to the next full one may be too early",
	[TRING_RECORD_PID_UNKNOWN] = "no pid in a packet's first record",
};

/**
 * tring_reason_text - text for a reason
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
 * tring_reason_is_soft - check whether the packet or record is usable
 * @reason: result of tring_packet_parse() or tring_record_next()
 *
 * Return: true for TRING_OK, and for reasons that do not affect any length.
 */
bool tring_reason_is_soft(enum tring_reason reason)
{
	switch (reason) {
	case TRING_OK:
	case TRING_PACKET_TRUNCATED:
	case TRING_PACKET_EMPTY:
	case TRING_PACKET_CONTENT_EARLY:
	case TRING_PACKET_TIME_BACKWARDS:
	case TRING_STREAM_SEQUENCE:
	case TRING_STREAM_DISCARDED:
	case TRING_STREAM_OVERLAP:
	case TRING_STREAM_FIRST_TIME:
	case TRING_PACKET_OVERRUN:
	case TRING_RECORD_STAMP_BACKWARDS:
	case TRING_RECORD_STAMP_LATE:
	case TRING_RECORD_STAMP_UNSURE:
	case TRING_RECORD_PID_UNKNOWN:
		return true;
	default:
		return false;
	}
}

/**
 * tring_is_zeroed - check whether all bytes are 0
 * @bytes: the bytes
 * @size: number of bytes
 *
 * Return: true if they are.
 */
bool tring_is_zeroed(const uint8_t *bytes, size_t size)
{
	return !size || (!*bytes && !memcmp(bytes, bytes + 1, size - 1));
}

static bool load_magic(const uint8_t *data, bool *big_endian)
{
	*big_endian = tring_load_u32(data, true) == TRING_PACKET_MAGIC;
	return *big_endian || tring_load_u32(data, false) == TRING_PACKET_MAGIC;
}

/**
 * tring_packet_load - read a packet's header, whatever it has
 * @packet: filled in, the sizes as they are, in bits
 * @data: the header
 * @big_endian: byte order of the packet
 */
void tring_packet_load(struct tring_packet *packet, const void *data, bool big_endian)
{
	struct tring_packet_header raw;
	unsigned int type;

	memcpy(&raw, data, sizeof(raw));
	memset(packet, 0, sizeof(*packet));
	packet->data = data;
	packet->short_ids = no_short_ids;
	packet->big_endian = big_endian;
	memcpy(packet->uuid, raw.uuid, sizeof(packet->uuid));
	packet->cpu_id = tring_load_u64(&raw.cpu_id, big_endian);
	packet->timestamp_begin = tring_load_u64(&raw.timestamp_begin,
						 big_endian);
	packet->timestamp_end = tring_load_u64(&raw.timestamp_end, big_endian);
	packet->content_size = tring_load_u32(&raw.content_size, big_endian);
	packet->packet_size = tring_load_u32(&raw.packet_size, big_endian);
	packet->seq_num = tring_load_u64(&raw.packet_seq_num, big_endian);
	packet->discarded = tring_load_u64(&raw.events_discarded, big_endian);
	/* all types first, which the compiler vectorizes; then the exceptions */
	for (type = 0; type < TRING_TYPES; type++)
		packet->lengths[type] = raw.lengths[type] >= TRING_FIELDS_MIN ?
					raw.lengths[type] : 0;
	packet->lengths[0] = 0;
	for (type = TRING_TYPE_SHORT_MAX + 1; type < TRING_TYPES; type++)
		packet->lengths[type] = 0;
}

/**
 * tring_packet_parse - read and check a packet header
 * @data: first byte of the packet, any alignment
 * @size: number of bytes that may be read
 * @packet: filled in up to the first check that fails; @packet->offset is 0
 *
 * Return: TRING_OK, or the first TRING_PACKET_* reason that applies. After a soft
 * reason (tring_reason_is_soft()) the packet's records can be read.
 */
enum tring_reason tring_packet_parse(const void *data, size_t size,
				     struct tring_packet *packet)
{
	bool big_endian;

	memset(packet, 0, sizeof(*packet));
	packet->data = data;
	packet->short_ids = no_short_ids;
	if (size < TRING_PACKET_HEADER_SIZE)
		return size && tring_is_zeroed(data, size) ? TRING_PACKET_ZEROED :
						       TRING_PACKET_HEADER_TORN;
	if (!load_magic(data, &big_endian))
		return tring_is_zeroed(data, TRING_PACKET_HEADER_SIZE) ?
			TRING_PACKET_ZEROED : TRING_PACKET_NO_MAGIC;
	if (((const uint8_t *)data)[VERSION_OFFSET] != TRING_FORMAT_VERSION)
		return TRING_PACKET_VERSION;
	tring_packet_load(packet, data, big_endian);
	if (!packet->content_size)
		return TRING_PACKET_UNFINISHED;
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

/**
 * tring_packet_whole - find the end of the last packet that is whole
 * @data: packets
 * @size: number of bytes
 *
 * Return: its end, as an offset; @size if there is something else than a packet.
 */
size_t tring_packet_whole(const void *data, size_t size)
{
	const uint8_t *bytes = data;
	size_t at = 0;

	while (size - at >= TRING_PACKET_HEADER_SIZE) {
		struct tring_packet packet;
		enum tring_reason reason = tring_packet_parse(bytes + at, size - at, &packet);

		if (reason == TRING_PACKET_TRUNCATED)
			return packet.packet_size <= PACKET_SIZE_MAX ? at : size;
		if (!tring_reason_is_soft(reason))
			return size;
		at += packet.packet_size;
	}
	return at;
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
			  reason == TRING_RECORD_FIELDS_TORN))
		return true;
	return reason == TRING_END || tring_reason_is_soft(reason);
}

/**
 * tring_packet_find - search for the next plausible packet
 * @data: the stream
 * @size: number of bytes of the stream
 * @from: offset at which the search starts
 * @uuid: uuid that the packet must have, NULL for any
 *
 * A packet is plausible if its header and its first record pass every check.
 * The magic alone could be part of a payload.
 *
 * Return: offset of the packet; @size if there is none.
 */
size_t tring_packet_find(const void *data, size_t size, size_t from,
			 const uint8_t *uuid)
{
	/* both byte orders have the same first byte of the magic */
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
 * tring_cursor_init - set a cursor to a packet's first record
 * @cursor: the cursor
 * @packet: from tring_packet_parse() with a soft result
 */
void tring_cursor_init(struct tring_cursor *cursor,
		       const struct tring_packet *packet)
{
	cursor->packet = packet;
	cursor->position = TRING_PACKET_HEADER_SIZE;
	cursor->stamp = packet->timestamp_begin;
	cursor->pid = -1;
	cursor->know_pid = false;
}

/* Read what precedes the pid. Return: TRING_OK, or the reason why it is bad. */
static enum tring_reason read_start(const struct tring_packet *packet,
				    const uint8_t *data, size_t left,
				    struct tring_record *record)
{
	bool big_endian = packet->big_endian;
	unsigned int at;
	uint32_t word;
	uint16_t id;

	if (left < TRING_WORD_SIZE)
		return TRING_RECORD_HEADER_TORN;
	word = tring_load_u32(data, big_endian);
	record->type = tring_header_type(word, big_endian);
	record->compact = tring_header_stamp(word, big_endian);
	if (record->type < TRING_TYPE_DISCARDED && !packet->lengths[record->type])
		return TRING_RECORD_TYPE_UNUSED;
	at = tring_context_offset(record->type);
	if (left <= at)
		return TRING_RECORD_LENGTH_TORN;

	if (tring_type_is_short(record->type)) {
		record->id = tring_short_id(packet, record->type);
	} else if (record->type >= TRING_TYPE_LONG) {
		id = tring_load_u16(data + at - TRING_ID_SIZE, big_endian);
		if (id != TRING_TYPE_DISCARDED && id <= TRING_LONG_ID_BASE)
			return TRING_RECORD_ID;
		if (id != TRING_TYPE_DISCARDED)
			record->id = id - TRING_LONG_ID_BASE;
	}
	record->context = data[at];
	if (tring_context_is_full(record->context) &&
	    record->context != (TRING_CONTEXT_FULL | TRING_CONTEXT_HAS_PID))
		return TRING_RECORD_CONTEXT;
	return TRING_OK;
}

/* Read pid, flags and preempt count. The caller has checked that they are there. */
static void read_context(const struct tring_cursor *cursor, const uint8_t *data,
			 struct tring_record *record)
{
	record->pid = cursor->pid;
	if (record->context & TRING_CONTEXT_HAS_PID)
		record->pid = (int32_t)tring_load_u32(data + 1,
						      cursor->packet->big_endian);
	if (tring_context_is_full(record->context)) {
		record->flags = data[1 + TRING_PID_SIZE];
		record->preempt_count = data[1 + TRING_PID_SIZE + 1];
	} else {
		record->flags = tring_context_flags(record->context);
		record->preempt_count =
			tring_context_preempt_count(record->context);
	}
}

/* Return: number of bytes of the fields. */
static size_t read_length(const struct tring_packet *packet, unsigned int type,
			  const uint8_t *data)
{
	if (type > TRING_TYPE_SHORT_MAX)
		return tring_load_u32(data, packet->big_endian);
	if (packet->lengths[type] == TRING_LENGTH_VARIES)
		return tring_load_u16(data, packet->big_endian);
	return packet->lengths[type];
}

/**
 * tring_record_next - read and check the next record
 * @cursor: position; moved behind the record unless the length is unusable
 * @record: filled in up to the first check that fails
 *
 * Return: TRING_OK; TRING_END at the end of the packet; or the first
 * TRING_RECORD_* reason that applies. After a soft reason the record is complete
 * and the cursor can go on. After any other the next call returns the same
 * reason. A pid that is unknown is -1.
 */
enum tring_reason tring_record_next(struct tring_cursor *cursor,
				    struct tring_record *record)
{
	const struct tring_packet *packet = cursor->packet;
	size_t position = cursor->position, left, head, length;
	bool big_endian = packet->big_endian, know_pid;
	uint64_t before = cursor->stamp;
	enum tring_reason reason;
	const uint8_t *data;
	bool varies;

	if (position >= packet->readable)
		return TRING_END;

	memset(record, 0, sizeof(*record));
	record->offset = position;
	left = packet->readable - position;
	data = packet->data + position;
	reason = read_start(packet, data, left, record);
	if (reason != TRING_OK)
		return reason;
	varies = packet->lengths[record->type] == TRING_LENGTH_VARIES;
	head = tring_context_offset(record->type) +
	       tring_context_size(record->context);
	if (left < head + tring_length_size(record->type, varies))
		return TRING_RECORD_LENGTH_TORN;
	read_context(cursor, data + tring_context_offset(record->type), record);
	length = read_length(packet, record->type, data + head);
	head += tring_length_size(record->type, varies);

	if (record->type == TRING_TYPE_EXTENDED)
		record->stamp = tring_load_u64(data + TRING_WORD_SIZE,
					       big_endian);
	else
		record->stamp = tring_stamp_rebuild(before, record->compact,
						    TRING_STAMP_BITS);
	/* a discarded short record has 4 bytes less than it had */
	if (length < TRING_FIELDS_MIN && record->type != TRING_TYPE_DISCARDED)
		return TRING_RECORD_FIELDS_SHORT;
	if (length > left - head)
		return TRING_RECORD_FIELDS_TORN;
	record->payload = data + head - TRING_PAYLOAD_HEAD;
	record->length = length + TRING_PAYLOAD_HEAD;
	record->stored = head + length;

	know_pid = cursor->know_pid ||
		   record->context & TRING_CONTEXT_HAS_PID;
	cursor->position = position + head + length;
	cursor->stamp = record->stamp;
	cursor->pid = record->pid;
	/* an unknown pid is reported once */
	cursor->know_pid = true;
	if (record->stamp < before)
		return TRING_RECORD_STAMP_BACKWARDS;
	if (record->stamp > packet->timestamp_end)
		return TRING_RECORD_STAMP_LATE;
	return know_pid ? TRING_OK : TRING_RECORD_PID_UNKNOWN;
}
