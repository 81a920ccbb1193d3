/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A model of the expected content of the ring; see model.c and packets.c.
 */
#ifndef MODEL_H
#define MODEL_H

#include "shim/shim.h"
#include "ring/ring.h"
#include "explorer.h"

/* The clock of a new trace that changes its clock. */
#define OTHER_CLOCK	TRING_CLOCK_BOOT

enum fate {
	FATE_RESERVING,
	FATE_OPEN,
	FATE_COMMITTED,
	FATE_DISCARDING,
	FATE_KEPT,		/* discarded, but keeps its place */
	FATE_TAKEN_BACK,
	FATE_REFUSED,
	FATE_CALL		/* no event: a flush or a call from another CPU */
};

/**
 * struct event - an event that a writer records
 * @head: argument of tring_reserve(); no other member is derived from it
 * @pid: expected in the record
 * @id: ftrace's id of the event
 * @length: payload bytes
 * @flags: expected in the record
 * @preempt_count: expected in the record
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
 * struct attempt - the attempt of a writer to record an event, or a flush
 * @stamp: timestamp that the ring chose; see model_step()
 * @clock: clock that the writer read last
 * @first_clock: clock that the writer read first, on the fast path; 0 before
 * @begin: position that the writer moved from, or the first position of its packet
 * @end: position that the writer moved to
 * @lost_low: events refused when the writer read the position, at least
 * @lost_high: events refused when the writer read the position, at most
 * @packet: number of the packet of the record
 * @order: rank among all moves of the position; 0 before the move
 * @trace: number of the trace in which the attempt began
 * @event: the event; zeros for a flush
 * @fate: state of the attempt
 * @knows_lost: the writer has read the count of refused events, too
 * @may_be_off: recording may have been off when the attempt began
 * @may_be_emptied: a new trace may have been about to begin since the attempt began
 * @no_room: since the writer read the position, the next packet had no room once
 * @kept_open: since the writer read the position, an open record was a lap behind once
 * @is_bounded: @stamp is not later than all stamps stored in before_ts earlier
 * @is_slowed: a switch of memory kept the writer off the fast path
 * @is_of_other_clock: the clock that the writer read last is OTHER_CLOCK
 * @is_compact: a full timestamp is not justified
 * @is_pidless: writing the pid is not justified
 * @claimed: the writer has moved the position
 * @finished: the writer has returned
 * @read: a reader has read the record
 */
struct attempt {
	u64		stamp;
	u64		clock;
	u64		first_clock;
	unsigned long	begin;
	unsigned long	end;
	u32		lost_low;
	u32		lost_high;
	u32		packet;
	u32		order;
	u32		trace;
	struct event	event;
	u8		fate;
	bool		may_be_off;
	bool		may_be_emptied;
	bool		knows_lost;
	bool		no_room;
	bool		kept_open;
	bool		is_bounded;
	bool		is_slowed;
	bool		is_of_other_clock;
	bool		is_compact;
	bool		is_pidless;
	bool		claimed;
	bool		finished;
	bool		read;
};

/**
 * struct packet_model - the expected content of a packet's header
 * @begin: timestamp_begin
 * @end: timestamp_end
 * @lost_low: refused events in events_discarded, at least
 * @lost_high: refused events in events_discarded, at most
 * @content: bytes of content
 * @entered_by: attempt that entered the packet
 * @closed: the packet is closed, and all but @begin is known
 * @aside: the packet is, or was, in a snapshot
 */
struct packet_model {
	u64	begin;
	u64	end;
	u32	lost_low;
	u32	lost_high;
	u32	content;
	u32	entered_by;
	bool	closed;
	bool	aside;
};

/* What the reader of a stream has seen. */
struct stream_model {
	u32	expected;	/* number of the next packet */
	u32	last_order;
	u64	last_end;
	u64	last_discarded;
};

/* Packets are numbered from the first one on; a new trace does not begin at 0 again. */
struct model {
	/* writers */
	u32		nr_attempts;
	u32		orders;
	u32		next_packet;	/* number of the next packet entered */
	u32		packet;		/* the packet that the position is in */
	u32		trace;		/* number of traces before this one */
	u32		trace_packet;	/* first packet of the trace: its packet_seq_num is 0 */
	bool		entered;
	unsigned long	base;		/* position where @packet begins */
	unsigned long	position;
	unsigned long	size;		/* bytes of a sub-buffer */
	u32		subbufs;
	u32		first_packet;	/* first packet of the memory */
	unsigned long	next_size;	/* @size of the next memory */
	u32		next_subbufs;
	u64		max_stamp;	/* highest one stored in before_ts */
	u64		plain_stamp;	/* stamp of the last record, if @is_plain */
	u32		plain_pid;	/* pid of the last record, if @is_plain */
	bool		is_plain;	/* nothing disturbed the last record */
	u32		committed;
	u32		discarded;
	u32		refused[TRING_REFUSALS];
	u32		lost;		/* refused events of this trace, but for _OFF */
	u32		maybe_lost;	/* refused events that may count as lost, too */
	bool		may_be_off;
	bool		may_be_emptied;
	bool		may_be_stopped;
	bool		is_off;
	bool		has_other_clock; /* the trace's clock is OTHER_CLOCK */
	bool		may_overwrite;
	/* readers */
	struct stream_model streams[TRING_STREAMS];
	u32		packets_read;
	u32		read;
	/* next_packet and nr_attempts members are in use */
	struct packet_model packets[PACKETS_MAX];
	struct attempt	attempts[ATTEMPTS_MAX];
};

/* model.c */
void model_init(unsigned long size, unsigned long subbufs, bool overwrite);
void model_next_memory(unsigned long size, unsigned long subbufs);
struct packet_model *packet_of(u32 number);
int model_attempt(const struct event *event);
void model_step(int attempt, struct tring_cpu_buffer *cpu_buffer, int step);
void model_reserved(int attempt, const struct tring_packet_header *header);
void model_refused(int attempt, int err);
void model_finished(int attempt);
void model_is_off(void);

/* packets.c */
void model_payload(int attempt, u8 *payload);
void model_packet(enum tring_stream_kind kind, const void *data, size_t size,
		  unsigned long events);
unsigned long model_peek(const void *data, size_t size, bool is_exact);
unsigned long model_peek_open(const void *data, size_t size);
void model_aside(struct tring_stream *stream);
void model_may_be_emptied(bool may_be);
void model_emptied(const struct tring_memory *memory);
void model_final_loss(void);
void model_balance(struct tring_buffer *buffer, bool drained);

#endif /* MODEL_H */
