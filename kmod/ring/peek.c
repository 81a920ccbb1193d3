// SPDX-License-Identifier: GPL-2.0
/*
 * Reading without consuming: copy a packet, then check that it is still the same one.
 * Nothing that is read before that check may be trusted.
 *
 * The packet that is being written can be copied while every record in it is committed.
 * The copy gets the header that the packet would get if it were closed now.
 *
 * Writers know nothing of it, and nothing changes in the ring. Other readers, and a switch
 * of memory, wait on tring_cpu_buffer::mutex for as long as the copy of one packet takes.
 */

#include "internal.h"
#include "subbuf.h"

/*
 * Add up a packet that was copied, with @lost events overwritten before it in all. Returns
 * how many of them this reader is told of: an event that it was shown before it was
 * overwritten is not lost to it. There is none between packets with consecutive numbers.
 */
static u64 account_for_peeked(struct tring_peek *peek, u64 number, u64 lost, unsigned long events)
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
	struct tring_packet_header *header = held ? held->data : NULL;

	if (!held || header->packet_seq_num < peek->next)
		return -EAGAIN;
	*size = header->packet_size / 8;
	if (*size > room)
		return -EMSGSIZE;
	header = memcpy(copy, header, *size);
	header->events_discarded += account_for_peeked(peek, header->packet_seq_num, held->lost,
						       held->events) - held->lost;
	return 0;
}

/*
 * Bytes and events of the open packet, if every record in it is committed. Returns 0;
 * -EAGAIN if there is none; -EBUSY if a record is open, or one was reserved just now.
 *
 * The bytes are counted before the position is read. Records that are counted stay where
 * they are, so each position that comes later lies behind them. If it lies no further from
 * the packet's beginning than they have bytes, there is no other record between. At the
 * packet's end it lies after a flush, which counts the unused rest, too.
 */
static int open_content(struct tring_memory *memory, u64 packet,
			const struct tring_subbuf *subbuf, unsigned long *bytes,
			unsigned long *events)
{
	long commits = local_read(&subbuf->commits) - tring_no_commits(memory);
	s64 end;

	tring_step(memory->cpu_buffer, TRING_STEP_PEEK_COUNTED);
	/* TB(peek:B) count before position and packet. Pairs with TB(commit:A). */
	smp_rmb();
	end = local_read(&memory->cpu_buffer->write) - tring_packet_position(memory, packet);
	*bytes = TRING_PACKET_HEADER_SIZE + tring_commits_bytes(commits);
	*events = (u32)commits;
	if (end <= TRING_PACKET_HEADER_SIZE)
		return -EAGAIN;
	return end == *bytes && end < memory->subbuf_size ? 0 : -EBUSY;
}

/* In a copy of the open packet: what the header gets when the packet is closed. */
static void close_copy(struct tring_cpu_buffer *cpu_buffer, struct tring_packet_header *header,
		       unsigned long bytes)
{
	header->content_size = bytes * 8;
	header->packet_size = ALIGN(bytes, sizeof(u64)) * 8;
	/* Invariant 4: either bound may be lowered, but never both. */
	header->timestamp_end = max_t(u64, READ_ONCE(cpu_buffer->before_ts),
				      local_read(&cpu_buffer->last_ts) & ~TRING_STAMP_UNKNOWN);
	header->events_discarded = local_read(&cpu_buffer->lost);
	/* Types that no record here has may be added meanwhile. */
	data_race(memcpy(header->lengths, cpu_buffer->buffer->lengths, sizeof(header->lengths)));
	memset((void *)header + bytes, 0, ALIGN(bytes, sizeof(u64)) - bytes);
}

/* @before: events lost before the first packet of @memory. */
static int peek_memory(struct tring_stream *stream, struct tring_memory *memory, u64 before,
		       struct tring_peek *peek, void *copy, size_t room, size_t *size)
{
	struct tring_packet_header *header = copy;
	u64 packet = memory->next_packet;
	struct tring_subbuf *subbuf;
	unsigned long bytes, events;
	unsigned int tries;
	atomic64_t *slot;
	u64 lost, word;
	s64 distance;
	bool is_open;
	int err;

	if (peek->next > memory->first_packet + packet)
		packet = peek->next - memory->first_packet;
	for (tries = 0; tries < TRING_LAPS_MAX; tries++) {
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
		is_open = tring_slot_state(word) == TRING_SLOT_OPEN && peek->with_open &&
			  memory == stream->cpu_buffer->memory;
		if (distance < 0 || (!is_open && tring_slot_state(word) != TRING_SLOT_DELIVERED))
			return -EAGAIN;

		/* No more than are lost before a packet that is still there. */
		lost = before + local_read(&memory->overwritten);
		subbuf = &memory->subbufs[tring_slot_index(word)];
		bytes = READ_ONCE(subbuf->bytes);
		events = READ_ONCE(subbuf->events);
		err = is_open ? open_content(memory, packet, subbuf, &bytes, &events) : 0;
		if (err)
			return err;
		*size = ALIGN(bytes, sizeof(u64));
		/*
		 * Race: a writer may open the slot and write here meanwhile. Worst case: the
		 * copy is thrown away, because the slot word has changed.
		 */
		if (*size <= room && *size <= memory->subbuf_size)
			/* data_race(): see above */
			data_race(memcpy(copy, subbuf->data, *size));
		tring_step(stream->cpu_buffer, TRING_STEP_PEEK_COPIED);
		/* TB(peek:A) the copy before the slot word. Pairs with TB(enter:A). */
		smp_rmb();
		if ((u64)atomic64_read(slot) != word)
			continue;
		if (*size > room)
			return -EMSGSIZE;
		if (is_open)
			close_copy(stream->cpu_buffer, header, bytes);
		peek->with_open &= !is_open;
		header->events_discarded += account_for_peeked(peek, memory->first_packet + packet,
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
 * Return: 0; -EAGAIN if there is none, or writers lap the copy each time; -EBUSY if the
 * open packet is wanted, but a record in it is open: the caller may try again; -EMSGSIZE if
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
		*peek = (struct tring_peek) { cpu_buffer->trace, .with_open = peek->with_open };
	lost = stream->lost;
	err = peek_held(stream, peek, copy, room, size);
	list_for_each_entry(memory, &stream->memories, list) {
		if (err != -EAGAIN)
			break;
		err = peek_memory(stream, memory, lost, peek, copy, room, size);
		lost += local_read(&memory->overwritten);
	}
	mutex_unlock(&cpu_buffer->mutex);
	return err;
}
