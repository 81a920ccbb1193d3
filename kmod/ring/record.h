/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A record's head, as whoever records an event hands it to the ring: which event
 * it is and in what context, in one word.
 */
#ifndef _TRING_HEAD_H
#define _TRING_HEAD_H

#include <linux/bits.h>
#include <linux/list.h>
#include <linux/types.h>

#include "tring_format.h"

/*
 * What a record's head is made of, in one word, so that a short one is stored at
 * once: a key of the event, from tring_buffer_add_event() or tring_event_key(),
 * and tring_context().
 *
 *	0 to 4		type, if it is short		key
 *	8 to 15		flags, if the context is full	context
 *	16 to 23	preempt count, likewise		context
 *	32 to 39	context byte			context
 *	40 to 55	ftrace's id			key
 *	56		the length varies		key
 *	57		wants a short type		key
 *	58		records have no context		the ring, for itself
 *	63		not for the fast path: the	both
 *			context is full, or there is
 *			no short type
 */
#define TRING_HEAD_FLAGS_SHIFT		8
#define TRING_HEAD_CONTEXT_SHIFT	32
#define TRING_HEAD_ID_SHIFT		40
#define TRING_HEAD_VARIES		BIT_ULL(56)
#define TRING_HEAD_WANTS		BIT_ULL(57)
#define TRING_HEAD_BARE			BIT_ULL(58)
#define TRING_HEAD_OTHER		BIT_ULL(63)

/**
 * struct tring_key - what a ring knows an event by
 * @head: for tring_reserve(), with tring_context(). It gets a short type when the
 *	event occurs, so it is to be read anew for each record
 * @length: of its fields, or 0 if that varies
 * @list: in tring_buffer::keys
 */
struct tring_key {
	u64			head;
	unsigned int		length;
	struct list_head	list;
};

/**
 * tring_event_key - key of an event that has no short id
 * @id: ftrace's, not 0, TRING_ID_MAX at most
 */
static __always_inline u64 tring_event_key(u16 id)
{
	return TRING_HEAD_OTHER | (u64)id << TRING_HEAD_ID_SHIFT;
}

/* The type in a head; 0: it has none. */
static __always_inline unsigned int tring_head_type(u64 head)
{
	return head & TRING_TYPE_MASK;
}

/* ftrace's id in a head. */
static __always_inline u16 tring_head_id(u64 head)
{
	return head >> TRING_HEAD_ID_SHIFT;
}

/* The context byte in a head. */
static __always_inline u8 tring_head_context(u64 head)
{
	return head >> TRING_HEAD_CONTEXT_SHIFT;
}

/**
 * tring_context - the context that a record is written in
 * @flags: of struct trace_entry
 * @preempt_count: of struct trace_entry
 *
 * Return: a part of a head.
 */
static __always_inline u64 tring_context(u8 flags, u8 preempt_count)
{
	u64 byte = tring_context_pack(flags, preempt_count);

	if (tring_context_is_full(byte))
		return TRING_HEAD_OTHER | byte << TRING_HEAD_CONTEXT_SHIFT |
		       (preempt_count << 8 | flags) << TRING_HEAD_FLAGS_SHIFT;
	return byte << TRING_HEAD_CONTEXT_SHIFT;
}

#endif /* _TRING_HEAD_H */
