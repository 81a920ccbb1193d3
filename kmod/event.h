/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a generated probe needs: the event that it records for, and what ftrace
 * would write into the head of the same record. Nothing here is traced, locks
 * or calls out of line.
 */
#ifndef _TRING_EVENT_H
#define _TRING_EVENT_H

#include <linux/build_bug.h>
#include <linux/irqflags.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/trace_events.h>

#include "compat.h"

#ifndef TRING_WITHOUT_RING
#include "ring_fast.h"
#else
/*
 * For scripts/probe-events.sh, which asks what an event needs: the ring's own
 * needs, and its errors, are not the event's.
 */
struct tring_buffer;

struct tring_record {
	void *payload;
};

int __tring_reserve(struct tring_buffer *buffer, u16 id, u32 length,
		    struct tring_record *record);
void __tring_commit(struct tring_record *record);
#endif

/* The wire format's payload starts with it, see uapi/format.md. */
static_assert(sizeof(struct trace_entry) == 8);
static_assert(offsetof(struct trace_entry, type) == 0);

/**
 * struct tring_event - an event of a ring, and its probe's data pointer
 * @buffer: where the probe records
 * @id: ftrace's own id of the event, in its format file, too
 * @enabled: the probe is registered
 * @is_new: @enabled since the latest tring_events_set(), which may have to undo it
 * @system: as in ftrace's system:event
 * @name: of the event and of its tracepoint
 * @probe: to be called by the tracepoint
 * @file: ftrace's event; held while a probe may run, so that the module which
 *	defines the tracepoint stays
 * @list: in events.c, in the order of the headers; of the patterns only
 *
 * A probe reads the first two members and nothing else. define_trace.h makes
 * one of each event, with no buffer, as the pattern that each ring's own is
 * copied from: a tracepoint takes the same probe several times if the data
 * pointers differ.
 */
struct tring_event {
	struct tring_buffer	*buffer;
	u16			id;
	bool			enabled;
	bool			is_new;
	const char		*system;
	const char		*name;
	void			*probe;
	struct trace_event_file	*file;
	struct list_head	list;
};

/* Not in the kernel's own enum: what a preempt count says of irq and softirq. */
#define TRING_INTERRUPT_MASK	(NMI_MASK | HARDIRQ_MASK | SOFTIRQ_MASK)

/* CONFIG_PREEMPT_RT counts softirqs in the task instead of the preempt count. */
static __always_inline bool tring_in_interrupt(unsigned int count)
{
	return IS_ENABLED(CONFIG_PREEMPT_RT) || (count & TRING_INTERRUPT_MASK);
}

/**
 * tring_event_context - what trace_entry says of the interrupted context
 *
 * The same bits that tracing_gen_ctx_dec() gives a probe of ftrace's, which
 * calls tracing_gen_ctx_irq_test(): not exported, and a call besides.
 *
 * Context: a probe, with preemption disabled once by the tracepoint.
 * Return: trace_entry's flags in bits 0 to 7, preempt_count in bits 8 to 15.
 */
static __always_inline unsigned int tring_event_context(void)
{
	struct task_struct *task = current;
	unsigned int count = preempt_count();
	unsigned int depth = count & 0xff;
	unsigned int flags = 0;
#ifdef CONFIG_TRACE_IRQFLAGS_SUPPORT
	unsigned long irq_flags;

	local_save_flags(irq_flags);
	if (irqs_disabled_flags(irq_flags))
		flags = TRACE_FLAG_IRQS_OFF;
#else
	flags = TRACE_FLAG_IRQS_NOSUPPORT;
#endif
	if (unlikely(depth > 0xf))
		depth = 0xf;
	/*
	 * The tracepoint's own preempt_disable() does not count. That ftrace asks
	 * for PREEMPTION instead of PREEMPT_COUNT, too, is to be seen in traces.
	 */
	if (IS_ENABLED(CONFIG_PREEMPTION))
		depth--;
	/* One branch for the common task context instead of four. */
	if (tring_in_interrupt(count)) {
		if (count & NMI_MASK)
			flags |= TRACE_FLAG_NMI;
		if (count & HARDIRQ_MASK)
			flags |= TRACE_FLAG_HARDIRQ;
		if (in_serving_softirq())
			flags |= TRACE_FLAG_SOFTIRQ;
		if (softirq_count() >> (SOFTIRQ_SHIFT + 1))
			flags |= TRACE_FLAG_BH_OFF;
	}
	if (unlikely(test_tsk_need_resched(task) || test_preempt_need_resched())) {
		if (test_tsk_need_resched(task))
			flags |= TRACE_FLAG_NEED_RESCHED;
		if (test_preempt_need_resched())
			flags |= TRACE_FLAG_PREEMPT_RESCHED;
	}
#ifdef CONFIG_SMP
	if (unlikely(task->migration_disabled))
		depth |= min_t(unsigned int, task->migration_disabled, 0xf) << 4;
#endif
	return flags | depth << 8;
}

/**
 * tring_event_fill - the head of a record, but for the id
 * @entry: start of the payload, where __tring_reserve() has stored the id
 * @context: from tring_event_context()
 */
static __always_inline void tring_event_fill(struct trace_entry *entry,
					     unsigned int context)
{
	entry->flags = context;
	entry->preempt_count = context >> 8;
	entry->pid = current->pid;
}

/**
 * tring_copy_string - a string into the place that was sized for it
 * @to: the place
 * @size: of the place, the final NUL included
 * @from: a string that had that size, or NULL, which had that of "(null)"
 */
static __always_inline void tring_copy_string(char *to, size_t size, const void *from)
{
	memcpy(to, from ?: "(null)", size - 1);
	to[size - 1] = '\0';
}

#endif /* _TRING_EVENT_H */
