// SPDX-License-Identifier: GPL-2.0
/*
 * Readers that wait. What they wait for is told from counters alone, so that
 * it can be asked in any state of the asking task, and of a ring whose memory
 * is being replaced.
 *
 * Like ftrace's, a poll() or splice() waits until a ring is as full as
 * buffer_percent says, a read() for anything at all. With 0, the default here,
 * the two are the same, and a reader that sleeps is woken by the first record
 * of a packet; else by the packet that makes it enough.
 */

#include <linux/jiffies.h>
#include <linux/minmax.h>
#include <linux/sched/signal.h>
#include <linux/wait.h>

#include "compat.h"
#include "ring.h"
#include "internal.h"

/*
 * A reader that sleeps on a nearly idle CPU lets this much gather before it
 * interrupts that CPU for a packet of a few events.
 */
#define GATHER_JIFFIES	(HZ / 10)

/* Is there a packet to take, or, of a snapshot, its end? */
static bool has_packet(struct tring_stream *stream)
{
	return READ_ONCE(stream->held) || !tring_stream_is_live(stream) ||
	       tring_ring_unread(stream->cpu_buffer);
}

/* Is there an event that is in no delivered packet? A flush brings it out. */
static bool has_open_events(struct tring_cpu_buffer *cpu_buffer)
{
	unsigned long delivered = local_read(&cpu_buffer->committed) +
				  local_read(&cpu_buffer->discarded) +
				  READ_ONCE(cpu_buffer->written_off);

	return local_read(&cpu_buffer->reserved) != delivered;
}

/**
 * tring_ring_update_wake - how many packets writers wake readers for
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
 * tring_buffer_set_percent - how full a ring must be for poll() and splice()
 * @buffer: the buffer
 * @percent: of its sub-buffers, 0 to 100; 0 means any event
 *
 * Context: task, may sleep.
 */
void tring_buffer_set_percent(struct tring_buffer *buffer, unsigned int percent)
{
	struct tring_cpu_buffer *cpu_buffer;
	int cpu;

	mutex_lock(&buffer->mutex);
	WRITE_ONCE(buffer->percent, percent);
	for_each_possible_cpu(cpu) {
		cpu_buffer = tring_cpu_buffer(buffer, cpu);
		tring_ring_update_wake(cpu_buffer);
		wake_up_all(&cpu_buffer->wait);
	}
	mutex_unlock(&buffer->mutex);
}

/**
 * tring_reader_has_data - would tring_reader_take() with flush find a packet?
 * @stream: whose; the caller opened it
 *
 * To be asked after the caller has put itself on tring_reader_wait_queue(). May
 * be wrong for a moment while writers or readers run.
 *
 * Context: any.
 */
bool tring_reader_has_data(struct tring_stream *stream)
{
	/*
	 * TB(has_data:A) on the wait queue before the state is read. Pairs with
	 * TB(wake:A).
	 */
	smp_mb();
	return has_packet(stream) || has_open_events(stream->cpu_buffer);
}

/**
 * tring_reader_has_enough - is the ring as full as buffer_percent says?
 * @stream: as in tring_reader_has_data()
 *
 * Context: any.
 */
bool tring_reader_has_enough(struct tring_stream *stream)
{
	struct tring_cpu_buffer *cpu_buffer = stream->cpu_buffer;
	unsigned long enough = READ_ONCE(cpu_buffer->wake_packets);

	if (!enough || !tring_stream_is_live(stream) || READ_ONCE(stream->held))
		return tring_reader_has_data(stream);
	/* TB(has_data:A) as above. */
	smp_mb();
	return tring_ring_unread(cpu_buffer) >= enough;
}

/**
 * tring_reader_wait_queue - where writers wake readers
 * @stream: whose
 */
struct wait_queue_head *tring_reader_wait_queue(struct tring_stream *stream)
{
	return &stream->cpu_buffer->wait;
}

/**
 * tring_reader_wait - sleep until there is something to take
 * @stream: whose; the caller opened it, and has just found nothing to take
 * @enough: wait until the ring is as full as buffer_percent says
 *
 * Comes back too when recording goes off. If there are no more than a few
 * events it gives others a tenth of a second to join them.
 *
 * Context: task, may sleep.
 * Return: 0 or -ERESTARTSYS.
 */
int tring_reader_wait(struct tring_stream *stream, bool enough)
{
	struct tring_cpu_buffer *cpu_buffer = stream->cpu_buffer;
	struct tring_buffer *buffer = cpu_buffer->buffer;
	long left;
	int err;

	/* Delivered, but behind one that is not: its writer needs a moment. */
	if (has_packet(stream) && (!enough || tring_reader_has_enough(stream))) {
		schedule_timeout_interruptible(1);
		return signal_pending(current) ? -ERESTARTSYS : 0;
	}
	if (!enough)
		atomic_inc(&cpu_buffer->eager_readers);
	err = wait_event_interruptible(cpu_buffer->wait,
				       (enough ? tring_reader_has_enough(stream) :
						 tring_reader_has_data(stream)) ||
				       !READ_ONCE(buffer->recording));
	if (!enough)
		atomic_dec(&cpu_buffer->eager_readers);
	if (err)
		return err;
	left = wait_event_interruptible_timeout(cpu_buffer->wait,
						has_packet(stream) ||
						!READ_ONCE(buffer->recording),
						GATHER_JIFFIES);
	return left < 0 ? left : 0;
}
