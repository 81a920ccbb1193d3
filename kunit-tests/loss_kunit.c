// SPDX-License-Identifier: GPL-2.0
/*
 * Events that are overwritten or refused, and their number in the packets' headers.
 */

#include <linux/cpumask.h>

#include "helpers.h"
#include "ring/internal.h"

/* The oldest packets are overwritten; a gap in the sequence numbers shows it. */
static void reserve_wraps_overwriting(struct kunit *test)
{
	struct ring *ring = ring_create(test, 3);
	u32 packet_size = TRING_PACKET_HEADER_SIZE + ring_size(ring, 1000, true) +
			  2 * ring_size(ring, 1000, false);
	struct tring_stats stats;

	ring_fill(ring, 1000, 3 * 10);
	tring_buffer_stats(ring->buffer, ring->cpu, &stats);
	KUNIT_EXPECT_EQ(test, stats.packets_overwritten, 7);
	KUNIT_EXPECT_EQ(test, stats.overwritten, 7 * 3);
	KUNIT_EXPECT_EQ(test, stats.overwritten_bytes, 7 * packet_size);
	KUNIT_EXPECT_EQ(test, stats.remaining, 3 * 3);
	ring_check_balance(ring);
	KUNIT_EXPECT_EQ(test, ring_take(ring, false), 0);
	KUNIT_EXPECT_EQ(test, ring->gap, 7);
	KUNIT_EXPECT_EQ(test, ring->last_lost, 7 * 3);
	ring_finish(ring);
	KUNIT_EXPECT_EQ(test, ring->gap, 7);
	ring_expect_sound(ring);
}

static void reserve_refuses_when_full(struct kunit *test)
{
	struct ring *ring = ring_create(test, 3);
	int i;

	tring_buffer_set_overwrite(ring->buffer, false);
	ring_fill(ring, 1000, 3 * 3);
	for (i = 0; i < 5; i++)
		KUNIT_EXPECT_EQ(test, ring_write(ring, 1000), -ENOBUFS);
	/* A record that still fits is accepted. */
	ring_fill(ring, 400, 1);
	KUNIT_EXPECT_EQ(test, ring_take(ring, false), 0);
	KUNIT_EXPECT_EQ(test, ring->last_lost, 0);
	ring_fill(ring, 1000, 3);
	KUNIT_EXPECT_EQ(test, ring_write(ring, 1000), -ENOBUFS);
	ring_finish(ring);
	KUNIT_EXPECT_EQ(test, ring->refused[TRING_REFUSED_NO_ROOM], 6);
	KUNIT_EXPECT_EQ(test, ring->gap, 0);
	ring_expect_sound(ring);
}

/*
 * In discard mode events_discarded is exact: the events refused before the record that
 * closed the packet, which is the next packet's first record.
 */
static void events_discarded_exact_refused(struct kunit *test)
{
	struct ring *ring = ring_create(test, 2);
	unsigned int lap, i;
	u64 refused = 0;

	tring_buffer_set_overwrite(ring->buffer, false);
	for (lap = 0; lap < 20; lap++) {
		/* Two packets, the second of which is open. */
		ring_fill(ring, 1200, 6);
		for (i = 0; i < lap; i++)
			KUNIT_EXPECT_EQ(test, ring_write(ring, 1200), -ENOBUFS);
		KUNIT_EXPECT_EQ(test, ring_take(ring, false), 0);
		KUNIT_EXPECT_EQ(test, ring->last_lost, refused);
		refused += lap;
		KUNIT_EXPECT_EQ(test, ring_take(ring, true), 0);
		KUNIT_EXPECT_EQ(test, ring->last_lost, refused);
	}
	ring_finish(ring);
	ring_expect_sound(ring);
}

/* In overwrite mode it is exact, too: the events overwritten before the packet. */
static void events_discarded_exact_overwritten(struct kunit *test)
{
	struct ring *ring = ring_create(test, 4);
	unsigned int lap;
	u64 lost = 0;

	for (lap = 0; lap < 20; lap++) {
		ring_fill(ring, 1200, 3 * (5 + lap));
		ring_flush(ring);
		lost += 3 * (1 + lap);
		while (!ring_take(ring, false))
			KUNIT_EXPECT_EQ(test, ring->last_lost, lost);
	}
	/* Refused events count from the packet in which they were refused. */
	ring_fill(ring, 1200, 3);
	KUNIT_EXPECT_EQ(test, ring_write(ring, PAGE_SIZE), -E2BIG);
	ring_fill(ring, 1200, 3 * 5);
	KUNIT_EXPECT_EQ(test, ring_take(ring, false), 0);
	KUNIT_EXPECT_EQ(test, ring->last_lost, lost + 3 * 2 + 1);
	ring_finish(ring);
	ring_expect_sound(ring);
}

/* Nested writers that wrap onto an open record are refused in both modes. */
static void reserve_wraps_onto_open_commit(struct kunit *test)
{
	struct ring *ring;
	struct event outer;
	int overwrite;

	for (overwrite = 0; overwrite < 2; overwrite++) {
		ring = ring_create(test, 3);
		tring_buffer_set_overwrite(ring->buffer, overwrite);
		ring_fill(ring, 1000, 1);
		KUNIT_ASSERT_EQ(test, ring_reserve(ring, 100, &outer), 0);
		ring_fill(ring, 1000, 2 + 2 * 3);
		KUNIT_EXPECT_EQ(test, ring_write(ring, 1000), -EBUSY);
		KUNIT_EXPECT_EQ(test, ring_write(ring, 1000), -EBUSY);
		KUNIT_EXPECT_EQ(test, ring_take_inside(ring, true), -EAGAIN);
		ring_commit(ring, &outer);
		KUNIT_EXPECT_EQ(test, ring->refused[TRING_REFUSED_OPEN_COMMIT], 2);
		KUNIT_EXPECT_EQ(test, ring_write(ring, 1000), overwrite ? 0 : -ENOBUFS);
		ring_finish(ring);
		ring_expect_sound(ring);
	}
}

static void reserve_recording_off(struct kunit *test)
{
	struct ring *ring = ring_create(test, 2);

	ring_fill(ring, 20, 3);
	tring_buffer_set_recording(ring->buffer, false);
	KUNIT_EXPECT_EQ(test, ring_write(ring, 20), -ESHUTDOWN);
	KUNIT_EXPECT_EQ(test, ring_write(ring, PAGE_SIZE), -ESHUTDOWN);
	ring_drain(ring);
	KUNIT_EXPECT_EQ(test, ring->read, 3);
	tring_buffer_set_recording(ring->buffer, true);
	/* Recording was off on request, so these events are not lost. */
	ring_finish(ring);
	KUNIT_EXPECT_EQ(test, ring->last_lost, 0);
	KUNIT_EXPECT_EQ(test, ring->refused[TRING_REFUSED_OFF], 2);
	ring_expect_sound(ring);
}

static void reserve_cpu_left_out(struct kunit *test)
{
	struct ring *ring = ring_create(test, 2);

	ring_fill(ring, 20, 3);
	tring_buffer_set_cpus(ring->buffer, cpu_none_mask);
	KUNIT_EXPECT_EQ(test, ring_write(ring, 20), -ESHUTDOWN);
	/* Neither switching on nor another memory lets the CPU record. */
	tring_buffer_set_recording(ring->buffer, true);
	KUNIT_EXPECT_EQ(test, ring_write(ring, 20), -ESHUTDOWN);
	KUNIT_EXPECT_EQ(test, tring_buffer_resize(ring->buffer, ring->cpu, 3 * PAGE_SIZE), 0);
	KUNIT_EXPECT_EQ(test, ring_write(ring, 20), -ESHUTDOWN);
	/* No other reason counts, such as a new trace that begins. */
	WRITE_ONCE(ring->cpu_buffer->draining, true);
	KUNIT_EXPECT_EQ(test, ring_write(ring, 20), -ESHUTDOWN);
	tring_buffer_set_cpus(ring->buffer, cpu_possible_mask);
	ring_fill(ring, 20, 3);
	ring_drain(ring);
	KUNIT_EXPECT_EQ(test, ring->read, 6);
	/* As if recording had been off there. */
	ring_finish(ring);
	KUNIT_EXPECT_EQ(test, ring->last_lost, 0);
	KUNIT_EXPECT_EQ(test, ring->refused[TRING_REFUSED_OFF], 4);
	ring_expect_sound(ring);
}

static void reserve_off_while_open(struct kunit *test)
{
	struct ring *ring = ring_create(test, 2);
	struct event outer;

	KUNIT_ASSERT_EQ(test, ring_reserve(ring, 20, &outer), 0);
	/* Switching off would wait for the open record, so do only its first half. */
	WRITE_ONCE(ring->buffer->wanted_recording, false);
	tring_ring_update_limit(ring->cpu_buffer, false);
	KUNIT_EXPECT_EQ(test, ring_write(ring, 20), -ESHUTDOWN);
	ring_commit(ring, &outer);
	ring_drain(ring);
	KUNIT_EXPECT_EQ(test, ring->read, 1);
	tring_buffer_set_recording(ring->buffer, true);
	ring_finish(ring);
	ring_expect_sound(ring);
}

static void reserve_stopped_ring(struct kunit *test)
{
	struct ring *ring = ring_create(test, 2);

	ring_fill(ring, 20, 3);
	tring_ring_stop(ring->cpu_buffer);
	KUNIT_EXPECT_EQ(test, ring_write(ring, 20), -EIO);
	/* Switching on does not start a stopped ring; its packets can be read. */
	tring_buffer_set_recording(ring->buffer, true);
	KUNIT_EXPECT_EQ(test, ring_write(ring, 20), -EIO);
	ring_drain(ring);
	KUNIT_EXPECT_EQ(test, ring->read, 3);
	KUNIT_EXPECT_EQ(test, ring->refused[TRING_REFUSED_STOPPED], 2);
	ring_check_balance(ring);

	/* New memory starts it. */
	tring_reader_release(ring->stream);
	KUNIT_EXPECT_EQ(test, tring_buffer_resize(ring->buffer, ring->cpu,
						  3 * PAGE_SIZE), 0);
	KUNIT_EXPECT_EQ(test, tring_reader_open(ring->stream), 0);
	ring_finish(ring);
	KUNIT_EXPECT_EQ(test, ring->last_lost, 2);
	ring_expect_sound(ring);
}

static struct kunit_case loss_cases[] = {
	KUNIT_CASE(reserve_wraps_overwriting),
	KUNIT_CASE(reserve_refuses_when_full),
	KUNIT_CASE(events_discarded_exact_refused),
	KUNIT_CASE(events_discarded_exact_overwritten),
	KUNIT_CASE(reserve_wraps_onto_open_commit),
	KUNIT_CASE(reserve_recording_off),
	KUNIT_CASE(reserve_cpu_left_out),
	KUNIT_CASE(reserve_off_while_open),
	KUNIT_CASE(reserve_stopped_ring),
	{ }
};

static struct kunit_suite loss_suite = {
	.name = "tring_loss",
	.test_cases = loss_cases,
};

kunit_test_suite(loss_suite);
