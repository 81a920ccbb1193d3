// SPDX-License-Identifier: GPL-2.0
/*
 * The writer's side of the ring: what ring/fast.h does not do itself to reserve.
 * A record's head is in ring/head.h; entering, closing and delivering sub-buffers
 * in subbuf.h; discarding, and leaving a packet or a memory, in ring/leave.c. Here
 * is the theory of operation of all of them.
 *
 * DOC: tring ring buffers
 *
 * Terms
 *   ring        the sub-buffers of one CPU, struct tring_cpu_buffer
 *   sub-buffer  a power-of-two number of pages; holds one packet
 *   packet      header, then records; what a reader gets
 *   record      head, then fields; what a writer reserves
 *   slot        a place in the ring; holds a sub-buffer
 *   memory      slots and sub-buffers; a ring has one at a time, and goes to
 *               another when it is resized or a snapshot is taken: see
 *               ring/switch.c, "memories"
 *   position    byte in the stream of all packets begun in a memory, 61 bits,
 *               and above them that memory's generation. Each packet takes a
 *               sub-buffer's size of it, so packet number n of a memory starts
 *               at n * size and lies in slot n % number of slots. It does not
 *               wrap: 2^61 bytes are 7 years at 10 GB/s.
 *
 * Memory
 *
 *   write --------------------------------------+
 *                                               v
 *   packet n (closed)    packet n+1 (open)
 *   +--------+-----+--+  +--------+------+------+.......+
 *   | header | recs|  |  | header | rec  | rec  |       |
 *   +--------+-----+--+  +--------+------+------+.......+
 *                   ^ the rest is committed by whoever closes
 *
 *   slots[]  -> sub-buffers, one more sub-buffer is held by the reader. To take
 *   a packet the reader exchanges the slot's sub-buffer for its own.
 *
 * Who may run
 *   Writers of a ring run on its CPU only, with preemption off. They nest:
 *   each may be interrupted at any instruction by another that reserves,
 *   commits or discards any number of records before it returns. So the writer
 *   state is accessed with unlocked instructions that are atomic against the
 *   own CPU, and needs no order but the program's. A flush counts as a writer;
 *   for a CPU that is offline another CPU flushes, with CPU hotplug locked out.
 *   Readers run anywhere, one at a time (tring_cpu_buffer::mutex).
 *
 * Reserve
 *   One loop: read the position, read the clock, read last_ts, compute where
 *   the record goes and what header it needs, move the position with a local
 *   cmpxchg. If that fails, a nested writer got in between: again. Then last_ts
 *   is saved. Who has interrupted another writer goes through that loop
 *   (tring_reserve_nested()). Who is alone takes its first turn in the fast path.
 *   Where he leaves that for the slow one, because the record enters the next packet
 *   or needs a full timestamp, what he has read is taken on if the position is still
 *   the same: last_ts and the bound are read anew, so that who came in between and
 *   took his record back is seen. These two cases are straight lines
 *   (tring_reserve_slow(), reserve_behind_last()), which change nothing before the
 *   slot is the writer's; whatever is not as they expect is the loop's. The idea of
 *   a cmpxchg over position, clock and all is LTTng's (lib_ring_buffer_reserve); so
 *   is the single last timestamp per ring.
 *
 *   A record begins where the one before it ends, at whatever byte. It always ends
 *   before its sub-buffer does, so a position on a sub-buffer's boundary says one
 *   thing only: the packet before is closed, and the next one is not entered.
 *
 *   The clock may be traced, and then each read of it moves the position and
 *   the loop would never end: ftrace's cmpxchg loop of 2024 was dropped for
 *   that. Here a writer that tries again marks the ring (TRING_NESTING_RETRY);
 *   until it is through, reservations from the very same context level are
 *   turned away and counted. A clock that traces itself so costs a bounded number
 *   of records (8 where all are fast, 36 after a flush: KUnit cases
 *   clock_traces_itself*), and the event itself gets through. Interrupts proper
 *   may still disturb it, TRING_RETRIES_MAX times.
 *
 * Timestamps
 *   A record may be compact if it is less than 2^27 ticks after the record
 *   before it. last_ts is the stamp of a record at or before the one before
 *   it: an older stamp only asks for a full timestamp too often. Two fields
 *   make the stamps of a stream monotonic even if the clock is not:
 *
 *   before_ts   stored before the position moves
 *   last_ts     stored after it moved
 *
 *   No record's stamp is later than both. A writer clamps its own to the later of
 *   both. Who has interrupted another then raises each by a local cmpxchg, and never
 *   lowers it. Who is alone in the ring just stores them, in the fast path, too.
 *   Nobody but him can lower one, and never both for one nested writer's record:
 *
 *   Race: interrupted before he stores before_ts he stores one that is older than
 *   the nested writer's. That one's is in last_ts then, and stays there, for moving
 *   the position fails. The loop raises before_ts again.
 *   Race: interrupted after he has moved the position and before he stores last_ts,
 *   he stores one that is older than the nested writer's. That one's is in
 *   before_ts, until somebody stores a stamp there that is no older. As last_ts is
 *   the stamp of his own record, which lies before the nested writer's, it fails
 *   towards a full timestamp.
 *
 *   Shown by the KUnit cases stamp_monotonic_*, and by the explorer with a clock that
 *   steps back. It finds it at once if a nested writer just stores either, or takes
 *   the fast path.
 *
 *   A record that is discarded may vanish, so last_ts must not stay its stamp:
 *   it is marked TRING_STAMP_UNKNOWN, which keeps it as a bound and makes the
 *   next record carry a full timestamp.
 *
 * Context
 *   A record says its pid only if that of the record before it is another one.
 *   last_pid is the pid of the record that lies right before the position, or
 *   TRING_PID_UNKNOWN with a token below it. Only the fast path leaves a pid
 *   out, if it has found its own there after it had read the position that it
 *   then moves. A writer that says its pid
 *
 *     stores a token, its record's position: from here on everybody says his pid
 *     moves the position
 *     replaces the token by its pid, in a local cmpxchg
 *
 *   A nested writer that came in between says his pid, too, and has left that or a
 *   token of his own: the cmpxchg fails, and last_pid stays his, or unknown.
 *   No other record that nests in between begins where ours does, not even in
 *   other memory, for the generation is part of a token: so none comes back. A
 *   discard stores a token, too, before the position goes back. If a record came
 *   behind it, it stays, as something to skip that has its pid still, as the format
 *   has it. So whatever comes in between costs the bytes of a pid, and never leads to
 *   a wrong one.
 *
 *   Race: who was interrupted before he stores his token makes last_pid unknown
 *   though a nested writer has left it right. It fails towards a pid said again.
 *   KUnit cases pid_*, and the explorer, where each context has a pid.
 *
 *   The first record of a packet goes through the slow path, as all that are not
 *   a short type with a compact timestamp and a context of one byte: it says its
 *   pid, so packets can be read one by one.
 *
 *   A ring may be told to leave all of that out. Then last_pid is never anybody's,
 *   so that each record leaves the inline path, which need not ask; and whoever it
 *   is left to adds head_bits to the record's head, which make that an unusual one.
 *   They are another's only between two grace periods, see TB(off:A).
 *
 * Sub-buffer states, in the slot word together with the packet's number
 *   FREE       nothing unread in it                      reader: from DELIVERED
 *   OPEN       the writer's, from before it is entered   writer: from FREE, or
 *                                                        from DELIVERED when
 *                                                        overwriting
 *   DELIVERED  closed, and every reserved byte committed writer: from OPEN
 *   Taken (held by the reader) is not a state of a slot: the slot is FREE, with
 *   the reader's former sub-buffer in it.
 *
 * Entering and closing a sub-buffer
 *   The sub-buffer that was entered last is at hand (current_subbuf) if its
 *   start says that the position is in it; its slot is the one before the next.
 *   Otherwise the slot is computed, which takes a division.
 *
 *   A writer that finds no room first opens the next slot, from which moment
 *   the reader keeps off; if that needs overwriting, the packet in it is lost
 *   and counted by whoever opened the slot. Then it moves the position past the
 *   new header and its own record in one cmpxchg. Whoever wins that has entered
 *   the new packet and closed the old one: it writes the first half of the new
 *   header, and the second half of the old one. Nested writers that lose find
 *   the slot open already. Nested writers that come later may fill the rest of
 *   the new packet before its header is written. What is the same in all headers
 *   of a ring is there since it got the memory, and lengths since the ring has them.
 *
 *   A flush closes without entering: the position moves to the boundary. So does
 *   a switch of memory: the position moves to the new memory's start.
 *
 * Commit and deliver
 *   Commits come in any order. Each adds to the sub-buffer's commits. The upper half
 *   of that is what is uncommitted of the bytes behind the header, less one: a record
 *   takes off its own, whoever closes the unused rest. So it gets negative exactly
 *   when the packet is closed and every record committed, and one committer sees it.
 *   The packet is entered then, too, for whoever enters has a record in it, which he
 *   does not commit or discard before. The one who sees it delivers: commits back to
 *   where they started, slot word to DELIVERED. A sub-buffer that wraps round while a commit
 *   is open in it is still OPEN: the new event is refused and counted
 *   (TRING_REFUSED_OPEN_COMMIT), in both modes.
 *
 * Discard
 *   If nothing was reserved behind the record, the position is moved back.
 *   Otherwise it becomes a record that readers skip. A packet that
 *   holds nothing but its header cannot be closed, so no empty one gets out.
 *
 * Counting
 *   An event is counted in its sub-buffer together with its bytes, so the packet's
 *   number of events is exact when it is delivered. Refused events are counted by
 *   their reason, and their sum apart. events_discarded is that, sampled inside
 *   the loop whose cmpxchg closes the packet, so it never decreases from packet
 *   to packet, in whatever order they are closed. Overwritten events are added
 *   by the reader when it takes the packet (see ring/read.c).
 *
 * Barriers
 *   TB(commit:A)  -> TB(deliver:A) -> TB(take:A)   payload before the state
 *       The release of the slot word and its acquire: if take:A reads the word
 *       from deliver:A, the reader sees all of the packet. All that was
 *       committed, was so on the CPU that delivers, in program order, which
 *       commit:A keeps the compiler to.
 *   TB(enter:A)   -> TB(take:B)                    slot word, both cmpxchg
 *       The writer's and the reader's cmpxchg of one word are totally ordered:
 *       the loser sees the winner's word. Both are full barriers, so the writer
 *       that reuses a sub-buffer which the reader gave back sees it given up,
 *       with the pages that it has now, and behind what the reader wrote there.
 *   TB(enter:B)   -> TB(take:C)                    overwritten before packets
 *       smp_wmb() and smp_rmb(): if the reader sees the number of overwritten
 *       packets it sees their events.
 *   TB(overwritten:A) -> TB(retired:A)             full barriers
 *       Either the writer that begins to overwrite sees that there is older
 *       memory, or whoever left that sees that he has begun.
 *   TB(stop:A)    -> TB(limit:A)                   full barriers
 *       Whoever lets writers in sees that the ring was stopped, or is seen.
 *   TB(wake:A)    -> TB(has_data:A)                full barriers
 *       Either the writer sees the sleeper or the sleeper sees the data.
 *   TB(enter:A)   -> TB(peek:A)                    full barrier and smp_rmb()
 *       If a peeking reader finds the slot word unchanged after it has copied
 *       the packet, nobody had written into it before the copy was made.
 *   TB(first:A)   -> TB(first:B)                   smp_wmb() and acquire
 *       A ring's first memory may come while recording is on, and so may its
 *       emptying end: the limit that lets writers in is set behind it.
 *   TB(short:A)   -> TB(deliver:A) -> TB(take:A)   length before the key
 *       smp_wmb(), and a release that passes on what it was told. A short type's
 *       length is in all headers before anybody can record the event, so the reader
 *       finds it in that of a packet with such a record.
 *   TB(off:A)     synchronize_rcu()                writers drained
 *       A writer runs with preemption off, so after a grace period no one is
 *       left that saw recording on, or a memory that was left. Before they are let
 *       in again with another clock or other head_bits there is a second one: a
 *       writer reads these before the limit that turns him away.
 *   Memory that a ring gets later, and the order of memories, are nobody's race:
 *   readers go by tring_cpu_buffer::mutex, and the position that leads a writer
 *   into new memory is moved on his own CPU.
 *
 * ABA
 *   The position only comes back to an old value when a discard takes back its
 *   record; everything read before that is as valid as it was. A generation
 *   comes back after four switches, each of which has waited for grace periods;
 *   no writer is interrupted for that long. Slot words carry
 *   39 bits of the packet's number. tring_subbuf::start is set by whoever has a
 *   record in the packet that is not committed yet, so the sub-buffer cannot have
 *   another packet before that is done. It is not set before the position is
 *   inside the packet: a current_subbuf that is a whole lap behind may point to
 *   the very sub-buffer that comes next, and the fast path must not take the
 *   boundary for a place in it.
 *
 * What is not guaranteed
 *   Order of nested records is that of their reservation, not of their probes'
 *   calls. stats of a ring that is being written need not balance.
 */

#include <linux/preempt.h>
#include <linux/string.h>

#include "compat.h"
#include "ring.h"
#include "check.h"
#include "fast.h"
#include "head.h"
#include "internal.h"
#include "position.h"
#include "subbuf.h"

static const int refusal_errno[TRING_REFUSALS] = {
	[TRING_REFUSED_NO_ROOM]		= -ENOBUFS,
	[TRING_REFUSED_OPEN_COMMIT]	= -EBUSY,
	[TRING_REFUSED_TOO_LARGE]	= -E2BIG,
	[TRING_REFUSED_RETRIES]		= -EAGAIN,
	[TRING_REFUSED_NESTED]		= -ELOOP,
	[TRING_REFUSED_STOPPED]		= -EIO,
	[TRING_REFUSED_NO_MEMORY]	= -ENOMEM,
	[TRING_REFUSED_OFF]		= -ESHUTDOWN,
};

/*
 * Move the position for a record, which always has its pid: only the fast path leaves
 * it out.
 */
static __always_inline bool claim_record(struct tring_cpu_buffer *cpu_buffer,
					 const struct tring_position *pos, bool is_alone)
{
	tring_pid_mark(cpu_buffer, pos->write);
	if (is_alone)
		return tring_claim(cpu_buffer, pos->write, pos->end, pos->stamp);
	return tring_claim_nested(cpu_buffer, pos->write, pos->end, pos->stamp);
}

/* Whatever else is in it: can a packet hold @room bytes of fields? */
static bool is_too_large(const struct tring_memory *memory, unsigned long room)
{
	return TRING_PACKET_HEADER_SIZE + TRING_RECORD_HEAD_MAX + room >= memory->subbuf_size;
}

/* The record goes behind the last one. */
static __always_inline void place_in_present(struct tring_position *pos, u64 head,
					     unsigned long room)
{
	pos->enters = false;
	pos->type = tring_stamp_is_compact(pos->stamp, pos->last, TRING_STAMP_BITS) ?
		    compact_type(head, room) : TRING_TYPE_EXTENDED;
	pos->head = head_size(pos->type, head);
	pos->begin = pos->write;
	pos->end = pos->begin + pos->head + room;
}

/*
 * The record goes behind the header of the packet that starts at @next. It is compact:
 * timestamp_begin is its own stamp.
 */
static __always_inline void
place_in_next(struct tring_position *pos, unsigned int type, unsigned long head,
	      unsigned long room, unsigned long next)
{
	pos->enters = true;
	pos->next = next;
	pos->type = type;
	pos->head = head;
	pos->begin = next + TRING_PACKET_HEADER_SIZE;
	pos->end = pos->begin + head + room;
}

/*
 * Where a record of @room bytes goes: behind the last one, or into the next
 * packet. Returns TRING_RESERVE_CLAIM, TRING_RESERVE_AGAIN or a refusal.
 */
static int place_record(struct tring_cpu_buffer *cpu_buffer, u64 head,
			unsigned long room, struct tring_position *pos)
{
	struct tring_memory *memory = pos->memory;
	unsigned long base = pos->write - pos->offset;
	unsigned int type = compact_type(head, room);

	if (is_too_large(memory, room))
		return TRING_REFUSED_TOO_LARGE;
	if (pos->offset) {
		place_in_present(pos, head, room);
		if (pos->end - base < memory->subbuf_size) {
			pos->subbuf = pos->present ?: tring_subbuf_find(memory, pos->packet);
			return pos->subbuf ? TRING_RESERVE_CLAIM : TRING_RESERVE_AGAIN;
		}
		pos->entered = pos->packet + 1;
		place_in_next(pos, type, head_size(type, head), room,
			      base + memory->subbuf_size);
	} else {
		pos->entered = pos->packet;
		place_in_next(pos, type, head_size(type, head), room, base);
	}
	return tring_subbuf_open(cpu_buffer, pos);
}

/* Count a refusal and undo what __tring_reserve() did before it. */
static noinline struct tring_reservation
refuse(struct tring_cpu_buffer *cpu_buffer, enum tring_refusal reason)
{
	if (!tring_busted(cpu_buffer, TRING_BUSTED_NO_COUNT)) {
		local_inc(&cpu_buffer->refused[reason]);
		if (reason != TRING_REFUSED_OFF)
			local_inc(&cpu_buffer->lost);
	}
	local_dec(&cpu_buffer->nesting);
	return (struct tring_reservation) { .extent = refusal_errno[reason] };
}

static enum tring_refusal why_off(struct tring_cpu_buffer *cpu_buffer)
{
	if (READ_ONCE(cpu_buffer->stopped))
		return TRING_REFUSED_STOPPED;
	if (READ_ONCE(cpu_buffer->draining) ||
	    (READ_ONCE(cpu_buffer->buffer->recording) && !READ_ONCE(cpu_buffer->memory)))
		return TRING_REFUSED_NO_MEMORY;
	return TRING_REFUSED_OFF;
}

/*
 * The same context level as a writer that is trying again: that is an event of
 * its own clock, or of an interrupt's first instructions, before the preempt
 * count knows of it. The second is lost for the sake of the first; counted.
 */
static bool nested_too_deep(struct tring_cpu_buffer *cpu_buffer)
{
	unsigned long nesting = tring_nesting(cpu_buffer);

	if (nesting % TRING_NESTING_RETRY > TRING_NESTING_MAX)
		return true;
	return nesting >= TRING_NESTING_RETRY &&
	       READ_ONCE(cpu_buffer->retry_context) == interrupt_context_level();
}

/**
 * tring_stamp_raise - save a stamp unless a later one is there
 * @cpu_buffer: the ring
 * @last: last_ts as it was read before
 * @stamp: of a record that has its place; with TRING_STAMP_UNKNOWN a bound only
 *
 * Who came between our reading and our cmpxchg of the position took his record
 * back, or we would not have our place: his stamp may be older than ours. Who
 * came behind us saw ours, and has left one that is no older. So the second
 * turn ends it at the latest.
 *
 * Context: the writer's.
 */
void tring_stamp_raise(struct tring_cpu_buffer *cpu_buffer, unsigned long last,
		       unsigned long stamp)
{
	while (local_cmpxchg(&cpu_buffer->last_ts, last, stamp) != (long)last) {
		last = local_read(&cpu_buffer->last_ts);
		if ((last & ~TRING_STAMP_UNKNOWN) >= (stamp & ~TRING_STAMP_UNKNOWN))
			return;
	}
}

/*
 * One turn of the reserve loop, with the position and the clock read: settle it,
 * find a place and move the position behind it. Returns TRING_RESERVE_CLAIM,
 * TRING_RESERVE_AGAIN or a refusal.
 */
static int try_position(struct tring_cpu_buffer *cpu_buffer, u64 head,
			unsigned long room, struct tring_position *pos)
{
	int outcome;

	settle_position(cpu_buffer, pos);
	outcome = place_record(cpu_buffer, head, room, pos);
	if (outcome == TRING_RESERVE_AGAIN)
		return outcome;
	if (outcome != TRING_RESERVE_CLAIM) {
		/* There may be room where the ring has gone to since. */
		if (local_read(&cpu_buffer->write) == (long)pos->write)
			return outcome;
		return TRING_RESERVE_AGAIN;
	}
	return claim_record(cpu_buffer, pos, false) ? TRING_RESERVE_CLAIM : TRING_RESERVE_AGAIN;
}

/*
 * What follows once the position is moved, by @is_alone as then: the record's head, and
 * the packets' headers if it enters one. Returns the record.
 */
static __always_inline struct tring_reservation
set_up_record(struct tring_cpu_buffer *cpu_buffer, const struct tring_position *pos,
	      u64 head, u32 pid, unsigned long room, bool is_usual, bool is_alone)
{
	struct tring_packet_header *header, *present;
	struct tring_reservation reservation;
	unsigned long start, begin;
	void *data;

	/*
	 * By each, since whoever has entered may have been interrupted before he
	 * came to it. Our record is open in there: nobody can have another start
	 * for it.
	 */
	start = pos->enters ? pos->next : pos->write - pos->offset;
	local_set(&pos->subbuf->start, start);
	tring_step(cpu_buffer, TRING_STEP_ENTER_STARTED);
	if (is_alone)
		tring_stamp_store(cpu_buffer, pos->stamp);
	else if (!tring_busted(cpu_buffer, TRING_BUSTED_NO_LAST_TS))
		tring_stamp_raise(cpu_buffer, pos->last, pos->stamp);
	tring_step(cpu_buffer, TRING_STEP_RESERVE_STAMPED);
	if (is_usual || !(head & TRING_HEAD_BARE))
		tring_pid_keep(cpu_buffer, pos->write, pid);
	tring_step(cpu_buffer, TRING_STEP_RESERVE_PID_KEPT);
	local_inc(&cpu_buffer->reserved);

	begin = pos->enters ? TRING_PACKET_HEADER_SIZE : pos->offset;
	/* Read once: the compiler cannot know that the stores do not change them. */
	header = pos->subbuf->data;
	data = (void *)header + begin;
	if (is_usual)
		write_usual_head(data, pos->stamp, head, pos->head, pid, room);
	else
		write_head(data, pos->stamp, pos->type, head, pid, room);
	begin_fields(data + pos->head);

	if (pos->enters && is_usual) {
		/*
		 * Whoever entered the present packet is through, as we have
		 * interrupted nobody: its header has its number.
		 */
		present = pos->present->data;
		tring_packet_enter(cpu_buffer, pos, header, present->packet_seq_num + 1);
		tring_packet_close(cpu_buffer, pos, pos->present, present);
		tring_wake_readers(cpu_buffer);
	} else if (pos->enters) {
		tring_packet_enter(cpu_buffer, pos, header,
				   pos->memory->first_packet + pos->entered);
		if (pos->offset)
			tring_packet_find_and_close(cpu_buffer, pos);
		tring_wake_readers(cpu_buffer);
	} else {
		WRITE_ONCE(cpu_buffer->current_subbuf, pos->subbuf);
		/*
		 * Whoever entered may have woken a reader for a record that he
		 * then took back: this is the first one again.
		 */
		if (begin == TRING_PACKET_HEADER_SIZE)
			tring_wake_readers(cpu_buffer);
	}
	tring_step(cpu_buffer, TRING_STEP_RESERVE_DONE);
	if (tring_busted(cpu_buffer, TRING_BUSTED_COMMIT_EARLY))
		tring_commit_bytes(cpu_buffer, pos->subbuf,
				   tring_commits(1, pos->end - pos->begin));

	reservation.subbuf = pos->subbuf;
	reservation.extent = tring_extent(begin + pos->head, pos->head, pos->head + room);
	return reservation;
}

/* No position: the fast path has not read one. */
#define POSITION_NONE	(~0UL)

/*
 * The reserve loop. What the fast path has read is the first turn's, if it has
 * read anything and the position is the same still. Who is not the first to move
 * it tries again from the start: perhaps it was the traced clock that came first.
 */
static noinline struct tring_reservation
reserve_in_turns(struct tring_cpu_buffer *cpu_buffer, u64 head, u32 pid,
		 unsigned long room, unsigned long write, u64 stamp)
{
	bool moved = write != POSITION_NONE &&
		     local_read(&cpu_buffer->write) != (long)write;
	bool is_read = write != POSITION_NONE && !moved;
	struct tring_position TRING_UNINITIALIZED pos;
	int outcome = TRING_RESERVE_AGAIN;
	bool marked = false;
	unsigned int outer = 0;
	unsigned int tries;

	if (unlikely(tring_nesting(cpu_buffer) > TRING_NESTING_MAX) &&
	    nested_too_deep(cpu_buffer))
		return refuse(cpu_buffer, TRING_REFUSED_NESTED);
	for (tries = 0; tries < TRING_RETRIES_MAX; tries++) {
		if ((moved || tries) && !marked) {
			outer = begin_retry(cpu_buffer);
			marked = true;
		}
		/* TB(first:B) limit before memory. Pairs with TB(first:A). */
		if (!smp_load_acquire(&cpu_buffer->limit)) {
			outcome = why_off(cpu_buffer);
			break;
		}
		if (is_read && !tries) {
			pos.write = write;
			pos.stamp = stamp;
		} else {
			read_position(cpu_buffer, &pos);
		}
		outcome = try_position(cpu_buffer, head, room, &pos);
		if (outcome != TRING_RESERVE_AGAIN)
			break;
	}
	if (marked)
		end_retry(cpu_buffer, outer);
	if (outcome == TRING_RESERVE_CLAIM)
		return set_up_record(cpu_buffer, &pos, head, pid, room, false, false);
	return refuse(cpu_buffer, outcome == TRING_RESERVE_AGAIN ?
				  TRING_REFUSED_RETRIES : outcome);
}

/* The record fits in, but for its timestamp. */
static noinline struct tring_reservation
reserve_behind_last(struct tring_cpu_buffer *cpu_buffer, u64 head, u32 pid,
		    unsigned long room, unsigned long write, u64 stamp)
{
	struct tring_subbuf *subbuf = READ_ONCE(cpu_buffer->current_subbuf);
	struct tring_position TRING_UNINITIALIZED pos;
	unsigned long limit;

	pos.write = write;
	pos.stamp = stamp;
	/* TB(first:B) limit before memory. Pairs with TB(first:A). */
	limit = smp_load_acquire(&cpu_buffer->limit);
	if (local_read(&cpu_buffer->write) != (long)write ||
	    !settle_at_hand(&pos, subbuf, local_read(&subbuf->start), limit))
		goto turns;
	settle_stamp(cpu_buffer, &pos);
	pos.subbuf = subbuf;
	place_in_present(&pos, head, room);
	if (likely(pos.end - write + pos.offset < pos.memory->subbuf_size) &&
	    likely(claim_record(cpu_buffer, &pos, true)))
		return set_up_record(cpu_buffer, &pos, head, pid, room, false, true);
turns:
	return reserve_in_turns(cpu_buffer, head, pid, room, write, stamp);
}

/**
 * tring_reserve_slow - what the fast path of tring_reserve() leaves
 * @cpu_buffer: this CPU's ring; preemption is off, nesting is counted
 * @head: as there
 * @pid: as there
 * @room: for the fields, at least TRING_FIELDS_MIN
 * @write: position that the fast path has read
 * @stamp: clock that it has read then
 *
 * Nearly always the record goes into the next packet: a straight line.
 *
 * Context: any.
 * Return: where the record is, or an error as tring_reserve().
 */
struct tring_reservation tring_reserve_slow(struct tring_cpu_buffer *cpu_buffer,
					    u64 head, u32 pid, unsigned long room,
					    unsigned long write, u64 stamp)
{
	struct tring_subbuf *subbuf = READ_ONCE(cpu_buffer->current_subbuf);
	/* TB(first:B) limit before memory. Pairs with TB(first:A). */
	unsigned long limit = smp_load_acquire(&cpu_buffer->limit);
	unsigned long start = local_read(&subbuf->start);
	unsigned long before = usual_head_size(head);
	unsigned long end = write + before + room - start;
	struct tring_position TRING_UNINITIALIZED pos;
	unsigned long next;

	head |= READ_ONCE(cpu_buffer->head_bits);
	if (unlikely(is_unusual(head, room) || end <= limit))
		return reserve_behind_last(cpu_buffer, head, pid, room, write, stamp);

	/* If the position has moved since, claiming it will fail. */
	pos.write = write;
	pos.stamp = stamp;
	if (unlikely(!settle_at_hand(&pos, subbuf, start, limit)))
		goto turns;
	next = start + pos.memory->subbuf_size;
	if (unlikely(end < pos.memory->subbuf_size || is_too_large(pos.memory, room)))
		goto turns;
	if (unlikely(!tring_subbuf_open_closed(cpu_buffer, &pos,
					       tring_slot_behind(pos.memory, subbuf),
					       next >> pos.memory->order)))
		goto turns;
	settle_stamp(cpu_buffer, &pos);
	place_in_next(&pos, tring_head_type(head), before, room, next);
	if (likely(claim_record(cpu_buffer, &pos, true)))
		return set_up_record(cpu_buffer, &pos, head, pid, room, true, true);
turns:
	return reserve_in_turns(cpu_buffer, head, pid, room, write, stamp);
}
TRING_EXPORT(tring_reserve_slow);

/**
 * tring_reserve_nested - tring_reserve() for who has interrupted another writer
 * @cpu_buffer: this CPU's ring; preemption is off, nesting is counted
 * @head: as there
 * @pid: as there
 * @room: for the fields, at least TRING_FIELDS_MIN
 *
 * Context: any.
 * Return: where the record is, or an error as tring_reserve().
 */
struct tring_reservation tring_reserve_nested(struct tring_cpu_buffer *cpu_buffer,
					      u64 head, u32 pid, unsigned long room)
{
	if (head & TRING_HEAD_WANTS)
		tring_short_want(cpu_buffer->buffer, tring_head_id(head));
	head |= READ_ONCE(cpu_buffer->head_bits);
	return reserve_in_turns(cpu_buffer, head, pid, room, POSITION_NONE, 0);
}
TRING_EXPORT(tring_reserve_nested);

/* The fast path of a record that says its pid; @type and @before are its own. */
static __always_inline struct tring_reservation
reserve_with_pid(struct tring_cpu_buffer *cpu_buffer, u64 head, u32 pid, unsigned long room,
		 unsigned long write, u64 stamp, unsigned int type, unsigned int before,
		 bool is_usual)
{
	struct tring_subbuf *subbuf = READ_ONCE(cpu_buffer->current_subbuf);
	unsigned long start = local_read(&subbuf->start);
	unsigned long last = local_read(&cpu_buffer->last_ts);
	unsigned long end = write + before + room;
	struct tring_reservation reservation;
	void *data;

	if (unlikely(end - start > READ_ONCE(cpu_buffer->limit) ||
		     !tring_stamp_is_compact(stamp, last, TRING_STAMP_BITS) ||
		     stamp < READ_ONCE(cpu_buffer->before_ts)))
		goto slow;
	tring_pid_mark(cpu_buffer, write);
	if (unlikely(!tring_claim(cpu_buffer, write, end, stamp)))
		goto slow;
	tring_stamp_store(cpu_buffer, stamp);
	tring_step(cpu_buffer, TRING_STEP_RESERVE_STAMPED);
	if (is_usual || !(head & TRING_HEAD_BARE))
		tring_pid_keep(cpu_buffer, write, pid);
	tring_step(cpu_buffer, TRING_STEP_RESERVE_PID_KEPT);
	local_inc(&cpu_buffer->reserved);

	data = subbuf->data + (write - start);
	if (is_usual)
		write_usual_head(data, stamp, head, before, pid, room);
	else
		write_head(data, stamp, type, head, pid, room);
	begin_fields(data + before);
	tring_step(cpu_buffer, TRING_STEP_RESERVE_DONE);
	if (tring_busted(cpu_buffer, TRING_BUSTED_COMMIT_EARLY))
		tring_commit_bytes(cpu_buffer, subbuf, tring_commits(1, before + room));
	reservation.subbuf = subbuf;
	reservation.extent = tring_extent(write - start + before, before, before + room);
	return reservation;

slow:
	return tring_reserve_slow(cpu_buffer, head, pid, room, write, stamp);
}

/* A full context or none, or an event without a short id. */
static noinline struct tring_reservation
reserve_unusual(struct tring_cpu_buffer *cpu_buffer, u64 head, u32 pid, unsigned long room,
		unsigned long write, u64 stamp)
{
	unsigned int type = compact_type(head, room);

	if (head & TRING_HEAD_WANTS)
		tring_short_want(cpu_buffer->buffer, tring_head_id(head));
	return reserve_with_pid(cpu_buffer, head, pid, room, write, stamp, type,
				head_size(type, head), false);
}

/**
 * tring_reserve_other - the fast path of a record with a longer head
 * @cpu_buffer: as tring_reserve_slow()
 * @head: as there
 * @pid: as there
 * @room: as there
 * @write: position that the fast path has read
 * @stamp: clock that it has read then
 *
 * It says its pid, and perhaps its id, flags and preempt count; or none of these, where
 * records have no context. There are too many of these for the slow path, and too few
 * for the inline one.
 *
 * Context: any.
 * Return: as tring_reserve_slow().
 */
struct tring_reservation tring_reserve_other(struct tring_cpu_buffer *cpu_buffer,
					     u64 head, u32 pid, unsigned long room,
					     unsigned long write, u64 stamp)
{
	head |= READ_ONCE(cpu_buffer->head_bits);
	if (unlikely(is_unusual(head, room)))
		return reserve_unusual(cpu_buffer, head, pid, room, write, stamp);
	return reserve_with_pid(cpu_buffer, head, pid, room, write, stamp,
				tring_head_type(head), usual_head_size(head), true);
}
TRING_EXPORT(tring_reserve_other);

/* Of a short type with a fixed length all records have that. */
static bool is_length(const struct tring_buffer *buffer, u64 key, u32 length)
{
	if (!tring_head_type(key) || key & TRING_HEAD_VARIES)
		return true;
	return max_t(u32, length, TRING_PAYLOAD_MIN) - TRING_PAYLOAD_HEAD ==
	       READ_ONCE(buffer->lengths[tring_head_type(key)]);
}

/**
 * tring_write - reserve, copy, commit
 * @buffer: where to
 * @key: of the event, as for tring_reserve()
 * @payload: starts with a struct trace_entry, whose 16-bit type is the key's id
 * @length: of @payload
 *
 * Context: any.
 * Return: as tring_reserve(); -EINVAL if it is shorter than a struct trace_entry,
 * or the event's fields have a fixed length and these have another one.
 */
int tring_write(struct tring_buffer *buffer, u64 key, const void *payload, u32 length)
{
	struct tring_record TRING_UNINITIALIZED record;
	const u8 *entry = payload;
	u32 pid;
	int err;

	if (length < TRING_PAYLOAD_HEAD || !is_length(buffer, key, length))
		return -EINVAL;
	memcpy(&pid, entry + TRING_PAYLOAD_HEAD - sizeof(pid), sizeof(pid));
	err = tring_reserve(buffer, key | tring_context(entry[2], entry[3]), pid, length,
			    &record);
	if (err)
		return err;
	memcpy(record.payload + TRING_PAYLOAD_HEAD, payload + TRING_PAYLOAD_HEAD,
	       length - TRING_PAYLOAD_HEAD);
	tring_commit(&record);
	return 0;
}
TRING_EXPORT(tring_write);
