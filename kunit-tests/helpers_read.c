// SPDX-License-Identifier: GPL-2.0
/*
 * Reads the ring under test, switches its memory and balances its counters.
 * See helpers.h.
 */

#include <linux/err.h>
#include <linux/log2.h>

#include "helpers.h"
#include "ring/internal.h"
#include "tracefs/refusal_names.h"

/* Take a packet, verify it and put it back. */
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
 * Code that may sleep runs inside of a writer here, in place of a reader on another
 * CPU. Undo the preempt counts of the interrupted writers for it. That is safe
 * because the test is bound to the CPU and no other task writes into its ring.
 */
unsigned int ring_pretend_other_cpu(struct ring *ring)
{
	unsigned int depth = ring_nesting(ring) % TRING_NESTING_RETRY;
	unsigned int i;

	for (i = 0; i < depth; i++)
		preempt_enable_notrace();
	return depth;
}

void ring_end_other_cpu(unsigned int depth)
{
	while (depth--)
		preempt_disable_notrace();
}

/* Take a packet inside of a writer. */
int ring_take_inside(struct ring *ring, bool flush)
{
	unsigned int depth;
	int err;

	if (ring->taking || ring->flushing || ring->switching)
		return -EBUSY;
	depth = ring_pretend_other_cpu(ring);
	err = ring_take(ring, flush);
	ring_end_other_cpu(depth);
	return err;
}

/*
 * Switch the ring to other memory, also inside of a writer. The memory that the ring
 * leaves may hold open records, so ring_settle() has to run, outside of all writers,
 * before the next switch.
 */
int ring_switch(struct ring *ring, unsigned long subbufs, unsigned long subbuf_size)
{
	struct tring_cpu_buffer *cpu_buffer = ring->cpu_buffer;
	struct tring_memory *memory;
	u64 outer_clock = ring->clock_read;
	unsigned int depth;
	int err = 0;

	if (ring->taking || ring->flushing || ring->switching || ring->unsettled)
		return -EBUSY;
	ring->switching = true;
	depth = ring_pretend_other_cpu(ring);
	memory = tring_memory_allocate(cpu_buffer, subbufs * subbuf_size, ilog2(subbuf_size));
	if (IS_ERR(memory)) {
		ring_fault(ring, "no memory for the test", -PTR_ERR(memory), 0);
		err = PTR_ERR(memory);
		goto out;
	}
	mutex_lock(&cpu_buffer->mutex);
	tring_ring_switch(cpu_buffer, memory);
	mutex_unlock(&cpu_buffer->mutex);
	ring->unsettled = true;
out:
	ring_end_other_cpu(depth);
	ring->switching = false;
	ring->clock_read = outer_clock;
	return err;
}

/* Finish a switch. In tring itself grace periods precede this. */
void ring_settle(struct ring *ring, bool aside)
{
	struct tring_cpu_buffer *cpu_buffer = ring->cpu_buffer;

	if (!ring->unsettled)
		return;
	mutex_lock(&cpu_buffer->mutex);
	tring_ring_run(cpu_buffer, tring_ring_forget_subbuf);
	tring_ring_settle(cpu_buffer, aside);
	mutex_unlock(&cpu_buffer->mutex);
	ring->unsettled = false;
}

static u64 peek_at_all(struct ring *ring, bool with_open)
{
	struct tring_packet_header *header = (void *)ring->peeked;
	struct tring_peek peek = { .with_open = with_open };
	u64 events = 0, before, lost = 0;
	unsigned int depth;
	struct walk walk;
	size_t size;

	/* Steps of a peek may be interrupted, but not by another reader. */
	if (ring->taking || ring->flushing || ring->switching)
		return 0;
	ring->taking = true;
	depth = ring_pretend_other_cpu(ring);
	while (peek.with_open == with_open) {
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
	ring_end_other_cpu(depth);
	ring->taking = false;
	return events;
}

/* Peek at all packets and return the number of events in them. */
u64 ring_peek(struct ring *ring)
{
	return peek_at_all(ring, false);
}

/* The same, and the open packet. */
u64 ring_peek_open(struct ring *ring)
{
	return peek_at_all(ring, true);
}

/* Take all packets. */
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

/* Compare the ring's counters with the test's and with each other. No writer runs. */
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
	ring_expect_equal(ring, "balance of committed bytes", stats.committed_bytes,
			  stats.read_bytes + stats.overwritten_bytes + stats.remaining_bytes);
	ring_expect_equal(ring, "unread = overwritten + remaining",
			  count_unread(ring) + ring->unread_earlier,
			  stats.overwritten + stats.remaining);
	for (reason = 0; reason < TRING_REFUSALS; reason++)
		ring_expect_equal(ring, tring_refusal_name(reason), stats.refused[reason],
				  ring->refused[reason]);
	ring_expect_equal(ring, "nesting", ring_nesting(ring), 0);
}

/*
 * End of a round: read everything and balance. Then write one more event; its packet
 * must account for exactly the events and the packets that were lost.
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
				  ring->lost + stats.overwritten - ring->overwritten_before);
		ring_expect_equal(ring, "packets_overwritten", stats.packets_overwritten,
				  ring->gap);
		ring_check_balance(ring);
		ring_expect_equal(ring, "stats: remaining", stats.remaining, 0);
		ring_expect_equal(ring, "stats: remaining_bytes", stats.remaining_bytes, 0);
	}
	ring->overwritten_earlier += count_unread(ring);
	ring->unread_earlier += count_unread(ring);
	ring->nr_attempts = 0;
}

/*
 * The ring has just begun a new trace: the unread packets are gone, and sequence numbers
 * and events_discarded begin at 0. Ends the round.
 */
void ring_begin_trace(struct ring *ring)
{
	struct tring_stats stats;

	ring_check_balance(ring);
	tring_buffer_stats(ring->buffer, ring->cpu, &stats);
	ring_expect_equal(ring, "remaining in a new trace", stats.remaining, 0);
	ring->unread_earlier += count_unread(ring);
	ring->overwritten_earlier = 0;
	ring->overwritten_before = stats.overwritten;
	ring->nr_attempts = 0;
	ring->lost = 0;
	ring->gap = stats.packets_overwritten;
	ring->next_packet = 0;
	ring->last_stamp = 0;
	ring->last_lost = 0;
	ring->last_refused = 0;
}
