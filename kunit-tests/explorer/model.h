/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What should be in the ring, by what each writer was told: see model.c.
 */
#ifndef MODEL_H
#define MODEL_H

#include "shim/shim.h"
#include "ring/ring.h"
#include "explorer.h"

enum fate {
	FATE_RESERVING,
	FATE_OPEN,
	FATE_COMMITTED,
	FATE_DISCARDING,
	FATE_KEPT,		/* discarded, but its place is not free */
	FATE_TAKEN_BACK,
	FATE_REFUSED,
	FATE_CALL		/* no event: a flush or another call */
};

/**
 * struct event - what a writer wants to record
 * @head: as tring_reserve() is told it, from which the others are not taken
 * @pid: of the context
 * @id: ftrace's
 * @length: of the payload
 * @flags: of the context
 * @preempt_count: of the context
 */
struct event {
	u64		head;
	u32		pid;
	u16		id;
	u16		length;
	u8		flags;
	u8		preempt_count;
};

/**
 * struct attempt - of a writer to write an event, or of a flush
 * @stamp: that the ring chose; see model_step()
 * @clock: that it read last
 * @begin: position that it moved from, or the first one in its packet
 * @end: position that it moved to
 * @lost_low: events refused when it read the position, at least
 * @lost_high: at most
 * @packet: sequence number of the packet that it is in
 * @order: of its claim among all; 0 if it has none
 * @event: what it is about; zeros for a flush
 * @fate: so far
 * @knows_lost: it has read the refused events, too
 * @may_be_off: recording may have been off when it began
 * @may_be_emptied: the ring may have been about to be emptied then
 * @no_room: since it read the position there was a moment without room
 * @kept_open: likewise with an open record a lap behind
 * @was_no_room: the same before it read the position last
 * @was_kept_open: likewise
 * @is_bounded: @stamp is no later than what others announced before
 * @is_compact: there is no reason for a full timestamp
 * @is_pidless: there is none to say the pid
 * @claimed: it has moved the position
 * @finished: its writer has returned
 * @read: a reader got it
 */
struct attempt {
	u64		stamp;
	u64		clock;
	unsigned long	begin;
	unsigned long	end;
	u32		lost_low;
	u32		lost_high;
	u32		packet;
	u32		order;
	struct event	event;
	u8		fate;
	bool		may_be_off;
	bool		may_be_emptied;
	bool		knows_lost;
	bool		no_room;
	bool		kept_open;
	bool		was_no_room;
	bool		was_kept_open;
	bool		is_bounded;
	bool		is_compact;
	bool		is_pidless;
	bool		claimed;
	bool		finished;
	bool		read;
};

/**
 * struct packet_model - a packet as it should be
 * @begin: timestamp
 * @end: timestamp
 * @lost_low: refused events that its header counts, at least
 * @lost_high: at most
 * @content: bytes
 * @closed: the three before are known
 * @aside: it is, or was, in a snapshot
 */
struct packet_model {
	u64	begin;
	u64	end;
	u32	lost_low;
	u32	lost_high;
	u32	content;
	bool	closed;
	bool	aside;
};

/* What a stream's reader has seen. */
struct stream_model {
	u32	expected;	/* number of the next packet */
	u32	last_order;
	u64	last_end;
	u64	last_discarded;
};

struct model {
	/* writers */
	u32		nr_attempts;
	u32		orders;
	u32		next_packet;	/* number of the next one entered */
	u32		packet;		/* that the position is in */
	bool		entered;
	unsigned long	base;		/* position where that begins */
	unsigned long	position;
	unsigned long	size;		/* of a sub-buffer */
	u32		subbufs;
	u32		first_packet;	/* of the memory */
	unsigned long	next_size;	/* of the memory after this */
	u32		next_subbufs;
	u64		max_stamp;	/* that a writer announced */
	u64		plain_stamp;	/* of the last record, see model_finished() */
	u32		plain_pid;	/* likewise */
	bool		is_plain;
	u32		committed;
	u32		discarded;
	u32		refused[TRING_REFUSALS];
	u32		lost;		/* of these, the losses */
	bool		may_be_off;
	bool		may_be_emptied;
	bool		is_off;
	bool		may_overwrite;
	/* readers */
	struct stream_model streams[TRING_STREAMS];
	u32		packets_read;
	u32		read;
	/* the rest is used as far as counted above */
	struct packet_model packets[PACKETS_MAX];
	struct attempt	attempts[ATTEMPTS_MAX];
};

void model_init(unsigned long size, unsigned long subbufs, bool overwrite);
void model_next_memory(unsigned long size, unsigned long subbufs);
void model_aside(struct tring_stream *stream);
int model_attempt(const struct event *event);
void model_reserved(int attempt);
void model_finished(int attempt);
void model_refused(int attempt, int err);
void model_payload(int attempt, u8 *payload);
void model_packet(enum tring_stream_kind kind, const void *data, size_t size,
		  unsigned long events);
void model_peek(const void *data, size_t size);
void model_is_off(void);
void model_final_loss(void);
void model_balance(struct tring_buffer *buffer, bool drained);
void model_step(int attempt, struct tring_cpu_buffer *cpu_buffer, int step);

#endif /* MODEL_H */
