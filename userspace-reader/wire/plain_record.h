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
 * tring_record_plain - read the next record if it is a usual one
 * @cursor: position behind a record; moved behind the usual record
 * @record: filled in for a usual record
 *
 * A usual record has a short type, lies in the content as a whole, is not earlier
 * than the previous one, has a context that is not full, and the host's byte order.
 * The caller reads a packet's first record with tring_record_next(), because it may
 * lack a pid.
 *
 * Return: true for a usual record. Otherwise @cursor is unchanged.
 */
static inline bool tring_record_plain(struct tring_cursor *cursor,
				      struct tring_record *record)
{
	const struct tring_packet *packet = cursor->packet;
	const bool big_endian = TRING_HOST_BIG_ENDIAN;
	const size_t position = cursor->position;
	const uint8_t *data = packet->data + position;
	const uint64_t before = cursor->stamp;
	const size_t most = TRING_WORD_SIZE + 1 + TRING_PID_SIZE +
			    TRING_SHORT_LENGTH_SIZE;
	uint32_t word, type, context, has_pid, head, pid, length, compact;
	uint64_t stamp;

	/* the furthest byte that is read before the length is known */
	if (position + most > packet->readable || packet->big_endian != big_endian)
		return false;
	__builtin_prefetch(data + TRING_FETCH_AHEAD);
	word = tring_load_u32(data, big_endian);
	type = tring_header_type(word, big_endian);
	context = data[TRING_WORD_SIZE];
	length = packet->lengths[type];
	if (tring_context_is_full(context) || !length)
		return false;
	/* without a branch, because the processor would mispredict one in ten */
	has_pid = -(context / TRING_CONTEXT_HAS_PID & 1);
	head = TRING_WORD_SIZE + 1 + (TRING_PID_SIZE & has_pid);
	pid = tring_load_u32(data + TRING_WORD_SIZE + 1, big_endian);
	pid = (pid & has_pid) | ((uint32_t)cursor->pid & ~has_pid);
	if (length == TRING_LENGTH_VARIES) {
		length = tring_load_u16(data + head, big_endian);
		head += TRING_SHORT_LENGTH_SIZE;
		if (length < TRING_FIELDS_MIN)
			return false;
	}
	if (position + head + length > packet->readable)
		return false;
	compact = tring_header_stamp(word, big_endian);
	stamp = tring_stamp_rebuild(before, compact, TRING_STAMP_BITS);
	if (stamp < before || stamp > packet->timestamp_end)
		return false;
	record->offset = position;
	record->type = type;
	record->context = context;
	record->compact = compact;
	record->stamp = stamp;
	record->payload = data + head - TRING_PAYLOAD_HEAD;
	record->length = length + TRING_PAYLOAD_HEAD;
	record->stored = head + length;
	record->id = tring_short_id(packet, type);
	record->flags = tring_context_flags(context);
	record->preempt_count = tring_context_preempt_count(context);
	record->pid = pid;
	cursor->position = position + head + length;
	cursor->stamp = stamp;
	cursor->pid = pid;
	return true;
}

/**
 * tring_stream_plain - read the stream's next record if it is a usual one
 * @stream: the stream, of which the packet's first record was read
 * @record: filled in for a usual record
 *
 * Return: true for a usual record. Otherwise @stream is unchanged.
 */
static inline bool tring_stream_plain(struct tring_stream *stream, struct tring_record *record)
{
	if (!stream->in_packet || !tring_record_plain(&stream->cursor, record))
		return false;
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
