// SPDX-License-Identifier: GPL-2.0
/*
 * Writing: one event after another, of all kinds and of random length, some taken
 * back, some with others written before they are committed. Runs in any context,
 * and keeps its own account of what the ring said to each, which the ring's
 * counters are compared with in the end.
 *
 * Who is interrupted decides what pid most of an interrupt's events have, as in a
 * trace.
 */

#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/trace_events.h>

#include "compat.h"
#include "module.h"
#include "ring/fast.h"

/* Events that lie open at once in one context, by its own doing. */
#define NESTING_MAX	3
/* Longest fill of an event that is copied into the ring. */
#define COPY_FILL_MAX	64
/* Longer than the smallest sub-buffer: refused, as long as sub-buffers are small. */
#define LONG_FILL_MAX	5000

struct torture_cpu {
	struct torture_writer writers[TORTURE_CONTEXTS];
};

static DEFINE_PER_CPU(struct torture_cpu, cpus);
static struct tring_buffer *torture_buffer;
static u64 varying_key, fixed_key;

/**
 * torture_writer - the account of one context of one CPU
 * @cpu: which
 * @context: which
 */
struct torture_writer *torture_writer(int cpu, enum torture_context context)
{
	return &per_cpu(cpus, cpu).writers[context];
}

/**
 * torture_random - a pseudo-random number
 * @writer: whose
 *
 * Marsaglia's xorshift: a few instructions, as there are up to six numbers
 * to an event.
 */
u64 torture_random(struct torture_writer *writer)
{
	u64 x = writer->random;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	writer->random = x;
	return x >> 8;
}

/* 1 in @every, never if that is 0. */
static bool chance(u64 *dice, unsigned int every)
{
	bool yes = every && (*dice & 0xfff) % every == 0;

	*dice >>= 12;
	return yes;
}

/**
 * torture_write_begin - new account, new numbers
 * @buffer: where to write from now on
 *
 * Context: task, while nothing writes; may sleep.
 */
void torture_write_begin(struct tring_buffer *buffer)
{
	int cpu, context;

	torture_buffer = buffer;
	varying_key = tring_buffer_add_event(buffer, TORTURE_VARYING, 0);
	fixed_key = tring_buffer_add_event(buffer, TORTURE_FIXED,
					   sizeof(struct torture_event) + TORTURE_FIXED_FILL);
	for_each_possible_cpu(cpu) {
		for (context = 0; context < TORTURE_CONTEXTS; context++) {
			struct torture_writer *writer = torture_writer(cpu, context);

			memset(writer, 0, sizeof(*writer));
			writer->random = get_random_u64() | 1;
		}
	}
}

/**
 * torture_write_end - nothing is written any more
 *
 * Context: as torture_write_begin().
 */
void torture_write_end(void)
{
	tring_buffer_remove_event(torture_buffer, varying_key);
	tring_buffer_remove_event(torture_buffer, fixed_key);
}

static enum tring_refusal find_refusal(int err)
{
	switch (err) {
	case -ENOBUFS:
		return TRING_REFUSED_NO_ROOM;
	case -EBUSY:
		return TRING_REFUSED_OPEN_COMMIT;
	case -E2BIG:
		return TRING_REFUSED_TOO_LARGE;
	case -EAGAIN:
		return TRING_REFUSED_RETRIES;
	case -ELOOP:
		return TRING_REFUSED_NESTED;
	case -EIO:
		return TRING_REFUSED_STOPPED;
	case -ENOMEM:
		return TRING_REFUSED_NO_MEMORY;
	case -ESHUTDOWN:
		return TRING_REFUSED_OFF;
	default:
		return TRING_REFUSALS;
	}
}

/* Nobody else writes a writer's account, but it may be shown meanwhile. */
static void count(u64 *counter, u64 by)
{
	WRITE_ONCE(*counter, *counter + by);
}

/* What the ring said to event number @sequence of @writer. */
static void account(struct torture_writer *writer, int err, u64 sequence)
{
	enum tring_refusal reason;

	if (!err) {
		WRITE_ONCE(writer->sequence, sequence);
		return;
	}
	reason = find_refusal(err);
	if (reason < TRING_REFUSALS)
		count(&writer->refused[reason], 1);
	else
		count(&writer->faults, 1);
	/* Recording off is no loss: the number is given out again. */
	if (reason != TRING_REFUSED_OFF)
		WRITE_ONCE(writer->sequence, sequence);
}

/* As ftrace's trace_entry has them, but for what no context here is in. */
static u8 own_flags(void)
{
	u8 flags = irqs_disabled() ? TRACE_FLAG_IRQS_OFF : 0;

	if (in_nmi())
		flags |= TRACE_FLAG_NMI;
	if (in_hardirq())
		flags |= TRACE_FLAG_HARDIRQ;
	if (in_serving_softirq())
		flags |= TRACE_FLAG_SOFTIRQ;
	if (test_tsk_need_resched(current))
		flags |= TRACE_FLAG_NEED_RESCHED;
	if (test_preempt_need_resched())
		flags |= TRACE_FLAG_PREEMPT_RESCHED;
	return flags;
}

/* What a record's head has: which event it is, and who writes it in what context. */
static void choose_head(struct torture_writer *writer, struct torture_event *event,
			u64 *dice, unsigned int *fill)
{
	u64 random;

	event->id = TORTURE_VARYING;
	if (chance(dice, READ_ONCE(torture_options.no_short_every))) {
		event->id = TORTURE_LONG;
	} else if (chance(dice, READ_ONCE(torture_options.fixed_every))) {
		event->id = TORTURE_FIXED;
		*fill = TORTURE_FIXED_FILL;
	}
	event->pid = current->pid;
	if (chance(dice, READ_ONCE(torture_options.pid_every)))
		event->pid = torture_random(writer) % 4;
	event->flags = own_flags();
	event->preempt_count = preempt_count() & PREEMPT_MASK;
	if (chance(dice, READ_ONCE(torture_options.full_every))) {
		random = torture_random(writer);
		event->flags = random;
		/* Half of them such that a byte might do. */
		event->preempt_count = random & BIT(16) ? random >> 8 & 7 : random >> 8;
	}
}

static u64 key_of(const struct torture_event *event)
{
	if (event->id == TORTURE_LONG)
		return tring_event_key(TORTURE_LONG);
	return event->id == TORTURE_FIXED ? fixed_key : varying_key;
}

/* @length: of the fields, of which @chosen has those that a record's head tells. */
static void fill_in(struct torture_writer *writer, void *fields,
		    const struct torture_event *chosen, enum torture_context context,
		    u64 sequence, u32 length, const struct torture_times *times)
{
	struct torture_event *event = fields;
	u8 *fill = event->fill, *end = fields + length;
	u64 random = writer->random;

	memcpy(event, chosen, sizeof(*event));
	event->context = context;
	event->cpu = smp_processor_id();
	event->sequence = sequence;
	event->length = length;
	if (times) {
		event->context |= TORTURE_TIMED;
		memcpy(fill, times, sizeof(*times));
		fill += sizeof(*times);
	}
	for (; end - fill >= 8; fill += 8) {
		random = torture_mix(random, length);
		memcpy(fill, &random, 8);
	}
	if (end > fill)
		memcpy(fill, &random, end - fill);
	event->checksum = torture_checksum(event, length);
}

/* By tring_write(): the payload is somewhere else first, and has a trace_entry. */
static void write_copy(struct torture_writer *writer, const struct torture_event *chosen,
		       enum torture_context context, u32 length)
{
	struct {
		struct trace_entry	entry;
		u8			fields[sizeof(struct torture_event) + COPY_FILL_MAX];
	} payload;
	u64 sequence = writer->sequence + 1;
	int err;

	payload.entry = (struct trace_entry){
		.type = chosen->id,
		.flags = chosen->flags,
		.preempt_count = chosen->preempt_count,
		.pid = chosen->pid,
	};
	fill_in(writer, payload.fields, chosen, context, sequence, length, NULL);
	err = tring_write(torture_buffer, key_of(chosen), &payload,
			  TRING_PAYLOAD_HEAD + length);
	account(writer, err, sequence);
	if (!err) {
		count(&writer->committed, 1);
		count(&writer->bytes, length);
	}
}

static void write_one(struct torture_writer *writer, enum torture_context context,
		      unsigned int depth)
{
	struct tring_record TRING_UNINITIALIZED record;
	u64 dice = torture_random(writer), sequence;
	struct torture_event chosen = { };
	struct torture_times times;
	bool discard, timed, nest;
	unsigned int fill;
	void *fields;
	u32 length;
	int err;

	fill = READ_ONCE(torture_options.fill_max);
	fill = fill ? (dice & 0xffff) % fill : 0;
	dice >>= 16;
	if (chance(&dice, READ_ONCE(torture_options.long_every)))
		fill = torture_random(writer) % LONG_FILL_MAX;
	discard = chance(&dice, READ_ONCE(torture_options.discard_every));
	nest = depth < NESTING_MAX && chance(&dice, READ_ONCE(torture_options.nest_every));
	dice = torture_random(writer);
	choose_head(writer, &chosen, &dice, &fill);
	dice = torture_random(writer);
	timed = fill >= sizeof(times) && chance(&dice, READ_ONCE(torture_options.time_every));
	length = sizeof(struct torture_event) + fill;
	if (fill <= COPY_FILL_MAX && chance(&dice, READ_ONCE(torture_options.copy_every))) {
		write_copy(writer, &chosen, context, length);
		return;
	}

	sequence = writer->sequence + 1;
	if (timed)
		times.before = tring_clock_read(TRING_CLOCK_MONO);
	err = tring_reserve(torture_buffer, key_of(&chosen) |
			    tring_context(chosen.flags, chosen.preempt_count), chosen.pid,
			    TRING_PAYLOAD_HEAD + length, &record);
	if (err || !discard)
		account(writer, err, sequence);
	if (err)
		return;
	if (timed)
		times.after = tring_clock_read(TRING_CLOCK_MONO);
	if (nest)
		write_one(writer, context, depth + 1);
	fields = record.payload + TRING_PAYLOAD_HEAD;
	if (discard) {
		memset(fields, 0xdb, length);
		count(&writer->discarded, 1);
		tring_discard(&record);
		return;
	}
	fill_in(writer, fields, &chosen, context, sequence, length, timed ? &times : NULL);
	tring_commit(&record);
	count(&writer->committed, 1);
	count(&writer->bytes, length);
}

/**
 * torture_write - write events
 * @context: that the caller is in
 * @count: how many; those that nest in them come on top
 *
 * Context: @context, on a CPU that the caller cannot be moved from.
 */
void torture_write(enum torture_context context, unsigned int count)
{
	struct torture_writer *writer = torture_writer(smp_processor_id(), context);

	while (count--)
		write_one(writer, context, 0);
}
