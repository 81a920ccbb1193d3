/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a generated probe uses: its event, and the context that ftrace would write into
 * the head of the same record. Nothing here locks or is traced.
 */
#ifndef _TRING_EVENT_H
#define _TRING_EVENT_H

#include <linux/build_bug.h>
#include <linux/hashtable.h>
#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "compat.h"
#include "session/key.h"
#include "stack.h"
#include "tasks.h"

#ifndef TRING_WITHOUT_RING
#include "ring/fast.h"
#include "session/session.h"

/*
 * Attribute of a probe: no kprobe in it. NOKPROBE_SYMBOL() would refer to the
 * probe, so that the compiler could not drop one that is left out.
 */
#define TRING_PROBE	__kprobes
#else
/*
 * For scripts/build/probe-events.sh, which finds out what an event needs. It wants
 * each probe in a section of its own, and nothing of what the ring needs.
 */
#define TRING_PROBE

struct tring_buffer;

struct tring_record {
	void *payload;
};

int __tring_reserve(struct tring_buffer *buffer, u64 head, bool varies, u32 pid, u32 length,
		    struct tring_record *record);
void __tring_commit(struct tring_record *record);
#endif

/*
 * Records have these members in a shorter form; see uapi/format.md. What some kernels have
 * behind them is recorded with the fields: see tring_fill_entry_rest().
 */
static_assert(offsetofend(struct trace_entry, pid) == TRING_PAYLOAD_HEAD);
static_assert(offsetof(struct trace_entry, flags) == 2);
static_assert(offsetof(struct trace_entry, preempt_count) == 3);
static_assert(offsetof(struct trace_entry, pid) == 4);

/* Bits of tring_event::tests: an event may be unwanted because of ... */
#define TRING_TEST_TASKS	BIT(0)	/* ... the task in which it happens: tasks.c */
#define TRING_TEST_FIELDS	BIT(1)	/* ... what its fields say: examine.c */

struct tring_call_strings;
struct tring_filter;
struct tring_layout;
struct tring_source;
struct tring_syscalls;
struct tring_trigger;

/**
 * struct tring_event - an event of a ring; data pointer of its probe
 * @buffer: the ring
 * @tests: TRING_TEST_*: what the probe has to test; 0 if each event is wanted. A byte, as
 *	gcc compares a larger one by two instructions
 * @key: key of the event in @buffer; has ftrace's id, as in the format file
 * @set: the set that the event is in
 * @filter: filter that an event has to match; NULL for none. Made from @filter_text while @file
 *	is set
 * @first_filter: @filter if an event that does not match it needs nothing else, or NULL
 * @triggers: what it does besides being recorded, a list; see trigger.c
 * @enabled: it is recorded. A trigger changes that in any context while @holders is not 0
 * @attached: its source calls tring's code
 * @holders: number of triggers that are on this event, or that enable or disable it
 * @is_new: enabled by the running tring_events_set(), which may have to undo it
 * @system: system of the event, as in ftrace's system:event
 * @name: name of the event and of its tracepoint
 * @length: length of the fields of @probe or of a system call, 0 if it varies
 * @probe: function that the tracepoint calls; NULL if the event has none
 * @fields: fields that @probe records
 * @source: how the event is recorded, while @file is set
 * @source_data: what @source keeps for the event
 * @strings: of the begin of a system call: its strings; NULL if it never had any
 * @file: ftrace's event; referenced while it may be recorded, so that the module of the
 *	tracepoint stays
 * @module: module of the tracepoint when the event was attached last; may be gone
 * @layout: the fields, while the event is attached, if they are not known otherwise
 * @layout_hash: hash of @layout when the event was attached last
 * @trace: number of the trace that was current when the event was detached last
 * @filter_text: what the file "filter" shows, NULL for nothing; see filter.c
 * @filter_refused: @filter_text has been refused, so it does not count
 * @list: of a template: in the order of the headers; else in tring_event_set::events
 * @by_name: in tring_event_set::by_name
 * @names: what @system and @name point to, unless there is a template
 *
 * A probe reads the first three members only, unless there is something to test.
 * define_trace.h makes one of each event, without a buffer, as a template; each ring has a
 * copy. A tracepoint accepts the same probe several times if the data pointers differ. A ring
 * has further events, which have no template, once they have been enabled in it.
 */
struct tring_event {
	struct tring_buffer	*buffer;
	u8			tests;
	struct tring_key	key;
	struct tring_event_set	*set;
	struct tring_filter	*filter;
	struct tring_filter	*first_filter;
	struct tring_trigger __rcu *triggers;
	bool			enabled;
	bool			attached;
	bool			is_new;
	unsigned int		holders;
	const char		*system;
	const char		*name;
	unsigned int		length;
	void			*probe;
	const struct trace_event_fields *fields;
	const struct tring_source *source;
	void			*source_data;
	struct tring_call_strings *strings;
	struct trace_event_file	*file;
	const void		*module;
	struct tring_layout	*layout;
	u32			layout_hash;
	u64			trace;
	char			*filter_text;
	bool			filter_refused;
	struct list_head	list;
	struct hlist_node	by_name;
	char			names[];
};

/* For some 1,500 events. */
#define TRING_EVENT_HASH_BITS	9

/**
 * struct tring_event_set - the events of one ring
 * @buffer: the ring
 * @switching: serialises enabling and disabling. Comes before tring_events_mutex, which does
 *	not protect the reading of ftrace's files
 * @tests: TRING_TEST_* that all events have
 * @tasks: the tasks whose events are wanted
 * @stacks: the stacks behind events
 * @list: list of all sets
 * @events: the events: first those with a template, in the order of the templates
 * @by_name: the same, by a hash of system and name
 * @syscalls: table of system calls; NULL before the first one is enabled
 * @string_size: most bytes that are read of a string of a system call; 0: none
 */
struct tring_event_set {
	struct tring_buffer	*buffer;
	struct mutex		switching;	/* see above */
	u8			tests;
	struct tring_tasks	tasks;
	struct tring_stacks	stacks;
	struct list_head	list;
	struct list_head	events;
	DECLARE_HASHTABLE(by_name, TRING_EVENT_HASH_BITS);
	struct tring_syscalls	*syscalls;
	u32			string_size;
};

#define tring_for_each_event(event, set)	list_for_each_entry(event, &(set)->events, list)

/* Id of ftrace's print event: TRACE_PRINT of kernel/trace/trace.h. */
#define TRING_PRINT_ID	5

/* Is the length in the packet's header, instead of in each record? */
#define TRING_LENGTH_IS_FIXED(length)	((length) && (length) <= TRING_LENGTH_FIXED_MAX)

/*
 * Bits of a preempt count that the context byte of a record can express: a depth of up to
 * 7, one of which is the tracepoint's; in a softirq; in a hard interrupt.
 */
#define TRING_COUNT_USUAL	(7U << PREEMPT_SHIFT | SOFTIRQ_OFFSET | HARDIRQ_OFFSET)
#define TRING_COUNT_UNUSUAL	((PREEMPT_MASK | SOFTIRQ_MASK | HARDIRQ_MASK | NMI_MASK) & \
				 ~TRING_COUNT_USUAL)

/*
 * Number of preempt_disable()s of a tracepoint that a record leaves out. ftrace tests
 * PREEMPTION and not PREEMPT_COUNT, and traces must look the same.
 */
#define TRING_TRACEPOINT_DEPTH	IS_ENABLED(CONFIG_PREEMPTION)

u64 tring_event_context_slow(unsigned int own_depth);

static __always_inline bool tring_migration_is_off(const struct task_struct *task)
{
#ifdef CONFIG_SMP
	return task->migration_disabled;
#else
	return false;
#endif
}

/**
 * tring_event_context - flags and preempt count of the interrupted context
 * @task: current
 * @own_depth: part of the preempt count that belongs to the tracing and is left out, 0 or
 *	1; constant
 *
 * The values that ftrace's probes get from tracing_gen_ctx_dec(), which is not exported.
 * The usual contexts are converted to the context byte of a record inline.
 *
 * Context: preemption disabled.
 * Return: bits for the record's head, as from tring_context().
 */
static __always_inline u64 tring_event_context(struct task_struct *task,
					       unsigned int own_depth)
{
#ifdef CONFIG_TRACE_IRQFLAGS_SUPPORT
	unsigned int count = preempt_count();
	unsigned int depth = count & PREEMPT_MASK;
	unsigned long irq_flags;
	u64 byte = 0;

	/* With CONFIG_PREEMPT_RT softirqs are counted in the task. */
	if (IS_ENABLED(CONFIG_PREEMPT_RT) || unlikely(count & TRING_COUNT_UNUSUAL))
		return tring_event_context_slow(own_depth);
	if (unlikely(tring_migration_is_off(task)))
		return tring_event_context_slow(own_depth);
	/* What is left of the usual 7 fits. */
	if (own_depth)
		depth -= own_depth;
	else if (unlikely(depth > TRING_CONTEXT_PREEMPT_MAX))
		return tring_event_context_slow(own_depth);
	if (unlikely(test_tsk_need_resched(task) || test_preempt_need_resched())) {
		if (!test_tsk_need_resched(task) || !test_preempt_need_resched())
			return tring_event_context_slow(own_depth);
		byte = TRING_CONTEXT_NEED_RESCHED;
	}
	if (unlikely(tring_need_resched_lazy(task)))
		return tring_event_context_slow(own_depth);
	local_save_flags(irq_flags);
	if (irqs_disabled_flags(irq_flags))
		byte |= TRING_CONTEXT_IRQS_OFF;
	/* One branch in task context, the common case, instead of two. */
	if (count & (SOFTIRQ_OFFSET | HARDIRQ_OFFSET)) {
		if (count & SOFTIRQ_OFFSET)
			byte |= TRING_CONTEXT_SOFTIRQ;
		if (count & HARDIRQ_OFFSET)
			byte |= TRING_CONTEXT_HARDIRQ;
	}
	byte |= depth << TRING_CONTEXT_PREEMPT_SHIFT;
	return byte << TRING_HEAD_CONTEXT_SHIFT;
#else
	return tring_event_context_slow(own_depth);
#endif
}

/**
 * tring_context_is - test for a context by the whole preempt count
 * @task: current
 * @count: the preempt count; constant
 *
 * Context: preemption disabled.
 * Return: true if it is @count and nothing asks for rescheduling. Interrupts are not tested.
 */
static __always_inline bool tring_context_is(struct task_struct *task, unsigned int count)
{
#ifdef CONFIG_X86
	/* The flag is inverted and lies in the count: should_resched() compares both at once. */
	bool same = should_resched(count | PREEMPT_NEED_RESCHED);
#else
	bool same = preempt_count() == count && !test_preempt_need_resched();
#endif

	return IS_ENABLED(CONFIG_TRACE_IRQFLAGS_SUPPORT) && !IS_ENABLED(CONFIG_PREEMPT_RT) &&
	       likely(same && !test_tsk_need_resched(task) && !tring_need_resched_lazy(task));
}

/*
 * tring_event_context() of sched_switch. Interrupts are off, and preemption is disabled by the
 * scheduler, by the lock of its queue, and by the tracepoint.
 */
static __always_inline u64 tring_switch_context(struct task_struct *task)
{
	const unsigned int count = 3 * PREEMPT_DISABLE_OFFSET;

	if (tring_context_is(task, count) && !tring_migration_is_off(task))
		return tring_context(TRACE_FLAG_IRQS_OFF, count - TRING_TRACEPOINT_DEPTH);
	return tring_event_context_slow(TRING_TRACEPOINT_DEPTH);
}

bool tring_test_event(const struct tring_event *event);
bool tring_test_wakeup(const struct tring_event *event, const struct task_struct *task);
bool tring_test_switch(const struct tring_event *event, const struct task_struct *prev,
		       const struct task_struct *next);
bool tring_test_task(const struct tring_event_set *set);

/**
 * tring_event_wanted - test whether an event is to be recorded, before it is reserved
 * @event: the event
 *
 * A comparison and a branch if there is nothing to test.
 *
 * Context: any, preemption disabled.
 */
static __always_inline bool tring_event_wanted(const struct tring_event *event)
{
	/*
	 * data_race() instead of READ_ONCE() lets the compiler compare in memory; the
	 * value is used once.
	 */
	return likely(!(data_race(event->tests) & TRING_TEST_TASKS)) ||
	       tring_test_event(event);
}

/**
 * tring_event_is_examined - test whether a wanted event is recorded by way of examine.c
 * @event: the event
 *
 * Context: any, preemption disabled.
 */
static __always_inline bool tring_event_is_examined(const struct tring_event *event)
{
	return unlikely(READ_ONCE(event->tests) & TRING_TEST_FIELDS);
}

/**
 * tring_task_wanted - tring_event_wanted() for what is no event of a set
 * @set: events of the ring
 *
 * Context: any, preemption disabled.
 */
static __always_inline bool tring_task_wanted(const struct tring_event_set *set)
{
	/* data_race(): see above */
	return likely(!data_race(set->tests)) || tring_test_task(set);
}

/**
 * tring_copy_string - copy a string into a field that was sized for it
 * @to: the field
 * @size: size of the field, including the final NUL
 * @from: string, ended by a NUL; NULL for "(null)"
 *
 * In general @from has the length that the field was sized for. It may be another string
 * by now, as the event names its source a second time: the part that fits is copied, and
 * nothing behind its end is read. The rest of the field is filled with NULs.
 */
static __always_inline void tring_copy_string(char *to, size_t size, const char *from)
{
	const char *text = from ?: "(null)";
	size_t length = strnlen(text, size - 1);

	memcpy(to, text, length);
	memset(to + length, 0, size - length);
}

#endif /* _TRING_EVENT_H */
