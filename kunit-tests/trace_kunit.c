// SPDX-License-Identifier: GPL-2.0
/*
 * The beginning of a new trace, by itself or with another clock: another uuid, nothing
 * unread, and numbers and losses from 0.
 */

#include "helpers.h"
#include "ring/internal.h"
#include "tracefs/clock_names.h"

/* A new trace needs all readers closed. */
static void new_trace(struct ring *ring)
{
	tring_reader_release(ring->stream);
	KUNIT_EXPECT_EQ(ring->test, tring_buffer_new_trace(ring->buffer, -1), 0);
	KUNIT_ASSERT_EQ(ring->test, tring_reader_open(ring->stream), 0);
	ring_begin_trace(ring);
}

static void new_trace_with_reader_is_busy(struct kunit *test)
{
	struct ring *ring = ring_create(test, 3);
	struct tring_stream *aside = tring_buffer_stream(ring->buffer, ring->cpu, TRING_SNAPSHOT);
	u8 uuid[TRING_UUID_SIZE];

	ring_fill(ring, 3000, 2);
	memcpy(uuid, ring->buffer->uuid, sizeof(uuid));
	KUNIT_EXPECT_EQ(test, tring_buffer_new_trace(ring->buffer, -1), -EBUSY);
	KUNIT_EXPECT_EQ(test, tring_buffer_new_trace(ring->buffer, TRING_CLOCK_BOOT), -EBUSY);
	/* A reader of the snapshot prevents it, too. */
	tring_reader_release(ring->stream);
	KUNIT_ASSERT_EQ(test, tring_reader_open(aside), 0);
	KUNIT_EXPECT_EQ(test, tring_buffer_new_trace(ring->buffer, -1), -EBUSY);
	KUNIT_EXPECT_EQ(test, tring_buffer_new_trace(ring->buffer, TRING_CLOCK_BOOT), -EBUSY);
	tring_reader_release(aside);
	KUNIT_ASSERT_EQ(test, tring_reader_open(ring->stream), 0);
	KUNIT_EXPECT_EQ(test, ring->buffer->clock, TRING_CLOCK_MONO);
	KUNIT_EXPECT_MEMEQ(test, ring->buffer->uuid, uuid, sizeof(uuid));
	ring_finish(ring);
	KUNIT_EXPECT_EQ(test, ring->gap, 0);
	ring_expect_sound(ring);
}

/* Events that are refused, overwritten and dropped with a snapshot. */
static void lose_some(struct ring *ring, bool with_snapshot)
{
	ring_fill(ring, 1200, 5);
	KUNIT_EXPECT_EQ(ring->test, ring_write(ring, PAGE_SIZE), -E2BIG);
	if (with_snapshot) {
		KUNIT_ASSERT_EQ(ring->test, ring_snapshot(ring->buffer), 0);
		ring_fill(ring, 1200, 5);
	}
	while (ring->nr_attempts < 40)
		ring_write(ring, 1200);
}

static void new_trace_counts_from_zero(struct kunit *test)
{
	u8 uuid[TRING_UUID_SIZE];
	struct tring_stats stats;
	unsigned int run;
	struct ring *ring;

	for (run = 0; run < 4; run++) {
		ring = ring_create(test, 4);
		tring_buffer_set_overwrite(ring->buffer, run & 1);
		lose_some(ring, run & 2);
		memcpy(uuid, ring->buffer->uuid, sizeof(uuid));
		new_trace(ring);
		KUNIT_EXPECT_NE(test, memcmp(ring->buffer->uuid, uuid, sizeof(uuid)), 0);
		KUNIT_EXPECT_FALSE(test, ring_has_snapshot(ring));
		KUNIT_EXPECT_FALSE(test, tring_reader_has_data(ring->stream));
		/* The counters go on. */
		tring_buffer_stats(ring->buffer, ring->cpu, &stats);
		KUNIT_EXPECT_EQ(test, stats.overwritten, ring->committed);
		KUNIT_EXPECT_GT(test, ring->committed, 0);
		KUNIT_EXPECT_EQ(test, !stats.overwritten_snapshot, !(run & 2));

		/* ring_verify() compares uuid, numbers and losses of each packet. */
		ring_fill(ring, 1200, 2);
		KUNIT_EXPECT_EQ(test, ring_take(ring, true), 0);
		KUNIT_EXPECT_EQ(test, ring->next_packet, 1);
		KUNIT_EXPECT_EQ(test, ring->last_lost, 0);
		lose_some(ring, false);
		ring_finish(ring);
		KUNIT_EXPECT_GT(test, ring->last_lost, 1);
		ring_expect_sound(ring);
	}
}

/* Live packets, a packet that a reader held, and the snapshot. */
static void new_trace_drops_everything(struct kunit *test)
{
	struct ring *ring = ring_create(test, 4);
	struct tring_packet packet;
	struct tring_stats stats;

	ring_fill(ring, 1200, 4);
	KUNIT_ASSERT_EQ(test, ring_snapshot(ring->buffer), 0);
	ring_fill(ring, 1200, 7);
	KUNIT_ASSERT_EQ(test, tring_reader_take(ring->stream, false, &packet), 0);
	/* Packets in two memories. */
	KUNIT_ASSERT_EQ(test, tring_buffer_resize(ring->buffer, ring->cpu, 5 * PAGE_SIZE), 0);
	ring_fill(ring, 1200, 2);
	new_trace(ring);
	tring_buffer_stats(ring->buffer, ring->cpu, &stats);
	KUNIT_EXPECT_EQ(test, stats.overwritten, 4 + 7 + 2);
	KUNIT_EXPECT_EQ(test, stats.overwritten_snapshot, 4);
	KUNIT_EXPECT_EQ(test, stats.packets_overwritten, 2 + 3 + 1);
	KUNIT_EXPECT_EQ(test, stats.remaining_bytes, 0);
	ring_finish(ring);
	KUNIT_EXPECT_EQ(test, ring->last_lost, 0);
	ring_expect_sound(ring);
}

/* Also what the ring left at a switch while its CPU hung. */
static void new_trace_drops_what_is_not_sealed(struct kunit *test)
{
	struct ring *ring = ring_create(test, 4);

	ring_fill(ring, 1200, 4);
	KUNIT_ASSERT_EQ(test, ring_switch(ring, 3, PAGE_SIZE), 0);
	ring_fill(ring, 1200, 2);
	new_trace(ring);
	KUNIT_EXPECT_TRUE(test, list_is_singular(&ring->stream->memories));
	/* ring_settle() has nothing to do. */
	ring->unsettled = false;
	ring_fill(ring, 1200, 2);
	ring_finish(ring);
	KUNIT_EXPECT_EQ(test, ring->last_lost, 0);
	ring_expect_sound(ring);
}

/* An image of the memory must not show packets of an older trace. */
static void new_trace_clears_headers(struct kunit *test)
{
	struct ring *ring = ring_create(test, 3);
	const struct tring_packet_header *header;
	struct tring_memory *memory;
	unsigned long i;

	ring_fill(ring, 1200, 20);
	ring_take(ring, false);
	new_trace(ring);
	memory = ring->cpu_buffer->memory;
	for (i = 0; i <= memory->nr_subbufs; i++) {
		header = memory->subbufs[i].data;
		KUNIT_EXPECT_EQ(test, header->magic, TRING_PACKET_MAGIC);
		KUNIT_EXPECT_EQ(test, header->version, TRING_FORMAT_VERSION);
		KUNIT_EXPECT_MEMEQ(test, header->uuid, ring->buffer->uuid, TRING_UUID_SIZE);
		KUNIT_EXPECT_EQ(test, header->cpu_id, ring->cpu);
		KUNIT_EXPECT_EQ(test, header->timestamp_begin, 0);
		KUNIT_EXPECT_EQ(test, header->timestamp_end, 0);
		KUNIT_EXPECT_EQ(test, header->content_size, 0);
		KUNIT_EXPECT_EQ(test, header->packet_size, 0);
		KUNIT_EXPECT_EQ(test, header->packet_seq_num, 0);
		KUNIT_EXPECT_EQ(test, header->events_discarded, 0);
	}
	ring_finish(ring);
	ring_expect_sound(ring);
}

/* The first record needs no timestamp and no pid of the former trace. */
static void new_trace_while_packet_is_open(struct kunit *test)
{
	struct ring *ring = ring_create(test, 3);
	struct tring_packet packet;
	struct walk walk;

	ring_fill(ring, 20, 3);
	new_trace(ring);
	ring_fill(ring, 20, 2);
	ring_hold(ring, &packet, &walk);
	KUNIT_ASSERT_TRUE(test, walk_next(&walk));
	KUNIT_EXPECT_TRUE(test, walk_has_pid(&walk));
	KUNIT_EXPECT_EQ(test, walk.type, tring_head_type(ring_key(ring, 20)));
	ring_finish(ring);
	ring_expect_sound(ring);
}

/* A peeking reader starts again at the first packet of the new trace. */
static void new_trace_resets_peek(struct kunit *test)
{
	struct ring *ring = ring_create(test, 4);
	const struct tring_packet_header *header = ring->peeked;
	struct tring_peek peek = { };
	size_t size;

	ring_fill(ring, 3000, 7);
	KUNIT_ASSERT_EQ(test, tring_reader_peek(ring->stream, &peek, ring->peeked,
						RING_PEEK_MAX, &size), 0);
	KUNIT_EXPECT_GT(test, header->packet_seq_num, 0);
	new_trace(ring);
	ring_fill(ring, 3000, 2);
	KUNIT_ASSERT_EQ(test, tring_reader_peek(ring->stream, &peek, ring->peeked,
						RING_PEEK_MAX, &size), 0);
	KUNIT_EXPECT_EQ(test, header->packet_seq_num, 0);
	KUNIT_EXPECT_EQ(test, header->events_discarded, 0);
	KUNIT_EXPECT_MEMEQ(test, header->uuid, ring->buffer->uuid, TRING_UUID_SIZE);
	ring_finish(ring);
	ring_expect_sound(ring);
}

static void new_trace_starts_stopped_ring(struct kunit *test)
{
	struct ring *ring = ring_create(test, 2);

	ring_fill(ring, 20, 3);
	tring_ring_stop(ring->cpu_buffer);
	KUNIT_EXPECT_EQ(test, ring_write(ring, 20), -EIO);
	new_trace(ring);
	ring_finish(ring);
	KUNIT_EXPECT_EQ(test, ring->last_lost, 0);
	ring_expect_sound(ring);
}

static void new_trace_without_memory(struct kunit *test)
{
	struct tring_buffer *buffer = tring_buffer_create();
	u8 uuid[TRING_UUID_SIZE];

	KUNIT_ASSERT_NOT_NULL(test, buffer);
	memcpy(uuid, buffer->uuid, sizeof(uuid));
	KUNIT_EXPECT_EQ(test, tring_buffer_new_trace(buffer, -1), 0);
	KUNIT_EXPECT_NE(test, memcmp(buffer->uuid, uuid, sizeof(uuid)), 0);
	tring_buffer_destroy(buffer);
}

/* Events during the draining of a ring are refused and lost to neither trace. */
static void reserve_while_ring_is_emptied(struct kunit *test)
{
	struct ring *ring = ring_create(test, 3);

	ring_fill(ring, 100, 3);
	/* A new trace does this before it waits for writers. */
	WRITE_ONCE(ring->cpu_buffer->draining, true);
	WRITE_ONCE(ring->cpu_buffer->limit, 0);
	KUNIT_EXPECT_EQ(test, ring_write(ring, 100), -ENOMEM);
	tring_ring_update_limit(ring->cpu_buffer, false);
	KUNIT_EXPECT_EQ(test, ring->refused[TRING_REFUSED_NO_MEMORY], 1);
	ring_finish(ring);
	KUNIT_EXPECT_EQ(test, ring->last_lost, 0);
	ring_expect_sound(ring);
}

static void new_trace_with_each_clock(struct kunit *test)
{
	struct ring *ring = ring_create(test, 3);
	u8 uuid[TRING_UUID_SIZE];
	int clock;

	KUNIT_EXPECT_EQ(test, tring_buffer_new_trace(ring->buffer, TRING_CLOCKS), -EINVAL);
	for (clock = TRING_CLOCKS - 1; clock >= 0; clock--) {
		if (!tring_clock_available(clock)) {
			KUNIT_EXPECT_EQ(test, tring_buffer_new_trace(ring->buffer, clock),
					-EINVAL);
			continue;
		}
		ring_fill(ring, 1200, 15);
		memcpy(uuid, ring->buffer->uuid, sizeof(uuid));
		tring_reader_release(ring->stream);
		KUNIT_EXPECT_EQ(test, tring_buffer_new_trace(ring->buffer, clock), 0);
		KUNIT_EXPECT_NE(test, memcmp(ring->buffer->uuid, uuid, sizeof(uuid)), 0);
		KUNIT_ASSERT_EQ(test, tring_reader_open(ring->stream), 0);
		ring_begin_trace(ring);

		/* Timestamps come from the real clock: nothing to compare them with. */
		KUNIT_EXPECT_EQ(test, ring->cpu_buffer->clock, clock);
		ring->unsteady = true;
		ring_fill(ring, 1200, 5);
		ring_finish(ring);
		KUNIT_EXPECT_GT(test, ring->last_stamp, 0);
		KUNIT_EXPECT_EQ(test, ring->last_lost, 0);
		KUNIT_EXPECT_EQ(test, tring_clock_of_name(tring_name_of_clock(clock)), clock);
	}
	KUNIT_EXPECT_EQ(test, tring_clock_of_name("no such clock"), TRING_CLOCKS);
	ring_expect_sound(ring);
}

static struct kunit_case trace_cases[] = {
	KUNIT_CASE(new_trace_with_reader_is_busy),
	KUNIT_CASE(new_trace_counts_from_zero),
	KUNIT_CASE(new_trace_drops_everything),
	KUNIT_CASE(new_trace_drops_what_is_not_sealed),
	KUNIT_CASE(new_trace_clears_headers),
	KUNIT_CASE(new_trace_while_packet_is_open),
	KUNIT_CASE(new_trace_resets_peek),
	KUNIT_CASE(new_trace_starts_stopped_ring),
	KUNIT_CASE(new_trace_without_memory),
	KUNIT_CASE(reserve_while_ring_is_emptied),
	KUNIT_CASE(new_trace_with_each_clock),
	{ }
};

static struct kunit_suite trace_suite = {
	.name = "tring_trace",
	.test_cases = trace_cases,
};

kunit_test_suite(trace_suite);
