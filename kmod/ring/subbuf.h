/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The life of a sub-buffer on the writer's side: its slot is opened, a packet
 * is entered in it and closed, and when nothing in it is open it is delivered.
 * Once a sub-buffer, not once an event; inline, because all of it is done in one
 * go nearly always, by the record that does not fit any more. See ring.c DOC.
 */
#ifndef _TRING_SUBBUF_H
#define _TRING_SUBBUF_H

#include <linux/string.h>
#include <linux/wait.h>

#include "ring.h"
#include "check.h"
#include "fast.h"
#include "internal.h"
#include "slot.h"

/* A slot word changes under us only if the reader takes the packet: once. */
#define TRING_OPEN_TRIES	4

struct tring_subbuf *tring_subbuf_find(struct tring_memory *memory, u64 packet);
void tring_wake_waiting(struct tring_cpu_buffer *cpu_buffer);

/**
 * tring_wake_readers - wake who waits for what there is now
 * @cpu_buffer: the ring
 *
 * Nearly always there is nobody.
 *
 * Context: the writer's.
 */
static __always_inline void tring_wake_readers(struct tring_cpu_buffer *cpu_buffer)
{
	/*
	 * TB(wake:A) a full barrier between the position or slot word stored
	 * before and the wait queue. Pairs with TB(has_data:A).
	 * TB(overwritten:A) is the same barrier, between the count of overwritten
	 * packets and the look at older memory. Pairs with TB(retired:A): either
	 * we see that there is some, or whoever left it sees the count.
	 */
	smp_mb();
	/* data_race(): old or new, as the barrier has it; one byte is not torn. */
	if (unlikely(data_race(cpu_buffer->has_retired) ||
		     /* behind the barrier above */
		     waitqueue_active(&cpu_buffer->wait)))
		tring_wake_waiting(cpu_buffer);
}

/* What the packet in @subbuf holds goes to the loss account. */
static __always_inline void
tring_count_overwritten(struct tring_cpu_buffer *cpu_buffer, struct tring_memory *memory,
			unsigned long events, unsigned long bytes)
{
	local_inc(&cpu_buffer->overwritten_packets);
	local_add(events, &cpu_buffer->overwritten);
	local_add(bytes, &cpu_buffer->overwritten_bytes);
	local_add(events, &memory->overwritten);
	/* TB(enter:B) events before packets. Pairs with TB(take:C). */
	smp_wmb();
	local_inc(&memory->overwritten_packets);
}

/* The slot behind that of @subbuf, without a division. */
static __always_inline atomic64_t *
tring_slot_behind(const struct tring_memory *memory, const struct tring_subbuf *subbuf)
{
	/*
	 * Race: a writer that was interrupted here may find another slot, where
	 * the reader has put the sub-buffer meanwhile. It fails towards another
	 * turn: the packet in there is no multiple of a lap away from ours.
	 */
	atomic64_t *slot = READ_ONCE(subbuf->slot);

	if (unlikely(slot == memory->last_slot))
		slot = memory->slots - 1;
	return slot + 1;
}

/**
 * tring_subbuf_open_closed - make a slot the writer's in which nothing is open
 * @cpu_buffer: the ring
 * @pos: of the record; the sub-buffer is filled in
 * @slot: that of the packet to enter
 * @packet: its number, of which the lower bits do
 *
 * Context: the writer's.
 * Return: false if the slot is not as nearly always, or no longer; nothing has
 * changed then.
 */
static __always_inline bool
tring_subbuf_open_closed(struct tring_cpu_buffer *cpu_buffer, struct tring_position *pos,
			 atomic64_t *slot, u64 packet)
{
	struct tring_memory *memory = pos->memory;
	unsigned long events, bytes;
	enum tring_slot_state state;
	struct tring_subbuf *subbuf;
	u64 word, rest;

	word = atomic64_read(slot);
	rest = tring_slot_rest(word + memory->lap, packet);
	if (unlikely(rest > TRING_SLOT_REST_MAX))
		return false;
	state = tring_slot_state(rest);
	if (state == TRING_SLOT_DELIVERED) {
		/* data_race(): whoever changes it does not wait for us. */
		if (!data_race(cpu_buffer->buffer->overwrite))
			return false;
	} else if (unlikely(state == TRING_SLOT_OPEN)) {
		return false;
	}
	subbuf = &memory->subbufs[rest >> TRING_SLOT_STATE_BITS];
	pos->subbuf = subbuf;
	/*
	 * Of use only if the cmpxchg says that nobody took it. Until then its
	 * pages may be given away, so these are not in there.
	 */
	events = READ_ONCE(subbuf->events);
	bytes = READ_ONCE(subbuf->bytes);
	tring_step(cpu_buffer, TRING_STEP_ENTER_READ);

	/* TB(enter:A) the writer's side. Pairs with TB(take:B). */
	if (unlikely(!atomic64_try_cmpxchg(slot, (s64 *)&word,
					   tring_slot_opened(word, state, memory))))
		return false;
	tring_step(cpu_buffer, TRING_STEP_ENTER_OPENED);
	if (state == TRING_SLOT_DELIVERED)
		tring_count_overwritten(cpu_buffer, memory, events, bytes);
	tring_step(cpu_buffer, TRING_STEP_ENTER_COUNTED);
	return true;
}

/**
 * tring_subbuf_open - make the slot of a packet the writer's
 * @cpu_buffer: the ring
 * @pos: the packet to enter; its sub-buffer is filled in
 *
 * May be done by several nested writers for the same packet; each finds the
 * work of those before it.
 *
 * Context: the writer's.
 * Return: TRING_RESERVE_CLAIM, TRING_RESERVE_AGAIN or a refusal.
 */
static inline int
tring_subbuf_open(struct tring_cpu_buffer *cpu_buffer, struct tring_position *pos)
{
	struct tring_memory *memory = pos->memory;
	atomic64_t *slot = tring_slot_of(memory, pos->entered);
	u64 packet = pos->entered;
	unsigned int tries;
	u64 word;

	for (tries = 0; tries < TRING_OPEN_TRIES; tries++) {
		if (tring_subbuf_open_closed(cpu_buffer, pos, slot, packet))
			return TRING_RESERVE_CLAIM;

		word = atomic64_read(slot);
		tring_step(cpu_buffer, TRING_STEP_ENTER_READ);
		if (tring_slot_has(word, packet)) {
			if (tring_slot_state(word) != TRING_SLOT_OPEN)
				return TRING_RESERVE_AGAIN;
			/* A writer that we interrupted opened it. */
			pos->subbuf = &memory->subbufs[tring_slot_index(word)];
			return TRING_RESERVE_CLAIM;
		}
		if (!tring_slot_has(word, packet - memory->nr_subbufs))
			return TRING_RESERVE_AGAIN;
		if (tring_slot_state(word) == TRING_SLOT_OPEN)
			return TRING_REFUSED_OPEN_COMMIT;
		if (tring_slot_state(word) == TRING_SLOT_DELIVERED &&
		    !READ_ONCE(cpu_buffer->buffer->overwrite))
			return TRING_REFUSED_NO_ROOM;
	}
	return TRING_RESERVE_AGAIN;
}

/**
 * tring_packet_enter - write the first half of a packet's header
 * @cpu_buffer: the ring
 * @pos: of the record that entered it
 * @header: the packet's
 * @sequence: its number
 *
 * Magic, uuid and CPU are there since the sub-buffer has its pages.
 * Waking readers is the caller's.
 *
 * Context: the writer's, who moved the position into the packet.
 */
static __always_inline void
tring_packet_enter(struct tring_cpu_buffer *cpu_buffer, const struct tring_position *pos,
		   struct tring_packet_header *header, u64 sequence)
{
	header->timestamp_begin = pos->stamp;
	header->packet_seq_num = sequence;
	tring_step(cpu_buffer, TRING_STEP_ENTER_HEADER);
	/*
	 * Race: a writer that was interrupted here may point back to a packet
	 * long closed. It fails towards the slow path, which compares with the
	 * slot and repairs it; nobody writes through it, because its start does
	 * not match the position.
	 */
	WRITE_ONCE(cpu_buffer->current_subbuf, pos->subbuf);
}

/*
 * Hand a complete sub-buffer to the readers: it is entered, closed and without
 * an open commit. Once for each packet, by the last committer.
 */
static __always_inline void
tring_deliver_packet(struct tring_cpu_buffer *cpu_buffer, const struct tring_memory *memory,
		     struct tring_subbuf *subbuf, unsigned int bytes)
{
	unsigned long events = (u32)local_read(&subbuf->commits);
	atomic64_t *slot = subbuf->slot;

	tring_check_delivery(cpu_buffer, subbuf, events);

	WRITE_ONCE(subbuf->events, events);
	WRITE_ONCE(subbuf->bytes, bytes);
	local_add(events, &cpu_buffer->committed);
	local_add(bytes, &cpu_buffer->committed_bytes);
	/* Nobody enters it before it is DELIVERED, so plain stores will do. */
	local_set(&subbuf->commits, memory->no_commits);
	tring_step(cpu_buffer, TRING_STEP_DELIVER_RESET);
	/* TB(deliver:A) the packet before its state. Pairs with TB(take:A). */
	atomic64_set_release(slot, tring_slot_delivered(atomic64_read(slot)));
	tring_step(cpu_buffer, TRING_STEP_DELIVER_PUBLISHED);
	/*
	 * Race: where stores are not in order a reader may count a packet that
	 * it finds still open. It fails towards looking again a jiffy later.
	 */
	local_inc(&cpu_buffer->delivered_packets);
}

/**
 * tring_packet_close - write the second half, and commit the unused rest
 * @cpu_buffer: the ring
 * @pos: read before the position was moved out of the packet
 * @subbuf: of the packet
 * @header: in there
 *
 * If nothing in it is open it is delivered. Waking readers is the caller's.
 *
 * Context: the writer's, who moved the position out of the packet.
 */
static __always_inline void
tring_packet_close(struct tring_cpu_buffer *cpu_buffer, const struct tring_position *pos,
		   struct tring_subbuf *subbuf, struct tring_packet_header *header)
{
	unsigned long room;

	/*
	 * The pipe hands out whole words of eight bytes, which keeps headers
	 * aligned: none of it may be what lay there before.
	 */
	room = pos->memory->subbuf_size - pos->offset;
	if (likely(room >= sizeof(u64)))
		memset((void *)header + pos->offset, 0, sizeof(u64));
	else
		memset((void *)header + pos->offset, 0, room);
	header->timestamp_end = pos->stamp;
	header->content_size = pos->offset * 8;
	header->packet_size = ALIGN(pos->offset * 8, 64);
	header->events_discarded = pos->lost;
	tring_step(cpu_buffer, TRING_STEP_CLOSE_HEADER);
	if (likely(tring_count_commits(cpu_buffer, subbuf, tring_commits(0, room))))
		tring_deliver_packet(cpu_buffer, pos->memory, subbuf, pos->offset);
}

/*
 * The same wherever the packet is. Inline, or @pos would have to lie in memory in who
 * never calls it.
 */
static __always_inline void
tring_packet_find_and_close(struct tring_cpu_buffer *cpu_buffer,
			    const struct tring_position *pos)
{
	struct tring_subbuf *subbuf = pos->present ?:
				      tring_subbuf_find(pos->memory, pos->packet);

	/* Open until we commit the rest. */
	if (!TRING_WARN_ON(cpu_buffer, !subbuf))
		tring_packet_close(cpu_buffer, pos, subbuf, subbuf->data);
}

#endif /* _TRING_SUBBUF_H */
