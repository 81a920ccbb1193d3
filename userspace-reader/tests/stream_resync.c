// SPDX-License-Identifier: GPL-2.0
/* Description: after torn, zeroed, foreign or wrong bytes, decoding resumes at the next packet. */
#include "helpers.h"

#define EVENTS	4

static struct builder builder;
static struct tring_stream stream;
static struct findings findings;
static size_t starts[4];
static bool order;

static void build(void)
{
	unsigned int i;

	build_init(&builder, order, 1);
	for (i = 0; i < 3; i++) {
		starts[i] = builder.size;
		build_packet(&builder, 1000 * (i + 1), EVENTS);
	}
	starts[3] = builder.size;
}

static unsigned int walk(size_t size)
{
	uint8_t *exact = malloc(size);
	unsigned int count;

	CHECK(exact);
	memcpy(exact, builder.bytes, size);
	count = count_records(&stream, &findings, exact, size);
	free(exact);
	return count;
}

static void insert(size_t at, const void *bytes, size_t size)
{
	memmove(builder.bytes + at + size, builder.bytes + at,
		builder.size - at);
	memcpy(builder.bytes + at, bytes, size);
	builder.size += size;
}

static void check_finding(enum tring_reason reason, uint64_t offset,
			  uint64_t skipped)
{
	CHECK_EQ(findings.count, 1);
	CHECK_EQ(findings.reason[0], reason);
	CHECK_EQ(findings.offset[0], offset);
	CHECK_EQ(findings.skipped[0], skipped);
}

static void check_between(void)
{
	static const uint8_t zeroes[4096];
	static const char text[128] =
		"\xc1 no packets \xc1\x1f\xfc\xc1 \xc1\xfc\x1f\xc1, only the magic";
	size_t i;

	for (i = 0; i < 4; i++) {
		build();
		insert(starts[i], zeroes, sizeof(zeroes));
		CHECK_EQ(walk(builder.size), 3 * EVENTS);
		check_finding(TRING_PACKET_ZEROED, starts[i], sizeof(zeroes));

		build();
		insert(starts[i], text, sizeof(text));
		CHECK_EQ(walk(builder.size), 3 * EVENTS);
		check_finding(TRING_PACKET_NO_MAGIC, starts[i], sizeof(text));
	}
}

static void check_torn(void)
{
	/* inside of the second packet's second record */
	size_t cut = starts[1] + build_offset(1) + 5;

	/* the second packet's end is missing, the third follows immediately */
	build();
	memmove(builder.bytes + cut, builder.bytes + starts[2],
		starts[3] - starts[2]);
	builder.size = cut + starts[3] - starts[2];
	CHECK_EQ(walk(builder.size), 2 * EVENTS + 1);
	CHECK(findings.count >= 1);
	CHECK_EQ(findings.reason[0], TRING_PACKET_OVERRUN);
	CHECK_EQ(findings.offset[0], starts[1]);
	CHECK_EQ(stream.packets, 3);

	/* the file ends in the middle of the third */
	build();
	CHECK_EQ(walk(starts[2] + build_offset(2) + 5), 2 * EVENTS + 2);
	CHECK_EQ(findings.reason[0], TRING_PACKET_TRUNCATED);
	CHECK_EQ(findings.offset[0], starts[2]);

	/* the file ends in the middle of the third packet's header */
	build();
	CHECK_EQ(walk(starts[2] + TRING_PACKET_HEADER_SIZE - 1), 2 * EVENTS);
	check_finding(TRING_PACKET_HEADER_TORN, starts[2],
		      TRING_PACKET_HEADER_SIZE - 1);
}

static void check_lying_sizes(void)
{
	/* packet_size is wrong, content_size is right */
	build();
	put_u32(builder.bytes + starts[0] + HEADER_AT(packet_size), 8 * (starts[1] + 32), order);
	CHECK_EQ(walk(builder.size), 3 * EVENTS);
	check_finding(TRING_PACKET_OVERRUN, starts[0], 0);

	/* packet_size exceeds the rest of the file */
	build();
	put_u32(builder.bytes + starts[0] + HEADER_AT(packet_size), 8 * 1000000, order);
	CHECK_EQ(walk(builder.size), 3 * EVENTS);
	check_finding(TRING_PACKET_TRUNCATED, starts[0], 0);

	/* both sizes are wrong: the records end at the next packet */
	build();
	put_u32(builder.bytes + starts[0] + HEADER_AT(content_size), 8 * 900000, order);
	put_u32(builder.bytes + starts[0] + HEADER_AT(packet_size), 8 * 1000000, order);
	CHECK_EQ(walk(builder.size), 3 * EVENTS);
	check_finding(TRING_PACKET_TRUNCATED, starts[0], 0);

	/* a wrong packet_size and a damaged record */
	build();
	put_u32(builder.bytes + starts[0] + TRING_PACKET_HEADER_SIZE, 0, order);
	put_u32(builder.bytes + starts[0] + HEADER_AT(packet_size), 8 * (starts[2] - 8), order);
	CHECK_EQ(walk(builder.size), 3 * EVENTS - 1);
	CHECK_EQ(findings.count, 2);
}

static void check_bad_record(void)
{
	build();
	put_u32(builder.bytes + starts[1] + build_offset(1), 0, order);
	CHECK_EQ(walk(builder.size), 3 * EVENTS - 1);
	check_finding(TRING_RECORD_TYPE_UNUSED, starts[1] + build_offset(1),
		      build_offset(2) - build_offset(1));
}

int main(void)
{
	int pass;

	for (pass = 0; pass < 2; pass++) {
		order = pass;
		build();
		CHECK_EQ(walk(builder.size), 3 * EVENTS);
		CHECK_EQ(findings.count, 0);
		check_between();
		check_torn();
		check_lying_sizes();
		check_bad_record();
	}
	return 0;
}
