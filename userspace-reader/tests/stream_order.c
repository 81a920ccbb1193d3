// SPDX-License-Identifier: GPL-2.0
/* Description: overlapping packets and a decreasing loss count are reported; no event is lost. */
#include "helpers.h"

static struct builder builder;

static void check(uint64_t second_begin, uint64_t second_discarded,
		  enum tring_reason wanted)
{
	struct tring_stream stream;
	struct tring_record record;
	struct findings findings;
	unsigned int count = 0;
	size_t second;

	build_init(&builder, false, 1);
	builder.discarded = 10;
	build_packet(&builder, 1000, 3);
	second = builder.size;
	builder.discarded = second_discarded;
	build_packet(&builder, second_begin, 3);
	stream_with_findings(&stream, &findings, builder.bytes, builder.size);
	while (tring_stream_next(&stream, &record) == TRING_OK)
		count++;
	CHECK_EQ(count, 6);
	CHECK_EQ(findings.count, wanted != TRING_OK);
	if (wanted == TRING_OK)
		return;
	CHECK_EQ(findings.reason[0], wanted);
	CHECK_EQ(findings.offset[0], second);
}

int main(void)
{
	check(1002, 10, TRING_OK);
	check(1001, 10, TRING_STREAM_OVERLAP);
	check(2000, 9, TRING_STREAM_DISCARDED);
	return 0;
}
