// SPDX-License-Identifier: GPL-2.0
/*
 * Writes into the ring under test and notes every attempt. See helpers.h.
 */

#include <linux/string.h>

#include "helpers.h"
#include "ring/internal.h"
#include "write.h"

static struct tring_memory *memory_at(struct ring *ring, unsigned long position)
{
	return ring->cpu_buffer->memories[tring_generation(position)];
}

/* Sequence number of the packet at a position. */
static u64 packet_at(struct ring *ring, unsigned long position)
{
	struct tring_memory *memory = memory_at(ring, position);

	return memory->first_packet + ((position & TRING_POSITION_MASK) >> memory->order);
}

/* Key of the event with payloads of @length. */
u64 ring_key(struct ring *ring, u32 length)
{
	unsigned int i;

	if (ring->in_long_form)
		return tring_event_key(RING_LONG_ID);
	for (i = 0; i < RING_FIXED; i++)
		if (ring_fixed_lengths[i] == length)
			return ring->fixed[i].head;
	return ring->varying.head;
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

/* Unless the test sets the context, pick one that fits into the context byte. */
static void pick_context(struct ring *ring, struct attempt *attempt, u32 sequence)
{
	if (ring->fixed_context) {
		attempt->flags = ring->flags;
		attempt->preempt_count = ring->preempt_count;
		return;
	}
	attempt->flags = sequence & TRING_CONTEXT_FLAGS;
	if (attempt->flags & TRING_CONTEXT_NEED_RESCHED)
		attempt->flags |= TRING_FLAGS_RESCHED;
	attempt->preempt_count = sequence % (TRING_CONTEXT_PREEMPT_MAX + 1);
}

/*
 * An open packet has no sizes yet. A nested writer may come before the writer that
 * enters the packet has cleared them.
 */
static void check_open_header(struct ring *ring, const struct tring_packet_header *header)
{
	if (ring_nesting(ring) != 1)
		return;
	ring_expect_equal(ring, "content_size of an open packet", header->content_size, 0);
	ring_expect_equal(ring, "packet_size of an open packet", header->packet_size, 0);
}

/* Call tring_reserve() and note the outcome. */
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
	attempt->lost = ring->lost;

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
		check_open_header(ring, event->record.subbuf->data);
		return 0;
	}

	attempt->fate = ATTEMPT_REFUSED;
	reason = refusal_of(err);
	if (reason == TRING_REFUSALS) {
		ring_fault(ring, "error code of tring_reserve()", -err, 0);
		return err;
	}
	ring->refused[reason]++;
	/* Events while recording is off and events between two traces are not lost. */
	if (reason != TRING_REFUSED_OFF && !ring->cpu_buffer->draining)
		ring->lost++;
	return err;
}

/* The ring owns the bytes before the fields: leave them alone. */
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
	/* A nested reader may take the event before tring_commit() returns. */
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

/* Write @count events; the ring must accept each of them. */
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
	tring_end_packet(ring->cpu_buffer, NULL);
	preempt_enable_notrace();
	ring->flushing = outer;
	ring->clock_read = outer_clock;
}

/* Packets that follow a full packet, a flush and a switch to other memory. */
void ring_fill_packets(struct ring *ring, u32 length)
{
	ring_fill(ring, length, 20);
	ring_flush(ring);
	ring_fill(ring, length, 2);
	KUNIT_ASSERT_EQ(ring->test, tring_buffer_resize(ring->buffer, ring->cpu, 8 * PAGE_SIZE),
			0);
	ring_fill(ring, length, 2);
}

/* Offset of the write position in its sub-buffer. */
unsigned long ring_offset(struct ring *ring)
{
	unsigned long write = local_read(&ring->cpu_buffer->write);

	return write & (memory_at(ring, write)->subbuf_size - 1);
}
