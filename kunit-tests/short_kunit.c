// SPDX-License-Identifier: GPL-2.0
/*
 * Short types: which events get one, how long they keep it, and the lengths in packets.
 */

#include <linux/irq_work.h>
#include <linux/sizes.h>
#include <linux/workqueue.h>

#include "helpers.h"
#include "ring/internal.h"

/* Keys that may stay in the buffer until that is destroyed, behind the end of the case. */
static struct tring_key keys[TRING_TYPE_SHORT_MAX + 3];

/* Add an event that gets a type at once if possible. Returns what its key is then. */
static u64 add(struct ring *ring, unsigned int key, u16 id, unsigned int length)
{
	tring_buffer_add_event(ring->buffer, &keys[key], id, length, true);
	return keys[key].head;
}

static void remove(struct ring *ring, unsigned int key)
{
	tring_buffer_remove_event(ring->buffer, &keys[key]);
}

static struct ring *create_without_events(struct kunit *test, unsigned long subbuf_size)
{
	struct ring *ring = ring_create_sized(test, 2, subbuf_size);

	ring_forget_events(ring);
	return ring;
}

/* A new trace frees types. It needs the reader closed, which may hold older packets. */
static void begin_new_trace(struct ring *ring)
{
	tring_reader_release(ring->stream);
	KUNIT_ASSERT_EQ(ring->test, tring_buffer_new_trace(ring->buffer, -1), 0);
	KUNIT_ASSERT_EQ(ring->test, tring_reader_open(ring->stream), 0);
}

static int write_empty(struct ring *ring, u64 key, u32 fields)
{
	struct tring_record record;
	int err;

	err = tring_reserve(ring->buffer, key, ring->pid, TRING_PAYLOAD_HEAD + fields, &record);
	if (err)
		return err;
	memset(record.payload + TRING_PAYLOAD_HEAD, 0xa5, fields);
	tring_commit(&record);
	return 0;
}

static const struct tring_packet_header *take(struct ring *ring, struct walk *walk)
{
	struct tring_packet packet;

	ring_hold(ring, &packet, walk);
	return packet.data;
}

/* Lengths of events, and the lengths of their types in a packet's header. */
static const struct {
	unsigned int length;
	u8 in_header;
} lengths[] = {
	{ 0, TRING_LENGTH_VARIES },
	{ 1, 4 },
	{ 2, 4 },
	{ 3, 4 },
	{ 4, 4 },
	{ 5, 5 },
	{ 56, 56 },
	{ 253, 253 },
	{ 254, 254 },
	{ 255, TRING_LENGTH_VARIES },
	{ 256, TRING_LENGTH_VARIES },
	{ 4000, TRING_LENGTH_VARIES },
};

static void lengths_in_packet_headers(struct kunit *test)
{
	struct ring *ring = create_without_events(test, 4 * PAGE_SIZE);
	const struct tring_packet_header *header;
	struct walk walk;
	unsigned int i, time;
	u64 key;

	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		key = add(ring, i, 100 + i, lengths[i].length);
		KUNIT_EXPECT_EQ(test, tring_head_type(key), i + 1);
		KUNIT_EXPECT_EQ(test, tring_head_id(key), 100 + i);
		KUNIT_EXPECT_EQ(test, !!(key & TRING_HEAD_VARIES),
				lengths[i].in_header == TRING_LENGTH_VARIES);
		KUNIT_EXPECT_FALSE(test, key & TRING_HEAD_OTHER);
		for (time = 0; time < 2; time++)
			KUNIT_ASSERT_EQ(test, write_empty(ring, key, lengths[i].length), 0);
	}
	header = take(ring, &walk);
	for (i = 0; i < TRING_TYPES; i++)
		KUNIT_EXPECT_EQ(test, header->lengths[i],
				i && i <= ARRAY_SIZE(lengths) ? lengths[i - 1].in_header : 0);
	for (i = 0; i < 2 * ARRAY_SIZE(lengths); i++) {
		KUNIT_ASSERT_TRUE(test, walk_next(&walk));
		KUNIT_EXPECT_EQ(test, walk.type, i / 2 + 1);
		KUNIT_EXPECT_EQ(test, walk.room, max(lengths[i / 2].length, TRING_FIELDS_MIN));
	}
	KUNIT_EXPECT_FALSE(test, walk_next(&walk));
	tring_reader_put(ring->stream);
	ring_expect_sound(ring);
}

/* A packet has the lengths of the types that there were when it was closed. */
static void lengths_are_copied_at_the_close(struct kunit *test)
{
	struct ring *ring = create_without_events(test, PAGE_SIZE);
	u64 first = add(ring, 0, 100, 8), second;
	const struct tring_packet_header *header;
	u8 before[TRING_TYPES];
	struct walk walk;
	unsigned int i;

	KUNIT_ASSERT_EQ(test, write_empty(ring, first, 8), 0);
	header = take(ring, &walk);
	memcpy(before, header->lengths, sizeof(before));
	/* One packet is held, one is delivered, one is open. */
	KUNIT_ASSERT_EQ(test, write_empty(ring, first, 8), 0);
	ring_flush(ring);
	KUNIT_ASSERT_EQ(test, write_empty(ring, first, 8), 0);
	second = add(ring, 1, 101, 12);
	KUNIT_EXPECT_MEMEQ(test, header->lengths, before, sizeof(before));
	tring_reader_put(ring->stream);
	header = take(ring, &walk);
	KUNIT_EXPECT_MEMEQ(test, header->lengths, before, sizeof(before));
	tring_reader_put(ring->stream);
	header = take(ring, &walk);
	KUNIT_EXPECT_EQ(test, header->lengths[tring_head_type(second)], 12);
	tring_reader_put(ring->stream);
	/* Passes each sub-buffer, also the one that was held. */
	for (i = 0; i < 6; i++) {
		KUNIT_ASSERT_EQ(test, write_empty(ring, second, 12), 0);
		header = take(ring, &walk);
		KUNIT_EXPECT_EQ(test, header->lengths[tring_head_type(second)], 12);
		tring_reader_put(ring->stream);
	}
	ring_expect_sound(ring);
}

/* 28 events get a short type; further events are recorded in long form. */
static void long_form_after_28_types(struct kunit *test)
{
	struct ring *ring = create_without_events(test, PAGE_SIZE);
	struct walk walk;
	unsigned int i;
	u64 key;

	for (i = 1; i <= 30; i++) {
		key = add(ring, i, 100 + i, i % 2 ? 8 : 0);
		KUNIT_EXPECT_EQ(test, tring_head_type(key), i <= 28 ? i : 0);
		/* It need not ask for one in this trace, either. */
		if (i > 28)
			KUNIT_EXPECT_EQ(test, key, tring_event_key(100 + i));
		KUNIT_ASSERT_EQ(test, write_empty(ring, key, 8), 0);
	}
	/* Removing an event without a type frees none. */
	remove(ring, 30);
	KUNIT_ASSERT_EQ(test, write_empty(ring, tring_event_key(TRING_ID_MAX), 8), 0);
	take(ring, &walk);
	for (i = 1; i <= 31; i++) {
		KUNIT_ASSERT_TRUE(test, walk_next(&walk));
		KUNIT_EXPECT_EQ(test, walk.type, i <= 28 ? i : TRING_TYPE_LONG);
		if (i > 28)
			KUNIT_EXPECT_EQ(test, walk.id, i == 31 ? 0xffff : 100 + i + 32);
		KUNIT_EXPECT_EQ(test, walk.room, 8);
	}
	KUNIT_EXPECT_FALSE(test, walk_next(&walk));
	tring_reader_put(ring->stream);
	ring_expect_sound(ring);
}

/* Two users of one event share its type. */
static void same_id_twice(struct kunit *test)
{
	struct ring *ring = create_without_events(test, PAGE_SIZE);
	u64 first, second;

	first = add(ring, 0, 100, 8);
	second = add(ring, 1, 100, 8);
	KUNIT_EXPECT_EQ(test, first, second);
	KUNIT_EXPECT_EQ(test, tring_head_type(add(ring, 2, 101, 0)), 2);
	/* While one user is left, the type stays, also in a new trace. */
	remove(ring, 0);
	begin_new_trace(ring);
	KUNIT_EXPECT_EQ(test, tring_session_of(ring->buffer)->short_ids[1], 100);
	KUNIT_EXPECT_EQ(test, ring->buffer->lengths[1], 8);
	remove(ring, 1);
	begin_new_trace(ring);
	KUNIT_EXPECT_EQ(test, tring_session_of(ring->buffer)->short_ids[1], 0);
	KUNIT_EXPECT_EQ(test, ring->buffer->lengths[1], 0);
	KUNIT_EXPECT_EQ(test, tring_session_of(ring->buffer)->short_ids[2], 101);
	ring_expect_sound(ring);
}

/*
 * A module was removed, and ftrace gave the id of its event to an event of another
 * module. The type has one length in the open packet, so the second event gets none.
 */
static void same_id_of_other_length(struct kunit *test)
{
	struct ring *ring = create_without_events(test, PAGE_SIZE);
	const struct tring_packet_header *header;
	struct walk walk;
	u64 first, second;
	unsigned int i;

	first = add(ring, 0, 100, 8);
	KUNIT_ASSERT_EQ(test, write_empty(ring, first, 8), 0);
	remove(ring, 0);
	second = add(ring, 1, 100, 12);
	KUNIT_EXPECT_EQ(test, second, tring_event_key(100));
	KUNIT_ASSERT_EQ(test, write_empty(ring, second, 12), 0);
	KUNIT_EXPECT_EQ(test, add(ring, 2, 100, 0), tring_event_key(100));
	/* The first module was loaded again. */
	KUNIT_EXPECT_EQ(test, add(ring, 3, 100, 8), first);
	KUNIT_ASSERT_EQ(test, write_empty(ring, first, 8), 0);
	header = take(ring, &walk);
	KUNIT_EXPECT_EQ(test, header->lengths[1], 8);
	for (i = 0; i < 3; i++) {
		KUNIT_ASSERT_TRUE(test, walk_next(&walk));
		KUNIT_EXPECT_EQ(test, walk.type, i == 1 ? TRING_TYPE_LONG : 1);
		KUNIT_EXPECT_EQ(test, walk.room, i == 1 ? 12 : 8);
	}
	KUNIT_EXPECT_FALSE(test, walk_next(&walk));
	tring_reader_put(ring->stream);
	remove(ring, 3);
	begin_new_trace(ring);
	KUNIT_EXPECT_EQ(test, tring_head_type(add(ring, 4, 100, 12)), 1);
	KUNIT_EXPECT_EQ(test, ring->buffer->lengths[1], 12);
	ring_expect_sound(ring);
}

/* A type means one event until a new trace begins. */
static void types_are_free_in_a_new_trace(struct kunit *test)
{
	struct ring *ring = create_without_events(test, PAGE_SIZE);
	const struct tring_packet_header *header;
	struct walk walk;
	unsigned int i;
	u64 ninth, key;

	for (i = 1; i <= 28; i++)
		add(ring, i, 100 + i, 8);
	KUNIT_ASSERT_EQ(test, write_empty(ring, keys[5].head, 8), 0);
	ninth = keys[9].head;
	remove(ring, 5);
	remove(ring, 9);
	/* No other event gets these types in this trace, but the same events do. */
	KUNIT_EXPECT_EQ(test, add(ring, 29, 200, 12), tring_event_key(200));
	KUNIT_EXPECT_EQ(test, add(ring, 9, 109, 8), ninth);
	remove(ring, 9);
	header = take(ring, &walk);
	KUNIT_EXPECT_EQ(test, header->lengths[5], 8);
	KUNIT_ASSERT_TRUE(test, walk_next(&walk));
	KUNIT_EXPECT_EQ(test, walk.type, 5);
	tring_reader_put(ring->stream);

	begin_new_trace(ring);
	key = add(ring, 30, 200, 12);
	KUNIT_EXPECT_EQ(test, tring_head_type(key), 5);
	KUNIT_EXPECT_EQ(test, tring_head_id(key), 200);
	KUNIT_ASSERT_EQ(test, write_empty(ring, key, 12), 0);
	header = take(ring, &walk);
	for (i = 1; i <= 28; i++)
		KUNIT_EXPECT_EQ(test, header->lengths[i], i == 5 ? 12 : i == 9 ? 0 : 8);
	KUNIT_ASSERT_TRUE(test, walk_next(&walk));
	KUNIT_EXPECT_EQ(test, walk.type, 5);
	KUNIT_EXPECT_EQ(test, walk.room, 12);
	tring_reader_put(ring->stream);
	ring_expect_sound(ring);
}

/* An event is added while the packet that records it is already open. */
static void event_added_while_recording(struct kunit *test)
{
	struct ring *ring = create_without_events(test, PAGE_SIZE);
	const struct tring_packet_header *header;
	struct walk walk;
	u64 key;

	ring_fill(ring, 20, 1);
	key = add(ring, 0, 100, 8);
	KUNIT_ASSERT_EQ(test, write_empty(ring, key, 8), 0);
	/* A type that no record has may be in the header. */
	add(ring, 1, 101, 0);
	header = take(ring, &walk);
	KUNIT_EXPECT_EQ(test, header->lengths[1], 8);
	KUNIT_ASSERT_TRUE(test, walk_next(&walk));
	KUNIT_ASSERT_TRUE(test, walk_next(&walk));
	KUNIT_EXPECT_EQ(test, walk.type, 1);
	tring_reader_put(ring->stream);
	ring_expect_sound(ring);
}

/* A record that is too long for a 16-bit length takes the long form. */
static void long_form_of_long_records(struct kunit *test)
{
	static const u32 rooms[] = { U16_MAX - 1, U16_MAX, U16_MAX + 1, U16_MAX + 2, SZ_1M };
	struct ring *ring = ring_create_sized(test, 2, TRING_SUBBUF_SIZE_MAX);
	u32 longest = TRING_SUBBUF_SIZE_MAX - 1 - TRING_PACKET_HEADER_SIZE -
		      TRING_RECORD_HEAD_MAX + TRING_PAYLOAD_HEAD;
	struct event event;
	unsigned int i;

	/* With the same pid, with another pid, and discarded but kept. */
	for (i = 0; i < ARRAY_SIZE(rooms); i++) {
		ring_fill(ring, 20, 1);
		ring_fill(ring, TRING_PAYLOAD_HEAD + rooms[i], 1);
		ring->pid++;
		ring_fill(ring, TRING_PAYLOAD_HEAD + rooms[i], 1);
		KUNIT_ASSERT_EQ(test, ring_reserve(ring, TRING_PAYLOAD_HEAD + rooms[i], &event), 0);
		ring_fill(ring, 20, 1);
		ring_discard(ring, &event);
		ring_drain(ring);
		/* As the first record of a packet. */
		ring_fill(ring, TRING_PAYLOAD_HEAD + rooms[i], 1);
		ring_drain(ring);
	}
	KUNIT_EXPECT_EQ(test, ring_write(ring, longest), 0);
	KUNIT_EXPECT_EQ(test, ring_write(ring, longest), 0);
	KUNIT_EXPECT_EQ(test, ring_write(ring, longest + 1), -E2BIG);
	ring_finish(ring);
	ring_expect_sound(ring);
}

/* Wait until all requests for types are handled. */
static void give_types(struct ring *ring)
{
	irq_work_sync(&ring->buffer->ask_work);
	flush_delayed_work(&tring_session_of(ring->buffer)->work);
}

#define FILLER_ID	300

/* The next record asks for a type, if its event wants one. */
static void pass_to_asking(struct ring *ring)
{
	while ((local_read(&ring->cpu_buffer->reserved) + 1) % TRING_ASK_EVERY)
		KUNIT_ASSERT_EQ(ring->test, write_empty(ring, tring_event_key(FILLER_ID), 8), 0);
}

static bool next_unfilled(struct walk *walk)
{
	do {
		if (!walk_next(walk))
			return false;
	} while (walk->type > TRING_TYPE_SHORT_MAX && walk->id == FILLER_ID + TRING_LONG_ID_BASE);
	return true;
}

/* An event gets a type when it has asked often enough; an event that never occurs gets none. */
static void type_when_it_occurs(struct kunit *test)
{
	struct ring *ring = create_without_events(test, PAGE_SIZE);
	struct walk walk;
	unsigned int i;

	for (i = 0; i < 3; i++) {
		tring_buffer_add_event(ring->buffer, &keys[i], 100 + i, i == 1 ? 0 : 8, false);
		KUNIT_EXPECT_EQ(test, tring_head_type(keys[i].head), 0);
		KUNIT_EXPECT_EQ(test, tring_head_id(keys[i].head), 100 + i);
	}
	for (i = 0; i <= TRING_SHORT_ASKS; i++) {
		KUNIT_EXPECT_EQ(test, !!tring_head_type(keys[1].head), i == TRING_SHORT_ASKS);
		pass_to_asking(ring);
		KUNIT_ASSERT_EQ(test, write_empty(ring, keys[1].head, 8), 0);
		pass_to_asking(ring);
		KUNIT_ASSERT_EQ(test, write_empty(ring, keys[2].head, 8), 0);
		give_types(ring);
		/* This one asks for nothing, and has its type, if any. */
		KUNIT_ASSERT_EQ(test, write_empty(ring, keys[1].head, 8), 0);
		give_types(ring);
	}
	KUNIT_EXPECT_EQ(test, tring_head_type(keys[0].head), 0);
	KUNIT_EXPECT_EQ(test, tring_head_type(keys[1].head) + tring_head_type(keys[2].head), 3);
	KUNIT_EXPECT_TRUE(test, keys[1].head & TRING_HEAD_VARIES);
	KUNIT_EXPECT_FALSE(test, keys[2].head & TRING_HEAD_VARIES);
	/* A second user of the same event gets the type at once. */
	remove(ring, 0);
	tring_buffer_add_event(ring->buffer, &keys[0], 102, 8, false);
	KUNIT_EXPECT_EQ(test, keys[0].head, keys[2].head);

	take(ring, &walk);
	for (i = 0; i < 3 * (TRING_SHORT_ASKS + 1); i++) {
		KUNIT_ASSERT_TRUE(test, next_unfilled(&walk));
		KUNIT_EXPECT_EQ(test, walk.room, 8);
		if (i < 3 * TRING_SHORT_ASKS - 1)
			KUNIT_EXPECT_EQ(test, walk.id, 101 + i % 3 % 2 + TRING_LONG_ID_BASE);
		else
			KUNIT_EXPECT_EQ(test, walk.type, tring_head_type(keys[1 + i % 3 % 2].head));
	}
	KUNIT_EXPECT_FALSE(test, walk_next(&walk));
	tring_reader_put(ring->stream);
	for (i = 0; i < 3; i++)
		remove(ring, i);
	ring_expect_sound(ring);
}

/* When no type is left, events are recorded in long form and request none. */
static void no_type_when_it_occurs(struct kunit *test)
{
	struct ring *ring = create_without_events(test, PAGE_SIZE);
	struct tring_key *late = &keys[0], *silent = &keys[TRING_TYPE_SHORT_MAX + 1];
	struct walk walk;
	unsigned int i;

	tring_buffer_add_event(ring->buffer, late, 200, 8, false);
	for (i = TRING_TYPE_SHORT_MIN; i <= TRING_TYPE_SHORT_MAX; i++)
		add(ring, i, 100 + i, 8);
	tring_buffer_add_event(ring->buffer, silent, 201, 8, false);
	KUNIT_EXPECT_TRUE(test, late->head & silent->head & TRING_HEAD_WANTS);
	pass_to_asking(ring);
	KUNIT_ASSERT_EQ(test, write_empty(ring, late->head, 8), 0);
	give_types(ring);
	KUNIT_EXPECT_EQ(test, late->head, tring_event_key(200));
	KUNIT_EXPECT_EQ(test, silent->head, tring_event_key(201));
	KUNIT_ASSERT_EQ(test, write_empty(ring, late->head, 8), 0);
	for (i = 0; i < TRING_WANTED; i++)
		KUNIT_EXPECT_EQ(test, ring->buffer->wanted[i], 0);

	/* A new trace has a free type again. */
	remove(ring, TRING_TYPE_SHORT_MIN);
	take(ring, &walk);
	tring_reader_put(ring->stream);
	begin_new_trace(ring);
	for (i = 1; i <= TRING_SHORT_ASKS; i++) {
		pass_to_asking(ring);
		KUNIT_ASSERT_EQ(test, write_empty(ring, late->head, 8), 0);
		give_types(ring);
		KUNIT_EXPECT_EQ(test, !!tring_head_type(late->head), i == TRING_SHORT_ASKS);
	}
	KUNIT_EXPECT_EQ(test, tring_head_type(late->head), TRING_TYPE_SHORT_MIN);
	remove(ring, 0);
	remove(ring, TRING_TYPE_SHORT_MAX + 1);
	take(ring, &walk);
	tring_reader_put(ring->stream);
	ring_expect_sound(ring);
}

static struct kunit_case short_cases[] = {
	KUNIT_CASE(lengths_in_packet_headers),
	KUNIT_CASE(lengths_are_copied_at_the_close),
	KUNIT_CASE(long_form_after_28_types),
	KUNIT_CASE(same_id_twice),
	KUNIT_CASE(same_id_of_other_length),
	KUNIT_CASE(types_are_free_in_a_new_trace),
	KUNIT_CASE(event_added_while_recording),
	KUNIT_CASE(long_form_of_long_records),
	KUNIT_CASE(type_when_it_occurs),
	KUNIT_CASE(no_type_when_it_occurs),
	{ }
};

static struct kunit_suite short_suite = {
	.name = "tring_short",
	.test_cases = short_cases,
};

kunit_test_suite(short_suite);
