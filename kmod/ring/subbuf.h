/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The slots of a memory, and the life of a sub-buffer on the writer's side: the writer
 * opens its slot, enters a packet in it, closes the packet, and delivers it when every
 * record is committed. Once a sub-buffer, not once an event. docs/design.md lists the
 * states and explains the order.
 */
#ifndef _TRING_RING_SUBBUF_H
#define _TRING_RING_SUBBUF_H

#include "internal.h"

/*
 * Invariant 7. A slot word is what the writer and the reader agree by: packet number, index of the
 * sub-buffer in the slot, state.
 */
#define TRING_SLOT_STATE_BITS	2
#define TRING_SLOT_INDEX_BITS	23
#define TRING_SLOT_PACKET_SHIFT	(TRING_SLOT_STATE_BITS + TRING_SLOT_INDEX_BITS)

/* One index more than TRING_SUBBUFS_MAX: the reader's spare sub-buffer. */
static_assert(TRING_SUBBUFS_MAX < BIT(TRING_SLOT_INDEX_BITS));

/*
 * Each turn of a reader's loop means that the writer has overwritten a sub-buffer meanwhile. A
 * reader that is lapped so often comes back later.
 */
#define TRING_LAPS_MAX	1000

enum tring_slot_state {
	TRING_SLOT_FREE,	/* nothing unread in it */
	TRING_SLOT_OPEN,	/* the writer's */
	TRING_SLOT_DELIVERED	/* complete and unread */
};

static inline u64 tring_slot_word(enum tring_slot_state state, unsigned int index, u64 packet)
{
	return packet << TRING_SLOT_PACKET_SHIFT | (u64)index << TRING_SLOT_STATE_BITS | state;
}

static inline enum tring_slot_state tring_slot_state(u64 word)
{
	return word & (BIT(TRING_SLOT_STATE_BITS) - 1);
}

static inline unsigned int tring_slot_index(u64 word)
{
	return (word >> TRING_SLOT_STATE_BITS) & (BIT(TRING_SLOT_INDEX_BITS) - 1);
}

/**
 * tring_slot_distance - packets from a given one to the one that a slot word names
 * @word: slot word
 * @packet: number to compare with
 *
 * The word keeps 39 bits of the number, so the difference is taken modulo 2^39 and
 * signed.
 */
static inline s64 tring_slot_distance(u64 word, u64 packet)
{
	u64 tag = word >> TRING_SLOT_PACKET_SHIFT;

	return (s64)((tag - packet) << TRING_SLOT_PACKET_SHIFT) >> TRING_SLOT_PACKET_SHIFT;
}

/* A division, once a sub-buffer: the number of sub-buffers is any. */
static inline atomic64_t *tring_slot_of(struct tring_memory *memory, u64 packet)
{
	return &memory->slots[packet % memory->nr_subbufs];
}

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

/* Unless a snapshot was requested, which is to have the oldest packets, too. */
static __always_inline bool tring_may_overwrite(struct tring_buffer *buffer)
{
	return READ_ONCE(buffer->overwrite) && !atomic_read(&buffer->snapshot_requests);
}

/**
 * tring_subbuf_open - make a packet's slot the writer's
 * @cpu_buffer: the ring
 * @memory: the packet's memory
 * @packet: number of the packet to enter
 * @subbuf: set to its sub-buffer
 *
 * Invariant 8: several nested writers may do this for the same packet; each finds the work of
 * those before it. The one that overwrites a packet counts its events as lost.
 *
 * Context: the writer's.
 * Return: TRING_RESERVE_CLAIM, TRING_RESERVE_AGAIN or a refusal.
 */
static __always_inline int
tring_subbuf_open(struct tring_cpu_buffer *cpu_buffer, struct tring_memory *memory, u64 packet,
		  struct tring_subbuf **subbuf)
{
	atomic64_t *slot = tring_slot_of(memory, packet);
	s64 word = atomic64_read(slot);
	enum tring_slot_state state = tring_slot_state(word);
	unsigned int index = tring_slot_index(word);
	s64 distance = tring_slot_distance(word, packet);
	unsigned long events, bytes;

	*subbuf = &memory->subbufs[index];
	/* Open already. If nested writers have left the packet since, the claim fails. */
	if (!distance)
		return TRING_RESERVE_CLAIM;
	if (distance != -(s64)memory->nr_subbufs)
		return TRING_RESERVE_AGAIN;
	if (state == TRING_SLOT_OPEN)
		return TRING_REFUSED_OPEN_COMMIT;
	if (state == TRING_SLOT_DELIVERED && !tring_may_overwrite(cpu_buffer->buffer))
		return TRING_REFUSED_NO_ROOM;
	/* Valid only if the cmpxchg finds the packet still there. */
	events = READ_ONCE((*subbuf)->events);
	bytes = READ_ONCE((*subbuf)->bytes);
	tring_step(cpu_buffer, TRING_STEP_ENTER_READ);
	/* TB(enter:A) the writer's side. Pairs with TB(take:B). A reader may be first: once. */
	if (!atomic64_try_cmpxchg(slot, &word, tring_slot_word(TRING_SLOT_OPEN, index, packet)))
		return TRING_RESERVE_AGAIN;
	tring_step(cpu_buffer, TRING_STEP_ENTER_OPENED);
	if (state == TRING_SLOT_DELIVERED)
		tring_count_overwritten(cpu_buffer, memory, events, bytes);
	tring_step(cpu_buffer, TRING_STEP_ENTER_COUNTED);
	return TRING_RESERVE_CLAIM;
}

/**
 * tring_packet_enter - write the enterer's part of a packet's header
 * @cpu_buffer: the ring
 * @subbuf: of the packet
 * @stamp: of the record with which the writer entered it
 * @sequence: packet_seq_num
 *
 * Magic, uuid and CPU are there since the sub-buffer belongs to the trace. The sizes are
 * 0 until the packet is delivered: nested writers may have closed it before, but it is
 * not delivered while the enterer's record is open.
 *
 * Context: the writer's, after it has moved the position into the packet.
 */
static __always_inline void
tring_packet_enter(struct tring_cpu_buffer *cpu_buffer, struct tring_subbuf *subbuf, u64 stamp,
		   u64 sequence)
{
	struct tring_packet_header *header = subbuf->data;

	header->content_size = 0;
	header->packet_size = 0;
	header->timestamp_begin = stamp;
	header->packet_seq_num = sequence;
	tring_step(cpu_buffer, TRING_STEP_ENTER_HEADER);
}

/**
 * tring_packet_close - write the closer's part of the header, commit the unused rest
 * @cpu_buffer: the ring
 * @subbuf: of the packet
 * @content: end of the last record in it
 * @stamp: of the reservation that closes the packet
 * @discarded: events_discarded
 *
 * Delivers the packet if every record in it is committed: invariant 9.
 *
 * Context: the writer's, after it has moved the position out of the packet.
 */
static __always_inline void
tring_packet_close(struct tring_cpu_buffer *cpu_buffer, struct tring_subbuf *subbuf,
		   unsigned long content, u64 stamp, u64 discarded)
{
	unsigned long rest = subbuf->memory->subbuf_size - content;
	struct tring_packet_header *header = subbuf->data;

	/* packet_size is rounded up: the bytes behind the content are no old data. */
	if (likely(rest >= sizeof(u64)))
		memset(subbuf->data + content, 0, sizeof(u64));
	else
		memset(subbuf->data + content, 0, rest);
	header->timestamp_end = stamp;
	header->events_discarded = discarded;
	/*
	 * TB(short:B) keys before lengths. Pairs with TB(short:A): the lengths of all
	 * short types that this CPU has recorded with are among them.
	 */
	smp_rmb();
	/* Types that no record here has may be added meanwhile. */
	data_race(memcpy(header->lengths, cpu_buffer->buffer->lengths, sizeof(header->lengths)));
	WRITE_ONCE(subbuf->bytes, content);
	tring_step(cpu_buffer, TRING_STEP_CLOSE_HEADER);
	if (tring_count_commits(cpu_buffer, subbuf, tring_commits(0, rest)))
		tring_deliver(cpu_buffer, subbuf);
}

#endif /* _TRING_RING_SUBBUF_H */
