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
#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/string.h>

#include <asm/cmpxchg.h>

#include "internal.h"
#include "subbuf.h"

/*
 * One turn of a loop that moves the position: what was read, and where a record goes.
 * Numbers of packets count from the memory's first.
 */
struct position {
	unsigned long		write;		/* position read */
	unsigned long		last;		/* last_ts read */
	u64			lost;		/* refused events of this trace so far */
	u64			stamp;		/* clock read, not before any record's */
	struct tring_memory	*memory;
	u64			packet;		/* that @write is in */
	unsigned long		offset;		/* of @write in it; 0: not entered */

	bool			enters;		/* the record enters the next packet */
	struct tring_subbuf	*subbuf;	/* that the record goes into */
	unsigned long		start;		/* position of its packet */
	unsigned long		begin;		/* offset of the record in the packet */
	unsigned int		type;
	unsigned int		head;		/* bytes before the fields */
};

/*
 * The position before all else: what is read behind it is true of the records before it,
 * or the claim fails. The bound takes care of a clock that steps back.
 */
static __always_inline void
read_position(struct tring_cpu_buffer *cpu_buffer, struct position *pos)
{
	u64 bound;

	pos->write = local_read(&cpu_buffer->write);
	tring_step(cpu_buffer, TRING_STEP_RESERVE_READ);
	pos->stamp = tring_ring_clock(cpu_buffer);
	tring_step(cpu_buffer, TRING_STEP_RESERVE_CLOCK);
	pos->last = local_read(&cpu_buffer->last_ts);
	pos->lost = local_read(&cpu_buffer->lost) - READ_ONCE(cpu_buffer->lost_before);
	bound = max_t(u64, pos->last & ~TRING_STAMP_UNKNOWN, READ_ONCE(cpu_buffer->before_ts));
	pos->stamp = max(pos->stamp, bound);
	pos->memory = cpu_buffer->memories[tring_generation(pos->write)];
	pos->offset = pos->write & (pos->memory->subbuf_size - 1);
	pos->packet = (pos->write & TRING_POSITION_MASK) >> pos->memory->order;
}

/* Sub-buffer of the packet that the position is in, nearly always without a division. */
static __always_inline struct tring_subbuf *
present_subbuf(struct tring_cpu_buffer *cpu_buffer, const struct position *pos)
{
	struct tring_subbuf *subbuf = READ_ONCE(cpu_buffer->current_subbuf);

	if (likely((unsigned long)local_read(&subbuf->start) == pos->write - pos->offset))
		return subbuf;
	return tring_subbuf_find(pos->memory, pos->packet);
}

/*
 * Move the position. False if a nested writer came first: either it moved the position,
 * or it raised before_ts.
 */
static __always_inline bool
claim(struct tring_cpu_buffer *cpu_buffer, const struct position *pos, unsigned long to)
{
	u64 before = READ_ONCE(cpu_buffer->before_ts);

	tring_step(cpu_buffer, TRING_STEP_RESERVE_BOUND);
	if (before > pos->stamp ||
	    cmpxchg_local(&cpu_buffer->before_ts, before, pos->stamp) != before)
		return false;
	return tring_move(cpu_buffer, pos->write, to);
}

/*
 * Save a stamp in last_ts unless a later one is there. A writer that came between the
 * reading of @last and the claim has taken its record back: its stamp may be the older
 * one. A writer that came after the claim has left a stamp that is no older. So the
 * second turn ends the loop at the latest.
 */
static __always_inline void
raise_stamp(struct tring_cpu_buffer *cpu_buffer, unsigned long last, unsigned long stamp)
{
	while (local_cmpxchg(&cpu_buffer->last_ts, last, stamp) != (long)last) {
		last = local_read(&cpu_buffer->last_ts);
		if ((last & ~TRING_STAMP_UNKNOWN) >= stamp)
			return;
	}
}

/*
 * Token for last_pid while the record at @write finds its place: that position, with the
 * memory's generation in the lowest bit. Unique over the next 1 GB.
 */
static __always_inline u32 pid_token(unsigned long write)
{
	return (u32)(write << 1 | write >> TRING_POSITION_BITS) | TRING_PID_UNKNOWN;
}

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
 * Events of the clock that the loop reads are refused from here on, and with them those
 * of an interrupt's first instructions, before the preempt count knows of it.
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

	if (nesting % TRING_NESTING_RETRY > TRING_NESTING_MAX)
		return true;
	return nesting >= TRING_NESTING_RETRY &&
	       READ_ONCE(cpu_buffer->retry_context) == interrupt_context_level();
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
NOKPROBE_SYMBOL(why_off);

/*
 * Find the place of a record with @room bytes of fields and, if it is compact, the given
 * type and size of head: behind the last record, or in the next packet, where it is
 * compact because timestamp_begin is its own stamp. Returns TRING_RESERVE_CLAIM,
 * TRING_RESERVE_AGAIN or a refusal.
 */
static __always_inline int
place_record(struct tring_cpu_buffer *cpu_buffer, u64 head, unsigned int type,
	     unsigned int head_size, unsigned long room, struct position *pos)
{
	unsigned long subbuf_size = pos->memory->subbuf_size;
	u64 packet = pos->packet;

	if (TRING_PACKET_HEADER_SIZE + TRING_RECORD_HEAD_MAX + room >= subbuf_size)
		return TRING_REFUSED_TOO_LARGE;
	pos->type = type;
	pos->head = head_size;
	pos->start = pos->write - pos->offset;
	if (pos->offset) {
		if (unlikely(!tring_stamp_is_compact(pos->stamp, pos->last, TRING_STAMP_BITS))) {
			pos->type = TRING_TYPE_EXTENDED;
			pos->head = tring_head_size(TRING_TYPE_EXTENDED, head);
		}
		pos->enters = false;
		pos->begin = pos->offset;
		if (pos->begin + pos->head + room < subbuf_size) {
			pos->subbuf = present_subbuf(cpu_buffer, pos);
			return pos->subbuf ? TRING_RESERVE_CLAIM : TRING_RESERVE_AGAIN;
		}
		pos->type = type;
		pos->head = head_size;
		pos->start += subbuf_size;
		packet++;
	}
	pos->enters = true;
	pos->begin = TRING_PACKET_HEADER_SIZE;
	return tring_subbuf_open(cpu_buffer, pos->memory, packet, &pos->subbuf);
}

/* After the claim: the record's head, and the headers of the packets that it parts. */
static __always_inline void
set_up_record(struct tring_cpu_buffer *cpu_buffer, const struct position *pos, u64 head,
	      u32 pid, unsigned long room)
{
	void *fields;
	u64 packet;

	/*
	 * Each writer stores the start, as the one that entered the packet may have been
	 * interrupted before. The record is open here, so the start is this packet's.
	 */
	local_set(&pos->subbuf->start, pos->start);
	tring_step(cpu_buffer, TRING_STEP_ENTER_STARTED);
	raise_stamp(cpu_buffer, pos->last, pos->stamp);
	tring_step(cpu_buffer, TRING_STEP_RESERVE_STAMPED);
	/* Fails if a nested writer has come behind: that one carries its pid, too. */
	cmpxchg_local(&cpu_buffer->last_pid, pid_token(pos->write), pid);
	tring_step(cpu_buffer, TRING_STEP_RESERVE_PID_KEPT);
	local_inc(&cpu_buffer->reserved);

	fields = tring_head_write(pos->subbuf->data + pos->begin, pos->stamp, pos->type, head,
				  pid, room);
	/* The caller may have asked for less than the least. */
	memset(fields, 0, TRING_FIELDS_MIN);
	if (pos->enters) {
		packet = pos->packet + (pos->offset != 0);
		tring_packet_enter(cpu_buffer, pos->subbuf, pos->stamp,
				   pos->memory->first_packet + packet);
		if (pos->offset)
			close_packet(cpu_buffer, pos);
	}
	/*
	 * Race: a writer that was interrupted here may point back to a packet long closed.
	 * Worst case: the next record takes the slow path, because the start of that
	 * packet does not match the position.
	 */
	WRITE_ONCE(cpu_buffer->current_subbuf, pos->subbuf);
	/* A packet was delivered, or the first record may follow one that was taken back. */
	if (pos->begin == TRING_PACKET_HEADER_SIZE)
		tring_wake_readers(cpu_buffer);
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
refuse(struct tring_cpu_buffer *cpu_buffer, enum tring_refusal reason)
{
	local_inc(&cpu_buffer->refused[reason]);
	/* Events between two traces are lost to neither. */
	if (reason != TRING_REFUSED_OFF && !READ_ONCE(cpu_buffer->draining))
		local_inc(&cpu_buffer->lost);
	local_dec(&cpu_buffer->nesting);
	return (struct tring_reservation) { .begin = refusal_errno[reason] };
}
NOKPROBE_SYMBOL(refuse);

/**
 * tring_reserve_slow - the reserve loop
 * @cpu_buffer: this CPU's ring, with the reservation counted in its nesting
 * @head: the event's key and context
 * @pid: of the writer
 * @room: bytes of fields, TRING_FIELDS_MIN at least
 *
 * From its second turn on the loop refuses events of the same context level. Otherwise a
 * clock that is traced would move the position each time that it is read, and the loop
 * would never end: the reason for which ftrace's cmpxchg loop of 2024 was dropped.
 * Interrupts may still disturb it, TRING_RETRIES_MAX times.
 *
 * Context: any, with preemption off.
 * Return: the reservation, or an errno as from tring_reserve().
 */
struct tring_reservation tring_reserve_slow(struct tring_cpu_buffer *cpu_buffer, u64 head,
					    u32 pid, unsigned long room)
{
	unsigned int type = tring_compact_type(head, room);
	unsigned int head_size = tring_head_size(type, head);
	struct position TRING_UNINITIALIZED pos;
	unsigned int tries, outer = 0;
	int outcome;

	if (unlikely(is_nested_too_deep(cpu_buffer)))
		return refuse(cpu_buffer, TRING_REFUSED_NESTED);
	for (tries = 0; tries < TRING_RETRIES_MAX; tries++) {
		if (unlikely(tries == 1))
			outer = begin_retry(cpu_buffer);
		/* TB(first:B) limit before memory. Pairs with TB(first:A). */
		if (unlikely(!smp_load_acquire(&cpu_buffer->limit))) {
			outcome = why_off(cpu_buffer);
			break;
		}
		read_position(cpu_buffer, &pos);
		outcome = place_record(cpu_buffer, head, type, head_size, room, &pos);
		if (likely(outcome == TRING_RESERVE_CLAIM)) {
			/* This record carries its pid, whatever last_pid says. */
			WRITE_ONCE(cpu_buffer->last_pid, pid_token(pos.write));
			if (likely(claim(cpu_buffer, &pos,
					 pos.start + pos.begin + pos.head + room)))
				goto claimed;
		} else if (outcome != TRING_RESERVE_AGAIN &&
			   local_read(&cpu_buffer->write) == (long)pos.write) {
			/* A refusal holds only where the position still is. */
			break;
		}
		outcome = TRING_REFUSED_RETRIES;
	}
	if (tries)
		end_retry(cpu_buffer, outer);
	return refuse(cpu_buffer, outcome);

claimed:
	if (unlikely(tries))
		end_retry(cpu_buffer, outer);
	set_up_record(cpu_buffer, &pos, head, pid, room);
	if (head & TRING_HEAD_WANTS)
		tring_short_want(cpu_buffer->buffer, tring_head_id(head));
	return (struct tring_reservation) {
		.subbuf = pos.subbuf, .begin = pos.begin, .head = pos.head,
		.size = pos.head + room,
	};
}
TRING_EXPORT(tring_reserve_slow);
NOKPROBE_SYMBOL(tring_reserve_slow);

/**
 * tring_deliver - hand a complete packet to the readers, and wake them
 * @cpu_buffer: the ring
 * @subbuf: entered, closed and without an open record
 *
 * Context: the writer's; once for each packet, by the last committer.
 */
void tring_deliver(struct tring_cpu_buffer *cpu_buffer, struct tring_subbuf *subbuf)
{
	tring_deliver_packet(cpu_buffer, subbuf);
	tring_wake_readers(cpu_buffer);
}
TRING_EXPORT(tring_deliver);
NOKPROBE_SYMBOL(tring_deliver);

/**
 * tring_subbuf_find - sub-buffer of an open packet
 * @memory: the packet's memory
 * @packet: its number
 *
 * Context: the writer's.
 * Return: NULL if nested writers have left the packet meanwhile.
 */
struct tring_subbuf *tring_subbuf_find(struct tring_memory *memory, u64 packet)
{
	u64 word = atomic64_read(tring_slot_of(memory, packet));

	if (tring_slot_distance(word, packet) || tring_slot_state(word) != TRING_SLOT_OPEN)
		return NULL;
	return &memory->subbufs[tring_slot_index(word)];
}
NOKPROBE_SYMBOL(tring_subbuf_find);

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
	 * Before the position goes back: else the next record could be compact relative
	 * to a record that is gone, or leave its pid out because of it. If the cmpxchg
	 * fails, last_ts is the stamp of a nested writer's record behind this one.
	 */
	local_cmpxchg(&cpu_buffer->last_ts, last, last | TRING_STAMP_UNKNOWN);
	WRITE_ONCE(cpu_buffer->last_pid, pid_token(position));
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

/*
 * Move the position to where no record of the present packet is, and close that packet if
 * it holds a record. False if a nested writer came first.
 */
static bool leave_packet(struct tring_cpu_buffer *cpu_buffer, const struct position *pos,
			 unsigned long to)
{
	if (!claim(cpu_buffer, pos, to))
		return false;
	/* No record has this stamp, but the next packet must not begin before it. */
	raise_stamp(cpu_buffer, pos->last, pos->stamp);
	if (pos->offset > TRING_PACKET_HEADER_SIZE) {
		close_packet(cpu_buffer, pos);
		tring_wake_readers(cpu_buffer);
	}
	return true;
}
NOKPROBE_SYMBOL(leave_packet);

/**
 * tring_flush - close the open packet, if it holds a record
 * @cpu_buffer: the ring
 *
 * Context: on the ring's CPU with preemption off, nested in a writer or not; anywhere
 * while that CPU is offline and kept so.
 */
void tring_flush(struct tring_cpu_buffer *cpu_buffer)
{
	unsigned int outer = begin_retry(cpu_buffer);
	struct position pos;
	unsigned int tries;

	for (tries = 0; tries < TRING_RETRIES_MAX; tries++) {
		read_position(cpu_buffer, &pos);
		if (pos.offset <= TRING_PACKET_HEADER_SIZE)
			break;
		if (leave_packet(cpu_buffer, &pos,
				 tring_packet_position(pos.memory, pos.packet + 1)))
			break;
	}
	end_retry(cpu_buffer, outer);
}
NOKPROBE_SYMBOL(tring_flush);

/**
 * tring_switch - go on in another memory
 * @cpu_buffer: the ring
 * @memory: empty, of the other generation
 *
 * From one cmpxchg on all records go to @memory. Records that are open in the former
 * memory are committed there; the last committer delivers as ever.
 *
 * Context: as tring_flush(), with tring_cpu_buffer::mutex held by the task that waits for
 * it, and a grace period after the last switch.
 * Return: false if NMIs came first each time: nothing has changed.
 */
bool tring_switch(struct tring_cpu_buffer *cpu_buffer, struct tring_memory *memory)
{
	unsigned int outer = begin_retry(cpu_buffer);
	bool is_on = READ_ONCE(cpu_buffer->limit);
	struct position pos;
	unsigned int tries;
	bool moved = false;

	/*
	 * The fast path looks at the limit alone. With too low a limit it takes the slow
	 * path, which looks at the memory of the position; with too high a limit a record
	 * could pass the end of its sub-buffer.
	 */
	if (is_on)
		tring_ring_set_limit(cpu_buffer, min(memory->subbuf_size,
						     cpu_buffer->memory->subbuf_size) - 1);
	WRITE_ONCE(cpu_buffer->memories[memory->generation], memory);

	for (tries = 0; tries < TRING_RETRIES_MAX && !moved; tries++) {
		read_position(cpu_buffer, &pos);
		tring_step(cpu_buffer, TRING_STEP_SWITCH_READ);
		pos.memory->packets = tring_packets_begun(pos.memory, pos.write);
		/* No writer is in @memory before the position has moved. */
		memory->first_packet = pos.memory->first_packet + pos.memory->packets;
		moved = leave_packet(cpu_buffer, &pos, tring_packet_position(memory, 0));
	}
	end_retry(cpu_buffer, outer);

	tring_step(cpu_buffer, TRING_STEP_SWITCH_MOVED);
	if (is_on)
		tring_ring_set_limit(cpu_buffer,
				     (moved ? memory : cpu_buffer->memory)->subbuf_size - 1);
	tring_step(cpu_buffer, TRING_STEP_SWITCH_DONE);
	return moved;
}
NOKPROBE_SYMBOL(tring_switch);
