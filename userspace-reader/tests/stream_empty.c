// SPDX-License-Identifier: GPL-2.0
/* Description: empty packets and streams end without a report, or with the right reason. */
#include "helpers.h"

static struct builder builder;

int main(void)
{
	struct tring_stream stream;
	struct tring_record record;
	struct findings findings;
	unsigned int count = 0;

	stream_with_findings(&stream, &findings, NULL, 0);
	CHECK_EQ(tring_stream_next(&stream, &record), TRING_END);
	CHECK_EQ(findings.count, 0);

	build_init(&builder, false, 0);
	build_packet(&builder, 1000, 0);
	build_packet(&builder, 2000, 2);
	stream_with_findings(&stream, &findings, builder.bytes, builder.size);
	while (tring_stream_next(&stream, &record) == TRING_OK)
		count++;
	CHECK_EQ(count, 2);
	CHECK_EQ(findings.count, 1);
	CHECK_EQ(findings.reason[0], TRING_PACKET_EMPTY);
	return 0;
}
