// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Search for the next records of a packet behind damage.
 *
 * Records begin at any byte and have no mark. So the search tries each byte, and follows the
 * records from there: they must lie in the content, have types that the packet uses, and times
 * that rise from the last good record's to timestamp_end. How improbable that is for any other
 * bytes is counted in bits: a compact timestamp in a window of 2^w ticks is worth 27 - w of
 * them, and the exact end of the content for some. PROOF_BITS of them are taken for proof.
 *
 * Damage is often noticed late: a wrong length leads into other records, a wrong timestamp
 * makes the records behind it seem to be late. So the search also takes up to HISTORY of the
 * last records for wrong. It does that only if the records found so count for more, and it
 * leaves out what leads to the damage again.
 *
 * The search is linear in the size of the packet for any input, because TRING_EFFORT times its
 * bytes is the number of records that may be tried in a packet.
 */
#include "resync.h"

/* Number of records before the damage that may be wrong, a power of two. */
#define HISTORY		8

/* Bits that prove a chain of records. */
#define PROOF_BITS	28
/* Bits for the exact end of the content, and for timestamp_end there. */
#define END_BITS	8
#define END_STAMP_BITS	20
/* Bits that records inside of the last one must have, and for each further wrong one. */
#define INSIDE_BITS	12
#define WRONG_BITS	16

/* Zeroes are no records, and lost memory often has them: so many bytes are skipped at once. */
#define ZEROES		256

/* No task has a greater pid: PID_MAX_LIMIT. */
#define PID_MAX		(4 * 1024 * 1024)

/* A record that was read before the damage. */
struct past {
	size_t		start;
	uint64_t	stamp;
};

/*
 * A search. @packet: the packet, which the stream is in. @bad: offset of the record that cannot be
 * right. @past: the last records, oldest first; the first of them may stand for timestamp_begin or
 * for the time before it. @type_bits: what a type is worth. @effort: records that may still be
 * tried
 */
struct search {
	const struct tring_packet *packet;
	size_t		bad;
	struct past	past[HISTORY + 2];
	size_t		count;
	unsigned int	type_bits;
	size_t		*effort;
};

static void remember(struct search *search, size_t start, uint64_t stamp)
{
	const size_t most = sizeof(search->past) / sizeof(search->past[0]);

	if (search->count == most)
		memmove(search->past, search->past + 1, --search->count * sizeof(search->past[0]));
	search->past[search->count++] = (struct past) { start, stamp };
}

/* A type is worth more if the packet uses few of them. */
static unsigned int weigh_types(const struct tring_packet *packet)
{
	unsigned int used = 3, type, bits = 0;

	for (type = 0; type < TRING_TYPES; type++)
		used += packet->lengths[type] != 0;
	while (used << bits < TRING_TYPES)
		bits++;
	return bits ? bits : 1;
}

/* @before: moved from the last place that the search has found to @search->bad */
static void collect(struct search *search, uint64_t floor, struct tring_cursor *before)
{
	struct tring_record record;

	/* timestamp_begin may be wrong, too */
	if (before->position == TRING_PACKET_HEADER_SIZE)
		remember(search, before->position - 1, floor);
	remember(search, before->position - 1, before->stamp);
	while (before->position < search->bad &&
	       tring_reason_is_soft(tring_record_next(before, &record)))
		remember(search, record.offset, record.stamp);
}

/* A packet that lost its end has none. */
static bool is_end(const struct tring_packet *packet, size_t at)
{
	return packet->readable == packet->content_size && at == packet->readable;
}

/* What led to the damage leads to it again. */
static bool is_past(const struct search *search, const struct tring_cursor *cursor)
{
	size_t i;

	if (cursor->position > search->bad)
		return false;
	if (cursor->position == search->bad)
		return cursor->stamp == search->past[search->count - 1].stamp;
	for (i = 1; i < search->count; i++)
		if (search->past[i].start == cursor->position)
			return search->past[i - 1].stamp == cursor->stamp;
	return false;
}

/* Only the time of such a record was wrong: the caller has it already. */
static bool was_read(const struct search *search, size_t at)
{
	size_t i;

	for (i = 0; i < search->count; i++)
		if (search->past[i].start == at)
			return true;
	return false;
}

/* Most bytes begin no record, which this finds out fast. */
static bool may_begin(const struct tring_packet *packet, size_t at, uint64_t before)
{
	uint32_t word = tring_load_u32(packet->data + at, packet->big_endian);
	unsigned int type = tring_header_type(word, packet->big_endian);

	if (type < TRING_TYPE_DISCARDED && !packet->lengths[type])
		return false;
	return type == TRING_TYPE_EXTENDED ||
	       tring_stamp_rebuild(before, tring_header_stamp(word, packet->big_endian),
				   TRING_STAMP_BITS) <= packet->timestamp_end;
}

/* What no writer writes, though a reader reads it. */
static bool is_odd(const struct tring_record *record, bool first)
{
	const uint64_t mask = tring_stamp_mask(TRING_STAMP_BITS);
	const uint8_t *fields = record->payload + TRING_PAYLOAD_HEAD;

	if (record->type == TRING_TYPE_EXTENDED && (record->stamp & mask) != record->compact)
		return true;
	if (record->id == TRING_ID_DISCARDED && record->length > TRING_PAYLOAD_HEAD && *fields)
		return true;
	return first && record->context & TRING_CONTEXT_HAS_PID &&
	       (uint32_t)record->pid > PID_MAX;
}

static unsigned int weigh(const struct search *search, const struct tring_record *record,
			  uint64_t before)
{
	uint64_t window = search->packet->timestamp_end - before;
	unsigned int bits = TRING_STAMP_BITS;

	if (record->type == TRING_TYPE_EXTENDED)
		return PROOF_BITS;
	while (bits && window) {
		window >>= 1;
		bits--;
	}
	return bits + search->type_bits;
}

/*
 * Follow the records from @at on, the previous one having the time @before, up to @until or until
 * they are worth @enough bits.
 * Return: true if so, or if there are @least bits of them at @until.
 */
static bool follow(const struct search *search, size_t at, uint64_t before, size_t until,
		   unsigned int least, unsigned int enough)
{
	const struct tring_packet *packet = search->packet;
	struct tring_cursor cursor = {
		.packet = packet, .position = at, .stamp = before, .pid = -1, .know_pid = true,
	};
	struct tring_record record;
	unsigned int bits = 0;

	do {
		if (cursor.position == until && until < packet->readable)
			return bits >= least && tring_record_next(&cursor, &record) == TRING_OK;
		if (is_end(packet, cursor.position)) {
			bits += END_BITS;
			if (!((cursor.stamp ^ packet->timestamp_end) &
			      tring_stamp_mask(TRING_STAMP_BITS)))
				bits += END_STAMP_BITS;
			return bits >= least;
		}
		if (cursor.position > until || !*search->effort || is_past(search, &cursor))
			return false;
		--*search->effort;
		before = cursor.stamp;
		if (tring_record_next(&cursor, &record) != TRING_OK ||
		    is_odd(&record, record.offset == at))
			return false;
		bits += weigh(search, &record, before);
	} while (bits < enough);
	return true;
}

/* Return: offset of the first record from @from on that others prove, or @until. */
static size_t find(const struct search *search, size_t from, size_t until, uint64_t before,
		   unsigned int least, unsigned int enough)
{
	const struct tring_packet *packet = search->packet;
	size_t at, last = until;

	if (last + TRING_WORD_SIZE > packet->readable)
		last = packet->readable < TRING_WORD_SIZE ? 0 :
							    packet->readable - TRING_WORD_SIZE;
	for (at = from; at < last && *search->effort; at++, --*search->effort) {
		while (last - at > ZEROES && tring_is_zeroed(packet->data + at, ZEROES))
			at += ZEROES - TRING_WORD_SIZE + 1;
		if (may_begin(packet, at, before) &&
		    follow(search, at, before, until, least, enough))
			return at;
	}
	return until;
}

/*
 * Where 27 bits do not tell the time, because more than 2^27 ticks are left, the end of the
 * packet does: its last record has timestamp_end. So @cursor's time is put right.
 * Return: false if there is a full timestamp before the end, or more damage: then the time may be
 * early by a multiple of 2^27 ticks.
 */
static bool settle_time(const struct search *search, struct tring_cursor *cursor)
{
	const uint64_t mask = tring_stamp_mask(TRING_STAMP_BITS);
	const struct tring_packet *packet = search->packet;
	struct tring_cursor on = *cursor;
	struct tring_record record;
	uint64_t left, last;

	if (packet->timestamp_end - cursor->stamp <= mask)
		return true;
	while (!is_end(packet, on.position)) {
		last = on.stamp;
		if (!*search->effort || tring_record_next(&on, &record) != TRING_OK)
			return false;
		--*search->effort;
		if (record.type == TRING_TYPE_EXTENDED)
			return record.offset == cursor->position || record.stamp - last <= mask;
	}
	left = packet->timestamp_end - on.stamp;
	if (!(left & mask))
		cursor->stamp += left;
	return !(left & mask);
}

/* Find the next records; they may begin before @search->bad. Return: false if there are none. */
static bool find_records(const struct search *search, struct tring_cursor *cursor, bool *unsure)
{
	const struct tring_packet *packet = search->packet;
	size_t end = packet->readable, at, back, last = search->count - 1;
	uint64_t before = search->past[last].stamp;
	struct tring_record record;

	at = find(search, search->bad + 1, end, before, PROOF_BITS, PROOF_BITS);
	for (back = 1; back <= last && back <= HISTORY; back *= 2) {
		const struct past *wrong = &search->past[last - back + 1];
		unsigned int more = WRONG_BITS * back;
		size_t found = find(search, wrong->start + 1, at, wrong[-1].stamp,
				    at < end ? INSIDE_BITS + more - WRONG_BITS : PROOF_BITS + more,
				    PROOF_BITS + more);

		if (found < at) {
			at = found;
			before = wrong[-1].stamp;
		}
	}
	if (at == end)
		return false;
	*cursor = (struct tring_cursor) {
		.packet = packet, .position = at, .stamp = before, .pid = -1, .know_pid = true,
	};
	*unsure = !settle_time(search, cursor);
	while (was_read(search, cursor->position) &&
	       tring_record_next(cursor, &record) == TRING_OK)
		;
	return true;
}

static bool is_stamp(enum tring_reason reason)
{
	return reason == TRING_RECORD_STAMP_BACKWARDS || reason == TRING_RECORD_STAMP_LATE;
}

/**
 * tring_resync_records - go on behind a record that cannot be right
 * @stream: the stream, in a packet
 * @record: the record
 * @reason: what is wrong with it
 *
 * Return: true if the stream goes on in the packet, which was reported; false if nothing was
 * done.
 */
bool tring_resync_records(struct tring_stream *stream, const struct tring_record *record,
			  enum tring_reason reason)
{
	const struct tring_packet *packet = &stream->packet;
	struct search search = {
		.packet = packet, .bad = record->offset, .type_bits = weigh_types(packet),
		.effort = &stream->effort,
	};
	struct tring_cursor cursor, before = stream->anchor;
	bool unsure;

	/* a time that was wrong once is wrong in all the records behind it */
	if (is_stamp(reason) && stream->stamp_reported)
		return false;
	collect(&search, stream->floor, &before);
	if (!find_records(&search, &cursor, &unsure))
		return false;
	/* only the time of the bad record is wrong if the next one begins where it ends */
	if (cursor.position == before.position)
		cursor.pid = before.pid;
	else if (is_stamp(reason) && cursor.position == stream->cursor.position)
		cursor.pid = stream->cursor.pid;
	stream->cursor = cursor;
	stream->anchor = cursor;
	tring_stream_tell(stream, packet->offset + record->offset, reason,
			  cursor.position > record->offset ? cursor.position - record->offset : 0);
	if (unsure)
		tring_stream_tell(stream, packet->offset + cursor.position,
				  TRING_RECORD_STAMP_UNSURE, 0);
	return true;
}
