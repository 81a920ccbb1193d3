// SPDX-License-Identifier: GPL-2.0
/*
 * Changes of size, sub-buffer size and mode, snapshots: bad arguments, and
 * what becomes of unread records.
 */

#include <linux/cpu.h>
#include <linux/err.h>
#include <linux/list.h>

#include "helpers.h"
#include "ring/internal.h"

static void resize_out_of_bounds(struct kunit *test)
{
	struct ring *ring = ring_create(test, 3);

	ring_fill(ring, 3000, 2);
	KUNIT_EXPECT_EQ(test, tring_buffer_resize(ring->buffer, ring->cpu, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, tring_buffer_resize(ring->buffer, ring->cpu, ULONG_MAX), -EINVAL);
	KUNIT_EXPECT_EQ(test, tring_buffer_set_subbuf_size(ring->buffer, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, tring_buffer_set_subbuf_size(ring->buffer,
							   TRING_SUBBUF_SIZE_MAX + 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, tring_buffer_set_subbuf_size(ring->buffer, ULONG_MAX), -EINVAL);
	ring_finish(ring);
	KUNIT_EXPECT_EQ(test, ring->gap, 0);
	ring_expect_sound(ring);
}

/*
 * More memory than any machine has. With sub-buffers of the largest size only large
 * blocks run out, and the rest of the kernel keeps its memory.
 */
static void resize_without_memory(struct kunit *test)
{
	struct ring *ring = ring_create_sized(test, 2, TRING_SUBBUF_SIZE_MAX);

	ring_fill(ring, 3000, 2);
	KUNIT_EXPECT_EQ(test, tring_buffer_resize(ring->buffer, ring->cpu,
						  TRING_SUBBUFS_MAX * TRING_SUBBUF_SIZE_MAX),
			-ENOMEM);
	KUNIT_EXPECT_EQ(test, tring_buffer_size(ring->buffer, ring->cpu),
			2 * TRING_SUBBUF_SIZE_MAX);
	ring_finish(ring);
	KUNIT_EXPECT_EQ(test, ring->gap, 0);
	ring_expect_sound(ring);
}

/* Smaller sub-buffers are more: of a ring that gets its memory later, too. */
static void subbuf_size_gives_too_many(struct kunit *test)
{
	struct tring_buffer *buffer = tring_buffer_create();

	KUNIT_ASSERT_NOT_NULL(test, buffer);
	KUNIT_EXPECT_EQ(test, tring_buffer_set_subbuf_size(buffer, TRING_SUBBUF_SIZE_MAX), 0);
	tring_cpu_buffer(buffer, 0)->wanted_bytes = (TRING_SUBBUFS_MAX + 1) * PAGE_SIZE;
	KUNIT_EXPECT_EQ(test, tring_buffer_set_subbuf_size(buffer, PAGE_SIZE), -EINVAL);
	KUNIT_EXPECT_EQ(test, tring_buffer_subbuf_size(buffer), TRING_SUBBUF_SIZE_MAX);
	KUNIT_EXPECT_EQ(test, tring_buffer_set_subbuf_size(buffer, 2 * PAGE_SIZE), 0);
	tring_buffer_destroy(buffer);
}

static u64 count_overwritten(struct ring *ring)
{
	struct tring_stats stats;

	tring_buffer_stats(ring->buffer, ring->cpu, &stats);
	return stats.overwritten;
}

/* Growing and shrinking, with a reader and open packets, loses no event. */
static void resize_keeps_content(struct kunit *test)
{
	struct ring *ring = ring_create(test, 4);
	unsigned int i;

	tring_buffer_set_overwrite(ring->buffer, false);
	for (i = 1; i < 12; i++) {
		/* Two packets; the second one is open on even turns. */
		ring_fill(ring, 1200, 5);
		if (i % 2)
			ring_flush(ring);
		if (i % 3 == 0)
			ring_take(ring, false);
		KUNIT_ASSERT_EQ(test, tring_buffer_resize(ring->buffer, ring->cpu,
							  (3 + i % 5) * PAGE_SIZE + 1), 0);
		KUNIT_EXPECT_EQ(test, tring_buffer_size(ring->buffer, ring->cpu),
				(4 + i % 5) * PAGE_SIZE);
		ring_check_balance(ring);
		ring_fill(ring, 1200, 2);
		if (i % 4 == 0)
			ring_finish(ring);
	}
	ring_finish(ring);
	KUNIT_EXPECT_EQ(test, ring->gap, 0);
	KUNIT_EXPECT_EQ(test, count_overwritten(ring), 0);
	ring_expect_sound(ring);
}

/* Several changes of both sizes with no read in between. */
static void resize_many_times_unread(struct kunit *test)
{
	struct ring *ring = ring_create(test, 4);
	unsigned int i;
	int err;

	tring_buffer_set_overwrite(ring->buffer, false);
	for (i = 0; i < 20; i++) {
		ring_fill(ring, 700, 7);
		if (i % 2)
			err = tring_buffer_resize(ring->buffer, ring->cpu, (4 + i) * PAGE_SIZE);
		else
			err = tring_buffer_set_subbuf_size(ring->buffer,
							   PAGE_SIZE << (i / 2 % 3));
		KUNIT_ASSERT_EQ(test, err, 0);
	}
	ring_check_balance(ring);
	ring_finish(ring);
	KUNIT_EXPECT_EQ(test, ring->read, 20 * 7 + 1);
	KUNIT_EXPECT_EQ(test, ring->gap, 0);
	ring_expect_sound(ring);
}

/* A ring in overwrite mode keeps as many of the older packets as it has sub-buffers. */
static void resize_drops_surplus(struct kunit *test)
{
	struct ring *ring = ring_create(test, 10);

	ring_fill(ring, 3000, 9);
	KUNIT_ASSERT_EQ(test, tring_buffer_resize(ring->buffer, ring->cpu, 4 * PAGE_SIZE), 0);
	ring_check_balance(ring);
	KUNIT_EXPECT_EQ(test, count_overwritten(ring), 5);
	ring_finish(ring);
	KUNIT_EXPECT_EQ(test, ring->gap, 5);
	KUNIT_EXPECT_EQ(test, ring->last_lost, 5);
	ring_expect_sound(ring);
}

/* Once writers have wrapped in the new memory, a reader drops the older packets. */
static void resize_drops_older_than_overwritten(struct kunit *test)
{
	struct ring *ring = ring_create(test, 4);

	ring_fill(ring, 3000, 3);
	KUNIT_ASSERT_EQ(test, tring_buffer_resize(ring->buffer, ring->cpu, 4 * PAGE_SIZE), 0);
	KUNIT_EXPECT_EQ(test, count_overwritten(ring), 0);
	ring_fill(ring, 3000, 5);
	KUNIT_EXPECT_EQ(test, count_overwritten(ring), 1);
	ring_check_balance(ring);
	KUNIT_EXPECT_EQ(test, ring_peek(ring), 3 + 4 - 1);
	KUNIT_EXPECT_EQ(test, count_overwritten(ring), 1);
	KUNIT_EXPECT_EQ(test, ring_take(ring, false), 0);
	KUNIT_EXPECT_EQ(test, count_overwritten(ring), 3 + 1);
	KUNIT_EXPECT_TRUE(test,
			  list_is_singular(&ring->cpu_buffer->streams[TRING_LIVE].memories));
	ring_check_balance(ring);
	ring_finish(ring);
	KUNIT_EXPECT_EQ(test, ring->last_lost, 4);
	ring_expect_sound(ring);
}

/* A packet that a reader holds stays valid when its memory is replaced. */
static void resize_keeps_held_packet(struct kunit *test)
{
	struct ring *ring = ring_create(test, 4);
	struct tring_packet packet, again;
	unsigned int i;

	ring_fill(ring, 1200, 7);
	KUNIT_ASSERT_EQ(test, tring_reader_take(ring->stream, false, &packet), 0);
	for (i = 2; i < 6; i++) {
		KUNIT_ASSERT_EQ(test, tring_buffer_resize(ring->buffer, ring->cpu,
							  i * PAGE_SIZE), 0);
		ring_fill(ring, 1200, 20);
	}
	KUNIT_ASSERT_EQ(test, tring_reader_take(ring->stream, false, &again), 0);
	KUNIT_EXPECT_PTR_EQ(test, again.data, packet.data);
	ring_verify(ring, &again);
	tring_reader_put(ring->stream);
	ring_finish(ring);
	ring_expect_sound(ring);
}

/* Memory of another kind: what it has, and how many parts of it are left. */
static size_t other_bytes;
static unsigned int other_parts;

static int ask_other(unsigned long bytes)
{
	return 0;
}

static void *alloc_other(size_t size, int node, bool contiguous)
{
	if (!other_parts)
		return ERR_PTR(-ENOMEM);
	other_parts--;
	other_bytes += size;
	return tring_pages.alloc(size, node, contiguous);
}

static void free_other(const void *data, size_t size, bool contiguous)
{
	other_bytes -= size;
	tring_pages.free(data, size, contiguous);
}

static const struct tring_allocator other_pages = {
	.ask	= ask_other,
	.alloc	= alloc_other,
	.free	= free_other,
};

static int move_to(struct ring *ring, const struct tring_allocator *allocator)
{
	int err;

	tring_buffer_lock(ring->buffer);
	err = tring_buffer_set_allocator(ring->buffer, allocator);
	tring_buffer_unlock(ring->buffer);
	return err;
}

/* A ring that moves keeps its content, and each part goes back to where it came from. */
static void allocator_is_changed(struct kunit *test)
{
	struct ring *ring = ring_create(test, 4);

	ring_fill(ring, 1200, 5);
	/* Slots and two of five sub-buffers. */
	other_parts = 3;
	KUNIT_EXPECT_EQ(test, move_to(ring, &other_pages), -ENOMEM);
	KUNIT_EXPECT_PTR_EQ(test, ring->buffer->allocator, &tring_pages);
	KUNIT_EXPECT_EQ(test, other_bytes, 0);
	ring_fill(ring, 1200, 1);
	other_parts = 6;
	KUNIT_ASSERT_EQ(test, move_to(ring, &other_pages), 0);
	KUNIT_EXPECT_GT(test, other_bytes, 5 * PAGE_SIZE);
	ring_fill(ring, 1200, 3);
	KUNIT_ASSERT_EQ(test, move_to(ring, &tring_pages), 0);
	ring_fill(ring, 1200, 1);
	ring_finish(ring);
	KUNIT_EXPECT_EQ(test, ring->gap, 0);
	KUNIT_EXPECT_EQ(test, other_bytes, 0);
	ring_expect_sound(ring);
}

/* A packet whose only record was taken back is empty and never delivered. */
static void resize_after_discard(struct kunit *test)
{
	struct ring *ring = ring_create(test, 4);
	struct event event;

	KUNIT_ASSERT_EQ(test, ring_reserve(ring, 100, &event), 0);
	ring_discard(ring, &event);
	KUNIT_ASSERT_EQ(test, tring_buffer_resize(ring->buffer, ring->cpu, 2 * PAGE_SIZE), 0);
	ring_check_balance(ring);
	ring_finish(ring);
	KUNIT_EXPECT_EQ(test, ring->gap, 0);
	ring_expect_sound(ring);
}

static void read_snapshot(struct ring *ring)
{
	struct tring_stream *live = ring->stream;

	ring->stream = tring_buffer_stream(ring->buffer, ring->cpu, TRING_SNAPSHOT);
	ring_drain(ring);
	ring->stream = live;
}

/* A snapshot takes all unread packets; later packets are live; both can be read. */
static void snapshot_takes_all_aside(struct kunit *test)
{
	struct ring *ring = ring_create(test, 4);
	struct tring_stats stats;
	unsigned int i;

	for (i = 0; i < 4; i++) {
		ring_fill(ring, 1200, 5);
		/* Packets in older memory are part of the snapshot. */
		if (i % 2)
			KUNIT_ASSERT_EQ(test, tring_buffer_resize(ring->buffer, ring->cpu,
								  5 * PAGE_SIZE), 0);
		ring_fill(ring, 1200, 2);
		KUNIT_ASSERT_EQ(test, ring_snapshot(ring->buffer), 0);
		KUNIT_EXPECT_TRUE(test, ring_has_snapshot(ring));
		tring_buffer_stats(ring->buffer, ring->cpu, &stats);
		KUNIT_EXPECT_EQ(test, stats.snapshot, 7);
		KUNIT_EXPECT_GT(test, stats.snapshot_bytes, 7 * 1192);
		KUNIT_EXPECT_EQ(test, stats.remaining, 7);
		KUNIT_EXPECT_EQ(test, stats.overwritten, 0);
		ring_fill(ring, 1200, 3);
		read_snapshot(ring);
		KUNIT_EXPECT_FALSE(test, ring_has_snapshot(ring));
		ring_check_balance(ring);
		ring_finish(ring);
		KUNIT_EXPECT_EQ(test, ring->gap, 0);
	}
	ring_expect_sound(ring);
}

/* Writers may fill the new memory before the switch's grace periods are over. */
static void snapshot_outlives_a_wrap(struct kunit *test)
{
	struct ring *ring = ring_create(test, 4);
	struct tring_stats stats;

	ring_fill(ring, 3000, 3);
	KUNIT_ASSERT_EQ(test, ring_switch(ring, 4, PAGE_SIZE), 0);
	ring_fill(ring, 3000, 9);
	ring_settle(ring, true);
	tring_buffer_stats(ring->buffer, ring->cpu, &stats);
	KUNIT_EXPECT_EQ(test, stats.snapshot, 3);
	KUNIT_EXPECT_EQ(test, stats.overwritten_snapshot, 0);
	KUNIT_EXPECT_EQ(test, stats.overwritten, 5);
	ring_check_balance(ring);
}

/* A new snapshot drops and counts the unread one before it. */
static void snapshot_replaces_the_former(struct kunit *test)
{
	struct ring *ring = ring_create(test, 4);
	struct tring_stats stats;

	ring_fill(ring, 1200, 5);
	KUNIT_ASSERT_EQ(test, ring_snapshot(ring->buffer), 0);
	ring_fill(ring, 1200, 4);
	KUNIT_ASSERT_EQ(test, ring_snapshot(ring->buffer), 0);
	KUNIT_EXPECT_EQ(test, count_overwritten(ring), 5);
	ring_check_balance(ring);
	tring_buffer_drop_snapshot(ring->buffer);
	KUNIT_EXPECT_FALSE(test, ring_has_snapshot(ring));
	KUNIT_EXPECT_EQ(test, count_overwritten(ring), 9);
	ring_check_balance(ring);
	KUNIT_EXPECT_EQ(test, ring->cpu_buffer->streams[TRING_LIVE].lost, 0);
	tring_buffer_stats(ring->buffer, ring->cpu, &stats);
	KUNIT_EXPECT_EQ(test, stats.overwritten_snapshot, 9);
}

/* A packet that a reader holds survives one snapshot and a second one. */
static void snapshot_leaves_held_packet(struct kunit *test)
{
	struct ring *ring = ring_create(test, 4);
	struct tring_packet packet;

	ring_fill(ring, 1200, 7);
	KUNIT_ASSERT_EQ(test, tring_reader_take(ring->stream, false, &packet), 0);
	KUNIT_ASSERT_EQ(test, ring_snapshot(ring->buffer), 0);
	ring_check_balance(ring);
	KUNIT_ASSERT_EQ(test, ring_snapshot(ring->buffer), 0);
	ring_check_balance(ring);
	KUNIT_EXPECT_EQ(test, count_overwritten(ring), 7 - packet.events);
	ring_verify(ring, &packet);
	tring_reader_put(ring->stream);
	ring_check_balance(ring);
	ring_expect_sound(ring);
}

/* What a reader has left half read goes with its snapshot, but not from a reader that is open. */
static void snapshot_goes_whole(struct kunit *test)
{
	struct ring *ring = ring_create(test, 4);
	struct tring_stream *aside = tring_buffer_stream(ring->buffer, ring->cpu, TRING_SNAPSHOT);
	struct tring_packet packet;
	struct tring_stats stats;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		ring_fill(ring, 1200, 7);
		KUNIT_ASSERT_EQ(test, ring_snapshot(ring->buffer), 0);
		KUNIT_ASSERT_EQ(test, tring_reader_open(aside), 0);
		KUNIT_ASSERT_EQ(test, tring_reader_take(aside, false, &packet), 0);
		tring_buffer_drop_snapshot(ring->buffer);
		KUNIT_EXPECT_EQ(test, count_overwritten(ring), (i + 1) * 7 - packet.events);
		tring_reader_release(aside);
		if (i)
			tring_buffer_drop_snapshot(ring->buffer);
		else
			KUNIT_ASSERT_EQ(test, ring_snapshot(ring->buffer), 0);
		tring_buffer_stats(ring->buffer, ring->cpu, &stats);
		KUNIT_EXPECT_EQ(test, stats.snapshot, 0);
		KUNIT_EXPECT_EQ(test, stats.overwritten_snapshot, (i + 1) * 7);
		ring_check_balance(ring);
	}
}

static void set_subbuf_size_keeps_ring_size(struct kunit *test)
{
	struct ring *ring = ring_create(test, 16);
	unsigned long size;

	for (size = 1; size <= 8 * PAGE_SIZE; size = size * 2 + 1) {
		ring_fill(ring, 1200, 5);
		KUNIT_ASSERT_EQ(test, tring_buffer_set_subbuf_size(ring->buffer, size), 0);
		KUNIT_EXPECT_EQ(test, tring_buffer_subbuf_size(ring->buffer),
				max(roundup_pow_of_two(size), PAGE_SIZE));
		KUNIT_EXPECT_EQ(test, tring_buffer_size(ring->buffer, ring->cpu),
				16 * PAGE_SIZE);
		KUNIT_EXPECT_EQ(test, ring_write(ring, tring_buffer_subbuf_size(ring->buffer)),
				-E2BIG);
		ring_fill(ring, RING_LONGEST_IN(tring_buffer_subbuf_size(ring->buffer)), 20);
		ring_finish(ring);
	}
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
	struct tring_stream *stream;
	/* Stays in the buffer until that is destroyed, behind the end of the case. */
	static struct tring_key key;

	KUNIT_ASSERT_NOT_NULL(test, buffer);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, destroy_buffer, buffer), 0);
	stream = tring_buffer_stream(buffer, cpu, TRING_LIVE);
	KUNIT_ASSERT_EQ(test, set_cpus_allowed_ptr(current, cpumask_of(cpu)), 0);
	tring_buffer_add_event(buffer, &key, RING_FIXED_ID, TRING_FIELDS_MIN, true);
	KUNIT_EXPECT_NULL(test, tring_cpu_buffer(buffer, cpu)->memory);
	KUNIT_EXPECT_EQ(test, tring_buffer_size(buffer, cpu), TRING_BUFFER_SIZE_DEFAULT);
	KUNIT_EXPECT_EQ(test, tring_reserve(buffer, key.head, 1, 12, &record), -ESHUTDOWN);
	tring_buffer_set_recording(buffer, true);
	KUNIT_EXPECT_EQ(test, tring_reserve(buffer, key.head, 1, 12, &record), -ENOMEM);
	KUNIT_EXPECT_EQ(test, tring_reader_take(stream, true, &packet), -EAGAIN);
	KUNIT_EXPECT_FALSE(test, tring_reader_has_data(stream));
	tring_buffer_stats(buffer, cpu, &stats);
	KUNIT_EXPECT_EQ(test, stats.refused[TRING_REFUSED_OFF], 1);
	KUNIT_EXPECT_EQ(test, stats.refused[TRING_REFUSED_NO_MEMORY], 1);

	KUNIT_ASSERT_EQ(test, tring_buffer_allocate(buffer), 0);
	KUNIT_ASSERT_EQ(test, tring_buffer_allocate(buffer), 0);
	KUNIT_EXPECT_NOT_NULL(test, tring_cpu_buffer(buffer, cpu)->memory);
	KUNIT_EXPECT_EQ(test, tring_buffer_size(buffer, cpu), TRING_BUFFER_SIZE_DEFAULT);
	KUNIT_ASSERT_EQ(test, tring_reserve(buffer, key.head, 1, 12, &record), 0);
	tring_commit(&record);
	KUNIT_EXPECT_EQ(test, tring_reader_take(stream, true, &packet), 0);
	KUNIT_EXPECT_EQ(test, packet.events, 1);
	KUNIT_EXPECT_EQ(test, ((struct tring_packet_header *)packet.data)->events_discarded, 1);
	tring_reader_put(stream);
	tring_buffer_set_recording(buffer, false);
}

/* A CPU that has hung may have left it just before. */
static void memory_that_is_not_sealed_is_freed_at_the_end(struct kunit *test)
{
	unsigned long pages_before = tring_pages_total();
	struct tring_buffer *buffer = tring_buffer_create();
	struct tring_cpu_buffer *cpu_buffer;
	struct tring_memory *memory;

	KUNIT_ASSERT_NOT_NULL(test, buffer);
	cpu_buffer = tring_cpu_buffer(buffer, 0);
	KUNIT_ASSERT_EQ(test, tring_buffer_resize(buffer, 0, 3 * PAGE_SIZE), 0);
	memory = tring_memory_allocate(cpu_buffer, 3 * PAGE_SIZE, PAGE_SHIFT);
	KUNIT_ASSERT_FALSE(test, IS_ERR(memory));
	cpus_read_lock();
	mutex_lock(&cpu_buffer->mutex);
	KUNIT_EXPECT_EQ(test, tring_ring_switch(cpu_buffer, memory), 0);
	mutex_unlock(&cpu_buffer->mutex);
	cpus_read_unlock();
	tring_buffer_destroy(buffer);
	KUNIT_EXPECT_EQ(test, tring_pages_total(), pages_before);
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
	KUNIT_CASE(resize_out_of_bounds),
	KUNIT_CASE(resize_without_memory),
	KUNIT_CASE(subbuf_size_gives_too_many),
	KUNIT_CASE(resize_keeps_content),
	KUNIT_CASE(resize_many_times_unread),
	KUNIT_CASE(resize_drops_surplus),
	KUNIT_CASE(resize_drops_older_than_overwritten),
	KUNIT_CASE(resize_keeps_held_packet),
	KUNIT_CASE(allocator_is_changed),
	KUNIT_CASE(resize_after_discard),
	KUNIT_CASE(snapshot_takes_all_aside),
	KUNIT_CASE(snapshot_outlives_a_wrap),
	KUNIT_CASE(snapshot_replaces_the_former),
	KUNIT_CASE(snapshot_leaves_held_packet),
	KUNIT_CASE(snapshot_goes_whole),
	KUNIT_CASE(set_subbuf_size_keeps_ring_size),
	KUNIT_CASE(allocate_only_when_recording_is_possible),
	KUNIT_CASE(memory_that_is_not_sealed_is_freed_at_the_end),
	KUNIT_CASE(set_overwrite_takes_effect_at_next_sub_buffer),
	{ }
};

static struct kunit_suite config_suite = {
	.name = "tring_config",
	.test_cases = config_cases,
};

kunit_test_suite(config_suite);
