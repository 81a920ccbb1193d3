// SPDX-License-Identifier: GPL-2.0
/*
 * Peeking: it shows what a reader could take, the packet that is being written included,
 * and leaves the ring as it is.
 */

#include "helpers.h"
#include "ring/internal.h"

/* Peeking consumes nothing and shows every delivered packet. */
static void peek_sees_what_is_read_later(struct kunit *test)
{
	struct ring *ring = ring_create(test, 6);
	struct tring_packet packet;
	u64 seen;

	ring_fill(ring, 1200, 7);
	KUNIT_ASSERT_EQ(test, tring_buffer_resize(ring->buffer, ring->cpu, 5 * PAGE_SIZE), 0);
	ring_fill(ring, 1200, 6);
	ring_flush(ring);
	seen = ring_peek(ring);
	KUNIT_EXPECT_EQ(test, seen, 13);
	KUNIT_EXPECT_EQ(test, ring_peek(ring), seen);
	KUNIT_ASSERT_EQ(test, tring_reader_take(ring->stream, false, &packet), 0);
	KUNIT_EXPECT_EQ(test, ring_peek(ring), seen);
	ring_verify(ring, &packet);
	tring_reader_put(ring->stream);
	KUNIT_EXPECT_EQ(test, ring_peek(ring), seen - packet.events);
	ring_finish(ring);
	KUNIT_EXPECT_EQ(test, ring->gap, 0);
	KUNIT_EXPECT_EQ(test, ring_peek(ring), 0);
	ring_expect_sound(ring);
}

/* For a peeking reader only packets that were overwritten before it saw them are lost. */
static void peek_counts_what_was_not_shown(struct kunit *test)
{
	struct ring *ring = ring_create(test, 4);
	const struct tring_packet_header *header = ring->peeked;
	struct tring_peek peek = { };
	size_t size;

	/* One event a packet: packets 0 to 2 are overwritten, 6 is open. */
	ring_fill(ring, 3000, 7);
	KUNIT_ASSERT_EQ(test, tring_reader_peek(ring->stream, &peek, ring->peeked,
						RING_PEEK_MAX, &size), 0);
	KUNIT_EXPECT_EQ(test, header->packet_seq_num, 3);
	KUNIT_EXPECT_EQ(test, header->events_discarded, 3);
	KUNIT_ASSERT_EQ(test, tring_reader_peek(ring->stream, &peek, ring->peeked,
						RING_PEEK_MAX, &size), 0);
	KUNIT_EXPECT_EQ(test, header->packet_seq_num, 4);
	KUNIT_EXPECT_EQ(test, header->events_discarded, 3);
	/* Overwrites packets 3 and 4, which were shown, and 5 and 6, which were not. */
	ring_fill(ring, 3000, 4);
	KUNIT_ASSERT_EQ(test, tring_reader_peek(ring->stream, &peek, ring->peeked,
						RING_PEEK_MAX, &size), 0);
	KUNIT_EXPECT_EQ(test, header->packet_seq_num, 7);
	KUNIT_EXPECT_EQ(test, header->events_discarded, 5);
	KUNIT_EXPECT_EQ(test, tring_reader_peek(ring->stream, &peek, ring->peeked, 100, &size),
			-EMSGSIZE);
	KUNIT_EXPECT_EQ(test, size, round_up(TRING_PACKET_HEADER_SIZE +
					     ring_size(ring, 3000, true), 8));
	ring_finish(ring);
	ring_expect_sound(ring);
}

/* The open packet, too, again and again, with what has come since. */
static void peek_shows_the_open_packet(struct kunit *test)
{
	struct ring *ring = ring_create(test, 4);
	const struct tring_packet_header *header = ring->peeked;
	struct tring_peek peek = { .with_open = true };
	size_t size;

	KUNIT_EXPECT_EQ(test, ring_peek_open(ring), 0);
	ring_fill(ring, 20, 3);
	KUNIT_EXPECT_EQ(test, ring_peek(ring), 0);
	KUNIT_EXPECT_EQ(test, ring_peek_open(ring), 3);
	ring_fill(ring, 1200, 7);
	KUNIT_EXPECT_EQ(test, ring_peek_open(ring), 10);

	/* It ends the stream: what comes later into it would not be shown. */
	while (peek.with_open)
		KUNIT_ASSERT_EQ(test, tring_reader_peek(ring->stream, &peek, ring->peeked,
							RING_PEEK_MAX, &size), 0);
	KUNIT_EXPECT_EQ(test, header->content_size / 8, ring_offset(ring));
	KUNIT_EXPECT_EQ(test, header->timestamp_end, ring->now - 1);
	KUNIT_EXPECT_EQ(test, tring_reader_peek(ring->stream, &peek, ring->peeked,
						RING_PEEK_MAX, &size), -EAGAIN);
	ring_finish(ring);
	KUNIT_EXPECT_EQ(test, ring->read, ring->committed);
	KUNIT_EXPECT_EQ(test, ring_peek_open(ring), 0);
	ring_expect_sound(ring);
}

static int peek_at_first(struct ring *ring)
{
	struct tring_peek peek = { .with_open = true };
	unsigned int depth = ring_pretend_other_cpu(ring);
	size_t size;
	int err;

	err = tring_reader_peek(ring->stream, &peek, ring->peeked, RING_PEEK_MAX, &size);
	ring_end_other_cpu(depth);
	return err;
}

/* A record that is open, with and without committed ones behind it. */
static void peek_refuses_an_open_record(struct kunit *test)
{
	struct ring *ring = ring_create(test, 4);
	struct event outer, inner;

	ring_fill(ring, 20, 2);
	KUNIT_ASSERT_EQ(test, ring_reserve(ring, 100, &outer), 0);
	KUNIT_EXPECT_EQ(test, peek_at_first(ring), -EBUSY);
	/* As long as the open one: the bytes that are committed are those before it. */
	KUNIT_ASSERT_EQ(test, ring_reserve(ring, 100, &inner), 0);
	ring_commit(ring, &inner);
	KUNIT_EXPECT_EQ(test, peek_at_first(ring), -EBUSY);
	/* The packet is closed, but not delivered. */
	ring_flush(ring);
	KUNIT_EXPECT_EQ(test, peek_at_first(ring), -EBUSY);
	ring_commit(ring, &outer);
	KUNIT_EXPECT_EQ(test, ring_peek_open(ring), 4);
	/* A record that is taken back was the packet's only one. */
	KUNIT_ASSERT_EQ(test, ring_reserve(ring, 100, &outer), 0);
	KUNIT_EXPECT_EQ(test, ring_peek_open(ring), 4);
	ring_discard(ring, &outer);
	KUNIT_EXPECT_EQ(test, ring_peek_open(ring), 4);
	ring_finish(ring);
	ring_expect_sound(ring);
}

struct peek_within {
	struct ring	*ring;
	int		result;
	unsigned int	seen;
};

static struct peek_within within;

static void peek_when_counted(struct tring_cpu_buffer *cpu_buffer, enum tring_step step)
{
	if (step != TRING_STEP_COMMIT_COUNTED)
		return;
	within.result = peek_at_first(within.ring);
	within.seen++;
}

/*
 * A flush has left the position at the packet's end, and has counted the rest as committed.
 * Once the last record is counted, the whole sub-buffer looks like content.
 */
static void peek_refuses_a_packet_in_delivery(struct kunit *test)
{
	struct ring *ring = ring_create(test, 4);
	struct event event;

	within = (struct peek_within) { .ring = ring };
	ring_fill(ring, 20, 2);
	KUNIT_ASSERT_EQ(test, ring_reserve(ring, 20, &event), 0);
	ring_flush(ring);
	ring->hooks.step = peek_when_counted;
	ring_commit(ring, &event);
	ring->hooks.step = NULL;
	KUNIT_EXPECT_EQ(test, within.seen, 1);
	KUNIT_EXPECT_EQ(test, within.result, -EBUSY);
	KUNIT_EXPECT_EQ(test, ring_peek_open(ring), 3);
	ring_finish(ring);
	ring_expect_sound(ring);
}

/* 200 peeks, with an event before each, take nothing from the ring. */
static void peek_evicts_nothing(struct kunit *test)
{
	struct ring *ring = ring_create(test, 4);
	struct tring_memory *memory = ring->cpu_buffer->memory;
	struct tring_subbuf subbufs[5];
	struct tring_stats before, after;
	unsigned int i, shown;
	atomic64_t slots[4];
	long position;

	ring_fill(ring, 1200, 3);
	for (i = 0; i < 200; i++) {
		KUNIT_ASSERT_EQ(test, ring_write(ring, 16), 0);
		position = local_read(&ring->cpu_buffer->write);
		memcpy(subbufs, memory->subbufs, sizeof(subbufs));
		memcpy(slots, memory->slots, sizeof(slots));
		tring_buffer_stats(ring->buffer, ring->cpu, &before);
		shown = ring_peek_open(ring);
		KUNIT_ASSERT_EQ(test, shown, 4 + i);
		tring_buffer_stats(ring->buffer, ring->cpu, &after);
		KUNIT_ASSERT_EQ(test, memcmp(&before, &after, sizeof(after)), 0);
		KUNIT_ASSERT_EQ(test, memcmp(slots, memory->slots, sizeof(slots)), 0);
		KUNIT_ASSERT_EQ(test, memcmp(subbufs, memory->subbufs, sizeof(subbufs)), 0);
		KUNIT_ASSERT_EQ(test, local_read(&ring->cpu_buffer->write), position);
	}
	ring_finish(ring);
	KUNIT_EXPECT_EQ(test, ring->read, ring->committed);
	KUNIT_EXPECT_EQ(test, ring->gap, 0);
	ring_expect_sound(ring);
}

/* Memories that are older than overwritten packets go when a reader comes, not before. */
static void peek_drops_no_memory(struct kunit *test)
{
	struct ring *ring = ring_create(test, 4);
	struct tring_stats before, after;
	u64 shown;

	ring_fill(ring, 1200, 4);
	KUNIT_ASSERT_EQ(test, tring_buffer_resize(ring->buffer, ring->cpu, 8 * PAGE_SIZE), 0);
	ring_fill(ring, 3000, 9);
	tring_buffer_stats(ring->buffer, ring->cpu, &before);
	shown = ring_peek_open(ring);
	tring_buffer_stats(ring->buffer, ring->cpu, &after);
	KUNIT_EXPECT_EQ(test, shown, before.remaining);
	KUNIT_EXPECT_EQ(test, memcmp(&before, &after, sizeof(after)), 0);
	ring_finish(ring);
	ring_expect_sound(ring);
}

static struct kunit_case peek_cases[] = {
	KUNIT_CASE(peek_sees_what_is_read_later),
	KUNIT_CASE(peek_counts_what_was_not_shown),
	KUNIT_CASE(peek_shows_the_open_packet),
	KUNIT_CASE(peek_refuses_an_open_record),
	KUNIT_CASE(peek_refuses_a_packet_in_delivery),
	KUNIT_CASE(peek_evicts_nothing),
	KUNIT_CASE(peek_drops_no_memory),
	{ }
};

static struct kunit_suite peek_suite = {
	.name = "tring_peek",
	.test_cases = peek_cases,
};

kunit_test_suite(peek_suite);
