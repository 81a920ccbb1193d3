// SPDX-License-Identifier: GPL-2.0
/*
 * Writes events of all kinds and of random length. Some are discarded; some have
 * others nested in them. This runs in any context and keeps an account of the ring's
 * answers, which the torture program compares with the ring's counters in the end.
 *
 * Most events of an interrupt have the pid of the interrupted task, as in a real trace.
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
#include "session/session.h"
#include "../write.h"

/* Largest number of open events of one context, by nest_every. */
#define NESTING_MAX	3
/* Longest fill of an event that is written by tring_write(). */
#define COPY_FILL_MAX	64
/* The smallest sub-buffers have no room for the longest of these events. */
#define LONG_FILL_MAX	5000

struct torture_cpu {
	struct torture_writer writers[TORTURE_CONTEXTS];
};

static DEFINE_PER_CPU(struct torture_cpu, cpus);
static struct tring_buffer *torture_buffer;
static struct tring_key varying_key, fixed_key;

/**
 * torture_writer - account of one context of one CPU
 * @cpu: the CPU
 * @context: the context
 */
struct torture_writer *torture_writer(int cpu, enum torture_context context)
{
	return &per_cpu(cpus, cpu).writers[context];
}

/**
 * torture_random - pseudo-random number
 * @writer: account that holds the generator's state
 *
 * Marsaglia's xorshift takes a few instructions only; an event needs up to six
 * numbers.
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

/* True once in @every calls, never if @every is 0. */
static bool chance(u64 *dice, unsigned int every)
{
	bool yes = every && (*dice & 0xfff) % every == 0;

	*dice >>= 12;
	return yes;
}

/**
 * torture_write_begin - start new accounts
 * @buffer: buffer that the contexts will write into
 *
 * Context: task, while no context writes; may sleep.
 */
void torture_write_begin(struct tring_buffer *buffer)
{
	int cpu, context;

	torture_buffer = buffer;
	tring_buffer_add_event(buffer, &varying_key, TORTURE_VARYING, 0, true);
	tring_buffer_add_event(buffer, &fixed_key, TORTURE_FIXED,
			       sizeof(struct torture_event) + TORTURE_FIXED_FILL, true);
	for_each_possible_cpu(cpu) {
		for (context = 0; context < TORTURE_CONTEXTS; context++) {
			struct torture_writer *writer = torture_writer(cpu, context);

			memset(writer, 0, sizeof(*writer));
			writer->random = get_random_u64() | 1;
		}
	}
}

/**
 * torture_write_end - release the buffer's types
 *
 * Context: task, while no context writes; may sleep.
 */
void torture_write_end(void)
{
	tring_buffer_remove_event(torture_buffer, &varying_key);
	tring_buffer_remove_event(torture_buffer, &fixed_key);
}

/* Only one context writes an account, but "counters" may show it meanwhile. */
static void count(u64 *counter, u64 by)
{
	WRITE_ONCE(*counter, *counter + by);
}

/* Note the ring's answer to event number @sequence. */
static void account(struct torture_writer *writer, int err, u64 sequence)
{
	enum tring_refusal reason;

	if (!err) {
		WRITE_ONCE(writer->sequence, sequence);
		return;
	}
	reason = refusal_of(err);
	if (reason < TRING_REFUSALS)
		count(&writer->refused[reason], 1);
	else
		count(&writer->faults, 1);
	/* While recording is off no event is lost: use the number again. */
	if (reason != TRING_REFUSED_OFF)
		WRITE_ONCE(writer->sequence, sequence);
}

/* Flags of struct trace_entry, without those that no context here has. */
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

/* Choose what the record's head must have: event, pid, flags and preempt count. */
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
		/* Half of these preempt counts may fit into the context byte. */
		event->preempt_count = random & BIT(16) ? random >> 8 & 7 : random >> 8;
	}
}

static u64 key_of(const struct torture_event *event)
{
	if (event->id == TORTURE_LONG)
		return tring_event_key(TORTURE_LONG);
	return READ_ONCE((event->id == TORTURE_FIXED ? &fixed_key : &varying_key)->head);
}

/* Fill @length bytes of fields. @chosen holds the members that the head repeats. */
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

/* Write by tring_write(), which copies a payload that has a struct trace_entry. */
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
		times.before = tring_clock_read(TRING_CLOCK_MONO, NULL);
	err = tring_reserve(torture_buffer, key_of(&chosen) |
			    tring_context(chosen.flags, chosen.preempt_count), chosen.pid,
			    TRING_PAYLOAD_HEAD + length, &record);
	if (err || !discard)
		account(writer, err, sequence);
	if (err)
		return;
	if (timed)
		times.after = tring_clock_read(TRING_CLOCK_MONO, NULL);
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
 * @context: context of the caller
 * @count: number of events, without those that nest in them
 *
 * Context: @context; the caller must not migrate to another CPU.
 */
void torture_write(enum torture_context context, unsigned int count)
{
	struct torture_writer *writer = torture_writer(smp_processor_id(), context);

	while (count--)
		write_one(writer, context, 0);
}
