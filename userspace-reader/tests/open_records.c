// SPDX-License-Identifier: GPL-2.0
/* Description: of an open packet no record is shown that its writer had not committed. */
/*
 * open_records [TRIALS [SEED]] - in each trial, writers of random levels of interrupts fill a
 * packet over what the lap before has left there, and are stopped. A writer that has not
 * committed then may not even have stored the head of its record.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "helpers.h"
#include "salvage/open_records.h"

#define BEGIN		(1ull << 40)
/* Of compact stamps; those of the lap before are not by chance between those of this one. */
#define PERIOD		(1ull << TRING_STAMP_BITS)
#define APART		(PERIOD / 100)

#define LEVELS		4
#define RECORDS_MAX	64

enum state {
	COMMITTED,
	DISCARDED,
	OPEN,
	HEADLESS,
};

/**
 * struct written - a record
 * @at: its offset
 * @end: end of it
 * @state: what its writer has done
 */
struct written {
	uint32_t	at;
	uint32_t	end;
	enum state	state;
};

static const uint8_t level_flags[LEVELS] = { 0, 0x10, 0x08, 0x40 };

static struct builder before, builder;
static struct written records[RECORDS_MAX];
static size_t nr;
static bool same_sizes;
static uint64_t random_state, shown, hidden, unsure, wrong;

static uint64_t choose(uint64_t limit)
{
	random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
	return (random_state >> 33) % limit;
}

static void add(struct builder *to, unsigned int level, enum state state)
{
	static const uint16_t ids[] = { 5, 319, 342, 345, 344, 7 };
	static const uint32_t sizes[] = { 24, 64, 16, 20, 12, 40 };
	size_t kind = same_sizes ? 2 : choose(6);
	uint32_t length = sizes[kind] + (same_sizes || kind == 1 || choose(2) ? 0 : choose(64));
	uint32_t at = to->end;
	uint8_t *payload;

	/* a writer finds no pid to be the same as where the record before has none yet */
	to->know_pid &= !nr || records[nr - 1].state < OPEN;
	to->flags = level_flags[level];
	payload = build_record(to, to->last + choose(2000), ids[kind], 1 + choose(3), length);
	memset(payload + TRING_PAYLOAD_HEAD, choose(256), length - TRING_PAYLOAD_HEAD);
	if (state == DISCARDED)
		build_discard(to, to->bytes + at, length - TRING_PAYLOAD_HEAD);
	if (to != &builder)
		return;
	CHECK(nr < RECORDS_MAX);
	records[nr++] = (struct written) { at, to->end, state };
}

/* What the lap before has left: any records, as writers have stored them. */
static void fill_before(void)
{
	build_init(&before, TRING_HOST_BIG_ENDIAN, 0);
	build_begin(&before, BEGIN - (1 + choose(20)) * PERIOD -
			     APART - choose(PERIOD - 2 * APART));
	while (before.end < sizeof(before.bytes) / 8)
		add(&before, choose(LEVELS), COMMITTED);
}

/* An open writer was interrupted: what lies behind its record is of higher levels. */
static void fill(void)
{
	unsigned int level = 0, i, count;
	size_t open, headless;

	build_init(&builder, TRING_HOST_BIG_ENDIAN, 0);
	build_begin(&builder, BEGIN);
	nr = 0;
	count = choose(20);
	for (i = 0; i < count; i++)
		add(&builder, choose(LEVELS), choose(20) ? COMMITTED : DISCARDED);
	headless = choose(4);
	for (open = choose(3) + 1; open && level < LEVELS; open--) {
		level += choose(LEVELS - level);
		add(&builder, level, open == headless ? HEADLESS : OPEN);
		level++;
		count = level < LEVELS ? choose(4) : 0;
		for (i = 0; i < count; i++)
			add(&builder, level + choose(LEVELS - level),
			    choose(20) ? COMMITTED : DISCARDED);
	}
	for (i = 0; i < nr; i++)
		if (records[i].state == HEADLESS)
			memcpy(builder.bytes + records[i].at, before.bytes + records[i].at,
			       records[i].end - records[i].at);
}

/* One in ten thousand may be wrong: the bytes of a record without a head may look like one. */
static void note_wrong(const char *what, uint32_t at, unsigned int trial)
{
	size_t i;

	wrong++;
	if (wrong > 3)
		return;
	for (i = 0; i < nr; i++)
		if (records[i].state >= OPEN)
			printf("%u-%u: %s\n", records[i].at, records[i].end,
			       records[i].state == OPEN ? "open" : "without a head");
	printf("trial %u: %s at %u\n", trial, what, at);
}

/* Return: are these bytes those of records that were not committed, and only of them? */
static bool is_hole(uint32_t at, uint32_t end)
{
	size_t i;

	for (i = 0; i < nr && records[i].at < end; i++) {
		if (records[i].end <= at)
			continue;
		if (records[i].at < at || records[i].end > end || records[i].state == COMMITTED)
			return false;
	}
	return true;
}

/* Each record shown is one that was committed, at its place. */
static uint64_t check_shown(const struct tring_open_records *open, unsigned int trial)
{
	struct tring_packet packet = open->packet;
	struct tring_cursor cursor;
	struct tring_record record;
	uint64_t events = 0;
	size_t i = 0;

	packet.readable = open->end;
	tring_cursor_init(&cursor, &packet);
	while (tring_record_next(&cursor, &record) != TRING_END) {
		if (record.id == TRING_ID_DISCARDED && is_hole(record.offset, cursor.position))
			continue;
		while (i < nr && records[i].at < record.offset)
			i++;
		if (i == nr || records[i].at != record.offset ||
		    cursor.position != records[i].end) {
			note_wrong("no record of a writer", record.offset, trial);
			return events;
		}
		if (record.id == TRING_ID_DISCARDED)
			continue;
		if (records[i].state != COMMITTED) {
			note_wrong("a record that was not committed", record.offset, trial);
			return events;
		}
		events++;
	}
	return events;
}

static void try_one(unsigned int trial)
{
	struct tring_open_records open = { 0 };
	uint64_t events;
	size_t i;

	same_sizes = choose(2);
	fill_before();
	fill();
	tring_packet_parse(builder.bytes, 0, &open.packet);
	open.packet.big_endian = TRING_HOST_BIG_ENDIAN;
	open.packet.data = builder.bytes;
	open.packet.readable = builder.end;
	open.packet.timestamp_begin = BEGIN;
	open.packet.timestamp_end = builder.last;
	memcpy(open.packet.lengths, builder.lengths, sizeof(open.packet.lengths));
	for (i = 0; i < nr; i++) {
		if (records[i].state >= OPEN)
			open.uncommitted += records[i].end - records[i].at;
		open.events += records[i].state == COMMITTED;
	}
	tring_open_records_resolve(&open, builder.bytes);
	events = check_shown(&open, trial);
	if (open.is_sure && events != open.events)
		note_wrong("sure, and events are missing", open.end, trial);
	shown += events;
	hidden += open.events - events;
	unsure += !open.is_sure;
}

int main(int argc, char **argv)
{
	unsigned int trials = argc > 1 ? atoi(argv[1]) : 20000, trial;

	random_state = argc > 2 ? strtoull(argv[2], NULL, 0) : test_seed(1);
	for (trial = 0; trial < trials; trial++)
		try_one(trial);
	printf("%u trials: %" PRIu64 " committed events are shown, %" PRIu64 " are not\n", trials,
	       shown, hidden);
	printf("%" PRIu64 " packets unsure, %" PRIu64 " wrong\n", unsure, wrong);
	CHECK(wrong * 10000 <= trials);
	return 0;
}
