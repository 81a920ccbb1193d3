/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fast path: reserve and commit of a short record that fits into the current
 * sub-buffer, by a writer that has interrupted no other. Longer heads are one branch away, in
 * tring_reserve_long(), and every other case in tring_reserve_slow(). docs/design.md explains
 * why each access stands where it stands.
 *
 * No lock prefix, no indirect call, no division, and no cache line that another CPU
 * writes while the ring records.
 */
#ifndef _TRING_RING_FAST_H
#define _TRING_RING_FAST_H

#include <linux/minmax.h>

#include "compat.h"
#include "ring.h"

/* Steps at which a test may come in between. The product has neither a hook nor a branch more. */
#ifdef TRING_KUNIT
#include "steps.h"
#else
#define tring_step(cpu_buffer, which)	do { } while (0)
#define tring_ring_clock(cpu_buffer)					\
	tring_clock_read((cpu_buffer)->clock, &(cpu_buffer)->clock_offset)
#endif

/* Flag in last_ts: a bound, but no record with that stamp precedes the position. */
#define TRING_STAMP_UNKNOWN	BIT(63)

/* Added to tring_cpu_buffer::nesting while a reservation is tried again. */
#define TRING_NESTING_RETRY	BIT(16)

/**
 * struct tring_reservation - what tring_reserve_slow() and tring_reserve_long() return
 * @subbuf: sub-buffer of the record; NULL if the reservation was refused
 * @begin: offset of the record in the packet; the negative errno of a refusal
 * @head: bytes before the fields
 *
 * Two words, which come back in registers. A struct tring_record that the slow path
 * fills in would lie on the stack of each probe, with a stack protector.
 */
struct tring_reservation {
	struct tring_subbuf	*subbuf;
	s32			begin;
	u32			head;
};

struct tring_reservation tring_reserve_slow(struct tring_cpu_buffer *cpu_buffer,
					    u64 head, u32 pid, unsigned long room);
struct tring_reservation
tring_reserve_long(struct tring_cpu_buffer *cpu_buffer, u64 head, u64 stamp, unsigned long write,
		   u32 pid, unsigned long room);
void tring_discard_slow(struct tring_cpu_buffer *cpu_buffer, struct tring_subbuf *subbuf,
			u32 begin, u32 size);
void tring_deliver(struct tring_cpu_buffer *cpu_buffer, struct tring_subbuf *subbuf);

/**
 * tring_move - move the position
 * @cpu_buffer: the ring
 * @write: position that was read
 * @end: new position
 *
 * Return: false if a nested writer has moved it.
 */
static __always_inline bool tring_move(struct tring_cpu_buffer *cpu_buffer,
				       unsigned long write, unsigned long end)
{
	tring_step(cpu_buffer, TRING_STEP_RESERVE_BEFORE);
	if (unlikely(!tring_local_try_cmpxchg(&cpu_buffer->write, write, end)))
		return false;
	tring_step(cpu_buffer, TRING_STEP_RESERVE_CLAIMED);
	return true;
}

/**
 * tring_commits - summand for tring_subbuf::commits
 * @events: committed events
 * @bytes: committed bytes
 */
static __always_inline long tring_commits(unsigned int events, unsigned long bytes)
{
	return events - (bytes << TRING_COMMITS_SHIFT);
}

/* Bytes in one such summand, or in a sum of them. */
static __always_inline u32 tring_commits_bytes(long commits)
{
	return ((u32)commits - commits) >> TRING_COMMITS_SHIFT;
}

/**
 * tring_count_commits - count complete bytes of a sub-buffer
 * @cpu_buffer: the ring
 * @subbuf: the sub-buffer
 * @commits: from tring_commits()
 *
 * A reader that takes @subbuf sees everything that the caller has written there.
 *
 * Return: true for the last committer, which delivers the packet.
 */
static __always_inline bool
tring_count_commits(struct tring_cpu_buffer *cpu_buffer, struct tring_subbuf *subbuf, long commits)
{
	bool complete;

	/*
	 * TB(commit:A) payload and headers before the count. Pairs with TB(take:A)
	 * through TB(deliver:A): the last committer publishes for all that committed
	 * before it on this CPU. CPU hotplug orders an offline CPU's writers before a
	 * flush that another CPU runs for it.
	 * Pairs with TB(peek:B), too: that copies records that are counted. The add is a
	 * full barrier but on x86, which keeps the order of stores.
	 */
	barrier();
	complete = local_add_negative(commits, &subbuf->commits);
	tring_step(cpu_buffer, TRING_STEP_COMMIT_COUNTED);
	return complete;
}

/**
 * __tring_reserve - tring_reserve() with preemption off already
 * @buffer: where the event is recorded
 * @head: the event's key and context
 * @varies: @head & TRING_HEAD_VARIES, which a probe knows at compile time
 * @pid: of the writer
 * @length: of the payload
 * @record: filled in
 *
 * Context: any; preemption stays off until the record's end.
 * Return: see tring_reserve().
 */
static __always_inline int
__tring_reserve(struct tring_buffer *buffer, u64 head, bool varies, u32 pid, u32 length,
		struct tring_record *record)
{
	u32 room = max_t(u32, length, TRING_PAYLOAD_MIN) - TRING_PAYLOAD_HEAD;
	unsigned int size = TRING_WORD_SIZE + 1 + (varies ? TRING_SHORT_LENGTH_SIZE : 0) + room;
	struct tring_reservation reservation;
	struct tring_cpu_buffer *cpu_buffer;
	unsigned long start, write, last;
	struct tring_subbuf *subbuf;
	u64 stamp;
	void *data;

	cpu_buffer = this_cpu_ptr(buffer->cpu_buffers);
	record->cpu_buffer = cpu_buffer;
	if (unlikely(!local_add_negative(1, &cpu_buffer->nesting)))
		goto slow;

	/* Invariants 4 and 6: the position before all else. */
	write = local_read(&cpu_buffer->write);
	tring_step(cpu_buffer, TRING_STEP_RESERVE_READ);
	stamp = tring_ring_clock(cpu_buffer);
	tring_step(cpu_buffer, TRING_STEP_RESERVE_CLOCK);
	subbuf = READ_ONCE(cpu_buffer->current_subbuf);
	last = local_read(&cpu_buffer->last_ts);
	tring_step(cpu_buffer, TRING_STEP_RESERVE_AT_HAND);
	start = local_read(&subbuf->start);
	/*
	 * Invariants 1 and 11. One comparison for three cases: the record does not fit; recording
	 * is off; the position is in another packet than current_subbuf's.
	 */
	if (unlikely(write + size - start > READ_ONCE(cpu_buffer->limit)))
		goto slow;
	/* Invariant 5. */
	if (unlikely(!tring_stamp_is_compact(stamp, last, TRING_STAMP_BITS)))
		goto slow;
	/*
	 * Only this CPU writes before_ts and last_pid. data_race() instead of READ_ONCE()
	 * lets the compiler compare in memory; the values are used once.
	 */
	barrier();
	/* data_race(): see above */
	if (unlikely(stamp < data_race(cpu_buffer->before_ts)))
		goto slow;
	/* data_race(): see above */
	if (unlikely(pid != data_race(cpu_buffer->last_pid) || (s64)head < 0 ||
		     (varies && room > U16_MAX))) {
		reservation = tring_reserve_long(cpu_buffer, head, stamp, write, pid, room);
		goto reserved;
	}

	/* Invariant 4: one bound before the position, one behind it. Invariant 2: the cmpxchg. */
	tring_step(cpu_buffer, TRING_STEP_RESERVE_BOUND);
	WRITE_ONCE(cpu_buffer->before_ts, stamp);
	if (unlikely(!tring_move(cpu_buffer, write, write + size)))
		goto slow;
	local_set(&cpu_buffer->last_ts, stamp);
	tring_step(cpu_buffer, TRING_STEP_RESERVE_STAMPED);
	local_inc(&cpu_buffer->reserved);

	record->subbuf = subbuf;
	record->begin = write - start;
	record->commits = tring_commits(1, size);
	data = tring_head_store(subbuf->data + record->begin, stamp, head, varies, NULL, room);
	if (length < TRING_PAYLOAD_MIN)
		memset(data, 0, TRING_FIELDS_MIN);
	record->payload = data - TRING_PAYLOAD_HEAD;
	tring_step(cpu_buffer, TRING_STEP_RESERVE_DONE);
	return 0;

slow:
	reservation = tring_reserve_slow(cpu_buffer, head, pid, room);
reserved:
	if (!reservation.subbuf)
		return reservation.begin;
	record->subbuf = reservation.subbuf;
	record->begin = reservation.begin;
	record->commits = tring_commits(1, reservation.head + room);
	record->payload = reservation.subbuf->data + reservation.begin + reservation.head -
			  TRING_PAYLOAD_HEAD;
	return 0;
}

/**
 * tring_reserve - reserve room for one event
 * @buffer: where the event is recorded
 * @head: the event's key, tring_key::head or tring_event_key(), or'ed with
 *	tring_context()
 * @pid: of the writer, never negative
 * @length: exact length of what ftrace would record: a struct trace_entry and the fields.
 *	Less than TRING_PAYLOAD_MIN is padded with zeros. An event that was added with a
 *	fixed length has that length
 * @record: filled in; to be handed to tring_commit() or tring_discard() on this CPU, in
 *	the reverse order of nested reservations
 *
 * A successful reservation disables preemption until the record's end.
 *
 * Context: any, NMI included, nested in any way.
 * Return: 0 or the reason of the refusal, which is counted: -ENOBUFS no room, -EBUSY
 * wrapped onto an open commit, -E2BIG too large, -EAGAIN retries exhausted, -ELOOP nested
 * too deep, -EIO ring stopped, -ENOMEM no sub-buffers, -ESHUTDOWN recording is off.
 */
static __always_inline int
tring_reserve(struct tring_buffer *buffer, u64 head, u32 pid, u32 length,
	      struct tring_record *record)
{
	int err;

	preempt_disable_notrace();
	err = __tring_reserve(buffer, head, head & TRING_HEAD_VARIES, pid, length, record);
	if (unlikely(err))
		preempt_enable_notrace();
	return err;
}

/**
 * __tring_commit - tring_commit() that leaves preemption off
 * @record: from __tring_reserve()
 *
 * Context: any, on the CPU of the reservation.
 */
static __always_inline void __tring_commit(struct tring_record *record)
{
	struct tring_cpu_buffer *cpu_buffer = record->cpu_buffer;

	tring_step(cpu_buffer, TRING_STEP_COMMIT_START);
	if (unlikely(tring_count_commits(cpu_buffer, record->subbuf, record->commits)))
		tring_deliver(cpu_buffer, record->subbuf);
	local_dec(&cpu_buffer->nesting);
}

/**
 * tring_commit - the record's payload is complete
 * @record: from tring_reserve()
 *
 * Context: any, on the CPU of the reservation.
 */
static __always_inline void tring_commit(struct tring_record *record)
{
	__tring_commit(record);
	preempt_enable_notrace();
}

/**
 * tring_discard - give a reservation up
 * @record: from tring_reserve()
 *
 * Context: any, on the CPU of the reservation.
 */
static __always_inline void tring_discard(struct tring_record *record)
{
	tring_discard_slow(record->cpu_buffer, record->subbuf, record->begin,
			   tring_commits_bytes(record->commits));
	preempt_enable_notrace();
}

#endif /* _TRING_RING_FAST_H */
