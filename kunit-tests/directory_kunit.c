// SPDX-License-Identifier: GPL-2.0
/*
 * The directory of a trace, read as a reader of a memory image does: by physical addresses
 * only. What it leads to must be what the ring has.
 */

#include <linux/io.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "helpers.h"
#include "ring/internal.h"
#include "ring/subbuf.h"
#include "tring_directory.h"

static struct tring_directory *directory_of(struct ring *ring)
{
	return &tring_session_of(ring->buffer)->directory;
}

static void *at(u64 physical)
{
	return phys_to_virt(physical);
}

static void expect_head(struct kunit *test, const struct tring_directory_head *head, u64 magic,
			u64 key)
{
	KUNIT_EXPECT_EQ(test, head->magic, magic);
	KUNIT_EXPECT_PTR_EQ(test, at(head->physical), (void *)head);
	KUNIT_EXPECT_EQ(test, head->virtual, (uintptr_t)head);
	KUNIT_EXPECT_EQ(test, head->key, key);
	KUNIT_EXPECT_EQ(test, head->version, TRING_DIRECTORY_VERSION);
	KUNIT_ASSERT_LE(test, head->size, PAGE_SIZE);
	KUNIT_EXPECT_EQ(test, head->checksum,
			tring_directory_checksum(head + 1, head->size - sizeof(*head)));
}

static void expect_page(struct kunit *test, const struct tring_directory_head *head, u64 magic,
			u64 key)
{
	const struct tring_directory_head *copy = (void *)head + PAGE_SIZE;

	expect_head(test, head, magic, key);
	expect_head(test, copy, magic | TRING_DIRECTORY_COPY, key);
	KUNIT_ASSERT_EQ(test, copy->size, head->size);
	KUNIT_EXPECT_EQ(test, memcmp(copy + 1, head + 1, head->size - sizeof(*head)), 0);
}

/* Return: a copy of the bytes that an array has. */
static void *read_array(struct kunit *test, const struct tring_directory_array *array, u64 key)
{
	u64 offset = array->offset, left = array->size, physical = array->table, i;
	const struct tring_directory_table *table;
	u8 *copy = kunit_kzalloc(test, max_t(u64, left, 1), GFP_KERNEL), *to = copy;

	KUNIT_ASSERT_NOT_NULL(test, copy);
	for (; physical; physical = table->next) {
		table = at(physical);
		expect_page(test, &table->head, TRING_DIRECTORY_TABLE, key);
		for (i = 0; i < table->nr_pages; i++) {
			u64 part = min_t(u64, left, PAGE_SIZE - offset);

			memcpy(to, at(table->pages[i]) + offset, part);
			to += part;
			left -= part;
			offset = 0;
		}
	}
	KUNIT_EXPECT_EQ(test, left, 0);
	return copy;
}

static u64 word(const struct tring_directory_memory *page, enum tring_directory_word which)
{
	return *(u64 *)at(page->words[which]);
}

/* Adds up the events of a memory. */
static void expect_memory(struct ring *ring, struct tring_memory *memory,
			  const struct tring_stream *stream, u64 *delivered, u64 *open)
{
	const struct tring_directory_trace *trace = directory_of(ring)->trace;
	const struct tring_directory_memory *page = memory->shown->page;
	struct kunit *test = ring->test;
	u64 i, slot;
	u8 *arrays;

	expect_page(test, &page->head, TRING_DIRECTORY_MEMORY, trace->head.key);
	KUNIT_EXPECT_PTR_EQ(test, at(page->trace), (void *)trace);
	KUNIT_EXPECT_EQ(test, page->cpu, ring->cpu);
	KUNIT_EXPECT_EQ(test, page->generation, memory->generation);
	KUNIT_EXPECT_EQ(test, page->nr_subbufs, memory->nr_subbufs);
	KUNIT_EXPECT_EQ(test, page->subbuf_size, memory->subbuf_size);
	KUNIT_EXPECT_EQ(test, word(page, TRING_WORD_WRITE), local_read(&ring->cpu_buffer->write));
	KUNIT_EXPECT_EQ(test, word(page, TRING_WORD_LAST_TS),
			local_read(&ring->cpu_buffer->last_ts));
	KUNIT_EXPECT_EQ(test, word(page, TRING_WORD_BEFORE_TS), ring->cpu_buffer->before_ts);
	KUNIT_EXPECT_EQ(test, word(page, TRING_WORD_LOST), local_read(&ring->cpu_buffer->lost));
	KUNIT_EXPECT_PTR_EQ(test, at(page->words[TRING_WORD_LOST_BEFORE]), (void *)&stream->lost);
	KUNIT_EXPECT_EQ(test, word(page, TRING_WORD_OVERWRITTEN),
			local_read(&memory->overwritten));
	arrays = read_array(test, &page->arrays, trace->head.key);
	for (i = 0; i < page->nr_subbufs; i++) {
		const struct tring_packet_header *header;
		const u8 *subbuf = arrays + page->subbufs;

		slot = ((u64 *)arrays)[i];
		/* Its page may be freed already. */
		if ((slot & 3) == TRING_DIRECTORY_SLOT_FREE)
			continue;
		subbuf += ((slot >> TRING_DIRECTORY_INDEX_SHIFT) &
			   (BIT(TRING_DIRECTORY_INDEX_BITS) - 1)) * page->stride;
		header = at(*(u64 *)(subbuf + page->data) - page->head.virtual +
			    page->head.physical);
		KUNIT_EXPECT_EQ(test, header->magic, TRING_PACKET_MAGIC);
		KUNIT_EXPECT_MEMEQ(test, header->uuid, trace->uuid, TRING_UUID_SIZE);
		if ((slot & 3) == TRING_DIRECTORY_SLOT_OPEN) {
			*open += (u32)*(long *)(subbuf + page->commits);
			continue;
		}
		*delivered += *(long *)(subbuf + page->events);
		KUNIT_EXPECT_EQ(test, header->content_size / 8, *(u32 *)(subbuf + page->bytes));
	}
	kunit_kfree(test, arrays);
}

static void expect_directory(struct ring *ring)
{
	const struct tring_directory_trace *trace = directory_of(ring)->trace;
	struct kunit *test = ring->test;
	u64 delivered = 0, open = 0;
	struct tring_memory *memory;
	struct tring_stats stats;
	int kind;

	expect_page(test, &trace->head, TRING_DIRECTORY_TRACE, directory_of(ring)->key);
	KUNIT_EXPECT_MEMEQ(test, trace->uuid, ring->buffer->uuid, TRING_UUID_SIZE);
	KUNIT_EXPECT_MEMEQ(test, trace->lengths, ring->buffer->lengths, TRING_TYPES);
	KUNIT_EXPECT_MEMEQ(test, trace->short_ids, directory_of(ring)->short_ids,
			   sizeof(trace->short_ids));
	KUNIT_EXPECT_EQ(test, trace->clock, ring->buffer->clock);
	for (kind = 0; kind < TRING_STREAMS; kind++) {
		struct tring_stream *stream = &ring->cpu_buffer->streams[kind];

		list_for_each_entry(memory, &stream->memories, list)
			expect_memory(ring, memory, stream, &delivered, &open);
	}
	tring_buffer_stats(ring->buffer, ring->cpu, &stats);
	KUNIT_EXPECT_EQ(test, delivered + open, stats.remaining);
}

static void directory_shows_ring(struct kunit *test)
{
	struct ring *ring = ring_create(test, 4);

	expect_directory(ring);
	ring_fill(ring, 1200, 3);
	expect_directory(ring);
	/* Full, and then some events refused or overwritten. */
	while (ring->nr_attempts < 30)
		ring_write(ring, 1200);
	expect_directory(ring);
	tring_buffer_set_overwrite(ring->buffer, true);
	while (ring->nr_attempts < 60)
		ring_write(ring, 1200);
	expect_directory(ring);
	ring_finish(ring);
	expect_directory(ring);
	ring_expect_sound(ring);
}

static void directory_follows_memories(struct kunit *test)
{
	struct ring *ring = ring_create(test, 4);

	ring_fill(ring, 1200, 5);
	KUNIT_ASSERT_EQ(test, tring_buffer_resize(ring->buffer, ring->cpu, 8 * PAGE_SIZE), 0);
	ring_fill(ring, 1200, 5);
	expect_directory(ring);
	KUNIT_ASSERT_EQ(test, tring_buffer_set_subbuf_size(ring->buffer, 2 * PAGE_SIZE), 0);
	ring_fill(ring, 1200, 5);
	expect_directory(ring);
	ring_finish(ring);
	KUNIT_ASSERT_EQ(test, ring_snapshot(ring->buffer), 0);
	ring_fill(ring, 1200, 5);
	expect_directory(ring);
	KUNIT_ASSERT_EQ(test, ring_snapshot(ring->buffer), 0);
	expect_directory(ring);
	tring_buffer_drop_snapshot(ring->buffer);
	expect_directory(ring);
	ring_check_balance(ring);
	ring_expect_sound(ring);
}

static void directory_follows_trace(struct kunit *test)
{
	struct ring *ring = ring_create(test, 4);
	u8 uuid[TRING_UUID_SIZE];
	u64 begin = ktime_get_real_ns();

	ring_fill(ring, 1200, 5);
	tring_reader_release(ring->stream);
	memcpy(uuid, directory_of(ring)->trace->uuid, sizeof(uuid));
	KUNIT_ASSERT_EQ(test, tring_buffer_new_trace(ring->buffer, TRING_CLOCK_BOOT), 0);
	KUNIT_ASSERT_EQ(test, tring_reader_open(ring->stream), 0);
	KUNIT_EXPECT_NE(test, memcmp(directory_of(ring)->trace->uuid, uuid, sizeof(uuid)), 0);
	KUNIT_EXPECT_EQ(test, directory_of(ring)->trace->clock, TRING_DIRECTORY_BOOT);
	KUNIT_EXPECT_EQ(test, directory_of(ring)->trace->clock_frequency, NSEC_PER_SEC);
	KUNIT_EXPECT_GE(test, directory_of(ring)->trace->real_at, begin);
	expect_directory(ring);
}

/* Long enough for several tables, which are described in the same way for rings. */
static void directory_has_blob(struct kunit *test)
{
	struct ring *ring = ring_create(test, 3);
	struct tring_directory *directory = directory_of(ring);
	size_t size = 3 * SZ_1M + 5, i;
	u8 *data = kvmalloc(size, GFP_KERNEL), *copy;

	KUNIT_ASSERT_NOT_NULL(test, data);
	for (i = 0; i < size; i++)
		data[i] = i ^ i >> 8 ^ i >> 16;
	mutex_lock(&ring->buffer->mutex);
	KUNIT_EXPECT_EQ(test, tring_directory_append_blob(directory, data, 5), 0);
	KUNIT_EXPECT_EQ(test, tring_directory_append_blob(directory, data + 5, size - 5), 0);
	KUNIT_EXPECT_EQ(test, tring_directory_append_blob(directory, data, SZ_1M), -EFBIG);
	KUNIT_EXPECT_EQ(test, directory->trace->blob.size, size);
	copy = read_array(test, &directory->trace->blob, directory->key);
	KUNIT_EXPECT_EQ(test, memcmp(copy, data, size), 0);
	KUNIT_EXPECT_EQ(test, tring_directory_append_blob(directory, NULL, 0), 0);
	mutex_unlock(&ring->buffer->mutex);
	KUNIT_EXPECT_EQ(test, directory->trace->blob.table, 0);
	KUNIT_EXPECT_EQ(test, directory->trace->blob.size, 0);
	expect_directory(ring);
	kvfree(data);
}

/* A copy of all for each of many writes would take minutes, with the mutex held. */
static void blob_grows_in_place(struct kunit *test)
{
	struct ring *ring = ring_create(test, 3);
	struct tring_directory *directory = directory_of(ring);
	u32 part[SZ_1K / sizeof(u32)], *copy;
	unsigned int moves = 0, i;
	const void *before = NULL;
	int err = 0;

	mutex_lock(&ring->buffer->mutex);
	for (i = 0; !err && i < SZ_4M / sizeof(part); i++) {
		memset32(part, i, ARRAY_SIZE(part));
		err = tring_directory_append_blob(directory, part, sizeof(part));
		moves += directory->blob != before;
		before = directory->blob;
	}
	KUNIT_EXPECT_EQ(test, err, 0);
	KUNIT_EXPECT_EQ(test, tring_directory_append_blob(directory, part, 1), -EFBIG);
	KUNIT_EXPECT_LE(test, moves, 24);
	copy = read_array(test, &directory->trace->blob, directory->key);
	for (i = 0; i < SZ_4M / sizeof(u32); i++)
		if (copy[i] != i / ARRAY_SIZE(part))
			break;
	KUNIT_EXPECT_EQ(test, i, SZ_4M / sizeof(u32));
	KUNIT_EXPECT_EQ(test, tring_directory_append_blob(directory, NULL, 0), 0);
	KUNIT_EXPECT_EQ(test, directory->blob_room, 0);
	KUNIT_EXPECT_EQ(test, tring_directory_append_blob(directory, part, 1), 0);
	KUNIT_EXPECT_EQ(test, directory->trace->blob.size, 1);
	mutex_unlock(&ring->buffer->mutex);
	expect_directory(ring);
}

/* No test kernel has memory that outlives it: scripts/check/blackbox.sh has. */
static void persistent_needs_region(struct kunit *test)
{
	struct ring *ring = ring_create(test, 3);

	KUNIT_EXPECT_EQ(test, tring_directory_set_persistent(directory_of(ring), true), -ENODEV);
	KUNIT_EXPECT_PTR_EQ(test, ring->buffer->allocator, &tring_pages);
	KUNIT_EXPECT_EQ(test, tring_directory_set_persistent(directory_of(ring), false), 0);
	expect_directory(ring);
}

static struct kunit_case directory_cases[] = {
	KUNIT_CASE(directory_shows_ring),
	KUNIT_CASE(directory_follows_memories),
	KUNIT_CASE(directory_follows_trace),
	KUNIT_CASE(directory_has_blob),
	KUNIT_CASE(blob_grows_in_place),
	KUNIT_CASE(persistent_needs_region),
	{ }
};

static struct kunit_suite directory_suite = {
	.name = "tring_directory",
	.test_cases = directory_cases,
};

kunit_test_suite(directory_suite);
