// SPDX-License-Identifier: GPL-2.0
/* Description: a packet's wrong place, times or counts are told once, and lose no record. */
#include "helpers.h"

static struct builder builder;
static struct tring_stream stream;
static struct findings findings;

static unsigned int count(void)
{
	return count_records(&stream, &findings, builder.bytes, builder.size);
}

static void check_empty(void)
{
	build_init(&builder, false, 0);
	CHECK_EQ(count(), 0);
	CHECK_EQ(findings.count, 0);
	build_packet(&builder, 1000, 0);
	build_packet(&builder, 2000, 2);
	CHECK_EQ(count(), 2);
	CHECK_EQ(findings.count, 1);
	CHECK_EQ(findings.reason[0], TRING_PACKET_EMPTY);
}

static void check_order(uint64_t second_begin, uint64_t second_discarded,
			enum tring_reason wanted)
{
	size_t second;

	build_init(&builder, false, 1);
	builder.discarded = 10;
	build_packet(&builder, 1000, 3);
	second = builder.size;
	builder.discarded = second_discarded;
	build_packet(&builder, second_begin, 3);
	CHECK_EQ(count(), 6);
	CHECK_EQ(findings.count, wanted != TRING_OK);
	if (wanted == TRING_OK)
		return;
	CHECK_EQ(findings.reason[0], wanted);
	CHECK_EQ(findings.offset[0], second);
}

static void check_stamps(void)
{
	size_t second;

	build_init(&builder, false, 1);
	build_packet(&builder, 1000, 6);
	put_u64(builder.bytes + HEADER_AT(timestamp_end), 1002, false);
	second = builder.size;
	build_packet(&builder, 2000, 6);
	put_u64(builder.bytes + second + HEADER_AT(timestamp_end), 2004, false);
	build_packet(&builder, 3000, 6);
	CHECK_EQ(count(), 18);
	CHECK_EQ(findings.count, 2);
	CHECK_EQ(findings.reason[0], TRING_RECORD_STAMP_LATE);
	CHECK_EQ(findings.offset[0], build_offset(3));
	CHECK_EQ(findings.reason[1], TRING_RECORD_STAMP_LATE);
	CHECK_EQ(findings.offset[1], second + build_offset(5));

	/* a 64-bit clock that wraps steps backwards */
	build_init(&builder, false, 1);
	build_packet(&builder, UINT64_MAX - 1, 6);
	put_u64(builder.bytes + HEADER_AT(timestamp_end), UINT64_MAX, false);
	CHECK_EQ(count(), 6);
	CHECK_EQ(findings.count, 1);
	CHECK_EQ(findings.reason[0], TRING_RECORD_STAMP_BACKWARDS);
	CHECK_EQ(findings.offset[0], build_offset(2));
}

int main(void)
{
	check_empty();
	check_order(1002, 10, TRING_OK);
	check_order(1001, 10, TRING_STREAM_OVERLAP);
	check_order(2000, 9, TRING_STREAM_DISCARDED);
	check_stamps();
	return 0;
}
