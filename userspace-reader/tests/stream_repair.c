// SPDX-License-Identifier: GPL-2.0
/* Description: behind each kind of damage a stream goes on, without wrong records. */
#include "helpers.h"

#define EVENTS		20
#define PACKETS		3

static struct builder builder;
static struct tring_stream stream;
static struct findings findings;
static size_t starts[PACKETS];
static bool order;

static void build(void)
{
	unsigned int i;

	build_init(&builder, order, 1);
	for (i = 0; i < PACKETS; i++) {
		starts[i] = builder.size;
		build_packet(&builder, 1000000 * (i + 1), EVENTS);
	}
}

static size_t size_of(unsigned int event)
{
	return build_offset(event + 1) - build_offset(event);
}

/* Bytes of the second packet, which is the one that is damaged. */
static uint8_t *second(size_t offset)
{
	return builder.bytes + starts[1] + offset;
}

/* Checks that the events of the second packet from @from up to @to are missing, and no other. */
static void check(unsigned int from, unsigned int to, enum tring_reason reason,
		  uint64_t offset, uint64_t skipped)
{
	bool lost = to - from == EVENTS && skipped > builder.size / PACKETS - 8;
	struct tring_record record;
	unsigned int i = 0, packet;

	stream_with_findings(&stream, &findings, builder.bytes, builder.size);
	for (packet = 0; packet < PACKETS; packet++) {
		for (i = 0; i < EVENTS; i++) {
			if (packet == 1 && i >= from && i < to)
				continue;
			CHECK_EQ(tring_stream_next(&stream, &record), TRING_OK);
			CHECK_EQ(stream.packet.offset, starts[packet]);
			CHECK_EQ(record.offset, build_offset(i));
			CHECK_EQ(record.stamp, 1000000 * (packet + 1) + i);
			CHECK_EQ(record.id, 342);
			CHECK_EQ(record.length, 16);
			CHECK_EQ(stream.lost_packets, lost && packet == 2 && i == 0);
			CHECK_EQ(stream.lost_events, 0);
		}
	}
	CHECK_EQ(tring_stream_next(&stream, &record), TRING_END);
	CHECK_EQ(findings.count, 1);
	CHECK_EQ(findings.reason[0], reason);
	CHECK_EQ(findings.offset[0], starts[1] + offset);
	CHECK_EQ(findings.skipped[0], skipped);
}

/* Checks that the second packet as a whole counts as lost. */
static void check_lost(enum tring_reason reason)
{
	check(0, EVENTS, reason, 0, starts[2] - starts[1]);
}

static void check_records(void)
{
	unsigned int i;

	for (i = 0; i < EVENTS - 1; i++) {
		build();
		put_u32(second(build_offset(i)), 0, order);
		check(i, i + 1, TRING_RECORD_TYPE_UNUSED, build_offset(i), size_of(i));
	}
	/* several records */
	build();
	memset(second(build_offset(3)), 0, build_offset(7) - build_offset(3));
	check(3, 7, TRING_RECORD_TYPE_UNUSED, build_offset(3), build_offset(7) - build_offset(3));
	/* nothing is left to go on with */
	build();
	put_u32(second(build_offset(EVENTS - 1)), 0, order);
	check(EVENTS - 1, EVENTS, TRING_RECORD_TYPE_UNUSED, build_offset(EVENTS - 1),
	      size_of(EVENTS - 1));
}

static void check_times(void)
{
	/* a time of its own that is too late: the record is left out */
	build();
	put_u32(second(build_offset(4)), tring_header_pack(2100000, 3, order), order);
	check(4, 5, TRING_RECORD_STAMP_LATE, build_offset(4), size_of(4));
	/* timestamp_end */
	build();
	put_u64(second(HEADER_AT(timestamp_end)), 2000007, order);
	check(0, 0, TRING_RECORD_STAMP_LATE, build_offset(8), 0);
	/* timestamp_begin */
	build();
	put_u64(second(HEADER_AT(timestamp_begin)), 2000003, order);
	check(0, 0, TRING_STREAM_FIRST_TIME, 0, 0);
}

/* Both times of the first packet are another packet's: its records contradict the first one. */
static void check_first_times(void)
{
	struct tring_record record;
	unsigned int i;

	build();
	put_u64(builder.bytes + HEADER_AT(timestamp_begin), 0x2000000123, order);
	put_u64(builder.bytes + HEADER_AT(timestamp_end), 0x2000004567, order);
	stream_with_findings(&stream, &findings, builder.bytes, builder.size);
	for (i = 0; i < EVENTS; i++) {
		CHECK_EQ(tring_stream_next(&stream, &record), TRING_OK);
		CHECK_EQ(record.stamp & tring_stamp_mask(TRING_STAMP_BITS), 1000000 + i);
	}
	CHECK_EQ(findings.count, 2);
	CHECK_EQ(findings.reason[0], TRING_STREAM_FIRST_TIME);
	CHECK_EQ(findings.offset[0], 0);
	CHECK_EQ(findings.reason[1], TRING_RECORD_STAMP_UNSURE);
	CHECK_EQ(findings.offset[1], build_offset(0));
	/* a wrong first record moves no other */
	build();
	put_u32(builder.bytes + build_offset(0), tring_header_pack(1000004, 3, order), order);
	stream_with_findings(&stream, &findings, builder.bytes, builder.size);
	for (i = 0; tring_stream_next(&stream, &record) == TRING_OK; i++)
		CHECK(i == 0 || record.stamp == 1000000 * (i / EVENTS + 1) + i % EVENTS);
	CHECK_EQ(i, PACKETS * EVENTS);
	CHECK_EQ(findings.reason[0], TRING_STREAM_FIRST_TIME);
}

static void check_headers(void)
{
	build();
	second(0)[0] ^= 0x10;
	check_lost(TRING_PACKET_NO_MAGIC);
	build();
	second(0)[HEADER_AT(version)] ^= 1;
	check_lost(TRING_PACKET_VERSION);
	build();
	memset(second(0), 0xff, TRING_PACKET_HEADER_SIZE);
	check_lost(TRING_PACKET_NO_MAGIC);
	build();
	second(0)[HEADER_AT(uuid)] ^= 1;
	check_lost(TRING_STREAM_UUID);
	build();
	put_u64(second(HEADER_AT(cpu_id)), 9, order);
	check_lost(TRING_STREAM_CPU);
	build();
	put_u32(second(HEADER_AT(content_size)), 0, order);
	check_lost(TRING_PACKET_UNFINISHED);
	build();
	put_u32(second(HEADER_AT(packet_size)), 8, order);
	check_lost(TRING_PACKET_SIZE_SHORT);
	build();
	put_u64(second(HEADER_AT(packet_seq_num)), 0x4001, order);
	check(0, 0, TRING_STREAM_SEQUENCE, 0, 0);
	build();
	put_u64(second(HEADER_AT(events_discarded)), 0x10000, order);
	check(0, 0, TRING_STREAM_DISCARDED, 0, 0);
	/* lengths of a type: no record can be read */
	build();
	second(HEADER_AT(lengths))[3] = 0;
	check(0, EVENTS, TRING_RECORD_TYPE_UNUSED, build_offset(0),
	      build_offset(EVENTS) - build_offset(0));
	/* the content ends in a record, and between two */
	build();
	put_u32(second(HEADER_AT(content_size)), 8 * (build_offset(9) - 2), order);
	check(8, EVENTS, TRING_RECORD_FIELDS_TORN, build_offset(8), size_of(8) - 2);
	build();
	put_u32(second(HEADER_AT(content_size)), 8 * build_offset(9), order);
	check(9, EVENTS, TRING_PACKET_CONTENT_EARLY, build_offset(9),
	      starts[2] - starts[1] - build_offset(9));
}

/* A wrong length hides records, which are inside of the one that was read. */
static void check_inside(void)
{
	struct tring_record record;
	unsigned int i, count = 0;
	size_t long_one, at[EVENTS];

	build_init(&builder, order, 1);
	build_begin(&builder, 1000);
	for (i = 0; i < EVENTS; i++) {
		at[i] = builder.end;
		build_record(&builder, 1000 + i, 5, 7, 20);
	}
	build_end(&builder);
	long_one = at[6] + TRING_WORD_SIZE + 1;
	put_u16(builder.bytes + long_one, 12 + 32, order);
	stream_with_findings(&stream, &findings, builder.bytes, builder.size);
	while (tring_stream_next(&stream, &record) == TRING_OK)
		CHECK_EQ(record.offset, at[count++]);
	CHECK_EQ(count, EVENTS);
	CHECK_EQ(findings.count, 1);
	CHECK_EQ(findings.skipped[0], 0);
}

/* A pid is not known behind damage until a record has one. */
static void check_pid(void)
{
	struct tring_record record;
	unsigned int i;

	build_init(&builder, order, 1);
	build_begin(&builder, 1000);
	for (i = 0; i < EVENTS; i++) {
		if (i == 5)
			starts[0] = builder.end;
		build_record(&builder, 1000 + i, 342, i < 10 ? 7 : 8, 16);
	}
	build_end(&builder);
	put_u32(builder.bytes + starts[0], 0, order);
	stream_with_findings(&stream, &findings, builder.bytes, builder.size);
	for (i = 0; i < EVENTS; i++) {
		if (i == 5)
			continue;
		CHECK_EQ(tring_stream_next(&stream, &record), TRING_OK);
		CHECK_EQ(record.stamp, 1000 + i);
		CHECK_EQ(record.pid, i < 5 ? 7 : i < 10 ? -1 : 8);
	}
	CHECK_EQ(findings.count, 1);
}

/* The golden packet, each byte of which is damaged: no event that it does not have. */
static void check_golden(void)
{
	uint8_t bytes[TRING_GOLDEN_SIZE];
	bool starts_here[TRING_GOLDEN_SIZE] = { false };
	struct tring_record record;
	size_t i, wrong = 0, all = 0, read = 0;

	stream_with_findings(&stream, &findings, golden(order), TRING_GOLDEN_SIZE);
	while (tring_stream_next(&stream, &record) == TRING_OK) {
		starts_here[record.offset] = true;
		all++;
	}
	for (i = 0; i < TRING_GOLDEN_SIZE; i++) {
		memcpy(bytes, golden(order), sizeof(bytes));
		bytes[i] ^= 0xff;
		stream_with_findings(&stream, &findings, bytes, sizeof(bytes));
		while (tring_stream_next(&stream, &record) == TRING_OK) {
			wrong += !starts_here[record.offset];
			read++;
		}
	}
	CHECK(read > all * TRING_GOLDEN_SIZE * 7 / 10);
	/* its fields look like records, and it has few */
	CHECK(wrong * 500 <= read);
}

int main(void)
{
	int pass;

	for (pass = 0; pass < 2; pass++) {
		order = pass;
		check_records();
		check_times();
		check_first_times();
		check_headers();
		check_inside();
		check_pid();
		check_golden();
	}
	return 0;
}
