// SPDX-License-Identifier: GPL-2.0
/* Description: a packet that does not belong to its stream is reported, and skipped or kept. */
#include "helpers.h"

static struct builder builder;
static struct tring_stream stream;
static struct findings findings;

/* Builds three packets of two events and changes one place of the second. */
static void check(bool order, size_t offset, unsigned int size, uint64_t value,
		  enum tring_reason wanted, unsigned int events)
{
	uint8_t *second;

	build_init(&builder, order, 1);
	builder.discarded = 10;
	build_packet(&builder, 1000, 2);
	second = builder.bytes + builder.size;
	build_packet(&builder, 2000, 2);
	build_packet(&builder, 3000, 2);
	if (size == 4)
		put_u32(second + offset, value, order);
	else if (size == 8)
		put_u64(second + offset, value, order);
	CHECK_EQ(count_records(&stream, &findings, builder.bytes, builder.size), events);
	CHECK_EQ(stream.errors, wanted != TRING_OK);
	CHECK_EQ(findings.count, wanted != TRING_OK);
	if (wanted != TRING_OK) {
		CHECK_EQ(findings.reason[0], wanted);
		CHECK_EQ(findings.offset[0], second - builder.bytes);
	}
}

static void check_byte_order(bool order)
{
	static struct builder other;

	build_init(&builder, order, 1);
	build_packet(&builder, 1000, 2);
	build_init(&other, !order, 1);
	other.seq = 1;
	build_packet(&other, 2000, 2);
	memcpy(builder.bytes + builder.size, other.bytes, other.size);
	CHECK_EQ(count_records(&stream, &findings, builder.bytes, builder.size + other.size), 2);
	CHECK_EQ(findings.count, 1);
	CHECK_EQ(findings.reason[0], TRING_STREAM_BYTE_ORDER);
	CHECK_EQ(findings.skipped[0], other.size);
}

static void check_known_uuid(void)
{
	static const uint8_t uuid[TRING_UUID_SIZE] = { 1 };
	struct tring_record record;

	stream_with_findings(&stream, &findings, golden(false),
			     TRING_GOLDEN_SIZE);
	tring_stream_know_uuid(&stream, uuid);
	CHECK_EQ(tring_stream_next(&stream, &record), TRING_END);
	CHECK_EQ(findings.reason[0], TRING_STREAM_UUID);
	CHECK_EQ(findings.skipped[0], TRING_GOLDEN_SIZE);
}

/* A file of another trace is one fault, however many packets it has. */
static void check_known_cpu(void)
{
	struct tring_record record;
	unsigned int i;

	build_init(&builder, false, 1);
	for (i = 0; i < 5; i++)
		build_packet(&builder, 1000 * (i + 1), 2);
	stream_with_findings(&stream, &findings, builder.bytes, builder.size);
	tring_stream_know_cpu(&stream, 2);
	CHECK_EQ(tring_stream_next(&stream, &record), TRING_END);
	CHECK_EQ(findings.count, 1);
	CHECK_EQ(findings.reason[0], TRING_STREAM_CPU);
	CHECK_EQ(findings.skipped[0], builder.size);
}

int main(void)
{
	int order;

	for (order = 0; order < 2; order++) {
		check(order, 0, 0, 0, TRING_OK, 6);
		check(order, 4, 4, 7, TRING_STREAM_UUID, 4);
		check(order, HEADER_AT(cpu_id), 8, 7, TRING_STREAM_CPU, 4);
		check(order, HEADER_AT(packet_seq_num), 8, 0, TRING_STREAM_SEQUENCE, 6);
		check_byte_order(order);
	}
	check_known_uuid();
	check_known_cpu();
	return 0;
}
