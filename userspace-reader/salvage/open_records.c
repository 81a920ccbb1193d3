// SPDX-License-Identifier: GPL-2.0
/*
 * Which records of an open packet are not committed? The ring counts bytes and events, not
 * records: it says how many bytes up to the writer's position are not committed, and how many
 * events are.
 *
 * A writer that has not committed was interrupted, so every record behind its own is of a
 * higher level of interrupts. That leaves one record of each level at most, and of these the
 * ones whose sizes and number are what the ring says. An exception in the midst of a writer, as a
 * page fault, breaks the rule: it records on the writer's own level. Then no set is right as a
 * rule, and what may be open is hidden; if one is by chance, it is taken.
 *
 * A writer may also have been stopped before it had stored the head of its record. The bytes
 * there are those of another lap. Their stamps nearly always seem to be later than the ring's last
 * one, so the records before them end there. Then a size of that hole is right if the records
 * behind it reach the writer's position, and the levels, bytes and events are what they have to be.
 * If two sizes are right, what is before every record that may be open is all that is sure.
 *
 * A record that is not committed becomes a discarded one, as if its writer had given it up: the
 * pids and stamps of the records behind it depend on it.
 */
#include <stdlib.h>
#include <string.h>

#include "open_records.h"
#include "util/store.h"
#include "util/util.h"

/* Task, softirq, hardirq, NMI. */
#define LEVELS		4

/* TRACE_FLAG_ of the kernel. */
#define FLAG_HARDIRQ	0x08
#define FLAG_SOFTIRQ	0x10
#define FLAG_NMI	0x40

/* Records that a search for a hole reads: a damaged packet must not take minutes. */
#define SEARCH_MAX	(1u << 22)

/* Word, context and length: no record is shorter. */
#define LEAST		(TRING_WORD_SIZE + 1 + TRING_FIELDS_MIN)

/**
 * struct found - a record
 * @at: offset in the packet
 * @end: offset of its end
 * @level: of interrupts
 * @is_event: it is not a discarded one
 * @stamp: timestamp
 */
struct found {
	uint32_t	at;
	uint32_t	end;
	uint8_t		level;
	bool		is_event;
	uint64_t	stamp;
};

/**
 * struct walk - records that follow one another
 * @list: the records
 * @count: number of records
 * @end: end of the last one, or the beginning
 * @events: those that are not discarded
 */
struct walk {
	struct found	*list;
	size_t		count;
	size_t		end;
	uint64_t	events;
};

/**
 * struct candidates - records that may be open
 * @list: the records, the last one first: each is of a lower level than the one before
 * @count: number of records
 */
struct candidates {
	const struct found *list[LEVELS];
	unsigned int	count;
};

/**
 * struct explanation - records whose writers had not committed
 * @candidates: records that may be open
 * @set: those that are open by this explanation, or by another one like it; by bits
 * @sets: number of such explanations
 * @hole: bytes of a record without a head, or 0
 * @events: in @candidates' records and all others
 */
struct explanation {
	struct candidates candidates;
	unsigned int	set;
	unsigned int	sets;
	uint32_t	hole;
	uint64_t	events;
};

static uint8_t level_of(const struct tring_record *record)
{
	if (record->flags & FLAG_NMI)
		return 3;
	if (record->flags & FLAG_HARDIRQ)
		return 2;
	return record->flags & FLAG_SOFTIRQ ? 1 : 0;
}

/* The pid is unknown behind a hole only. */
static bool is_good(enum tring_reason reason)
{
	return reason == TRING_OK || reason == TRING_RECORD_PID_UNKNOWN;
}

/*
 * Walk from @at, where the last record had @stamp, as far as records follow one another.
 * @walk->list has room, or is NULL.
 */
static void walk_from(struct walk *walk, const struct tring_packet *packet, size_t at,
		      uint64_t stamp)
{
	struct tring_cursor cursor;
	struct tring_record record;

	tring_cursor_init(&cursor, packet);
	cursor.position = at;
	cursor.stamp = stamp;
	walk->count = 0;
	walk->events = 0;
	walk->end = at;
	while (is_good(tring_record_next(&cursor, &record))) {
		if (walk->list)
			walk->list[walk->count] = (struct found) {
				record.offset, cursor.position, level_of(&record),
				record.id != TRING_ID_DISCARDED, record.stamp,
			};
		walk->count++;
		walk->events += record.id != TRING_ID_DISCARDED;
		walk->end = cursor.position;
	}
}

/**
 * tring_records_fill - check whether records fill a packet up to an end
 * @packet: the packet
 * @end: end of the records
 * @events: set to the number of events before it
 * @stamp: set to the last record's timestamp
 *
 * Return: false if a record is bad, or if none ends there.
 */
bool tring_records_fill(const struct tring_packet *packet, size_t end, uint64_t *events,
			uint64_t *stamp)
{
	struct tring_packet part = *packet;
	struct tring_cursor cursor;
	struct tring_record record;
	enum tring_reason reason;

	part.readable = end;
	*events = 0;
	tring_cursor_init(&cursor, &part);
	while (is_good(reason = tring_record_next(&cursor, &record)))
		*events += record.id != TRING_ID_DISCARDED;
	*stamp = cursor.stamp;
	return reason == TRING_END;
}

/*
 * Append the records behind which every one is of a higher level; the last record first. @least
 * is the least level so far, and is lowered.
 */
static void find_candidates(const struct walk *walk, unsigned int *least,
			    struct candidates *candidates)
{
	size_t i;

	for (i = walk->count; i-- && *least;) {
		const struct found *found = &walk->list[i];

		if (found->level >= *least)
			continue;
		*least = found->level;
		if (found->is_event)
			candidates->list[candidates->count++] = found;
	}
}

/*
 * Find the sets of candidates that have the size and the number. Return: what is in any of
 * them. @sets: their number
 */
static unsigned int choose(const struct candidates *candidates, uint64_t size, uint64_t number,
			   unsigned int *sets)
{
	unsigned int set, chosen = 0, i;

	*sets = 0;
	for (set = 0; set < 1u << candidates->count; set++) {
		uint64_t bytes = 0, records = 0;

		for (i = 0; i < candidates->count; i++) {
			if (!(set & 1u << i))
				continue;
			bytes += candidates->list[i]->end - candidates->list[i]->at;
			records++;
		}
		if (bytes != size || records != number)
			continue;
		chosen |= set;
		++*sets;
	}
	return chosen;
}

/* As tring_discard() leaves it. */
static void discard(uint8_t *bytes, const struct found *found, bool big_endian)
{
	uint8_t *record = bytes + found->at, *at;
	uint32_t word = tring_load_u32(record, big_endian);
	unsigned int type = tring_header_type(word, big_endian);

	at = record + tring_context_offset(type);
	if (type >= TRING_TYPE_LONG) {
		tring_store_u16(at - TRING_ID_SIZE, TRING_TYPE_DISCARDED, big_endian);
		return;
	}
	tring_store_u32(record, tring_header_pack(big_endian ? word : word >> TRING_TYPE_BITS,
						  TRING_TYPE_DISCARDED, big_endian), big_endian);
	at += tring_context_size(*at);
	tring_store_u32(at, bytes + found->end - at - TRING_LONG_LENGTH_SIZE, big_endian);
}

/* A discarded record in place of bytes that are no record. */
static void fill_hole(uint8_t *bytes, size_t at, size_t end, uint64_t stamp, bool big_endian)
{
	uint8_t *record = bytes + at;

	memset(record, 0, end - at);
	tring_store_u32(record, tring_header_pack(stamp, TRING_TYPE_DISCARDED, big_endian),
			big_endian);
	tring_store_u32(record + TRING_WORD_SIZE + 1, end - at - LEAST, big_endian);
}

/*
 * Explain what is not committed by a hole of this size, or of none, between the records before
 * it and those behind it. Return: false if that is impossible.
 */
static bool explain(const struct tring_open_records *open, const struct walk *before,
		    const struct walk *behind, uint32_t hole, struct explanation *explanation)
{
	unsigned int least = LEVELS;

	*explanation = (struct explanation) {
		.hole = hole, .events = before->events + behind->events,
	};
	if (explanation->events < open->events)
		return false;
	find_candidates(behind, &least, &explanation->candidates);
	/* the record without a head has a level, too, below those behind it */
	if (hole) {
		if (!least)
			return false;
		least--;
	}
	find_candidates(before, &least, &explanation->candidates);
	explanation->set = choose(&explanation->candidates, open->uncommitted - hole,
				  explanation->events - open->events, &explanation->sets);
	return explanation->sets;
}

/*
 * Find the size of the hole behind the records @before. @behind: those behind it. Return: false
 * if no size is right, or more than one.
 */
static bool find_hole(const struct tring_open_records *open, const struct walk *before,
		      struct walk *behind, struct explanation *explanation)
{
	uint64_t stamp = before->count ? before->list[before->count - 1].stamp :
					 open->packet.timestamp_begin;
	uint32_t room = open->packet.readable - before->end, right = 0, hole;
	uint64_t searched = 0;

	if (room > open->uncommitted)
		room = open->uncommitted;
	for (hole = LEAST; hole <= room; hole++) {
		walk_from(behind, &open->packet, before->end + hole, stamp);
		searched += behind->count;
		if (searched > SEARCH_MAX)
			return false;
		if (behind->end != open->packet.readable ||
		    !explain(open, before, behind, hole, explanation))
			continue;
		if (right)
			return false;
		right = hole;
	}
	if (!right)
		return false;
	walk_from(behind, &open->packet, before->end + right, stamp);
	return explain(open, before, behind, right, explanation);
}

/* Turn into discarded records what may be open. */
static void hide(struct tring_open_records *open, const struct walk *before,
		 const struct explanation *explanation, uint8_t *bytes)
{
	const struct found * const *list = explanation->candidates.list;
	uint64_t stamp = before->count ? before->list[before->count - 1].stamp :
					 open->packet.timestamp_begin;
	bool big_endian = open->packet.big_endian;
	unsigned int i;

	open->records = explanation->events - open->events + !!explanation->hole;
	open->is_sure = explanation->sets == 1;
	open->end = open->packet.readable;
	for (i = 0; i < explanation->candidates.count; i++) {
		if (!(explanation->set & 1u << i))
			continue;
		/* what ends with it is cut off instead */
		if (list[i]->end == open->end)
			open->end = list[i]->at;
		else
			discard(bytes, list[i], big_endian);
	}
	if (!explanation->hole)
		return;
	if (before->end + explanation->hole == open->end)
		open->end = before->end;
	else
		fill_hole(bytes, before->end, before->end + explanation->hole, stamp, big_endian);
}

/* What is before every record that may be open is committed. */
static void use_beginning(struct tring_open_records *open, const struct walk *walk)
{
	bool has_hole = walk->end < open->packet.readable;
	unsigned int least = has_hole ? LEVELS - 1 : LEVELS;
	struct candidates candidates = { .count = 0 };

	find_candidates(walk, &least, &candidates);
	open->is_sure = false;
	open->end = walk->end;
	if (candidates.count)
		open->end = candidates.list[candidates.count - 1]->at;
	open->records = !has_hole && walk->events > open->events ? walk->events - open->events : 1;
}

/**
 * tring_open_records_resolve - find the records that are not committed
 * @open: the upper part is set; the lower one is filled in
 * @bytes: the packet; such records are turned into discarded ones
 *
 * Return: false if no record can be open as @open says; what is before every record that may be
 * is used.
 */
bool tring_open_records_resolve(struct tring_open_records *open, uint8_t *bytes)
{
	struct walk before = { 0 }, behind = { 0 };
	struct explanation explanation;
	bool found;

	walk_from(&before, &open->packet, TRING_PACKET_HEADER_SIZE, open->packet.timestamp_begin);
	before.list = tring_allocate(before.count * sizeof(*before.list));
	walk_from(&before, &open->packet, TRING_PACKET_HEADER_SIZE, open->packet.timestamp_begin);
	if (before.end == open->packet.readable) {
		found = explain(open, &before, &behind, 0, &explanation);
	} else {
		behind.list = tring_allocate(open->packet.readable / LEAST * sizeof(*behind.list));
		found = find_hole(open, &before, &behind, &explanation);
	}
	if (found)
		hide(open, &before, &explanation, bytes);
	else
		use_beginning(open, &before);
	free(before.list);
	free(behind.list);
	return found;
}
