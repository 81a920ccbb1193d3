// SPDX-License-Identifier: GPL-2.0
/*
 * Finds packets whose slots or descriptions are damaged. Each packet tells its trace, CPU and
 * number, and a memory has the last nr_subbufs of them. So a packet belongs into a slot if the
 * slot's word or its description is wrong, and the packet's number is the one that the slot
 * should have. It may be one that was read, if the slot was free.
 *
 * What a description knows besides is lost: how many events of an open packet are committed.
 */
#include <stdlib.h>
#include <string.h>

#include "ring.h"
#include "util/util.h"

/**
 * struct restore - a memory whose slots are looked at
 * @ring: the ring
 * @memory: the memory
 * @index: of the memory
 * @of_slot: by slot: index of its place from 1 on, or 0
 * @good: by slot: the packet there is the one that it should be
 * @bottom: number of the first packet of those that are as they should be
 * @top: number of the last packet
 * @know_top: there is one
 */
struct restore {
	struct tring_ring *ring;
	struct tring_ring_memory *memory;
	size_t		index;
	size_t		*of_slot;
	bool		*good;
	uint64_t	bottom;
	uint64_t	top;
	bool		know_top;
};

static bool is_candidate(const struct restore *restore, const struct tring_found_packet *packet)
{
	const struct tring_found_trace *trace = restore->ring->trace;

	return packet->cpu == restore->ring->cpu &&
	       packet->big_endian == trace->page.big_endian &&
	       !memcmp(packet->uuid, trace->is.uuid, TRING_UUID_SIZE);
}

static bool is_elsewhere(const struct restore *restore, const struct tring_found_packet *packet)
{
	const struct tring_ring *ring = restore->ring;
	size_t i;

	for (i = 0; i < ring->count; i++)
		if (ring->places[i].memory != restore->index &&
		    ring->places[i].physical == packet->physical)
			return true;
	return false;
}

static void raise_top(struct restore *restore, uint64_t number)
{
	if (!restore->know_top || number > restore->top)
		restore->top = number;
	restore->know_top = true;
}

static void look_at_places(struct restore *restore)
{
	const struct tring_ring *ring = restore->ring;
	const struct tring_ring_memory *memory = restore->memory;
	uint64_t nr = memory->found->is.nr_subbufs;
	struct tring_packet header;
	size_t i;

	for (i = 0; i < ring->count; i++) {
		const struct tring_place *place = &ring->places[i];

		if (place->memory != restore->index)
			continue;
		restore->of_slot[place->number % nr] = i + 1;
		if (!tring_ring_header(ring, place, &header) ||
		    header.seq_num != memory->first_packet + place->number)
			continue;
		restore->good[place->number % nr] = true;
		if (place->number < restore->bottom)
			restore->bottom = place->number;
		raise_top(restore, place->number);
	}
}

/* Without any good place the packets are numbered by the writer's position, or from the last on. */
static void number_packets(struct restore *restore, const struct tring_directories *found)
{
	struct tring_ring_memory *memory = restore->memory;
	uint64_t nr = memory->found->is.nr_subbufs, last = 0;
	uint64_t packet = tring_position_packet(memory->found, memory->words[TRING_WORD_WRITE]);
	bool any = false;
	size_t i;

	for (i = 0; i < found->packet_count; i++) {
		const struct tring_found_packet *candidate = &found->packets[i];

		if (!is_candidate(restore, candidate) || is_elsewhere(restore, candidate))
			continue;
		if (!any || candidate->seq > last)
			last = candidate->seq;
		any = true;
	}
	if (!any)
		return;
	if (!memory->words[TRING_WORD_WRITE] || packet > last)
		packet = last < nr ? last : nr - 1;
	memory->first_packet = last - packet;
	memory->know_first = true;
	raise_top(restore, packet);
}

/* A ring that was read up to its end has packets in no slot, and they are not to be found. */
static bool are_most_bad(const struct tring_ring_memory *memory)
{
	uint64_t nr = memory->found->is.nr_subbufs, bad = 0, slot;

	for (slot = 0; slot < nr; slot++)
		bad += memory->slots[slot].is_bad;
	return bad > nr / 2;
}

/*
 * A free slot has the packet that was read last, or one of the lap before the first. Readers take
 * packets in their order, so none behind one that is there was read.
 */
static bool is_wrongly_free(const struct restore *restore, const struct tring_ring_slot *state)
{
	uint64_t nr = restore->memory->found->is.nr_subbufs, next = tring_slot_next(state, nr);

	return next - restore->top - 1 >= nr ||
	       (state->number > restore->bottom && state->number < restore->top);
}

static bool is_bad(const struct restore *restore, uint64_t slot)
{
	const struct tring_ring_slot *state = &restore->memory->slots[slot];

	if (restore->good[slot])
		return false;
	return state->is_bad || restore->of_slot[slot] ||
	       (state->is_free && is_wrongly_free(restore, state));
}

/*
 * A writer opens the slot before it stores the packet's header. Until then the header is that of
 * the lap before, of which no more than that need be there.
 */
static bool is_overwritten(const struct restore *restore, uint64_t number)
{
	size_t at = restore->of_slot[number % restore->memory->found->is.nr_subbufs];
	const struct tring_place *place = at ? &restore->ring->places[at - 1] : NULL;

	return place && !place->is_found && place->is_open && place->number > number;
}

/* Return: whether a packet can be that of a slot which is wrong. */
static bool fits(const struct restore *restore, const struct tring_found_packet *packet,
		 uint64_t *number)
{
	uint64_t nr = restore->memory->found->is.nr_subbufs;

	*number = packet->seq - restore->memory->first_packet;
	return *number + nr > restore->top && *number <= restore->top + nr &&
	       is_bad(restore, *number % nr) && !is_overwritten(restore, *number) &&
	       !is_elsewhere(restore, packet);
}

static bool put(struct restore *restore, const struct tring_found_packet *packet, uint64_t number)
{
	struct tring_ring *ring = restore->ring;
	uint64_t slot = number % restore->memory->found->is.nr_subbufs;
	size_t at = restore->of_slot[slot] ? restore->of_slot[slot] - 1 : ring->count;
	struct tring_place *place = &ring->places[at];

	/* one that was found already: of several copies the first one, of several laps the last */
	if (at < ring->count && place->is_found && place->number >= number)
		return false;
	if (at == ring->count)
		ring->count++;
	*place = (struct tring_place) {
		.memory = restore->index, .number = number, .physical = packet->physical,
		.is_open = !packet->is_whole, .is_found = true,
	};
	restore->of_slot[slot] = at + 1;
	return true;
}

static bool put_packets(struct restore *restore, const struct tring_directories *found)
{
	bool changed = false;
	uint64_t number;
	size_t i;

	for (i = 0; i < found->packet_count; i++)
		if (is_candidate(restore, &found->packets[i]) &&
		    fits(restore, &found->packets[i], &number) && number > restore->top)
			raise_top(restore, number);
	for (i = 0; i < found->packet_count; i++) {
		const struct tring_found_packet *packet = &found->packets[i];

		/* only the last packet is open */
		if (is_candidate(restore, packet) && fits(restore, packet, &number) &&
		    (packet->is_whole || number == restore->top))
			changed |= put(restore, packet, number);
	}
	return changed;
}

static void settle(struct restore *restore)
{
	struct tring_ring *ring = restore->ring;
	struct tring_ring_memory *memory = restore->memory;
	uint64_t slot;

	for (slot = 0; slot < memory->found->is.nr_subbufs; slot++) {
		struct tring_ring_slot *state = &memory->slots[slot];
		size_t at = restore->of_slot[slot];

		if (at && ring->places[at - 1].is_found) {
			ring->repaired_slots++;
			ring->bad_slots -= state->is_bad;
			state->is_bad = false;
		} else if (!at && !state->is_bad && is_bad(restore, slot)) {
			ring->bad_slots++;
			state->is_bad = true;
		}
	}
	memory->last = restore->top;
}

/**
 * tring_ring_restore - find packets of a memory whose slots or descriptions are damaged
 * @ring: the ring; the numbers of its packets are known as far as they can be
 * @found: what the image has
 * @index: of the memory
 *
 * Return: whether places have changed.
 */
bool tring_ring_restore(struct tring_ring *ring, const struct tring_directories *found,
			size_t index)
{
	struct restore restore = {
		.ring = ring, .memory = &ring->memories[index], .index = index,
		.bottom = UINT64_MAX,
	};
	uint64_t nr = restore.memory->found->is.nr_subbufs;
	bool changed;

	restore.of_slot = tring_allocate(nr * sizeof(*restore.of_slot));
	restore.good = tring_allocate(nr * sizeof(*restore.good));
	look_at_places(&restore);
	if (!restore.know_top && are_most_bad(restore.memory))
		number_packets(&restore, found);
	changed = restore.know_top && put_packets(&restore, found);
	if (restore.know_top)
		settle(&restore);
	free(restore.good);
	free(restore.of_slot);
	return changed;
}
