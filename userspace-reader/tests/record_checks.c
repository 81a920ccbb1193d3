// SPDX-License-Identifier: GPL-2.0
/* Description: each check of a record reports a reason of its own, at each cut-off point. */
#include "helpers.h"

#define BEGIN	0x10000000ull
#define PID	(TRING_CONTEXT_HAS_PID)
#define FULL	(TRING_CONTEXT_FULL | TRING_CONTEXT_HAS_PID)

static bool order;

/**
 * struct raw - encoded records of a packet
 * @bytes: the bytes
 * @size: number of bytes
 * @head: bytes of the first record before its fields
 */
struct raw {
	uint8_t	bytes[512];
	size_t	size;
	size_t	head;
};

static void add(struct raw *raw, uint64_t value, unsigned int size)
{
	uint8_t *to = raw->bytes + raw->size;

	if (size == 1)
		*to = value;
	else if (size == 2)
		put_u16(to, value, order);
	else if (size == 4)
		put_u32(to, value, order);
	else
		put_u64(to, value, order);
	raw->size += size;
}

/* Adds a record's head, from the word to the length. @length: SIZE_MAX for none. */
static void add_head(struct raw *raw, unsigned int type, uint16_t id,
		     uint8_t context, size_t length)
{
	add(raw, tring_header_pack(BEGIN, type, order), 4);
	if (type == TRING_TYPE_EXTENDED)
		add(raw, BEGIN, 8);
	if (type >= TRING_TYPE_LONG)
		add(raw, id, 2);
	add(raw, context, 1);
	if (context & TRING_CONTEXT_HAS_PID)
		add(raw, 77, 4);
	if (tring_context_is_full(context))
		add(raw, 0x1234, 2);
	if (length != SIZE_MAX)
		add(raw, length, type > TRING_TYPE_SHORT_MAX ? 4 : 2);
	raw->head = raw->size;
}

static struct raw make(unsigned int type, uint16_t id, uint8_t context,
		       size_t length, size_t fields)
{
	struct raw raw = { .size = 0 };

	add_head(&raw, type, id, context, length);
	/* the fields are zeroes, which are not a valid record */
	raw.size += fields;
	return raw;
}

/* Decodes the first @size bytes of the records, in a packet that ends there. */
static enum tring_reason walk(const struct raw *raw, size_t size)
{
	static struct builder builder;
	struct tring_packet packet;
	struct tring_cursor cursor;
	struct tring_record record;
	enum tring_reason reason;
	uint8_t *exact;

	build_init(&builder, order, 0);
	build_begin(&builder, BEGIN);
	memcpy(builder.bytes + builder.end, raw->bytes, size);
	builder.end += size;
	build_end(&builder);
	put_u32(builder.bytes + HEADER_AT(packet_size), 8 * builder.end, order);
	/* memory of exactly the packet's size, so that the sanitizer finds a read past it */
	exact = malloc(builder.end);
	CHECK(exact);
	memcpy(exact, builder.bytes, builder.end);
	CHECK_EQ(tring_packet_parse(exact, builder.end, &packet),
		 size ? TRING_OK : TRING_PACKET_EMPTY);
	tring_cursor_init(&cursor, &packet);
	do {
		reason = tring_record_next(&cursor, &record);
	} while (reason == TRING_OK);
	/* after a hard error each further call returns the same reason */
	if (!tring_reason_is_soft(reason))
		CHECK_EQ(tring_record_next(&cursor, &record), reason);
	free(exact);
	return reason;
}

static enum tring_reason walk_all(struct raw raw)
{
	return walk(&raw, raw.size);
}

static void check_cuts(struct raw raw)
{
	size_t size;

	CHECK_EQ(walk(&raw, 0), TRING_END);
	for (size = 1; size < raw.size; size++)
		CHECK_EQ(walk(&raw, size),
			 size < 4 ? TRING_RECORD_HEADER_TORN :
			 size < raw.head ? TRING_RECORD_LENGTH_TORN :
			 TRING_RECORD_FIELDS_TORN);
	CHECK_EQ(walk(&raw, size), TRING_END);
}

static void check_forms(void)
{
	check_cuts(make(2, 0, PID, SIZE_MAX, 56));
	check_cuts(make(28, 0, PID, SIZE_MAX, 4));
	check_cuts(make(1, 0, PID, 9, 9));
	check_cuts(make(1, 0, FULL, 300, 300));
	check_cuts(make(3, 0, FULL, SIZE_MAX, 8));
	check_cuts(make(29, 0, PID, 5, 5));
	check_cuts(make(29, 0, PID, 0, 0));
	check_cuts(make(30, 342 + 32, PID, 4, 4));
	check_cuts(make(30, 65535, FULL, 17, 17));
	check_cuts(make(30, 29, PID, 6, 6));
	check_cuts(make(31, 342 + 32, PID, 12, 12));
	check_cuts(make(31, 29, FULL, 12, 12));
}

static void check_types(void)
{
	unsigned int type;

	for (type = 0; type < TRING_TYPE_DISCARDED; type++) {
		bool used = fixture_short_ids[type];

		/* if the type's length varies, the next bytes are the length, 0 */
		CHECK_EQ(walk_all(make(type, 0, PID, SIZE_MAX, 56)),
			 type == 2 ? TRING_END :
			 type == 1 || type == 5 ? TRING_RECORD_FIELDS_SHORT :
			 TRING_RECORD_TYPE_UNUSED);
		if (!used)
			CHECK_EQ(walk_all(make(type, 0, PID, 4, 4)),
				 TRING_RECORD_TYPE_UNUSED);
	}
}

static void check_lengths(void)
{
	static const unsigned int with_id[] = { 30, 31 };
	size_t length, i;

	for (length = 0; length < 4; length++) {
		CHECK_EQ(walk_all(make(5, 0, PID, length, length)),
			 TRING_RECORD_FIELDS_SHORT);
		for (i = 0; i < COUNT(with_id); i++) {
			CHECK_EQ(walk_all(make(with_id[i], 400, PID, length,
					       length)),
				 TRING_RECORD_FIELDS_SHORT);
			CHECK_EQ(walk_all(make(with_id[i], 29, PID, length,
					       length)),
				 TRING_RECORD_FIELDS_SHORT);
		}
		CHECK_EQ(walk_all(make(29, 0, PID, length, length)), TRING_END);
	}
	CHECK_EQ(walk_all(make(5, 0, PID, 65535, 100)),
		 TRING_RECORD_FIELDS_TORN);
	CHECK_EQ(walk_all(make(29, 0, PID, 0xffffffff, 100)),
		 TRING_RECORD_FIELDS_TORN);
	CHECK_EQ(walk_all(make(30, 400, PID, 0xffffffff, 100)),
		 TRING_RECORD_FIELDS_TORN);
	CHECK_EQ(walk_all(make(31, 400, PID, 0xfffffff8, 100)),
		 TRING_RECORD_FIELDS_TORN);
	/* one byte is left over: too short for a record */
	CHECK_EQ(walk_all(make(30, 400, PID, 99, 100)),
		 TRING_RECORD_HEADER_TORN);
}

static void check_ids(void)
{
	unsigned int id;

	for (id = 0; id < 40; id++) {
		bool good = id == 29 || id > 32;

		CHECK_EQ(walk_all(make(30, id, PID, 4, 4)),
			 good ? TRING_END : TRING_RECORD_ID);
		CHECK_EQ(walk_all(make(31, id, PID, 4, 4)),
			 good ? TRING_END : TRING_RECORD_ID);
	}
}

static void check_contexts(void)
{
	unsigned int context;

	for (context = 0; context < 256; context++) {
		enum tring_reason wanted = TRING_END;

		if (context >= TRING_CONTEXT_FULL && context != FULL)
			wanted = TRING_RECORD_CONTEXT;
		else if (!(context & PID))
			wanted = TRING_RECORD_PID_UNKNOWN;
		CHECK_EQ(walk_all(make(3, 0, context, SIZE_MAX, 8)), wanted);
		CHECK_EQ(walk_all(make(29, 0, context, 3, 3)), wanted);
		CHECK_EQ(walk_all(make(30, 400, context, 4, 4)), wanted);
	}
}

/* A missing pid is not replaced by another record's, and is reported once per packet. */
static void check_pids(void)
{
	static const int32_t wanted[] = { -1, -1, 77, 77, 77 };
	static const uint8_t contexts[] = { 0, 0x20, PID, 1, FULL };
	static struct builder builder;
	struct tring_stream stream;
	struct tring_record record;
	struct findings findings;
	struct raw raw = { .size = 0 };
	size_t i;

	for (i = 0; i < COUNT(wanted); i++) {
		add_head(&raw, 28, 0, contexts[i], SIZE_MAX);
		raw.size += 4;
	}
	build_init(&builder, order, 0);
	for (i = 0; i < 2; i++) {
		build_begin(&builder, BEGIN);
		memcpy(builder.bytes + builder.end, raw.bytes, raw.size);
		builder.end += raw.size;
		build_end(&builder);
	}
	stream_with_findings(&stream, &findings, builder.bytes, builder.size);
	for (i = 0; i < 2 * COUNT(wanted); i++) {
		CHECK_EQ(tring_stream_next(&stream, &record), TRING_OK);
		CHECK_EQ(record.pid, wanted[i % COUNT(wanted)]);
	}
	CHECK_EQ(tring_stream_next(&stream, &record), TRING_END);
	CHECK_EQ(findings.count, 2);
	for (i = 0; i < 2; i++)
		CHECK_EQ(findings.reason[i], TRING_RECORD_PID_UNKNOWN);
	CHECK_EQ(findings.offset[0], TRING_PACKET_HEADER_SIZE);

	/* a missing pid does not hide a wrong time */
	put_u32(builder.bytes + builder.start + TRING_PACKET_HEADER_SIZE + 9,
		tring_header_pack(BEGIN + 1, 28, order), order);
	stream_with_findings(&stream, &findings, builder.bytes, builder.size);
	while (tring_stream_next(&stream, &record) == TRING_OK)
		;
	CHECK_EQ(findings.count, 3);
	CHECK_EQ(findings.reason[1], TRING_RECORD_PID_UNKNOWN);
	CHECK_EQ(findings.reason[2], TRING_RECORD_STAMP_LATE);
}

static void check_stamps(void)
{
	static struct builder builder;
	struct tring_packet packet;
	struct tring_cursor cursor;
	struct tring_record record;

	build_init(&builder, order, 0);
	build_begin(&builder, BEGIN);
	build_record(&builder, BEGIN - 1, 342, 1, 16);
	build_record(&builder, BEGIN + 5, 342, 1, 16);
	build_end(&builder);
	put_u64(builder.bytes + HEADER_AT(timestamp_end), BEGIN + 4, order);
	CHECK_EQ(tring_packet_parse(builder.bytes, builder.size, &packet),
		 TRING_OK);
	tring_cursor_init(&cursor, &packet);
	CHECK_EQ(tring_record_next(&cursor, &record),
		 TRING_RECORD_STAMP_BACKWARDS);
	CHECK_EQ(tring_record_next(&cursor, &record), TRING_RECORD_STAMP_LATE);
	CHECK_EQ(tring_record_next(&cursor, &record), TRING_END);
}

int main(void)
{
	int pass;

	for (pass = 0; pass < 2; pass++) {
		order = pass;
		check_forms();
		check_types();
		check_lengths();
		check_ids();
		check_contexts();
		check_pids();
		check_stamps();
	}
	return 0;
}
