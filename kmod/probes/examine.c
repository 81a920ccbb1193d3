// SPDX-License-Identifier: GPL-2.0
/*
 * Events whose fields matter before they are recorded, or that cause more than a record:
 * those with a filter or a stack, and those that triggers hold.
 *
 * The probe of such an event fills its record in a scratch area of the CPU. It has the head,
 * too, that filters and triggers may ask for. If the event is wanted the record is copied into
 * the ring. A record in the ring would have to be discarded, which costs more, and has no such
 * head.
 *
 * The scratch area is a stack. A probe that interrupts another one takes the memory above,
 * and has given it back when it returns. So there are no atomic operations: between a
 * probe's load of tring_scratch::top and its store an NMI may come and go, but it leaves
 * the value as it found it, and nothing of the probe's is in the memory yet.
 *
 * Probes read what is set for an event without a lock, with preemption disabled. It is
 * published, and freed a grace period after it was replaced.
 */
#include <linux/kprobes.h>
#include <linux/align.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "call_strings.h"
#include "compat.h"
#include "event.h"
#include "examine.h"
#include "filter_program.h"
#include "source.h"
#include "stack.h"
#include "trigger.h"
#include "unwind.h"

/* NULL before the first event is examined. */
struct tring_scratch __percpu *tring_scratch_areas;
TRING_EXPORT(tring_scratch_areas);

/**
 * tring_refuse_large - refuse and count a record for which there is no scratch memory
 * @buffer: the ring
 * @head: event and context
 * @pid: of the writer
 *
 * Context: any, NMI included, preemption disabled.
 */
void tring_refuse_large(struct tring_buffer *buffer, u64 head, u32 pid)
{
	struct tring_record TRING_UNINITIALIZED record;

	/* No sub-buffer is that large, so the ring does it. */
	if (!__tring_reserve(buffer, head, true, pid, U32_MAX / 2, &record))
		__tring_commit(&record);
}
NOKPROBE_SYMBOL(tring_refuse_large);

/**
 * tring_scratch_take - take scratch memory
 * @size: bytes that are wanted; set to what there is, at least a quarter of it
 *
 * Context: any, NMI included, preemption disabled.
 * Return: memory to be given to tring_scratch_give(), aligned; NULL if there is too little.
 */
void *tring_scratch_take(u32 *size)
{
	struct tring_scratch *scratch = this_cpu_ptr(tring_scratch_areas);
	u32 top = READ_ONCE(scratch->top);
	u32 rest = TRING_SCRATCH_SIZE - top;

	if (unlikely(rest < *size)) {
		if (rest < *size / 4)
			return NULL;
		*size = rest;
	}
	WRITE_ONCE(scratch->top, ALIGN(top + *size, 8));
	barrier();
	return scratch->records + top;
}
NOKPROBE_SYMBOL(tring_scratch_take);

static __always_inline void give_back(void *memory)
{
	struct tring_scratch *scratch = this_cpu_ptr(tring_scratch_areas);

	/* It has been used before another probe may overwrite it. */
	barrier();
	WRITE_ONCE(scratch->top, (u8 *)memory - scratch->records);
}

/**
 * tring_scratch_give - give back what has been taken last
 * @memory: from tring_scratch_take()
 *
 * Context: any, NMI included, preemption disabled.
 */
void tring_scratch_give(void *memory)
{
	give_back(memory);
}
NOKPROBE_SYMBOL(tring_scratch_give);

/**
 * tring_examine_refuse - refuse and count an event that tring_examine_begin() has no room for
 * @event: the event
 *
 * Context: any, NMI included, preemption disabled.
 */
void tring_examine_refuse(const struct tring_event *event)
{
	tring_refuse_large(event->buffer, READ_ONCE(event->key.head), current->pid);
}
NOKPROBE_SYMBOL(tring_examine_refuse);
TRING_EXPORT(tring_examine_refuse);

/* The head as ftrace would have it. */
static __always_inline void fill_head(const struct tring_event *event, struct trace_entry *entry)
{
	u64 context = tring_event_context(current, TRING_TRACEPOINT_DEPTH);
	u8 byte = tring_head_context(context);

	entry->type = tring_head_id(READ_ONCE(event->key.head));
	if (unlikely(tring_context_is_full(byte))) {
		entry->flags = context >> TRING_HEAD_FLAGS_SHIFT;
		entry->preempt_count = context >> (TRING_HEAD_FLAGS_SHIFT + 8);
	} else {
		entry->flags = tring_context_flags(byte);
		entry->preempt_count = tring_context_preempt_count(byte);
	}
	entry->pid = current->pid;
	tring_fill_entry_rest(entry);
}

/* The first bytes and the last ones, which may overlap. @size is constant. */
static __always_inline void copy_ends(void *to, const void *from, u32 length, size_t size)
{
	memcpy(to, from, size);
	memcpy(to + length - size, from + length - size, size);
}

/* No byte behind the last one is written. */
static __always_inline void copy_fields(void *to, const void *from, u32 length)
{
	const size_t step = 2 * sizeof(u64);
	u32 at;

	if (likely(length >= step)) {
		for (at = 0; at < length - step; at += step)
			memcpy(to + at, from + at, step);
		memcpy(to + length - step, from + length - step, step);
	} else if (length >= sizeof(u64)) {
		copy_ends(to, from, length, sizeof(u64));
	} else if (length >= sizeof(u32)) {
		copy_ends(to, from, length, sizeof(u32));
	} else {
		for (at = 0; at < length; at++)
			((u8 *)to)[at] = ((const u8 *)from)[at];
	}
}

static __always_inline bool record_examined_entry(const struct tring_event *event,
						  const struct trace_entry *entry, u32 length,
						  u64 context, u32 pid)
{
	u64 head = READ_ONCE(event->key.head);
	struct tring_record TRING_UNINITIALIZED record;

	if (__tring_reserve(event->buffer, head | context, head & TRING_HEAD_VARIES, pid, length,
			    &record))
		return false;
	copy_fields(record.payload + TRING_PAYLOAD_HEAD, (const void *)entry + TRING_PAYLOAD_HEAD,
		    length - TRING_PAYLOAD_HEAD);
	__tring_commit(&record);
	return true;
}

/* Records what has passed by its filter, if nothing else is to be done. */
static noinline TRING_PROBE void record_passed(struct tring_event *event,
					       struct trace_entry *entry, u32 length)
{
	tring_fill_entry_rest(entry);
	record_examined_entry(event, entry, length,
			      tring_event_context(current, TRING_TRACEPOINT_DEPTH), current->pid);
	give_back(entry);
}

/* A filter that does not compare numbers only. */
static noinline TRING_PROBE void match_texts(struct tring_event *event, struct trace_entry *entry,
					     u32 length, const struct tring_filter *filter)
{
	if (tring_filter_matches(filter, entry))
		record_passed(event, entry, length);
	else
		give_back(entry);
}

/* The entry has its head. Does all that may be set for an event. */
static __always_inline void examine_all(struct tring_event *event, struct trace_entry *entry,
					u32 length, struct pt_regs *regs)
{
	const struct tring_filter *filter = READ_ONCE(event->filter);
	bool has_triggers = rcu_access_pointer(event->triggers);
	/* With the bit comes the key. */
	u8 wanted = smp_load_acquire(&event->set->stacks.wanted);

	if (has_triggers)
		tring_triggers_fire(event, entry, regs, false);
	if (READ_ONCE(event->enabled) && (!filter || tring_filter_matches(filter, entry)) &&
	    record_examined_entry(event, entry, length,
				  tring_context(entry->flags, entry->preempt_count), entry->pid)) {
		if (wanted & BIT(TRING_STACK_KERNEL))
			tring_stack_record(event, entry, TRING_STACK_KERNEL, regs);
		if (wanted & BIT(TRING_STACK_USER))
			tring_stack_record(event, entry, TRING_STACK_USER, regs);
	}
	if (has_triggers)
		tring_triggers_fire(event, entry, regs, true);
	give_back(entry);
}

static noinline TRING_PROBE void examine_own(struct tring_event *event, struct trace_entry *entry,
					     u32 length)
{
	fill_head(event, entry);
	examine_all(event, entry, length, NULL);
}

/**
 * tring_examine_end - the fields of an event are filled in
 * @event: the event
 * @entry: from tring_examine_begin(), with its fields
 * @length: as given to tring_examine_begin()
 *
 * An event that its filter does not want costs most where there are many. So the filter comes
 * first if nothing else is to be done with such an event. What it lets through needs no head in
 * front of the fields then. The usual case takes no registers that would have to be saved.
 *
 * Context: any, NMI included, preemption disabled.
 */
TRING_PROBE void tring_examine_end(struct tring_event *event, struct trace_entry *entry,
				   u32 length)
{
	const struct tring_filter *filter = READ_ONCE(event->first_filter);

	if (!filter)
		examine_own(event, entry, length);
	else if (!filter->only_numbers)
		match_texts(event, entry, length, filter);
	else if (tring_filter_numbers_match(filter, entry))
		record_passed(event, entry, length);
	else
		give_back(entry);
}
TRING_EXPORT(tring_examine_end);

/**
 * tring_examine_end_by_perf - tring_examine_end() for an event by perf
 * @event: the event
 * @entry: from tring_examine_begin(), with its head and its fields
 * @length: as given to tring_examine_begin()
 * @regs: registers of the event
 *
 * Context: any, NMI included, preemption disabled.
 */
TRING_PROBE void tring_examine_end_by_perf(struct tring_event *event, struct trace_entry *entry,
					   u32 length, struct pt_regs *regs)
{
	examine_all(event, entry, length, regs);
}

/**
 * tring_examine_update - let probes examine an event, or stop it, as is set for it
 * @event: an event; all that is set for it is in place
 *
 * Context: process, with tring_events_mutex held.
 */
void tring_examine_update(struct tring_event *event)
{
	u8 tests = event->tests & ~TRING_TEST_FIELDS;

	lockdep_assert_held(&tring_events_mutex);
	if (event->filter || event->holders || event->set->stacks.wanted ||
	    tring_call_has_strings(event))
		tests |= TRING_TEST_FIELDS;
	/* Triggers see events that the filter does not want; stacks, and some filters, the head. */
	if (event->holders || event->set->stacks.wanted ||
	    (event->filter && event->filter->reads_head))
		WRITE_ONCE(event->first_filter, NULL);
	else
		WRITE_ONCE(event->first_filter, event->filter);
	/*
	 * A probe that sees the bit before what is set finds nothing, and records the event
	 * as one that came before.
	 */
	WRITE_ONCE(event->tests, tests);
}

/**
 * tring_examine_prepare - make what an event that is examined needs, before the first one is
 *
 * It stays up to the module's exit.
 *
 * Context: process, may sleep; without tring_events_mutex, as it takes the lock of the chain of
 * module notifiers.
 * Return: 0 or -ENOMEM.
 */
int tring_examine_prepare(void)
{
	static DEFINE_MUTEX(mutex);
	struct tring_scratch __percpu *memory;
	int err = 0;

	lockdep_assert_not_held(&tring_events_mutex);
	mutex_lock(&mutex);
	if (tring_scratch_areas)
		goto unlock;
	memory = alloc_percpu(struct tring_scratch);
	err = memory ? tring_unwind_init() : -ENOMEM;
	if (err) {
		free_percpu(memory);
		goto unlock;
	}
	WRITE_ONCE(tring_scratch_areas, memory);
	/* A probe that is told to examine an event finds the memory. */
	tring_synchronize_probes();
unlock:
	mutex_unlock(&mutex);
	return err;
}

/**
 * tring_examine_exit - undo tring_examine_prepare(); no probe runs any more
 *
 * Context: process.
 */
void tring_examine_exit(void)
{
	if (tring_scratch_areas)
		tring_unwind_exit();
	free_percpu(tring_scratch_areas);
}
