// SPDX-License-Identifier: GPL-2.0
/*
 * The writer's side without nesting: lengths, timestamps, page ends, wrapping,
 * discards, refusals, and what the packets' headers say of losses.
 */

#include "helpers.h"
#include "ring/check.h"
#include "ring/internal.h"

#define COMPACT_MAX	((1ull << TRING_STAMP_BITS) - 1)
/* The longest payload for which a sub-buffer has room, whatever its head. */
#define LONGEST_IN(size)	((size) - 1 - TRING_PACKET_HEADER_SIZE - TRING_RECORD_HEAD_MAX + \
				 TRING_PAYLOAD_HEAD)
#define LONGEST			LONGEST_IN(PAGE_SIZE)

static void reserve_first_record_is_compact(struct kunit *test)
{
	struct ring *ring = ring_create(test, 2);
	const struct tring_packet_header *header;
	struct tring_packet packet;
	struct walk walk;

	/* The slow path reads the clock once more. */
	ring->tick = 0;
	ring->now = 0x123456789abcull;
	ring_fill(ring, 16, 1);
	ring_hold(ring, &packet, &walk);
	header = packet.data;
	KUNIT_EXPECT_EQ(test, header->timestamp_begin, 0x123456789abcull);
	/* Word, context, pid, and what is behind the 8 bytes that they stand for. */
	KUNIT_EXPECT_EQ(test, header->content_size, (96 + 4 + 1 + 4 + 16 - 8) * 8);
	KUNIT_EXPECT_EQ(test, header->packet_seq_num, 0);
	KUNIT_ASSERT_TRUE(test, walk_next(&walk));
	KUNIT_EXPECT_EQ(test, walk.type, tring_head_type(ring_key(ring, 16)));
	KUNIT_EXPECT_EQ(test, walk.stamp, 0x123456789abcull);
	ring->tick = 1;
	ring_finish(ring);
	ring_expect_sound(ring);
}

/* In the ring what tring_stamp_is_compact() promises: type and rebuilt stamp. */
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
		/* Clamped to the stamp before it, to which it may be compact. */
		{ -1, false, 0 },
		{ -5000000, false, 0 },
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

/* Every form at every length, and both neighbours of each limit. */
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

/* In each form: of a fixed length, of one that varies, long, all with and without a pid. */
static void reserve_short_payload_is_padded(struct kunit *test)
{
	struct ring *ring = ring_create(test, 2);
	const u64 keys[] = { ring_key(ring, TRING_PAYLOAD_MIN), ring->varying,
			     tring_event_key(RING_LONG_ID) };
	static const u8 zeros[TRING_FIELDS_MIN];
	struct tring_record record;
	struct tring_packet packet;
	struct walk walk;
	unsigned int i;
	u32 length;

	/* Leave something in the memory that padding must not show. */
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

/* What a record may look like, from the shortest head to the longest. */
enum form {
	FORM_FIXED,
	FORM_VARYING,
	FORM_OTHER_PID,
	FORM_FULL,
	FORM_LONG,
	FORM_EXTENDED,
	FORM_DISCARDED,		/* with another behind it */
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
		ring->has_context = true;
		ring->flags = 0x40;
		ring_fill(ring, RING_EVENT_MIN, 1);
		ring->has_context = false;
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

/* Nothing of a record is aligned: each form at each offset within 8 bytes. */
static void reserve_at_every_byte(struct kunit *test)
{
	struct ring *ring = ring_create(test, 2);
	unsigned int offset, form;

	for (form = 0; form < FORMS; form++)
		for (offset = 0; offset < 8; offset++) {
			ring_fill(ring, RING_EVENT_MIN, 1);
			/* With its pid or not: so many bytes more that it ends there. */
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
 * A record always ends before its sub-buffer; one byte less is the most. The
 * smallest ones, so that whatever decides reckons to the byte.
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

/* A page that is full to its last byte but one, and then the next record. */
static void reserve_after_fullest_page(struct kunit *test)
{
	struct ring *ring = ring_create(test, 3);
	u32 length;

	/* So long a one leaves what its head is shorter than the longest. */
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
	u32 longest = LONGEST_IN(16 * PAGE_SIZE);
	unsigned int i;

	KUNIT_EXPECT_EQ(test, ring_write(ring, longest), 0);
	KUNIT_EXPECT_EQ(test, ring_write(ring, longest + 1), -E2BIG);
	for (i = 0; i < 1000; i++)
		ring_fill(ring, 12 + i % 500, 1);
	ring_finish(ring);
	ring_expect_sound(ring);
}

/* Oldest first out; the gap in the numbers is what was overwritten. */
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
	/* What still fits is let in. */
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
 * Without overwriting each packet knows all that was refused before the
 * record that closed it: before the next packet's first event.
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

/* Exactly those overwritten before the packet, and no later ones. */
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
	/* Refused ones are counted where they were refused. */
	ring_fill(ring, 1200, 3);
	KUNIT_EXPECT_EQ(test, ring_write(ring, PAGE_SIZE), -E2BIG);
	ring_fill(ring, 1200, 3 * 5);
	KUNIT_EXPECT_EQ(test, ring_take(ring, false), 0);
	KUNIT_EXPECT_EQ(test, ring->last_lost, lost + 3 * 2 + 1);
	ring_finish(ring);
	ring_expect_sound(ring);
}

static void discard_only_record(struct kunit *test)
{
	struct ring *ring = ring_create(test, 2);
	struct event event;

	KUNIT_ASSERT_EQ(test, ring_reserve(ring, 500, &event), 0);
	ring_discard(ring, &event);
	KUNIT_EXPECT_EQ(test, ring_offset(ring), TRING_PACKET_HEADER_SIZE);
	KUNIT_EXPECT_FALSE(test, tring_reader_has_data(ring->stream));
	KUNIT_EXPECT_EQ(test, ring_take(ring, true), -EAGAIN);
	/* The packet is entered all the same; the longest record still fits. */
	ring_fill(ring, LONGEST, 1);
	KUNIT_EXPECT_EQ(test, ring_take(ring, true), 0);
	KUNIT_EXPECT_EQ(test, ring->gap, 0);
	ring_finish(ring);
	ring_expect_sound(ring);
}

/* Taken back: the bytes are used again. The next record has a full stamp. */
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

/* Others lie behind it: it stays, as a record that says what to skip. */
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
	/* With a full timestamp, too. */
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
		/* All of them were taken back, last first: nothing is there. */
		KUNIT_EXPECT_EQ(test, ring_take(ring, true), discarded == 7 ? -EAGAIN : 0);
		ring_drain(ring);
	}
	ring_finish(ring);
	ring_expect_sound(ring);
}

/* Writers that are interrupted for a whole lap: refused in both modes. */
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
	/* Asked for, so no loss. */
	ring_finish(ring);
	KUNIT_EXPECT_EQ(test, ring->last_lost, 0);
	KUNIT_EXPECT_EQ(test, ring->refused[TRING_REFUSED_OFF], 2);
	ring_expect_sound(ring);
}

static void reserve_off_while_open(struct kunit *test)
{
	struct ring *ring = ring_create(test, 2);
	struct event outer;

	KUNIT_ASSERT_EQ(test, ring_reserve(ring, 20, &outer), 0);
	/* Switching off waits for us, so only do its first half. */
	WRITE_ONCE(ring->buffer->wanted_recording, false);
	tring_ring_update_limit(ring->cpu_buffer);
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
	/* Switching on does not start it again; what is in it can be read. */
	tring_buffer_set_recording(ring->buffer, true);
	KUNIT_EXPECT_EQ(test, ring_write(ring, 20), -EIO);
	ring_drain(ring);
	KUNIT_EXPECT_EQ(test, ring->read, 3);
	KUNIT_EXPECT_EQ(test, ring->refused[TRING_REFUSED_STOPPED], 2);
	ring_check_balance(ring);

	/* New memory does. */
	tring_reader_release(ring->stream);
	KUNIT_EXPECT_EQ(test, tring_buffer_resize(ring->buffer, ring->cpu,
						  3 * PAGE_SIZE), 0);
	KUNIT_EXPECT_EQ(test, tring_reader_open(ring->stream), 0);
	ring_finish(ring);
	KUNIT_EXPECT_EQ(test, ring->last_lost, 2);
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
	KUNIT_EXPECT_EQ(test, tring_write(ring->buffer, ring->varying, payload, 8), 0);
	KUNIT_EXPECT_EQ(test, tring_write(ring->buffer, ring->varying, payload, 9), 0);
	/* Of what says who wrote it, nothing may be missing. */
	KUNIT_EXPECT_EQ(test, tring_write(ring->buffer, ring->varying, payload, 7), -EINVAL);
	KUNIT_EXPECT_EQ(test, tring_write(ring->buffer, ring->varying, payload, 0), -EINVAL);
	KUNIT_EXPECT_EQ(test, tring_write(ring->buffer, ring->fixed[1], payload,
					  ring_fixed_lengths[1] - 1), -EINVAL);
	KUNIT_EXPECT_EQ(test, tring_write(ring->buffer, ring->varying, payload, U32_MAX), -E2BIG);
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

static struct kunit_case ring_cases[] = {
	KUNIT_CASE(reserve_first_record_is_compact),
	KUNIT_CASE(reserve_compact_timestamp_edges),
	KUNIT_CASE(reserve_every_length_both_stamps),
	KUNIT_CASE(reserve_short_payload_is_padded),
	KUNIT_CASE(reserve_at_every_byte),
	KUNIT_CASE(reserve_page_end),
	KUNIT_CASE(reserve_after_fullest_page),
	KUNIT_CASE(reserve_too_large),
	KUNIT_CASE(reserve_large_sub_buffer),
	KUNIT_CASE(reserve_wraps_overwriting),
	KUNIT_CASE(reserve_refuses_when_full),
	KUNIT_CASE(events_discarded_exact_refused),
	KUNIT_CASE(events_discarded_exact_overwritten),
	KUNIT_CASE(discard_only_record),
	KUNIT_CASE(discard_last_is_taken_back),
	KUNIT_CASE(discard_covered_is_kept),
	KUNIT_CASE(discard_first_middle_last),
	KUNIT_CASE(reserve_wraps_onto_open_commit),
	KUNIT_CASE(reserve_recording_off),
	KUNIT_CASE(reserve_off_while_open),
	KUNIT_CASE(reserve_stopped_ring),
	KUNIT_CASE(write_copies_payload),
	{ }
};

static struct kunit_suite ring_suite = {
	.name = "tring_ring",
	.test_cases = ring_cases,
};

kunit_test_suite(ring_suite);
