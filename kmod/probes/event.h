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
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/trace_events.h>

#include "compat.h"
#include "ring/record.h"

#ifndef TRING_WITHOUT_RING
#include "ring/fast.h"

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

/* What records have something shorter for, see uapi/format.md. */
static_assert(sizeof(struct trace_entry) == TRING_PAYLOAD_HEAD);
static_assert(offsetof(struct trace_entry, flags) == 2);
static_assert(offsetof(struct trace_entry, preempt_count) == 3);
static_assert(offsetof(struct trace_entry, pid) == 4);

/**
 * struct tring_event - an event of a ring, and its probe's data pointer
 * @buffer: where the probe records
 * @key: of the event in @buffer; the id in it is ftrace's, as in its format file
 * @enabled: the probe is registered
 * @is_new: @enabled since the latest tring_events_set(), which may have to undo it
 * @system: as in ftrace's system:event
 * @name: of the event and of its tracepoint
 * @length: of its fields, 0 if that varies
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
	struct tring_key	key;
	bool			enabled;
	bool			is_new;
	const char		*system;
	const char		*name;
	unsigned int		length;
	void			*probe;
	struct trace_event_file	*file;
	struct list_head	list;
};

/* TRACE_PRINT of kernel/trace/trace.h, the same in all kernels. */
#define TRING_PRINT_ID	5

/* In records of a fixed length, the length is in the packet's header alone. */
#define TRING_LENGTH_IS_FIXED(length)	((length) && (length) <= TRING_LENGTH_FIXED_MAX)

/*
 * What a preempt count has for a context that a byte can say: a depth of up to
 * 7, of which one is the tracepoint's, serving a softirq, in an interrupt.
 */
#define TRING_COUNT_USUAL	(7U << PREEMPT_SHIFT | SOFTIRQ_OFFSET | HARDIRQ_OFFSET)
#define TRING_COUNT_UNUSUAL	((PREEMPT_MASK | SOFTIRQ_MASK | HARDIRQ_MASK | NMI_MASK) & \
				 ~TRING_COUNT_USUAL)

u64 tring_event_context_slow(void);

/**
 * tring_event_context - what trace_entry says of the interrupted context
 * @task: current
 *
 * The same that tracing_gen_ctx_dec() gives a probe of ftrace's, which calls
 * tracing_gen_ctx_irq_test(): not exported, and a call besides. Here what is
 * usual comes to the few bits of a record's context byte at once.
 *
 * Context: a probe, with preemption disabled once by the tracepoint.
 * Return: as tring_context().
 */
static __always_inline u64 tring_event_context(struct task_struct *task)
{
#ifdef CONFIG_TRACE_IRQFLAGS_SUPPORT
	unsigned int count = preempt_count();
	unsigned int depth = count & PREEMPT_MASK;
	unsigned long irq_flags;
	u64 byte = 0;

	/* CONFIG_PREEMPT_RT counts softirqs in the task instead. */
	if (IS_ENABLED(CONFIG_PREEMPT_RT) || unlikely(count & TRING_COUNT_UNUSUAL))
		return tring_event_context_slow();
#ifdef CONFIG_SMP
	if (unlikely(task->migration_disabled))
		return tring_event_context_slow();
#endif
	/*
	 * The tracepoint's own preempt_disable() does not count. That ftrace asks
	 * for PREEMPTION instead of PREEMPT_COUNT, too, is to be seen in traces.
	 */
	if (IS_ENABLED(CONFIG_PREEMPTION))
		depth--;
	else if (unlikely(depth > TRING_CONTEXT_PREEMPT_MAX))
		return tring_event_context_slow();
	if (unlikely(test_tsk_need_resched(task) || test_preempt_need_resched())) {
		if (!test_tsk_need_resched(task) || !test_preempt_need_resched())
			return tring_event_context_slow();
		byte = TRING_CONTEXT_NEED_RESCHED;
	}
	local_save_flags(irq_flags);
	if (irqs_disabled_flags(irq_flags))
		byte |= TRING_CONTEXT_IRQS_OFF;
	/* One branch for the common task context instead of two. */
	if (count & (SOFTIRQ_OFFSET | HARDIRQ_OFFSET)) {
		if (count & SOFTIRQ_OFFSET)
			byte |= TRING_CONTEXT_SOFTIRQ;
		if (count & HARDIRQ_OFFSET)
			byte |= TRING_CONTEXT_HARDIRQ;
	}
	byte |= depth << TRING_CONTEXT_PREEMPT_SHIFT;
	return byte << TRING_HEAD_CONTEXT_SHIFT;
#else
	return tring_event_context_slow();
#endif
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
