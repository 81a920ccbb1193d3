// SPDX-License-Identifier: GPL-2.0
/* Description: a count finds each single fault that a cursor finds. */
#include "helpers.h"
#include "wire/count.h"

#define BEGIN	5000ull
#define RECORDS	8

static struct builder builder;
static size_t starts[RECORDS];

/* Kinds of records: short with fixed and varying lengths in turn, all varying, none short. */
enum kind {
	MIXED,
	ALL_VARY,
	ALL_LONG,
};

static void build(bool big_endian, enum kind kind)
{
	unsigned int i;

	build_init(&builder, big_endian, 0);
	if (kind == ALL_VARY)
		memset(builder.lengths + 2, 0, TRING_TYPES - 2);
	if (kind == ALL_LONG)
		memset(builder.lengths, 0, TRING_TYPES);
	build_begin(&builder, BEGIN);
	for (i = 0; i < RECORDS; i++) {
		starts[i] = builder.end;
		build_record(&builder, BEGIN + i,
			     i % 2 || kind == ALL_VARY ? 5 : 342, 7, 16);
	}
	build_end(&builder);
}

/* Counts in memory of exactly @size and compares. Return: true if the packet is sound. */
static bool count(size_t size)
{
	static bool ids[UINT16_MAX + 1];
	struct tring_count counted = { .ids = ids };
	uint8_t *exact = malloc(size);
	struct tring_packet packet;
	struct tring_cursor cursor;
	struct tring_record record;
	enum tring_reason reason;
	uint64_t events = 0;
	bool good;

	CHECK(exact);
	memcpy(exact, builder.bytes, size);
	tring_packet_parse(exact, size, &packet);
	good = tring_count_packet(&counted, &packet);
	tring_cursor_init(&cursor, &packet);
	while ((reason = tring_record_next(&cursor, &record)) == TRING_OK) {
		events++;
		CHECK(!good || record.type != TRING_TYPE_LONG || ids[record.id]);
	}
	memset(ids, 0, sizeof(ids));
	CHECK_EQ(good, reason == TRING_END &&
		 packet.big_endian == TRING_HOST_BIG_ENDIAN);
	CHECK_EQ(counted.events, good ? events : 0);
	free(exact);
	return good;
}

static void check_length(unsigned int which, uint16_t length)
{
	size_t head = TRING_WORD_SIZE + 1;
	uint8_t *at;

	build(TRING_HOST_BIG_ENDIAN, MIXED);
	at = builder.bytes + starts[which] + head;
	put_u16(at, length, builder.big_endian);
	/* the next record follows immediately */
	memmove(at + TRING_SHORT_LENGTH_SIZE + length,
		builder.bytes + starts[which + 1],
		builder.end - starts[which + 1]);
	builder.end -= starts[which + 1] - starts[which] - head -
		       TRING_SHORT_LENGTH_SIZE - length;
	build_end(&builder);
	CHECK_EQ(count(builder.size), length >= TRING_FIELDS_MIN);
}

static void check_context(unsigned int which, uint8_t context)
{
	build(TRING_HOST_BIG_ENDIAN, MIXED);
	builder.bytes[starts[which] + TRING_WORD_SIZE] = context;
	CHECK_EQ(count(builder.size), context < TRING_CONTEXT_FULL);
}

static uint8_t *build_long(unsigned int which)
{
	build(TRING_HOST_BIG_ENDIAN, ALL_LONG);
	return builder.bytes + starts[which] + TRING_WORD_SIZE;
}

/* Id, context without a pid, length. */
static void check_long(void)
{
	unsigned int i;

	for (i = 0; i < 256; i++) {
		if (i & TRING_CONTEXT_HAS_PID)
			continue;
		build_long(2)[TRING_ID_SIZE] = i;
		CHECK_EQ(count(builder.size), i < TRING_CONTEXT_FULL);
	}
	for (i = 0; i <= TRING_LONG_ID_BASE; i++) {
		put_u16(build_long(3), i, TRING_HOST_BIG_ENDIAN);
		CHECK(i == TRING_TYPE_DISCARDED || !count(builder.size));
	}
	for (i = 0; i < TRING_FIELDS_MIN; i++) {
		put_u32(build_long(3) + TRING_ID_SIZE + 1, i, TRING_HOST_BIG_ENDIAN);
		CHECK(!count(builder.size));
	}
	put_u32(build_long(3) + TRING_ID_SIZE + 1, UINT32_MAX, TRING_HOST_BIG_ENDIAN);
	CHECK(!count(builder.size));
}

static void check_cuts(enum kind kind)
{
	size_t size;

	build(TRING_HOST_BIG_ENDIAN, kind);
	CHECK(count(builder.size));
	for (size = TRING_PACKET_HEADER_SIZE; size < builder.size; size++) {
		unsigned int i;
		bool whole = size == TRING_PACKET_HEADER_SIZE ||
			     size >= builder.end;

		for (i = 0; i < RECORDS; i++)
			whole |= size == starts[i];
		CHECK_EQ(count(size), whole);
	}
}

/* A 64-bit clock that wraps steps backwards. */
static void check_wrap(void)
{
	unsigned int i;

	build_init(&builder, TRING_HOST_BIG_ENDIAN, 0);
	build_begin(&builder, UINT64_MAX - 3);
	/* enough records that the wrap is far from the end, which the slow path decodes */
	for (i = 0; i < 10 * RECORDS; i++)
		build_record(&builder, UINT64_MAX - 3 + i, 342, 7, 16);
	build_end(&builder);
	put_u64(builder.bytes + HEADER_AT(timestamp_end), UINT64_MAX, TRING_HOST_BIG_ENDIAN);
	CHECK(!count(builder.size));
}

static void check_all(void)
{
	unsigned int i;

	check_cuts(MIXED);
	check_cuts(ALL_VARY);
	check_cuts(ALL_LONG);
	build(!TRING_HOST_BIG_ENDIAN, MIXED);
	CHECK(!count(builder.size));
	/* a header in which all types are unused */
	build(TRING_HOST_BIG_ENDIAN, MIXED);
	memset(builder.bytes + HEADER_AT(lengths), 0, TRING_TYPES);
	CHECK(!count(builder.size));
	for (i = 0; i < 8; i++)
		check_length(3, i);
	build(TRING_HOST_BIG_ENDIAN, MIXED);
	put_u64(builder.bytes + HEADER_AT(timestamp_end), BEGIN + RECORDS - 2,
		TRING_HOST_BIG_ENDIAN);
	CHECK(!count(builder.size));
	check_wrap();
	check_long();
}

int main(void)
{
	unsigned int i;

	check_all();
	for (i = 0; i < 256; i++)
		if (!(i & TRING_CONTEXT_HAS_PID))
			check_context(2, i);
	return 0;
}
