/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The records that streams are full of, in a few instructions.
 *
 * Of the library's own: tring_record_next() says what a record is and what is
 * wrong with one. What this takes is a record with nothing wrong and nothing
 * special about it, and is the same there; all else is left to it.
 */
#ifndef TRING_PLAIN_RECORD_H
#define TRING_PLAIN_RECORD_H

#include "tring_parse.h"

/*
 * Processors fetch ahead by themselves, but not from one page to the next, and
 * a wait for memory takes longer than everything else here. Of 256 to 2048
 * bytes all did.
 */
#define TRING_FETCH_AHEAD	1024

/**
 * tring_record_context - what a payload begins with
 * @record: with its payload; its id, flags, preempt count and pid are set
 * @big_endian: byte order of the stream
 *
 * The only place that knows where a record keeps them.
 */
static inline void tring_record_context(struct tring_record *record,
					bool big_endian)
{
	const uint8_t *payload = record->payload;

	record->id = tring_load_u16(payload, big_endian);
	record->flags = payload[2];
	record->preempt_count = payload[3];
	record->pid = (int32_t)tring_load_u32(payload + 4, big_endian);
}

/**
 * tring_record_plain - read the next record if it is a usual one
 * @cursor: position, moved behind the record if it is
 * @record: filled in if it is
 *
 * Usual is a compact record of a length in words that lies in the content as a
 * whole, is in order of time and was not taken back.
 *
 * Return: was it? If not, nothing has changed that tring_record_next() uses.
 */
static inline bool tring_record_plain(struct tring_cursor *cursor,
				      struct tring_record *record)
{
	const struct tring_packet *packet = cursor->packet;
	const bool big_endian = packet->big_endian;
	size_t position = tring_record_align(cursor->position);
	const uint8_t *data = packet->data + position;
	uint32_t word, length;
	uint64_t stamp;

	if (position + TRING_HEADER_WORDS_SIZE + TRING_PAYLOAD_MIN >
	    packet->readable)
		return false;
	__builtin_prefetch(data + TRING_FETCH_AHEAD);
	word = tring_load_u32(data, big_endian);
	record->type_len = tring_header_type(word, big_endian);
	length = record->type_len * 4;
	if (length - TRING_PAYLOAD_MIN >
	    TRING_WORDS_PAYLOAD_MAX - TRING_PAYLOAD_MIN ||
	    position + TRING_HEADER_WORDS_SIZE + length > packet->readable)
		return false;
	record->compact = tring_header_stamp(word, big_endian);
	stamp = tring_stamp_rebuild(cursor->stamp, record->compact,
				    TRING_STAMP_BITS);
	if (stamp < cursor->stamp || stamp > packet->timestamp_end)
		return false;
	record->payload = data + TRING_HEADER_WORDS_SIZE;
	tring_record_context(record, big_endian);
	if (record->id == TRING_ID_DISCARDED)
		return false;
	record->offset = position;
	record->stamp = stamp;
	record->length = length;
	cursor->position = position + TRING_HEADER_WORDS_SIZE + length;
	cursor->stamp = stamp;
	return true;
}

#endif /* TRING_PLAIN_RECORD_H */
