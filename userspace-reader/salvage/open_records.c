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
 * there are those of another lap. Then the records before and behind them must be the committed
 * ones, with exactly the bytes between them that are not committed.
 *
 * A record that is not committed becomes a discarded one, as if its writer had given it up: the
 * pids and stamps of the records behind it depend on it.
 */
#include <stdlib.h>
#include <string.h>

#include "open_records.h"
#include "store.h"
#include "util.h"

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

/* Records before which every later one is of a higher level; the last record first. */
static size_t find_candidates(const struct walk *walk, const struct found **candidates)
{
	unsigned int least = LEVELS;
	size_t count = 0, i;

	for (i = walk->count; i-- && least;) {
		const struct found *found = &walk->list[i];

		if (found->level >= least)
			continue;
		least = found->level;
		if (found->is_event)
			candidates[count++] = found;
	}
	return count;
}

/*
 * Find the sets of candidates that have the size and the number. Return: what is in any of
 * them. @sets: their number
 */
static unsigned int choose(const struct found * const *candidates, size_t count, uint64_t size,
			   uint64_t number, unsigned int *sets)
{
	unsigned int set, chosen = 0, i;

	*sets = 0;
	for (set = 1; set < 1u << count; set++) {
		uint64_t bytes = 0, records = 0;

		for (i = 0; i < count; i++) {
			if (!(set & 1u << i))
				continue;
			bytes += candidates[i]->end - candidates[i]->at;
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
 * Every record has its head. Records that may be open are hidden, also if it is not clear which
 * of them are. Return: false if none can be.
 */
static bool resolve_heads(struct tring_open_records *open, const struct walk *walk,
			  uint8_t *bytes, bool keep)
{
	const struct found *candidates[LEVELS];
	size_t count = find_candidates(walk, candidates), i;
	uint64_t number = walk->events - open->events;
	unsigned int set = 0, sets = 0;

	if (walk->events > open->events)
		set = choose(candidates, count, open->uncommitted, number, &sets);
	if (!set)
		return false;
	open->records = number;
	open->is_sure = sets == 1;
	open->end = walk->end;
	for (i = 0; i < count && !keep; i++) {
		if (!(set & 1u << i))
			continue;
		/* what ends with it is cut off instead */
		if (candidates[i]->end == open->end)
			open->end = candidates[i]->at;
		else
			discard(bytes, candidates[i], open->packet.big_endian);
	}
	return true;
}

/* One record lacks its head. Return: false if it is not clear where it lies. */
static bool resolve_hole(struct tring_open_records *open, const struct walk *walk, uint8_t *bytes)
{
	size_t limit = open->packet.readable, hole = open->uncommitted, i, chosen = 0;
	uint64_t before = 0, stamp = open->packet.timestamp_begin, at_stamp = 0;
	struct walk behind = { 0 };
	uint64_t searched = 0;
	bool found = false;

	for (i = 0; i <= walk->count && before <= open->events; i++) {
		size_t at = i ? walk->list[i - 1].end : TRING_PACKET_HEADER_SIZE;

		if (i) {
			stamp = walk->list[i - 1].stamp;
			before += walk->list[i - 1].is_event;
		}
		if (hole < LEAST || at + hole > limit)
			break;
		if (searched > SEARCH_MAX)
			return false;
		walk_from(&behind, &open->packet, at + hole, stamp);
		searched += behind.count;
		if (behind.end != limit || before + behind.events != open->events)
			continue;
		if (found)
			return false;
		found = true;
		chosen = at;
		at_stamp = stamp;
	}
	if (!found)
		return false;
	open->records = 1;
	open->is_sure = true;
	open->end = limit;
	if (chosen + hole == limit)
		open->end = chosen;
	else
		fill_hole(bytes, chosen, chosen + hole, at_stamp, open->packet.big_endian);
	return true;
}

/* What is before every record that may be open is committed. */
static void use_beginning(struct tring_open_records *open, const struct walk *walk, bool keep)
{
	const struct found *candidates[LEVELS];
	size_t count = find_candidates(walk, candidates);

	open->is_sure = false;
	open->end = walk->end;
	if (count && !keep)
		open->end = candidates[count - 1]->at;
	open->records = walk->end == open->packet.readable && walk->events > open->events ?
			walk->events - open->events : 1;
}

/**
 * tring_open_records_resolve - find the records that are not committed
 * @open: the upper part is set; the lower one is filled in
 * @bytes: the packet; such records are turned into discarded ones
 * @keep: leave them as they are, to be shown
 *
 * Return: false if no record can be open as @open says; what is before every record that may be
 * is used.
 */
bool tring_open_records_resolve(struct tring_open_records *open, uint8_t *bytes, bool keep)
{
	struct walk walk = { 0 };
	bool found;

	walk_from(&walk, &open->packet, TRING_PACKET_HEADER_SIZE, open->packet.timestamp_begin);
	walk.list = tring_allocate(walk.count * sizeof(*walk.list));
	walk_from(&walk, &open->packet, TRING_PACKET_HEADER_SIZE, open->packet.timestamp_begin);
	found = (walk.end == open->packet.readable && resolve_heads(open, &walk, bytes, keep)) ||
		resolve_hole(open, &walk, bytes);
	if (!found)
		use_beginning(open, &walk, keep);
	free(walk.list);
	return found;
}
