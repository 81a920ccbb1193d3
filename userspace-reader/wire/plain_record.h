/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A fast path for usual records, private to the library.
 *
 * It reads a usual record exactly as tring_record_next(), tring_stream_next() and
 * tring_merge_next() do, in fewer instructions and without a message, and leaves
 * every other record to them.
 */
#ifndef TRING_PLAIN_RECORD_H
#define TRING_PLAIN_RECORD_H

#include "wire.h"

/*
 * Distance of the prefetch in bytes. Processors do not prefetch across a page
 * boundary, and a cache miss takes longer than the rest of this function. Any
 * distance from 256 to 2048 bytes measured the same.
 */
#define TRING_FETCH_AHEAD	1024

/**
 * tring_short_id - id of the event that a short type stands for
 * @packet: the packet
 * @type: the type
 *
 * Return: ftrace's id, or TRING_ID_UNKNOWN.
 */
static inline uint16_t tring_short_id(const struct tring_packet *packet,
				      unsigned int type)
{
	uint16_t id = packet->short_ids[type];

	return id ? id : TRING_ID_UNKNOWN;
}

/**
 * struct tring_plain - a usual record that was found
 * @data: its first byte
 * @offset: offset of @data in the packet
 * @head: bytes before the fields
 * @length: bytes of the fields
 * @stamp: full timestamp
 * @compact: compact timestamp as stored
 * @pid: the pid
 * @type: type as stored
 * @context: context byte as stored
 */
struct tring_plain {
	const uint8_t	*data;
	size_t		offset;
	uint32_t	head;
	uint32_t	length;
	uint64_t	stamp;
	uint32_t	compact;
	uint32_t	pid;
	uint32_t	type;
	uint32_t	context;
};

/**
 * tring_plain_find - find the next record if it is a usual one
 * @cursor: position behind a record; moved behind the usual record
 * @others: short types of which no record is usual, one bit for each
 * @plain: filled in for a usual record
 *
 * A usual record has a short type, lies in the content as a whole, is not earlier
 * than the previous one, has a context that is not full, and the host's byte order.
 * The caller reads a packet's first record with tring_record_next(), because it may
 * lack a pid.
 *
 * Return: true for a usual record. Otherwise @cursor is unchanged.
 */
static inline bool tring_plain_find(struct tring_cursor *cursor, uint32_t others,
				    struct tring_plain *plain)
{
	const struct tring_packet *packet = cursor->packet;
	const bool big_endian = TRING_HOST_BIG_ENDIAN;
	const size_t position = cursor->position;
	const uint8_t *data = packet->data + position;
	const uint64_t before = cursor->stamp;
	const size_t most = TRING_WORD_SIZE + 1 + TRING_PID_SIZE +
			    TRING_SHORT_LENGTH_SIZE;
	uint32_t word, has_pid, pid;

	/* the furthest byte that is read before the length is known */
	if (position + most > packet->readable || packet->big_endian != big_endian)
		return false;
	__builtin_prefetch(data + TRING_FETCH_AHEAD);
	word = tring_load_u32(data, big_endian);
	plain->data = data;
	plain->offset = position;
	plain->type = tring_header_type(word, big_endian);
	plain->context = data[TRING_WORD_SIZE];
	plain->length = packet->lengths[plain->type];
	if (tring_context_is_full(plain->context) || !plain->length ||
	    others >> plain->type & 1)
		return false;
	/* without a branch, because the processor would mispredict one in ten */
	has_pid = -(plain->context / TRING_CONTEXT_HAS_PID & 1);
	plain->head = TRING_WORD_SIZE + 1 + (TRING_PID_SIZE & has_pid);
	pid = tring_load_u32(data + TRING_WORD_SIZE + 1, big_endian);
	plain->pid = (pid & has_pid) | ((uint32_t)cursor->pid & ~has_pid);
	if (plain->length == TRING_LENGTH_VARIES) {
		plain->length = tring_load_u16(data + plain->head, big_endian);
		plain->head += TRING_SHORT_LENGTH_SIZE;
		if (plain->length < TRING_FIELDS_MIN)
			return false;
	}
	if (position + plain->head + plain->length > packet->readable)
		return false;
	plain->compact = tring_header_stamp(word, big_endian);
	plain->stamp = tring_stamp_rebuild(before, plain->compact, TRING_STAMP_BITS);
	if (plain->stamp < before || plain->stamp > packet->timestamp_end)
		return false;
	cursor->position = position + plain->head + plain->length;
	cursor->stamp = plain->stamp;
	cursor->pid = plain->pid;
	return true;
}

/**
 * tring_plain_find_long - find the next record if it has the long form, and is usual otherwise
 * @cursor: position behind a record; moved behind the usual record
 * @plain: filled in for a usual record
 * @id: set to the id of its event
 *
 * With all events of a kernel most records are in that form: there are more events than short
 * types.
 *
 * Return: true for a usual record. Otherwise @cursor is unchanged.
 */
static inline bool tring_plain_find_long(struct tring_cursor *cursor, struct tring_plain *plain,
					 uint16_t *id)
{
	const struct tring_packet *packet = cursor->packet;
	const size_t most = TRING_WORD_SIZE + TRING_ID_SIZE + 1 + TRING_PID_SIZE +
			    TRING_LONG_LENGTH_SIZE;
	const bool big_endian = TRING_HOST_BIG_ENDIAN;
	const size_t position = cursor->position;
	const uint8_t *data = packet->data + position;
	uint32_t word;

	if (position + most > packet->readable || packet->big_endian != big_endian ||
	    !cursor->know_pid)
		return false;
	word = tring_load_u32(data, big_endian);
	*id = tring_load_u16(data + TRING_WORD_SIZE, big_endian);
	plain->context = data[TRING_WORD_SIZE + TRING_ID_SIZE];
	if (tring_header_type(word, big_endian) != TRING_TYPE_LONG || *id <= TRING_LONG_ID_BASE ||
	    tring_context_is_full(plain->context))
		return false;
	*id -= TRING_LONG_ID_BASE;
	plain->data = data;
	plain->offset = position;
	plain->type = TRING_TYPE_LONG;
	plain->head = TRING_WORD_SIZE + TRING_ID_SIZE + 1;
	plain->pid = cursor->pid;
	if (plain->context & TRING_CONTEXT_HAS_PID) {
		plain->pid = tring_load_u32(data + plain->head, big_endian);
		plain->head += TRING_PID_SIZE;
	}
	plain->length = tring_load_u32(data + plain->head, big_endian);
	plain->head += TRING_LONG_LENGTH_SIZE;
	if (plain->length < TRING_FIELDS_MIN ||
	    plain->length > packet->readable - position - plain->head)
		return false;
	plain->compact = tring_header_stamp(word, big_endian);
	plain->stamp = tring_stamp_rebuild(cursor->stamp, plain->compact, TRING_STAMP_BITS);
	if (plain->stamp < cursor->stamp || plain->stamp > packet->timestamp_end)
		return false;
	cursor->position = position + plain->head + plain->length;
	cursor->stamp = plain->stamp;
	cursor->pid = plain->pid;
	return true;
}

/**
 * tring_plain_fill - fill in a record
 * @record: filled in
 * @plain: the record as it was found
 * @packet: its packet
 */
static inline void tring_plain_fill(struct tring_record *record, const struct tring_plain *plain,
				    const struct tring_packet *packet)
{
	record->offset = plain->offset;
	record->type = plain->type;
	record->context = plain->context;
	record->compact = plain->compact;
	record->stamp = plain->stamp;
	record->payload = plain->data + plain->head - TRING_PAYLOAD_HEAD;
	record->length = plain->length + TRING_PAYLOAD_HEAD;
	record->stored = plain->head + plain->length;
	record->id = tring_short_id(packet, plain->type);
	record->flags = tring_context_flags(plain->context);
	record->preempt_count = tring_context_preempt_count(plain->context);
	record->pid = plain->pid;
}

/**
 * tring_stream_plain - read the stream's next record if it is a usual one that is wanted
 * @stream: the stream, of which the packet's first record was read
 * @record: filled in for a usual record
 *
 * Return: true for a usual record. Otherwise @stream is unchanged.
 */
static inline bool tring_stream_plain(struct tring_stream *stream, struct tring_record *record)
{
	struct tring_plain plain;

	if (!stream->in_packet || !tring_plain_find(&stream->cursor, stream->unwanted, &plain))
		return false;
	tring_plain_fill(record, &plain, stream->cursor.packet);
	/* losses come before a packet's first record */
	stream->lost_events = 0;
	stream->lost_packets = 0;
	return true;
}

/**
 * tring_merge_plain - go to the earliest remaining record if the stream's next one is usual
 * @merge: the merge, of which tring_merge_next() has returned a record
 *
 * Return: false if nothing was done.
 */
static inline bool tring_merge_plain(struct tring_merge *merge)
{
	struct tring_merge_entry *first = merge->heap;

	if (!tring_stream_plain(first->stream, &first->record))
		return false;
	if (first->record.stamp >= merge->limit)
		tring_merge_settle(merge);
	return true;
}

#endif /* TRING_PLAIN_RECORD_H */
