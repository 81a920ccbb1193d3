// SPDX-License-Identifier: GPL-2.0
/*
 * One writer without nesting: lengths, forms, timestamps and the ends of
 * sub-buffers.
 */

#include "helpers.h"
#include "write.h"

#define LONGEST		RING_LONGEST_IN(PAGE_SIZE)

static void reserve_first_record_is_compact(struct kunit *test)
{
	struct ring *ring = ring_create(test, 2);
	const struct tring_packet_header *header;
	struct tring_packet packet;
	struct walk walk;

	/* The slow path reads the clock a second time. */
	ring->tick = 0;
	ring->now = 0x123456789abcull;
	ring_fill(ring, 16, 1);
	ring_hold(ring, &packet, &walk);
	header = packet.data;
	KUNIT_EXPECT_EQ(test, header->timestamp_begin, 0x123456789abcull);
	/* Header, word, context byte, pid, and the payload without its first 8 bytes. */
	KUNIT_EXPECT_EQ(test, header->content_size, (112 + 4 + 1 + 4 + 16 - 8) * 8);
	KUNIT_EXPECT_EQ(test, header->packet_seq_num, 0);
	KUNIT_ASSERT_TRUE(test, walk_next(&walk));
	KUNIT_EXPECT_EQ(test, walk.type, tring_head_type(ring_key(ring, 16)));
	KUNIT_EXPECT_EQ(test, walk.stamp, 0x123456789abcull);
	ring->tick = 1;
	ring_finish(ring);
	ring_expect_sound(ring);
}

/* The type and the rebuilt timestamp at the limits of tring_stamp_is_compact(). */
static void reserve_compact_timestamp_edges(struct kunit *test)
{
	static const struct {
		s64 step;
		bool extended;
		u64 counted;
	} steps[] = {
		{ 0, false, 0 },
		{ 0, false, 0 },
		{ 1, false, 1 },
		{ COMPACT_MAX - 1, false, COMPACT_MAX - 1 },
		{ COMPACT_MAX, false, COMPACT_MAX },
		{ COMPACT_MAX + 1, true, COMPACT_MAX + 1 },
		{ COMPACT_MAX + 2, true, COMPACT_MAX + 2 },
		{ 0, false, 0 },
		/* Clamped to the timestamp before it, so compact. */
		{ -1, false, 0 },
		{ -1000000, false, 0 },
		{ 1ll << 40, true, 1ll << 40 },
	};
	struct ring *ring = ring_create(test, 2);
	u64 stamp = 0x7ffffff0;
	struct tring_packet packet;
	struct walk walk;
	unsigned int i;

	ring->tick = 0;
	ring->unsteady = true;
	ring->now = stamp;
	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		ring->now = stamp + steps[i].step;
		ring_fill(ring, 20, 1);
		stamp += steps[i].counted;
	}
	ring_hold(ring, &packet, &walk);
	stamp = 0x7ffffff0;
	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		stamp += steps[i].counted;
		KUNIT_ASSERT_TRUE(test, walk_next(&walk));
		KUNIT_EXPECT_EQ_MSG(test, walk.type == TRING_TYPE_EXTENDED, steps[i].extended,
				    "step %u", i);
		KUNIT_EXPECT_EQ_MSG(test, walk.stamp, stamp, "step %u", i);
	}
	ring_finish(ring);
	ring_expect_sound(ring);
}

/* Every length up to 400 and some longer ones, with compact and full timestamps. */
static void reserve_every_length_both_stamps(struct kunit *test)
{
	struct ring *ring = ring_create(test, 4);
	u32 length;

	for (length = RING_EVENT_MIN; length <= LONGEST; length += length < 400 ? 1 : 97) {
		ring->in_long_form = length % 5 == 0;
		ring_fill(ring, length, 2);
		ring->now += COMPACT_MAX + 1;
		ring_fill(ring, length, 2);
		ring_drain(ring);
	}
	KUNIT_EXPECT_GT(test, ring->packets, 300);
	ring_finish(ring);
	ring_expect_sound(ring);
}

/* Short payloads of fixed, varying and long records, with and without a pid. */
static void reserve_short_payload_is_padded(struct kunit *test)
{
	struct ring *ring = ring_create(test, 2);
	const u64 keys[] = { ring_key(ring, TRING_PAYLOAD_MIN), ring->varying.head,
			     tring_event_key(RING_LONG_ID) };
	static const u8 zeros[TRING_FIELDS_MIN];
	struct tring_record record;
	struct tring_packet packet;
	struct walk walk;
	unsigned int i;
	u32 length;

	/* Fill the memory with bytes that the padding must overwrite. */
	for (i = 0; i < 3; i++) {
		ring_fill(ring, 1000, 1);
		ring_drain(ring);
	}
	for (i = 0; i < ARRAY_SIZE(keys); i++)
		for (length = 0; length < TRING_PAYLOAD_MIN; length++) {
			KUNIT_ASSERT_EQ(test, tring_reserve(ring->buffer, keys[i], length / 3,
							    length, &record), 0);
			tring_commit(&record);
		}
	ring_hold(ring, &packet, &walk);
	for (i = 0; i < ARRAY_SIZE(keys); i++)
		for (length = 0; length < TRING_PAYLOAD_MIN; length++) {
			KUNIT_ASSERT_TRUE(test, walk_next(&walk));
			KUNIT_EXPECT_EQ(test, walk.type,
					tring_head_type(keys[i]) ?: TRING_TYPE_LONG);
			KUNIT_EXPECT_EQ(test, walk.pid, length / 3);
			KUNIT_EXPECT_EQ(test, walk.room, TRING_FIELDS_MIN);
			KUNIT_EXPECT_MEMEQ(test, walk.fields, zeros, TRING_FIELDS_MIN);
		}
	KUNIT_EXPECT_EQ(test, packet.events, ARRAY_SIZE(keys) * TRING_PAYLOAD_MIN);
	tring_reader_put(ring->stream);
	ring_expect_sound(ring);
}

/* Forms of records, from the shortest head to the longest. */
enum form {
	FORM_FIXED,
	FORM_VARYING,
	FORM_OTHER_PID,
	FORM_FULL,
	FORM_LONG,
	FORM_EXTENDED,
	FORM_DISCARDED,		/* kept, with a record behind it */
	FORMS
};

static void write_form(struct ring *ring, enum form form)
{
	struct event event;

	switch (form) {
	case FORM_OTHER_PID:
		ring->pid++;
		fallthrough;
	case FORM_FIXED:
		ring_fill(ring, RING_EVENT_MIN, 1);
		break;
	case FORM_VARYING:
		ring_fill(ring, RING_EVENT_MIN + 1, 1);
		break;
	case FORM_FULL:
		ring->fixed_context = true;
		ring->flags = 0x40;
		ring_fill(ring, RING_EVENT_MIN, 1);
		ring->fixed_context = false;
		break;
	case FORM_EXTENDED:
		ring->now += COMPACT_MAX + 1;
		fallthrough;
	case FORM_LONG:
		ring->in_long_form = true;
		ring_fill(ring, RING_EVENT_MIN, 1);
		ring->in_long_form = false;
		break;
	case FORM_DISCARDED:
		KUNIT_ASSERT_EQ(ring->test, ring_reserve(ring, RING_EVENT_MIN, &event), 0);
		ring_fill(ring, RING_EVENT_MIN, 1);
		ring_discard(ring, &event);
		break;
	case FORMS:
		break;
	}
}

/* Records are not aligned: write each form at each offset within 8 bytes. */
static void reserve_at_every_byte(struct kunit *test)
{
	struct ring *ring = ring_create(test, 2);
	unsigned int offset, form;

	for (form = 0; form < FORMS; form++)
		for (offset = 0; offset < 8; offset++) {
			ring_fill(ring, RING_EVENT_MIN, 1);
			/* As long as it takes to end at this offset. */
			ring_fill(ring, 200 + (offset - ring_offset(ring) -
					       ring_size(ring, 200, false)) % 8, 1);
			KUNIT_EXPECT_EQ(test, ring_offset(ring) % 8, offset);
			write_form(ring, form);
			ring_fill(ring, RING_EVENT_MIN, 1);
			ring_drain(ring);
		}
	ring_finish(ring);
	ring_expect_sound(ring);
}

/*
 * A record ends at least one byte before its sub-buffer does. The smallest record of
 * each form shows that the ring computes its size to the byte.
 */
static void reserve_page_end(struct kunit *test)
{
	static const struct {
		enum form form;
		u32 size;
	} forms[] = {
		{ FORM_FIXED, 4 + 1 + 4 },
		{ FORM_VARYING, 4 + 1 + 2 + 5 },
		{ FORM_OTHER_PID, 4 + 1 + 4 + 4 },
		{ FORM_FULL, 4 + 1 + 4 + 2 + 4 },
		{ FORM_LONG, 4 + 2 + 1 + 4 + 4 + 4 },
		{ FORM_EXTENDED, 4 + 8 + 2 + 1 + 4 + 4 + 4 },
	};
	struct ring *ring = ring_create(test, 4);
	unsigned int i;
	int over;

	for (i = 0; i < ARRAY_SIZE(forms); i++)
		for (over = -9; over <= 2; over++) {
			ring_fill(ring, 2000, 1);
			ring_fill(ring, PAGE_SIZE + over - forms[i].size - ring_offset(ring) -
				  ring_size(ring, TRING_PAYLOAD_HEAD, false) +
				  TRING_PAYLOAD_HEAD, 1);
			KUNIT_ASSERT_EQ(test, ring_offset(ring),
					PAGE_SIZE + over - forms[i].size);
			write_form(ring, forms[i].form);
			if (over < 0)
				KUNIT_EXPECT_EQ(test, ring_offset(ring), PAGE_SIZE + over);
			else
				KUNIT_EXPECT_LT(test, ring_offset(ring), 200);
			ring_drain(ring);
			if (over < 0)
				KUNIT_EXPECT_EQ(test, ring->last_content, PAGE_SIZE + over);
		}
	ring_finish(ring);
	ring_expect_sound(ring);
}

/* The next record behind a sub-buffer that is full except for its last bytes. */
static void reserve_after_fullest_page(struct kunit *test)
{
	struct ring *ring = ring_create(test, 3);
	u32 length;

	/* LONGEST assumes the longest head; a shorter head leaves some bytes. */
	for (length = LONGEST - 3; length <= LONGEST + 5; length++) {
		ring_fill(ring, min(length, LONGEST), 1);
		ring_fill(ring, RING_EVENT_MIN + max(length, LONGEST) - LONGEST, 1);
		ring_fill(ring, RING_EVENT_MIN, 1);
		ring_drain(ring);
	}
	ring_fill(ring, LONGEST, 1);
	ring_fill(ring, RING_EVENT_MIN, 2);
	ring_finish(ring);
	ring_expect_sound(ring);
}

static void reserve_too_large(struct kunit *test)
{
	struct ring *ring = ring_create(test, 2);

	KUNIT_EXPECT_EQ(test, ring_write(ring, LONGEST), 0);
	KUNIT_EXPECT_EQ(test, ring_write(ring, LONGEST + 1), -E2BIG);
	KUNIT_EXPECT_EQ(test, ring_write(ring, PAGE_SIZE), -E2BIG);
	KUNIT_EXPECT_EQ(test, ring_write(ring, S32_MAX), -E2BIG);
	KUNIT_EXPECT_EQ(test, ring_write(ring, U32_MAX), -E2BIG);
	KUNIT_EXPECT_EQ(test, ring->refused[TRING_REFUSED_TOO_LARGE], 4);
	ring_finish(ring);
	ring_expect_sound(ring);
}

static void reserve_large_sub_buffer(struct kunit *test)
{
	struct ring *ring = ring_create_sized(test, 2, 16 * PAGE_SIZE);
	u32 longest = RING_LONGEST_IN(16 * PAGE_SIZE);
	unsigned int i;

	KUNIT_EXPECT_EQ(test, ring_write(ring, longest), 0);
	KUNIT_EXPECT_EQ(test, ring_write(ring, longest + 1), -E2BIG);
	for (i = 0; i < 1000; i++)
		ring_fill(ring, 12 + i % 500, 1);
	ring_finish(ring);
	ring_expect_sound(ring);
}

static void write_copies_payload(struct kunit *test)
{
	struct ring *ring = ring_create(test, 2);
	struct tring_packet packet;
	struct walk walk;
	u8 payload[40];
	u32 i, pid;

	for (i = 0; i < sizeof(payload); i++)
		payload[i] = i;
	memcpy(&pid, payload + 4, sizeof(pid));
	KUNIT_EXPECT_EQ(test, tring_write(ring->buffer, ring_key(ring, sizeof(payload)), payload,
					  sizeof(payload)), 0);
	KUNIT_EXPECT_EQ(test, tring_write(ring->buffer, tring_event_key(0x4321), payload,
					  sizeof(payload)), 0);
	KUNIT_EXPECT_EQ(test, tring_write(ring->buffer, ring->varying.head, payload, 8), 0);
	KUNIT_EXPECT_EQ(test, tring_write(ring->buffer, ring->varying.head, payload, 9), 0);
	KUNIT_EXPECT_EQ(test, tring_write(ring->buffer, ring->varying.head, payload, U32_MAX),
			-E2BIG);
	ring_hold(ring, &packet, &walk);
	for (i = 0; i < 4; i++) {
		KUNIT_ASSERT_TRUE(test, walk_next(&walk));
		KUNIT_EXPECT_EQ(test, walk.flags, payload[2]);
		KUNIT_EXPECT_EQ(test, walk.preempt_count, payload[3]);
		KUNIT_EXPECT_EQ(test, walk.pid, pid);
		KUNIT_EXPECT_EQ(test, walk.room, i < 2 ? sizeof(payload) - 8 : TRING_FIELDS_MIN);
		KUNIT_EXPECT_MEMEQ(test, walk.fields, payload + 8, i < 2 ? walk.room : i - 2);
		if (i == 1)
			KUNIT_EXPECT_EQ(test, walk.id, 0x4321 + TRING_LONG_ID_BASE);
	}
	KUNIT_EXPECT_FALSE(test, walk_next(&walk));
	tring_reader_put(ring->stream);
	ring_expect_sound(ring);
}

static struct kunit_case reserve_cases[] = {
	KUNIT_CASE(reserve_first_record_is_compact),
	KUNIT_CASE(reserve_compact_timestamp_edges),
	KUNIT_CASE(reserve_every_length_both_stamps),
	KUNIT_CASE(reserve_short_payload_is_padded),
	KUNIT_CASE(reserve_at_every_byte),
	KUNIT_CASE(reserve_page_end),
	KUNIT_CASE(reserve_after_fullest_page),
	KUNIT_CASE(reserve_too_large),
	KUNIT_CASE(reserve_large_sub_buffer),
	KUNIT_CASE(write_copies_payload),
	{ }
};

static struct kunit_suite reserve_suite = {
	.name = "tring_reserve",
	.test_cases = reserve_cases,
};

kunit_test_suite(reserve_suite);
