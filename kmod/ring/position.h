/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A writer's way to the position: read it and the clock, find out where that is, what
 * marks a second try, and moving it for who may have interrupted another writer. See
 * ring.c DOC, "Reserve".
 */
#ifndef _TRING_RING_POSITION_H
#define _TRING_RING_POSITION_H

#include <linux/minmax.h>
#include <linux/preempt.h>

#include <asm/cmpxchg.h>

#include "compat.h"
#include "ring.h"
#include "fast.h"
#include "internal.h"

/*
 * Nearly always the position is where the last writer was. Returns false if it
 * is not in @subbuf, which begins at @start, or if recording is off.
 */
static __always_inline bool
settle_at_hand(struct tring_position *pos, struct tring_subbuf *subbuf, unsigned long start,
	       unsigned long limit)
{
	pos->offset = pos->write - start;
	if (unlikely(pos->offset - 1 >= limit))
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
static inline void settle_position(struct tring_cpu_buffer *cpu_buffer, struct tring_position *pos)
{
	struct tring_subbuf *subbuf = READ_ONCE(cpu_buffer->current_subbuf);
	unsigned long limit;

	settle_stamp(cpu_buffer, pos);
	/* TB(first:B) limit before memory. Pairs with TB(first:A). */
	limit = smp_load_acquire(&cpu_buffer->limit);
	if (settle_at_hand(pos, subbuf, local_read(&subbuf->start), limit))
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
static inline void read_position(struct tring_cpu_buffer *cpu_buffer, struct tring_position *pos)
{
	pos->write = local_read(&cpu_buffer->write);
	tring_step(cpu_buffer, TRING_STEP_RESERVE_READ);
	pos->stamp = tring_ring_clock(cpu_buffer);
	tring_step(cpu_buffer, TRING_STEP_RESERVE_CLOCK);
}

/**
 * tring_claim_nested - move the position, whoever was interrupted
 * @cpu_buffer: the ring
 * @write: position that was read
 * @end: where to
 * @stamp: of the record, or of the packet's end
 *
 * Return: false if a nested writer came first, whether he moved it or only raised
 * before_ts.
 */
static inline bool tring_claim_nested(struct tring_cpu_buffer *cpu_buffer,
				      unsigned long write, unsigned long end, u64 stamp)
{
	u64 before = READ_ONCE(cpu_buffer->before_ts);

	tring_step(cpu_buffer, TRING_STEP_RESERVE_BOUND);
	if (before > stamp ||
	    cmpxchg_local(&cpu_buffer->before_ts, before, stamp) != before)
		return false;
	return tring_move(cpu_buffer, write, end);
}

/* From here on events of the clock that we read are turned away. */
static inline unsigned int begin_retry(struct tring_cpu_buffer *cpu_buffer)
{
	unsigned int outer = READ_ONCE(cpu_buffer->retry_context);

	WRITE_ONCE(cpu_buffer->retry_context, interrupt_context_level());
	/* A nested writer that sees the mark sees whose it is. */
	barrier();
	local_add(TRING_NESTING_RETRY, &cpu_buffer->nesting);
	return outer;
}

static inline void end_retry(struct tring_cpu_buffer *cpu_buffer, unsigned int outer)
{
	local_sub(TRING_NESTING_RETRY, &cpu_buffer->nesting);
	barrier();
	WRITE_ONCE(cpu_buffer->retry_context, outer);
}

/* ring.c: */
void tring_stamp_raise(struct tring_cpu_buffer *cpu_buffer, unsigned long last,
		       unsigned long stamp);

#endif /* _TRING_RING_POSITION_H */
