// SPDX-License-Identifier: GPL-2.0
/*
 * How packets leave a stream. The reader takes a delivered packet by exchanging its
 * sub-buffer for the memory's spare one, and returns it when it is read. Packets that no
 * reader will get are dropped: they count as overwritten, though no writer wrote over
 * them. switch.c explains when that happens.
 */

#include <linux/cpu.h>
#include <linux/tick.h>

#include "internal.h"
#include "subbuf.h"

/**
 * tring_reader_open - become the reader of a stream
 * @stream: from tring_buffer_stream()
 *
 * Context: task, may sleep.
 * Return: 0, or -EBUSY if there is a reader.
 */
int tring_reader_open(struct tring_stream *stream)
{
	struct tring_buffer *buffer = stream->cpu_buffer->buffer;
	int err;

	mutex_lock(&buffer->mutex);
	err = stream->reader_open ? -EBUSY : 0;
	stream->reader_open = true;
	mutex_unlock(&buffer->mutex);
	return err;
}

/**
 * tring_reader_release - stop being the reader
 * @stream: opened by the caller
 *
 * A packet that is held stays held for the next reader.
 *
 * Context: task, may sleep.
 */
void tring_reader_release(struct tring_stream *stream)
{
	struct tring_buffer *buffer = stream->cpu_buffer->buffer;

	mutex_lock(&buffer->mutex);
	stream->reader_open = false;
	mutex_unlock(&buffer->mutex);
}

/*
 * Take the oldest packet of a memory. Adds the overwritten events to its events_discarded
 * (invariant 10): exactly those before it in the stream, as no packet behind it can be
 * overwritten before it. Returns -EAGAIN if there is no packet now, -ENODATA if there will be
 * none, -EIO if the ring is found broken.
 */
static int take_oldest_packet(struct tring_stream *stream, struct tring_memory *memory,
			      struct tring_subbuf **taken)
{
	struct tring_cpu_buffer *cpu_buffer = stream->cpu_buffer;
	struct tring_packet_header *header;
	unsigned int tries, index;
	u64 lost, packet, word;
	atomic64_t *slot;
	s64 distance;

	for (tries = 0; tries < TRING_LAPS_MAX; tries++) {
		packet = memory->next_packet;
		if (memory->sealed && packet >= memory->packets)
			return -ENODATA;
		slot = tring_slot_of(memory, packet);
		/* TB(take:A) state before packet. Pairs with TB(deliver:A). */
		word = atomic64_read_acquire(slot);
		tring_step(cpu_buffer, TRING_STEP_TAKE_READ);
		distance = tring_slot_distance(word, packet);
		if (distance > 0) {
			/* Lapped: go on with the oldest packet that can be there. */
			memory->next_packet = packet + distance - memory->nr_subbufs + 1;
			continue;
		}
		/* The last packets of a ring that was stopped stay open for ever. */
		if (distance < 0 || tring_slot_state(word) == TRING_SLOT_OPEN)
			return memory->sealed ? -ENODATA : -EAGAIN;
		if (TRING_WARN_ON(cpu_buffer, tring_slot_state(word) != TRING_SLOT_DELIVERED))
			return -EIO;

		/*
		 * The packets before this one were taken or overwritten. The writer counts
		 * an overwritten packet a moment after it has opened the slot.
		 */
		if ((u64)local_read(&memory->overwritten_packets) !=
		    packet - memory->packets_taken) {
			cpu_relax();
			continue;
		}
		/* TB(take:C) packets before events. Pairs with TB(enter:B). */
		smp_rmb();
		lost = stream->lost + local_read(&memory->overwritten);
		tring_step(cpu_buffer, TRING_STEP_TAKE_COUNTED);

		index = tring_slot_index(word);
		/* A sealed memory needs no spare sub-buffer: no writer comes. */
		if (!memory->sealed) {
			memory->spare->slot = slot;
			index = memory->spare - memory->subbufs;
		}
		/* TB(take:B) the reader's side, invariant 7. Pairs with TB(enter:A). */
		if ((u64)atomic64_cmpxchg(slot, word, tring_slot_word(TRING_SLOT_FREE, index,
								      packet)) != word)
			continue;
		tring_step(cpu_buffer, TRING_STEP_TAKE_TAKEN);

		*taken = &memory->subbufs[tring_slot_index(word)];
		header = (*taken)->data;
		header->events_discarded += lost;
		(*taken)->lost = lost;
		memory->spare = NULL;
		memory->packets_taken++;
		memory->next_packet = packet + 1;
		if (tring_stream_is_live(stream))
			local_inc(&cpu_buffer->packets_gone);
		return 0;
	}
	return -EAGAIN;
}

/* The packet that is held is held no more. */
static void return_held(struct tring_stream *stream)
{
	struct tring_subbuf *subbuf = stream->held;
	struct tring_memory *memory = subbuf->memory;

	WRITE_ONCE(stream->held, NULL);
	tring_memory_return(memory, subbuf);
	tring_memory_put(memory);
}

static void count_dropped(const struct tring_stream *stream, u64 events, u64 bytes, u64 packets)
{
	struct tring_stats *counted = &stream->cpu_buffer->counted;

	counted->overwritten += events;
	if (!tring_stream_is_live(stream))
		counted->overwritten_snapshot += events;
	counted->overwritten_bytes += bytes;
	counted->packets_overwritten += packets;
}

/**
 * tring_drop_content - count what a memory holds as overwritten
 * @stream: that the memory is in
 * @memory: no writer is in it
 *
 * Context: task, with tring_cpu_buffer::mutex held.
 */
void tring_drop_content(struct tring_stream *stream, struct tring_memory *memory)
{
	struct tring_stats *counted = &stream->cpu_buffer->counted;
	struct tring_content content = { };

	tring_memory_content(memory, &content);
	count_dropped(stream, content.events, content.bytes,
		      content.packets + content.open_packets);
	/* Open packets of a ring that was stopped, or is being emptied, are never delivered. */
	WRITE_ONCE(counted->committed, counted->committed + content.open_events);
	counted->committed_bytes += content.open_bytes;
	stream->lost += content.events + local_read(&memory->overwritten);
	if (tring_stream_is_live(stream))
		local_add(content.packets, &stream->cpu_buffer->packets_gone);
}

/**
 * tring_drop_memory - remove a memory from its stream, and drop what is left in it
 * @stream: that the memory is in
 * @memory: sealed
 *
 * Context: task, with tring_cpu_buffer::mutex held.
 */
void tring_drop_memory(struct tring_stream *stream, struct tring_memory *memory)
{
	tring_drop_content(stream, memory);
	list_del(&memory->list);
	tring_memory_put(memory);
}

/**
 * tring_drop_stream - drop all sealed memories of a stream
 * @stream: the stream; a packet that a reader holds stays
 *
 * Context: task, with tring_cpu_buffer::mutex held.
 */
void tring_drop_stream(struct tring_stream *stream)
{
	struct tring_memory *memory, *next;

	list_for_each_entry_safe(memory, next, &stream->memories, list)
		if (memory->sealed)
			tring_drop_memory(stream, memory);
}

/**
 * tring_drop_lapsed - drop memories older than what is already lost
 * @cpu_buffer: the ring
 *
 * Writers have wrapped in the current memory, so older memories hold only data older
 * than what is already lost.
 *
 * Context: task, with tring_cpu_buffer::mutex held.
 */
void tring_drop_lapsed(struct tring_cpu_buffer *cpu_buffer)
{
	if (cpu_buffer->memory && local_read(&cpu_buffer->memory->overwritten_packets))
		tring_drop_stream(&cpu_buffer->streams[TRING_LIVE]);
}

/**
 * tring_drop_packet - drop the oldest packet of a memory
 * @stream: that the memory is in
 * @memory: sealed
 *
 * Context: task, with tring_cpu_buffer::mutex held.
 * Return: false if there is none.
 */
bool tring_drop_packet(struct tring_stream *stream, struct tring_memory *memory)
{
	struct tring_subbuf *subbuf;

	if (take_oldest_packet(stream, memory, &subbuf))
		return false;
	count_dropped(stream, subbuf->events, subbuf->bytes, 1);
	/* No writer is in the memory: any CPU may do this. */
	local_add(subbuf->events, &memory->overwritten);
	tring_memory_return(memory, subbuf);
	return true;
}

/**
 * tring_drop_held - drop the packet that a former reader held
 * @stream: the stream; it may hold none
 *
 * Context: task, with tring_cpu_buffer::mutex held.
 */
void tring_drop_held(struct tring_stream *stream)
{
	if (!stream->held)
		return;
	count_dropped(stream, stream->held->events, stream->held->bytes, 1);
	return_held(stream);
}

/*
 * Hold the oldest packet of the stream, if none is held. Memories that are through leave
 * the stream on the way.
 */
static int hold_packet(struct tring_stream *stream)
{
	struct tring_memory *memory, *next;
	struct tring_subbuf *subbuf;
	int err = -EAGAIN;

	if (stream->held)
		return 0;
	if (tring_stream_is_live(stream))
		tring_drop_lapsed(stream->cpu_buffer);
	list_for_each_entry_safe(memory, next, &stream->memories, list) {
		err = take_oldest_packet(stream, memory, &subbuf);
		if (!err) {
			memory->users++;
			/* A waiting reader looks at this without the mutex. */
			WRITE_ONCE(stream->held, subbuf);
		}
		if (err != -ENODATA)
			return err;
		tring_drop_memory(stream, memory);
	}
	return -EAGAIN;
}

/**
 * tring_ring_is_left_alone - test whether the ring's CPU must not be interrupted now
 * @cpu_buffer: the ring
 *
 * A CPU of nohz_full= is not, while recording is on: what it runs is not to be disturbed. A
 * packet of it is read when it is full, or when recording ends.
 *
 * Context: any.
 */
bool tring_ring_is_left_alone(const struct tring_cpu_buffer *cpu_buffer)
{
	return tick_nohz_full_cpu(cpu_buffer->cpu) && READ_ONCE(cpu_buffer->buffer->recording);
}

static void flush_here(void *cpu_buffer)
{
	tring_end_packet(cpu_buffer, NULL);
}

/**
 * tring_ring_flush - close the open packet, so that it can be read
 * @cpu_buffer: the ring
 *
 * Does nothing if the CPU hangs, or is left alone.
 *
 * Context: task, may sleep; interrupts the ring's CPU if the packet holds a record.
 */
void tring_ring_flush(struct tring_cpu_buffer *cpu_buffer)
{
	struct tring_memory *memory;

	if (tring_ring_is_left_alone(cpu_buffer))
		return;
	/* CPU hotplug holds its lock when it takes the mutex: this order, too. */
	cpus_read_lock();
	mutex_lock(&cpu_buffer->mutex);
	memory = cpu_buffer->memory;
	if (memory && tring_offset(memory, local_read(&cpu_buffer->write)) >
	    TRING_PACKET_HEADER_SIZE)
		tring_ring_run(cpu_buffer, flush_here);
	mutex_unlock(&cpu_buffer->mutex);
	cpus_read_unlock();
}

/**
 * tring_reader_take - get the oldest packet
 * @stream: opened by the caller
 * @flush: if there is none, close the open packet and look again
 * @packet: filled in; valid until tring_reader_put()
 *
 * A packet that is held already is handed out again.
 *
 * Context: task, may sleep; interrupts the ring's CPU if it flushes.
 * Return: 0; -EAGAIN if there is nothing; -EIO if the ring is found broken.
 */
int tring_reader_take(struct tring_stream *stream, bool flush, struct tring_packet *packet)
{
	const struct tring_packet_header *header;
	int err;

	mutex_lock(&stream->cpu_buffer->mutex);
	err = hold_packet(stream);
	mutex_unlock(&stream->cpu_buffer->mutex);
	if (err == -EAGAIN && flush && tring_stream_is_live(stream)) {
		tring_ring_flush(stream->cpu_buffer);
		return tring_reader_take(stream, false, packet);
	}
	if (err)
		return err;
	header = stream->held->data;
	packet->data = header;
	packet->size = header->packet_size / 8;
	packet->events = stream->held->events;
	return 0;
}

/**
 * tring_reader_put - the packet that is held has been read
 * @stream: opened by the caller
 *
 * Context: task, may sleep.
 */
void tring_reader_put(struct tring_stream *stream)
{
	struct tring_cpu_buffer *cpu_buffer = stream->cpu_buffer;

	mutex_lock(&cpu_buffer->mutex);
	if (!TRING_WARN_ON(cpu_buffer, !stream->held)) {
		cpu_buffer->counted.read += stream->held->events;
		cpu_buffer->counted.read_bytes += stream->held->bytes;
		cpu_buffer->counted.packets_read++;
		return_held(stream);
	}
	mutex_unlock(&cpu_buffer->mutex);
}
