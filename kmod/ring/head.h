/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A record's head in a packet, where it has a pid or no context at all: how long it
 * is, and writing it. The shortest with a context, without a pid, is ring/fast.h's.
 * See uapi/format.md.
 */
#ifndef _TRING_RING_HEAD_H
#define _TRING_RING_HEAD_H

#include <linux/limits.h>
#include <linux/string.h>

#include "record.h"
#include "fast.h"
#include "tring_format.h"

/*
 * Is there anything in the head that the fast path does not write, but for the
 * pid? Nearly always there is not. No fixed length is that large.
 */
static __always_inline bool is_unusual(u64 head, unsigned long room)
{
	/* Two branches: else the compiler computes one condition. */
	if (unlikely((s64)head < 0))
		return true;
	return unlikely(room > U16_MAX);
}

/* The type of a record whose timestamp is compact. */
static inline unsigned int compact_type(u64 head, unsigned long room)
{
	if (!tring_head_type(head) || (head & TRING_HEAD_VARIES && room > U16_MAX))
		return TRING_TYPE_LONG;
	return tring_head_type(head);
}

/* Bytes before the fields of a record that has its pid, or no context. */
static inline unsigned int head_size(unsigned int type, u64 head)
{
	unsigned int size = tring_context_offset(type) +
			    tring_length_size(type, head & TRING_HEAD_VARIES);

	if (head & TRING_HEAD_BARE)
		return size;
	return size + tring_context_size(tring_head_context(head) | TRING_CONTEXT_HAS_PID);
}

/* The same of one that has a compact timestamp and is not unusual. */
static __always_inline unsigned long usual_head_size(u64 head)
{
	return TRING_WORD_SIZE + 1 + TRING_PID_SIZE +
	       (head & TRING_HEAD_VARIES ? 1UL : 0) * TRING_SHORT_LENGTH_SIZE;
}

/* The context, with the pid. Returns what is behind it. */
static __always_inline void *write_context(void *data, u64 head, u32 pid)
{
	u8 byte = tring_head_context(head) | TRING_CONTEXT_HAS_PID;

	*(u8 *)data++ = byte;
	memcpy(data, &pid, TRING_PID_SIZE);
	data += TRING_PID_SIZE;
	if (unlikely(tring_context_is_full(byte))) {
		((u8 *)data)[0] = head >> TRING_HEAD_FLAGS_SHIFT;
		((u8 *)data)[1] = head >> (TRING_HEAD_FLAGS_SHIFT + 8);
		data += TRING_FULL_SIZE;
	}
	return data;
}

/* All of a record that is before its fields. */
static noinline void write_head(void *data, u64 stamp, unsigned int type, u64 head, u32 pid,
				unsigned long room)
{
	u32 word = tring_header_pack(stamp, type, TRING_HOST_BIG_ENDIAN);
	u16 long_id = tring_head_id(head) + TRING_LONG_ID_BASE;
	u16 short_room = room;
	u32 long_room = room;

	memcpy(data, &word, sizeof(word));
	data += TRING_WORD_SIZE;
	if (type == TRING_TYPE_EXTENDED) {
		memcpy(data, &stamp, TRING_STAMP_SIZE);
		data += TRING_STAMP_SIZE;
	}
	if (type > TRING_TYPE_SHORT_MAX) {
		memcpy(data, &long_id, TRING_ID_SIZE);
		data += TRING_ID_SIZE;
	}
	if (!(head & TRING_HEAD_BARE))
		data = write_context(data, head, pid);
	if (type > TRING_TYPE_SHORT_MAX)
		memcpy(data, &long_room, TRING_LONG_LENGTH_SIZE);
	else if (head & TRING_HEAD_VARIES)
		memcpy(data, &short_room, TRING_SHORT_LENGTH_SIZE);
}

/* The same of a usual one; @before is its usual_head_size(). */
static __always_inline void
write_usual_head(void *data, u64 stamp, u64 head, unsigned long before, u32 pid,
		 unsigned long room)
{
	u16 short_room = room;

	tring_head_store(data, stamp,
			 head | (u64)TRING_CONTEXT_HAS_PID << TRING_HEAD_CONTEXT_SHIFT);
	memcpy(data + TRING_WORD_SIZE + 1, &pid, TRING_PID_SIZE);
	if (before > TRING_WORD_SIZE + 1 + TRING_PID_SIZE)
		memcpy(data + TRING_WORD_SIZE + 1 + TRING_PID_SIZE, &short_room,
		       TRING_SHORT_LENGTH_SIZE);
}

/* The fields: perhaps less than the least was asked for. */
static __always_inline void begin_fields(void *fields)
{
	memset(fields, 0, TRING_FIELDS_MIN);
}

#endif /* _TRING_RING_HEAD_H */
