/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events that the torture module writes and the torture program checks. An event
 * holds its CPU, context, sequence number and length, the head that its record must
 * have, and a checksum. The module and the program both include this file.
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
 * enum torture_context - contexts of writers; each interrupts those before it
 * @TORTURE_TASK: thread bound to the CPU
 * @TORTURE_SOFTIRQ: timer or tasklet in softirq
 * @TORTURE_HARDIRQ: timer or IPI in hardirq
 * @TORTURE_NMI: NMI that a thread of any CPU sends
 * @TORTURE_CLOCK: kprobe on the clock, in any of the other contexts
 * @TORTURE_CONTEXTS: number of contexts
 *
 * No context interrupts itself. Only torture_options::nest_every nests events of one
 * context.
 */
enum torture_context {
	TORTURE_TASK,
	TORTURE_SOFTIRQ,
	TORTURE_HARDIRQ,
	TORTURE_NMI,
	TORTURE_CLOCK,
	TORTURE_CONTEXTS
};

/* Ids of the events. ftrace has no ids this high. */
enum torture_id {
	TORTURE_VARYING = 4242,	/* short type with a varying length */
	TORTURE_FIXED,		/* short type with the length of TORTURE_FIXED_FILL */
	TORTURE_LONG		/* no short type */
};

/* Bytes of torture_event::fill. Makes the event as long as a sched_switch. */
#define TORTURE_FIXED_FILL	34

#define TORTURE_CONTEXT_MASK	0x7f
/* Flag in torture_event::context: the fill begins with struct torture_times. */
#define TORTURE_TIMED		0x80

/**
 * struct torture_event - fields of an event
 * @checksum: checksum of all other bytes
 * @sequence: number among the events of this CPU and context, from 1. Refused events
 *	take a number; discarded events and events while recording was off take none.
 *	A round has less than 2^32 events of a context
 * @length: length of the fields
 * @pid: pid that the record must have
 * @id: enum torture_id that the record must have
 * @flags: flags that the record must have
 * @preempt_count: preempt count that the record must have
 * @context: enum torture_context, with TORTURE_TIMED if @fill begins with the times
 * @cpu: CPU of the writer
 * @fill: pseudo-random bytes
 *
 * Packed, because records begin at any byte.
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
 * struct torture_times - values of the ring's clock that the writer read
 * @before: value before the reservation
 * @after: value after the reservation
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
 * torture_checksum - checksum of an event without the checksum itself
 * @event: fields of the event
 * @length: length of the fields, at least sizeof(*event)
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
