// SPDX-License-Identifier: GPL-2.0
/*
 * The reader's side of the ring: take a delivered packet by exchanging its
 * sub-buffer for the reader's spare one, give it back or away. See ring.c DOC
 * and, for memories, ring/switch.c.
 */

#include <linux/cpu.h>
#include <linux/mm.h>

#include "compat.h"
#include "ring.h"
#include "check.h"
#include "fast.h"
#include "internal.h"
#include "slot.h"

/*
 * Each turn of the reader's loop means that the writer overwrote a sub-buffer
 * meanwhile. One that is lapped so often comes back later.
 */
#define TAKE_TRIES	1000

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
	int err = 0;

	mutex_lock(&buffer->mutex);
	if (stream->reader_open)
		err = -EBUSY;
	else
		stream->reader_open = true;
	mutex_unlock(&buffer->mutex);
	return err;
}

/**
 * tring_reader_release - stop being the reader
 * @stream: as opened
 *
 * A packet that is held and was not put is kept for the next reader.
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

/**
 * tring_memory_take - find the oldest packet of a memory and take it
 * @stream: that the memory is in
 * @memory: the memory
 * @taken: the packet's sub-buffer, to be held, or dropped
 *
 * The account of overwritten events goes into its header: exactly those that
 * lie before it in the stream, for as long as this packet is not overwritten
 * none behind it can be.
 *
 * Context: task, with tring_cpu_buffer::mutex held.
 * Return: 0; -EAGAIN if there is none for now, -ENODATA if there never will be;
 * -EIO if the ring is broken.
 */
int tring_memory_take(struct tring_stream *stream, struct tring_memory *memory,
		      struct tring_subbuf **taken)
{
	struct tring_cpu_buffer *cpu_buffer = stream->cpu_buffer;
	struct tring_packet_header *header;
	unsigned int tries, index;
	atomic64_t *slot;
	s64 distance;
	u64 lost, packet, word;

	for (tries = 0; tries < TAKE_TRIES; tries++) {
		packet = memory->next_packet;
		if (memory->sealed && packet >= memory->packets)
			return -ENODATA;
		slot = tring_slot_of(memory, packet);
		/* TB(take:A) state before packet. Pairs with TB(deliver:A). */
		word = atomic64_read_acquire(slot);
		tring_step(cpu_buffer, TRING_STEP_TAKE_READ);
		distance = tring_slot_distance(word, packet);
		if (distance > 0) {
			/* Lapped: this slot's packet is one lap on, or more. */
			memory->next_packet = packet + distance - memory->nr_subbufs + 1;
			continue;
		}
		/* A broken ring's last packets stay open for ever. */
		if (distance < 0 || tring_slot_state(word) == TRING_SLOT_OPEN)
			return memory->sealed ? -EIO : -EAGAIN;
		if (TRING_WARN_ON(cpu_buffer, tring_slot_state(word) != TRING_SLOT_DELIVERED))
			return -EIO;

		/*
		 * Packets before this one were either taken or overwritten. The
		 * writer counts the latter a moment after it has opened their
		 * slots, so wait for that moment.
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

		/* Where no writer comes any more no spare one is needed. */
		index = tring_slot_index(word);
		if (!memory->sealed) {
			index = memory->spare->index;
			WRITE_ONCE(memory->spare->slot, slot);
		}
		/* TB(take:B) the reader's side. Pairs with TB(enter:A). */
		if ((u64)atomic64_cmpxchg(slot, word, tring_slot_word(TRING_SLOT_FREE, index,
								      packet)) != word)
			continue;
		tring_step(cpu_buffer, TRING_STEP_TAKE_TAKEN);

		*taken = &memory->subbufs[tring_slot_index(word)];
		header = (*taken)->data;
		header->events_discarded += lost;
		(*taken)->lost = lost;
		if (!memory->sealed)
			memory->spare = NULL;
		memory->packets_taken++;
		memory->next_packet = packet + 1;
		if (tring_stream_is_live(stream))
			tring_count_gone(cpu_buffer, 1);
		return 0;
	}
	return -EAGAIN;
}

/*
 * Hold the stream's oldest packet, out of its oldest memory that has one; what
 * it holds already it goes on holding.
 */
static int hold_packet(struct tring_stream *stream)
{
	struct tring_memory *memory, *next;
	struct tring_subbuf *subbuf;
	int err = -EAGAIN;

	if (stream->held)
		return 0;
	list_for_each_entry_safe(memory, next, &stream->memories, list) {
		err = tring_memory_take(stream, memory, &subbuf);
		if (!err) {
			stream->held_memory = memory;
			/* Whoever waits looks at this without the mutex. */
			WRITE_ONCE(stream->held, subbuf);
		}
		if (err == -EIO && memory->sealed) {
			tring_drop_memory(stream, memory);
			continue;
		}
		if (err != -ENODATA)
			return err;
		stream->lost += local_read(&memory->overwritten);
		tring_memory_let_go(stream->cpu_buffer, memory);
		if (tring_stream_is_live(stream))
			tring_ring_update_retired(stream->cpu_buffer);
	}
	return err == -ENODATA ? -EAGAIN : err;
}

/* Is there something in the open packet that a flush would close? */
static bool has_open_records(struct tring_cpu_buffer *cpu_buffer)
{
	unsigned long write = local_read(&cpu_buffer->write);

	return cpu_buffer->memory &&
	       (write & (cpu_buffer->memory->subbuf_size - 1)) > TRING_PACKET_HEADER_SIZE;
}

static void flush_here(void *cpu_buffer)
{
	tring_flush(cpu_buffer);
}

/* False if there is nothing that a flush would bring out. */
static bool flush_ring(struct tring_cpu_buffer *cpu_buffer)
{
	if (!has_open_records(cpu_buffer))
		return false;
	tring_ring_run(cpu_buffer, flush_here, cpu_buffer);
	return true;
}

/**
 * tring_reader_flush - close the open packet, so that it can be read
 * @stream: the live one; of a snapshot nothing is open
 *
 * Context: task, may sleep; interrupts the ring's CPU.
 */
void tring_reader_flush(struct tring_stream *stream)
{
	struct tring_cpu_buffer *cpu_buffer = stream->cpu_buffer;

	cpus_read_lock();
	mutex_lock(&cpu_buffer->mutex);
	flush_ring(cpu_buffer);
	mutex_unlock(&cpu_buffer->mutex);
	cpus_read_unlock();
}

/**
 * tring_reader_take - get the oldest packet
 * @stream: whose; the caller opened it
 * @flush: if there is none, close the open sub-buffer and look again
 * @packet: filled in; valid until tring_reader_put() or _give_away()
 *
 * A packet that is held already is handed out again. Where a stream has no more
 * than what is open, only @flush brings it out; a snapshot has nothing open.
 *
 * Context: task, may sleep; interrupts the ring's CPU if it flushes.
 * Return: 0, -EAGAIN if there is nothing, -EIO if the ring was found broken.
 */
int tring_reader_take(struct tring_stream *stream, bool flush, struct tring_packet *packet)
{
	struct tring_cpu_buffer *cpu_buffer = stream->cpu_buffer;
	const struct tring_packet_header *header;
	int err;

	if (!tring_stream_is_live(stream))
		flush = false;
	/* Outside the mutex: CPU hotplug calls us with its lock held. */
	cpus_read_lock();
	mutex_lock(&cpu_buffer->mutex);
	err = hold_packet(stream);
	if (err == -EAGAIN && flush && flush_ring(cpu_buffer))
		err = hold_packet(stream);
	if (!err) {
		header = stream->held->data;
		packet->data = header;
		packet->size = header->packet_size / 8;
		packet->events = stream->held->events;
		packet->memory_serial = stream->held_memory->serial;
		packet->index = stream->held->index;
	}
	mutex_unlock(&cpu_buffer->mutex);
	cpus_read_unlock();
	return err;
}

/* The packet that is held has been read. */
static void put_held(struct tring_stream *stream)
{
	struct tring_cpu_buffer *cpu_buffer = stream->cpu_buffer;

	cpu_buffer->read += stream->held->events;
	cpu_buffer->read_bytes += stream->held->bytes;
	cpu_buffer->packets_read++;
	tring_stream_return(stream);
}

/**
 * tring_reader_put - the packet that is held has been read
 * @stream: whose
 *
 * Context: task, may sleep.
 */
void tring_reader_put(struct tring_stream *stream)
{
	struct tring_cpu_buffer *cpu_buffer = stream->cpu_buffer;

	mutex_lock(&cpu_buffer->mutex);
	if (!TRING_WARN_ON(cpu_buffer, !stream->held))
		put_held(stream);
	mutex_unlock(&cpu_buffer->mutex);
}

/**
 * tring_reader_give_away - the pages of the packet that is held are the caller's
 * @stream: whose; the caller has references to the pages
 *
 * Counts as read, as tring_reader_put() does. The ring gets fresh pages instead.
 *
 * Context: task, may sleep.
 * Return: 0, or -ENOMEM: the packet is held as before.
 */
int tring_reader_give_away(struct tring_stream *stream)
{
	struct tring_cpu_buffer *cpu_buffer = stream->cpu_buffer;
	int err = -EINVAL;

	mutex_lock(&cpu_buffer->mutex);
	if (!TRING_WARN_ON(cpu_buffer, !stream->held)) {
		/* Of a memory without writers the pages go anyway. */
		err = stream->held_memory->sealed ? 0 :
		      tring_memory_renew(stream->held_memory, stream->held);
		if (!err)
			put_held(stream);
	}
	mutex_unlock(&cpu_buffer->mutex);
	return err;
}

/* Where the packet in hand lies, or the next one will. */
static struct tring_memory *next_memory(struct tring_stream *stream)
{
	/* Past what is through, and into what has packets, if any has. */
	if (hold_packet(stream) == 0)
		return stream->held_memory;
	return list_first_entry_or_null(&stream->memories, struct tring_memory, list);
}

/**
 * tring_reader_map - describe the memory that the next packet lies in
 * @stream: whose; the caller opened it
 * @map: filled in
 *
 * It may take that packet, which is then held.
 *
 * Context: task, may sleep.
 * Return: 0, or -ENODATA if the stream has no memory.
 */
int tring_reader_map(struct tring_stream *stream, struct tring_map *map)
{
	struct tring_cpu_buffer *cpu_buffer = stream->cpu_buffer;
	struct tring_memory *memory;

	mutex_lock(&cpu_buffer->mutex);
	memory = next_memory(stream);
	if (memory) {
		map->serial = memory->serial;
		map->subbufs = memory->nr_subbufs + 1;
		map->subbuf_size = memory->subbuf_size;
	}
	mutex_unlock(&cpu_buffer->mutex);
	return memory ? 0 : -ENODATA;
}

/**
 * tring_reader_map_page - a page of the memory that tring_reader_map() described
 * @stream: whose
 * @serial: of the memory
 * @number: of the page, counted through all of its sub-buffers
 *
 * Context: task, may sleep.
 * Return: the page with a reference to it; NULL if it is there no more, as are
 * packets that were read out of retired memory.
 */
struct page *tring_reader_map_page(struct tring_stream *stream, u64 serial,
				   unsigned long number)
{
	struct tring_cpu_buffer *cpu_buffer = stream->cpu_buffer;
	struct tring_memory *memory;
	struct page *page = NULL;
	unsigned long index;

	mutex_lock(&cpu_buffer->mutex);
	memory = next_memory(stream);
	if (memory && memory->serial == serial) {
		index = number >> (memory->order - PAGE_SHIFT);
		number &= (memory->subbuf_size >> PAGE_SHIFT) - 1;
		if (index <= memory->nr_subbufs && memory->subbufs[index].data) {
			page = virt_to_page(memory->subbufs[index].data) + number;
			get_page(page);
		}
	}
	mutex_unlock(&cpu_buffer->mutex);
	return page;
}
