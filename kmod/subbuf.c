// SPDX-License-Identifier: GPL-2.0
/*
 * The life of a sub-buffer on the writer's side: its slot is opened, a packet
 * is entered in it and closed, and when nothing in it is open it is delivered.
 * Once a sub-buffer, not once an event. See ring.c DOC.
 */

#include <linux/string.h>
#include <linux/wait.h>

#include "compat.h"
#include "ring.h"
#include "ring_check.h"
#include "ring_fast.h"
#include "ring_internal.h"
#include "slot.h"

/* Bytes that each half of the packet header counts for. */
#define HEADER_HALF	(TRING_PACKET_HEADER_SIZE / 2)

/* A slot word changes under us only if the reader takes the packet: once. */
#define OPEN_TRIES	4

/**
 * tring_subbuf_find - sub-buffer of a packet that is open
 * @memory: that the packet is in
 * @packet: its number
 *
 * Context: the writer's.
 * Return: NULL if nested writers left it meanwhile.
 */
struct tring_subbuf *tring_subbuf_find(struct tring_memory *memory, u64 packet)
{
	u64 word = atomic64_read(tring_slot_of(memory, packet));

	if (tring_slot_distance(word, packet) || tring_slot_state(word) != TRING_SLOT_OPEN)
		return NULL;
	return &memory->subbufs[tring_slot_index(word)];
}

/* What the packet in @subbuf holds goes to the loss account. */
static void count_overwritten(struct tring_cpu_buffer *cpu_buffer,
			      struct tring_memory *memory, unsigned long events,
			      unsigned long bytes)
{
	local_inc(&cpu_buffer->overwritten_packets);
	local_add(events, &cpu_buffer->overwritten);
	local_add(bytes, &cpu_buffer->overwritten_bytes);
	local_add(events, &memory->overwritten);
	/* TB(enter:B) events before packets. Pairs with TB(take:C). */
	smp_wmb();
	local_inc(&memory->overwritten_packets);
}

/**
 * tring_subbuf_open - make the slot of a packet the writer's
 * @cpu_buffer: the ring
 * @memory: that the packet will be in
 * @packet: its number
 * @found: its sub-buffer
 *
 * May be done by several nested writers for the same packet; each finds the
 * work of those before it.
 *
 * Context: the writer's.
 * Return: TRING_RESERVE_CLAIM, TRING_RESERVE_AGAIN or a refusal.
 */
int tring_subbuf_open(struct tring_cpu_buffer *cpu_buffer, struct tring_memory *memory,
		      u64 packet, struct tring_subbuf **found)
{
	atomic64_t *slot = tring_slot_of(memory, packet);
	unsigned long start = tring_packet_position(memory, packet);
	unsigned long unentered = start | TRING_START_UNENTERED;
	unsigned long old_start, events, bytes;
	struct tring_subbuf *subbuf;
	enum tring_slot_state state;
	unsigned int tries;
	s64 distance;
	u64 word;

	for (tries = 0; tries < OPEN_TRIES; tries++) {
		word = atomic64_read(slot);
		distance = tring_slot_distance(word, packet);
		state = tring_slot_state(word);
		subbuf = &memory->subbufs[tring_slot_index(word)];
		*found = subbuf;
		old_start = local_read(&subbuf->start);
		tring_step(cpu_buffer, TRING_STEP_ENTER_READ);

		if (distance == 0 && state == TRING_SLOT_OPEN) {
			/*
			 * A writer that we interrupted opened it. It may not
			 * have come to set the start: do it. The slot is
			 * looked at again because only a start read while the
			 * slot is in our packet's lap may be replaced.
			 */
			if (old_start == unentered || old_start == start)
				return TRING_RESERVE_CLAIM;
			if ((u64)atomic64_read(slot) != word)
				continue;
			local_cmpxchg(&subbuf->start, old_start, unentered);
			return TRING_RESERVE_CLAIM;
		}
		if (distance != -(s64)memory->nr_subbufs)
			return TRING_RESERVE_AGAIN;
		if (state == TRING_SLOT_OPEN)
			return TRING_REFUSED_OPEN_COMMIT;
		if (state == TRING_SLOT_DELIVERED &&
		    !READ_ONCE(cpu_buffer->buffer->overwrite))
			return TRING_REFUSED_NO_ROOM;

		/*
		 * Of use only if the cmpxchg says that nobody took it. Until
		 * then its pages may be given away, so these are not in there.
		 */
		events = READ_ONCE(subbuf->events);
		bytes = READ_ONCE(subbuf->bytes);

		/* TB(enter:A) the writer's side. Pairs with TB(take:B). */
		if ((u64)atomic64_cmpxchg(slot, word,
					  tring_slot_word(TRING_SLOT_OPEN,
							  tring_slot_index(word),
							  packet)) != word)
			continue;
		tring_step(cpu_buffer, TRING_STEP_ENTER_OPENED);
		if (state == TRING_SLOT_DELIVERED)
			count_overwritten(cpu_buffer, memory, events, bytes);
		tring_step(cpu_buffer, TRING_STEP_ENTER_COUNTED);
		local_cmpxchg(&subbuf->start, old_start, unentered);
		tring_step(cpu_buffer, TRING_STEP_ENTER_STARTED);
		return TRING_RESERVE_CLAIM;
	}
	return TRING_RESERVE_AGAIN;
}

/**
 * tring_wake_readers - wake who waits for what there is now
 * @cpu_buffer: the ring
 *
 * Readers that sleep get an interrupt of their own: we may be in an NMI.
 *
 * Context: the writer's.
 */
void tring_wake_readers(struct tring_cpu_buffer *cpu_buffer)
{
	struct tring_memory *memory;
	unsigned long enough;

	/*
	 * TB(wake:A) wq_has_sleeper() has a full barrier between the position
	 * or slot word stored before and the wait queue read in it. Pairs with
	 * TB(has_data:A).
	 */
	if (wq_has_sleeper(&cpu_buffer->wait)) {
		enough = READ_ONCE(cpu_buffer->wake_packets);
		if (!enough || atomic_read(&cpu_buffer->eager_readers) ||
		    tring_ring_unread(cpu_buffer) >= enough)
			irq_work_queue(&cpu_buffer->wake_work);
	}
	/*
	 * Writers overwrite: what lies in older memory has had its time, too.
	 * TB(overwritten:A) is the same barrier, between the count of overwritten
	 * packets and the look at older memory. Pairs with TB(retired:A): either
	 * we see that there is some, or whoever left it sees the count.
	 */
	if (unlikely(READ_ONCE(cpu_buffer->has_retired))) {
		memory = cpu_buffer->memories[tring_generation(local_read(&cpu_buffer->write))];
		if (local_read(&memory->overwritten_packets))
			irq_work_queue(&cpu_buffer->wake_work);
	}
}

/**
 * tring_packet_enter - write the first half of a packet's header
 * @cpu_buffer: the ring
 * @pos: of the record that entered it
 *
 * Context: the writer's, who moved the position into the packet.
 */
void tring_packet_enter(struct tring_cpu_buffer *cpu_buffer,
			const struct tring_position *pos)
{
	struct tring_packet_header *header = pos->subbuf->data;

	header->magic = TRING_PACKET_MAGIC;
	memcpy(header->uuid, cpu_buffer->buffer->uuid, TRING_UUID_SIZE);
	header->cpu_id = cpu_buffer->cpu;
	header->timestamp_begin = pos->stamp;
	header->packet_seq_num = pos->memory->first_packet + pos->entered;
	tring_step(cpu_buffer, TRING_STEP_ENTER_HEADER);
	/*
	 * Race: a writer that was interrupted here may point back to a packet
	 * long closed. It fails towards the slow path, which compares with the
	 * slot and repairs it; nobody writes through it, because its start does
	 * not match the position.
	 */
	WRITE_ONCE(cpu_buffer->current_subbuf, pos->subbuf);
	tring_commit_bytes(cpu_buffer, pos->subbuf, HEADER_HALF);
	tring_wake_readers(cpu_buffer);
}

/**
 * tring_packet_close - write the second half, and commit the unused rest
 * @cpu_buffer: the ring
 * @pos: read before the position was moved out of the packet
 *
 * Context: the writer's, who moved the position out of the packet.
 */
void tring_packet_close(struct tring_cpu_buffer *cpu_buffer,
			const struct tring_position *pos)
{
	struct tring_subbuf *subbuf = tring_subbuf_find(pos->memory, pos->packet);
	struct tring_packet_header *header;
	unsigned long size;

	/* Open until we commit the rest. */
	if (TRING_WARN_ON(cpu_buffer, !subbuf))
		return;

	/* The pipe hands out this much; eight bytes keep headers aligned. */
	size = round_up(pos->offset, 8);
	memset(subbuf->data + pos->offset, 0, size - pos->offset);
	header = subbuf->data;
	header->timestamp_end = pos->stamp;
	header->content_size = pos->offset * 8;
	header->packet_size = size * 8;
	header->events_discarded = pos->lost;
	tring_step(cpu_buffer, TRING_STEP_CLOSE_HEADER);
	tring_commit_bytes(cpu_buffer, subbuf,
			   HEADER_HALF + pos->memory->subbuf_size - pos->offset);
}

/**
 * tring_deliver - hand a complete sub-buffer to the readers
 * @cpu_buffer: the ring
 * @subbuf: entered, closed and without an open commit
 *
 * Called once for each packet, by the last committer.
 *
 * Context: the writer's.
 */
void tring_deliver(struct tring_cpu_buffer *cpu_buffer, struct tring_subbuf *subbuf)
{
	unsigned long start = local_read(&subbuf->start);
	struct tring_memory *memory = cpu_buffer->memories[tring_generation(start)];
	u64 packet = (start & TRING_POSITION_MASK) >> memory->order;
	const struct tring_packet_header *header = subbuf->data;
	unsigned long events = local_read(&subbuf->committed);
	unsigned int bytes = header->content_size / 8;

	tring_check_delivery(cpu_buffer, subbuf, events);

	WRITE_ONCE(subbuf->events, events);
	WRITE_ONCE(subbuf->bytes, bytes);
	local_add(events, &cpu_buffer->committed);
	local_add(bytes, &cpu_buffer->committed_bytes);
	/* Nobody enters it before it is DELIVERED, so plain stores will do. */
	local_set(&subbuf->committed, 0);
	local_set(&subbuf->uncommitted, memory->subbuf_size);
	tring_step(cpu_buffer, TRING_STEP_DELIVER_RESET);
	/* TB(deliver:A) the packet before its state. Pairs with TB(take:A). */
	atomic64_set_release(tring_slot_of(memory, packet),
			     tring_slot_word(TRING_SLOT_DELIVERED, subbuf->index, packet));
	tring_step(cpu_buffer, TRING_STEP_DELIVER_PUBLISHED);
	/*
	 * Race: where stores are not in order a reader may count a packet that
	 * it finds still open. It fails towards looking again a jiffy later.
	 */
	local_inc(&cpu_buffer->delivered_packets);
	tring_wake_readers(cpu_buffer);
}
TRING_EXPORT(tring_deliver);
