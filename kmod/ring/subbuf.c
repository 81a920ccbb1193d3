// SPDX-License-Identifier: GPL-2.0
/*
 * What of the life of a sub-buffer need not be inline: see subbuf.h.
 */

#include <linux/wait.h>

#include "compat.h"
#include "ring.h"
#include "internal.h"
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
 * tring_wake_waiting - tring_wake_readers() where somebody waits, or may
 * @cpu_buffer: the ring
 *
 * Readers that sleep get an interrupt of their own: we may be in an NMI.
 *
 * Context: the writer's.
 */
void tring_wake_waiting(struct tring_cpu_buffer *cpu_buffer)
{
	struct tring_memory *memory;
	unsigned long enough;

	/* The caller's barrier stands before it. */
	if (waitqueue_active(&cpu_buffer->wait)) {
		enough = READ_ONCE(cpu_buffer->wake_packets);
		if (!enough || atomic_read(&cpu_buffer->eager_readers) ||
		    tring_ring_unread(cpu_buffer) >= enough)
			irq_work_queue(&cpu_buffer->wake_work);
	}
	/* Writers overwrite: what lies in older memory has had its time, too. */
	if (READ_ONCE(cpu_buffer->has_retired)) {
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
	const struct tring_packet_header *header = subbuf->data;

	tring_deliver_packet(cpu_buffer, subbuf->memory, subbuf, header->content_size / 8);
	tring_wake_readers(cpu_buffer);
}
TRING_EXPORT(tring_deliver);
