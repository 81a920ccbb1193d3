// SPDX-License-Identifier: GPL-2.0
/*
 * The reader's side of the ring: take a delivered packet by exchanging its
 * sub-buffer for the reader's spare one, flush, wait, count. See ring.c DOC.
 */

#include <linux/cpu.h>
#include <linux/sched/signal.h>
#include <linux/smp.h>
#include <linux/wait.h>

#include "compat.h"
#include "ring.h"
#include "ring_check.h"
#include "ring_fast.h"
#include "ring_internal.h"
#include "slot.h"

/*
 * Each turn of the reader's loop means that the writer overwrote a sub-buffer
 * meanwhile. One that is lapped so often comes back later.
 */
#define TAKE_TRIES	1000

/*
 * A reader that sleeps on a nearly idle CPU lets this much gather before it
 * interrupts that CPU for a packet of a few events.
 */
#define GATHER_JIFFIES	(HZ / 10)

static const char *const refusal_names[TRING_REFUSALS] = {
	[TRING_REFUSED_NO_ROOM]		= "no_room",
	[TRING_REFUSED_OPEN_COMMIT]	= "open_commit",
	[TRING_REFUSED_TOO_LARGE]	= "too_large",
	[TRING_REFUSED_RETRIES]		= "retries",
	[TRING_REFUSED_NESTED]		= "nested",
	[TRING_REFUSED_STOPPED]		= "stopped",
	[TRING_REFUSED_NO_MEMORY]	= "no_memory",
	[TRING_REFUSED_OFF]		= "off",
};

/**
 * tring_refusal_name - as the stats file calls it
 * @reason: below TRING_REFUSALS
 */
const char *tring_refusal_name(enum tring_refusal reason)
{
	return refusal_names[reason];
}

/**
 * tring_reader_open - become the reader of a CPU's ring
 * @buffer: the buffer
 * @cpu: any possible CPU, online or not
 *
 * Context: task, may sleep.
 * Return: 0, or -EBUSY if there is a reader.
 */
int tring_reader_open(struct tring_buffer *buffer, int cpu)
{
	struct tring_cpu_buffer *cpu_buffer = tring_cpu_buffer(buffer, cpu);
	int err = 0;

	mutex_lock(&buffer->mutex);
	if (cpu_buffer->reader_open)
		err = -EBUSY;
	else
		cpu_buffer->reader_open = true;
	mutex_unlock(&buffer->mutex);
	return err;
}

/**
 * tring_reader_release - stop being the reader
 * @buffer: the buffer
 * @cpu: as opened
 *
 * A packet that is held and was not put is kept for the next reader.
 *
 * Context: task, may sleep.
 */
void tring_reader_release(struct tring_buffer *buffer, int cpu)
{
	struct tring_cpu_buffer *cpu_buffer = tring_cpu_buffer(buffer, cpu);

	mutex_lock(&buffer->mutex);
	cpu_buffer->reader_open = false;
	mutex_unlock(&buffer->mutex);
}

/*
 * Find the oldest packet and take it. The account of overwritten events goes
 * into its header: exactly those that lie before it in the stream, for as long
 * as this packet is not overwritten none behind it can be.
 */
static int take_packet(struct tring_cpu_buffer *cpu_buffer)
{
	struct tring_packet_header *header;
	struct tring_subbuf *subbuf;
	unsigned int tries;
	atomic64_t *slot;
	s64 distance;
	u64 lost, packet, word;

	for (tries = 0; tries < TAKE_TRIES; tries++) {
		packet = cpu_buffer->next_packet;
		slot = tring_slot_of(cpu_buffer, packet);
		/* TB(take:A) state before packet. Pairs with TB(deliver:A). */
		word = atomic64_read_acquire(slot);
		tring_step(cpu_buffer, TRING_STEP_TAKE_READ);
		distance = tring_slot_distance(word, packet);
		if (distance < 0)
			return -EAGAIN;
		if (distance > 0) {
			/* Lapped: this slot's packet is one lap on, or more. */
			cpu_buffer->next_packet = packet + distance -
						  cpu_buffer->nr_subbufs + 1;
			continue;
		}
		if (tring_slot_state(word) == TRING_SLOT_OPEN)
			return -EAGAIN;
		if (TRING_WARN_ON(cpu_buffer, tring_slot_state(word) != TRING_SLOT_DELIVERED))
			return -EIO;

		/*
		 * Packets before this one were either taken or overwritten. The
		 * writer counts the latter a moment after it has opened their
		 * slots, so wait for that moment.
		 */
		if ((u64)local_read(&cpu_buffer->overwritten_packets) !=
		    packet - cpu_buffer->packets_taken) {
			cpu_relax();
			continue;
		}
		/* TB(take:C) packets before events. Pairs with TB(enter:B). */
		smp_rmb();
		lost = local_read(&cpu_buffer->overwritten);
		tring_step(cpu_buffer, TRING_STEP_TAKE_COUNTED);

		/* TB(take:B) the reader's side. Pairs with TB(enter:A). */
		if ((u64)atomic64_cmpxchg(slot, word,
					  tring_slot_word(TRING_SLOT_FREE,
							  cpu_buffer->spare->index,
							  packet)) != word)
			continue;
		tring_step(cpu_buffer, TRING_STEP_TAKE_TAKEN);

		subbuf = &cpu_buffer->subbufs[tring_slot_index(word)];
		header = subbuf->data;
		header->events_discarded += lost;
		cpu_buffer->spare = NULL;
		cpu_buffer->held = subbuf;
		cpu_buffer->packets_taken++;
		cpu_buffer->next_packet = packet + 1;
		return 0;
	}
	return -EAGAIN;
}

static void flush_here(void *cpu_buffer)
{
	tring_flush(cpu_buffer);
}

/*
 * Close the open packet where its writers run. CPU hotplug is locked out, so a
 * CPU that is offline has no writer and its ring may be touched from here.
 */
static void flush_ring(struct tring_cpu_buffer *cpu_buffer)
{
	unsigned long flags;

	if (cpu_online(cpu_buffer->cpu)) {
		smp_call_function_single(cpu_buffer->cpu, flush_here, cpu_buffer, true);
		return;
	}
	local_irq_save(flags);
	tring_flush(cpu_buffer);
	local_irq_restore(flags);
}

/*
 * A reader may come before the memory. It stays for as long as a reader is open.
 */
static bool is_allocated(struct tring_cpu_buffer *cpu_buffer)
{
	/* TB(allocated:B) pairs with TB(allocated:A). */
	return smp_load_acquire(&cpu_buffer->allocated);
}

/* Is there something in the open packet that a flush would close? */
static bool has_open_records(struct tring_cpu_buffer *cpu_buffer)
{
	unsigned long write = local_read(&cpu_buffer->write);

	return is_allocated(cpu_buffer) &&
	       (write & (cpu_buffer->subbuf_size - 1)) > TRING_PACKET_HEADER_SIZE;
}

/* Is there a packet to take, or one that was lapped? */
static bool has_packet(struct tring_cpu_buffer *cpu_buffer)
{
	u64 packet = READ_ONCE(cpu_buffer->next_packet);
	s64 distance;
	u64 word;

	if (!is_allocated(cpu_buffer))
		return false;
	if (READ_ONCE(cpu_buffer->held))
		return true;
	word = atomic64_read(tring_slot_of(cpu_buffer, packet));
	distance = tring_slot_distance(word, packet);
	return distance > 0 ||
	       (distance == 0 && tring_slot_state(word) == TRING_SLOT_DELIVERED);
}

/**
 * tring_reader_take - get the oldest packet
 * @buffer: the buffer
 * @cpu: whose; the caller opened it
 * @flush: if there is none, close the open sub-buffer and look again
 * @packet: filled in; valid until tring_reader_put()
 *
 * A packet that is held already is handed out again.
 *
 * Context: task, may sleep; interrupts @cpu if it flushes.
 * Return: 0, -EAGAIN if there is nothing, -EIO if the ring was found broken.
 */
int tring_reader_take(struct tring_buffer *buffer, int cpu, bool flush,
		      struct tring_packet *packet)
{
	struct tring_cpu_buffer *cpu_buffer = tring_cpu_buffer(buffer, cpu);
	const struct tring_packet_header *header;
	int err = -EAGAIN;

	/* Outside the mutex: CPU hotplug calls us with its lock held. */
	cpus_read_lock();
	mutex_lock(&cpu_buffer->mutex);
	if (cpu_buffer->allocated) {
		err = cpu_buffer->held ? 0 : take_packet(cpu_buffer);
		if (err == -EAGAIN && flush && has_open_records(cpu_buffer)) {
			flush_ring(cpu_buffer);
			err = take_packet(cpu_buffer);
		}
	}
	if (!err) {
		header = cpu_buffer->held->data;
		packet->data = header;
		packet->size = header->packet_size / 8;
		packet->events = cpu_buffer->held->events;
	}
	mutex_unlock(&cpu_buffer->mutex);
	cpus_read_unlock();
	return err;
}

/**
 * tring_reader_put - the packet that is held has been read
 * @buffer: the buffer
 * @cpu: whose
 *
 * Context: task, may sleep.
 */
void tring_reader_put(struct tring_buffer *buffer, int cpu)
{
	struct tring_cpu_buffer *cpu_buffer = tring_cpu_buffer(buffer, cpu);
	const struct tring_packet_header *header;

	mutex_lock(&cpu_buffer->mutex);
	if (!TRING_WARN_ON(cpu_buffer, !cpu_buffer->held)) {
		header = cpu_buffer->held->data;
		cpu_buffer->read += cpu_buffer->held->events;
		cpu_buffer->read_bytes += header->content_size / 8;
		cpu_buffer->spare = cpu_buffer->held;
		cpu_buffer->held = NULL;
	}
	mutex_unlock(&cpu_buffer->mutex);
}

/**
 * tring_reader_has_data - would tring_reader_take() with flush find a packet?
 * @buffer: the buffer
 * @cpu: whose; the caller opened it, so that its memory stays
 *
 * To be asked after the caller has put itself on tring_reader_wait_queue().
 *
 * Context: any.
 */
bool tring_reader_has_data(struct tring_buffer *buffer, int cpu)
{
	struct tring_cpu_buffer *cpu_buffer = tring_cpu_buffer(buffer, cpu);

	/*
	 * TB(has_data:A) on the wait queue before the state is read. Pairs with
	 * TB(wake:A).
	 */
	smp_mb();
	return has_packet(cpu_buffer) || has_open_records(cpu_buffer);
}

/**
 * tring_reader_wait_queue - where writers wake readers
 * @buffer: the buffer
 * @cpu: whose
 */
struct wait_queue_head *tring_reader_wait_queue(struct tring_buffer *buffer, int cpu)
{
	return &tring_cpu_buffer(buffer, cpu)->wait;
}

/**
 * tring_reader_wait - sleep until there is something to take
 * @buffer: the buffer
 * @cpu: whose; the caller opened it
 *
 * Comes back too when recording goes off. If there are no more than a few
 * events it gives others a tenth of a second to join them.
 *
 * Context: task, may sleep.
 * Return: 0 or -ERESTARTSYS.
 */
int tring_reader_wait(struct tring_buffer *buffer, int cpu)
{
	struct tring_cpu_buffer *cpu_buffer = tring_cpu_buffer(buffer, cpu);
	long left;
	int err;

	err = wait_event_interruptible(cpu_buffer->wait,
				       tring_reader_has_data(buffer, cpu) ||
				       !READ_ONCE(buffer->recording));
	if (err)
		return err;
	left = wait_event_interruptible_timeout(cpu_buffer->wait,
						has_packet(cpu_buffer) ||
						!READ_ONCE(buffer->recording),
						GATHER_JIFFIES);
	return left < 0 ? left : 0;
}

/**
 * tring_ring_content - count what a ring holds
 * @cpu_buffer: the ring
 * @content: filled in; exact if no writer is in
 *
 * Context: task, with tring_cpu_buffer::mutex held.
 */
void tring_ring_content(struct tring_cpu_buffer *cpu_buffer, struct tring_content *content)
{
	const struct tring_packet_header *header;
	struct tring_subbuf *subbuf;
	unsigned long i, bytes;
	u64 word;

	memset(content, 0, sizeof(*content));
	if (!cpu_buffer->allocated)
		return;
	for (i = 0; i < cpu_buffer->nr_subbufs; i++) {
		word = atomic64_read_acquire(&cpu_buffer->slots[i]);
		subbuf = &cpu_buffer->subbufs[tring_slot_index(word)];
		header = subbuf->data;
		if (tring_slot_state(word) == TRING_SLOT_DELIVERED) {
			content->events += READ_ONCE(subbuf->events);
			/* It may be overwritten meanwhile: a snapshot. */
			content->bytes += data_race(header->content_size) / 8;
		} else if (tring_slot_state(word) == TRING_SLOT_OPEN) {
			content->open_events += local_read(&subbuf->committed);
			bytes = cpu_buffer->subbuf_size - local_read(&subbuf->uncommitted);
			/* The second half of the header is not counted yet. */
			if (bytes)
				content->open_bytes += bytes + TRING_PACKET_HEADER_SIZE / 2;
		}
	}
	content->events += content->open_events;
	content->bytes += content->open_bytes;
	if (cpu_buffer->held) {
		header = cpu_buffer->held->data;
		content->events += cpu_buffer->held->events;
		content->bytes += header->content_size / 8;
	}
}

/**
 * tring_buffer_stats - read the counters of one CPU's ring
 * @buffer: the buffer
 * @cpu: which
 * @stats: filled in
 *
 * Context: task, may sleep.
 */
void tring_buffer_stats(struct tring_buffer *buffer, int cpu, struct tring_stats *stats)
{
	struct tring_cpu_buffer *cpu_buffer = tring_cpu_buffer(buffer, cpu);
	struct tring_content content;
	int reason;

	mutex_lock(&cpu_buffer->mutex);
	tring_ring_content(cpu_buffer, &content);
	stats->reserved = local_read(&cpu_buffer->reserved);
	stats->committed = local_read(&cpu_buffer->committed) + content.open_events;
	stats->discarded = local_read(&cpu_buffer->discarded);
	stats->open = stats->reserved - stats->committed - stats->discarded;
	stats->read = cpu_buffer->read;
	stats->overwritten = local_read(&cpu_buffer->overwritten);
	stats->remaining = content.events;
	stats->committed_bytes = local_read(&cpu_buffer->committed_bytes) +
				 content.open_bytes;
	stats->read_bytes = cpu_buffer->read_bytes;
	stats->overwritten_bytes = local_read(&cpu_buffer->overwritten_bytes);
	stats->remaining_bytes = content.bytes;
	stats->packets_read = cpu_buffer->packets_taken - (cpu_buffer->held ? 1 : 0);
	stats->packets_overwritten = local_read(&cpu_buffer->overwritten_packets);
	for (reason = 0; reason < TRING_REFUSALS; reason++)
		stats->refused[reason] = local_read(&cpu_buffer->refused[reason]);
	mutex_unlock(&cpu_buffer->mutex);
}
TRING_EXPORT(tring_buffer_stats);
