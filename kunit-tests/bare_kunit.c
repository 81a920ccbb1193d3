// SPDX-License-Identifier: GPL-2.0
/*
 * Records without a context: of each kind, discarded, at the end of a sub-buffer;
 * and the option that asks for them. What comes in between a writer's steps is in
 * nesting_kunit.c and context_kunit.c. ring_verify() says of each packet whether it
 * has the flag.
 */

#include "helpers.h"
#include "ring/check.h"
#include "ring/internal.h"

#define COMPACT_MAX	((1ull << TRING_STAMP_BITS) - 1)

/* Before the fields: of a short record, of a long and of an extended one. */
#define HEAD_SHORT	4
#define HEAD_VARYING	(4 + 2)
#define HEAD_LONG	(4 + 2 + 4)
#define HEAD_EXTENDED	(4 + 8 + 2 + 4)

static struct ring *create_bare(struct kunit *test, unsigned long subbufs)
{
	struct ring *ring = ring_create(test, subbufs);

	ring_make_bare(ring);
	return ring;
}

static void begin_take(struct ring *ring, struct walk *walk)
{
	struct tring_packet packet;

	KUNIT_ASSERT_EQ(ring->test, tring_reader_take(ring->stream, true, &packet), 0);
	walk_begin(walk, packet.data);
}

/* The next record has fields of a payload of @length, behind so many bytes. */
static void expect_record(struct ring *ring, struct walk *walk, unsigned int head, u32 length)
{
	KUNIT_ASSERT_TRUE(ring->test, walk_next(walk));
	KUNIT_EXPECT_EQ_MSG(ring->test, walk->next - walk->offset,
			    head + length - TRING_PAYLOAD_HEAD, "at %zu", walk->offset);
	KUNIT_EXPECT_EQ_MSG(ring->test, walk->fields - walk->packet, walk->offset + head,
			    "at %zu", walk->offset);
}

/* Whoever writes, and in whatever context: nothing of it is recorded. */
static void bare_record_of_each_kind(struct kunit *test)
{
	static const struct {
		u8 flags;
		u8 preempt_count;
	} contexts[] = { { 0, 0 }, { 0x3d, 6 }, { 0x49, 0x12 }, { 0, 7 } };
	static const u32 pids[] = { RING_PID, 0, RING_PID_MAX };
	struct ring *ring = create_bare(test, 3);
	struct walk walk;
	unsigned int run;

	ring->has_context = true;
	for (run = 0; run < ARRAY_SIZE(contexts) * ARRAY_SIZE(pids); run++) {
		ring->flags = contexts[run % ARRAY_SIZE(contexts)].flags;
		ring->preempt_count = contexts[run % ARRAY_SIZE(contexts)].preempt_count;
		ring->pid = pids[run / ARRAY_SIZE(contexts)];
		ring_fill(ring, 20, 1);
		ring_fill(ring, RING_EVENT_MIN, 1);
		ring_fill(ring, 21, 1);
		ring->in_long_form = true;
		ring_fill(ring, 20, 1);
		ring->in_long_form = false;
		/* The last difference that is compact, and the first that is not. */
		ring->now += COMPACT_MAX - ring->tick;
		ring_fill(ring, 20, 1);
		ring->now += COMPACT_MAX + 1 - ring->tick;
		ring_fill(ring, 20, 1);
		ring_fill(ring, 21, 1);
		ring->in_long_form = true;
		ring->now += COMPACT_MAX + 1;
		ring_fill(ring, 20, 1);
		ring->in_long_form = false;
		ring_fill(ring, 20, 1);

		begin_take(ring, &walk);
		KUNIT_EXPECT_EQ(test, walk.next, TRING_PACKET_HEADER_SIZE);
		expect_record(ring, &walk, HEAD_SHORT, 20);
		expect_record(ring, &walk, HEAD_SHORT, RING_EVENT_MIN);
		expect_record(ring, &walk, HEAD_VARYING, 21);
		expect_record(ring, &walk, HEAD_LONG, 20);
		expect_record(ring, &walk, HEAD_SHORT, 20);
		expect_record(ring, &walk, HEAD_EXTENDED, 20);
		expect_record(ring, &walk, HEAD_VARYING, 21);
		expect_record(ring, &walk, HEAD_EXTENDED, 20);
		expect_record(ring, &walk, HEAD_SHORT, 20);
		KUNIT_EXPECT_FALSE(test, walk_next(&walk));
		ring_drain(ring);
	}
	ring_finish(ring);
	ring_expect_sound(ring);
}

/* Less than a discarded record needs is padded, as ever. */
static void bare_record_is_padded(struct kunit *test)
{
	struct ring *ring = create_bare(test, 2);
	struct tring_record record;
	struct tring_packet packet;
	struct walk walk;

	KUNIT_ASSERT_EQ(test, tring_reserve(ring->buffer, tring_event_key(RING_LONG_ID), 7,
					    TRING_PAYLOAD_HEAD, &record), 0);
	tring_commit(&record);
	KUNIT_ASSERT_EQ(test, tring_reader_take(ring->stream, true, &packet), 0);
	walk_begin(&walk, packet.data);
	expect_record(ring, &walk, HEAD_LONG, TRING_PAYLOAD_MIN);
	KUNIT_EXPECT_NULL(test, memchr_inv(walk.fields, 0, walk.room));
	tring_reader_put(ring->stream);
	ring_expect_sound(ring);
}

/*
 * The inline path reckons with a byte more than such a record takes: one that ends
 * where the packet does has to be there all the same, and the next one not.
 */
static void bare_record_ends_with_its_sub_buffer(struct kunit *test)
{
	struct ring *ring = create_bare(test, 4);
	unsigned long room;
	unsigned int short_of;
	struct walk walk;

	for (short_of = 0; short_of < 12; short_of++) {
		ring_fill(ring, 3000, 1);
		room = PAGE_SIZE - ring_offset(ring) - HEAD_VARYING + TRING_PAYLOAD_HEAD;
		ring_fill(ring, room - short_of, 1);
		begin_take(ring, &walk);
		expect_record(ring, &walk, HEAD_VARYING, 3000);
		KUNIT_EXPECT_EQ_MSG(test, walk_next(&walk), short_of > 0, "%u short", short_of);
		KUNIT_EXPECT_EQ(test, walk.content,
				short_of ? PAGE_SIZE - short_of : walk.next);
		ring_drain(ring);
	}
	ring_finish(ring);
	KUNIT_EXPECT_EQ(test, ring->gap, 0);
	ring_expect_sound(ring);
}

static void bare_first_record_of_each_packet(struct kunit *test)
{
	struct ring *ring = create_bare(test, 6);
	struct tring_packet packet;
	unsigned int packets = 0;
	struct walk walk;

	ring_fill_packets(ring, 500);
	while (!tring_reader_take(ring->stream, true, &packet)) {
		packets++;
		walk_begin(&walk, packet.data);
		while (walk.next < walk.content)
			expect_record(ring, &walk, HEAD_VARYING, 500);
		ring_verify(ring, &packet);
		tring_reader_put(ring->stream);
	}
	KUNIT_EXPECT_EQ(test, packets, 5);
	ring_finish(ring);
	ring_expect_sound(ring);
}

/* Nobody can have a time relative to a record that is no more. */
static void bare_discard_taken_back(struct kunit *test)
{
	struct ring *ring = create_bare(test, 2);
	struct event event;
	struct walk walk;
	unsigned long offset;
	u32 length;

	for (length = RING_EVENT_MIN; length < 40; length++) {
		ring->in_long_form = length % 3 == 0;
		ring_fill(ring, 20, 1);
		offset = ring_offset(ring);
		KUNIT_ASSERT_EQ(test, ring_reserve(ring, length, &event), 0);
		ring_discard(ring, &event);
		KUNIT_EXPECT_EQ(test, ring_offset(ring), offset);
		ring_fill(ring, 20, 1);
		begin_take(ring, &walk);
		KUNIT_ASSERT_TRUE(test, walk_next(&walk));
		expect_record(ring, &walk, HEAD_EXTENDED, 20);
		KUNIT_EXPECT_FALSE(test, walk_next(&walk));
		ring_drain(ring);
		KUNIT_EXPECT_EQ(test, ring->last_discarded, 0);
	}
	ring_finish(ring);
	ring_expect_sound(ring);
}

/* Of a short record the length lies where the context would be. */
static void bare_discard_kept(struct kunit *test)
{
	struct ring *ring = create_bare(test, 2);
	unsigned int form, at;
	struct event event;
	struct walk walk;
	u32 length, size;

	for (form = 0; form < 3; form++)
		for (length = RING_EVENT_MIN; length < 40; length++) {
			ring_fill(ring, 20, 1);
			ring->in_long_form = form == 1;
			if (form == 2)
				ring->now += COMPACT_MAX + 1;
			KUNIT_ASSERT_EQ(test, ring_reserve(ring, length, &event), 0);
			ring->in_long_form = false;
			ring_fill(ring, 21, 1);
			size = tring_commits_bytes(event.record.commits);
			ring_discard(ring, &event);

			begin_take(ring, &walk);
			expect_record(ring, &walk, HEAD_SHORT, 20);
			KUNIT_ASSERT_TRUE(test, walk_next(&walk));
			KUNIT_EXPECT_EQ(test, walk.id, TRING_TYPE_DISCARDED);
			KUNIT_EXPECT_EQ(test, walk.type,
					form == 2 ? TRING_TYPE_EXTENDED :
					form == 1 ? TRING_TYPE_LONG : TRING_TYPE_DISCARDED);
			at = form == 2 ? HEAD_EXTENDED : form == 1 ? HEAD_LONG : 4 + 4;
			KUNIT_EXPECT_EQ(test, walk.fields - walk.packet, walk.offset + at);
			KUNIT_EXPECT_EQ(test, walk.room, size - at);
			KUNIT_EXPECT_EQ(test, walk.next - walk.offset, size);
			expect_record(ring, &walk, HEAD_VARYING, 21);
			KUNIT_EXPECT_FALSE(test, walk_next(&walk));
			ring_drain(ring);
			KUNIT_EXPECT_EQ(test, ring->last_discarded, 1);
		}
	ring_finish(ring);
	ring_expect_sound(ring);
}

/* Nobody's pid is ever in last_pid, or the inline path would write a context. */
static void bare_last_pid_is_nobodys(struct kunit *test)
{
	struct ring *ring = create_bare(test, 3);
	struct event event;
	unsigned int i;

	for (i = 0; i < 200; i++) {
		ring->pid = i % 7 ? RING_PID : 0;
		ring_fill(ring, 100, 1);
		KUNIT_EXPECT_TRUE(test, ring->cpu_buffer->last_pid & TRING_PID_UNKNOWN);
		if (i % 5 == 0 && !ring_reserve(ring, 100, &event))
			ring_discard(ring, &event);
		KUNIT_EXPECT_TRUE(test, ring->cpu_buffer->last_pid & TRING_PID_UNKNOWN);
	}
	ring_finish(ring);
	ring_expect_sound(ring);
}

static void set_context_with_reader_is_busy(struct kunit *test)
{
	struct ring *ring = ring_create(test, 3);
	struct tring_stream *aside = tring_buffer_stream(ring->buffer, ring->cpu, TRING_SNAPSHOT);
	u8 uuid[TRING_UUID_SIZE];

	ring_fill(ring, 3000, 2);
	memcpy(uuid, ring->buffer->uuid, sizeof(uuid));
	KUNIT_EXPECT_EQ(test, tring_buffer_set_context(ring->buffer, false), -EBUSY);
	/* What it is already is nothing that a reader would have to fear. */
	KUNIT_EXPECT_EQ(test, tring_buffer_set_context(ring->buffer, true), 0);
	/* Any reader, not just that of what is recorded. */
	tring_reader_release(ring->stream);
	KUNIT_ASSERT_EQ(test, tring_reader_open(aside), 0);
	KUNIT_EXPECT_EQ(test, tring_buffer_set_context(ring->buffer, false), -EBUSY);
	tring_reader_release(aside);
	KUNIT_ASSERT_EQ(test, tring_reader_open(ring->stream), 0);
	KUNIT_EXPECT_TRUE(test, tring_buffer_has_context(ring->buffer));
	KUNIT_EXPECT_MEMEQ(test, ring->buffer->uuid, uuid, sizeof(uuid));
	ring_finish(ring);
	KUNIT_EXPECT_EQ(test, ring->gap, 0);
	ring_expect_sound(ring);
}

/* Set it as a user would, who has closed his readers; back again, too. */
static void change_context(struct ring *ring, bool on)
{
	tring_reader_release(ring->stream);
	KUNIT_EXPECT_EQ(ring->test, tring_buffer_set_context(ring->buffer, on), 0);
	KUNIT_ASSERT_EQ(ring->test, tring_reader_open(ring->stream), 0);
	ring->is_bare = !on;
}

static void set_context_begins_new_trace(struct kunit *test)
{
	struct ring *ring = ring_create(test, 4);
	enum tring_clock clock = ring->cpu_buffer->clock;
	u8 uuid[TRING_UUID_SIZE];
	unsigned int i;

	for (i = 1; i <= 4; i++) {
		ring_fill(ring, 1200, 5);
		memcpy(uuid, ring->buffer->uuid, sizeof(uuid));
		change_context(ring, i % 2 == 0);
		KUNIT_EXPECT_EQ(test, tring_buffer_has_context(ring->buffer), i % 2 == 0);
		KUNIT_EXPECT_NE(test, memcmp(ring->buffer->uuid, uuid, sizeof(uuid)), 0);
		ring_check_balance(ring);

		/* Once more is no change: neither the uuid nor what is there. */
		ring_fill(ring, 1200, 5);
		memcpy(uuid, ring->buffer->uuid, sizeof(uuid));
		change_context(ring, i % 2 == 0);
		KUNIT_EXPECT_MEMEQ(test, ring->buffer->uuid, uuid, sizeof(uuid));
		KUNIT_EXPECT_EQ(test, ring->cpu_buffer->clock, clock);
		ring_finish(ring);
		KUNIT_EXPECT_EQ(test, ring->last_lost, 5 * i);
	}
	KUNIT_EXPECT_EQ(test, ring->gap, 2 * 4);
	ring_expect_sound(ring);
}

/* What was recorded is counted: live, in a reader's hands, and taken aside. */
static void set_context_counts_all_as_overwritten(struct kunit *test)
{
	struct ring *ring = ring_create(test, 4);
	const struct tring_packet_header *header;
	struct tring_packet packet;
	struct tring_stats stats;

	ring_fill(ring, 1200, 4);
	KUNIT_ASSERT_EQ(test, tring_buffer_snapshot(ring->buffer), 0);
	ring_fill(ring, 1200, 7);
	KUNIT_ASSERT_EQ(test, tring_reader_take(ring->stream, false, &packet), 0);
	change_context(ring, false);
	KUNIT_EXPECT_FALSE(test, tring_buffer_has_snapshot(ring->buffer));
	tring_buffer_stats(ring->buffer, ring->cpu, &stats);
	KUNIT_EXPECT_EQ(test, stats.overwritten, 4 + 7);
	KUNIT_EXPECT_EQ(test, stats.overwritten_snapshot, 4);
	KUNIT_EXPECT_EQ(test, stats.remaining, 0);
	ring_check_balance(ring);
	ring_expect_sound(ring);

	/* Of what was aside no packet of the live stream tells. */
	ring_fill(ring, 20, 1);
	KUNIT_ASSERT_EQ(test, tring_reader_take(ring->stream, true, &packet), 0);
	header = packet.data;
	KUNIT_EXPECT_EQ(test, header->events_discarded, 7);
	tring_reader_put(ring->stream);
}

/* After that, records with a context are as if nothing had been. */
static void set_context_again(struct kunit *test)
{
	struct ring *ring = create_bare(test, 3);
	struct walk walk;

	ring_fill(ring, 20, 3);
	change_context(ring, true);
	ring_fill(ring, 20, 3);
	begin_take(ring, &walk);
	KUNIT_ASSERT_TRUE(test, walk_next(&walk));
	KUNIT_EXPECT_TRUE(test, walk_has_pid(&walk));
	KUNIT_ASSERT_TRUE(test, walk_next(&walk));
	KUNIT_EXPECT_FALSE(test, walk_has_pid(&walk));
	KUNIT_EXPECT_EQ(test, walk.pid, RING_PID);
	KUNIT_ASSERT_TRUE(test, walk_next(&walk));
	KUNIT_EXPECT_FALSE(test, walk_has_pid(&walk));
	KUNIT_EXPECT_FALSE(test, walk_next(&walk));
	ring_finish(ring);
	KUNIT_EXPECT_EQ(test, ring->last_lost, 3);
	ring_expect_sound(ring);
}

/* A ring that gets its memory later has been told, too. */
static void set_context_before_memory(struct kunit *test)
{
	struct tring_buffer *buffer = tring_buffer_create();
	const struct tring_packet_header *header;
	int cpu = raw_smp_processor_id();
	struct tring_record record;
	struct tring_packet packet;
	struct walk walk;

	KUNIT_ASSERT_NOT_NULL(test, buffer);
	KUNIT_ASSERT_EQ(test, set_cpus_allowed_ptr(current, cpumask_of(cpu)), 0);
	KUNIT_EXPECT_TRUE(test, tring_buffer_has_context(buffer));
	KUNIT_EXPECT_EQ(test, tring_buffer_set_context(buffer, false), 0);
	KUNIT_ASSERT_EQ(test, tring_buffer_allocate(buffer), 0);
	tring_buffer_set_recording(buffer, true);
	KUNIT_ASSERT_EQ(test, tring_reserve(buffer, tring_event_key(RING_LONG_ID), 7,
					    TRING_PAYLOAD_MIN, &record), 0);
	tring_commit(&record);
	tring_buffer_set_recording(buffer, false);
	KUNIT_ASSERT_EQ(test, tring_reader_take(tring_buffer_stream(buffer, cpu, TRING_LIVE),
						true, &packet), 0);
	header = packet.data;
	KUNIT_EXPECT_EQ(test, header->lengths[TRING_PACKET_FLAGS], TRING_PACKET_NO_CONTEXT);
	walk_begin(&walk, packet.data);
	KUNIT_ASSERT_TRUE(test, walk_next(&walk));
	KUNIT_EXPECT_EQ(test, walk.next - walk.offset, HEAD_LONG + TRING_FIELDS_MIN);
	tring_reader_put(tring_buffer_stream(buffer, cpu, TRING_LIVE));
	tring_buffer_destroy(buffer);
}

static struct kunit_case bare_cases[] = {
	KUNIT_CASE(bare_record_of_each_kind),
	KUNIT_CASE(bare_record_is_padded),
	KUNIT_CASE(bare_record_ends_with_its_sub_buffer),
	KUNIT_CASE(bare_first_record_of_each_packet),
	KUNIT_CASE(bare_discard_taken_back),
	KUNIT_CASE(bare_discard_kept),
	KUNIT_CASE(bare_last_pid_is_nobodys),
	KUNIT_CASE(set_context_with_reader_is_busy),
	KUNIT_CASE(set_context_begins_new_trace),
	KUNIT_CASE(set_context_counts_all_as_overwritten),
	KUNIT_CASE(set_context_again),
	KUNIT_CASE(set_context_before_memory),
	{ }
};

static struct kunit_suite bare_suite = {
	.name = "tring_bare",
	.test_cases = bare_cases,
};

kunit_test_suite(bare_suite);
