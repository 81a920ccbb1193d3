// SPDX-License-Identifier: GPL-2.0
/*
 * The context of an event, where event.h cannot tell it inline.
 */
#include <linux/export.h>
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/preempt.h>

#include "event.h"

/**
 * tring_event_context_slow - tring_event_context() for each possible context
 * @own_depth: as in tring_event_context()
 *
 * Context: preemption disabled.
 * Return: bits for the record's head, as from tring_context().
 */
u64 tring_event_context_slow(unsigned int own_depth)
{
	unsigned int depth = min_t(unsigned int, preempt_count() & PREEMPT_MASK, 0xf) - own_depth;
	unsigned int flags = 0;
#ifdef CONFIG_TRACE_IRQFLAGS_SUPPORT
	unsigned long irq_flags;

	local_save_flags(irq_flags);
	if (irqs_disabled_flags(irq_flags))
		flags = TRACE_FLAG_IRQS_OFF;
#else
	flags = TRACE_FLAG_IRQS_NOSUPPORT;
#endif
	if (preempt_count() & NMI_MASK)
		flags |= TRACE_FLAG_NMI;
	if (preempt_count() & HARDIRQ_MASK)
		flags |= TRACE_FLAG_HARDIRQ;
	if (in_serving_softirq())
		flags |= TRACE_FLAG_SOFTIRQ;
	if (softirq_count() >> (SOFTIRQ_SHIFT + 1))
		flags |= TRACE_FLAG_BH_OFF;
	/* Without the lazy one, which test_tsk_need_resched() of some kernels also tests. */
	if (test_tsk_thread_flag(current, TIF_NEED_RESCHED))
		flags |= TRACE_FLAG_NEED_RESCHED;
	if (tring_need_resched_lazy(current))
		flags |= TRING_FLAG_NEED_RESCHED_LAZY;
	if (test_preempt_need_resched())
		flags |= TRACE_FLAG_PREEMPT_RESCHED;
#ifdef CONFIG_SMP
	depth |= min_t(unsigned int, current->migration_disabled, 0xf) << 4;
#endif
	return tring_context(flags, depth);
}
NOKPROBE_SYMBOL(tring_event_context_slow);
TRING_EXPORT(tring_event_context_slow);
