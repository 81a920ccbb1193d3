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
 * The search is linear in the size of the packet for any input, because the caller gives a
 * number of records that may be tried in a packet, EFFORT times its bytes.
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

/* Number of records that are checked for others inside of them. */
#define FIRST_RECORDS	4

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
 * What a search has collected. @past: the last records, oldest first; the first of them may
 * stand for timestamp_begin or for the time before it. @type_bits: what a type is worth
 */
struct hunt {
	const struct tring_search *search;
	const struct tring_packet *packet;
	struct past	past[HISTORY + 2];
	size_t		count;
	size_t		bad;
	unsigned int	type_bits;
};

static void remember(struct hunt *hunt, size_t start, uint64_t stamp)
{
	const size_t most = sizeof(hunt->past) / sizeof(hunt->past[0]);

	if (hunt->count == most)
		memmove(hunt->past, hunt->past + 1, --hunt->count * sizeof(hunt->past[0]));
	hunt->past[hunt->count++] = (struct past) { start, stamp };
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

static void collect(struct hunt *hunt, const struct tring_search *search)
{
	struct tring_cursor cursor = search->from;
	struct tring_record record;

	*hunt = (struct hunt) {
		.search = search, .packet = search->packet, .bad = search->bad,
		.type_bits = weigh_types(search->packet),
	};
	cursor.packet = search->packet;
	/* timestamp_begin may be wrong, too */
	if (cursor.position == TRING_PACKET_HEADER_SIZE)
		remember(hunt, cursor.position - 1, search->floor);
	remember(hunt, cursor.position - 1, cursor.stamp);
	while (cursor.position < search->bad &&
	       tring_reason_is_soft(tring_record_next(&cursor, &record)) &&
	       record.offset < search->bad)
		remember(hunt, record.offset, record.stamp);
}

static bool is_end(const struct tring_packet *packet, size_t at)
{
	size_t left = packet->readable - at;

	/* a packet that lost its end has none; one with a lost header may have a pad */
	return packet->readable == packet->content_size &&
	       (!left || (packet->content_size == packet->packet_size && left < TRING_PAD_END &&
			  tring_is_zeroed(packet->data + at, left)));
}

/* What led to the damage leads to it again. */
static bool is_past(const struct hunt *hunt, const struct tring_cursor *cursor)
{
	size_t i;

	if (cursor->position > hunt->bad)
		return false;
	if (cursor->position == hunt->bad)
		return cursor->stamp == hunt->past[hunt->count - 1].stamp;
	for (i = 1; i < hunt->count; i++)
		if (hunt->past[i].start == cursor->position)
			return hunt->past[i - 1].stamp == cursor->stamp;
	return false;
}

/* Only the time of such a record was wrong: the caller has it already. */
static bool was_read(const struct hunt *hunt, size_t at)
{
	size_t i;

	for (i = 0; i < hunt->count; i++)
		if (hunt->past[i].start == at)
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

static unsigned int weigh(const struct hunt *hunt, const struct tring_record *record,
			  uint64_t before)
{
	uint64_t window = hunt->packet->timestamp_end - before;
	unsigned int bits = TRING_STAMP_BITS;

	if (record->type == TRING_TYPE_EXTENDED)
		return PROOF_BITS;
	while (bits && window) {
		window >>= 1;
		bits--;
	}
	return bits + hunt->type_bits;
}

/*
 * Follow the records from @at on, the previous one having the time @before, up to @until or until
 * they are worth @enough bits.
 * Return: true if so, or if there are @least bits of them at @until.
 */
static bool follow(const struct hunt *hunt, size_t at, uint64_t before, size_t until,
		   unsigned int least, unsigned int enough)
{
	const struct tring_packet *packet = hunt->packet;
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
		if (cursor.position > until || !*hunt->search->effort || is_past(hunt, &cursor))
			return false;
		--*hunt->search->effort;
		before = cursor.stamp;
		if (tring_record_next(&cursor, &record) != TRING_OK ||
		    is_odd(&record, record.offset == at))
			return false;
		bits += weigh(hunt, &record, before);
	} while (bits < enough);
	return true;
}

static size_t find_first(const struct hunt *hunt, size_t from, size_t until, uint64_t before,
			 unsigned int least, unsigned int enough)
{
	const struct tring_packet *packet = hunt->packet;
	size_t at, last = until;

	if (last + TRING_WORD_SIZE > packet->readable)
		last = packet->readable < TRING_WORD_SIZE ? 0 :
							    packet->readable - TRING_WORD_SIZE;
	for (at = from; at < last && *hunt->search->effort; at++, --*hunt->search->effort) {
		while (last - at > ZEROES && tring_is_zeroed(packet->data + at, ZEROES))
			at += ZEROES - TRING_WORD_SIZE + 1;
		if (may_begin(packet, at, before) &&
		    follow(hunt, at, before, until, least, enough))
			return at;
	}
	return until;
}

/* Return: a record that begins inside of one of the first records from @at on, or @at. */
static size_t find_inside(const struct hunt *hunt, size_t at, uint64_t before)
{
	struct tring_cursor cursor = { .packet = hunt->packet, .position = at, .stamp = before };
	struct tring_record record;
	unsigned int i;

	for (i = 0; i < FIRST_RECORDS; i++) {
		size_t start = cursor.position, inside;

		if (tring_record_next(&cursor, &record) != TRING_OK)
			break;
		inside = find_first(hunt, start + 1, cursor.position, before, PROOF_BITS,
				    PROOF_BITS);
		if (inside < cursor.position)
			return inside;
	}
	return at;
}

/*
 * As find_first(), but what seem to be the first records may be wrong ones, which end where a right
 * one begins. Then there are records inside of them.
 */
static size_t find(const struct hunt *hunt, size_t from, size_t until, uint64_t before,
		   unsigned int least, unsigned int enough)
{
	size_t at = find_first(hunt, from, until, before, least, enough), inside;

	while (at < until && (inside = find_inside(hunt, at, before)) > at)
		at = inside;
	return at < until ? at : until;
}

/*
 * Where 27 bits do not tell the time, because more than 2^27 ticks are left, the end of the
 * packet does: its last record has timestamp_end. So @cursor's time is put right.
 * Return: false if there is a full timestamp before the end, or more damage: then the time may be
 * early by a multiple of 2^27 ticks.
 */
static bool settle_time(const struct hunt *hunt, struct tring_cursor *cursor)
{
	const uint64_t mask = tring_stamp_mask(TRING_STAMP_BITS);
	const struct tring_packet *packet = hunt->packet;
	struct tring_cursor on = *cursor;
	struct tring_record record;
	uint64_t left, last;

	if (packet->timestamp_end - cursor->stamp <= mask)
		return true;
	while (!is_end(packet, on.position)) {
		last = on.stamp;
		if (!*hunt->search->effort || tring_record_next(&on, &record) != TRING_OK)
			return false;
		--*hunt->search->effort;
		if (record.type == TRING_TYPE_EXTENDED)
			return record.offset == cursor->position || record.stamp - last <= mask;
	}
	left = packet->timestamp_end - on.stamp;
	if (!(left & mask))
		cursor->stamp += left;
	return !(left & mask);
}

/**
 * tring_search_fits - check whether records begin at a place
 * @search: the search
 * @at: offset in the packet
 * @before: time of the record before it
 *
 * Return: true if the records from there on prove it.
 */
bool tring_search_fits(const struct tring_search *search, size_t at, uint64_t before)
{
	struct hunt hunt = {
		.search = search, .packet = search->packet,
		.type_bits = weigh_types(search->packet),
	};

	return at + TRING_WORD_SIZE <= search->packet->readable &&
	       follow(&hunt, at, before, search->packet->readable, PROOF_BITS, PROOF_BITS);
}

/**
 * tring_search_records - find the next records behind damage, or the ones that it has hidden
 * @search: the search
 * @cursor: moved to the first of them if there are any; its pid is unknown
 * @unsure: filled in then: their times may be early by a multiple of 2^27 ticks
 *
 * Return: true if there are any. They may begin before @search->bad, if a record was read wrong
 * before that; they begin behind @search->from, unless that is the packet's first record.
 */
bool tring_search_records(const struct tring_search *search, struct tring_cursor *cursor,
			  bool *unsure)
{
	const struct tring_packet *packet = search->packet;
	size_t end = packet->readable, ahead, at, back, last;
	struct tring_record record;
	uint64_t before;
	struct hunt hunt;

	collect(&hunt, search);
	last = hunt.count - 1;
	before = hunt.past[last].stamp;
	ahead = find(&hunt, search->bad + 1, end, before, PROOF_BITS, PROOF_BITS);
	at = ahead;
	for (back = 1; back <= last && back <= HISTORY; back *= 2) {
		const struct past *wrong = &hunt.past[last - back + 1];
		unsigned int more = WRONG_BITS * back;
		size_t found = find(&hunt, wrong->start + 1, at, wrong[-1].stamp,
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
	*unsure = !settle_time(&hunt, cursor);
	while (was_read(&hunt, cursor->position) &&
	       tring_record_next(cursor, &record) == TRING_OK)
		;
	return true;
}
