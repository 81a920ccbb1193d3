// SPDX-License-Identifier: GPL-2.0
/* Description: a wrong timestamp is reported once per packet and loses no record. */
#include "helpers.h"

static struct builder builder;

int main(void)
{
	struct tring_stream stream;
	struct tring_record record;
	struct findings findings;
	unsigned int count = 0;
	size_t second;

	build_init(&builder, false, 1);
	build_packet(&builder, 1000, 6);
	put_u64(builder.bytes + HEADER_AT(timestamp_end), 1002, false);
	second = builder.size;
	build_packet(&builder, 2000, 6);
	put_u64(builder.bytes + second + HEADER_AT(timestamp_end), 2004, false);
	build_packet(&builder, 3000, 6);
	stream_with_findings(&stream, &findings, builder.bytes, builder.size);
	while (tring_stream_next(&stream, &record) == TRING_OK)
		count++;
	CHECK_EQ(count, 18);
	CHECK_EQ(findings.count, 2);
	CHECK_EQ(findings.reason[0], TRING_RECORD_STAMP_LATE);
	CHECK_EQ(findings.offset[0], build_offset(3));
	CHECK_EQ(findings.reason[1], TRING_RECORD_STAMP_LATE);
	CHECK_EQ(findings.offset[1], second + build_offset(5));

	/* a 64-bit clock that wraps steps backwards */
	build_init(&builder, false, 1);
	build_packet(&builder, UINT64_MAX - 1, 6);
	put_u64(builder.bytes + HEADER_AT(timestamp_end), UINT64_MAX, false);
	stream_with_findings(&stream, &findings, builder.bytes, builder.size);
	for (count = 0; tring_stream_next(&stream, &record) == TRING_OK; count++)
		;
	CHECK_EQ(count, 6);
	CHECK_EQ(findings.count, 1);
	CHECK_EQ(findings.reason[0], TRING_RECORD_STAMP_BACKWARDS);
	CHECK_EQ(findings.offset[0], build_offset(2));
	return 0;
}
