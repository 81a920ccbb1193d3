// SPDX-License-Identifier: GPL-2.0
/*
 * The ring under test: made, written, taken from and balanced. See helpers.h.
 */

#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/log2.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "helpers.h"
#include "ring/internal.h"

const char *const step_names[TRING_STEPS] = {
	[TRING_STEP_RESERVE_READ]	= "reserve_read",
	[TRING_STEP_RESERVE_CLOCK]	= "reserve_clock",
	[TRING_STEP_RESERVE_AT_HAND]	= "reserve_at_hand",
	[TRING_STEP_RESERVE_BOUND]	= "reserve_bound",
	[TRING_STEP_RESERVE_BEFORE]	= "reserve_before",
	[TRING_STEP_RESERVE_CLAIMED]	= "reserve_claimed",
	[TRING_STEP_RESERVE_STAMPED]	= "reserve_stamped",
	[TRING_STEP_RESERVE_PID_KEPT]	= "reserve_pid_kept",
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

/* Of payloads; any other is a varying event's. */
const u32 ring_fixed_lengths[RING_FIXED] = { RING_EVENT_MIN, 16, 17, 20, 24, 40, 100, 262 };

/* Note that something is wrong; the first one is kept for the report. */
void ring_fault(struct ring *ring, const char *what, u64 got, u64 wanted)
{
	if (ring->faults++)
		return;
	ring->fault = what;
	ring->got = got;
	ring->wanted = wanted;
}

void ring_expect_equal(struct ring *ring, const char *what, u64 got, u64 wanted)
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

static void add_events(struct ring *ring)
{
	unsigned int i;

	ring->varying = tring_buffer_add_event(ring->buffer, RING_VARYING_ID, 0);
	for (i = 0; i < RING_FIXED; i++)
		ring->fixed[i] = tring_buffer_add_event(ring->buffer, RING_FIXED_ID + i,
							ring_fixed_lengths[i] -
							TRING_PAYLOAD_HEAD);
}

/* So that a case has all the short types to itself; nothing may be unread. */
void ring_forget_events(struct ring *ring)
{
	unsigned int i;

	tring_buffer_remove_event(ring->buffer, ring->varying);
	for (i = 0; i < RING_FIXED; i++)
		tring_buffer_remove_event(ring->buffer, ring->fixed[i]);
	mutex_lock(&ring->buffer->mutex);
	tring_short_forget(ring->buffer);
	mutex_unlock(&ring->buffer->mutex);
	ring->in_long_form = true;
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
	ring->pid = RING_PID;
	add_events(ring);
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
u64 ring_count_refused(struct ring *ring)
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

/* Which event has payloads of @length. */
u64 ring_key(struct ring *ring, u32 length)
{
	unsigned int i;

	if (ring->in_long_form)
		return tring_event_key(RING_LONG_ID);
	for (i = 0; i < RING_FIXED; i++)
		if (ring_fixed_lengths[i] == length)
			return ring->fixed[i];
	return ring->varying;
}

/* Size of a record with a compact timestamp and a context byte. */
u32 ring_size(struct ring *ring, u32 length, bool has_pid)
{
	u64 key = ring_key(ring, length);
	u32 head = 4 + 1 + (has_pid ? 4 : 0);

	if (!tring_head_type(key))
		head += 2 + 4;
	else if (key & TRING_HEAD_VARIES)
		head += 2;
	return head + length - TRING_PAYLOAD_HEAD;
}

/* A context that a byte can say. */
static void pick_context(struct ring *ring, struct attempt *attempt, u32 sequence)
{
	if (ring->has_context) {
		attempt->flags = ring->flags;
		attempt->preempt_count = ring->preempt_count;
		return;
	}
	attempt->flags = sequence & TRING_CONTEXT_FLAGS;
	if (attempt->flags & TRING_CONTEXT_NEED_RESCHED)
		attempt->flags |= TRING_FLAGS_RESCHED;
	attempt->preempt_count = sequence % (TRING_CONTEXT_PREEMPT_MAX + 1);
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
	attempt->lost = ring_count_refused(ring);

	attempt->key = ring_key(ring, length);
	attempt->pid = ring->pid;
	pick_context(ring, attempt, event->sequence);

	err = tring_reserve(ring->buffer,
			    attempt->key | tring_context(attempt->flags, attempt->preempt_count),
			    attempt->pid, length, &event->record);
	attempt->oldest = ring->clock_read;
	attempt->newest = ring->clock_said;
	ring->clock_read = outer_clock;
	if (!err) {
		attempt->packet = packet_at(ring, local_read(&event->record.subbuf->start));
		attempt->place = ring->places++;
		attempt->begin = event->record.begin;
		attempt->size = tring_commits_bytes(event->record.commits);
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

/* Nothing of what is before the fields may be written. */
static void fill_payload(u8 *payload, u32 sequence, u32 length)
{
	u32 i;

	memcpy(payload + TRING_PAYLOAD_HEAD, &sequence, sizeof(sequence));
	for (i = RING_EVENT_MIN; i < length; i++)
		payload[i] = ring_fill_byte(sequence, i);
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
		ring_expect_equal(ring, "write", ring_write(ring, length), 0);
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

/* Packets entered because the one before is full, after a flush, and in other memory. */
void ring_fill_packets(struct ring *ring, u32 length)
{
	ring_fill(ring, length, 20);
	ring_flush(ring);
	ring_fill(ring, length, 2);
	KUNIT_ASSERT_EQ(ring->test, tring_buffer_resize(ring->buffer, ring->cpu, 8 * PAGE_SIZE),
			0);
	ring_fill(ring, length, 2);
}

/* Where the writer is in its packet, and in which. */
unsigned long ring_offset(struct ring *ring)
{
	unsigned long write = local_read(&ring->cpu_buffer->write);

	return write & (memory_at(ring, write)->subbuf_size - 1);
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
 * Take the oldest packet, after a flush if there is none, and begin a walk over it.
 * The caller puts the packet back.
 */
void ring_hold(struct ring *ring, struct tring_packet *packet, struct walk *walk)
{
	KUNIT_ASSERT_EQ(ring->test, tring_reader_take(ring->stream, true, packet), 0);
	KUNIT_ASSERT_TRUE_MSG(ring->test, walk_begin(walk, packet->data, packet->size), "%s",
			      walk->reason);
}

/*
 * What sleeps, from inside of a writer, as it might run on another CPU at that
 * moment: the writers' preempt counts are given back for it. The test is bound
 * to the CPU and nobody else writes into its ring.
 */
static unsigned int pretend_other_cpu(struct ring *ring)
{
	unsigned int depth = tring_nesting(ring->cpu_buffer) % TRING_NESTING_RETRY;
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
	struct tring_peek peek = { };
	u64 events = 0, before, lost = 0;
	unsigned int depth;
	struct walk walk;
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
		if (!walk_packet(&walk, ring->peeked, size))
			ring_fault(ring, walk.reason, walk.offset, 0);
		ring_expect_equal(ring, "number of a peeked packet", header->packet_seq_num,
				  peek.next - 1);
		if (peek.next <= before)
			ring_fault(ring, "peek goes backwards", peek.next, before);
		if (header->events_discarded < lost)
			ring_fault(ring, "peeked events_discarded", header->events_discarded,
				   lost);
		lost = header->events_discarded;
		events += walk.events;
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
	ring_expect_equal(ring, "end of a drain", -err, EAGAIN);
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
	ring_expect_equal(ring, "stats: reserved", stats.reserved,
			  ring->committed + ring->discarded);
	ring_expect_equal(ring, "stats: committed", stats.committed, ring->committed);
	ring_expect_equal(ring, "stats: discarded", stats.discarded, ring->discarded);
	ring_expect_equal(ring, "stats: open", stats.open, 0);
	ring_expect_equal(ring, "stats: read", stats.read, ring->read);
	ring_expect_equal(ring, "stats: packets_read", stats.packets_read, ring->packets);
	ring_expect_equal(ring, "committed = read + overwritten + remaining", stats.committed,
			  stats.read + stats.overwritten + stats.remaining);
	ring_expect_equal(ring, "the same in bytes", stats.committed_bytes,
			  stats.read_bytes + stats.overwritten_bytes + stats.remaining_bytes);
	ring_expect_equal(ring, "unread = overwritten + remaining",
			  count_unread(ring) + ring->lost_earlier,
			  stats.overwritten + stats.remaining);
	for (reason = 0; reason < TRING_REFUSALS; reason++)
		ring_expect_equal(ring, tring_refusal_name(reason), stats.refused[reason],
				  ring->refused[reason]);
	ring_expect_equal(ring, "nesting", tring_nesting(ring->cpu_buffer), 0);
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
		ring_expect_equal(ring, "events_discarded at the end", ring->last_lost,
				  ring_count_refused(ring) + stats.overwritten);
		ring_expect_equal(ring, "packets_overwritten", stats.packets_overwritten,
				  ring->gap);
		ring_check_balance(ring);
		ring_expect_equal(ring, "stats: remaining", stats.remaining, 0);
		ring_expect_equal(ring, "stats: remaining_bytes", stats.remaining_bytes, 0);
	}
	ring->lost_earlier += count_unread(ring);
	ring->nr_attempts = 0;
}
