/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Types and functions that the stress suite's writers and its reader share.
 */
#ifndef _TRING_KUNIT_STRESS_H
#define _TRING_KUNIT_STRESS_H

#include <linux/completion.h>
#include <linux/crc32.h>
#include <linux/hrtimer.h>
#include <linux/prandom.h>

#include "helpers.h"

/* ftrace's ids of the events: with a varying length, a fixed one, and no short type. */
#define STRESS_VARYING_ID	1000
#define STRESS_FIXED_ID		1001
#define STRESS_LONG_ID		1002
#define STRESS_FIXED_LENGTH	(sizeof(struct stress_event) + 20)
/* Longest fields; such a record takes most of a sub-buffer. */
#define STRESS_LENGTH	3900

enum stress_context {
	STRESS_TASK,
	STRESS_SOFT,
	STRESS_HARD,
	STRESS_CONTEXTS
};

/**
 * struct stress_event - the fields of an event
 * @context: enum stress_context of the writer
 * @flags: flags that the record must have
 * @preempt_count: preempt count that the record must have
 * @unused: zero
 * @pid: pid that the record must have
 * @cpu: CPU of the writer
 * @length: length of the fields
 * @checksum: checksum of all other members
 * @sequence: number among the attempts of this CPU and context, from 1
 * @before: clock before the reservation
 * @after: clock after the reservation
 * @fill: pseudo-random bytes
 *
 * Records begin at any byte.
 */
struct stress_event {
	u8	context;
	u8	flags;
	u8	preempt_count;
	u8	unused;
	u32	pid;
	u32	cpu;
	u32	length;
	u32	checksum;
	u64	sequence;
	u64	before;
	u64	after;
	u8	fill[];
} __packed;

/* Largest sub-buffer size that change_things() sets. */
#define CHANGED_SUBBUF_MAX	(4 * PAGE_SIZE)

/* Account of one context of one CPU. Only that context writes it. */
struct stress_writer {
	u64		attempts;
	u64		committed;
	u64		discarded;
	u64		refused[TRING_REFUSALS];
	u64		unknown_errors;
	struct rnd_state random;
};

struct stress;

struct stress_cpu {
	struct stress		*stress;
	int			cpu;
	struct stress_writer	writers[STRESS_CONTEXTS];
	struct hrtimer		hard, soft;
	struct task_struct	*task;
	struct completion	done;
	struct tring_stream	*stream;
	/* Only the reader uses these. */
	u64			last_sequence[STRESS_CONTEXTS];
	u64			next_packet, gap, packets;
	u64			last_stamp, last_lost;
	u64			read;
	bool			opened;
};

struct stress {
	struct kunit		*test;
	struct tring_buffer	*buffer;
	struct tring_key	varying, fixed;
	bool			stop;
	struct stress_cpu	*cpus;
	struct task_struct	*changer;
	struct completion	changed;
	unsigned long		changes, peeked;
	unsigned long		pids_left_out;
	unsigned long		faults;
	const char		*fault;
	u64			got, wanted;
};

static inline u32 stress_checksum(const struct stress_event *event, u32 length)
{
	u32 sum = crc32_le(~0, (const u8 *)event, offsetof(struct stress_event, checksum));

	return crc32_le(sum, (const u8 *)&event->sequence,
			length - offsetof(struct stress_event, sequence));
}

/* stress_write.c APIs: */
int stress_write_from_task(void *data);
void stress_write_last(void *data);

/* stress_verify.c APIs: */
void stress_fault(struct stress *stress, const char *what, u64 got, u64 wanted);
void stress_expect(struct stress *stress, const char *what, u64 got, u64 wanted);
bool stress_read_one(struct stress *stress, struct stress_cpu *cpu, bool flush);
void stress_peek_all(struct stress *stress, int cpu, void *copy);
void stress_balance_cpu(struct stress *stress, struct stress_cpu *cpu);

#endif /* _TRING_KUNIT_STRESS_H */
