// SPDX-License-Identifier: GPL-2.0
/*
 * Reading without consuming: copy a packet, then see whether it is still the
 * one that it was. Nothing that is read before that may be trusted.
 *
 * Writers know nothing of it. Other readers, and whoever replaces the memory,
 * wait on tring_cpu_buffer::mutex for as long as one packet takes.
 */

#include <linux/string.h>

#include "compat.h"
#include "ring.h"
#include "ring_fast.h"
#include "ring_internal.h"
#include "slot.h"

/* Each turn means that the writer went past us by a sub-buffer. */
#define PEEK_TRIES	1000

/* The packet in the reader's hands: nobody changes it while we have the mutex. */
static int peek_held(struct tring_stream *stream, u64 *next, void *copy, size_t room,
		     size_t *size)
{
	const struct tring_packet_header *header;

	if (!stream->held)
		return -EAGAIN;
	header = stream->held->data;
	if (header->packet_seq_num < *next)
		return -EAGAIN;
	*size = header->packet_size / 8;
	if (*size > room)
		return -EMSGSIZE;
	memcpy(copy, header, *size);
	*next = header->packet_seq_num + 1;
	return 0;
}

/* @before: events lost before the first packet of @memory. */
static int peek_memory(struct tring_stream *stream, struct tring_memory *memory, u64 before,
		       u64 *next, void *copy, size_t room, size_t *size)
{
	u64 packet = memory->next_packet;
	const struct tring_packet_header *packed;
	struct tring_packet_header *header = copy;
	struct tring_subbuf *subbuf;
	unsigned int tries;
	atomic64_t *slot;
	s64 distance;
	u64 lost, word;

	if (*next > memory->first_packet + packet)
		packet = *next - memory->first_packet;
	for (tries = 0; tries < PEEK_TRIES; tries++) {
		if (memory->retired && packet >= memory->packets)
			return -EAGAIN;
		slot = tring_slot_of(memory, packet);
		/* TB(take:A) state before packet. Pairs with TB(deliver:A). */
		word = atomic64_read_acquire(slot);
		tring_step(stream->cpu_buffer, TRING_STEP_PEEK_READ);
		distance = tring_slot_distance(word, packet);
		if (distance > 0) {
			/* Overwritten: the oldest that can be there. */
			packet += distance - memory->nr_subbufs + 1;
			continue;
		}
		if (distance < 0 || tring_slot_state(word) != TRING_SLOT_DELIVERED)
			return -EAGAIN;

		/* No more than are lost before a packet that is still there. */
		lost = before + local_read(&memory->overwritten);
		subbuf = &memory->subbufs[tring_slot_index(word)];
		/*
		 * Race: a writer may open the slot and write here meanwhile. It
		 * fails towards a copy that is thrown away, as the word says so.
		 */
		packed = subbuf->data;
		*size = data_race(packed->packet_size) / 8;
		if (*size <= room && *size <= memory->subbuf_size)
			/* Race: the same. */
			data_race(memcpy(copy, packed, *size));
		tring_step(stream->cpu_buffer, TRING_STEP_PEEK_COPIED);
		/* TB(peek:A) the copy before the word. Pairs with TB(enter:A). */
		smp_rmb();
		if ((u64)atomic64_read(slot) != word)
			continue;
		if (*size > room)
			return -EMSGSIZE;
		header->events_discarded += lost;
		*next = memory->first_packet + packet + 1;
		return 0;
	}
	return -EAGAIN;
}

/**
 * tring_reader_peek - copy a packet and leave it where it is
 * @stream: any; nobody needs to have opened it
 * @next: packet_seq_num of the first packet that is wanted, or 0; moved behind
 *	the packet that was copied. If that has a higher number, those between
 *	are gone
 * @copy: where to
 * @room: bytes there
 * @size: of the packet
 *
 * Context: task, may sleep.
 * Return: 0; -EAGAIN if there is none, or writers go past faster than it can be
 * copied; -EMSGSIZE if @room is less than the packet's size, which is in @size.
 */
int tring_reader_peek(struct tring_stream *stream, u64 *next, void *copy, size_t room,
		      size_t *size)
{
	struct tring_cpu_buffer *cpu_buffer = stream->cpu_buffer;
	struct tring_memory *memory;
	u64 lost;
	int err;

	mutex_lock(&cpu_buffer->mutex);
	lost = stream->lost;
	err = peek_held(stream, next, copy, room, size);
	if (err != -EAGAIN)
		goto unlock;
	list_for_each_entry(memory, &stream->memories, list) {
		err = peek_memory(stream, memory, lost, next, copy, room, size);
		if (err != -EAGAIN)
			break;
		lost += local_read(&memory->overwritten);
	}
unlock:
	mutex_unlock(&cpu_buffer->mutex);
	return err;
}
