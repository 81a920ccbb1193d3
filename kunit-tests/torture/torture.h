/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the torture module writes and the torture program checks: events that
 * say who wrote them, which of his each is, how long it is, what must be in the
 * record's head and what its bytes add up to. Read by the kernel and by the
 * program, so that both mean the same.
 */
#ifndef _TRING_TORTURE_H
#define _TRING_TORTURE_H

#include <linux/types.h>
#ifdef __KERNEL__
#include <linux/string.h>
#else
#include <string.h>
#endif

/**
 * enum torture_context - who interrupts whom on a CPU, lowest first
 * @TORTURE_TASK: a thread bound to the CPU
 * @TORTURE_SOFTIRQ: a timer in softirq
 * @TORTURE_HARDIRQ: a timer in hardirq
 * @TORTURE_NMI: an NMI, sent by any CPU's timer
 * @TORTURE_CLOCK: the clock itself, traced by a kprobe; on top of any of them
 * @TORTURE_CONTEXTS: how many there are
 *
 * None of them nests in itself but by the module's own doing.
 */
enum torture_context {
	TORTURE_TASK,
	TORTURE_SOFTIRQ,
	TORTURE_HARDIRQ,
	TORTURE_NMI,
	TORTURE_CLOCK,
	TORTURE_CONTEXTS
};

/* Ids of events, of which ftrace has fewer. */
enum torture_id {
	TORTURE_VARYING = 4242,	/* short id; each record says its length */
	TORTURE_FIXED,		/* short id; all have TORTURE_FIXED_FILL */
	TORTURE_LONG		/* no short id */
};

/* Bytes; with those before it, as long as a sched_switch. */
#define TORTURE_FIXED_FILL	34

#define TORTURE_CONTEXT_MASK	0x7f
/* torture_event::context: the fill begins with struct torture_times. */
#define TORTURE_TIMED		0x80

/**
 * struct torture_event - fields of an event
 * @checksum: of all other bytes
 * @sequence: number of this CPU's and context's events, from 1. Events that are
 *	discarded and events for which recording was off take no number; events
 *	that were refused do. A round has less than 2^32 of them
 * @length: of the fields
 * @pid: that the record must have
 * @id: enum torture_id, likewise
 * @flags: likewise
 * @preempt_count: likewise
 * @context: enum torture_context, perhaps with TORTURE_TIMED
 * @cpu: of the writer
 * @fill: pseudo-random
 *
 * Packed, as records begin at any byte.
 */
struct torture_event {
	__u32	checksum;
	__u32	sequence;
	__u32	length;
	__s32	pid;
	__u16	id;
	__u8	flags;
	__u8	preempt_count;
	__u8	context;
	__u8	cpu;
	__u8	fill[];
} __packed;

/**
 * struct torture_times - the ring's clock, as its writer saw it
 * @before: before the reservation
 * @after: after it
 */
struct torture_times {
	__u64	before;
	__u64	after;
};

static inline __u64 torture_mix(__u64 sum, __u64 word)
{
	sum = (sum ^ word) * 0x9e3779b97f4a7c15ULL;
	return sum ^ sum >> 29;
}

/**
 * torture_checksum - of an event, its checksum excepted
 * @event: its fields
 * @length: of it, at least sizeof(*event)
 */
static inline __u32 torture_checksum(const struct torture_event *event, __u32 length)
{
	__u32 left = length - sizeof(*event), count = left / 8;
	__u32 head = event->id | event->flags << 16 | (__u32)event->preempt_count << 24;
	const __u8 *fill = event->fill;
	__u64 sum, word;

	sum = torture_mix(event->context | event->cpu << 8, head);
	sum = torture_mix(sum, (__u64)event->sequence << 32 | event->length);
	sum = torture_mix(sum, (__u32)event->pid);
	for (; count; count--, fill += 8) {
		memcpy(&word, fill, 8);
		sum = torture_mix(sum, word);
	}
	if (left % 8) {
		word = 0;
		memcpy(&word, fill, left % 8);
		sum = torture_mix(sum, word);
	}
	return sum ^ sum >> 32;
}

#endif /* _TRING_TORTURE_H */
