/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What tring's KUnit suites share: a small ring of one CPU with a clock that
 * the test winds, events that describe themselves, a walker that checks every
 * byte of what comes out, and the balance of events in and out.
 *
 * Checks are noted as faults and judged at the end of a case, so they may be
 * made with preemption off.
 */
#ifndef _TRING_KUNIT_HELPERS_H
#define _TRING_KUNIT_HELPERS_H

#include <kunit/test.h>

#include "ring/ring.h"
#include "ring/fast.h"
#include "walk.h"

/* Attempts that a test ring remembers between two calls of ring_finish(). */
#define RING_ATTEMPTS	BIT(15)
#define RING_PEEK_MAX	(16 * PAGE_SIZE)

/* ftrace's ids of the events. */
#define RING_VARYING_ID	340
#define RING_FIXED_ID	341	/* the first of RING_FIXED */
#define RING_LONG_ID	500	/* which has no short id */
#define RING_FIXED	8
/* The shortest event that still describes itself. */
#define RING_EVENT_MIN	TRING_PAYLOAD_MIN
/* The longest payload that fits into a sub-buffer of this size, with any head. */
#define RING_LONGEST_IN(size)	((size) - 1 - TRING_PACKET_HEADER_SIZE - TRING_RECORD_HEAD_MAX + \
				 TRING_PAYLOAD_HEAD)
/* The largest difference of timestamps that a compact one can tell. */
#define COMPACT_MAX	((1ull << TRING_STAMP_BITS) - 1)
/* Who writes, unless a test says otherwise. */
#define RING_PID	1234
/* The highest that there are. */
#define RING_PID_MAX	S32_MAX

enum attempt_fate {
	ATTEMPT_OPEN,
	ATTEMPT_REFUSED,
	ATTEMPT_DISCARDED,
	ATTEMPT_COMMITTED,
	ATTEMPT_READ
};

/**
 * struct attempt - what became of one call of ring_reserve()
 * @oldest: its timestamp is no older
 * @newest: and no newer
 * @packet: that it is in
 * @lost: events refused before it was made
 * @key: of the event
 * @place: how many got a place before; not the order of attempts, which nest
 * @begin: of the record in its packet
 * @size: of the record
 * @length: of the payload
 * @pid: who wrote it
 * @flags: that he was told to write
 * @preempt_count: likewise
 * @fate: so far
 */
struct attempt {
	u64			oldest;
	u64			newest;
	u64			packet;
	u64			lost;
	u64			key;
	u64			place;
	u32			begin;
	u32			size;
	u32			length;
	u32			pid;
	u8			flags;
	u8			preempt_count;
	enum attempt_fate	fate;
};

/**
 * struct ring - a ring under test
 * @test: the case
 * @hooks: in the ring
 * @buffer: a buffer of its own
 * @cpu_buffer: its ring on @cpu, the only one that has memory
 * @cpu: where the test is bound to
 * @now: what the clock says next
 * @tick: how far the clock goes on by itself each time that it is read
 * @clock_read: what the clock last said to the attempt that runs
 * @clock_said: what it last said to anyone
 * @varying: key of an event whose length varies, and
 * @fixed: of those that have one of the lengths in ring_fixed_lengths[]
 * @in_long_form: events are written that have no short id
 * @pid: who writes
 * @has_context: the next two are what events are written with; else they have
 *	what a byte can say, another one each time
 * @flags: of struct trace_entry
 * @preempt_count: likewise
 * @unsteady: the clock steps back: timestamps are not those of the clock
 * @taking: a take runs; another would wait for it
 * @flushing: a flush runs: no reader may be run in it
 * @switching: a switch of memory runs: neither may a reader
 * @unsettled: the memory that was left last is not settled yet
 * @peeked: room for a packet
 * @memories: that there were before
 * @attempts: of the present round, by sequence number
 * @nr_attempts: in this round
 * @places: given to events, all rounds
 * @committed: events, all rounds
 * @discarded: likewise
 * @refused: likewise, by reason
 * @read: likewise
 * @lost_earlier: committed and not read in earlier rounds
 * @packets: taken
 * @next_packet: number that the next packet has if none is overwritten
 * @gap: packets missing between those that were taken
 * @last_stamp: no later record may be older
 * @last_lost: events_discarded of the last packet
 * @last_refused: the part of it that was not overwritten
 * @last_content: content_size of the last packet, bytes
 * @last_discarded: discarded records in the last packet
 * @faults: how many things were wrong
 * @fault: the first of them
 * @got: what was found there
 * @wanted: what should have been
 * @private: the suite's
 */
struct ring {
	struct kunit		*test;
	struct tring_test_hooks	hooks;
	struct tring_buffer	*buffer;
	struct tring_cpu_buffer	*cpu_buffer;
	struct tring_stream	*stream;
	int			cpu;
	u64			now;
	u64			tick;
	u64			clock_read;
	u64			clock_said;
	u64			varying;
	u64			fixed[RING_FIXED];
	bool			in_long_form;
	u32			pid;
	bool			has_context;
	u8			flags;
	u8			preempt_count;
	bool			unsteady;
	bool			taking;
	bool			flushing;
	bool			switching;
	bool			unsettled;
	void			*peeked;
	int			memories;
	struct attempt		*attempts;
	u32			nr_attempts;
	u64			places;
	u64			committed;
	u64			discarded;
	u64			refused[TRING_REFUSALS];
	u64			read;
	u64			lost_earlier;
	u64			packets;
	u64			next_packet;
	u64			gap;
	u64			last_stamp;
	u64			last_lost;
	u64			last_refused;
	u32			last_content;
	unsigned long		last_discarded;
	unsigned long		faults;
	const char		*fault;
	u64			got;
	u64			wanted;
	void			*private;
};

/**
 * struct event - an event between ring_reserve() and its end
 * @record: the reservation
 * @sequence: number of the attempt
 * @length: of the payload
 */
struct event {
	struct tring_record	record;
	u32			sequence;
	u32			length;
};

extern const char *const step_names[TRING_STEPS];
extern const u32 ring_fixed_lengths[RING_FIXED];

struct ring *ring_create_sized(struct kunit *test, unsigned long subbufs,
			       unsigned long subbuf_size);
struct ring *ring_create(struct kunit *test, unsigned long subbufs);
void ring_fault(struct ring *ring, const char *what, u64 got, u64 wanted);
void ring_expect_equal(struct ring *ring, const char *what, u64 got, u64 wanted);
u64 ring_clock(struct tring_cpu_buffer *cpu_buffer);
void ring_forget_events(struct ring *ring);

enum tring_refusal ring_refusal_of(int err);
u64 ring_count_refused(struct ring *ring);
u64 ring_key(struct ring *ring, u32 length);
u32 ring_size(struct ring *ring, u32 length, bool has_pid);
int ring_reserve(struct ring *ring, u32 length, struct event *event);
void ring_commit(struct ring *ring, struct event *event);
void ring_discard(struct ring *ring, struct event *event);
int ring_write(struct ring *ring, u32 length);
void ring_fill(struct ring *ring, u32 length, unsigned int count);
void ring_flush(struct ring *ring);
void ring_fill_packets(struct ring *ring, u32 length);
unsigned long ring_offset(struct ring *ring);

int ring_take(struct ring *ring, bool flush);
void ring_hold(struct ring *ring, struct tring_packet *packet, struct walk *walk);
int ring_take_inside(struct ring *ring, bool flush);
int ring_switch(struct ring *ring, unsigned long subbufs, unsigned long subbuf_size);
void ring_settle(struct ring *ring, bool aside);
u64 ring_peek(struct ring *ring);
void ring_drain(struct ring *ring);
void ring_check_balance(struct ring *ring);
void ring_finish(struct ring *ring);
void ring_expect_sound(struct ring *ring);

/* verify.c APIs: */
void ring_verify(struct ring *ring, const struct tring_packet *packet);

static inline struct ring *ring_of(struct tring_cpu_buffer *cpu_buffer)
{
	return container_of(cpu_buffer->hooks, struct ring, hooks);
}

/* Fields begin with the attempt's number; this is what follows. */
static inline u8 ring_fill_byte(u32 sequence, u32 offset)
{
	return sequence * 7 + offset;
}

#endif /* _TRING_KUNIT_HELPERS_H */
