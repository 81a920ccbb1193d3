// SPDX-License-Identifier: GPL-2.0
/*
 * Compares every byte that comes out of the ring under test with the attempts that
 * went in. See helpers.h.
 */

#include <linux/string.h>

#include "helpers.h"
#include "ring/internal.h"

/* Check the head, which also a discarded record keeps. */
static void verify_head(struct ring *ring, const struct walk *walk,
			const struct attempt *attempt)
{
	ring_expect_equal(ring, "pid", walk->pid, attempt->pid);
	ring_expect_equal(ring, "flags", walk->flags, attempt->flags);
	ring_expect_equal(ring, "preempt_count", walk->preempt_count, attempt->preempt_count);
	ring_expect_equal(ring, "where a record begins", walk->offset, attempt->begin);
	ring_expect_equal(ring, "size of a record", walk->next - walk->offset, attempt->size);
}

/*
 * A discarded record no longer holds its attempt's number. Find the attempt by the
 * record's place: the last reservation there.
 */
static void verify_discarded(struct ring *ring, const struct walk *walk)
{
	const struct tring_packet_header *header = walk->packet;
	const struct attempt *attempt, *last = NULL;
	u32 i;

	for (i = 0; i < ring->nr_attempts; i++) {
		attempt = &ring->attempts[i];
		if (attempt->fate != ATTEMPT_REFUSED && attempt->begin == walk->offset &&
		    attempt->packet == header->packet_seq_num &&
		    (!last || attempt->place > last->place))
			last = attempt;
	}
	if (!last) {
		ring_fault(ring, "discarded record without an attempt", walk->offset, 0);
		return;
	}
	ring_expect_equal(ring, "fate of a discarded record", last->fate, ATTEMPT_DISCARDED);
	verify_head(ring, walk, last);
	if (walk->room)
		ring_expect_equal(ring, "first skipped byte", *(u8 *)walk->fields, 0);
}

/* Check that the record has the form of its event. */
static void verify_form(struct ring *ring, const struct walk *walk,
			const struct attempt *attempt)
{
	unsigned int type = tring_head_type(attempt->key);

	if (!type || (attempt->key & TRING_HEAD_VARIES && walk->room > U16_MAX))
		type = TRING_TYPE_LONG;
	if (walk->type != TRING_TYPE_EXTENDED)
		ring_expect_equal(ring, "type", walk->type, type);
	if (!tring_type_is_short(walk->type))
		ring_expect_equal(ring, "id", walk->id,
				  tring_head_id(attempt->key) + TRING_LONG_ID_BASE);
	if (tring_context_is_full(walk->context))
		ring_expect_equal(ring, "context byte of a full context", walk->context,
				  TRING_CONTEXT_FULL | TRING_CONTEXT_HAS_PID);
	ring_expect_equal(ring, "room", walk->room, attempt->length - TRING_PAYLOAD_HEAD);
}

/* Check an event's bytes and timestamp, and that it is read only once. */
static void verify_event(struct ring *ring, const struct walk *walk)
{
	const u8 *payload = walk->fields - TRING_PAYLOAD_HEAD;
	struct attempt *attempt;
	u32 sequence, i;

	memcpy(&sequence, walk->fields, sizeof(sequence));
	if (sequence >= ring->nr_attempts) {
		ring_fault(ring, "sequence", sequence, ring->nr_attempts);
		return;
	}
	attempt = &ring->attempts[sequence];
	verify_head(ring, walk, attempt);
	verify_form(ring, walk, attempt);
	for (i = RING_EVENT_MIN; i < walk->room + TRING_PAYLOAD_HEAD; i++)
		if (payload[i] != ring_fill_byte(sequence, i)) {
			ring_fault(ring, "payload byte", payload[i],
				   ring_fill_byte(sequence, i));
			break;
		}
	ring_expect_equal(ring, "fate of an event that was read", attempt->fate,
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
	unsigned int type;

	ring_expect_equal(ring, "cpu_id", header->cpu_id, ring->cpu_buffer->cpu);
	ring_expect_equal(ring, "uuid",
			  memcmp(header->uuid, ring->buffer->uuid, TRING_UUID_SIZE), 0);
	ring_expect_equal(ring, "packet_size", header->packet_size / 8,
			  round_up(header->content_size / 8, 8));
	if (memchr_inv(rest, 0, (header->packet_size - header->content_size) / 8))
		ring_fault(ring, "stale bytes behind the content", header->packet_seq_num, 0);
	if (header->packet_seq_num < ring->next_packet)
		ring_fault(ring, "packet_seq_num", header->packet_seq_num,
			   ring->next_packet);
	if (header->events_discarded < ring->last_lost)
		ring_fault(ring, "events_discarded", header->events_discarded,
			   ring->last_lost);
	if (header->timestamp_begin < ring->last_stamp)
		ring_fault(ring, "timestamp_begin", header->timestamp_begin,
			   ring->last_stamp);
	for (type = 0; type < TRING_TYPES; type++)
		if (!tring_type_is_short(type))
			ring_expect_equal(ring, "length of a type without an event",
					  header->lengths[type], 0);
}

/*
 * The overwritten part of events_discarded must be exactly the events that were
 * committed before the packet and never read. The refused part must include every
 * refusal before the packet's last record. It may be larger: the writer that closes
 * the packet reads the counter later.
 */
static void verify_lost(struct ring *ring, const struct tring_packet_header *header)
{
	u64 overwritten = ring->overwritten_earlier, refused_before = ring->last_refused;
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
	else if (refused > ring->lost)
		ring_fault(ring, "events_discarded: too many", header->events_discarded,
			   overwritten + ring->lost);
	ring->last_refused = refused;
}

/* Verify a packet and every record in it, and account for its events. */
void ring_verify(struct ring *ring, const struct tring_packet *packet)
{
	const struct tring_packet_header *header = packet->data;
	struct walk walk;

	if (!walk_packet(&walk, packet->data, packet->size)) {
		if (!ring->faults)
			walk_dump(packet->data, packet->size);
		ring_fault(ring, walk.reason, walk.offset, 0);
		return;
	}
	verify_header(ring, header);
	walk_begin(&walk, packet->data, packet->size);
	while (walk_next(&walk)) {
		if (walk.stamp < ring->last_stamp)
			ring_fault(ring, "timestamp", walk.stamp, ring->last_stamp);
		ring->last_stamp = walk.stamp;
		if (walk_is_discarded(&walk))
			verify_discarded(ring, &walk);
		else
			verify_event(ring, &walk);
	}
	if (header->timestamp_end < ring->last_stamp)
		ring_fault(ring, "timestamp_end", header->timestamp_end, ring->last_stamp);
	ring_expect_equal(ring, "events of the packet", packet->events, walk.events);
	verify_lost(ring, header);

	ring->read += walk.events;
	ring->packets++;
	ring->gap += header->packet_seq_num - ring->next_packet;
	ring->next_packet = header->packet_seq_num + 1;
	ring->last_stamp = header->timestamp_end;
	ring->last_lost = header->events_discarded;
	ring->last_content = header->content_size / 8;
	ring->last_discarded = walk.discarded;
}
