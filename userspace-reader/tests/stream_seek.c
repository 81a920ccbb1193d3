// SPDX-License-Identifier: GPL-2.0
/* Description: a time range is found without reading all headers, and gives the same records. */
#include "helpers.h"

#define PACKETS		4000
#define TIME(packet)	(1000000ull + 1000ull * (packet))

static struct builder builder;
static uint8_t bytes[16 * 1024 * 1024], other[sizeof(bytes)];
static size_t size, halves;

/* Packets of many sizes; some are missing, and some have lost events. */
static void build(void)
{
	unsigned int i, seed = test_seed(1);

	build_init(&builder, false, 1);
	for (i = 0; i < PACKETS; i++) {
		seed = seed * 1103515245 + 12345;
		builder.seq += seed >> 16 & 1 ? 0 : seed >> 17 & 3;
		builder.discarded += seed >> 19 & 1 ? 0 : seed >> 20 & 7;
		builder.size = 0;
		build_packet(&builder, TIME(i), 1 + (seed >> 21 & 255));
		CHECK(size + builder.size <= sizeof(bytes));
		memcpy(bytes + size, builder.bytes, builder.size);
		size += builder.size;
		if (i == PACKETS / 2)
			halves = size;
	}
}

static void start(struct tring_stream *stream, const uint8_t *data)
{
	struct tring_packet packet;

	tring_stream_init(stream, data, size);
	CHECK_EQ(tring_packet_parse(data, size, &packet), TRING_OK);
	tring_stream_know_uuid(stream, packet.uuid);
	tring_stream_know_discarded(stream, 0);
}

/* Return: number of packets that were read. */
static uint64_t compare(const uint8_t *data, uint64_t from, uint64_t to)
{
	struct tring_stream found, all;
	struct tring_record a, b;
	enum tring_reason end;

	start(&found, data);
	start(&all, data);
	tring_stream_set_range(&found, from, to);
	/* without a search */
	tring_stream_set_range(&all, 0, to);
	all.from = from;
	do {
		end = tring_stream_next(&found, &a);
		CHECK_EQ(end, tring_stream_next(&all, &b));
		CHECK_EQ(found.lost_events, all.lost_events);
		CHECK_EQ(found.lost_packets, all.lost_packets);
		if (end == TRING_OK) {
			CHECK_EQ(a.stamp, b.stamp);
			CHECK_EQ(found.packet.offset, all.packet.offset);
		}
	} while (end == TRING_OK);
	CHECK_EQ(found.pending_events, all.pending_events);
	CHECK_EQ(found.pending_packets, all.pending_packets);
	CHECK_EQ(found.seen_discarded, all.seen_discarded);
	CHECK_EQ(found.partial, all.partial);
	return found.packets;
}

int main(void)
{
	unsigned int i;

	build();
	CHECK(size > 6 * 1024 * 1024);
	for (i = 0; i < PACKETS; i += 37) {
		/* in a packet, between two, and all that follow */
		compare(bytes, TIME(i) + 3, TIME(i) + 5);
		compare(bytes, TIME(i) - 1, TIME(i + 2));
		CHECK(compare(bytes, TIME(i), TIME(i)) < PACKETS / 2);
	}
	compare(bytes, TIME(PACKETS - 20), UINT64_MAX);
	compare(bytes, 0, TIME(3));
	compare(bytes, UINT64_MAX, UINT64_MAX);

	/* a part of the file is lost */
	memcpy(other, bytes, size);
	memset(other + size / 4, 0, size / 2);
	for (i = 0; i < PACKETS; i += 37)
		CHECK(compare(other, TIME(i), TIME(i) + 5000) < PACKETS / 2);
	/* times that do not rise: both halves are exchanged */
	memcpy(other, bytes + halves, size - halves);
	memcpy(other + size - halves, bytes, halves);
	for (i = 0; i < PACKETS; i += 370)
		compare(other, TIME(i), TIME(i));
	return 0;
}
