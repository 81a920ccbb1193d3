// SPDX-License-Identifier: GPL-2.0
/*
 * What of the life of a sub-buffer need not be inline: see subbuf.h.
 */

#include <linux/wait.h>

#include "compat.h"
#include "ring.h"
#include "ring_internal.h"
#include "slot.h"
#include "subbuf.h"

/**
 * tring_subbuf_find - sub-buffer of a packet that is open
 * @memory: that the packet is in
 * @packet: its number
 *
 * Context: the writer's.
 * Return: NULL if nested writers left it meanwhile.
 */
struct tring_subbuf *tring_subbuf_find(struct tring_memory *memory, u64 packet)
{
	u64 word = atomic64_read(tring_slot_of(memory, packet));

	if (!tring_slot_has(word, packet) || tring_slot_state(word) != TRING_SLOT_OPEN)
		return NULL;
	return &memory->subbufs[tring_slot_index(word)];
}

/**
 * tring_wake_readers - wake who waits for what there is now
 * @cpu_buffer: the ring
 *
 * Readers that sleep get an interrupt of their own: we may be in an NMI.
 *
 * Context: the writer's.
 */
void tring_wake_readers(struct tring_cpu_buffer *cpu_buffer)
{
	struct tring_memory *memory;
	unsigned long enough;

	/*
	 * TB(wake:A) wq_has_sleeper() has a full barrier between the position
	 * or slot word stored before and the wait queue read in it. Pairs with
	 * TB(has_data:A).
	 */
	if (wq_has_sleeper(&cpu_buffer->wait)) {
		enough = READ_ONCE(cpu_buffer->wake_packets);
		if (!enough || atomic_read(&cpu_buffer->eager_readers) ||
		    tring_ring_unread(cpu_buffer) >= enough)
			irq_work_queue(&cpu_buffer->wake_work);
	}
	/*
	 * Writers overwrite: what lies in older memory has had its time, too.
	 * TB(overwritten:A) is the same barrier, between the count of overwritten
	 * packets and the look at older memory. Pairs with TB(retired:A): either
	 * we see that there is some, or whoever left it sees the count.
	 */
	if (unlikely(READ_ONCE(cpu_buffer->has_retired))) {
		memory = cpu_buffer->memories[tring_generation(local_read(&cpu_buffer->write))];
		if (local_read(&memory->overwritten_packets))
			irq_work_queue(&cpu_buffer->wake_work);
	}
}

/**
 * tring_deliver - hand a complete sub-buffer to the readers, and wake them
 * @cpu_buffer: the ring
 * @subbuf: entered, closed and without an open commit
 *
 * Context: the writer's.
 */
void tring_deliver(struct tring_cpu_buffer *cpu_buffer, struct tring_subbuf *subbuf)
{
	tring_deliver_packet(cpu_buffer, subbuf);
	tring_wake_readers(cpu_buffer);
}
TRING_EXPORT(tring_deliver);
