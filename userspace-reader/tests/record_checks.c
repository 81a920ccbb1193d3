// SPDX-License-Identifier: GPL-2.0
/* Description: each check of a record has its own reason. */
#include "helpers.h"

#define BEGIN	0x10000000ull

static bool order;

/**
 * struct one - a packet with one record
 * @builder: the packet
 * @payload: of the record
 */
struct one {
	struct builder	builder;
	uint8_t		*payload;
};

static struct one *make(uint64_t stamp, uint16_t id, uint32_t length)
{
	static struct one one;

	build_init(&one.builder, order, 0);
	build_begin(&one.builder, BEGIN);
	one.payload = build_record(&one.builder, stamp, id, 1, length);
	build_end(&one.builder);
	return &one;
}

static enum tring_reason walk(const struct one *one, size_t content)
{
	uint8_t *exact = malloc(one->builder.size);
	struct tring_packet packet;
	struct tring_cursor cursor;
	struct tring_record record;
	enum tring_reason reason;

	CHECK(exact);
	memcpy(exact, one->builder.bytes, one->builder.size);
	if (content)
		put_u32(exact + 40, content * 8, order);
	reason = tring_packet_parse(exact, one->builder.size, &packet);
	CHECK(tring_reason_is_soft(reason));
	tring_cursor_init(&cursor, &packet);
	do {
		reason = tring_record_next(&cursor, &record);
	} while (reason == TRING_OK);
	/* whoever asks again after a hard one gets the same answer */
	if (!tring_reason_is_soft(reason))
		CHECK_EQ(tring_record_next(&cursor, &record), reason);
	free(exact);
	return reason;
}

static enum tring_reason walk_word(struct one *one, size_t back, uint32_t word)
{
	put_u32(one->payload - back, word, order);
	return walk(one, 0);
}

static void check_types(void)
{
	struct one *one = make(BEGIN, 5, 16);
	unsigned int type;

	CHECK_EQ(walk(one, 0), TRING_END);
	for (type = 0; type < 32; type++) {
		enum tring_reason reason, wanted;
		uint32_t word = tring_header_pack(BEGIN, type, order);

		one = make(BEGIN, 5, 16);
		/* what a bytes header would take for the length */
		put_u32(one->payload, 0x10001, order);
		reason = walk_word(one, 4, word);
		wanted = TRING_RECORD_PAYLOAD_TORN;
		if (type == 1 || type == 2)
			wanted = TRING_RECORD_PAYLOAD_SHORT;
		else if (type == 29 || type == 30)
			wanted = TRING_RECORD_TYPE_RESERVED;
		else if (type == 4)
			wanted = TRING_END;
		else if (type == 3)
			/* 4 bytes are left over: a header without a payload */
			continue;
		CHECK_EQ(reason, wanted);
	}
}

static void check_lengths(void)
{
	struct one *one = make(BEGIN, 5, 200);
	size_t header = TRING_PACKET_HEADER_SIZE;

	CHECK_EQ(walk(one, 0), TRING_END);
	CHECK_EQ(walk_word(one, 4, 11), TRING_RECORD_PAYLOAD_SHORT);
	CHECK_EQ(walk_word(one, 4, 0), TRING_RECORD_PAYLOAD_SHORT);
	CHECK_EQ(walk_word(one, 4, 201), TRING_RECORD_PAYLOAD_TORN);
	CHECK_EQ(walk_word(one, 4, 0xffffffff), TRING_RECORD_PAYLOAD_TORN);
	/* one byte is left over, which no record can be */
	CHECK_EQ(walk_word(one, 4, 199), TRING_RECORD_HEADER_TORN);
	CHECK_EQ(walk_word(one, 4, 200), TRING_END);

	CHECK_EQ(walk(one, header + 1), TRING_RECORD_HEADER_TORN);
	CHECK_EQ(walk(one, header + 3), TRING_RECORD_HEADER_TORN);
	CHECK_EQ(walk(one, header + 4), TRING_RECORD_LENGTH_TORN);
	CHECK_EQ(walk(one, header + 7), TRING_RECORD_LENGTH_TORN);
	CHECK_EQ(walk(one, header + 8), TRING_RECORD_PAYLOAD_TORN);

	one = make(BEGIN - 1, 5, 16);
	CHECK_EQ(walk(one, header + 15), TRING_RECORD_LENGTH_TORN);
	CHECK_EQ(walk(one, header + 16), TRING_RECORD_PAYLOAD_TORN);

	/* a words record says 16: 13 may be exact, 12 may not */
	one = make(BEGIN, 5, 16);
	CHECK_EQ(walk(one, header + 4 + 13), TRING_END);
	CHECK_EQ(walk(one, header + 4 + 12), TRING_RECORD_PAYLOAD_TORN);
	/* a payload of 12 that is not all there */
	one = make(BEGIN, 5, 12);
	CHECK_EQ(walk(one, header + 4 + 12), TRING_END);
	CHECK_EQ(walk(one, header + 4 + 11), TRING_RECORD_PAYLOAD_TORN);
}

static void check_skip(void)
{
	static const uint32_t lengths[] = { 12, 13, 15, 16, 17, 112, 113, 500 };
	size_t i;

	for (i = 0; i < COUNT(lengths); i++) {
		uint32_t skip = lengths[i] - TRING_PAYLOAD_MIN;
		struct one *one = make(BEGIN, TRING_ID_DISCARDED, lengths[i]);

		put_u32(one->payload + TRING_SKIP_OFFSET, skip, order);
		CHECK_EQ(walk(one, 0), TRING_END);
		put_u32(one->payload + TRING_SKIP_OFFSET, skip + 4, order);
		CHECK_EQ(walk(one, 0), TRING_RECORD_SKIP);
		put_u32(one->payload + TRING_SKIP_OFFSET, skip - 4, order);
		CHECK_EQ(walk(one, 0), TRING_RECORD_SKIP);
		put_u32(one->payload + TRING_SKIP_OFFSET, 0xfffffff4, order);
		CHECK_EQ(walk(one, 0), TRING_RECORD_SKIP);
	}
}

static void check_stamps(void)
{
	struct one *one = make(BEGIN - 1, 5, 16);

	CHECK_EQ(walk(one, 0), TRING_RECORD_STAMP_BACKWARDS);
	one = make(BEGIN + 5, 5, 16);
	CHECK_EQ(walk(one, 0), TRING_END);
	put_u64(one->builder.bytes + 32, BEGIN + 4, order);
	CHECK_EQ(walk(one, 0), TRING_RECORD_STAMP_LATE);
}

int main(void)
{
	int pass;

	for (pass = 0; pass < 2; pass++) {
		order = pass;
		check_types();
		check_lengths();
		check_skip();
		check_stamps();
	}
	return 0;
}
