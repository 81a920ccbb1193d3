// SPDX-License-Identifier: GPL-2.0
/*
 * The ring under test: made, written, taken from and checked. See helpers.h.
 */

#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/log2.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "helpers.h"
#include "ring_check.h"
#include "ring_internal.h"

#define SEQUENCE_OFFSET	4
#define LENGTH_OFFSET	8
#define FILL_OFFSET	12

const char *const step_names[TRING_STEPS] = {
	[TRING_STEP_RESERVE_READ]	= "reserve_read",
	[TRING_STEP_RESERVE_CLOCK]	= "reserve_clock",
	[TRING_STEP_RESERVE_AT_HAND]	= "reserve_at_hand",
	[TRING_STEP_RESERVE_BOUND]	= "reserve_bound",
	[TRING_STEP_RESERVE_BEFORE]	= "reserve_before",
	[TRING_STEP_RESERVE_CLAIMED]	= "reserve_claimed",
	[TRING_STEP_RESERVE_STAMPED]	= "reserve_stamped",
	[TRING_STEP_RESERVE_DONE]	= "reserve_done",
	[TRING_STEP_COMMIT_START]	= "commit_start",
	[TRING_STEP_COMMIT_COUNTED]	= "commit_counted",
	[TRING_STEP_ENTER_READ]		= "enter_read",
	[TRING_STEP_ENTER_OPENED]	= "enter_opened",
	[TRING_STEP_ENTER_COUNTED]	= "enter_counted",
	[TRING_STEP_ENTER_STARTED]	= "enter_started",
	[TRING_STEP_ENTER_HEADER]	= "enter_header",
	[TRING_STEP_CLOSE_HEADER]	= "close_header",
	[TRING_STEP_DELIVER_RESET]	= "deliver_reset",
	[TRING_STEP_DELIVER_PUBLISHED]	= "deliver_published",
	[TRING_STEP_DISCARD_POISONED]	= "discard_poisoned",
	[TRING_STEP_DISCARD_KEPT]	= "discard_kept",
	[TRING_STEP_SWITCH_READ]	= "switch_read",
	[TRING_STEP_SWITCH_MOVED]	= "switch_moved",
	[TRING_STEP_SWITCH_DONE]	= "switch_done",
	[TRING_STEP_TAKE_READ]		= "take_read",
	[TRING_STEP_TAKE_COUNTED]	= "take_counted",
	[TRING_STEP_TAKE_TAKEN]		= "take_taken",
	[TRING_STEP_PEEK_READ]		= "peek_read",
	[TRING_STEP_PEEK_COPIED]	= "peek_copied",
};

/* Note that something is wrong; the first one is kept for the report. */
void ring_fault(struct ring *ring, const char *what, u64 got, u64 wanted)
{
	if (ring->faults++)
		return;
	ring->fault = what;
	ring->got = got;
	ring->wanted = wanted;
}

static void expect_equal(struct ring *ring, const char *what, u64 got, u64 wanted)
{
	if (got != wanted)
		ring_fault(ring, what, got, wanted);
}

/* The end of a case: nothing may have been wrong. */
void ring_expect_sound(struct ring *ring)
{
	KUNIT_EXPECT_EQ_MSG(ring->test, ring->faults, 0, "first: %s: %llu, not %llu",
			    ring->fault, ring->got, ring->wanted);
}

u64 ring_clock(struct tring_cpu_buffer *cpu_buffer)
{
	struct ring *ring = ring_of(cpu_buffer);

	ring->clock_read = ring->now;
	ring->clock_said = ring->now;
	ring->now += ring->tick;
	return ring->clock_read;
}

/* All that a test has done leaves no memory behind. */
static void destroy_buffer(void *data)
{
	struct ring *ring = data;

	tring_buffer_set_recording(ring->buffer, false);
	tring_buffer_destroy(ring->buffer);
	KUNIT_EXPECT_EQ(ring->test, atomic_read(&tring_memories), ring->memories);
}

static void release_reader(void *data)
{
	struct ring *ring = data;

	tring_reader_release(ring->stream);
}

/*
 * A ring of @subbufs sub-buffers, recording, in overwrite mode, with a reader.
 * The test is bound to the ring's CPU.
 */
struct ring *ring_create_sized(struct kunit *test, unsigned long subbufs,
			       unsigned long subbuf_size)
{
	struct ring *ring = kunit_kzalloc(test, sizeof(*ring), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, ring);
	ring->test = test;
	ring->attempts = kunit_kcalloc(test, RING_ATTEMPTS, sizeof(*ring->attempts),
				       GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, ring->attempts);
	ring->peeked = kunit_kzalloc(test, RING_PEEK_MAX, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, ring->peeked);
	ring->cpu = raw_smp_processor_id();
	KUNIT_ASSERT_EQ(test, set_cpus_allowed_ptr(current, cpumask_of(ring->cpu)), 0);

	ring->memories = atomic_read(&tring_memories);
	ring->buffer = tring_buffer_create();
	KUNIT_ASSERT_NOT_NULL(test, ring->buffer);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, destroy_buffer, ring), 0);
	KUNIT_ASSERT_EQ(test, tring_buffer_set_subbuf_size(ring->buffer, subbuf_size), 0);
	KUNIT_ASSERT_EQ(test, tring_buffer_resize(ring->buffer, ring->cpu,
						  subbufs * subbuf_size), 0);
	ring->cpu_buffer = tring_cpu_buffer(ring->buffer, ring->cpu);
	ring->stream = tring_buffer_stream(ring->buffer, ring->cpu, TRING_LIVE);
	ring->hooks.clock = ring_clock;
	ring->now = 1000000;
	ring->tick = 1;
	ring->cpu_buffer->hooks = &ring->hooks;
	ring->cpu_buffer->clock = TRING_CLOCK_TEST;
	KUNIT_ASSERT_EQ(test, tring_reader_open(ring->stream), 0);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, release_reader, ring), 0);
	tring_buffer_set_recording(ring->buffer, true);
	return ring;
}

struct ring *ring_create(struct kunit *test, unsigned long subbufs)
{
	return ring_create_sized(test, subbufs, PAGE_SIZE);
}

/*
 * What an error of tring_reserve() means, TRING_REFUSALS for any other. Not taken
 * from the ring's own table, which the tests check with it.
 */
enum tring_refusal ring_refusal_of(int err)
{
	switch (err) {
	case -ENOBUFS:
		return TRING_REFUSED_NO_ROOM;
	case -EBUSY:
		return TRING_REFUSED_OPEN_COMMIT;
	case -E2BIG:
		return TRING_REFUSED_TOO_LARGE;
	case -EAGAIN:
		return TRING_REFUSED_RETRIES;
	case -ELOOP:
		return TRING_REFUSED_NESTED;
	case -EIO:
		return TRING_REFUSED_STOPPED;
	case -ENOMEM:
		return TRING_REFUSED_NO_MEMORY;
	case -ESHUTDOWN:
		return TRING_REFUSED_OFF;
	default:
		return TRING_REFUSALS;
	}
}

/* Events refused so far; while recording was off none was lost. */
static u64 count_refused(struct ring *ring)
{
	u64 lost = 0;
	int reason;

	for (reason = 0; reason < TRING_REFUSED_OFF; reason++)
		lost += ring->refused[reason];
	return lost;
}

static struct tring_memory *memory_at(struct ring *ring, unsigned long position)
{
	return ring->cpu_buffer->memories[tring_generation(position)];
}

/* The sequence number of the packet that a position is in. */
static u64 packet_at(struct ring *ring, unsigned long position)
{
	struct tring_memory *memory = memory_at(ring, position);

	return memory->first_packet + ((position & TRING_POSITION_MASK) >> memory->order);
}

/* tring_reserve() with a note of what it came to. */
int ring_reserve(struct ring *ring, u32 length, struct event *event)
{
	u64 outer_clock = ring->clock_read;
	struct attempt *attempt;
	enum tring_refusal reason;
	int err;

	if (ring->nr_attempts == RING_ATTEMPTS) {
		ring_fault(ring, "the test writes too much", RING_ATTEMPTS, 0);
		return -EDOM;
	}
	event->sequence = ring->nr_attempts++;
	event->length = length;
	attempt = &ring->attempts[event->sequence];
	memset(attempt, 0, sizeof(*attempt));
	attempt->length = length;
	attempt->lost = count_refused(ring);

	err = tring_reserve(ring->buffer, RING_EVENT_ID, length, &event->record);
	attempt->oldest = ring->clock_read;
	attempt->newest = ring->clock_said;
	ring->clock_read = outer_clock;
	if (!err) {
		attempt->packet = packet_at(ring, local_read(&event->record.subbuf->start));
		return 0;
	}

	attempt->fate = ATTEMPT_REFUSED;
	reason = ring_refusal_of(err);
	if (reason == TRING_REFUSALS)
		ring_fault(ring, "error code of tring_reserve()", -err, 0);
	else
		ring->refused[reason]++;
	return err;
}

static u8 fill_byte(u32 sequence, u32 offset)
{
	return sequence * 7 + offset;
}

static void fill_payload(u8 *payload, u32 sequence, u32 length)
{
	u32 i;

	payload[2] = sequence;
	payload[3] = length;
	memcpy(payload + SEQUENCE_OFFSET, &sequence, sizeof(sequence));
	memcpy(payload + LENGTH_OFFSET, &length, sizeof(length));
	for (i = FILL_OFFSET; i < length; i++)
		payload[i] = fill_byte(sequence, i);
}

void ring_commit(struct ring *ring, struct event *event)
{
	u64 outer_clock = ring->clock_read;

	fill_payload(event->record.payload, event->sequence, event->length);
	/* Nested readers may find it before tring_commit() returns. */
	ring->attempts[event->sequence].fate = ATTEMPT_COMMITTED;
	ring->committed++;
	tring_commit(&event->record);
	ring->clock_read = outer_clock;
}

void ring_discard(struct ring *ring, struct event *event)
{
	u64 outer_clock = ring->clock_read;

	fill_payload(event->record.payload, event->sequence, event->length);
	ring->attempts[event->sequence].fate = ATTEMPT_DISCARDED;
	ring->discarded++;
	tring_discard(&event->record);
	ring->clock_read = outer_clock;
}

int ring_write(struct ring *ring, u32 length)
{
	struct event event;
	int err;

	err = ring_reserve(ring, length, &event);
	if (!err)
		ring_commit(ring, &event);
	return err;
}

/* @count events, each of which must be let in. */
void ring_fill(struct ring *ring, u32 length, unsigned int count)
{
	while (count--)
		expect_equal(ring, "write", ring_write(ring, length), 0);
}

void ring_flush(struct ring *ring)
{
	u64 outer_clock = ring->clock_read;
	bool outer = ring->flushing;

	ring->flushing = true;
	preempt_disable_notrace();
	tring_flush(ring->cpu_buffer);
	preempt_enable_notrace();
	ring->flushing = outer;
	ring->clock_read = outer_clock;
}

/* Where the writer is in its packet, and in which. */
unsigned long ring_offset(struct ring *ring)
{
	unsigned long write = local_read(&ring->cpu_buffer->write);

	return write & (memory_at(ring, write)->subbuf_size - 1);
}

void walk_begin(struct walk *walk, const void *packet)
{
	const struct tring_packet_header *header = packet;

	memset(walk, 0, sizeof(*walk));
	walk->packet = packet;
	walk->content = header->content_size / 8;
	walk->next = TRING_PACKET_HEADER_SIZE;
	walk->stamp = header->timestamp_begin;
}

/* Go to the next record of a packet that tring_check_packet() has passed. */
bool walk_next(struct walk *walk)
{
	unsigned int header;
	u32 word;

	if (walk->next >= walk->content)
		return false;
	walk->offset = walk->next;
	memcpy(&word, walk->packet + walk->offset, sizeof(word));
	walk->type = tring_header_type(word, TRING_HOST_BIG_ENDIAN);
	walk->stamp = tring_stamp_rebuild(walk->stamp,
					  tring_header_stamp(word, TRING_HOST_BIG_ENDIAN),
					  TRING_STAMP_BITS);
	header = TRING_HEADER_WORDS_SIZE;
	walk->room = walk->type * 4;
	if (walk->type == TRING_TYPE_BYTES || walk->type == TRING_TYPE_EXTENDED) {
		memcpy(&walk->room, walk->packet + walk->offset + TRING_HEADER_WORDS_SIZE,
		       sizeof(walk->room));
		header = TRING_HEADER_BYTES_SIZE;
	}
	if (walk->type == TRING_TYPE_EXTENDED) {
		memcpy(&walk->stamp, walk->packet + walk->offset + TRING_HEADER_BYTES_SIZE,
		       sizeof(walk->stamp));
		header = TRING_HEADER_EXTENDED_SIZE;
	}
	walk->payload = walk->packet + walk->offset + header;
	memcpy(&walk->id, walk->payload, sizeof(walk->id));
	walk->next = tring_record_align(walk->offset + header + walk->room);
	return true;
}

static void verify_discarded(struct ring *ring, const struct walk *walk)
{
	u32 skip;

	memcpy(&skip, walk->payload + TRING_SKIP_OFFSET, sizeof(skip));
	if (walk->type == TRING_TYPE_BYTES || walk->type == TRING_TYPE_EXTENDED)
		expect_equal(ring, "skip of a discarded record", skip,
			     walk->room - TRING_PAYLOAD_MIN);
	else if (walk->room - TRING_PAYLOAD_MIN - skip > 3)
		ring_fault(ring, "skip of a discarded record", skip,
			   walk->room - TRING_PAYLOAD_MIN);
	if (skip)
		expect_equal(ring, "first skipped byte",
			     *(u8 *)(walk->payload + TRING_SKIPPED_OFFSET), 0);
}

/* Is this the event that it says it is, and only once, and then? */
static void verify_event(struct ring *ring, const struct walk *walk)
{
	const u8 *payload = walk->payload;
	struct attempt *attempt;
	u32 sequence, length, i;

	memcpy(&sequence, payload + SEQUENCE_OFFSET, sizeof(sequence));
	memcpy(&length, payload + LENGTH_OFFSET, sizeof(length));
	expect_equal(ring, "id", walk->id, RING_EVENT_ID);
	if (sequence >= ring->nr_attempts) {
		ring_fault(ring, "sequence", sequence, ring->nr_attempts);
		return;
	}
	attempt = &ring->attempts[sequence];
	expect_equal(ring, "length in the payload", length, attempt->length);
	expect_equal(ring, "room", walk->room,
		     walk->type && walk->type <= TRING_TYPE_WORDS_MAX ?
		     round_up(attempt->length, 4) : attempt->length);
	expect_equal(ring, "payload byte 2", payload[2], (u8)sequence);
	expect_equal(ring, "payload byte 3", payload[3], (u8)length);
	for (i = FILL_OFFSET; i < attempt->length && i < walk->room; i++)
		if (payload[i] != fill_byte(sequence, i)) {
			ring_fault(ring, "payload byte", payload[i],
				   fill_byte(sequence, i));
			break;
		}
	expect_equal(ring, "fate of an event that was read", attempt->fate,
		     ATTEMPT_COMMITTED);
	attempt->fate = ATTEMPT_READ;
	if (ring->unsteady)
		return;
	if (walk->stamp < attempt->oldest)
		ring_fault(ring, "timestamp is too old", walk->stamp, attempt->oldest);
	if (walk->stamp > attempt->newest)
		ring_fault(ring, "timestamp is too new", walk->stamp, attempt->newest);
}

static void verify_header(struct ring *ring, const struct tring_packet_header *header)
{
	const void *rest = (const void *)header + header->content_size / 8;

	expect_equal(ring, "cpu_id", header->cpu_id, ring->cpu_buffer->cpu);
	expect_equal(ring, "uuid", memcmp(header->uuid, ring->buffer->uuid,
					  TRING_UUID_SIZE), 0);
	expect_equal(ring, "packet_size", header->packet_size / 8,
		     round_up(header->content_size / 8, 8));
	if (memchr_inv(rest, 0, (header->packet_size - header->content_size) / 8))
		ring_fault(ring, "old bytes behind the content", header->packet_seq_num, 0);
	if (header->packet_seq_num < ring->next_packet)
		ring_fault(ring, "packet_seq_num", header->packet_seq_num,
			   ring->next_packet);
	if (header->events_discarded < ring->last_lost)
		ring_fault(ring, "events_discarded", header->events_discarded,
			   ring->last_lost);
	if (header->timestamp_begin < ring->last_stamp)
		ring_fault(ring, "timestamp_begin", header->timestamp_begin,
			   ring->last_stamp);
}

/*
 * What was overwritten must be exactly what lies before the packet and was never
 * read. What was refused must be all until the packet's last record at least; the
 * closer's own sample is a moment later.
 */
static void verify_lost(struct ring *ring, const struct tring_packet_header *header)
{
	u64 overwritten = ring->lost_earlier, refused_before = ring->last_refused;
	const struct attempt *attempt;
	u64 refused;
	u32 i;

	for (i = 0; i < ring->nr_attempts; i++) {
		attempt = &ring->attempts[i];
		if (attempt->fate == ATTEMPT_COMMITTED &&
		    attempt->packet < header->packet_seq_num)
			overwritten++;
		if (attempt->fate == ATTEMPT_READ &&
		    attempt->packet == header->packet_seq_num)
			refused_before = max(refused_before, attempt->lost);
	}
	refused = header->events_discarded - overwritten;
	if (header->events_discarded < overwritten)
		ring_fault(ring, "events_discarded: too few overwritten",
			   header->events_discarded, overwritten);
	else if (refused < refused_before)
		ring_fault(ring, "events_discarded: too few", header->events_discarded,
			   overwritten + refused_before);
	else if (refused > count_refused(ring))
		ring_fault(ring, "events_discarded: too many", header->events_discarded,
			   overwritten + count_refused(ring));
	ring->last_refused = refused;
}

/* Check a packet and every record in it, and book what it holds. */
void ring_verify(struct ring *ring, const struct tring_packet *packet)
{
	const struct tring_packet_header *header = packet->data;
	unsigned long events = 0, discarded = 0;
	struct tring_check check;
	struct walk walk;

	if (!tring_check_packet(packet->data, packet->size, &check)) {
		ring_fault(ring, check.reason, check.offset, 0);
		return;
	}
	verify_header(ring, header);
	walk_begin(&walk, packet->data);
	while (walk_next(&walk)) {
		if (walk.stamp < ring->last_stamp)
			ring_fault(ring, "timestamp", walk.stamp, ring->last_stamp);
		ring->last_stamp = walk.stamp;
		if (walk.id == TRING_ID_DISCARDED) {
			verify_discarded(ring, &walk);
			discarded++;
		} else {
			verify_event(ring, &walk);
			events++;
		}
	}
	if (header->timestamp_end < ring->last_stamp)
		ring_fault(ring, "timestamp_end", header->timestamp_end, ring->last_stamp);
	expect_equal(ring, "events of the checker", check.events, events);
	expect_equal(ring, "discarded records of the checker", check.discarded, discarded);
	expect_equal(ring, "events of the packet", packet->events, events);
	verify_lost(ring, header);

	ring->read += events;
	ring->packets++;
	ring->gap += header->packet_seq_num - ring->next_packet;
	ring->next_packet = header->packet_seq_num + 1;
	ring->last_stamp = header->timestamp_end;
	ring->last_lost = header->events_discarded;
	ring->last_content = header->content_size / 8;
	ring->last_discarded = discarded;
}

/* Take a packet, check it, put it back. */
int ring_take(struct ring *ring, bool flush)
{
	u64 outer_clock = ring->clock_read;
	struct tring_packet packet;
	int err;

	ring->taking = true;
	err = tring_reader_take(ring->stream, flush, &packet);
	ring->taking = false;
	if (!err) {
		ring_verify(ring, &packet);
		tring_reader_put(ring->stream);
	}
	ring->clock_read = outer_clock;
	return err;
}

/*
 * What sleeps, from inside of a writer, as it might run on another CPU at that
 * moment: the writers' preempt counts are given back for it. The test is bound
 * to the CPU and nobody else writes into its ring.
 */
static unsigned int pretend_other_cpu(struct ring *ring)
{
	unsigned int depth = local_read(&ring->cpu_buffer->nesting) % TRING_NESTING_RETRY;
	unsigned int i;

	for (i = 0; i < depth; i++)
		preempt_enable_notrace();
	return depth;
}

static void end_other_cpu(unsigned int depth)
{
	while (depth--)
		preempt_disable_notrace();
}

/* Take from inside of a writer. */
int ring_take_inside(struct ring *ring, bool flush)
{
	unsigned int depth;
	int err;

	if (ring->taking || ring->flushing || ring->switching)
		return -EBUSY;
	depth = pretend_other_cpu(ring);
	err = ring_take(ring, flush);
	end_other_cpu(depth);
	return err;
}

/*
 * Go to other memory, also from inside of a writer. Once at a time: the memory
 * that was left is settled by ring_settle(), when no writer is in it.
 */
int ring_switch(struct ring *ring, unsigned long subbufs, unsigned long subbuf_size)
{
	struct tring_cpu_buffer *cpu_buffer = ring->cpu_buffer;
	struct tring_memory *memory;
	u64 outer_clock = ring->clock_read;
	unsigned int depth;
	int err;

	if (ring->taking || ring->flushing || ring->switching || ring->unsettled)
		return -EBUSY;
	ring->switching = true;
	depth = pretend_other_cpu(ring);
	memory = tring_memory_allocate(cpu_buffer, subbufs * subbuf_size, ilog2(subbuf_size));
	if (IS_ERR(memory)) {
		ring_fault(ring, "no memory for the test", -PTR_ERR(memory), 0);
		err = PTR_ERR(memory);
		goto out;
	}
	mutex_lock(&cpu_buffer->mutex);
	err = tring_ring_switch(cpu_buffer, memory);
	mutex_unlock(&cpu_buffer->mutex);
	if (err)
		tring_memory_free(memory);
	else
		ring->unsettled = true;
out:
	end_other_cpu(depth);
	ring->switching = false;
	ring->clock_read = outer_clock;
	return err;
}

/* As after the grace periods that follow a switch. */
void ring_settle(struct ring *ring, bool aside)
{
	struct tring_cpu_buffer *cpu_buffer = ring->cpu_buffer;

	if (!ring->unsettled)
		return;
	mutex_lock(&cpu_buffer->mutex);
	tring_ring_run(cpu_buffer, tring_forget_old_subbuf, cpu_buffer);
	tring_ring_settle(cpu_buffer, aside);
	mutex_unlock(&cpu_buffer->mutex);
	ring->unsettled = false;
}

/* Walk over all there is without taking it; returns the events seen. */
u64 ring_peek(struct ring *ring)
{
	struct tring_packet_header *header = (void *)ring->peeked;
	struct tring_check check;
	struct tring_peek peek = { };
	u64 events = 0, before, lost = 0;
	unsigned int depth;
	size_t size;

	/* Its steps may be interrupted, but not by another reader. */
	if (ring->taking || ring->flushing || ring->switching)
		return 0;
	ring->taking = true;
	depth = pretend_other_cpu(ring);
	for (;;) {
		before = peek.next;
		if (tring_reader_peek(ring->stream, &peek, ring->peeked, RING_PEEK_MAX, &size))
			break;
		if (!tring_check_packet(ring->peeked, size, &check))
			ring_fault(ring, check.reason, check.offset, 0);
		expect_equal(ring, "number of a peeked packet", header->packet_seq_num,
			     peek.next - 1);
		if (peek.next <= before)
			ring_fault(ring, "peek goes backwards", peek.next, before);
		if (header->events_discarded < lost)
			ring_fault(ring, "peeked events_discarded", header->events_discarded,
				   lost);
		lost = header->events_discarded;
		events += check.events;
	}
	end_other_cpu(depth);
	ring->taking = false;
	return events;
}

/* Take all there is. */
void ring_drain(struct ring *ring)
{
	int err;

	do
		err = ring_take(ring, true);
	while (!err);
	expect_equal(ring, "end of a drain", -err, EAGAIN);
}

static u64 count_unread(struct ring *ring)
{
	u64 unread = 0;
	u32 i;

	for (i = 0; i < ring->nr_attempts; i++) {
		if (ring->attempts[i].fate == ATTEMPT_COMMITTED)
			unread++;
		if (ring->attempts[i].fate == ATTEMPT_OPEN)
			ring_fault(ring, "an attempt without an end", i, 0);
	}
	return unread;
}

/* The ring's own counters against ours, and against each other; at rest. */
void ring_check_balance(struct ring *ring)
{
	struct tring_stats stats;
	int reason;

	tring_buffer_stats(ring->buffer, ring->cpu, &stats);
	expect_equal(ring, "stats: reserved", stats.reserved,
		     ring->committed + ring->discarded);
	expect_equal(ring, "stats: committed", stats.committed, ring->committed);
	expect_equal(ring, "stats: discarded", stats.discarded, ring->discarded);
	expect_equal(ring, "stats: open", stats.open, 0);
	expect_equal(ring, "stats: read", stats.read, ring->read);
	expect_equal(ring, "stats: packets_read", stats.packets_read, ring->packets);
	expect_equal(ring, "committed = read + overwritten + remaining", stats.committed,
		     stats.read + stats.overwritten + stats.remaining);
	expect_equal(ring, "the same in bytes", stats.committed_bytes,
		     stats.read_bytes + stats.overwritten_bytes + stats.remaining_bytes);
	expect_equal(ring, "unread = overwritten + remaining",
		     count_unread(ring) + ring->lost_earlier,
		     stats.overwritten + stats.remaining);
	for (reason = 0; reason < TRING_REFUSALS; reason++)
		expect_equal(ring, tring_refusal_name(reason), stats.refused[reason],
			     ring->refused[reason]);
	expect_equal(ring, "nesting", local_read(&ring->cpu_buffer->nesting), 0);
}

/*
 * The end of a round: read everything and balance. Then one event more, whose
 * packet must account for exactly what was lost, in events and in packets.
 */
void ring_finish(struct ring *ring)
{
	struct tring_stats stats;

	ring_settle(ring, false);
	ring_drain(ring);
	ring_check_balance(ring);
	if (READ_ONCE(ring->cpu_buffer->limit)) {
		ring_fill(ring, RING_EVENT_MIN, 1);
		ring_drain(ring);
		tring_buffer_stats(ring->buffer, ring->cpu, &stats);
		expect_equal(ring, "events_discarded at the end", ring->last_lost,
			     count_refused(ring) + stats.overwritten);
		expect_equal(ring, "packets_overwritten", stats.packets_overwritten,
			     ring->gap);
		ring_check_balance(ring);
		expect_equal(ring, "stats: remaining", stats.remaining, 0);
		expect_equal(ring, "stats: remaining_bytes", stats.remaining_bytes, 0);
	}
	ring->lost_earlier += count_unread(ring);
	ring->nr_attempts = 0;
}
