// SPDX-License-Identifier: GPL-2.0
/*
 * Sizes, clocks and switches: what they refuse, what they leave as it was, and
 * what becomes of records that nobody has read.
 */

#include "clock.h"
#include "helpers.h"
#include "ring_internal.h"

/* A change of configuration needs the reader out. */
static void close_reader(struct ring *ring)
{
	tring_reader_release(ring->buffer, ring->cpu);
}

static void open_reader(struct ring *ring)
{
	KUNIT_ASSERT_EQ(ring->test, tring_reader_open(ring->buffer, ring->cpu), 0);
}

static void resize_with_reader_is_busy(struct kunit *test)
{
	struct ring *ring = ring_create(test, 3);
	u8 uuid[TRING_UUID_SIZE];

	ring_fill(ring, 3000, 2);
	memcpy(uuid, ring->buffer->uuid, sizeof(uuid));
	KUNIT_EXPECT_EQ(test, tring_buffer_resize(ring->buffer, ring->cpu, PAGE_SIZE * 8),
			-EBUSY);
	KUNIT_EXPECT_EQ(test, tring_buffer_resize(ring->buffer, -1, PAGE_SIZE * 8), -EBUSY);
	KUNIT_EXPECT_EQ(test, tring_buffer_set_subbuf_size(ring->buffer, PAGE_SIZE * 2), -EBUSY);
	KUNIT_EXPECT_EQ(test, tring_buffer_set_clock(ring->buffer, TRING_CLOCK_BOOT), -EBUSY);
	KUNIT_EXPECT_EQ(test, tring_buffer_size(ring->buffer, ring->cpu), 3 * PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, tring_buffer_subbuf_size(ring->buffer), PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, ring->buffer->clock, TRING_CLOCK_MONO);
	KUNIT_EXPECT_MEMEQ(test, ring->buffer->uuid, uuid, sizeof(uuid));
	ring_finish(ring);
	KUNIT_EXPECT_EQ(test, ring->gap, 0);
	ring_expect_sound(ring);
}

static void resize_out_of_bounds(struct kunit *test)
{
	struct ring *ring = ring_create(test, 3);

	ring_fill(ring, 3000, 2);
	close_reader(ring);
	KUNIT_EXPECT_EQ(test, tring_buffer_resize(ring->buffer, ring->cpu, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, tring_buffer_resize(ring->buffer, ring->cpu, ULONG_MAX), -EINVAL);
	KUNIT_EXPECT_EQ(test, tring_buffer_set_subbuf_size(ring->buffer, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, tring_buffer_set_subbuf_size(ring->buffer,
							   TRING_SUBBUF_SIZE_MAX + 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, tring_buffer_set_subbuf_size(ring->buffer, ULONG_MAX), -EINVAL);
	KUNIT_EXPECT_EQ(test, tring_buffer_set_clock(ring->buffer, TRING_CLOCKS), -EINVAL);
	open_reader(ring);
	ring_finish(ring);
	KUNIT_EXPECT_EQ(test, ring->gap, 0);
	ring_expect_sound(ring);
}

/*
 * More than any machine has. Sub-buffers of the largest size, so that it is the
 * large blocks that run out, and the rest of the kernel goes on.
 */
static void resize_without_memory(struct kunit *test)
{
	struct ring *ring = ring_create_sized(test, 2, TRING_SUBBUF_SIZE_MAX);

	ring_fill(ring, 3000, 2);
	close_reader(ring);
	KUNIT_EXPECT_EQ(test, tring_buffer_resize(ring->buffer, ring->cpu,
						  TRING_SUBBUFS_MAX * TRING_SUBBUF_SIZE_MAX),
			-ENOMEM);
	KUNIT_EXPECT_EQ(test, tring_buffer_size(ring->buffer, ring->cpu),
			2 * TRING_SUBBUF_SIZE_MAX);
	open_reader(ring);
	ring_finish(ring);
	KUNIT_EXPECT_EQ(test, ring->gap, 0);
	ring_expect_sound(ring);
}

/* What was there counts as overwritten; numbers go on; all of it adds up. */
static void resize_counts_content_as_overwritten(struct kunit *test)
{
	struct ring *ring = ring_create(test, 4);
	struct tring_stats stats;
	unsigned int i;

	for (i = 1; i < 12; i++) {
		/* Two packets, the second open; on odd turns nothing is open. */
		ring_fill(ring, 1200, 5);
		if (i % 2)
			ring_flush(ring);
		if (i % 3 == 0)
			ring_take(ring, false);
		close_reader(ring);
		KUNIT_ASSERT_EQ(test, tring_buffer_resize(ring->buffer, ring->cpu,
							  i * PAGE_SIZE), 0);
		KUNIT_EXPECT_EQ(test, tring_buffer_size(ring->buffer, ring->cpu),
				max(i, 2U) * PAGE_SIZE);
		tring_buffer_stats(ring->buffer, ring->cpu, &stats);
		KUNIT_EXPECT_EQ(test, stats.remaining, 0);
		KUNIT_EXPECT_EQ(test, stats.overwritten_bytes + stats.read_bytes,
				stats.committed_bytes);
		open_reader(ring);
		ring_check_balance(ring);
		ring_finish(ring);
	}
	KUNIT_EXPECT_GT(test, ring->gap, 0);
	ring_expect_sound(ring);
}

/* Also what a reader took and did not put back. */
static void resize_counts_held_packet_as_overwritten(struct kunit *test)
{
	struct ring *ring = ring_create(test, 4);
	struct tring_packet packet;

	ring_fill(ring, 1200, 7);
	KUNIT_ASSERT_EQ(test, tring_reader_take(ring->buffer, ring->cpu, false, &packet), 0);
	close_reader(ring);
	KUNIT_ASSERT_EQ(test, tring_buffer_resize(ring->buffer, ring->cpu, 3 * PAGE_SIZE), 0);
	open_reader(ring);
	ring_check_balance(ring);
	ring_finish(ring);
	KUNIT_EXPECT_EQ(test, ring->gap, 3);
	KUNIT_EXPECT_EQ(test, ring->last_lost, 7);
	ring_expect_sound(ring);
}

/* An entered packet of which the only record was taken back has a number, too. */
static void resize_after_discard(struct kunit *test)
{
	struct ring *ring = ring_create(test, 4);
	struct event event;

	KUNIT_ASSERT_EQ(test, ring_reserve(ring, 100, &event), 0);
	ring_discard(ring, &event);
	close_reader(ring);
	KUNIT_ASSERT_EQ(test, tring_buffer_resize(ring->buffer, ring->cpu, 2 * PAGE_SIZE), 0);
	open_reader(ring);
	ring_check_balance(ring);
	ring_finish(ring);
	ring_expect_sound(ring);
}

static void set_subbuf_size_keeps_ring_size(struct kunit *test)
{
	struct ring *ring = ring_create(test, 16);
	unsigned long size;

	for (size = 1; size <= 8 * PAGE_SIZE; size = size * 2 + 1) {
		ring_fill(ring, 1200, 5);
		close_reader(ring);
		KUNIT_ASSERT_EQ(test, tring_buffer_set_subbuf_size(ring->buffer, size), 0);
		open_reader(ring);
		KUNIT_EXPECT_EQ(test, tring_buffer_subbuf_size(ring->buffer),
				max(roundup_pow_of_two(size), PAGE_SIZE));
		KUNIT_EXPECT_EQ(test, tring_buffer_size(ring->buffer, ring->cpu),
				16 * PAGE_SIZE);
		KUNIT_EXPECT_EQ(test, ring_write(ring, tring_buffer_subbuf_size(ring->buffer)),
				-E2BIG);
		ring_fill(ring, tring_buffer_subbuf_size(ring->buffer) - 100, 20);
		ring_finish(ring);
	}
	ring_expect_sound(ring);
}

static void set_clock_begins_new_trace(struct kunit *test)
{
	struct ring *ring = ring_create(test, 3);
	u8 uuid[TRING_UUID_SIZE];
	int clock;

	for (clock = TRING_CLOCKS - 1; clock >= 0; clock--) {
		if (!tring_clock_available(clock)) {
			KUNIT_EXPECT_EQ(test, tring_buffer_set_clock(ring->buffer, clock),
					-EINVAL);
			continue;
		}
		ring_fill(ring, 1200, 5);
		memcpy(uuid, ring->buffer->uuid, sizeof(uuid));
		close_reader(ring);
		KUNIT_EXPECT_EQ(test, tring_buffer_set_clock(ring->buffer, clock), 0);
		KUNIT_EXPECT_NE(test, memcmp(ring->buffer->uuid, uuid, sizeof(uuid)), 0);
		/* Once more is no change. */
		memcpy(uuid, ring->buffer->uuid, sizeof(uuid));
		KUNIT_EXPECT_EQ(test, tring_buffer_set_clock(ring->buffer, clock), 0);
		KUNIT_EXPECT_MEMEQ(test, ring->buffer->uuid, uuid, sizeof(uuid));
		open_reader(ring);

		/* Timestamps of the real clock, with nothing to compare to. */
		KUNIT_EXPECT_EQ(test, ring->cpu_buffer->clock, clock);
		ring->unsteady = true;
		ring->last_stamp = 0;
		ring_fill(ring, 1200, 5);
		ring_finish(ring);
		KUNIT_EXPECT_GT(test, ring->last_stamp, 0);
		KUNIT_EXPECT_GT(test, tring_clock_frequency(clock), 0);
		KUNIT_EXPECT_EQ(test, tring_clock_find(tring_clock_name(clock)), clock);
	}
	KUNIT_EXPECT_EQ(test, tring_clock_find("no such clock"), -EINVAL);
	ring_expect_sound(ring);
}

static void destroy_buffer(void *buffer)
{
	tring_buffer_destroy(buffer);
}

static void allocate_only_when_recording_is_possible(struct kunit *test)
{
	struct tring_buffer *buffer = tring_buffer_create();
	struct tring_record record;
	struct tring_stats stats;
	struct tring_packet packet;
	int cpu = raw_smp_processor_id();

	KUNIT_ASSERT_NOT_NULL(test, buffer);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, destroy_buffer, buffer), 0);
	KUNIT_ASSERT_EQ(test, set_cpus_allowed_ptr(current, cpumask_of(cpu)), 0);
	KUNIT_EXPECT_EQ(test, tring_buffer_total_size(buffer), 0);
	KUNIT_EXPECT_EQ(test, tring_buffer_size(buffer, cpu), TRING_BUFFER_SIZE_DEFAULT);
	KUNIT_EXPECT_EQ(test, tring_reserve(buffer, 1, 12, &record), -ESHUTDOWN);
	tring_buffer_set_recording(buffer, true);
	KUNIT_EXPECT_EQ(test, tring_reserve(buffer, 1, 12, &record), -ENOMEM);
	KUNIT_EXPECT_EQ(test, tring_reader_take(buffer, cpu, true, &packet), -EAGAIN);
	KUNIT_EXPECT_FALSE(test, tring_reader_has_data(buffer, cpu));
	tring_buffer_stats(buffer, cpu, &stats);
	KUNIT_EXPECT_EQ(test, stats.refused[TRING_REFUSED_OFF], 1);
	KUNIT_EXPECT_EQ(test, stats.refused[TRING_REFUSED_NO_MEMORY], 1);

	KUNIT_ASSERT_EQ(test, tring_buffer_allocate(buffer), 0);
	KUNIT_ASSERT_EQ(test, tring_buffer_allocate(buffer), 0);
	KUNIT_EXPECT_EQ(test, tring_buffer_total_size(buffer),
			num_online_cpus() * TRING_BUFFER_SIZE_DEFAULT);
	KUNIT_ASSERT_EQ(test, tring_reserve(buffer, 1, 12, &record), 0);
	tring_commit(&record);
	KUNIT_EXPECT_EQ(test, tring_reader_take(buffer, cpu, true, &packet), 0);
	KUNIT_EXPECT_EQ(test, packet.events, 1);
	KUNIT_EXPECT_EQ(test, ((struct tring_packet_header *)packet.data)->events_discarded, 1);
	tring_reader_put(buffer, cpu);
	tring_buffer_set_recording(buffer, false);
}

/* The ring has no sub-buffers for a moment: events then are lost, and counted. */
static void reserve_while_ring_is_exchanged(struct kunit *test)
{
	struct ring *ring = ring_create(test, 3);

	ring_fill(ring, 100, 3);
	/* As a resize does before it waits for writers. */
	WRITE_ONCE(ring->cpu_buffer->draining, true);
	WRITE_ONCE(ring->cpu_buffer->limit, 0);
	KUNIT_EXPECT_EQ(test, ring_write(ring, 100), -ENOMEM);
	tring_ring_update_limit(ring->cpu_buffer);
	ring_finish(ring);
	KUNIT_EXPECT_EQ(test, ring->last_lost, 1);
	ring_expect_sound(ring);
}

static void set_overwrite_takes_effect_at_next_sub_buffer(struct kunit *test)
{
	struct ring *ring = ring_create(test, 2);

	tring_buffer_set_overwrite(ring->buffer, false);
	ring_fill(ring, 3000, 2);
	KUNIT_EXPECT_EQ(test, ring_write(ring, 3000), -ENOBUFS);
	tring_buffer_set_overwrite(ring->buffer, true);
	ring_fill(ring, 3000, 2);
	tring_buffer_set_overwrite(ring->buffer, false);
	KUNIT_EXPECT_EQ(test, ring_write(ring, 3000), -ENOBUFS);
	ring_finish(ring);
	KUNIT_EXPECT_EQ(test, ring->gap, 2);
	ring_expect_sound(ring);
}

static struct kunit_case config_cases[] = {
	KUNIT_CASE(resize_with_reader_is_busy),
	KUNIT_CASE(resize_out_of_bounds),
	KUNIT_CASE(resize_without_memory),
	KUNIT_CASE(resize_counts_content_as_overwritten),
	KUNIT_CASE(resize_counts_held_packet_as_overwritten),
	KUNIT_CASE(resize_after_discard),
	KUNIT_CASE(set_subbuf_size_keeps_ring_size),
	KUNIT_CASE(set_clock_begins_new_trace),
	KUNIT_CASE(allocate_only_when_recording_is_possible),
	KUNIT_CASE(reserve_while_ring_is_exchanged),
	KUNIT_CASE(set_overwrite_takes_effect_at_next_sub_buffer),
	{ }
};

static struct kunit_suite config_suite = {
	.name = "tring_config",
	.test_cases = config_cases,
};

kunit_test_suite(config_suite);
