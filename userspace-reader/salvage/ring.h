/* SPDX-License-Identifier: GPL-2.0 */
/* One CPU's ring in an image: its packets, in their order. */
#ifndef TRING_SALVAGE_RING_H
#define TRING_SALVAGE_RING_H

#include "directory.h"

/**
 * struct tring_ring_slot - a slot's word
 * @number: of the packet
 * @is_free: nothing unread is in it
 * @is_bad: it says what cannot be
 */
struct tring_ring_slot {
	uint64_t	number;
	bool		is_free;
	bool		is_bad;
};

/**
 * struct tring_ring_memory - a memory, as the image has it
 * @found: what the directory says
 * @arrays: slots and descriptions
 * @words: values of the words
 * @have: which @words are known
 * @first_packet: packet_seq_num of packet 0
 * @know_first: @first_packet is known
 * @lost: events overwritten before a packet of this memory that is still there
 * @last: number of the last packet that a slot has
 * @slots: what the slots' words say
 */
struct tring_ring_memory {
	const struct tring_found_memory *found;
	struct tring_found_array arrays;
	uint64_t	words[TRING_WORDS];
	bool		have[TRING_WORDS];
	uint64_t	first_packet;
	bool		know_first;
	uint64_t	lost;
	uint64_t	last;
	struct tring_ring_slot *slots;
};

/**
 * struct tring_place - a packet that a slot has
 * @memory: index of the memory
 * @number: of the packet in the memory
 * @seq: packet_seq_num
 * @physical: address of the packet
 * @is_open: it was being written
 * @is_found: slot or description are lost, so the rest is not known
 * @events: committed events
 * @bytes: the description's, of a closed packet up to its last record
 * @committed: bytes of an open packet that are committed, header included
 */
struct tring_place {
	uint32_t	memory;
	bool		is_open;
	bool		is_found;
	uint64_t	number;
	uint64_t	seq;
	uint64_t	physical;
	uint64_t	events;
	uint32_t	bytes;
	uint32_t	committed;
};

/**
 * struct tring_ring - a CPU's ring
 * @image: the image
 * @trace: the trace
 * @cpu: number of the CPU
 * @memories: its memories, ascending by @first_packet
 * @memory_count: their number
 * @places: the packets, ascending by @seq
 * @count: their number
 * @bad_slots: slots that say what cannot be
 * @repaired_slots: packets of damaged slots or descriptions that were found all the same
 * @bad_arrays: memories whose slots or descriptions are not all in the image
 * @missing: pages that were needed for this and are not in the image
 */
struct tring_ring {
	struct tring_image *image;
	const struct tring_found_trace *trace;
	uint32_t	cpu;
	struct tring_ring_memory *memories;
	size_t		memory_count;
	struct tring_place *places;
	size_t		count;
	uint64_t	bad_slots;
	uint64_t	repaired_slots;
	uint64_t	bad_arrays;
	uint64_t	missing;
};

/**
 * struct tring_rings - the rings of a trace
 * @trace: the trace
 * @list: the rings, by CPU
 * @count: their number
 */
struct tring_rings {
	const struct tring_found_trace *trace;
	struct tring_ring *list;
	size_t		count;
};

void tring_ring_open(struct tring_ring *ring, struct tring_image *image,
		     const struct tring_directories *found,
		     const struct tring_found_trace *trace, uint32_t cpu);
void tring_ring_close(struct tring_ring *ring);

bool tring_ring_header(const struct tring_ring *ring, const struct tring_place *place,
		       struct tring_packet *header);

/* restore.c */
bool tring_ring_restore(struct tring_ring *ring, const struct tring_directories *found,
			size_t index);

/**
 * tring_place_memory - the memory that a packet is in
 * @ring: the ring
 * @place: the packet
 */
static inline const struct tring_ring_memory *
tring_place_memory(const struct tring_ring *ring, const struct tring_place *place)
{
	return &ring->memories[place->memory];
}

/**
 * tring_slot_next - the number of the packet that a free slot is for
 * @slot: the slot, which has the number of the packet a lap before; also before the first lap
 * @nr_subbufs: number of slots
 */
static inline uint64_t tring_slot_next(const struct tring_ring_slot *slot, uint64_t nr_subbufs)
{
	const uint64_t mask = (1ull << (64 - TRING_DIRECTORY_NUMBER_SHIFT)) - 1;

	return (slot->number + nr_subbufs) & mask;
}

/**
 * tring_position_packet - the number of the packet that a position is in
 * @found: the memory
 * @position: as the writer's word and the descriptions have it
 */
static inline uint64_t tring_position_packet(const struct tring_found_memory *found,
					     uint64_t position)
{
	return (position & ((1ull << TRING_DIRECTORY_POSITION_BITS) - 1)) / found->is.subbuf_size;
}

/**
 * tring_position_is_current - tell whether a position is one of this memory
 * @found: the memory
 * @position: of this memory, or of the one before a resize, which has another generation
 */
static inline bool tring_position_is_current(const struct tring_found_memory *found,
					     uint64_t position)
{
	return position >> TRING_DIRECTORY_POSITION_BITS == found->is.generation;
}

#endif /* TRING_SALVAGE_RING_H */
