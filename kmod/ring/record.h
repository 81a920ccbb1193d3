/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A record's head: the word in which a probe hands it to the ring, and the bytes in
 * which it lies in a packet. uapi/format.md describes the bytes.
 */
#ifndef _TRING_RING_RECORD_H
#define _TRING_RING_RECORD_H

#include <linux/bits.h>
#include <linux/limits.h>
#include <linux/string.h>
#include <linux/types.h>

#include "tring_format.h"

/*
 * Event and context of a record in one word, so that a short head is a single store.
 * Key and context come from session/key.h; the caller combines them with "|".
 *
 *	bits 0-4	type, if the event has a short one		key
 *	bits 8-15	flags, if the context is full			context
 *	bits 16-23	preempt count, if the context is full		context
 *	bits 32-39	context byte					context
 *	bits 40-55	ftrace's id					key
 *	bit 56		the length varies				key
 *	bit 57		the event asks for a short type			key
 *	bit 63		the fast path cannot write this head: the	key, context
 *			context is full, or there is no short type
 */
#define TRING_HEAD_FLAGS_SHIFT		8
#define TRING_HEAD_CONTEXT_SHIFT	32
#define TRING_HEAD_ID_SHIFT		40
#define TRING_HEAD_VARIES		BIT_ULL(56)
#define TRING_HEAD_WANTS		BIT_ULL(57)
#define TRING_HEAD_OTHER		BIT_ULL(63)

/* Short type in a head; 0 if it has none. */
static __always_inline unsigned int tring_head_type(u64 head)
{
	return head & TRING_TYPE_MASK;
}

/* ftrace's id in a head. */
static __always_inline u16 tring_head_id(u64 head)
{
	return head >> TRING_HEAD_ID_SHIFT;
}

/* Context byte in a head. */
static __always_inline u8 tring_head_context(u64 head)
{
	return head >> TRING_HEAD_CONTEXT_SHIFT;
}

/* Type of a record with a compact timestamp and @room bytes of fields. */
static inline unsigned int tring_compact_type(u64 head, unsigned long room)
{
	if (!tring_head_type(head) || (head & TRING_HEAD_VARIES && room > U16_MAX))
		return TRING_TYPE_LONG;
	return tring_head_type(head);
}

/* Size of a head with a pid. */
static __always_inline unsigned int tring_head_size(unsigned int type, u64 head)
{
	return tring_context_offset(type) +
	       tring_context_size(tring_head_context(head) | TRING_CONTEXT_HAS_PID) +
	       tring_length_size(type, head & TRING_HEAD_VARIES);
}

static __always_inline void *tring_put_bytes(void *data, const void *value, size_t size)
{
	memcpy(data, value, size);
	return data + size;
}

/**
 * tring_head_write - write a head with a pid
 * @data: where the record begins
 * @stamp: its timestamp
 * @type: its type
 * @head: event and context
 * @pid: of the writer
 * @room: bytes of fields
 *
 * Return: where the fields begin, tring_head_size() behind @data.
 */
static __always_inline void *
tring_head_write(void *data, u64 stamp, unsigned int type, u64 head, u32 pid, u32 room)
{
	u32 word = tring_header_pack(stamp, type, TRING_HOST_BIG_ENDIAN);
	u8 context = tring_head_context(head) | TRING_CONTEXT_HAS_PID;
	u16 long_id = tring_head_id(head) + TRING_LONG_ID_BASE;
	u16 short_room = room;

	data = tring_put_bytes(data, &word, TRING_WORD_SIZE);
	if (type > TRING_TYPE_SHORT_MAX) {
		if (type == TRING_TYPE_EXTENDED)
			data = tring_put_bytes(data, &stamp, TRING_STAMP_SIZE);
		data = tring_put_bytes(data, &long_id, TRING_ID_SIZE);
	}
	data = tring_put_bytes(data, &context, sizeof(context));
	data = tring_put_bytes(data, &pid, TRING_PID_SIZE);
	if (tring_context_is_full(context)) {
		((u8 *)data)[0] = head >> TRING_HEAD_FLAGS_SHIFT;
		((u8 *)data)[1] = head >> (TRING_HEAD_FLAGS_SHIFT + 8);
		data += TRING_FULL_SIZE;
	}
	if (type > TRING_TYPE_SHORT_MAX)
		data = tring_put_bytes(data, &room, TRING_LONG_LENGTH_SIZE);
	else if (head & TRING_HEAD_VARIES)
		data = tring_put_bytes(data, &short_room, TRING_SHORT_LENGTH_SIZE);
	return data;
}

/**
 * tring_head_store - write the head of a short record without a full context
 * @data: where the record begins
 * @stamp: its timestamp
 * @head: event and context
 * @varies: @head & TRING_HEAD_VARIES, which a probe knows at compile time
 * @pid: of the writer; NULL: the head has none
 * @room: bytes of fields
 *
 * One store writes the word, the context byte and three bytes more. Those belong to what
 * follows, of which there are at least four bytes, and which is not written yet.
 *
 * Return: where the fields begin.
 */
static __always_inline void *
tring_head_store(void *data, u64 stamp, u64 head, bool varies, const u32 *pid, u16 room)
{
	if (pid)
		head |= (u64)TRING_CONTEXT_HAS_PID << TRING_HEAD_CONTEXT_SHIFT;
#ifdef __BIG_ENDIAN
	head = (u64)tring_header_pack(stamp, tring_head_type(head), true) << 32 |
	       (u64)tring_head_context(head) << 24;
#else
	head |= tring_header_pack(stamp, 0, false);
#endif
	memcpy(data, &head, sizeof(head));
	data += TRING_WORD_SIZE + 1;
	/* Nothing in a packet is aligned: memcpy() of a constant size is one store. */
	if (pid)
		data = tring_put_bytes(data, pid, TRING_PID_SIZE);
	if (varies)
		data = tring_put_bytes(data, &room, TRING_SHORT_LENGTH_SIZE);
	return data;
}

#endif /* _TRING_RING_RECORD_H */
