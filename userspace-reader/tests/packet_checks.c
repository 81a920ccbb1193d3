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

static enum tring_reason parse_sizes(uint32_t content, uint32_t packet)
{
	uint8_t bytes[TRING_GOLDEN_SIZE];

	memcpy(bytes, golden(order), sizeof(bytes));
	put_u32(bytes + HEADER_AT(content_size), content, order);
	put_u32(bytes + HEADER_AT(packet_size), packet, order);
	return parse(bytes, sizeof(bytes));
}

static void check_sizes(void)
{
	const uint32_t content = 8 * TRING_GOLDEN_CONTENT;
	const uint32_t packet = 8 * TRING_GOLDEN_SIZE;
	const uint32_t header = 8 * TRING_PACKET_HEADER_SIZE;
	uint8_t bytes[TRING_GOLDEN_SIZE];

	CHECK_EQ(parse_sizes(content + 1, packet), TRING_PACKET_CONTENT_BITS);
	CHECK_EQ(parse_sizes(content, packet + 4), TRING_PACKET_SIZE_BITS);
	CHECK_EQ(parse_sizes(header - 8, packet), TRING_PACKET_CONTENT_SHORT);
	CHECK_EQ(parse_sizes(8, packet), TRING_PACKET_CONTENT_SHORT);
	CHECK_EQ(parse_sizes(0, packet), TRING_PACKET_UNFINISHED);
	CHECK_EQ(parse_sizes(0, 0), TRING_PACKET_UNFINISHED);
	CHECK_EQ(parse_sizes(header, packet), TRING_PACKET_EMPTY);
	CHECK_EQ(parse_sizes(content, content - 8), TRING_PACKET_SIZE_SHORT);
	CHECK_EQ(parse_sizes(content, content), TRING_OK);
	CHECK_EQ(parse_sizes(content, packet + 8), TRING_PACKET_TRUNCATED);
	CHECK_EQ(parse_sizes(content, 0xfffffff8), TRING_PACKET_TRUNCATED);

	memcpy(bytes, golden(order), sizeof(bytes));
	put_u64(bytes + HEADER_AT(timestamp_end), TRING_GOLDEN_BEGIN - 1, order);
	CHECK_EQ(parse(bytes, sizeof(bytes)), TRING_PACKET_TIME_BACKWARDS);
}

static void check_version(void)
{
	uint8_t bytes[TRING_GOLDEN_SIZE];
	unsigned int version;

	memcpy(bytes, golden(order), sizeof(bytes));
	for (version = 0; version < 256; version++) {
		bytes[52] = version;
		CHECK_EQ(parse(bytes, sizeof(bytes)),
			 version == 4 ? TRING_OK : TRING_PACKET_VERSION);
	}
}

/* A later writer may use these bytes without a new version. */
static void check_reserved(void)
{
	uint8_t bytes[TRING_GOLDEN_SIZE];

	memcpy(bytes, golden(order), sizeof(bytes));
	memset(bytes + 53, 0xff, 11);
	CHECK_EQ(parse(bytes, sizeof(bytes)), TRING_OK);
}

/* A length below 4, or of a type that is not a short one, means that the type is unused. */
static void check_lengths(void)
{
	uint8_t bytes[TRING_GOLDEN_SIZE];
	struct tring_packet packet;
	unsigned int type, length;

	memcpy(bytes, golden(order), sizeof(bytes));
	for (length = 0; length <= TRING_LENGTH_VARIES; length++) {
		memset(bytes + HEADER_AT(lengths), length, TRING_TYPES);
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
		check_version();
		check_reserved();
		check_sizes();
		check_lengths();
	}
	CHECK_EQ(parse(zeroes, sizeof(zeroes)), TRING_PACKET_ZEROED);
	CHECK_EQ(parse(zeroes, 10), TRING_PACKET_ZEROED);
	return 0;
}
