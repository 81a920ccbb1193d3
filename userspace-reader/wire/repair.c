// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Replaces times and counts of a packet's header that the packets beside it contradict. They are
 * looked at only where a header seems to be wrong, so a packet without damage costs nothing.
 */
#include "resync.h"

/* Return: true if there is a packet of the stream at @at, whose header is good. */
static bool peek(const struct tring_stream *stream, size_t at, struct tring_packet *packet)
{
	return at < stream->size &&
	       tring_reason_is_soft(tring_packet_parse(stream->data + at, stream->size - at,
						       packet)) &&
	       packet->timestamp_end >= packet->timestamp_begin &&
	       tring_stream_identify(stream, packet) == TRING_OK;
}

/* @low, @high: what lies around the packet */
static void limit_times(struct tring_packet *packet, uint64_t low, uint64_t high)
{
	uint64_t begin = packet->timestamp_begin, end = packet->timestamp_end;
	const uint64_t mask = tring_stamp_mask(TRING_STAMP_BITS);

	if (end < low || end > high || !end)
		end = high;
	if (begin < low || begin > end || !begin)
		begin = low || end < mask ? low : end - mask;
	packet->timestamp_begin = begin;
	packet->timestamp_end = end;
}

/**
 * tring_packet_begins_right - check timestamp_begin by the first record
 * @packet: the packet
 *
 * A compact first record has the packet's first time. A full one may be later, as the one before
 * it may have given its place up.
 *
 * Return: false if the two differ: one of them is wrong.
 */
bool tring_packet_begins_right(const struct tring_packet *packet)
{
	uint32_t word;

	if (packet->readable < TRING_PACKET_HEADER_SIZE + TRING_WORD_SIZE)
		return true;
	word = tring_load_u32(packet->data + TRING_PACKET_HEADER_SIZE, packet->big_endian);
	return tring_header_type(word, packet->big_endian) == TRING_TYPE_EXTENDED ||
	       tring_header_stamp(word, packet->big_endian) ==
	       (packet->timestamp_begin & tring_stamp_mask(TRING_STAMP_BITS));
}

/*
 * Of timestamp_begin and the first record's time the one is right that lies shortly before the
 * second record. Without a packet before it the upper bits of what replaces it are a guess.
 */
static void judge_begin(struct tring_stream *stream, struct tring_packet *packet)
{
	const uint64_t mask = tring_stamp_mask(TRING_STAMP_BITS);
	uint64_t begin = packet->timestamp_begin;
	struct tring_record first, second;
	struct tring_cursor cursor;

	tring_cursor_init(&cursor, packet);
	/* a record that cannot be read is told of by itself */
	if (!tring_reason_is_soft(tring_record_next(&cursor, &first)))
		return;
	tring_stream_tell(stream, packet->offset, TRING_STREAM_FIRST_TIME, 0);
	if (!tring_reason_is_soft(tring_record_next(&cursor, &second)) ||
	    ((second.compact - begin) & mask) <= ((second.compact - first.compact) & mask))
		return;
	packet->timestamp_begin = tring_stamp_rebuild(stream->floor, first.compact,
						      TRING_STAMP_BITS);
	if (!stream->started || packet->timestamp_end - stream->floor > mask)
		tring_stream_tell(stream, packet->offset + first.offset, TRING_RECORD_STAMP_UNSURE,
				  0);
}

static uint64_t last_stamp(const struct tring_packet *packet)
{
	struct tring_cursor cursor;
	struct tring_record record;

	tring_cursor_init(&cursor, packet);
	while (tring_record_next(&cursor, &record) == TRING_OK)
		;
	return cursor.stamp;
}

/* If timestamp_begin is too early, records do not lead from there to timestamp_end. */
static void repair_begin(const struct tring_stream *stream, struct tring_packet *packet)
{
	if (packet->timestamp_begin >= stream->floor || packet->timestamp_end < stream->floor)
		return;
	if (last_stamp(packet) != packet->timestamp_end)
		packet->timestamp_begin = stream->floor;
}

/**
 * tring_repair_times - replace times that do not lie between the neighbours'
 * @stream: the stream, before it enters a packet
 * @packet: the packet
 * @end: offset of the next packet
 */
void tring_repair_times(struct tring_stream *stream, struct tring_packet *packet, size_t end)
{
	const uint64_t mask = tring_stamp_mask(TRING_STAMP_BITS);
	struct tring_packet next;

	if (!stream->started)
		stream->floor = packet->timestamp_end < mask ? 0 : packet->timestamp_end - mask;
	if (packet->timestamp_end < packet->timestamp_begin && stream->started &&
	    peek(stream, end, &next))
		limit_times(packet, stream->floor, next.timestamp_begin);
	else if (!tring_packet_begins_right(packet))
		judge_begin(stream, packet);
	if (stream->started)
		repair_begin(stream, packet);
}

/**
 * tring_repair_counts - replace a number that does not lie between the neighbours'
 * @stream: the stream, before it enters a packet
 * @packet: the packet, whose packet_seq_num or events_discarded tells of a loss
 * @end: offset of the next packet
 */
void tring_repair_counts(struct tring_stream *stream, struct tring_packet *packet, size_t end)
{
	struct tring_packet next;

	if (!peek(stream, end, &next))
		return;
	if (stream->started && packet->seq_num != stream->packet.seq_num + 1 &&
	    next.seq_num == stream->packet.seq_num + 2) {
		packet->seq_num = stream->packet.seq_num + 1;
		tring_stream_tell(stream, packet->offset, TRING_STREAM_SEQUENCE, 0);
	}
	if (stream->know_discarded && next.discarded >= stream->seen_discarded &&
	    (packet->discarded < stream->seen_discarded || packet->discarded > next.discarded)) {
		packet->discarded = stream->seen_discarded;
		tring_stream_tell(stream, packet->offset, TRING_STREAM_DISCARDED, 0);
	}
}
