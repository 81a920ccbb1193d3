// SPDX-License-Identifier: GPL-2.0
/* Description: each check of a packet header reports a reason of its own. */
#include "helpers.h"

static bool order;

static enum tring_reason parse(const uint8_t *bytes, size_t size)
{
	/* memory of exactly this size, so that the sanitizer finds a read past the end */
	uint8_t *exact = malloc(size ? size : 1);
	struct tring_packet packet;
	enum tring_reason reason;

	CHECK(exact);
	memcpy(exact, bytes, size);
	reason = tring_packet_parse(exact, size, &packet);
	free(exact);
	return reason;
}

static enum tring_reason parse_u32(size_t offset, uint32_t value)
{
	uint8_t bytes[TRING_GOLDEN_SIZE];

	memcpy(bytes, golden(order), sizeof(bytes));
	put_u32(bytes + offset, value, order);
	return parse(bytes, sizeof(bytes));
}

static void check_sizes(void)
{
	const uint32_t content = 8 * TRING_GOLDEN_CONTENT;
	const uint32_t packet = 8 * TRING_GOLDEN_SIZE;
	uint8_t bytes[TRING_GOLDEN_SIZE];

	CHECK_EQ(parse_u32(40, content + 1), TRING_PACKET_CONTENT_BITS);
	CHECK_EQ(parse_u32(44, packet + 4), TRING_PACKET_SIZE_BITS);
	CHECK_EQ(parse_u32(40, 8 * 95), TRING_PACKET_CONTENT_SHORT);
	CHECK_EQ(parse_u32(40, 0), TRING_PACKET_CONTENT_SHORT);
	CHECK_EQ(parse_u32(40, 8 * 96), TRING_PACKET_EMPTY);
	CHECK_EQ(parse_u32(44, content - 8), TRING_PACKET_SIZE_SHORT);
	CHECK_EQ(parse_u32(44, content), TRING_OK);
	CHECK_EQ(parse_u32(44, packet + 8), TRING_PACKET_TRUNCATED);
	CHECK_EQ(parse_u32(44, 0xfffffff8), TRING_PACKET_TRUNCATED);

	memcpy(bytes, golden(order), sizeof(bytes));
	put_u64(bytes + 32, TRING_GOLDEN_BEGIN - 1, order);
	CHECK_EQ(parse(bytes, sizeof(bytes)), TRING_PACKET_TIME_BACKWARDS);
}

/* A length below 4, or of a type that is not a short one, means that the type is unused. */
static void check_lengths(void)
{
	uint8_t bytes[TRING_GOLDEN_SIZE];
	struct tring_packet packet;
	unsigned int type, length;

	memcpy(bytes, golden(order), sizeof(bytes));
	for (length = 0; length <= TRING_LENGTH_VARIES; length++) {
		memset(bytes + 64, length, TRING_TYPES);
		CHECK_EQ(tring_packet_parse(bytes, sizeof(bytes), &packet),
			 TRING_OK);
		for (type = 0; type < TRING_TYPES; type++)
			CHECK_EQ(packet.lengths[type],
				 type >= 1 && type <= 28 && length >= 4 ?
				 length : 0);
	}
}

int main(void)
{
	static const uint8_t zeroes[TRING_GOLDEN_SIZE];
	int pass;

	for (pass = 0; pass < 2; pass++) {
		order = pass;
		CHECK_EQ(parse(golden(order), TRING_GOLDEN_SIZE), TRING_OK);
		CHECK_EQ(parse(golden(order), TRING_GOLDEN_SIZE - 1),
			 TRING_PACKET_TRUNCATED);
		CHECK_EQ(parse(golden(order), TRING_PACKET_HEADER_SIZE),
			 TRING_PACKET_TRUNCATED);
		CHECK_EQ(parse(golden(order), TRING_PACKET_HEADER_SIZE - 1),
			 TRING_PACKET_HEADER_TORN);
		CHECK_EQ(parse(golden(order), 0), TRING_PACKET_HEADER_TORN);
		CHECK_EQ(parse(golden(order) + 1, TRING_GOLDEN_SIZE - 1),
			 TRING_PACKET_NO_MAGIC);
		check_sizes();
		check_lengths();
	}
	CHECK_EQ(parse(zeroes, sizeof(zeroes)), TRING_PACKET_ZEROED);
	CHECK_EQ(parse(zeroes, 10), TRING_PACKET_ZEROED);
	return 0;
}
