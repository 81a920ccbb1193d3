/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What tring's KUnit suites share: a small ring of one CPU with a clock that
 * the test winds, events that describe themselves, a walker that checks every
 * byte of what comes out, and the balance of events in and out.
 *
 * Checks are noted as faults and judged at the end of a case. So they may be
 * made with preemption off, and the suite of broken rings can ask for them.
 */
#ifndef _TRING_KUNIT_HELPERS_H
#define _TRING_KUNIT_HELPERS_H

#include <kunit/test.h>

#include "ring.h"
#include "ring_fast.h"

/* Attempts that a test ring remembers between two calls of ring_finish(). */
#define RING_ATTEMPTS	BIT(15)
#define RING_PEEK_MAX	(16 * PAGE_SIZE)

/* id of the events; any will do that is not TRING_ID_DISCARDED. */
#define RING_EVENT_ID	340
/* The shortest event that still describes itself. */
#define RING_EVENT_MIN	TRING_PAYLOAD_MIN

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
 * @length: of the payload
 * @fate: so far
 */
struct attempt {
	u64			oldest;
	u64			newest;
	u64			packet;
	u64			lost;
	u32			length;
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
 * @unsteady: the clock steps back: timestamps are not those of the clock
 * @taking: a take runs; another would wait for it
 * @flushing: a flush runs: no reader may be run in it
 * @switching: a switch of memory runs: neither may a reader
 * @unsettled: the memory that was left last is not settled yet
 * @peeked: room for a packet
 * @memories: that there were before
 * @attempts: of the present round, by sequence number
 * @nr_attempts: in this round
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
	bool			unsteady;
	bool			taking;
	bool			flushing;
	bool			switching;
	bool			unsettled;
	void			*peeked;
	int			memories;
	struct attempt		*attempts;
	u32			nr_attempts;
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

/**
 * struct walk - a cursor over a packet's records, and the record that it is at
 * @packet: the packet
 * @content: its content_size in bytes
 * @next: offset of the next record
 * @offset: of this one
 * @type: its type_len
 * @room: bytes of payload, as the header says
 * @stamp: rebuilt timestamp
 * @id: event id
 * @payload: of this record
 */
struct walk {
	const void	*packet;
	size_t		content;
	size_t		next;
	size_t		offset;
	unsigned int	type;
	u32		room;
	u64		stamp;
	u16		id;
	const void	*payload;
};

extern const char *const step_names[TRING_STEPS];

struct ring *ring_create_sized(struct kunit *test, unsigned long subbufs,
			       unsigned long subbuf_size);
struct ring *ring_create(struct kunit *test, unsigned long subbufs);
void ring_fault(struct ring *ring, const char *what, u64 got, u64 wanted);
u64 ring_clock(struct tring_cpu_buffer *cpu_buffer);

enum tring_refusal ring_refusal_of(int err);
int ring_reserve(struct ring *ring, u32 length, struct event *event);
void ring_commit(struct ring *ring, struct event *event);
void ring_discard(struct ring *ring, struct event *event);
int ring_write(struct ring *ring, u32 length);
void ring_fill(struct ring *ring, u32 length, unsigned int count);
void ring_flush(struct ring *ring);
unsigned long ring_offset(struct ring *ring);

int ring_take(struct ring *ring, bool flush);
int ring_take_inside(struct ring *ring, bool flush);
int ring_switch(struct ring *ring, unsigned long subbufs, unsigned long subbuf_size);
void ring_settle(struct ring *ring, bool aside);
u64 ring_peek(struct ring *ring);
void ring_drain(struct ring *ring);
void ring_check_balance(struct ring *ring);
void ring_finish(struct ring *ring);
void ring_expect_sound(struct ring *ring);

void walk_begin(struct walk *walk, const void *packet);
bool walk_next(struct walk *walk);
void ring_verify(struct ring *ring, const struct tring_packet *packet);

static inline struct ring *ring_of(struct tring_cpu_buffer *cpu_buffer)
{
	return container_of(cpu_buffer->hooks, struct ring, hooks);
}

#endif /* _TRING_KUNIT_HELPERS_H */
