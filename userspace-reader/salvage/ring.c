// SPDX-License-Identifier: GPL-2.0
/*
 * Reads the slots and descriptions of a CPU's ring, over all its memories: what the live stream
 * has, and what a snapshot has set aside. The words that change while the ring records may lie
 * in memory that the image lacks; then those that the panic has saved are used.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ring.h"
#include "util/util.h"

#define STATE_MASK	((1u << TRING_DIRECTORY_INDEX_SHIFT) - 1)
#define INDEX_MASK	((1u << TRING_DIRECTORY_INDEX_BITS) - 1)

#define COMMITS_SHIFT	32

/*
 * What is read where the words were may be another boot's by now. Of a memory that is no more
 * the current one the position is in another, so its other words are trusted as it is.
 */
static bool is_plausible(const struct tring_ring_memory *memory)
{
	uint64_t write = memory->words[TRING_WORD_WRITE];
	uint64_t packet = tring_position_packet(memory->found, write);

	return !(write >> 63) && (!tring_position_is_current(memory->found, write) ||
				  packet <= memory->last + 1);
}

static void read_words(struct tring_ring_memory *memory, struct tring_image *image)
{
	const struct tring_found_memory *found = memory->found;
	unsigned int i;
	bool all = true;

	for (i = 0; i < TRING_WORDS; i++) {
		uint8_t bytes[8] = { 0 };

		/* they are not needed if the panic has saved them */
		memory->have[i] = found->is.words[i] &&
				  !tring_image_peek(image, found->is.words[i], bytes,
						    sizeof(bytes));
		memory->words[i] = tring_load_u64(bytes, found->page.big_endian);
		all &= memory->have[i];
	}
	if (found->is.is_saved && (!all || !is_plausible(memory))) {
		memcpy(memory->words, found->is.saved, sizeof(memory->words));
		memset(memory->have, true, sizeof(memory->have));
	}
	if (!is_plausible(memory))
		memory->have[TRING_WORD_WRITE] = false;
}

/* Only the low bits of the number are in the word: a ring has no more packets in its life. */
static bool load_slot(const struct tring_found_memory *found, uint64_t slot, uint64_t word,
		      struct tring_place *place, uint32_t *index)
{
	unsigned int state = word & STATE_MASK;

	*index = word >> TRING_DIRECTORY_INDEX_SHIFT & INDEX_MASK;
	place->number = word >> TRING_DIRECTORY_NUMBER_SHIFT;
	place->is_open = state == TRING_DIRECTORY_SLOT_OPEN;
	return state <= TRING_DIRECTORY_SLOT_DELIVERED && *index <= found->is.nr_subbufs &&
	       place->number % found->is.nr_subbufs == slot;
}

/* The sum of commits: bytes are taken off its high half, events added to its low half. */
static void load_description(const struct tring_found_memory *found, const uint8_t *bytes,
			     struct tring_place *place)
{
	bool order = found->page.big_endian;
	int64_t none = (int64_t)(found->is.subbuf_size - TRING_PACKET_HEADER_SIZE - 1) <<
		       COMMITS_SHIFT;
	int64_t commits = tring_load_u64(bytes + found->is.commits, order) - none;

	place->physical = tring_found_address(&found->page,
					      tring_load_u64(bytes + found->is.data, order));
	place->bytes = tring_load_u32(bytes + found->is.bytes, order);
	if (place->is_open) {
		place->events = (uint32_t)commits;
		place->committed = TRING_PACKET_HEADER_SIZE +
				   ((uint64_t)((uint32_t)commits - commits) >> COMMITS_SHIFT);
	} else {
		place->events = tring_load_u64(bytes + found->is.events, order);
	}
}

/* An open slot into whose packet no writer has come yet. */
static bool is_empty(const struct tring_ring_memory *memory, const struct tring_place *place)
{
	const struct tring_found_memory *found = memory->found;
	uint64_t write = memory->words[TRING_WORD_WRITE];

	if (!place->is_open || place->committed > TRING_PACKET_HEADER_SIZE || place->events ||
	    place->is_found)
		return false;
	if (!memory->have[TRING_WORD_WRITE] || !tring_position_is_current(found, write))
		return true;
	return tring_position_packet(found, write) < place->number ||
	       (tring_position_packet(found, write) == place->number &&
		write % found->is.subbuf_size <= TRING_PACKET_HEADER_SIZE);
}

/* The rest of a description is checked with the packet. */
static bool is_possible(const struct tring_found_memory *found, const struct tring_place *place)
{
	uint64_t most = found->is.subbuf_size / (TRING_WORD_SIZE + 1 + TRING_FIELDS_MIN);

	return (!place->is_open || (place->events <= most &&
				    place->committed <= found->is.subbuf_size)) &&
	       place->physical % TRING_IMAGE_PAGE == 0;
}

/**
 * struct slots - slots and descriptions of a memory
 * @slots: the slots' words
 * @descriptions: of the sub-buffers
 * @used: by sub-buffer: a slot has it
 */
struct slots {
	uint8_t		*slots;
	uint8_t		*descriptions;
	bool		*used;
};

static void add_place(struct tring_ring *ring, struct tring_ring_memory *memory,
		      const struct tring_place *place)
{
	ring->places[ring->count++] = *place;
	if (place->number > memory->last)
		memory->last = place->number;
}

static void read_slot(struct tring_ring *ring, size_t number, struct slots *all, uint64_t slot)
{
	struct tring_ring_memory *memory = &ring->memories[number];
	const struct tring_found_memory *found = memory->found;
	uint64_t word = tring_load_u64(all->slots + 8 * slot, found->page.big_endian);
	struct tring_place place = { .memory = number };
	struct tring_ring_slot *state = &memory->slots[slot];
	uint32_t index;

	if ((word & STATE_MASK) == TRING_DIRECTORY_SLOT_FREE) {
		state->number = word >> TRING_DIRECTORY_NUMBER_SHIFT;
		state->is_free = true;
		if (tring_slot_next(state, found->is.nr_subbufs) % found->is.nr_subbufs == slot)
			return;
	} else if (load_slot(found, slot, word, &place, &index) && !all->used[index]) {
		load_description(found, all->descriptions + (size_t)index * found->is.stride,
				 &place);
		if (is_possible(found, &place)) {
			all->used[index] = true;
			add_place(ring, memory, &place);
			return;
		}
	}
	state->is_bad = true;
	ring->bad_slots++;
}

/**
 * tring_ring_header - read the header of a packet
 * @ring: the ring
 * @place: the packet
 * @header: filled in; its sizes are in bits
 *
 * Return: false if the header is not this ring's.
 */
bool tring_ring_header(const struct tring_ring *ring, const struct tring_place *place,
		       struct tring_packet *header)
{
	uint8_t bytes[TRING_PACKET_HEADER_SIZE];
	bool order = ring->trace->page.big_endian;
	size_t lacks = tring_image_peek(ring->image, place->physical, bytes, sizeof(bytes));

	tring_packet_load(header, bytes, order);
	return !lacks && tring_load_u32(bytes, order) == TRING_PACKET_MAGIC &&
	       !memcmp(header->uuid, ring->trace->is.uuid, TRING_UUID_SIZE) &&
	       header->cpu_id == ring->cpu;
}

static void read_slots(struct tring_ring *ring, size_t number)
{
	struct tring_ring_memory *memory = &ring->memories[number];
	const struct tring_found_memory *found = memory->found;
	uint64_t nr = found->is.nr_subbufs, i;
	size_t slots_size = nr * 8, size = (nr + 1) * found->is.stride;
	struct slots all = {
		tring_allocate(slots_size), tring_allocate(size), tring_allocate(nr + 1),
	};

	memory->slots = tring_allocate(nr * sizeof(*memory->slots));
	if (tring_array_read(&memory->arrays, ring->image, 0, all.slots, slots_size) |
	    tring_array_read(&memory->arrays, ring->image, found->is.subbufs, all.descriptions,
			     size))
		ring->bad_arrays++;
	for (i = 0; i < nr; i++)
		read_slot(ring, number, &all, i);
	free(all.used);
	free(all.descriptions);
	free(all.slots);
}

/* Slots into whose packets no writer has come yet have none. */
static void drop_empty(struct tring_ring *ring, size_t number)
{
	struct tring_ring_memory *memory = &ring->memories[number];
	size_t place;

	for (place = 0; place < ring->count; place++)
		if (ring->places[place].memory == number &&
		    is_empty(memory, &ring->places[place]))
			ring->places[place--] = ring->places[--ring->count];
}

/*
 * packet_seq_num of a memory's first packet is that which most headers agree on: any of them
 * may be damaged.
 */
static void find_first_packets(struct tring_ring *ring)
{
	uint64_t *votes = tring_allocate(ring->memory_count * sizeof(*votes));
	struct tring_packet header;
	struct tring_place *place;
	uint64_t seq;

	for (place = ring->places; place < ring->places + ring->count; place++) {
		struct tring_ring_memory *memory = &ring->memories[place->memory];

		if (!tring_ring_header(ring, place, &header))
			continue;
		seq = header.seq_num - place->number;
		memory->know_first = true;
		if (!votes[place->memory])
			memory->first_packet = seq;
		votes[place->memory] += memory->first_packet == seq ? 1 : -1;
	}
	free(votes);
}

/* Without any header that tells, the packets are numbered as if the memory were the only one. */
static void number_places(struct tring_ring *ring)
{
	struct tring_place *place;

	for (place = ring->places; place < ring->places + ring->count; place++)
		place->seq = ring->memories[place->memory].first_packet + place->number;
}

static int compare_places(const void *a, const void *b)
{
	const struct tring_place *one = a, *other = b;

	return one->seq < other->seq ? -1 : one->seq > other->seq;
}

/*
 * What was overwritten before the packets of each memory: memories in the same stream, of which
 * there is the live one and the snapshot, share a word for what came before them.
 */
static void sum_losses(struct tring_ring *ring)
{
	size_t i, j;

	for (i = 0; i < ring->memory_count; i++) {
		struct tring_ring_memory *memory = &ring->memories[i];
		uint64_t stream = memory->found->is.words[TRING_WORD_LOST_BEFORE];

		if (memory->have[TRING_WORD_LOST_BEFORE])
			memory->lost = memory->words[TRING_WORD_LOST_BEFORE];
		for (j = 0; j < ring->memory_count; j++) {
			const struct tring_ring_memory *other = &ring->memories[j];

			if (other->have[TRING_WORD_OVERWRITTEN] &&
			    other->found->is.words[TRING_WORD_LOST_BEFORE] == stream &&
			    other->first_packet <= memory->first_packet)
				memory->lost += other->words[TRING_WORD_OVERWRITTEN];
		}
	}
}

/**
 * tring_ring_open - read what a CPU's ring has
 * @ring: filled in; to be closed
 * @image: the image; must outlive the ring, as the next two
 * @found: what the image's directories say
 * @trace: the trace
 * @cpu: number of the CPU
 */
void tring_ring_open(struct tring_ring *ring, struct tring_image *image,
		     const struct tring_directories *found,
		     const struct tring_found_trace *trace, uint32_t cpu)
{
	uint64_t slots = 0, missing = image->missing;
	size_t i;

	memset(ring, 0, sizeof(*ring));
	ring->image = image;
	ring->trace = trace;
	ring->cpu = cpu;
	ring->memories = tring_allocate(found->memory_count * sizeof(*ring->memories));
	for (i = 0; i < found->memory_count; i++) {
		const struct tring_found_memory *memory = &found->memories[i];

		if (memory->is.cpu != cpu || memory->page.key != trace->page.key ||
		    memory->page.big_endian != trace->page.big_endian)
			continue;
		ring->memories[ring->memory_count++].found = memory;
		slots += memory->is.nr_subbufs;
	}
	ring->places = tring_allocate(slots * sizeof(*ring->places));
	for (i = 0; i < ring->memory_count; i++) {
		struct tring_ring_memory *memory = &ring->memories[i];

		if (tring_array_open(&memory->arrays, image, &memory->found->page,
				     &memory->found->is.arrays, trace->is.page_size))
			ring->bad_arrays++;
		read_slots(ring, i);
		read_words(memory, image);
		drop_empty(ring, i);
	}
	find_first_packets(ring);
	for (i = 0; i < ring->memory_count; i++) {
		if (!tring_ring_restore(ring, found, i))
			continue;
		/* a position is plausible or not by the last packet, which may be another now */
		read_words(&ring->memories[i], image);
		drop_empty(ring, i);
	}
	number_places(ring);
	qsort(ring->places, ring->count, sizeof(*ring->places), compare_places);
	sum_losses(ring);
	ring->missing = image->missing - missing;
	image->missing = missing;
}

/**
 * tring_ring_close - free what was read of a ring
 * @ring: from tring_ring_open()
 */
void tring_ring_close(struct tring_ring *ring)
{
	size_t i;

	for (i = 0; i < ring->memory_count; i++) {
		tring_array_close(&ring->memories[i].arrays);
		free(ring->memories[i].slots);
	}
	free(ring->memories);
	free(ring->places);
	memset(ring, 0, sizeof(*ring));
}
