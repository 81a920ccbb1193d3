/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of the ring share with each other and with the tests.
 */
#ifndef _TRING_RING_INTERNAL_H
#define _TRING_RING_INTERNAL_H

#include <linux/bug.h>
#include <linux/cpumask.h>

#include "fast.h"

/* A loop over the rings of some CPUs. */
#define tring_for_each_ring(cpu_buffer, buffer, cpus)				\
	for (unsigned int __cpu = cpumask_first(cpus);				\
	     __cpu < nr_cpu_ids && ((cpu_buffer) = tring_cpu_buffer(buffer, __cpu)); \
	     __cpu = cpumask_next(__cpu, cpus))

/*
 * A position: byte offset in the stream of packets that one memory holds, and above it
 * that memory's generation. Bit 63 is never set.
 */
#define TRING_POSITION_MASK	(BIT(TRING_POSITION_BITS) - 1)

static inline unsigned int tring_generation(unsigned long position)
{
	return (position >> TRING_POSITION_BITS) % TRING_GENERATIONS;
}

/**
 * struct tring_memory - slots and sub-buffers of one ring
 * @cpu_buffer: the ring
 * @slots: one for each sub-buffer but the spare one
 * @subbufs: @nr_subbufs + 1 sub-buffers
 * @nr_subbufs: number of slots
 * @subbuf_size: bytes of a sub-buffer
 * @order: log2 of @subbuf_size
 * @generation: of the positions in this memory
 * @first_packet: packet_seq_num of the first packet
 * @overwritten: events that writers overwrote here
 * @overwritten_packets: packets that writers overwrote here
 * @list: entry in tring_stream::memories
 * @users: the list, and each stream that holds a packet of this memory
 * @packets: number of packets begun here, once writers go on in another memory
 * @next_packet: number of the packet that a reader takes next
 * @packets_taken: number of packets that readers took
 * @spare: sub-buffer exchanged for the next packet taken; NULL while that is held
 * @sealed: no writer has a pointer into this memory
 * @arrays_size: bytes of @slots and @subbufs, which lie behind one another
 * @allocator: of these and of the packets
 * @shown: what the observer keeps of it
 *
 * Packets are numbered from 0 within a memory; slot words and positions use that number.
 */
struct tring_memory {
	struct tring_cpu_buffer	*cpu_buffer;
	atomic64_t		*slots;
	struct tring_subbuf	*subbufs;
	unsigned long		nr_subbufs;
	unsigned long		subbuf_size;
	unsigned int		order;
	unsigned int		generation;
	u64			first_packet;

	/* Writers, once a sub-buffer. */
	local_t			overwritten;
	local_t			overwritten_packets;

	/* Under tring_cpu_buffer::mutex. */
	struct list_head	list;
	unsigned int		users;
	u64			packets;
	u64			next_packet;
	u64			packets_taken;
	struct tring_subbuf	*spare;
	bool			sealed;

	size_t			arrays_size;
	const struct tring_allocator *allocator;
	struct tring_shown	*shown;
};

/* tring_subbuf::commits of a sub-buffer in which nothing is committed. */
static inline long tring_no_commits(const struct tring_memory *memory)
{
	return (memory->subbuf_size - TRING_PACKET_HEADER_SIZE - 1) << TRING_COMMITS_SHIFT;
}

/* Position at which a packet starts. */
static inline unsigned long tring_packet_position(const struct tring_memory *memory, u64 packet)
{
	return (unsigned long)memory->generation << TRING_POSITION_BITS | packet << memory->order;
}

/* Number of the packet that a position is in. */
static inline u64 tring_packet_number(const struct tring_memory *memory, unsigned long position)
{
	return (position & TRING_POSITION_MASK) >> memory->order;
}

/* Offset of a position in its packet; 0: the packet is not entered. */
static inline unsigned long tring_offset(const struct tring_memory *memory, unsigned long position)
{
	return position & (memory->subbuf_size - 1);
}

/**
 * struct tring_content - what a stream holds that no reader has taken
 * @events: committed events
 * @bytes: bytes of packets, headers included
 * @packets: delivered packets
 * @open_events: the part of @events in packets that are not delivered yet
 * @open_bytes: the part of @bytes in such packets
 * @open_packets: number of such packets, not counted in @packets
 */
struct tring_content {
	u64 events, bytes, packets;
	u64 open_events, open_bytes, open_packets;
};

/* Outcome of a turn of the reserve loop; an enum tring_refusal is >= 0. */
#define TRING_RESERVE_AGAIN	-1
#define TRING_RESERVE_CLAIM	-2

/**
 * TRING_WARN_ON - warn once about an impossible state and stop that ring
 * @cpu_buffer: the ring
 * @condition: true in the impossible state
 *
 * Context: any. A tracer must not take down the kernel that it watches.
 * Return: @condition, on which the caller gives up.
 */
#define TRING_WARN_ON(cpu_buffer, condition)				\
({									\
	bool __failed = unlikely(condition);				\
									\
	if (__failed) {							\
		tring_ring_stop(cpu_buffer);				\
		WARN_ON_ONCE(1);					\
	}								\
	__failed;							\
})

/* reserve.c */
bool tring_end_packet(struct tring_cpu_buffer *cpu_buffer, struct tring_memory *memory);

/* buffer.c */
void tring_ring_update_limit(struct tring_cpu_buffer *cpu_buffer, bool slowly);
void tring_ring_stop(struct tring_cpu_buffer *cpu_buffer);

/* drain.c */
bool tring_ring_run(struct tring_cpu_buffer *cpu_buffer, smp_call_func_t func);
void tring_ring_call(struct tring_cpu_buffer *cpu_buffer, smp_call_func_t func);
void tring_ring_answer(void *info);
void tring_ring_stop_calls(struct tring_cpu_buffer *cpu_buffer);

/* memory.c */
extern struct tring_subbuf tring_no_subbuf;
struct tring_memory *tring_memory_allocate(struct tring_cpu_buffer *cpu_buffer,
					   unsigned long bytes, unsigned int order);
void tring_memory_put(struct tring_memory *memory);
void tring_memory_empty(struct tring_memory *memory);
void tring_memory_seal(struct tring_memory *memory);
void tring_memory_return(struct tring_memory *memory, struct tring_subbuf *subbuf);
void tring_memory_content(struct tring_memory *memory, struct tring_content *content);

/* switch.c */
void tring_switch(void *info);
int tring_ring_switch(struct tring_cpu_buffer *cpu_buffer, struct tring_memory *memory);
void tring_ring_forget_subbuf(void *info);
void tring_ring_settle(struct tring_cpu_buffer *cpu_buffer, bool aside);

/* read.c */
void tring_drop_content(struct tring_stream *stream, struct tring_memory *memory);
void tring_drop_memory(struct tring_stream *stream, struct tring_memory *memory);
void tring_drop_stream(struct tring_stream *stream);
void tring_ring_flush(struct tring_cpu_buffer *cpu_buffer);
bool tring_ring_is_left_alone(const struct tring_cpu_buffer *cpu_buffer);
bool tring_drop_packet(struct tring_stream *stream, struct tring_memory *memory);
void tring_drop_held(struct tring_stream *stream);
void tring_drop_lapsed(struct tring_cpu_buffer *cpu_buffer);

/* wait.c */
void tring_wake_readers(struct tring_cpu_buffer *cpu_buffer);
void tring_ring_update_wake(struct tring_cpu_buffer *cpu_buffer);

#endif /* _TRING_RING_INTERNAL_H */
