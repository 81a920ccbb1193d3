/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ring under test of tring's KUnit suites: one small ring of one CPU, a clock
 * that the test sets, events that describe themselves, a comparison of every byte
 * that comes out, and the balance of events in and out.
 *
 * A failed check is noted as a fault; ring_expect_sound() reports the first one at
 * the end of a case. So checks may run with preemption off.
 */
#ifndef _TRING_KUNIT_HELPERS_H
#define _TRING_KUNIT_HELPERS_H

#include <kunit/test.h>

#include "ring/fast.h"
#include "session/session.h"
#include "walk.h"

/* Number of attempts that a round may have; ring_finish() ends a round. */
#define RING_ATTEMPTS	BIT(15)
#define RING_PEEK_MAX	(16 * PAGE_SIZE)

/* ftrace's ids of the test's events. */
#define RING_VARYING_ID	340
#define RING_FIXED_ID	341	/* first of RING_FIXED ids */
#define RING_LONG_ID	500	/* has no short type */
#define RING_FIXED	8
/* Payload of the shortest event that can hold its sequence number. */
#define RING_EVENT_MIN	TRING_PAYLOAD_MIN
/* The longest payload that fits into a sub-buffer of this size, with any head. */
#define RING_LONGEST_IN(size)	((size) - 1 - TRING_PACKET_HEADER_SIZE - TRING_RECORD_HEAD_MAX + \
				 TRING_PAYLOAD_HEAD)
/* The largest difference to the previous timestamp that a compact one can represent. */
#define COMPACT_MAX	((1ull << TRING_STAMP_BITS) - 1)
/* The writer's pid, unless a test sets another one. */
#define RING_PID	1234
/* The highest pid. */
#define RING_PID_MAX	S32_MAX

enum attempt_fate {
	ATTEMPT_OPEN,
	ATTEMPT_REFUSED,
	ATTEMPT_DISCARDED,
	ATTEMPT_COMMITTED,
	ATTEMPT_READ
};

/**
 * struct attempt - one call of ring_reserve() and its outcome
 * @oldest: lower bound of the timestamp
 * @newest: upper bound of the timestamp
 * @packet: sequence number of the packet that holds the record
 * @lost: number of events refused before this attempt
 * @key: key of the event
 * @place: rank among the successful reservations; attempts nest, so their
 *	numbers are in another order
 * @begin: offset of the record in its packet
 * @size: size of the record in bytes
 * @length: length of the payload
 * @pid: pid that the record must have
 * @flags: flags that the record must have
 * @preempt_count: preempt count that the record must have
 * @fate: outcome so far
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
 * @test: the KUnit case
 * @hooks: clock and step hook of @cpu_buffer
 * @buffer: buffer of this test only
 * @cpu_buffer: ring of @cpu, the only one with memory
 * @stream: live stream of @cpu_buffer
 * @cpu: CPU that the test is bound to
 * @now: next value of the clock
 * @tick: increment of the clock at each read
 * @clock_read: last value that the running attempt got from the clock
 * @clock_said: last value that any attempt got from the clock
 * @varying: key of an event with a varying length
 * @fixed: keys of the events with the lengths of ring_fixed_lengths[]
 * @in_long_form: write events that have no short type
 * @pid: pid of the writer
 * @fixed_context: write events with @flags and @preempt_count; otherwise each
 *	event has another context that fits into the context byte
 * @flags: flags of struct trace_entry
 * @preempt_count: preempt count of struct trace_entry
 * @unsteady: the clock steps back, so timestamps differ from its values
 * @taking: a take is running; a second one would wait for it
 * @flushing: a flush is running; it must not be interrupted by a reader
 * @switching: a switch of memory is running; it must not be interrupted by a reader
 * @unsettled: ring_settle() is due for the memory that the ring left last
 * @peeked: room for a packet
 * @pages_before: bytes of all rings before the test
 * @attempts: attempts of this round, by sequence number
 * @nr_attempts: number of attempts in this round
 * @places: number of successful reservations, all rounds
 * @committed: number of committed events, all rounds
 * @discarded: number of discarded events, all rounds
 * @refused: number of refused events by reason, all rounds
 * @lost: number of refused events that are lost to this trace
 * @read: number of events read, all rounds
 * @unread_earlier: events that were committed and not read in earlier rounds
 * @overwritten_earlier: the part of @unread_earlier in this trace
 * @overwritten_before: events that were overwritten before this trace
 * @packets: number of packets taken
 * @next_packet: sequence number of the next packet if none is overwritten
 * @gap: number of packets missing between those that were taken, and of packets that
 *	were overwritten before this trace
 * @last_stamp: lower bound of the next timestamp
 * @last_lost: events_discarded of the last packet
 * @last_refused: part of @last_lost that was refused, not overwritten
 * @last_content: content_size of the last packet in bytes
 * @last_discarded: number of discarded records in the last packet
 * @faults: number of failed checks
 * @fault: description of the first failed check
 * @got: value that the first failed check found
 * @wanted: value that the first failed check expected
 * @private: data of the suite
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
	struct tring_key	varying;
	struct tring_key	fixed[RING_FIXED];
	bool			in_long_form;
	u32			pid;
	bool			fixed_context;
	u8			flags;
	u8			preempt_count;
	bool			unsteady;
	bool			taking;
	bool			flushing;
	bool			switching;
	bool			unsettled;
	void			*peeked;
	unsigned long		pages_before;
	struct attempt		*attempts;
	u32			nr_attempts;
	u64			places;
	u64			committed;
	u64			discarded;
	u64			refused[TRING_REFUSALS];
	u64			lost;
	u64			read;
	u64			unread_earlier;
	u64			overwritten_earlier;
	u64			overwritten_before;
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
 * struct event - an event between ring_reserve() and commit or discard
 * @record: the reservation
 * @sequence: number of the attempt
 * @length: length of the payload
 */
struct event {
	struct tring_record	record;
	u32			sequence;
	u32			length;
};

/* helpers.c APIs: */
extern const char *const step_names[TRING_STEPS];
extern const u32 ring_fixed_lengths[RING_FIXED];

struct ring *ring_create_sized(struct kunit *test, unsigned long subbufs,
			       unsigned long subbuf_size);
struct ring *ring_create(struct kunit *test, unsigned long subbufs);
void ring_fault(struct ring *ring, const char *what, u64 got, u64 wanted);
void ring_expect_equal(struct ring *ring, const char *what, u64 got, u64 wanted);
u64 ring_clock(struct tring_cpu_buffer *cpu_buffer);
void ring_forget_events(struct ring *ring);
void ring_expect_sound(struct ring *ring);

/* helpers_write.c APIs: */
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

/* helpers_read.c APIs: */
int ring_take(struct ring *ring, bool flush);
void ring_hold(struct ring *ring, struct tring_packet *packet, struct walk *walk);
unsigned int ring_pretend_other_cpu(struct ring *ring);
void ring_end_other_cpu(unsigned int depth);
int ring_take_inside(struct ring *ring, bool flush);
int ring_switch(struct ring *ring, unsigned long subbufs, unsigned long subbuf_size);
void ring_settle(struct ring *ring, bool aside);
u64 ring_peek(struct ring *ring);
u64 ring_peek_open(struct ring *ring);
void ring_drain(struct ring *ring);
void ring_check_balance(struct ring *ring);
void ring_finish(struct ring *ring);
void ring_begin_trace(struct ring *ring);

/* verify.c APIs: */
void ring_verify(struct ring *ring, const struct tring_packet *packet);

/* What a 1 in the file snapshot does. */
static inline int ring_snapshot(struct tring_buffer *buffer)
{
	int err;

	tring_buffer_lock(buffer);
	err = tring_buffer_snapshot(buffer);
	tring_buffer_unlock(buffer);
	return err;
}

/* Number of writers that are in the ring, or in a retry. */
static inline unsigned long ring_nesting(const struct ring *ring)
{
	return local_read(&ring->cpu_buffer->nesting) - TRING_NESTING_IDLE;
}

/* True until the snapshot was read to its end or dropped. */
static inline bool ring_has_snapshot(const struct ring *ring)
{
	return !list_empty(&ring->cpu_buffer->streams[TRING_SNAPSHOT].memories);
}

static inline struct ring *ring_of(struct tring_cpu_buffer *cpu_buffer)
{
	return container_of(cpu_buffer->hooks, struct ring, hooks);
}

/* Fields begin with the attempt's sequence number; these bytes follow. */
static inline u8 ring_fill_byte(u32 sequence, u32 offset)
{
	return sequence * 7 + offset;
}

#endif /* _TRING_KUNIT_HELPERS_H */
