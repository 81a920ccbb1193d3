/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The key by which an event is recorded, see short.c, and the context of its records. Nothing here
 * needs a ring.
 */
#ifndef _TRING_KEY_H
#define _TRING_KEY_H

#include <linux/list.h>
#include <linux/types.h>

#include "ring/record.h"

/**
 * struct tring_key - an event, from tring_buffer_add_event()
 * @head: key for tring_reserve(). It changes when the event gets a short type, so a
 *	probe reads it for each record.
 * @length: bytes of fields; 0 if the length varies
 * @asked: how often the event has asked for a short type in this trace
 * @list: entry in tring_session::keys
 */
struct tring_key {
	u64			head;
	unsigned int		length;
	unsigned int		asked;
	struct list_head	list;
};

/**
 * tring_event_key - key of an event without a short type
 * @id: ftrace's id, 1 to TRING_ID_MAX
 */
static __always_inline u64 tring_event_key(u16 id)
{
	return TRING_HEAD_OTHER | (u64)id << TRING_HEAD_ID_SHIFT;
}

/**
 * tring_context - context part of a head
 * @flags: of struct trace_entry
 * @preempt_count: of struct trace_entry
 */
static __always_inline u64 tring_context(u8 flags, u8 preempt_count)
{
	u64 byte = tring_context_pack(flags, preempt_count);

	if (tring_context_is_full(byte))
		return TRING_HEAD_OTHER | byte << TRING_HEAD_CONTEXT_SHIFT |
		       (preempt_count << 8 | flags) << TRING_HEAD_FLAGS_SHIFT;
	return byte << TRING_HEAD_CONTEXT_SHIFT;
}

#endif /* _TRING_KEY_H */
