/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Slot words: one atomic word for each place in the ring, over which writer
 * and reader agree who has the sub-buffer in it. States and who may move them
 * are in ring.c, "Sub-buffer states".
 */
#ifndef _TRING_SLOT_H
#define _TRING_SLOT_H

#include <linux/bits.h>
#include <linux/types.h>

#include "ring.h"
#include "internal.h"

#define TRING_SLOT_STATE_BITS	2
#define TRING_SLOT_INDEX_BITS	23
#define TRING_SLOT_PACKET_SHIFT	(TRING_SLOT_STATE_BITS + TRING_SLOT_INDEX_BITS)

/* One more index than TRING_SUBBUFS_MAX: the reader's. */
static_assert(TRING_SUBBUFS_MAX < BIT(TRING_SLOT_INDEX_BITS));

enum tring_slot_state {
	TRING_SLOT_FREE,	/* nothing unread in it */
	TRING_SLOT_OPEN,	/* the writer's */
	TRING_SLOT_DELIVERED	/* complete, unread */
};

static inline u64 tring_slot_word(enum tring_slot_state state, unsigned int index,
				  u64 packet)
{
	return packet << TRING_SLOT_PACKET_SHIFT |
	       (u64)index << TRING_SLOT_STATE_BITS | state;
}

static inline enum tring_slot_state tring_slot_state(u64 word)
{
	return word & (BIT(TRING_SLOT_STATE_BITS) - 1);
}

static inline unsigned int tring_slot_index(u64 word)
{
	return (word >> TRING_SLOT_STATE_BITS) & (BIT(TRING_SLOT_INDEX_BITS) - 1);
}

/* The word of a slot that is not OPEN, once it is, for the packet a lap later. */
static inline u64 tring_slot_opened(u64 word, enum tring_slot_state state,
				    const struct tring_memory *memory)
{
	return word + memory->lap + TRING_SLOT_OPEN - state;
}

/* The word of a slot that is OPEN, once what is in it is delivered. */
static inline u64 tring_slot_delivered(u64 word)
{
	return word + TRING_SLOT_DELIVERED - TRING_SLOT_OPEN;
}

#define TRING_SLOT_REST_MAX	(BIT_ULL(TRING_SLOT_PACKET_SHIFT) - 1)

/* State and index of a word, if it is that packet's; else more than these can be. */
static inline u64 tring_slot_rest(u64 word, u64 packet)
{
	return word - (packet << TRING_SLOT_PACKET_SHIFT);
}

/* Is it that packet's, or was it last? By the 39 bits that the word keeps. */
static inline bool tring_slot_has(u64 word, u64 packet)
{
	return tring_slot_rest(word, packet) <= TRING_SLOT_REST_MAX;
}

/**
 * tring_slot_distance - how far the packet in a slot is ahead of another
 * @word: slot word
 * @packet: sequence number to compare with
 *
 * The word keeps 39 bits of the sequence number; the difference is taken
 * modulo 2^39 and signed, so that wrapping does no harm.
 */
static inline s64 tring_slot_distance(u64 word, u64 packet)
{
	u64 tag = word >> TRING_SLOT_PACKET_SHIFT;

	return (s64)((tag - packet) << TRING_SLOT_PACKET_SHIFT) >>
	       TRING_SLOT_PACKET_SHIFT;
}

/* Only once a sub-buffer: the number of sub-buffers need not be a power of two. */
static inline atomic64_t *tring_slot_of(struct tring_memory *memory, u64 packet)
{
	return &memory->slots[packet % memory->nr_subbufs];
}

#endif /* _TRING_SLOT_H */
