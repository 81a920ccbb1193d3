// SPDX-License-Identifier: GPL-2.0
/*
 * The wire format: the pure functions of uapi/tring_format.h, the checks of walk.c,
 * and the golden packet, which the ring must write byte by byte.
 */

#include <linux/random.h>

#include "helpers.h"
#include "ring/internal.h"
#include "tring_golden.h"

/* The golden packet in this machine's byte order. */
#define GOLDEN		(TRING_HOST_BIG_ENDIAN ? tring_golden_be : tring_golden_le)

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
		/* The clock stepped back. */
		KUNIT_EXPECT_FALSE(test, tring_stamp_is_compact(base, base + 1, 27));
		/* The value of last_ts after a discard or a flush. */
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

/* Size of the head for each type of record and each context byte. */
static void head_size_every_form(struct kunit *test)
{
	unsigned int type, context, varies, size, largest = 0;

	for (type = 1; type < TRING_TYPES; type++) {
		bool is_short = type <= 28;

		KUNIT_EXPECT_EQ(test, tring_type_is_short(type), is_short);
		KUNIT_EXPECT_EQ(test, tring_context_offset(type),
				type == 31 ? 4 + 8 + 2 : type == 30 ? 4 + 2 : 4);
		for (varies = 0; varies < 2; varies++) {
			KUNIT_EXPECT_EQ(test, tring_length_size(type, varies),
					is_short ? 2 * varies : 4);
			for (context = 0; context < 256; context++) {
				size = 1 + (context & 2 ? 4 : 0) + (context >= 0xe0 ? 2 : 0);
				KUNIT_EXPECT_EQ(test, tring_context_size(context), size);
				largest = max(largest, size + tring_context_offset(type) +
					      tring_length_size(type, varies));
			}
		}
	}
	KUNIT_EXPECT_FALSE(test, tring_type_is_short(0));
	KUNIT_EXPECT_EQ(test, largest, TRING_RECORD_HEAD_MAX);
}

/* tring_head_store() writes what tring_head_write() does; without a pid, all but that. */
static void check_short_head(struct kunit *test, u64 stamp, unsigned int type, u64 head)
{
	bool varies = head & TRING_HEAD_VARIES;
	u8 data[2 * TRING_RECORD_HEAD_MAX], general[2 * TRING_RECORD_HEAD_MAX];
	unsigned int size = tring_head_size(type, head);
	const u32 pid = 0x12345678;
	void *fields;

	fields = tring_head_store(data, stamp, head, varies, &pid, 0x9abc);
	KUNIT_ASSERT_PTR_EQ(test, fields, (void *)data + size);
	fields = tring_head_write(general, stamp, type, head, pid, 0x9abc);
	KUNIT_ASSERT_PTR_EQ(test, fields, (void *)general + size);
	KUNIT_ASSERT_MEMEQ(test, data, general, size);

	fields = tring_head_store(data, stamp, head, varies, NULL, 0x9abc);
	KUNIT_ASSERT_PTR_EQ(test, fields, (void *)data + size - TRING_PID_SIZE);
	KUNIT_ASSERT_MEMEQ(test, data, general, TRING_WORD_SIZE);
	KUNIT_ASSERT_EQ(test, data[TRING_WORD_SIZE], tring_head_context(head));
	KUNIT_ASSERT_MEMEQ(test, data + TRING_WORD_SIZE + 1,
			   general + TRING_WORD_SIZE + 1 + TRING_PID_SIZE,
			   varies ? TRING_SHORT_LENGTH_SIZE : 0);
}

static void short_heads_of_every_type(struct kunit *test)
{
	static const u64 stamps[] = { 0, 1, COMPACT_MAX, 0x123456789abcdef0, U64_MAX };
	unsigned int i, type, context;
	u64 head;

	for (i = 0; i < ARRAY_SIZE(stamps); i++)
		for (type = 1; type <= TRING_TYPE_SHORT_MAX; type++)
			for (context = 0; context < TRING_CONTEXT_HAS_PID; context++) {
				head = (u64)context << TRING_HEAD_CONTEXT_SHIFT | type;
				check_short_head(test, stamps[i], type, head);
				check_short_head(test, stamps[i], type, head | TRING_HEAD_VARIES);
			}
}

static void check_golden_record(struct kunit *test, const struct walk *walk,
				const struct tring_golden_record *record)
{
	unsigned int byte;

	KUNIT_EXPECT_EQ(test, walk->offset, record->offset);
	KUNIT_EXPECT_EQ(test, walk->type, record->type);
	KUNIT_EXPECT_EQ(test, walk->stamp, record->stamp);
	KUNIT_EXPECT_EQ(test, walk->context, record->context);
	KUNIT_EXPECT_EQ(test, walk->flags, record->flags);
	KUNIT_EXPECT_EQ(test, walk->preempt_count, record->preempt_count);
	KUNIT_EXPECT_EQ(test, (s32)walk->pid, record->pid);
	if (record->discarded) {
		KUNIT_EXPECT_TRUE(test, walk_is_discarded(walk));
		return;
	}
	if (tring_type_is_short(walk->type))
		KUNIT_EXPECT_EQ(test, tring_golden_events[walk->id - 1].id, record->id);
	else
		KUNIT_EXPECT_EQ(test, walk->id, record->id + TRING_LONG_ID_BASE);
	KUNIT_ASSERT_EQ(test, walk->room, record->length);
	for (byte = 0; byte < walk->room; byte++)
		KUNIT_EXPECT_EQ(test, ((u8 *)walk->fields)[byte], byte + TRING_PAYLOAD_HEAD);
}

static void walk_golden_packet(struct kunit *test)
{
	struct walk walk;
	unsigned int i;

	KUNIT_ASSERT_TRUE_MSG(test, walk_packet(&walk, GOLDEN, TRING_GOLDEN_SIZE), "%s at %zu",
			      walk.reason, walk.offset);
	KUNIT_EXPECT_EQ(test, walk.events + walk.discarded, TRING_GOLDEN_RECORDS);
	KUNIT_EXPECT_EQ(test, walk.stamp, TRING_GOLDEN_END);
	walk_begin(&walk, GOLDEN, TRING_GOLDEN_SIZE);
	for (i = 0; i < TRING_GOLDEN_RECORDS; i++) {
		KUNIT_ASSERT_TRUE(test, walk_next(&walk));
		check_golden_record(test, &walk, &tring_golden_records[i]);
	}
	KUNIT_EXPECT_FALSE(test, walk_next(&walk));
	KUNIT_EXPECT_EQ(test, walk.next, TRING_GOLDEN_CONTENT);
}

/**
 * struct fault - damage to the golden packet
 * @reason: what walk_packet() must report
 * @offset: offset of the damage
 * @size: bytes to change, or 0 to change the type in a record's word
 * @value: new value
 */
struct fault {
	const char	*reason;
	unsigned int	offset;
	unsigned int	size;
	u64		value;
};

static void put_fault(u8 *packet, const struct fault *fault)
{
	u64 value64 = fault->value;
	u32 value32 = fault->value;
	u16 value16 = fault->value;

	switch (fault->size) {
	case 0:
		memcpy(&value32, packet + fault->offset, sizeof(value32));
		value32 = tring_header_pack(tring_header_stamp(value32, TRING_HOST_BIG_ENDIAN),
					    fault->value, TRING_HOST_BIG_ENDIAN);
		fallthrough;
	case sizeof(value32):
		memcpy(packet + fault->offset, &value32, sizeof(value32));
		break;
	case sizeof(u8):
		packet[fault->offset] = fault->value;
		break;
	case sizeof(value16):
		memcpy(packet + fault->offset, &value16, sizeof(value16));
		break;
	case sizeof(value64):
		memcpy(packet + fault->offset, &value64, sizeof(value64));
		break;
	}
}

/* One at a time. Offsets are those of the tables in uapi/format.md. */
static const struct fault faults[] = {
	{ "magic", 0, 4, 0xC1FC1FC0 },
	{ "format version", 52, 1, TRING_FORMAT_VERSION - 1 },
	{ "sizes are not in whole bytes", 80, 4, TRING_GOLDEN_CONTENT * 8 + 1 },
	{ "sizes are not in whole bytes", 84, 4, TRING_GOLDEN_SIZE * 8 + 4 },
	{ "content is larger than the packet", 80, 4, TRING_GOLDEN_SIZE * 8 + 8 },
	{ "packet is larger than its room", 84, 4, TRING_GOLDEN_SIZE * 8 + 8 },
	{ "packet is empty", 80, 4, TRING_PACKET_HEADER_SIZE * 8 },
	{ "packet is empty", 80, 4, 0 },
	{ "packet ends before it begins", 64, 8, TRING_GOLDEN_END + 1 },
	{ "timestamp is after the packet's end", 72, 8, TRING_GOLDEN_END - 1 },
	{ "timestamp goes backwards", 180 + 4, 8, 0x1a347775 },
	{ "record without a type", 112, 0, 0 },
	{ "short type that is not in use", 112, 0, TRING_TYPE_SHORT_MAX },
	{ "short type that is not in use", 20 + 2, 1, 0 },
	{ "record passes the end of the content", 112, 0, TRING_TYPE_DISCARDED },
	{ "first record without a pid", 112 + 4, 1, 0x41 },
	{ "full context with flags, or without a pid", 216 + 4, 1, 0xe3 },
	{ "full context with flags, or without a pid", 216 + 4, 1, 0xe0 },
	{ "record has too few fields", 20 + 3, 1, 3 },
	{ "record has too few fields", 129 + 5, 2, 3 },
	{ "record has too few fields", 180 + 19, 4, 3 },
	{ "record has too few fields", 235 + 11, 4, 0 },
	{ "record passes the end of the content", 129 + 5, 2, U16_MAX },
	{ "record passes the end of the content", 235 + 11, 4, 1000 },
	{ "record passes the end of the content", 297 + 9, 4, U32_MAX },
	/* The content ends too early. */
	{ "record's head does not fit", 80, 4, (112 + 3) * 8 },
	{ "record's head does not fit", 80, 4, (459 + 4) * 8 },
	{ "record's head does not fit", 80, 4, (180 + 14) * 8 },
	{ "record's context does not fit", 80, 4, (459 + 8) * 8 },
	{ "record's context does not fit", 80, 4, (216 + 10) * 8 },
	{ "record's length does not fit", 80, 4, (459 + 10) * 8 },
	{ "record's length does not fit", 80, 4, (180 + 22) * 8 },
	{ "record passes the end of the content", 80, 4, (TRING_GOLDEN_CONTENT - 1) * 8 },
	{ "type 0 has a length", 20, 1, 0x80 },
};

static void walk_finds_each_fault(struct kunit *test)
{
	struct walk walk;
	size_t i;
	u8 *copy;

	copy = kunit_kmalloc(test, TRING_GOLDEN_SIZE, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, copy);
	for (i = 0; i < ARRAY_SIZE(faults); i++) {
		memcpy(copy, GOLDEN, TRING_GOLDEN_SIZE);
		put_fault(copy, &faults[i]);
		KUNIT_EXPECT_FALSE_MSG(test, walk_packet(&walk, copy, TRING_GOLDEN_SIZE),
				       "fault %zu", i);
		KUNIT_EXPECT_STREQ_MSG(test, walk.reason, faults[i].reason, "fault %zu", i);
	}
	KUNIT_EXPECT_FALSE(test, walk_packet(&walk, GOLDEN, TRING_PACKET_HEADER_SIZE - 1));
	KUNIT_EXPECT_STREQ(test, walk.reason, "packet header does not fit");
}

/* A walk over damaged bytes ends, with no access out of bounds (KASAN sees one). */
static void walk_random_damage(struct kunit *test)
{
	unsigned int i, hits;
	struct walk walk;
	size_t room;
	u8 *copy;

	for (i = 0; i < 20000; i++) {
		room = get_random_u32_below(TRING_GOLDEN_SIZE) + 1;
		if (i % 2)
			room = TRING_GOLDEN_SIZE;
		copy = kmemdup(GOLDEN, room, GFP_KERNEL);
		KUNIT_ASSERT_NOT_NULL(test, copy);
		for (hits = get_random_u32_below(4); hits; hits--)
			copy[get_random_u32_below(room)] = get_random_u8();
		if (walk_packet(&walk, copy, room))
			KUNIT_EXPECT_GT(test, walk.events + walk.discarded, 0);
		else
			KUNIT_EXPECT_NOT_NULL(test, walk.reason);
		kfree(copy);
	}
}

/* They stay in the buffer until that is destroyed, behind the end of the case. */
static struct tring_key golden_keys[TRING_GOLDEN_EVENTS];

/* Give the golden packet's events their types; the first one has index 0. */
static void add_golden_events(struct ring *ring)
{
	unsigned int i;

	ring_forget_events(ring);
	for (i = 0; i < TRING_GOLDEN_EVENTS; i++)
		tring_buffer_add_event(ring->buffer, &golden_keys[i], tring_golden_events[i].id,
				       tring_golden_events[i].length, true);
}

static u64 golden_key(u16 id)
{
	unsigned int i;

	for (i = 0; i < TRING_GOLDEN_EVENTS; i++)
		if (tring_golden_events[i].id == id)
			return golden_keys[i].head;
	return tring_event_key(id);
}

static void reserve_golden(struct ring *ring, u64 head,
			   const struct tring_golden_record *golden_record,
			   struct tring_record *record)
{
	u32 length = TRING_PAYLOAD_HEAD + golden_record->length;
	u8 *payload;
	u32 i;

	KUNIT_ASSERT_EQ(ring->test, tring_reserve(ring->buffer, head, golden_record->pid, length,
						  record), 0);
	payload = record->payload;
	for (i = TRING_PAYLOAD_HEAD; i < length; i++)
		payload[i] = i;
}

/*
 * Records to be discarded are reserved in their place and discarded at the end, so
 * that they are kept. Meanwhile they do not count as open: the later records would be
 * nested in them, and nested records always carry their pid. The golden packet has
 * negative pids, which no task has; the ring writes them like any other, as long as
 * they are no token of one of these positions.
 */
static void write_golden_records(struct ring *ring)
{
	struct tring_record open[TRING_GOLDEN_RECORDS], record;
	local_t *nesting = &ring->cpu_buffer->nesting;
	unsigned int i, nr_open = 0;

	for (i = 0; i < TRING_GOLDEN_RECORDS; i++) {
		const struct tring_golden_record *golden_record = &tring_golden_records[i];
		u64 head = golden_key(golden_record->id) |
			   tring_context(golden_record->flags, golden_record->preempt_count);

		ring->now = golden_record->stamp;
		if (golden_record->after_discard) {
			reserve_golden(ring, head, golden_record, &record);
			tring_discard(&record);
		}
		if (golden_record->discarded) {
			reserve_golden(ring, head, golden_record, &open[nr_open++]);
			local_dec(nesting);
		} else {
			reserve_golden(ring, head, golden_record, &record);
			tring_commit(&record);
		}
	}
	while (nr_open) {
		local_inc(nesting);
		tring_discard(&open[--nr_open]);
	}
}

/* Set what a ring writes into the headers when it gets its memory. */
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
	unsigned int i, discarded = 0;
	struct tring_record record;
	struct tring_packet packet;

	for (i = 0; i < TRING_GOLDEN_SEQ_NUM; i++) {
		ring_fill(ring, 20, 1);
		ring_drain(ring);
	}
	for (i = 0; i < TRING_GOLDEN_DISCARDED; i++)
		KUNIT_ASSERT_EQ(test, tring_reserve(ring->buffer, ring->varying.head, 1, U32_MAX,
						    &record), -E2BIG);
	for (i = 0; i < TRING_GOLDEN_RECORDS; i++)
		discarded += tring_golden_records[i].discarded;
	add_golden_events(ring);
	name_golden(ring);
	ring->tick = 0;
	write_golden_records(ring);
	ring_flush(ring);

	KUNIT_ASSERT_EQ(test, tring_reader_take(ring->stream, false, &packet), 0);
	KUNIT_EXPECT_EQ(test, packet.size, TRING_GOLDEN_SIZE);
	KUNIT_EXPECT_EQ(test, packet.events, TRING_GOLDEN_RECORDS - discarded);
	KUNIT_EXPECT_MEMEQ(test, packet.data, GOLDEN, TRING_GOLDEN_SIZE);
	tring_reader_put(ring->stream);
	ring_expect_sound(ring);
}

static struct kunit_case format_cases[] = {
	KUNIT_CASE(header_pack_both_byte_orders),
	KUNIT_CASE(stamp_worked_16_bit_table),
	KUNIT_CASE(stamp_is_compact_edges),
	KUNIT_CASE(stamp_rebuild_every_width),
	KUNIT_CASE(head_size_every_form),
	KUNIT_CASE(short_heads_of_every_type),
	KUNIT_CASE(walk_golden_packet),
	KUNIT_CASE(walk_finds_each_fault),
	KUNIT_CASE(walk_random_damage),
	KUNIT_CASE(ring_writes_golden_packet),
	{ }
};

static struct kunit_suite format_suite = {
	.name = "tring_format",
	.test_cases = format_cases,
};

kunit_test_suite(format_suite);
