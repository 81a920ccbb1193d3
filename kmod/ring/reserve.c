// SPDX-License-Identifier: GPL-2.0
/*
 * What moves a ring's position, but for the fast path: the reserve loop, discard, flush,
 * and the switch to another memory. All of it runs on the ring's CPU with preemption off,
 * nested in any way. docs/design.md is the theory of operation.
 *
 * The reserve loop with one cmpxchg of the position, and the single last timestamp per
 * ring, are ideas of LTTng (lib_ring_buffer_reserve).
 */

#include <linux/kprobes.h>
#include <asm/cmpxchg.h>

#include "internal.h"
#include "subbuf.h"

/* Ticks that a clock may be behind for other reasons: reads out of order, NTP. */
#define CLOCK_STEP_MIN	((s64)BIT_ULL(20))

/* One turn of a loop that moves the position: what was read, and where a record goes. */
struct position {
	unsigned long		write;		/* position read */
	unsigned long		last;		/* last_ts read */
	u64			lost;		/* refused events of this trace so far */
	u64			stamp;		/* clock read, not before any record's */
	struct tring_memory	*memory;
	unsigned long		offset;		/* of @write in its packet; 0: not entered */

	struct tring_subbuf	*subbuf;	/* that the record goes into */
	unsigned long		start;		/* position of its packet */
	u64			packet;		/* number of that, if the record enters it */
	unsigned long		begin;		/* offset of the record in the packet */
	unsigned int		type;
	unsigned int		head;		/* bytes before the fields */
};

/*
 * The clock reads less than a stamp that came from it, so it was set back: from now on all
 * rings add the difference. Without that, stamps would stand still until the clock had caught
 * up. The second look at the clock tells this from a nested writer that has raised the bound
 * since the first.
 *
 * Race: another ring's writer may raise the offset first. Worst case: the next event here
 * corrects what is left of the difference.
 */
static noinline u64 follow_clock_back(struct tring_cpu_buffer *cpu_buffer, u64 bound)
{
	struct tring_buffer *buffer = cpu_buffer->buffer;
	u64 offset = READ_ONCE(buffer->clock_offset);
	u64 now = tring_ring_clock(cpu_buffer);
	int cpu;

	if ((s64)(bound - now) < CLOCK_STEP_MIN)
		return now;
	for_each_possible_cpu(cpu)
		/* data_race(): all that write here set the flag; a late reader is behind again */
		data_race(tring_cpu_buffer(buffer, cpu)->clock |= TRING_CLOCK_SET_BACK);
	cmpxchg(&buffer->clock_offset, offset, offset + bound - now);
	return bound;
}
NOKPROBE_SYMBOL(follow_clock_back);

/*
 * Invariants 2 and 4. The position before all else: what is read behind it is true of the
 * records before it, or the claim fails. The bound takes care of a clock that steps back.
 */
static __always_inline void read_position(struct tring_cpu_buffer *cpu_buffer, struct position *pos)
{
	u64 bound;

	pos->write = local_read(&cpu_buffer->write);
	tring_step(cpu_buffer, TRING_STEP_RESERVE_READ);
	pos->stamp = tring_ring_clock(cpu_buffer);
	tring_step(cpu_buffer, TRING_STEP_RESERVE_CLOCK);
	pos->last = local_read(&cpu_buffer->last_ts);
	pos->lost = local_read(&cpu_buffer->lost);
	bound = max_t(u64, pos->last & ~TRING_STAMP_UNKNOWN, READ_ONCE(cpu_buffer->before_ts));
	if (unlikely(pos->stamp + CLOCK_STEP_MIN < bound))
		pos->stamp = follow_clock_back(cpu_buffer, bound);
	pos->stamp = max(pos->stamp, bound);
	pos->memory = cpu_buffer->memories[tring_generation(pos->write)];
	pos->offset = tring_offset(pos->memory, pos->write);
}

/*
 * Sub-buffer of the packet that the position is in, nearly always without a division. NULL
 * if nested writers have left the packet meanwhile.
 */
static __always_inline struct tring_subbuf *
present_subbuf(struct tring_cpu_buffer *cpu_buffer, const struct position *pos)
{
	struct tring_subbuf *subbuf = READ_ONCE(cpu_buffer->current_subbuf);
	u64 packet, word;

	if (likely((unsigned long)local_read(&subbuf->start) == pos->write - pos->offset))
		return subbuf;
	packet = tring_packet_number(pos->memory, pos->write);
	word = atomic64_read(tring_slot_of(pos->memory, packet));
	if (tring_slot_distance(word, packet) || tring_slot_state(word) != TRING_SLOT_OPEN)
		return NULL;
	return &pos->memory->subbufs[tring_slot_index(word)];
}

/*
 * Move the position: invariant 2, with invariant 4's bound before it. False if a nested writer
 * came first: either it moved the position, or it raised before_ts.
 */
static __always_inline bool
claim_position(struct tring_cpu_buffer *cpu_buffer, const struct position *pos, unsigned long to)
{
	u64 before = READ_ONCE(cpu_buffer->before_ts);

	tring_step(cpu_buffer, TRING_STEP_RESERVE_BOUND);
	if (before > pos->stamp ||
	    cmpxchg_local(&cpu_buffer->before_ts, before, pos->stamp) != before)
		return false;
	return tring_move(cpu_buffer, pos->write, to);
}

/*
 * Invariant 4: save a stamp in last_ts unless a later one is there. A writer that came between the
 * reading of @last and the claim has taken its record back: its stamp may be the older
 * one. A writer that came after the claim has left a stamp that is no older. So the
 * second turn ends the loop at the latest.
 */
static __always_inline void
raise_stamp(struct tring_cpu_buffer *cpu_buffer, unsigned long last, unsigned long stamp)
{
	while (!tring_local_try_cmpxchg(&cpu_buffer->last_ts, last, stamp)) {
		last = local_read(&cpu_buffer->last_ts);
		if ((last & ~TRING_STAMP_UNKNOWN) >= stamp)
			return;
	}
}

/*
 * Invariant 6: the token for last_pid while a record finds its place, the writer's depth of
 * nesting. Each writer that is inside has a depth of its own.
 */
static __always_inline u32 pid_token(struct tring_cpu_buffer *cpu_buffer)
{
	return (u16)local_read(&cpu_buffer->nesting) | TRING_PID_UNKNOWN;
}

/* Invariant 6. Fails if a nested writer has come behind: that one has its pid, too. */
static __always_inline void keep_pid(struct tring_cpu_buffer *cpu_buffer, u32 pid)
{
	cmpxchg_local(&cpu_buffer->last_pid, pid_token(cpu_buffer), pid);
	tring_step(cpu_buffer, TRING_STEP_RESERVE_PID_KEPT);
}

/**
 * tring_deliver - hand a complete packet to the readers, and wake them
 * @cpu_buffer: the ring
 * @subbuf: entered, closed and without an open record: invariant 9
 *
 * Context: the writer's; once for each packet, by the last committer.
 */
void tring_deliver(struct tring_cpu_buffer *cpu_buffer, struct tring_subbuf *subbuf)
{
	unsigned long events = (u32)local_read(&subbuf->commits), bytes = subbuf->bytes;
	struct tring_packet_header *header = subbuf->data;

	header->content_size = bytes * 8;
	header->packet_size = ALIGN(bytes, sizeof(u64)) * 8;
	WRITE_ONCE(subbuf->events, events);
	local_add(events, &cpu_buffer->committed);
	local_add(bytes, &cpu_buffer->committed_bytes);
	/* No writer enters the sub-buffer before it is DELIVERED. */
	local_set(&subbuf->commits, tring_no_commits(subbuf->memory));
	tring_step(cpu_buffer, TRING_STEP_DELIVER_RESET);
	/*
	 * TB(deliver:A) the packet before its state. Pairs with TB(take:A). Nothing else
	 * changes the word of an open slot.
	 */
	atomic64_set_release(subbuf->slot, atomic64_read(subbuf->slot) +
					   TRING_SLOT_DELIVERED - TRING_SLOT_OPEN);
	tring_step(cpu_buffer, TRING_STEP_DELIVER_PUBLISHED);
	/*
	 * Race: the reader may see the count before the slot word. Worst case: it finds
	 * the packet open and looks again a jiffy later.
	 */
	local_inc(&cpu_buffer->delivered_packets);
	tring_wake_readers(cpu_buffer);
}
TRING_EXPORT(tring_deliver);
NOKPROBE_SYMBOL(tring_deliver);

/* Close the packet that the position was in, after moving the position out of it. */
static __always_inline void
close_packet(struct tring_cpu_buffer *cpu_buffer, const struct position *pos)
{
	struct tring_subbuf *subbuf = present_subbuf(cpu_buffer, pos);

	/* The packet stays open until its rest is committed. */
	if (!TRING_WARN_ON(cpu_buffer, !subbuf))
		tring_packet_close(cpu_buffer, subbuf, pos->offset, pos->stamp, pos->lost);
}

/*
 * Invariant 3. Events of the clock that the loop reads are refused from here on, and with them
 * those of an interrupt's first instructions, before the preempt count knows of it.
 */
static __always_inline unsigned int begin_retry(struct tring_cpu_buffer *cpu_buffer)
{
	unsigned int outer = READ_ONCE(cpu_buffer->retry_context);

	WRITE_ONCE(cpu_buffer->retry_context, interrupt_context_level());
	/* A nested writer that sees the mark sees the context level. */
	barrier();
	local_add(TRING_NESTING_RETRY, &cpu_buffer->nesting);
	return outer;
}

static __always_inline void end_retry(struct tring_cpu_buffer *cpu_buffer, unsigned int outer)
{
	local_sub(TRING_NESTING_RETRY, &cpu_buffer->nesting);
	barrier();
	WRITE_ONCE(cpu_buffer->retry_context, outer);
}

/* Nested too deep, or in the context level of a reservation that is tried again. */
static __always_inline bool is_nested_too_deep(struct tring_cpu_buffer *cpu_buffer)
{
	unsigned long nesting = local_read(&cpu_buffer->nesting) - TRING_NESTING_IDLE;

	return nesting > TRING_NESTING_MAX &&
	       (nesting % TRING_NESTING_RETRY > TRING_NESTING_MAX ||
		READ_ONCE(cpu_buffer->retry_context) == interrupt_context_level());
}

/*
 * What a limit of 0 means: a refusal; or TRING_RESERVE_CLAIM if recording was requested in a
 * context that could not raise the limits. Until tring_buffer_follow_recording() does, records go
 * through the loop. What keeps writers out for other reasons is set before tring_drain(), so no
 * writer is in here behind that.
 */
static int why_off(struct tring_cpu_buffer *cpu_buffer)
{
	bool wanted = READ_ONCE(cpu_buffer->buffer->wanted_recording);

	if (READ_ONCE(cpu_buffer->left_out) ||
	    !(wanted || READ_ONCE(cpu_buffer->buffer->recording)))
		return TRING_REFUSED_OFF;
	if (READ_ONCE(cpu_buffer->stopped))
		return TRING_REFUSED_STOPPED;
	/*
	 * TB(first:B) the memory before its place, and the end of the draining before what was
	 * reset. Pairs with TB(first:A).
	 */
	if (!smp_load_acquire(&cpu_buffer->memory) || smp_load_acquire(&cpu_buffer->draining))
		return TRING_REFUSED_NO_MEMORY;
	return wanted ? TRING_RESERVE_CLAIM : TRING_REFUSED_OFF;
}
NOKPROBE_SYMBOL(why_off);

/*
 * Find the place of a record with @room bytes of fields: behind the last record, or in the
 * next packet (invariants 1 and 8). Its timestamp is compact (invariant 5) if it follows @last
 * closely, or begins a packet at a boundary. Returns TRING_RESERVE_CLAIM, TRING_RESERVE_AGAIN
 * or a refusal.
 */
static __always_inline int
place_record(struct tring_cpu_buffer *cpu_buffer, u64 head, unsigned long room,
	     struct position *pos)
{
	unsigned long subbuf_size = pos->memory->subbuf_size;

	if (TRING_PACKET_HEADER_SIZE + TRING_RECORD_HEAD_MAX + room >= subbuf_size)
		return TRING_REFUSED_TOO_LARGE;
	pos->type = TRING_TYPE_EXTENDED;
	if (tring_stamp_is_compact(pos->stamp, pos->last, TRING_STAMP_BITS) || !pos->offset)
		pos->type = tring_compact_type(head, room);
	pos->head = tring_head_size(pos->type, head);
	pos->start = pos->write - pos->offset;
	if (pos->offset) {
		pos->begin = pos->offset;
		if (pos->offset + pos->head + room < subbuf_size) {
			pos->subbuf = present_subbuf(cpu_buffer, pos);
			return pos->subbuf ? TRING_RESERVE_CLAIM : TRING_RESERVE_AGAIN;
		}
		pos->start += subbuf_size;
	}
	pos->begin = TRING_PACKET_HEADER_SIZE;
	pos->packet = tring_packet_number(pos->memory, pos->start);
	return tring_subbuf_open(cpu_buffer, pos->memory, pos->packet, &pos->subbuf);
}

/* After the claim: the record's head, and the headers of the packets that it parts. */
static __always_inline void
set_up_record(struct tring_cpu_buffer *cpu_buffer, const struct position *pos, u64 head,
	      u32 pid, unsigned long room)
{
	bool enters = pos->start + pos->begin != pos->write;
	void *fields;

	/*
	 * Each writer stores the start, as the one that entered the packet may have been
	 * interrupted before. The record is open here, so the start is this packet's.
	 */
	local_set(&pos->subbuf->start, pos->start);
	tring_step(cpu_buffer, TRING_STEP_ENTER_STARTED);
	raise_stamp(cpu_buffer, pos->last, pos->stamp);
	tring_step(cpu_buffer, TRING_STEP_RESERVE_STAMPED);
	keep_pid(cpu_buffer, pid);
	local_inc(&cpu_buffer->reserved);

	fields = tring_head_write(pos->subbuf->data + pos->begin, pos->stamp, pos->type, head,
				  pid, room);
	/* The caller may have asked for less than the least. */
	memset(fields, 0, TRING_FIELDS_MIN);
	if (enters)
		tring_packet_enter(cpu_buffer, pos->subbuf, pos->stamp,
				   pos->memory->first_packet + pos->packet);
	if (enters && pos->offset)
		close_packet(cpu_buffer, pos);
	else if (pos->begin == TRING_PACKET_HEADER_SIZE)
		/* Else readers are awake: there is a packet, or a record is open. */
		tring_wake_readers(cpu_buffer);
	/*
	 * Race: a writer that was interrupted here may point back to a packet long closed.
	 * Worst case: the next record takes the slow path, because the start of that
	 * packet does not match the position.
	 */
	WRITE_ONCE(cpu_buffer->current_subbuf, pos->subbuf);
	tring_step(cpu_buffer, TRING_STEP_RESERVE_DONE);
}

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

static struct tring_reservation
refuse_event(struct tring_cpu_buffer *cpu_buffer, enum tring_refusal reason)
{
	local_inc(&cpu_buffer->refused[reason]);
	/* Invariant 10. Events between two traces are lost to neither. */
	if (reason != TRING_REFUSED_OFF && !READ_ONCE(cpu_buffer->draining))
		local_inc(&cpu_buffer->lost);
	local_dec(&cpu_buffer->nesting);
	return (struct tring_reservation) { .begin = refusal_errno[reason] };
}
NOKPROBE_SYMBOL(refuse_event);

/*
 * Note an event that was recorded without a short type.
 *
 * Race: two ids that share a place, or one that comes while the place is emptied, may
 * lose one of them. Worst case: the event asks again with its next record.
 */
static noinline void want_type(struct tring_buffer *buffer, u16 id)
{
	u16 *wanted = &buffer->wanted[id % TRING_WANTED];

	/* One interrupt for an event, not for each of its records until it has a type. */
	if (READ_ONCE(*wanted) == id)
		return;
	WRITE_ONCE(*wanted, id);
	irq_work_queue(&buffer->ask_work);
}
NOKPROBE_SYMBOL(want_type);

/**
 * tring_reserve_slow - the reserve loop
 * @cpu_buffer: this CPU's ring, with the reservation counted in its nesting
 * @head: the event's key and context
 * @pid: of the writer
 * @room: bytes of fields, TRING_FIELDS_MIN at least
 *
 * Invariant 3: from its second turn on the loop refuses events of the same context level.
 * Interrupts may still disturb it, TRING_RETRIES_MAX times.
 *
 * Context: any, with preemption off.
 * Return: the reservation, or an errno as from tring_reserve().
 */
struct tring_reservation tring_reserve_slow(struct tring_cpu_buffer *cpu_buffer, u64 head,
					    u32 pid, unsigned long room)
{
	struct position TRING_UNINITIALIZED pos;
	unsigned int tries, outer = 0;
	int outcome;

	if (unlikely(is_nested_too_deep(cpu_buffer)))
		return refuse_event(cpu_buffer, TRING_REFUSED_NESTED);
	for (tries = 0; tries < TRING_RETRIES_MAX; tries++) {
		if (unlikely(tries == 1))
			outer = begin_retry(cpu_buffer);
		/* TB(first:B) limit before memory. Pairs with TB(first:A). */
		if (unlikely(!smp_load_acquire(&cpu_buffer->limit))) {
			outcome = why_off(cpu_buffer);
			if (outcome != TRING_RESERVE_CLAIM)
				break;
		}
		read_position(cpu_buffer, &pos);
		outcome = place_record(cpu_buffer, head, room, &pos);
		if (likely(outcome == TRING_RESERVE_CLAIM)) {
			/* Invariant 6: this record carries its pid, whatever last_pid says. */
			WRITE_ONCE(cpu_buffer->last_pid, pid_token(cpu_buffer));
			if (likely(claim_position(cpu_buffer, &pos,
						  pos.start + pos.begin + pos.head + room)))
				break;
		} else if (outcome != TRING_RESERVE_AGAIN) {
			break;
		}
		outcome = TRING_REFUSED_RETRIES;
	}
	if (unlikely(tries))
		end_retry(cpu_buffer, outer);
	if (unlikely(outcome != TRING_RESERVE_CLAIM))
		return refuse_event(cpu_buffer, outcome);
	set_up_record(cpu_buffer, &pos, head, pid, room);
	if (head & TRING_HEAD_WANTS && local_read(&cpu_buffer->reserved) % TRING_ASK_EVERY == 0)
		want_type(cpu_buffer->buffer, tring_head_id(head));
	return (struct tring_reservation) {
		.subbuf = pos.subbuf, .begin = pos.begin, .head = pos.head,
	};
}
TRING_EXPORT(tring_reserve_slow);
NOKPROBE_SYMBOL(tring_reserve_slow);

/*
 * The fast path's turn with a head that it cannot write: with a pid; if @is_short, nothing else, so
 * that the context is not full. last_pid is as in the loop (invariant 6).
 */
static __always_inline struct tring_reservation
reserve_head(struct tring_cpu_buffer *cpu_buffer, u64 head, u64 stamp, unsigned long write, u32 pid,
	     unsigned long room, bool is_short)
{
	unsigned int type = is_short ? TRING_TYPE_SHORT_MIN : tring_compact_type(head, room);
	unsigned int size = tring_head_size(type, is_short ? head & TRING_HEAD_VARIES : head);
	struct tring_subbuf *subbuf = READ_ONCE(cpu_buffer->current_subbuf);
	unsigned long start = local_read(&subbuf->start);
	void *at;

	if ((!is_short && head & TRING_HEAD_WANTS) ||
	    write + size + room - start > READ_ONCE(cpu_buffer->limit))
		return tring_reserve_slow(cpu_buffer, head, pid, room);
	WRITE_ONCE(cpu_buffer->last_pid, pid_token(cpu_buffer));
	tring_step(cpu_buffer, TRING_STEP_RESERVE_BOUND);
	WRITE_ONCE(cpu_buffer->before_ts, stamp);
	if (!tring_move(cpu_buffer, write, write + size + room))
		return tring_reserve_slow(cpu_buffer, head, pid, room);
	local_set(&cpu_buffer->last_ts, stamp);
	tring_step(cpu_buffer, TRING_STEP_RESERVE_STAMPED);
	keep_pid(cpu_buffer, pid);
	local_inc(&cpu_buffer->reserved);

	at = subbuf->data + (write - start);
	at = is_short ? tring_head_store(at, stamp, head, head & TRING_HEAD_VARIES, &pid, room) :
			tring_head_write(at, stamp, type, head, pid, room);
	/* The caller may have asked for less than the least. */
	memset(at, 0, TRING_FIELDS_MIN);
	tring_step(cpu_buffer, TRING_STEP_RESERVE_DONE);
	return (struct tring_reservation) {
		.subbuf = subbuf, .begin = write - start, .head = size,
	};
}

/* Out of line, so that a switch of tasks saves no registers for this. */
static noinline struct tring_reservation
reserve_longest(struct tring_cpu_buffer *cpu_buffer, u64 head, u64 stamp, unsigned long write,
		u32 pid, unsigned long room)
{
	return reserve_head(cpu_buffer, head, stamp, write, pid, room, false);
}
NOKPROBE_SYMBOL(reserve_longest);

/**
 * tring_reserve_long - reserve for a record whose head the fast path cannot write
 * @cpu_buffer: this CPU's ring, with the only reservation that is counted in its nesting
 * @head: the event's key and context
 * @stamp: the clock as the fast path has read it, compact and no less than before_ts. The third
 *	argument, as the TSC comes in that register
 * @write: the position as the fast path has read it before
 * @pid: of the writer
 * @room: bytes of fields, TRING_FIELDS_MIN at least
 *
 * The head has another pid than the last record's, a full context, or the event's id. The loop
 * begins if the record does not fit, if a nested writer came first, or if the event asks for a
 * short type.
 *
 * Context: any, with preemption off.
 * Return: the reservation, or an errno as from tring_reserve().
 */
struct tring_reservation
tring_reserve_long(struct tring_cpu_buffer *cpu_buffer, u64 head, u64 stamp, unsigned long write,
		   u32 pid, unsigned long room)
{
	if (likely((s64)head >= 0 && room <= U16_MAX))
		return reserve_head(cpu_buffer, head, stamp, write, pid, room, true);
	return reserve_longest(cpu_buffer, head, stamp, write, pid, room);
}
TRING_EXPORT(tring_reserve_long);
NOKPROBE_SYMBOL(tring_reserve_long);

/*
 * Make a record one that readers skip. The record keeps its context: a reader takes the
 * pid of the record behind from it. The first bytes behind the context, or its own length,
 * become the length of what is left over.
 */
static void write_off_record(void *data, u32 size)
{
	u16 id = TRING_TYPE_DISCARDED;
	unsigned int type;
	u32 word, at, skip;

	memcpy(&word, data, sizeof(word));
	type = tring_header_type(word, TRING_HOST_BIG_ENDIAN);
	at = tring_context_offset(type);
	if (type > TRING_TYPE_SHORT_MAX) {
		memcpy(data + at - sizeof(id), &id, sizeof(id));
	} else {
		word = tring_header_pack(tring_header_stamp(word, TRING_HOST_BIG_ENDIAN),
					 TRING_TYPE_DISCARDED, TRING_HOST_BIG_ENDIAN);
		memcpy(data, &word, sizeof(word));
	}
	at += tring_context_size(*(u8 *)(data + at)) + sizeof(skip);
	skip = size - at;
	memcpy(data + at - sizeof(skip), &skip, sizeof(skip));
	if (skip)
		*(u8 *)(data + at) = 0;
}
NOKPROBE_SYMBOL(write_off_record);

/**
 * tring_discard_slow - give a reservation up
 * @cpu_buffer: the ring
 * @subbuf: sub-buffer of the record
 * @begin: offset of the record in the packet
 * @size: bytes of the record
 *
 * Takes the position back if nothing was reserved behind the record; else the record
 * becomes one that readers skip.
 *
 * Context: any, on the CPU of the reservation.
 */
void tring_discard_slow(struct tring_cpu_buffer *cpu_buffer, struct tring_subbuf *subbuf,
			u32 begin, u32 size)
{
	unsigned long position = local_read(&subbuf->start) + begin;
	unsigned long last = local_read(&cpu_buffer->last_ts);

	/*
	 * Invariants 5 and 6, before the position goes back: else the next record could be
	 * compact relative to a record that is gone, or leave its pid out because of it. If the
	 * cmpxchg fails, last_ts is the stamp of a nested writer's record behind this one.
	 */
	local_cmpxchg(&cpu_buffer->last_ts, last, last | TRING_STAMP_UNKNOWN);
	WRITE_ONCE(cpu_buffer->last_pid, pid_token(cpu_buffer));
	tring_step(cpu_buffer, TRING_STEP_DISCARD_POISONED);
	local_inc(&cpu_buffer->discarded);

	if (!tring_local_try_cmpxchg(&cpu_buffer->write, position + size, position)) {
		tring_step(cpu_buffer, TRING_STEP_DISCARD_KEPT);
		write_off_record(subbuf->data + begin, size);
		if (tring_count_commits(cpu_buffer, subbuf, tring_commits(0, size)))
			tring_deliver(cpu_buffer, subbuf);
	}
	local_dec(&cpu_buffer->nesting);
}
TRING_EXPORT(tring_discard_slow);
NOKPROBE_SYMBOL(tring_discard_slow);

/**
 * tring_end_packet - close the open packet, if it holds a record
 * @cpu_buffer: the ring
 * @memory: where the records behind go, see tring_switch(); NULL: into the next packet
 *
 * Context: on the ring's CPU with preemption off, nested in a writer or not; anywhere
 * while that CPU is offline and kept so.
 * Return: false if the position stays: the packet holds no record and @memory is NULL, or
 * nested writers came first each time.
 */
bool tring_end_packet(struct tring_cpu_buffer *cpu_buffer, struct tring_memory *memory)
{
	unsigned int tries, outer = begin_retry(cpu_buffer);
	struct position pos;
	bool moved = false;
	unsigned long to;

	for (tries = 0; tries < TRING_RETRIES_MAX && !moved; tries++) {
		read_position(cpu_buffer, &pos);
		to = pos.write - pos.offset + pos.memory->subbuf_size;
		if (memory) {
			/* A packet with nothing but its header does not count. */
			pos.memory->packets = tring_packet_number(pos.memory, pos.write) +
					      (pos.offset > TRING_PACKET_HEADER_SIZE);
			/* No writer is in @memory before the position has moved. */
			memory->first_packet = pos.memory->first_packet + pos.memory->packets;
			to = tring_packet_position(memory, 0);
		} else if (pos.offset <= TRING_PACKET_HEADER_SIZE) {
			break;
		}
		moved = claim_position(cpu_buffer, &pos, to);
	}
	if (moved) {
		/* No record has this stamp, but the next packet must not begin before it. */
		raise_stamp(cpu_buffer, pos.last, pos.stamp);
		if (pos.offset > TRING_PACKET_HEADER_SIZE)
			close_packet(cpu_buffer, &pos);
	}
	end_retry(cpu_buffer, outer);
	return moved;
}
NOKPROBE_SYMBOL(tring_end_packet);
