// SPDX-License-Identifier: GPL-2.0
/*
 * Reading without consuming: copy a packet, then see whether it is still the
 * one that it was. Nothing that is read before that may be trusted.
 *
 * Writers know nothing of it. Other readers, and whoever replaces the memory,
 * wait on tring_cpu_buffer::mutex for as long as one packet takes.
 */

#include <linux/minmax.h>
#include <linux/string.h>

#include "compat.h"
#include "ring.h"
#include "fast.h"
#include "internal.h"
#include "slot.h"

/* Each turn means that the writer went past us by a sub-buffer. */
#define PEEK_TRIES	1000

/*
 * A packet was copied, before which @lost events were overwritten in all, and
 * others were taken or refused. Returns how many of them this onlooker has to
 * be told of: what he was shown before it was overwritten is not lost to him.
 * Nor can there be any between two packets of which the numbers follow.
 */
static u64 account(struct tring_peek *peek, u64 number, u64 lost, unsigned long events)
{
	bool follows = peek->next && number == peek->next;

	if (!follows && lost > peek->shown)
		peek->lost = max(peek->lost, lost - peek->shown);
	peek->next = number + 1;
	peek->shown += events;
	return peek->lost;
}

/* The packet in the reader's hands: nobody changes it while we have the mutex. */
static int peek_held(struct tring_stream *stream, struct tring_peek *peek, void *copy,
		     size_t room, size_t *size)
{
	const struct tring_subbuf *held = stream->held;
	struct tring_packet_header *header = copy;
	const struct tring_packet_header *packed;

	if (!held)
		return -EAGAIN;
	packed = held->data;
	if (packed->packet_seq_num < peek->next)
		return -EAGAIN;
	*size = packed->packet_size / 8;
	if (*size > room)
		return -EMSGSIZE;
	memcpy(copy, packed, *size);
	header->events_discarded -= held->lost;
	header->events_discarded += account(peek, packed->packet_seq_num, held->lost,
					    held->events);
	return 0;
}

/* @before: events lost before the first packet of @memory. */
static int peek_memory(struct tring_stream *stream, struct tring_memory *memory, u64 before,
		       struct tring_peek *peek, void *copy, size_t room, size_t *size)
{
	u64 packet = memory->next_packet;
	const struct tring_packet_header *packed;
	struct tring_packet_header *header = copy;
	struct tring_subbuf *subbuf;
	unsigned long events;
	unsigned int tries;
	atomic64_t *slot;
	s64 distance;
	u64 lost, word;

	if (peek->next > memory->first_packet + packet)
		packet = peek->next - memory->first_packet;
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
		packed = subbuf->data;
		events = READ_ONCE(subbuf->events);
		/*
		 * Race: a writer may open the slot and write here meanwhile. It
		 * fails towards a copy that is thrown away, as the word says so.
		 */
		*size = data_race(packed->packet_size) / 8;
		if (*size <= room && *size <= memory->subbuf_size) {
			/* Race: the same. */
			data_race(memcpy(copy, packed, *size));
		}
		tring_step(stream->cpu_buffer, TRING_STEP_PEEK_COPIED);
		/* TB(peek:A) the copy before the word. Pairs with TB(enter:A). */
		smp_rmb();
		if ((u64)atomic64_read(slot) != word)
			continue;
		if (*size > room)
			return -EMSGSIZE;
		header->events_discarded += account(peek, memory->first_packet + packet,
						    lost, events);
		return 0;
	}
	return -EAGAIN;
}

/**
 * tring_reader_peek - copy a packet and leave it where it is
 * @stream: any; nobody needs to have opened it
 * @peek: where the caller is; moved behind the packet that was copied. If that
 *	has a higher number than was wanted, those between are gone
 * @copy: where to
 * @room: bytes there
 * @size: of the packet
 *
 * The copy's events_discarded counts what was refused and overwritten before it
 * and not shown to this caller. It is exact but for packets that were shown to
 * him and then taken by a reader: behind a gap it may be too low by their events.
 *
 * Context: task, may sleep.
 * Return: 0; -EAGAIN if there is none, or writers go past faster than it can be
 * copied; -EMSGSIZE if @room is less than the packet's size, which is in @size.
 */
int tring_reader_peek(struct tring_stream *stream, struct tring_peek *peek, void *copy,
		      size_t room, size_t *size)
{
	struct tring_cpu_buffer *cpu_buffer = stream->cpu_buffer;
	struct tring_memory *memory;
	u64 lost;
	int err;

	mutex_lock(&cpu_buffer->mutex);
	lost = stream->lost;
	err = peek_held(stream, peek, copy, room, size);
	if (err != -EAGAIN)
		goto unlock;
	list_for_each_entry(memory, &stream->memories, list) {
		err = peek_memory(stream, memory, lost, peek, copy, room, size);
		if (err != -EAGAIN)
			break;
		lost += local_read(&memory->overwritten);
	}
unlock:
	mutex_unlock(&cpu_buffer->mutex);
	return err;
}
