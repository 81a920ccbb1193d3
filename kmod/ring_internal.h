/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of the ring share among themselves and nobody else needs.
 */
#ifndef _TRING_RING_INTERNAL_H
#define _TRING_RING_INTERNAL_H

#include "ring.h"

/**
 * struct tring_memory - the memory of one ring
 * @slots: one for each sub-buffer but the reader's; NULL if there is none
 * @subbufs: @nr_subbufs + 1 of them
 * @nr_subbufs: in the ring
 * @order: log2 of a sub-buffer's size
 */
struct tring_memory {
	atomic64_t		*slots;
	struct tring_subbuf	*subbufs;
	unsigned long		nr_subbufs;
	unsigned int		order;
};

/**
 * struct tring_content - what a ring holds that nobody has read
 * @events: committed
 * @bytes: of packets, headers included
 * @open_events: those of @events whose packet is not delivered yet
 * @open_bytes: likewise
 */
struct tring_content {
	u64 events, bytes;
	u64 open_events, open_bytes;
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
 * @packet: number of the packet that @write is in
 * @offset: of @write in it; 0 if it is not entered
 * @subbuf: sub-buffer that the record goes into
 * @entered: packet that the record enters
 * @begin: exact end of the record or header before the new one
 * @start: where the new record starts
 * @end: its exact end
 * @compact: it has a compact timestamp
 * @enters: it opens a new packet
 */
struct tring_position {
	unsigned long		write;
	unsigned long		last;
	u64			lost;
	u64			stamp;
	u64			packet;
	unsigned long		offset;
	struct tring_subbuf	*subbuf;
	u64			entered;
	unsigned long		begin;
	unsigned long		start;
	unsigned long		end;
	bool			compact;
	bool			enters;
};

/* subbuf.c APIs: */
struct tring_subbuf *tring_subbuf_find(struct tring_cpu_buffer *cpu_buffer, u64 packet);
int tring_subbuf_open(struct tring_cpu_buffer *cpu_buffer, u64 packet,
		      struct tring_subbuf **found);
void tring_packet_enter(struct tring_cpu_buffer *cpu_buffer,
			const struct tring_position *pos);
void tring_packet_close(struct tring_cpu_buffer *cpu_buffer,
			const struct tring_position *pos);

/* ring.c APIs: */
void tring_flush(struct tring_cpu_buffer *cpu_buffer);

/* ring_alloc.c APIs: */
int tring_memory_allocate(struct tring_memory *memory, int cpu, unsigned long bytes,
			  unsigned int order);
void tring_memory_free(struct tring_memory *memory);
void tring_ring_exchange_memory(struct tring_cpu_buffer *cpu_buffer,
				struct tring_memory *memory);
void tring_ring_forget(struct tring_cpu_buffer *cpu_buffer);

/* ring_config.c APIs: */
void tring_ring_update_limit(struct tring_cpu_buffer *cpu_buffer);

/* ring_read.c APIs: */
void tring_ring_content(struct tring_cpu_buffer *cpu_buffer, struct tring_content *content);

#endif /* _TRING_RING_INTERNAL_H */
