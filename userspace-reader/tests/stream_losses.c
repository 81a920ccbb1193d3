// SPDX-License-Identifier: GPL-2.0
/* Description: losses are reported before the first record after them, all by the end. */
#include "helpers.h"

static struct builder builder;

static void next(struct tring_stream *stream, uint64_t events, uint64_t packets)
{
	struct tring_record record;

	CHECK_EQ(tring_stream_next(stream, &record), TRING_OK);
	CHECK_EQ(stream->lost_events, events);
	CHECK_EQ(stream->lost_packets, packets);
}

static void build(bool order)
{
	build_init(&builder, order, 1);
	builder.discarded = 7;
	build_packet(&builder, 1000, 2);
	builder.discarded = 12;
	builder.seq += 3;
	build_packet(&builder, 2000, 2);
	build_packet(&builder, 3000, 1);
	/* a packet without a usable record passes its losses on */
	builder.discarded = 13;
	builder.seq++;
	build_packet(&builder, 4000, 1);
	put_u32(builder.bytes + builder.start + TRING_PACKET_HEADER_SIZE,
		tring_header_pack(0, 0, order), order);
	builder.discarded = 15;
	build_packet(&builder, 5000, 1);
	builder.discarded = 20;
	build_packet(&builder, 6000, 1);
	put_u32(builder.bytes + builder.start + TRING_PACKET_HEADER_SIZE,
		tring_header_pack(0, 0, order), order);
}

/*
 * @first: events refused within the first packet. Overwritten events are lost before a
 * packet, refused ones behind it.
 */
static void walk(struct tring_stream *stream, uint64_t first)
{
	struct tring_record record;

	next(stream, 0, 0);
	next(stream, 0, 0);
	next(stream, first + 5, 3);
	next(stream, 0, 0);
	next(stream, 0, 0);
	next(stream, 1, 1);
	CHECK_EQ(tring_stream_next(stream, &record), TRING_END);
	CHECK_EQ(stream->pending_events, 2 + 5);
	CHECK_EQ(stream->seen_discarded, 20);
}

int main(void)
{
	struct tring_stream stream;
	struct findings findings;
	int order;

	for (order = 0; order < 2; order++) {
		build(order);
		stream_with_findings(&stream, &findings, builder.bytes,
				     builder.size);
		walk(&stream, 0);
		CHECK_EQ(findings.count, 2);
		stream_with_findings(&stream, &findings, builder.bytes,
				     builder.size);
		tring_stream_know_discarded(&stream, 4);
		walk(&stream, 3);
	}
	return 0;
}
