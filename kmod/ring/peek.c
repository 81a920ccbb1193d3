// SPDX-License-Identifier: GPL-2.0
/*
 * Reading without consuming: copy a packet, then check that it is still the same one.
 * Nothing that is read before that check may be trusted.
 *
 * Writers know nothing of it. Other readers, and a switch of memory, wait on
 * tring_cpu_buffer::mutex for as long as the copy of one packet takes.
 */

#include <linux/minmax.h>
#include <linux/string.h>

#include "internal.h"
#include "subbuf.h"

/* Each turn means that the writer has lapped the packet. */
#define PEEK_TRIES	1000

/*
 * Add up a packet that was copied, with @lost events overwritten before it in all. Returns
 * how many of them this reader is told of: an event that it was shown before it was
 * overwritten is not lost to it. There is none between packets with consecutive numbers.
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

/* The packet that the consuming reader holds; it changes only under the mutex. */
static int peek_held(struct tring_stream *stream, struct tring_peek *peek, void *copy,
		     size_t room, size_t *size)
{
	const struct tring_subbuf *held = stream->held;
	struct tring_packet_header *header = copy;
	const struct tring_packet_header *packet;

	if (!held)
		return -EAGAIN;
	packet = held->data;
	if (packet->packet_seq_num < peek->next)
		return -EAGAIN;
	*size = packet->packet_size / 8;
	if (*size > room)
		return -EMSGSIZE;
	memcpy(copy, packet, *size);
	header->events_discarded -= held->lost;
	header->events_discarded += account(peek, packet->packet_seq_num, held->lost,
					    held->events);
	return 0;
}

/* @before: events lost before the first packet of @memory. */
static int peek_memory(struct tring_stream *stream, struct tring_memory *memory, u64 before,
		       struct tring_peek *peek, void *copy, size_t room, size_t *size)
{
	struct tring_packet_header *header = copy;
	u64 packet = memory->next_packet;
	struct tring_subbuf *subbuf;
	unsigned long events;
	unsigned int tries;
	atomic64_t *slot;
	s64 distance;
	u64 lost, word;

	if (peek->next > memory->first_packet + packet)
		packet = peek->next - memory->first_packet;
	for (tries = 0; tries < PEEK_TRIES; tries++) {
		if (memory != stream->cpu_buffer->memory && packet >= memory->packets)
			return -EAGAIN;
		slot = tring_slot_of(memory, packet);
		/* TB(take:A) state before packet. Pairs with TB(deliver:A). */
		word = atomic64_read_acquire(slot);
		tring_step(stream->cpu_buffer, TRING_STEP_PEEK_READ);
		distance = tring_slot_distance(word, packet);
		if (distance > 0) {
			/* Lapped: go on with the oldest packet that can be there. */
			packet += distance - memory->nr_subbufs + 1;
			continue;
		}
		if (distance < 0 || tring_slot_state(word) != TRING_SLOT_DELIVERED)
			return -EAGAIN;

		/* No more than are lost before a packet that is still there. */
		lost = before + local_read(&memory->overwritten);
		subbuf = &memory->subbufs[tring_slot_index(word)];
		events = READ_ONCE(subbuf->events);
		*size = ALIGN(READ_ONCE(subbuf->bytes), sizeof(u64));
		/*
		 * Race: a writer may open the slot and write here meanwhile. Worst case: the
		 * copy is thrown away, because the slot word has changed.
		 */
		if (*size <= room && *size <= memory->subbuf_size) {
			/* data_race(): see above */
			data_race(memcpy(copy, subbuf->data, *size));
		}
		tring_step(stream->cpu_buffer, TRING_STEP_PEEK_COPIED);
		/* TB(peek:A) the copy before the slot word. Pairs with TB(enter:A). */
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
 * @stream: any; it need not be open
 * @peek: cursor of the caller; moves behind the packet that is copied. If that has a
 *	higher number than was wanted, the packets between are gone
 * @copy: destination
 * @room: bytes there
 * @size: set to the packet's size
 *
 * The copy's events_discarded counts the events refused and overwritten before it that
 * this caller was not shown. It is exact but for packets that were shown to the caller
 * and then taken by a reader: behind a gap it may be too low by their events. A new trace
 * sets the cursor back to its beginning.
 *
 * Context: task, may sleep.
 * Return: 0; -EAGAIN if there is none, or writers lap the copy each time; -EMSGSIZE if
 * @room is less than @size.
 */
int tring_reader_peek(struct tring_stream *stream, struct tring_peek *peek, void *copy,
		      size_t room, size_t *size)
{
	struct tring_cpu_buffer *cpu_buffer = stream->cpu_buffer;
	struct tring_memory *memory;
	u64 lost;
	int err;

	mutex_lock(&cpu_buffer->mutex);
	if (peek->trace != cpu_buffer->trace)
		*peek = (struct tring_peek) { .trace = cpu_buffer->trace };
	if (tring_stream_is_live(stream))
		tring_drop_lapsed(cpu_buffer);
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
