/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of the ring share among themselves and nobody else needs.
 */
#ifndef _TRING_RING_INTERNAL_H
#define _TRING_RING_INTERNAL_H

#include <linux/bits.h>
#include <linux/list.h>
#include <linux/smp.h>
#include <linux/types.h>

#include "ring.h"

/*
 * A position: byte offset in the stream of packets that one memory holds, and
 * above it that memory's generation. Bit 63 is never set.
 */
#define TRING_POSITION_MASK	(BIT(TRING_POSITION_BITS) - 1)

static inline unsigned int tring_generation(unsigned long position)
{
	return (position >> TRING_POSITION_BITS) % TRING_GENERATIONS;
}

/**
 * struct tring_memory - the memory of one ring, for a time
 * @cpu_buffer: the ring
 * @slots: one for each sub-buffer but the reader's
 * @subbufs: @nr_subbufs + 1 of them
 * @nr_subbufs: in the ring
 * @subbuf_size: bytes of each
 * @order: log2 of @subbuf_size
 * @last_slot: the last one of @slots
 * @lap: what a slot's word rises by when the next packet is entered there
 * @no_commits: tring_subbuf::commits of a sub-buffer in which nothing is committed
 * @generation: of positions in it
 * @serial: number that no other memory of this CPU's has or had
 * @first_packet: packet_seq_num of its first packet
 * @overwritten: events that writers overwrote here, and
 * @overwritten_packets: packets that they were in
 * @list: in tring_stream::memories
 * @packets: how many have begun in it; fixed once it is retired
 * @next_packet: number, from its first, of the packet to take next
 * @packets_taken: how many readers took
 * @spare: given for the next packet taken; NULL while one is held
 * @retired: writers have left it for another, but for open records
 * @sealed: no writer is in it any more, nor will be
 * @abandoned: in no stream any more; free it when the held packet is put
 *
 * Packets are numbered from 0 here; slot words and positions have that number.
 */
struct tring_memory {
	struct tring_cpu_buffer	*cpu_buffer;
	atomic64_t		*slots;
	struct tring_subbuf	*subbufs;
	unsigned long		nr_subbufs;
	unsigned long		subbuf_size;
	unsigned int		order;
	unsigned int		generation;
	atomic64_t		*last_slot;
	u64			lap;
	long			no_commits;
	u64			serial;
	u64			first_packet;

	/* Written by writers, once a sub-buffer. */
	local_t			overwritten;
	local_t			overwritten_packets;

	/* Under tring_cpu_buffer::mutex. */
	struct list_head	list;
	u64			packets;
	u64			next_packet;
	u64			packets_taken;
	struct tring_subbuf	*spare;
	bool			retired;
	bool			sealed;
	bool			abandoned;
};

/* Where a packet starts. */
static inline unsigned long tring_packet_position(struct tring_memory *memory, u64 packet)
{
	return (unsigned long)memory->generation << TRING_POSITION_BITS |
	       packet << memory->order;
}

/* How many packets a position has behind it that hold more than their header. */
static inline u64 tring_packets_begun(struct tring_memory *memory, unsigned long position)
{
	u64 packets = (position & TRING_POSITION_MASK) >> memory->order;

	return packets + ((position & (memory->subbuf_size - 1)) > TRING_PACKET_HEADER_SIZE);
}

/*
 * So many delivered packets of the live stream were taken or dropped, or set
 * aside. With tring_cpu_buffer::mutex held.
 */
static inline void tring_count_gone(struct tring_cpu_buffer *cpu_buffer,
				    unsigned long packets)
{
	WRITE_ONCE(cpu_buffer->packets_gone, cpu_buffer->packets_gone + packets);
}

/*
 * Packets of the live stream that are delivered and not read, for whoever
 * waits: of a moment, as the counters are read one by one.
 */
static inline unsigned long tring_ring_unread(struct tring_cpu_buffer *cpu_buffer)
{
	unsigned long gone = READ_ONCE(cpu_buffer->packets_gone) +
			     local_read(&cpu_buffer->overwritten_packets);
	unsigned long unread = local_read(&cpu_buffer->delivered_packets) - gone;

	return (long)unread > 0 ? unread : 0;
}

/**
 * struct tring_content - what a stream holds that nobody has read
 * @events: committed
 * @bytes: of packets, headers included
 * @packets: delivered and not taken
 * @open_events: those of @events whose packet is not delivered yet
 * @open_bytes: likewise
 * @open_packets: such packets, which are not among @packets
 */
struct tring_content {
	u64 events, bytes, packets;
	u64 open_events, open_bytes, open_packets;
};

/* What a turn of the reserve loop comes to; refusals are >= 0. */
#define TRING_RESERVE_AGAIN	-1
#define TRING_RESERVE_CLAIM	-2

/**
 * struct tring_position - one turn of the reserve loop: what was read, what follows
 * @write: position read
 * @last: last_ts read
 * @lost: refused events so far
 * @stamp: clock read and clamped
 * @memory: that @write is in
 * @packet: number of the packet that @write is in
 * @offset: of @write in it; 0 if it is not entered
 * @present: its sub-buffer, if it was at hand
 * @subbuf: sub-buffer that the record goes into
 * @entered: packet that the record enters
 * @next: where that starts
 * @begin: where the new record begins
 * @end: its end
 * @head: bytes of it before its fields
 * @type: its type
 * @enters: it opens a new packet
 */
struct tring_position {
	unsigned long		write;
	unsigned long		last;
	u64			lost;
	u64			stamp;
	struct tring_memory	*memory;
	u64			packet;
	unsigned long		offset;
	struct tring_subbuf	*present;
	struct tring_subbuf	*subbuf;
	u64			entered;
	unsigned long		next;
	unsigned long		begin;
	unsigned long		end;
	unsigned long		head;
	unsigned int		type;
	bool			enters;
};

/* ring/leave.c APIs: */
void tring_flush(struct tring_cpu_buffer *cpu_buffer);
bool tring_switch(struct tring_cpu_buffer *cpu_buffer, struct tring_memory *memory);

/* ring/alloc.c APIs: */
void tring_ring_first_memory(struct tring_cpu_buffer *cpu_buffer,
			     struct tring_memory *memory);

/* ring/memory.c APIs: */
extern struct tring_subbuf tring_no_subbuf;
struct tring_memory *tring_memory_allocate(struct tring_cpu_buffer *cpu_buffer,
					   unsigned long bytes, unsigned int order);
void tring_memory_free(struct tring_memory *memory);
void tring_memory_empty(struct tring_memory *memory);
void tring_memory_set_up(const struct tring_memory *memory, struct tring_subbuf *subbuf);
void tring_memory_set_length(struct tring_memory *memory, const struct tring_subbuf *held,
			     unsigned int type);
int tring_memory_renew(struct tring_memory *memory, struct tring_subbuf *subbuf);
void tring_memory_release(struct tring_memory *memory, struct tring_subbuf *subbuf);
void tring_memory_trim(struct tring_memory *memory);

/* ring/short.c APIs: */
void tring_short_init(struct tring_buffer *buffer);
void tring_short_stop(struct tring_buffer *buffer);
void tring_short_want(struct tring_buffer *buffer, u16 id);
void tring_short_forget(struct tring_buffer *buffer);

/* ring/config.c APIs: */
void tring_ring_update_limit(struct tring_cpu_buffer *cpu_buffer);
void tring_ring_limit(struct tring_cpu_buffer *cpu_buffer, unsigned long limit);

/* ring/switch.c APIs: */
void tring_ring_run(struct tring_cpu_buffer *cpu_buffer, smp_call_func_t func, void *info);
int tring_ring_switch(struct tring_cpu_buffer *cpu_buffer, struct tring_memory *memory);
void tring_forget_old_subbuf(void *info);
void tring_ring_settle(struct tring_cpu_buffer *cpu_buffer, bool aside);

/* ring/drop.c APIs: */
void tring_memory_let_go(struct tring_cpu_buffer *cpu_buffer, struct tring_memory *memory);
void tring_stream_return(struct tring_stream *stream);
void tring_drop_content(struct tring_stream *stream, struct tring_memory *memory);
void tring_drop_memory(struct tring_stream *stream, struct tring_memory *memory);
void tring_drop_stream(struct tring_stream *stream);
void tring_drop_retired(struct tring_cpu_buffer *cpu_buffer);
bool tring_drop_packet(struct tring_stream *stream, struct tring_memory *memory);
void tring_drop_held(struct tring_stream *stream);
void tring_ring_update_retired(struct tring_cpu_buffer *cpu_buffer);
void tring_ring_forget(struct tring_cpu_buffer *cpu_buffer);

/* ring/read.c APIs: */
int tring_memory_take(struct tring_stream *stream, struct tring_memory *memory,
		      struct tring_subbuf **taken);

/* ring/wait.c APIs: */
void tring_ring_update_wake(struct tring_cpu_buffer *cpu_buffer);

/* ring/stats.c APIs: */
void tring_memory_content(struct tring_memory *memory, struct tring_content *content);

#endif /* _TRING_RING_INTERNAL_H */
