// SPDX-License-Identifier: GPL-2.0
/*
 * Readers that wait, and writers that wake them. What a reader waits for is told from
 * counters alone, so that it can be asked in any state of the asking task, and of a ring
 * whose memory is being replaced.
 *
 * As in ftrace, poll() waits until a ring is as full as buffer_percent says, and read()
 * for any event. With 0, the default, both wait for any event, and the first record of a
 * packet wakes the reader; else the packet that fills the ring to the level does.
 */

#include <linux/jiffies.h>
#include <linux/kprobes.h>

#include "internal.h"
#include "subbuf.h"

/*
 * After the first event the reader lets this much gather, before it interrupts a nearly
 * idle CPU for a packet of a few events.
 */
#define GATHER_JIFFIES	(HZ / 10)

/* Packets of the live stream that are not read. Approximate: the counters are read one by one. */
static unsigned long ring_unread(struct tring_cpu_buffer *cpu_buffer)
{
	unsigned long gone = local_read(&cpu_buffer->packets_gone) +
			     local_read(&cpu_buffer->overwritten_packets);
	unsigned long unread = local_read(&cpu_buffer->delivered_packets) - gone;

	return (long)unread > 0 ? unread : 0;
}
NOKPROBE_SYMBOL(ring_unread);

/**
 * tring_wake_readers - wake a reader for the event or packet that there is now
 * @cpu_buffer: the ring
 *
 * The irq_work wakes it: the writer may be anywhere, in an NMI, too.
 *
 * Context: the writer's.
 */
void tring_wake_readers(struct tring_cpu_buffer *cpu_buffer)
{
	unsigned long enough;

	/*
	 * TB(wake:A) position and counters before the wait queue. Pairs with
	 * TB(has_data:A).
	 */
	smp_mb();
	/* Behind the barrier above. */
	if (likely(!waitqueue_active(&cpu_buffer->wait)))
		return;
	enough = READ_ONCE(cpu_buffer->wake_packets);
	if (!enough || atomic_read(&cpu_buffer->eager_readers) ||
	    ring_unread(cpu_buffer) >= enough)
		irq_work_queue(&cpu_buffer->wake_work);
}
NOKPROBE_SYMBOL(tring_wake_readers);

/* A packet to take; of a snapshot also its end. */
static bool has_packet(struct tring_stream *stream)
{
	return READ_ONCE(stream->held) || !tring_stream_is_live(stream) ||
	       ring_unread(stream->cpu_buffer);
}

/* An event that is in no delivered packet, where a flush brings it out. */
static bool has_open_events(struct tring_cpu_buffer *cpu_buffer)
{
	unsigned long delivered = local_read(&cpu_buffer->committed) +
				  local_read(&cpu_buffer->discarded) +
				  READ_ONCE(cpu_buffer->counted.committed);

	return local_read(&cpu_buffer->reserved) != delivered &&
	       !READ_ONCE(cpu_buffer->hangs) && !tring_ring_is_left_alone(cpu_buffer);
}

/**
 * tring_ring_update_wake - set the number of packets that wake a reader
 * @cpu_buffer: the ring
 *
 * Full is one packet less than there are sub-buffers: one is open.
 *
 * Context: task, with tring_buffer::mutex held.
 */
void tring_ring_update_wake(struct tring_cpu_buffer *cpu_buffer)
{
	unsigned int percent = READ_ONCE(cpu_buffer->buffer->percent);
	unsigned long packets = 0;

	if (percent && cpu_buffer->memory)
		packets = clamp(cpu_buffer->memory->nr_subbufs * percent / 100, 1UL,
				cpu_buffer->memory->nr_subbufs - 1);
	WRITE_ONCE(cpu_buffer->wake_packets, packets);
}

/**
 * tring_buffer_set_percent - set the fill level that wakes poll()
 * @buffer: the buffer
 * @percent: of its sub-buffers, 0 to 100; 0 means any event
 *
 * Context: task, may sleep.
 */
void tring_buffer_set_percent(struct tring_buffer *buffer, unsigned int percent)
{
	struct tring_cpu_buffer *cpu_buffer;

	mutex_lock(&buffer->mutex);
	WRITE_ONCE(buffer->percent, percent);
	tring_for_each_ring(cpu_buffer, buffer, cpu_possible_mask) {
		tring_ring_update_wake(cpu_buffer);
		wake_up_all(&cpu_buffer->wait);
	}
	mutex_unlock(&buffer->mutex);
}

/**
 * tring_reader_has_data - test whether tring_reader_take() with a flush finds a packet
 * @stream: opened by the caller
 *
 * To be asked after the caller has put itself on tring_cpu_buffer::wait. May be wrong for
 * a moment while writers or readers run.
 *
 * Context: any.
 */
bool tring_reader_has_data(struct tring_stream *stream)
{
	/* TB(has_data:A) wait queue before position and counters. Pairs with TB(wake:A). */
	smp_mb();
	return has_packet(stream) || has_open_events(stream->cpu_buffer);
}

/**
 * tring_reader_has_enough - test whether the ring is as full as buffer_percent says
 * @stream: opened by the caller
 *
 * Context: any.
 */
bool tring_reader_has_enough(struct tring_stream *stream)
{
	unsigned long enough = READ_ONCE(stream->cpu_buffer->wake_packets);

	if (!enough || !tring_stream_is_live(stream) || READ_ONCE(stream->held))
		return tring_reader_has_data(stream);
	/* TB(has_data:A) as above. */
	smp_mb();
	return ring_unread(stream->cpu_buffer) >= enough;
}

/**
 * tring_reader_is_blocked - test whether the oldest packet waits for a record in it
 * @stream: opened by the caller
 *
 * The packet is closed, so a flush does not bring it out. The commit of its last record
 * does, and wakes readers. If the writer of a record has died in its probe, no commit
 * comes: readers get no more packets of this memory, as they do not in ftrace.
 *
 * Context: task, may sleep.
 */
bool tring_reader_is_blocked(struct tring_stream *stream)
{
	struct tring_cpu_buffer *cpu_buffer = stream->cpu_buffer;
	struct tring_memory *memory;
	bool blocked = false;
	u64 word, next;

	mutex_lock(&cpu_buffer->mutex);
	memory = list_first_entry(&stream->memories, struct tring_memory, list);
	/* An older memory is read to its end, whatever is open in it. */
	if (memory == cpu_buffer->memory && !stream->held) {
		next = memory->next_packet;
		word = atomic64_read(tring_slot_of(memory, next));
		blocked = word == tring_slot_word(TRING_SLOT_OPEN, tring_slot_index(word), next) &&
			  tring_packet_number(memory, local_read(&cpu_buffer->write)) != next;
	}
	mutex_unlock(&cpu_buffer->mutex);
	return blocked;
}

/**
 * tring_reader_wait - sleep until there is something to take
 * @stream: opened by the caller, which has just found nothing to take
 *
 * Returns also when recording goes off. After a first event it gives others a tenth of a
 * second to join it.
 *
 * Context: task, may sleep.
 * Return: 0 or -ERESTARTSYS.
 */
int tring_reader_wait(struct tring_stream *stream)
{
	struct tring_cpu_buffer *cpu_buffer = stream->cpu_buffer;
	long left;
	int err;

	/* Delivered, but behind a packet that is not: its writer needs a moment. */
	if (has_packet(stream)) {
		schedule_timeout_interruptible(1);
		return 0;
	}
	atomic_inc(&cpu_buffer->eager_readers);
	err = wait_event_interruptible(cpu_buffer->wait, tring_reader_has_data(stream) ||
				       !READ_ONCE(cpu_buffer->buffer->recording));
	atomic_dec(&cpu_buffer->eager_readers);
	if (err)
		return err;
	left = wait_event_interruptible_timeout(cpu_buffer->wait,
						has_packet(stream) ||
						!READ_ONCE(cpu_buffer->buffer->recording),
						GATHER_JIFFIES);
	return left < 0 ? left : 0;
}
