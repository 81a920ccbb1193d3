// SPDX-License-Identifier: GPL-2.0
/*
 * The writer's side of the ring: what ring_fast.h does not do itself. Entering,
 * closing and delivering sub-buffers is in subbuf.h. Here is the theory of
 * operation of both.
 *
 * DOC: tring ring buffers
 *
 * Terms
 *   ring        the sub-buffers of one CPU, struct tring_cpu_buffer
 *   sub-buffer  a power-of-two number of pages; holds one packet
 *   packet      header, then records; what a reader gets
 *   record      header, then payload; what a writer reserves
 *   slot        a place in the ring; holds a sub-buffer
 *   memory      slots and sub-buffers; a ring has one at a time, and goes to
 *               another when it is resized or a snapshot is taken: see
 *               ring_switch.c, "memories"
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
 *   is saved. The first turn is the fast path. Where that leaves it for the slow
 *   one, because the record enters the next packet or needs a full timestamp,
 *   what it has read is taken on if the position is still the same: last_ts and
 *   the bound are read anew, so that who came in between and took his record
 *   back is seen. These two cases are straight lines (tring_reserve_slow(),
 *   reserve_behind_last()), which change nothing before the slot is the
 *   writer's; whatever is not as they expect is the loop's. The idea of a
 *   cmpxchg over position, clock and all is LTTng's (lib_ring_buffer_reserve); so
 *   is the single last timestamp per ring.
 *
 *   The position keeps the exact, unrounded end of the last record; the next
 *   record starts at the next multiple of 4, and the bytes skipped count as its
 *   own. A record always ends before its sub-buffer does, so a position on a
 *   sub-buffer's boundary says one thing only: the packet before is closed, and
 *   the next one is not entered.
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
 *   last_ts     raised after it moved, by a local cmpxchg: a nested writer that
 *               came behind us has left a later stamp, which stays; one that
 *               came before us and took its record back an older one, which
 *               does not
 *
 *   A writer clamps its stamp to the later of both. It sees every record that
 *   precedes its own: if that record's writer has finished, in last_ts; if it
 *   was interrupted between the two stores, in before_ts.
 *
 *   Race: a writer that was interrupted just before it stores before_ts then
 *   stores a value older than a nested writer's. It fails towards a lower
 *   before_ts; but that nested writer is in last_ts, or it took its record
 *   back, and the late one's cmpxchg fails if a record came in between. Shown
 *   by the KUnit cases stamp_monotonic_*.
 *
 *   A record that is discarded may vanish, so last_ts must not stay its stamp:
 *   it is marked TRING_STAMP_UNKNOWN, which keeps it as a bound and makes the
 *   next record carry a full timestamp.
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
 *   of a ring is there since it got the memory.
 *
 *   A flush closes without entering: the position moves to the boundary. So does
 *   a switch of memory: the position moves to the new memory's start.
 *
 * Commit and deliver
 *   Commits come in any order. Each takes its bytes off the sub-buffer's count
 *   of what is uncommitted, which starts at the sub-buffer's size: a record its
 *   own, whoever enters 32 for the first half of the header, whoever closes 32
 *   for the second half and the unused rest. So the count is zero exactly when
 *   the packet is entered, closed and every record committed, and one committer
 *   sees it. That one delivers: count back to the full size, slot word to
 *   DELIVERED. A sub-buffer that wraps round while a commit
 *   is open in it is still OPEN: the new event is refused and counted
 *   (TRING_REFUSED_OPEN_COMMIT), in both modes.
 *
 * Discard
 *   If nothing was reserved behind the record, the position is moved back.
 *   Otherwise it becomes a record of id 0 that readers skip. A packet that
 *   holds nothing but its header cannot be closed, so no empty one gets out.
 *
 * Counting
 *   An event is counted in its sub-buffer before its bytes are, so the packet's
 *   number of events is exact when it is delivered. Refused events are counted by
 *   their reason, and their sum apart. events_discarded is that, sampled inside
 *   the loop whose cmpxchg closes the packet, so it never decreases from packet
 *   to packet, in whatever order they are closed. Overwritten events are added
 *   by the reader when it takes the packet (see ring_read.c).
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
 *   TB(off:A)     synchronize_rcu()                writers drained
 *       A writer runs with preemption off, so after a grace period no one is
 *       left that saw recording on, or a memory that was left.
 *   Memory that a ring gets later, and the order of memories, are nobody's race:
 *   readers go by tring_cpu_buffer::mutex, and the position that leads a writer
 *   into new memory is moved on his own CPU.
 *
 * ABA
 *   The position only comes back to an old value when a discard takes back its
 *   record; everything read before that is as valid as it was. A generation
 *   comes back after four switches, each of which has waited for grace periods;
 *   no writer is interrupted for that long. Slot words carry
 *   39 bits of the packet's number. tring_subbuf::start is set by a cmpxchg from
 *   a value that was read while the slot was known not to be in use yet, so a
 *   writer that was interrupted before it cannot overwrite a later packet's.
 *   Until the position is inside the packet it is marked TRING_START_UNENTERED:
 *   a current_subbuf that is a whole lap behind may point to the very
 *   sub-buffer that comes next, and the fast path must not take the boundary
 *   for a place in it.
 *
 * What is not guaranteed
 *   Order of nested records is that of their reservation, not of their probes'
 *   calls. stats of a ring that is being written need not balance. Bytes that
 *   alignment skips between records are not cleared.
 */

#include <linux/preempt.h>
#include <linux/string.h>

#include "compat.h"
#include "ring.h"
#include "ring_check.h"
#include "ring_fast.h"
#include "ring_internal.h"
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
 * Nearly always the position is where the last writer was. Returns false if it
 * is not in @subbuf, which begins at @start, or if recording is off.
 */
static __always_inline bool
settle_at_hand(struct tring_cpu_buffer *cpu_buffer, struct tring_position *pos,
	       struct tring_subbuf *subbuf, unsigned long start)
{
	pos->offset = pos->write - start;
	/* TB(first:B) limit before memory. Pairs with TB(first:A). */
	if (unlikely(pos->offset - 1 >= smp_load_acquire(&cpu_buffer->limit)))
		return false;
	pos->present = subbuf;
	pos->memory = subbuf->memory;
	pos->packet = (pos->write & TRING_POSITION_MASK) >> pos->memory->order;
	return true;
}

/* What is read after the position and the clock, and the stamp that follows. */
static __always_inline void
settle_stamp(struct tring_cpu_buffer *cpu_buffer, struct tring_position *pos)
{
	u64 bound;

	pos->last = local_read(&cpu_buffer->last_ts);
	pos->lost = local_read(&cpu_buffer->lost);
	bound = max_t(u64, pos->last & ~TRING_STAMP_UNKNOWN,
		      READ_ONCE(cpu_buffer->before_ts));
	if (pos->stamp < bound && !tring_busted(cpu_buffer, TRING_BUSTED_NO_CLAMP))
		pos->stamp = bound;
}

/* Both, wherever the position is. */
static void settle_position(struct tring_cpu_buffer *cpu_buffer, struct tring_position *pos)
{
	struct tring_subbuf *subbuf = READ_ONCE(cpu_buffer->current_subbuf);

	settle_stamp(cpu_buffer, pos);
	if (settle_at_hand(cpu_buffer, pos, subbuf, local_read(&subbuf->start)))
		return;
	pos->present = NULL;
	pos->memory = cpu_buffer->memories[tring_generation(pos->write)];
	pos->offset = pos->write & (pos->memory->subbuf_size - 1);
	pos->packet = (pos->write & TRING_POSITION_MASK) >> pos->memory->order;
}

/*
 * Everything that must be read before the position may move. The order counts:
 * the clock after the position, so that no record before ours is younger than
 * our stamp but for a clock that steps back, which the bound takes care of.
 */
static void read_position(struct tring_cpu_buffer *cpu_buffer, struct tring_position *pos)
{
	pos->write = local_read(&cpu_buffer->write);
	tring_step(cpu_buffer, TRING_STEP_RESERVE_READ);
	pos->stamp = tring_ring_clock(cpu_buffer);
	tring_step(cpu_buffer, TRING_STEP_RESERVE_CLOCK);
}

/* Move the position; false if a nested writer did. */
static bool claim_position(struct tring_cpu_buffer *cpu_buffer,
			   const struct tring_position *pos, unsigned long to)
{
	tring_step(cpu_buffer, TRING_STEP_RESERVE_BOUND);
	WRITE_ONCE(cpu_buffer->before_ts, pos->stamp);
	tring_step(cpu_buffer, TRING_STEP_RESERVE_BEFORE);
	if (!tring_local_try_cmpxchg(&cpu_buffer->write, pos->write, to))
		return false;
	tring_step(cpu_buffer, TRING_STEP_RESERVE_CLAIMED);
	return true;
}

/* Whatever else is in it: can a packet hold a record of @room bytes? */
static bool is_too_large(const struct tring_memory *memory, unsigned long room)
{
	return TRING_PACKET_HEADER_SIZE + TRING_HEADER_EXTENDED_SIZE + room >=
	       memory->subbuf_size;
}

/* The record goes behind the last one. */
static __always_inline void place_in_present(struct tring_position *pos, unsigned long room)
{
	pos->enters = false;
	pos->compact = tring_stamp_is_compact(pos->stamp, pos->last, TRING_STAMP_BITS);
	pos->begin = pos->write;
	pos->place = tring_record_align(pos->write);
	pos->header = tring_header_size(room, pos->compact);
	pos->end = pos->place + pos->header + room;
}

/* The record goes behind the header of packet @packet, which starts at @next. */
static __always_inline void
place_in_next(struct tring_position *pos, unsigned int header, unsigned long room,
	      u64 packet, unsigned long next)
{
	pos->enters = true;
	pos->entered = packet;
	pos->next = next;
	/* timestamp_begin is the first record's own stamp */
	pos->compact = true;
	pos->begin = next + TRING_PACKET_HEADER_SIZE;
	pos->place = pos->begin;
	pos->header = header;
	pos->end = pos->place + pos->header + room;
}

/*
 * Where a record of @room bytes goes: behind the last one, or into the next
 * packet. Returns TRING_RESERVE_CLAIM, TRING_RESERVE_AGAIN or a refusal.
 */
static int place_record(struct tring_cpu_buffer *cpu_buffer, unsigned long room,
			struct tring_position *pos)
{
	struct tring_memory *memory = pos->memory;
	unsigned long base = pos->write - pos->offset;
	unsigned int header = tring_header_size(room, true);

	if (is_too_large(memory, room))
		return TRING_REFUSED_TOO_LARGE;
	if (pos->offset) {
		place_in_present(pos, room);
		if (pos->end - base < memory->subbuf_size) {
			pos->subbuf = pos->present ?: tring_subbuf_find(memory, pos->packet);
			return pos->subbuf ? TRING_RESERVE_CLAIM : TRING_RESERVE_AGAIN;
		}
		place_in_next(pos, header, room, pos->packet + 1,
			      base + memory->subbuf_size);
	} else {
		place_in_next(pos, header, room, pos->packet, base);
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
	unsigned long nesting = local_read(&cpu_buffer->nesting);

	if (nesting % TRING_NESTING_RETRY > TRING_NESTING_MAX)
		return true;
	return nesting >= TRING_NESTING_RETRY &&
	       READ_ONCE(cpu_buffer->retry_context) == interrupt_context_level();
}

/* From here on events of the clock that we read are turned away. */
static unsigned int begin_retry(struct tring_cpu_buffer *cpu_buffer)
{
	unsigned int outer = READ_ONCE(cpu_buffer->retry_context);

	WRITE_ONCE(cpu_buffer->retry_context, interrupt_context_level());
	/* A nested writer that sees the mark sees whose it is. */
	barrier();
	local_add(TRING_NESTING_RETRY, &cpu_buffer->nesting);
	return outer;
}

static void end_retry(struct tring_cpu_buffer *cpu_buffer, unsigned int outer)
{
	local_sub(TRING_NESTING_RETRY, &cpu_buffer->nesting);
	barrier();
	WRITE_ONCE(cpu_buffer->retry_context, outer);
}

/**
 * tring_stamp_raise - save a stamp unless a later one is there
 * @cpu_buffer: the ring
 * @stamp: as in tring_stamp_store(), which somebody came before
 *
 * Who came between our reading and our cmpxchg of the position took his record
 * back, or we would not have our place: his stamp may be older than ours. Who
 * came behind us saw ours, and has left one that is no older. So the second
 * turn ends it at the latest.
 *
 * Context: the writer's.
 */
void tring_stamp_raise(struct tring_cpu_buffer *cpu_buffer, unsigned long stamp)
{
	unsigned long last;

	do {
		last = local_read(&cpu_buffer->last_ts);
		if ((last & ~TRING_STAMP_UNKNOWN) >= (stamp & ~TRING_STAMP_UNKNOWN))
			return;
	} while (local_cmpxchg(&cpu_buffer->last_ts, last, stamp) != (long)last);
}
TRING_EXPORT(tring_stamp_raise);

/*
 * Move the position to where no record of the present packet is, which closes
 * it, if it holds one. False if a nested writer came in between.
 */
static bool leave_packet(struct tring_cpu_buffer *cpu_buffer,
			 const struct tring_position *pos, unsigned long to)
{
	if (!claim_position(cpu_buffer, pos, to))
		return false;
	/*
	 * No record has this stamp, but the next packet must not begin before
	 * this one ends.
	 */
	tring_stamp_store(cpu_buffer, pos->last, pos->stamp | TRING_STAMP_UNKNOWN);
	if (pos->offset > TRING_PACKET_HEADER_SIZE) {
		tring_packet_close(cpu_buffer, pos);
		tring_wake_readers(cpu_buffer);
	}
	return true;
}

/*
 * One turn of the reserve loop, with the position and the clock read: settle it,
 * find a place and move the position behind it. Returns TRING_RESERVE_CLAIM,
 * TRING_RESERVE_AGAIN or a refusal.
 */
static int try_position(struct tring_cpu_buffer *cpu_buffer, unsigned long room,
			struct tring_position *pos)
{
	int outcome;

	settle_position(cpu_buffer, pos);
	outcome = place_record(cpu_buffer, room, pos);
	if (outcome == TRING_RESERVE_AGAIN)
		return outcome;
	if (outcome != TRING_RESERVE_CLAIM) {
		/* There may be room where the ring has gone to since. */
		if (local_read(&cpu_buffer->write) == (long)pos->write)
			return outcome;
		return TRING_RESERVE_AGAIN;
	}
	return claim_position(cpu_buffer, pos, pos->end) ? TRING_RESERVE_CLAIM :
							   TRING_RESERVE_AGAIN;
}

/*
 * What follows once the position is moved: the record's header, and the packets'
 * if it enters one. Returns the record.
 */
static __always_inline struct tring_reservation
set_up_record(struct tring_cpu_buffer *cpu_buffer, const struct tring_position *pos,
	      unsigned int id, unsigned long room)
{
	struct tring_reservation reservation;
	unsigned long start, place, size;
	void *data, *payload;

	/* The position is inside: by whoever comes first, see subbuf.h. */
	start = pos->enters ? pos->next : pos->write - pos->offset;
	local_cmpxchg(&pos->subbuf->start, start | TRING_START_UNENTERED, start);

	if (!tring_busted(cpu_buffer, TRING_BUSTED_NO_LAST_TS))
		tring_stamp_store(cpu_buffer, pos->last, pos->stamp);
	tring_step(cpu_buffer, TRING_STEP_RESERVE_STAMPED);
	local_inc(&cpu_buffer->reserved);

	place = pos->enters ? TRING_PACKET_HEADER_SIZE : pos->place - start;
	data = pos->subbuf->data + place;
	*(u32 *)data = tring_header_pack(pos->stamp,
					 tring_header_type_for(room, pos->compact),
					 TRING_HOST_BIG_ENDIAN);
	if (pos->header != TRING_HEADER_WORDS_SIZE)
		*(u32 *)(data + TRING_HEADER_WORDS_SIZE) = room;
	if (pos->header == TRING_HEADER_EXTENDED_SIZE)
		memcpy(data + TRING_HEADER_BYTES_SIZE, &pos->stamp, sizeof(pos->stamp));
	payload = data + pos->header;
	/* Perhaps less was asked for. */
	if (room == TRING_PAYLOAD_MIN)
		memset(payload, 0, TRING_PAYLOAD_MIN);
	*(u16 *)payload = id;

	if (pos->enters) {
		tring_packet_enter(cpu_buffer, pos);
		if (pos->offset)
			tring_packet_close(cpu_buffer, pos);
		tring_wake_readers(cpu_buffer);
	} else {
		WRITE_ONCE(cpu_buffer->current_subbuf, pos->subbuf);
		/*
		 * Whoever entered may have woken a reader for a record that he
		 * then took back: this is the first one again.
		 */
		if (place == TRING_PACKET_HEADER_SIZE)
			tring_wake_readers(cpu_buffer);
	}
	tring_step(cpu_buffer, TRING_STEP_RESERVE_DONE);
	if (tring_busted(cpu_buffer, TRING_BUSTED_COMMIT_EARLY))
		tring_commit_event(cpu_buffer, pos->subbuf, pos->end - pos->begin);

	size = pos->enters ? pos->header + room : pos->end - pos->begin;
	reservation.subbuf = pos->subbuf;
	reservation.extent = tring_extent(place + pos->header, size - room, size);
	return reservation;
}

/*
 * The reserve loop. What the fast path has read is the first turn's, if it has
 * read anything and the position is the same still. Who is not the first to move
 * it tries again from the start: perhaps it was the traced clock that came first.
 */
static noinline struct tring_reservation
reserve_in_turns(struct tring_cpu_buffer *cpu_buffer, unsigned int id,
		 unsigned long room, unsigned long write, u64 stamp)
{
	bool moved = write != TRING_POSITION_NONE &&
		     local_read(&cpu_buffer->write) != (long)write;
	bool is_read = write != TRING_POSITION_NONE && !moved;
	struct tring_position TRING_UNINITIALIZED pos;
	int outcome = TRING_RESERVE_AGAIN;
	bool marked = false;
	unsigned int outer = 0;
	unsigned int tries;

	if (unlikely(local_read(&cpu_buffer->nesting) > TRING_NESTING_MAX) &&
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
		outcome = try_position(cpu_buffer, room, &pos);
		if (outcome != TRING_RESERVE_AGAIN)
			break;
	}
	if (marked)
		end_retry(cpu_buffer, outer);
	if (outcome == TRING_RESERVE_CLAIM)
		return set_up_record(cpu_buffer, &pos, id, room);
	return refuse(cpu_buffer, outcome == TRING_RESERVE_AGAIN ?
				  TRING_REFUSED_RETRIES : outcome);
}

/* The record fits in, but for its timestamp. */
static noinline struct tring_reservation
reserve_behind_last(struct tring_cpu_buffer *cpu_buffer, unsigned int id,
		    unsigned long room, unsigned long write, u64 stamp)
{
	struct tring_subbuf *subbuf = READ_ONCE(cpu_buffer->current_subbuf);
	struct tring_position TRING_UNINITIALIZED pos;

	pos.write = write;
	pos.stamp = stamp;
	if (local_read(&cpu_buffer->write) != (long)write ||
	    !settle_at_hand(cpu_buffer, &pos, subbuf, local_read(&subbuf->start)))
		goto turns;
	settle_stamp(cpu_buffer, &pos);
	pos.subbuf = subbuf;
	place_in_present(&pos, room);
	if (likely(pos.end - write + pos.offset < pos.memory->subbuf_size) &&
	    likely(claim_position(cpu_buffer, &pos, pos.end)))
		return set_up_record(cpu_buffer, &pos, id, room);
turns:
	return reserve_in_turns(cpu_buffer, id, room, write, stamp);
}

/**
 * tring_reserve_slow - what the fast path of tring_reserve() leaves
 * @cpu_buffer: this CPU's ring; preemption is off, nesting is counted
 * @id: event id
 * @room: for the payload, at least TRING_PAYLOAD_MIN
 * @write: position that the fast path has read, or TRING_POSITION_NONE
 * @stamp: clock that it has read then
 *
 * Nearly always the record goes into the next packet: a straight line.
 *
 * Context: any.
 * Return: where the record is, or an error as tring_reserve().
 */
struct tring_reservation tring_reserve_slow(struct tring_cpu_buffer *cpu_buffer,
					    unsigned int id, unsigned long room,
					    unsigned long write, u64 stamp)
{
	struct tring_subbuf *subbuf = READ_ONCE(cpu_buffer->current_subbuf);
	unsigned long start = local_read(&subbuf->start);
	unsigned int header = tring_header_size(room, true);
	unsigned long end = tring_record_align(write) + header + room - start;
	struct tring_position TRING_UNINITIALIZED pos;
	unsigned long next;

	if (end <= READ_ONCE(cpu_buffer->limit))
		return reserve_behind_last(cpu_buffer, id, room, write, stamp);

	pos.write = write;
	pos.stamp = stamp;
	/* Nor did the fast path read a position for who is nested too deep. */
	if (local_read(&cpu_buffer->write) != (long)write ||
	    !settle_at_hand(cpu_buffer, &pos, subbuf, start))
		goto turns;
	next = start + pos.memory->subbuf_size;
	if (unlikely(end < pos.memory->subbuf_size || is_too_large(pos.memory, room)))
		goto turns;
	settle_stamp(cpu_buffer, &pos);
	place_in_next(&pos, header, room, pos.packet + 1, next);
	if (likely(tring_subbuf_open_closed(cpu_buffer, &pos,
					    tring_slot_behind(pos.memory, subbuf))) &&
	    likely(claim_position(cpu_buffer, &pos, pos.end)))
		return set_up_record(cpu_buffer, &pos, id, room);
turns:
	return reserve_in_turns(cpu_buffer, id, room, write, stamp);
}
TRING_EXPORT(tring_reserve_slow);

/**
 * tring_discard_slow - tring_discard(), of which there is no fast path
 * @cpu_buffer: of the record, as all that follows
 * @subbuf: its
 * @payload: its
 * @begin: its
 * @size: its
 *
 * Context: as tring_commit().
 */
void tring_discard_slow(struct tring_cpu_buffer *cpu_buffer, struct tring_subbuf *subbuf,
			void *payload, u32 begin, u32 size)
{
	unsigned long position = local_read(&subbuf->start) + begin;
	unsigned long last = local_read(&cpu_buffer->last_ts);
	u32 room;

	/*
	 * Before the position goes back, or a nested writer could be compact
	 * relative to a record that is no more. If the cmpxchg fails, a nested
	 * writer's stamp is in there, and its record is behind ours.
	 */
	if (!tring_busted(cpu_buffer, TRING_BUSTED_NO_POISON))
		local_cmpxchg(&cpu_buffer->last_ts, last, last | TRING_STAMP_UNKNOWN);
	tring_step(cpu_buffer, TRING_STEP_DISCARD_POISONED);
	local_inc(&cpu_buffer->discarded);

	if (!tring_local_try_cmpxchg(&cpu_buffer->write, position + size, position)) {
		tring_step(cpu_buffer, TRING_STEP_DISCARD_KEPT);
		room = begin + size - (payload - subbuf->data);
		*(u16 *)payload = TRING_ID_DISCARDED;
		*(u32 *)(payload + TRING_SKIP_OFFSET) = room - TRING_PAYLOAD_MIN;
		if (room > TRING_SKIPPED_OFFSET)
			*(u8 *)(payload + TRING_SKIPPED_OFFSET) = 0;
		tring_commit_bytes(cpu_buffer, subbuf, size);
	}
	local_dec(&cpu_buffer->nesting);
}
TRING_EXPORT(tring_discard_slow);

/**
 * tring_write - reserve, copy, commit
 * @buffer: where to
 * @id: event id
 * @payload: starts with a struct trace_entry, whose 16-bit type @id replaces
 * @length: of @payload
 *
 * Context: any.
 * Return: as tring_reserve().
 */
int tring_write(struct tring_buffer *buffer, u16 id, const void *payload, u32 length)
{
	struct tring_record TRING_UNINITIALIZED record;
	int err;

	err = tring_reserve(buffer, id, length, &record);
	if (err)
		return err;
	if (length > sizeof(id))
		memcpy(record.payload + sizeof(id), payload + sizeof(id),
		       length - sizeof(id));
	tring_commit(&record);
	return 0;
}
TRING_EXPORT(tring_write);

/**
 * tring_flush - close the open packet, if it holds a record
 * @cpu_buffer: the ring
 *
 * Context: on the ring's CPU with preemption off, nested in a writer or not; or
 * anywhere while that CPU is offline and kept so.
 */
void tring_flush(struct tring_cpu_buffer *cpu_buffer)
{
	struct tring_position pos;
	unsigned int tries, outer;

	outer = begin_retry(cpu_buffer);
	for (tries = 0; tries < TRING_RETRIES_MAX; tries++) {
		read_position(cpu_buffer, &pos);
		settle_position(cpu_buffer, &pos);
		if (pos.offset <= TRING_PACKET_HEADER_SIZE)
			break;
		if (leave_packet(cpu_buffer, &pos,
				 tring_packet_position(pos.memory, pos.packet + 1)))
			break;
	}
	end_retry(cpu_buffer, outer);
}

/**
 * tring_switch - go on in other memory
 * @cpu_buffer: the ring
 * @memory: empty, of the generation after the present one
 *
 * From one cmpxchg on all records go there. Those that are open in the present
 * memory are committed there; the last of them delivers, as ever.
 *
 * Context: as tring_flush(), with tring_cpu_buffer::mutex held by whoever
 * waits for us, and a grace period since the last time.
 * Return: false if NMIs did not let us: nothing has changed.
 */
bool tring_switch(struct tring_cpu_buffer *cpu_buffer, struct tring_memory *memory)
{
	struct tring_position pos;
	unsigned int tries, outer;
	bool moved = false;

	/*
	 * The fast path looks at the limit only. Too low a limit sends it to
	 * the slow path, which looks at the memory that the position is in; too
	 * high a one would let a record pass its sub-buffer's end.
	 */
	tring_ring_limit(cpu_buffer, min(memory->subbuf_size,
					 cpu_buffer->memory->subbuf_size) - 1);
	WRITE_ONCE(cpu_buffer->memories[memory->generation], memory);

	outer = begin_retry(cpu_buffer);
	for (tries = 0; tries < TRING_RETRIES_MAX && !moved; tries++) {
		read_position(cpu_buffer, &pos);
		settle_position(cpu_buffer, &pos);
		tring_step(cpu_buffer, TRING_STEP_SWITCH_READ);
		pos.memory->packets = tring_packets_begun(pos.memory, pos.write);
		/* Nobody is in there before we have moved the position. */
		memory->first_packet = pos.memory->first_packet + pos.memory->packets;
		moved = leave_packet(cpu_buffer, &pos, tring_packet_position(memory, 0));
	}
	end_retry(cpu_buffer, outer);

	tring_step(cpu_buffer, TRING_STEP_SWITCH_MOVED);
	tring_ring_limit(cpu_buffer, moved ? memory->subbuf_size - 1 :
			 cpu_buffer->memory->subbuf_size - 1);
	tring_step(cpu_buffer, TRING_STEP_SWITCH_DONE);
	return moved;
}
