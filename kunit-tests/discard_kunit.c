// SPDX-License-Identifier: GPL-2.0
/*
 * Discarded records: the ring takes back the last one and keeps any other.
 */

#include "helpers.h"

static void discard_only_record(struct kunit *test)
{
	struct ring *ring = ring_create(test, 2);
	struct event event;

	KUNIT_ASSERT_EQ(test, ring_reserve(ring, 500, &event), 0);
	ring_discard(ring, &event);
	KUNIT_EXPECT_EQ(test, ring_offset(ring), TRING_PACKET_HEADER_SIZE);
	KUNIT_EXPECT_FALSE(test, tring_reader_has_data(ring->stream));
	KUNIT_EXPECT_EQ(test, ring_take(ring, true), -EAGAIN);
	/* The packet stays entered; the longest record still fits. */
	ring_fill(ring, RING_LONGEST_IN(PAGE_SIZE), 1);
	KUNIT_EXPECT_EQ(test, ring_take(ring, true), 0);
	KUNIT_EXPECT_EQ(test, ring->gap, 0);
	ring_finish(ring);
	ring_expect_sound(ring);
}

/* The last record is taken back: its bytes are used again, with a full timestamp. */
static void discard_last_is_taken_back(struct kunit *test)
{
	struct ring *ring = ring_create(test, 2);
	struct tring_packet packet;
	struct event event;
	unsigned long offset;
	struct walk walk;

	ring_fill(ring, 17, 1);
	offset = ring_offset(ring);
	KUNIT_ASSERT_EQ(test, ring_reserve(ring, 33, &event), 0);
	ring_discard(ring, &event);
	KUNIT_EXPECT_EQ(test, ring_offset(ring), offset);
	ring_fill(ring, 20, 2);

	ring_hold(ring, &packet, &walk);
	KUNIT_EXPECT_TRUE(test, walk_next(&walk));
	KUNIT_EXPECT_NE(test, walk.type, TRING_TYPE_EXTENDED);
	KUNIT_EXPECT_TRUE(test, walk_next(&walk));
	KUNIT_EXPECT_EQ(test, walk.type, TRING_TYPE_EXTENDED);
	KUNIT_EXPECT_TRUE(test, walk_next(&walk));
	KUNIT_EXPECT_NE(test, walk.type, TRING_TYPE_EXTENDED);
	KUNIT_EXPECT_FALSE(test, walk_next(&walk));
	KUNIT_EXPECT_EQ(test, packet.events, 3);
	ring_finish(ring);
	ring_expect_sound(ring);
}

/* A record with others behind it is kept as a discarded record that readers skip. */
static void discard_covered_is_kept(struct kunit *test)
{
	struct ring *ring = ring_create(test, 2);
	struct event outer;
	u32 length;

	for (length = RING_EVENT_MIN; length < 200; length++) {
		ring->in_long_form = length % 5 == 0;
		KUNIT_ASSERT_EQ(test, ring_reserve(ring, length, &outer), 0);
		ring_fill(ring, 20, 1);
		ring_discard(ring, &outer);
		ring_fill(ring, 20, 1);
		ring_drain(ring);
		KUNIT_EXPECT_EQ(test, ring->last_discarded, 1);
	}
	/* A discarded record with a full timestamp. */
	ring_fill(ring, 20, 1);
	ring->now += COMPACT_MAX + 1;
	KUNIT_ASSERT_EQ(test, ring_reserve(ring, 21, &outer), 0);
	ring_fill(ring, 20, 1);
	ring_discard(ring, &outer);
	ring_finish(ring);
	ring_expect_sound(ring);
}

static void discard_first_middle_last(struct kunit *test)
{
	struct ring *ring = ring_create(test, 2);
	struct event events[3];
	unsigned int discarded, i;

	for (discarded = 0; discarded < 8; discarded++) {
		for (i = 0; i < 3; i++)
			KUNIT_ASSERT_EQ(test, ring_reserve(ring, 20 + 11 * i, &events[i]), 0);
		for (i = 3; i--;)
			if (discarded & BIT(i))
				ring_discard(ring, &events[i]);
			else
				ring_commit(ring, &events[i]);
		/* If all were taken back, last first, the packet is empty. */
		KUNIT_EXPECT_EQ(test, ring_take(ring, true), discarded == 7 ? -EAGAIN : 0);
		ring_drain(ring);
	}
	ring_finish(ring);
	ring_expect_sound(ring);
}

static struct kunit_case discard_cases[] = {
	KUNIT_CASE(discard_only_record),
	KUNIT_CASE(discard_last_is_taken_back),
	KUNIT_CASE(discard_covered_is_kept),
	KUNIT_CASE(discard_first_middle_last),
	{ }
};

static struct kunit_suite discard_suite = {
	.name = "tring_discard",
	.test_cases = discard_cases,
};

kunit_test_suite(discard_suite);
