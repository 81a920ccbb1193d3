// SPDX-License-Identifier: GPL-2.0
/*
 * The wire format: the pure functions of uapi/tring_format.h, the checker of
 * ring_check.c, and the golden packet, which the ring must write byte by byte.
 */

#include <linux/random.h>

#include "helpers.h"
#include "ring_check.h"
#include "ring_internal.h"
#include "tring_golden.h"

#define COMPACT_MAX	((1ull << TRING_STAMP_BITS) - 1)

static const u8 *const golden = TRING_HOST_BIG_ENDIAN ? tring_golden_be : tring_golden_le;

static void header_pack_both_byte_orders(struct kunit *test)
{
	static const u64 stamps[] = { 0, 1, 0x5678, COMPACT_MAX - 1, COMPACT_MAX,
				      COMPACT_MAX + 1, 0x12345678, U32_MAX, U64_MAX };
	unsigned int i, type, big;
	u32 word;

	for (big = 0; big < 2; big++)
		for (type = 0; type <= TRING_TYPE_MASK; type++)
			for (i = 0; i < ARRAY_SIZE(stamps); i++) {
				word = tring_header_pack(stamps[i], type, big);
				KUNIT_EXPECT_EQ(test, tring_header_type(word, big), type);
				KUNIT_EXPECT_EQ(test, tring_header_stamp(word, big),
						stamps[i] & COMPACT_MAX);
			}
	KUNIT_EXPECT_EQ(test, tring_header_pack(0x12345678, 4, false), 0x468acf04);
	KUNIT_EXPECT_EQ(test, tring_header_pack(0x12345678, 4, true), 0x22345678);
}

/* The table in the format's document, with 16 bits in place of 27. */
static void stamp_worked_16_bit_table(struct kunit *test)
{
	static const struct {
		u64 stamp;
		bool compact;
		u16 low;
	} table[] = {
		{ 0x12345678, true, 0x5678 },
		{ 0x12347777, true, 0x7777 },
		{ 0x12350000, true, 0x0000 },
		{ 0x12370000, false, 0x0000 },
	};
	u64 clock = 0x12345678;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		KUNIT_EXPECT_EQ(test, tring_stamp_is_compact(table[i].stamp, clock, 16),
				table[i].compact);
		KUNIT_EXPECT_EQ(test, table[i].stamp & tring_stamp_mask(16), table[i].low);
		if (table[i].compact)
			KUNIT_EXPECT_EQ(test,
					tring_stamp_rebuild(clock, table[i].low, 16),
					table[i].stamp);
		else
			KUNIT_EXPECT_NE(test,
					tring_stamp_rebuild(clock, table[i].low, 16),
					table[i].stamp);
		clock = table[i].stamp;
	}
}

static void stamp_is_compact_edges(struct kunit *test)
{
	static const u64 bases[] = { 0, 1, COMPACT_MAX, COMPACT_MAX + 1, 0x12345678,
				     U32_MAX, 1ull << 62 };
	unsigned int i;
	u64 base;

	for (i = 0; i < ARRAY_SIZE(bases); i++) {
		base = bases[i];
		KUNIT_EXPECT_TRUE(test, tring_stamp_is_compact(base, base, 27));
		KUNIT_EXPECT_TRUE(test, tring_stamp_is_compact(base + 1, base, 27));
		KUNIT_EXPECT_TRUE(test, tring_stamp_is_compact(base + COMPACT_MAX, base, 27));
		KUNIT_EXPECT_FALSE(test, tring_stamp_is_compact(base + COMPACT_MAX + 1,
								base, 27));
		/* A clock that went backwards. */
		KUNIT_EXPECT_FALSE(test, tring_stamp_is_compact(base, base + 1, 27));
		/* And what discards and flushes leave behind. */
		KUNIT_EXPECT_FALSE(test, tring_stamp_is_compact(base,
								base | TRING_STAMP_UNKNOWN,
								27));
	}
}

static void stamp_rebuild_every_width(struct kunit *test)
{
	unsigned int bits, i;
	u64 base, stamp, mask;

	for (bits = 1; bits < 64; bits++) {
		mask = tring_stamp_mask(bits);
		for (i = 0; i < 200; i++) {
			base = get_random_u64() >> (i % 40);
			stamp = base + (i % 4 ? get_random_u64() & mask : mask);
			KUNIT_ASSERT_TRUE(test, tring_stamp_is_compact(stamp, base, bits));
			KUNIT_ASSERT_EQ(test, tring_stamp_rebuild(base, stamp, bits), stamp);
			KUNIT_ASSERT_FALSE(test, tring_stamp_is_compact(base + mask + 1,
									base, bits));
		}
	}
}

static void header_size_every_form(struct kunit *test)
{
	u32 length;

	for (length = TRING_PAYLOAD_MIN; length < 1000; length++) {
		bool words = length <= 112;

		KUNIT_EXPECT_EQ(test, tring_header_size(length, true), words ? 4 : 8);
		KUNIT_EXPECT_EQ(test, tring_header_size(length, false), 16);
		KUNIT_EXPECT_EQ(test, tring_header_type_for(length, true),
				words ? DIV_ROUND_UP(length, 4) : 0);
		KUNIT_EXPECT_EQ(test, tring_header_type_for(length, false), 31);
	}
}

static void record_align_rounds_up_to_four(struct kunit *test)
{
	u64 offset;

	for (offset = 0; offset < 64; offset++)
		KUNIT_EXPECT_EQ(test, tring_record_align(offset), (offset + 3) / 4 * 4);
	KUNIT_EXPECT_EQ(test, tring_record_align((1ull << 40) + 1), (1ull << 40) + 4);
}

static void check_packet_golden(struct kunit *test)
{
	const struct tring_golden_record *record;
	struct tring_check check;
	struct walk walk;
	unsigned int i;

	KUNIT_ASSERT_TRUE_MSG(test, tring_check_packet(golden, TRING_GOLDEN_SIZE, &check),
			      "%s at %zu", check.reason, check.offset);
	KUNIT_EXPECT_EQ(test, check.events + check.discarded, TRING_GOLDEN_RECORDS);
	walk_begin(&walk, golden);
	for (i = 0; i < TRING_GOLDEN_RECORDS; i++) {
		record = &tring_golden_records[i];
		KUNIT_ASSERT_TRUE(test, walk_next(&walk));
		KUNIT_EXPECT_EQ(test, walk.offset, record->offset);
		KUNIT_EXPECT_EQ(test, walk.type, record->type_len);
		KUNIT_EXPECT_EQ(test, walk.stamp, record->stamp);
		KUNIT_EXPECT_EQ(test, walk.id, record->id);
		KUNIT_EXPECT_EQ(test, ((u8 *)walk.payload)[2], record->flags);
		KUNIT_EXPECT_EQ(test, ((u8 *)walk.payload)[3], record->preempt_count);
		KUNIT_EXPECT_EQ(test, *(s32 *)(walk.payload + 4), record->pid);
	}
	KUNIT_EXPECT_FALSE(test, walk_next(&walk));
}

/* One fault at a time, put into the golden packet. */
static void check_packet_finds_each_fault(struct kunit *test)
{
	static const struct {
		const char *reason;
		unsigned int offset;
		unsigned int size;
		u64 value;
	} faults[] = {
		{ "magic", 0, 4, 0xC1FC1FC0 },
		{ "sizes are not in whole bytes", 40, 4, TRING_GOLDEN_CONTENT * 8 + 1 },
		{ "sizes are not in whole bytes", 44, 4, TRING_GOLDEN_SIZE * 8 + 4 },
		{ "content is larger than the packet", 40, 4, TRING_GOLDEN_SIZE * 8 + 8 },
		{ "packet is larger than its room", 44, 4, TRING_GOLDEN_SIZE * 8 + 8 },
		{ "packet is empty", 40, 4, TRING_PACKET_HEADER_SIZE * 8 },
		{ "packet is empty", 40, 4, 0 },
		{ "packet ends before it begins", 24, 8, TRING_GOLDEN_END + 1 },
		{ "timestamp is after the packet's end", 32, 8, TRING_GOLDEN_END - 1 },
		{ "record passes the end of the content", 40, 4, 84 * 8 - 32 },
		{ "record header does not fit", 40, 4, (484 + 3) * 8 },
		{ "record header does not fit", 40, 4, (252 + 15) * 8 },
		{ "reserved record type", 64, 4, 29 },
		{ "reserved record type", 64, 4, 30 },
		{ "payload is too short", 64, 4, 2 },
		{ "payload is too short", 88, 4, 11 },
		{ "record passes the end of the content", 88, 4, U32_MAX },
		{ "record passes the end of the content", 256, 4, 1000 },
		{ "timestamp goes backwards", 260, 8, 0x1a347775 },
		{ "discarded record skips past its end", 288 + 8, 4, 1 },
		{ "discarded record skips past its end", 316 + 8, 4, U32_MAX },
	};
	struct tring_check check;
	unsigned int i;
	u32 word;
	u8 *copy;

	copy = kunit_kmalloc(test, TRING_GOLDEN_SIZE + 8, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, copy);
	for (i = 0; i < ARRAY_SIZE(faults); i++) {
		memcpy(copy, golden, TRING_GOLDEN_SIZE);
		word = faults[i].value;
		if (faults[i].offset == 64)
			word = tring_header_pack(TRING_GOLDEN_BEGIN, faults[i].value,
						 TRING_HOST_BIG_ENDIAN);
		if (faults[i].size == sizeof(word))
			memcpy(copy + faults[i].offset, &word, sizeof(word));
		else
			memcpy(copy + faults[i].offset, &faults[i].value, sizeof(u64));
		KUNIT_EXPECT_FALSE_MSG(test,
				       tring_check_packet(copy, TRING_GOLDEN_SIZE, &check),
				       "fault %u", i);
		KUNIT_EXPECT_STREQ_MSG(test, check.reason, faults[i].reason, "fault %u", i);
	}
	KUNIT_EXPECT_FALSE(test, tring_check_packet(golden, TRING_PACKET_HEADER_SIZE - 1,
						    &check));
	KUNIT_EXPECT_STREQ(test, check.reason, "packet header does not fit");
}

/* Whatever the bytes are: an answer, no access out of bounds (KASAN), an end. */
static void check_packet_random_damage(struct kunit *test)
{
	struct tring_check check;
	unsigned int i, hits;
	size_t room;
	u8 *copy;

	for (i = 0; i < 20000; i++) {
		room = get_random_u32_below(TRING_GOLDEN_SIZE) + 1;
		if (i % 2)
			room = TRING_GOLDEN_SIZE;
		copy = kmemdup(golden, room, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, copy);
		for (hits = get_random_u32_below(4); hits; hits--)
			copy[get_random_u32_below(room)] = get_random_u8();
		if (tring_check_packet(copy, room, &check))
			KUNIT_EXPECT_NULL(test, check.reason);
		else
			KUNIT_EXPECT_NOT_NULL(test, check.reason);
		kfree(copy);
	}
}

static void reserve_golden(struct ring *ring, unsigned int which,
			   struct tring_record *record)
{
	const struct tring_golden_record *golden_record = &tring_golden_records[which];
	u8 *payload;
	u32 i;

	ring->now = golden_record->stamp;
	KUNIT_ASSERT_EQ(ring->test, tring_reserve(ring->buffer, golden_record->id ?: 340,
						  golden_record->length, record), 0);
	payload = record->payload;
	payload[2] = golden_record->flags;
	payload[3] = golden_record->preempt_count;
	memcpy(payload + 4, &golden_record->pid, sizeof(golden_record->pid));
	for (i = TRING_GOLDEN_FILL_OFFSET; i < golden_record->length; i++)
		payload[i] = i;
}

static void write_golden(struct ring *ring, unsigned int which)
{
	struct tring_record record;

	reserve_golden(ring, which, &record);
	tring_commit(&record);
}

/* Taken back at once, so that all it leaves is a bound without a record. */
static void discard_last(struct ring *ring)
{
	struct tring_record record;

	KUNIT_ASSERT_EQ(ring->test, tring_reserve(ring->buffer, 340, 12, &record), 0);
	tring_discard(&record);
}

/*
 * The two discarded records of the golden packet stay because others lie behind
 * them, and are discarded last, because the record after that takes a full
 * timestamp.
 */
static void write_golden_records(struct ring *ring)
{
	struct tring_record outer, inner;
	unsigned int which;

	for (which = 0; which < 5; which++)
		write_golden(ring, which);
	reserve_golden(ring, 5, &outer);
	discard_last(ring);
	reserve_golden(ring, 6, &inner);
	discard_last(ring);
	for (which = 7; which < TRING_GOLDEN_RECORDS; which++)
		write_golden(ring, which);
	tring_discard(&inner);
	tring_discard(&outer);
}

/* A ring has its name and number from when it got its memory; this is later. */
static void name_golden(struct ring *ring)
{
	struct tring_memory *memory = ring->cpu_buffer->memory;
	struct tring_packet_header *header;
	unsigned long i, byte;

	for (i = 0; i <= memory->nr_subbufs; i++) {
		header = memory->subbufs[i].data;
		for (byte = 0; byte < TRING_UUID_SIZE; byte++)
			header->uuid[byte] = byte;
		header->cpu_id = TRING_GOLDEN_CPU;
	}
}

static void ring_writes_golden_packet(struct kunit *test)
{
	struct ring *ring = ring_create(test, 2);
	struct tring_record record;
	struct tring_packet packet;
	unsigned int i;

	for (i = 0; i < TRING_GOLDEN_SEQ_NUM; i++) {
		ring_fill(ring, 20, 1);
		ring_drain(ring);
	}
	for (i = 0; i < TRING_GOLDEN_DISCARDED; i++)
		KUNIT_ASSERT_EQ(test, tring_reserve(ring->buffer, 1, U32_MAX, &record), -E2BIG);
	name_golden(ring);
	ring->tick = 0;
	write_golden_records(ring);
	ring_flush(ring);

	KUNIT_ASSERT_EQ(test, tring_reader_take(ring->stream, false, &packet), 0);
	KUNIT_EXPECT_EQ(test, packet.size, TRING_GOLDEN_SIZE);
	KUNIT_EXPECT_EQ(test, packet.events, TRING_GOLDEN_RECORDS - 2);
	KUNIT_EXPECT_MEMEQ(test, packet.data, golden, TRING_GOLDEN_SIZE);
	tring_reader_put(ring->stream);
	ring_expect_sound(ring);
}

static struct kunit_case format_cases[] = {
	KUNIT_CASE(header_pack_both_byte_orders),
	KUNIT_CASE(stamp_worked_16_bit_table),
	KUNIT_CASE(stamp_is_compact_edges),
	KUNIT_CASE(stamp_rebuild_every_width),
	KUNIT_CASE(header_size_every_form),
	KUNIT_CASE(record_align_rounds_up_to_four),
	KUNIT_CASE(check_packet_golden),
	KUNIT_CASE(check_packet_finds_each_fault),
	KUNIT_CASE(check_packet_random_damage),
	KUNIT_CASE(ring_writes_golden_packet),
	{ }
};

static struct kunit_suite format_suite = {
	.name = "tring_format",
	.test_cases = format_cases,
};

kunit_test_suite(format_suite);
