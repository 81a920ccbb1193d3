/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A checking walk over the records of a packet, for tests in the kernel.
 * See uapi/format.md for the rules.
 */
#ifndef _TRING_KUNIT_WALK_H
#define _TRING_KUNIT_WALK_H

#include <linux/types.h>

#include "tring_format.h"

/**
 * struct walk - a cursor over a packet's records, and the current record
 * @packet: the packet, in this machine's byte order
 * @content: bytes from the packet's start to the end of the last record
 * @next: offset of the next record
 * @reason: what is wrong with the header or the current record, or NULL
 * @events: records up to the current one, without discarded ones
 * @discarded: discarded records up to the current one
 * @offset: offset of the current record
 * @type: type of the current record
 * @id: number of its CTF event class: its short type, or the id that it carries
 * @stamp: its full timestamp
 * @context: its context byte
 * @flags: its flags, as in struct trace_entry
 * @preempt_count: its preempt count, as in struct trace_entry
 * @pid: its pid; if the record carries none, the pid of the record before it
 * @room: bytes of its fields
 * @fields: its fields
 */
struct walk {
	const void	*packet;
	size_t		content;
	size_t		next;
	const char	*reason;
	unsigned long	events;
	unsigned long	discarded;
	size_t		offset;
	unsigned int	type;
	u16		id;
	u64		stamp;
	u8		context;
	u8		flags;
	u8		preempt_count;
	u32		pid;
	u32		room;
	const void	*fields;
};

bool walk_begin(struct walk *walk, const void *packet, size_t room);
bool walk_next(struct walk *walk);
bool walk_packet(struct walk *walk, const void *packet, size_t room);
void walk_dump(const void *packet, size_t room);

static inline bool walk_has_pid(const struct walk *walk)
{
	return walk->context & TRING_CONTEXT_HAS_PID;
}

static inline bool walk_is_discarded(const struct walk *walk)
{
	return walk->id == TRING_TYPE_DISCARDED;
}

#endif /* _TRING_KUNIT_WALK_H */
