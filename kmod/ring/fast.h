/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fast path: reserve and commit of a record that fits into the current
 * sub-buffer with a compact timestamp. Anything else is one branch away in
 * tring_reserve_slow(). Why each access is where it is stands in ring.c; the
 * step names are those of ring/test.h, the TB() labels those of ring.c.
 *
 * Costs no lock prefix, no indirect call, no division, and no cache line that
 * another CPU writes while recording.
 */
#ifndef _TRING_RING_FAST_H
#define _TRING_RING_FAST_H

#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/limits.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "compat.h"
#include "ring.h"
#include "test.h"

/* last_ts: the bound stands, but no record with that stamp precedes. */
#define TRING_STAMP_UNKNOWN	BIT(63)

/* Marks tring_cpu_buffer::nesting while a reservation is tried again. */
#define TRING_NESTING_RETRY	BIT(16)

/**
 * struct tring_reservation - what tring_reserve_slow() returns
 * @subbuf: sub-buffer of the record; NULL if it was refused
 * @extent: from tring_extent(), or the error
 *
 * Two words come back in registers. Were the record filled in through a
 * pointer, it would lie on the stack of each probe, with a stack protector.
 */
struct tring_reservation {
	struct tring_subbuf	*subbuf;
	long			extent;
};

struct tring_reservation tring_reserve_nested(struct tring_cpu_buffer *cpu_buffer,
					      u64 head, u32 pid, unsigned long room);
struct tring_reservation tring_reserve_slow(struct tring_cpu_buffer *cpu_buffer,
					    u64 head, u32 pid, unsigned long room,
					    unsigned long write, u64 stamp);
struct tring_reservation tring_reserve_other(struct tring_cpu_buffer *cpu_buffer,
					     u64 head, u32 pid, unsigned long room,
					     unsigned long write, u64 stamp);
void tring_discard_slow(struct tring_cpu_buffer *cpu_buffer, struct tring_subbuf *subbuf,
			u32 begin, u32 size);
void tring_deliver(struct tring_cpu_buffer *cpu_buffer, struct tring_subbuf *subbuf);

/* Move the position from @write; false if a nested writer came first. */
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
 * tring_claim - move the position, for who has interrupted no other writer
 * @cpu_buffer: the ring
 * @write: position that was read
 * @end: where to
 * @stamp: of the record
 *
 * Return: false if a nested writer came first.
 */
static __always_inline bool tring_claim(struct tring_cpu_buffer *cpu_buffer,
					unsigned long write, unsigned long end, u64 stamp)
{
	tring_step(cpu_buffer, TRING_STEP_RESERVE_BOUND);
	WRITE_ONCE(cpu_buffer->before_ts, stamp);
	return tring_move(cpu_buffer, write, end);
}

/**
 * tring_stamp_store - save the stamp of a record that has its place
 * @cpu_buffer: the ring
 * @stamp: of the record
 *
 * For who has interrupted no other writer: see ring.c, "Timestamps".
 */
static __always_inline void tring_stamp_store(struct tring_cpu_buffer *cpu_buffer, u64 stamp)
{
	if (!tring_busted(cpu_buffer, TRING_BUSTED_NO_LAST_TS))
		local_set(&cpu_buffer->last_ts, stamp);
}

/*
 * What marks last_pid while the record at @write finds its place: where that is,
 * its memory's generation in the lowest bits, so that it is no other's in the 256 MB
 * that come next.
 */
static __always_inline u32 tring_pid_token(unsigned long write)
{
	write = write << (64 - TRING_POSITION_BITS) | write >> TRING_POSITION_BITS;
	return (u32)write | TRING_PID_UNKNOWN;
}

/**
 * tring_pid_mark - what comes next must say its pid
 * @cpu_buffer: the ring
 * @write: the position that a record of another pid begins at, or is given up
 */
static __always_inline void tring_pid_mark(struct tring_cpu_buffer *cpu_buffer,
					   unsigned long write)
{
	if (!tring_busted(cpu_buffer, TRING_BUSTED_NO_PID_TOKEN))
		WRITE_ONCE(cpu_buffer->last_pid, tring_pid_token(write));
}

/**
 * tring_pid_keep - the record at the position's end has this pid
 * @cpu_buffer: the ring
 * @write: as in tring_pid_mark()
 * @pid: in the record, which has its place
 *
 * Unless somebody has come behind it, who then had to say his pid.
 */
static __always_inline void tring_pid_keep(struct tring_cpu_buffer *cpu_buffer,
					   unsigned long write, u32 pid)
{
	if (!tring_busted(cpu_buffer, TRING_BUSTED_NO_PID_TOKEN))
		cmpxchg_local(&cpu_buffer->last_pid, tring_pid_token(write), pid);
	else
		WRITE_ONCE(cpu_buffer->last_pid, pid);
}

/**
 * tring_commits - what is to be added to tring_subbuf::commits
 * @events: that are committed
 * @bytes: that are
 */
static __always_inline long tring_commits(unsigned int events, unsigned long bytes)
{
	return events - (bytes << TRING_COMMITS_SHIFT);
}

/* The bytes in it, or in several of them together. */
static __always_inline u32 tring_commits_bytes(long commits)
{
	return ((u32)commits - commits) >> TRING_COMMITS_SHIFT;
}

#define TRING_EXTENT_HEAD_SHIFT	24
static_assert(TRING_SUBBUF_SIZE_MAX <= BIT(TRING_EXTENT_HEAD_SHIFT));
static_assert(TRING_RECORD_HEAD_MAX < BIT(32 - TRING_EXTENT_HEAD_SHIFT));

/*
 * A record of @size bytes, of which @head are before its fields, which are
 * @fields bytes behind its sub-buffer's start. The upper half is that of its commits.
 */
static __always_inline long tring_extent(unsigned long fields, unsigned long head,
					 unsigned long size)
{
	return tring_commits(0, size) + (head << TRING_EXTENT_HEAD_SHIFT) + fields;
}

/**
 * tring_count_commits - these bytes of a sub-buffer are complete
 * @cpu_buffer: the ring
 * @subbuf: the sub-buffer
 * @commits: how many, and whether they are an event, from tring_commits()
 *
 * Everything that the caller wrote into @subbuf is visible to whoever takes it.
 *
 * Return: true exactly once a lap, for one caller, who is to deliver.
 */
static __always_inline bool
tring_count_commits(struct tring_cpu_buffer *cpu_buffer, struct tring_subbuf *subbuf,
		    long commits)
{
	bool complete;

	/*
	 * TB(commit:A) payload and headers before the count. Pairs with
	 * TB(take:A) through TB(deliver:A): whoever delivers publishes for all
	 * that committed before it on this CPU. An offline CPU's writers are
	 * ordered before whoever flushes for it by CPU hotplug.
	 */
	barrier();
	complete = local_add_negative(commits, &subbuf->commits);
	tring_step(cpu_buffer, TRING_STEP_COMMIT_COUNTED);
	return complete;
}

/**
 * tring_commit_bytes - the same, and deliver if that was all
 * @cpu_buffer: the ring
 * @subbuf: the sub-buffer
 * @commits: as there
 */
static __always_inline void
tring_commit_bytes(struct tring_cpu_buffer *cpu_buffer, struct tring_subbuf *subbuf,
		   long commits)
{
	if (unlikely(tring_count_commits(cpu_buffer, subbuf, commits)))
		tring_deliver(cpu_buffer, subbuf);
}

/* How many reservations are open, ours included; and TRING_NESTING_RETRY. */
static __always_inline unsigned long tring_nesting(struct tring_cpu_buffer *cpu_buffer)
{
	return local_read(&cpu_buffer->nesting) - TRING_NESTING_IDLE;
}

/*
 * The word and the context byte of a short record without a pid, in one store:
 * the three bytes more are fields, of which there are four at least.
 */
static __always_inline void tring_head_store(void *data, u64 stamp, u64 head)
{
#ifdef __BIG_ENDIAN
	head = (u64)tring_header_pack(stamp, tring_head_type(head), true) << 32 |
	       (u64)tring_head_context(head) << 24;
#else
	head |= tring_header_pack(stamp, 0, false);
#endif
	memcpy(data, &head, sizeof(head));
}

/**
 * __tring_reserve - tring_reserve() for who has preemption off
 * @buffer: as there, and so on
 * @head: of the record
 * @varies: its TRING_HEAD_VARIES, which a probe knows when it is compiled
 * @pid: of the record
 * @length: of the payload
 * @record: filled in
 *
 * Context: as tring_reserve(), with preemption off until the record's end.
 * Return: as tring_reserve().
 */
static __always_inline int
__tring_reserve(struct tring_buffer *buffer, u64 head, bool varies, u32 pid, u32 length,
		struct tring_record *record)
{
	u32 room = max_t(u32, length, TRING_PAYLOAD_MIN) - TRING_PAYLOAD_HEAD;
	unsigned int size = TRING_WORD_SIZE + 1 + (varies ? TRING_SHORT_LENGTH_SIZE : 0) + room;
	struct tring_reservation reservation;
	struct tring_cpu_buffer *cpu_buffer;
	unsigned long start, write, end, last;
	struct tring_subbuf *subbuf;
	unsigned long fields;
	bool is_inline;
	u32 low;
	u64 stamp;
	void *data;

	cpu_buffer = this_cpu_ptr(buffer->cpu_buffers);
	record->cpu_buffer = cpu_buffer;
	if (unlikely(!local_add_negative(1, &cpu_buffer->nesting))) {
		reservation = tring_reserve_nested(cpu_buffer, head, pid, room);
		goto reserved;
	}

	/*
	 * The position before the clock. The others may be read before it or
	 * behind: a call would have to keep them, a counter holds them up.
	 */
	write = local_read(&cpu_buffer->write);
	is_inline = tring_clock_is_inline(cpu_buffer->clock);
	if (is_inline) {
		subbuf = READ_ONCE(cpu_buffer->current_subbuf);
		last = local_read(&cpu_buffer->last_ts);
	}
	tring_step(cpu_buffer, TRING_STEP_RESERVE_READ);
	stamp = tring_ring_clock(cpu_buffer);
	tring_step(cpu_buffer, TRING_STEP_RESERVE_CLOCK);
	if (!is_inline) {
		subbuf = READ_ONCE(cpu_buffer->current_subbuf);
		last = local_read(&cpu_buffer->last_ts);
	}
	tring_step(cpu_buffer, TRING_STEP_RESERVE_AT_HAND);
	start = local_read(&subbuf->start);
	end = write + size;
	/*
	 * One comparison for: it does not fit; recording is off; the current
	 * sub-buffer is not (or not yet, or no longer) the one that the
	 * position is in.
	 */
	if (unlikely(end - start > READ_ONCE(cpu_buffer->limit)))
		goto slow;
	if (unlikely(!tring_stamp_is_compact(stamp, last, TRING_STAMP_BITS)))
		goto slow;
	/*
	 * Only this CPU writes what is read from here on. Without READ_ONCE() the
	 * compiler compares in memory; and once, as nothing else needs the values.
	 */
	barrier();
	/* data_race() for the sake of who interrupts us between load and use. */
	if (unlikely(stamp < data_race(cpu_buffer->before_ts)))
		goto slow;
	/* All that needs a longer head. data_race() as above. */
	if (unlikely((s64)head < 0 || pid != data_race(cpu_buffer->last_pid) ||
		     (varies && room > U16_MAX))) {
		reservation = tring_reserve_other(cpu_buffer, head, pid, room, write, stamp);
		goto reserved;
	}

	if (unlikely(!tring_claim(cpu_buffer, write, end, stamp)))
		goto slow;
	tring_stamp_store(cpu_buffer, stamp);
	tring_step(cpu_buffer, TRING_STEP_RESERVE_STAMPED);
	local_inc(&cpu_buffer->reserved);

	record->subbuf = subbuf;
	record->begin = write - start;
	record->commits = tring_commits(1, size);
	/* Nothing of a record is aligned: memcpy() of a constant size is a store. */
	data = subbuf->data + record->begin;
	tring_head_store(data, stamp, head);
	data += size - room;
	if (varies) {
		u16 short_room = room;

		memcpy(data - TRING_SHORT_LENGTH_SIZE, &short_room, sizeof(short_room));
	}
	if (length < TRING_PAYLOAD_MIN)
		memset(data, 0, TRING_FIELDS_MIN);
	record->payload = data - TRING_PAYLOAD_HEAD;
	tring_step(cpu_buffer, TRING_STEP_RESERVE_DONE);
	if (tring_busted(cpu_buffer, TRING_BUSTED_COMMIT_EARLY))
		tring_commit_bytes(cpu_buffer, subbuf, record->commits);
	return 0;

slow:
	reservation = tring_reserve_slow(cpu_buffer, head, pid, room, write, stamp);
reserved:
	if (!reservation.subbuf)
		return reservation.extent;
	low = reservation.extent;
	fields = low & (BIT(TRING_EXTENT_HEAD_SHIFT) - 1);
	record->subbuf = reservation.subbuf;
	record->commits = reservation.extent - low + 1;
	record->begin = fields - (low >> TRING_EXTENT_HEAD_SHIFT);
	record->payload = reservation.subbuf->data + fields - TRING_PAYLOAD_HEAD;
	return 0;
}

/**
 * tring_reserve - room for one event
 * @buffer: where to
 * @head: the event's key, from tring_buffer_add_event() or tring_event_key(), or
 *	tring_context()
 * @pid: never negative
 * @length: exact length of what ftrace would record: a struct trace_entry, which
 *	takes less room here, and fields; less than TRING_PAYLOAD_MIN is padded
 *	with zeros to that. Of an event that was added with a fixed length, that
 * @record: filled in; to be handed to tring_commit() or tring_discard() on this
 *	CPU, in the reverse order of nested reservations
 *
 * Preemption is off from a successful reservation until its end.
 *
 * Context: any, NMI included, nested in any way.
 * Return: 0, or why there is no room, each counted by its enum tring_refusal:
 * -ENOBUFS no room, -EBUSY wrapped onto an open commit, -E2BIG too large,
 * -EAGAIN retries exhausted, -ELOOP nested too deep, -EIO ring stopped,
 * -ENOMEM not allocated, -ESHUTDOWN recording is off.
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
 * __tring_commit - tring_commit() for who has used __tring_reserve()
 * @record: from there
 *
 * Context: as __tring_reserve(), on the same CPU.
 */
static __always_inline void __tring_commit(struct tring_record *record)
{
	struct tring_cpu_buffer *cpu_buffer = record->cpu_buffer;

	tring_step(cpu_buffer, TRING_STEP_COMMIT_START);
	if (!tring_busted(cpu_buffer, TRING_BUSTED_COMMIT_EARLY))
		tring_commit_bytes(cpu_buffer, record->subbuf, record->commits);
	local_dec(&cpu_buffer->nesting);
}

/**
 * tring_commit - the record's payload is complete
 * @record: from tring_reserve()
 *
 * Context: as tring_reserve(), on the same CPU.
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
 * Context: as tring_commit().
 */
static __always_inline void tring_discard(struct tring_record *record)
{
	tring_discard_slow(record->cpu_buffer, record->subbuf, record->begin,
			   tring_commits_bytes(record->commits));
	preempt_enable_notrace();
}

#endif /* _TRING_RING_FAST_H */
