// SPDX-License-Identifier: GPL-2.0
/*
 * Ends the kernel while records are open, for scripts/check/blackbox.sh: a task reserves a
 * record, an interrupt of that task another one, and an NMI of that interrupt a third one,
 * and the innermost of them panics. What was committed must be in the image of the memory,
 * and none of these records, although their heads and fields are complete.
 */
#include <linux/err.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#ifdef CONFIG_X86_LOCAL_APIC
#include <asm/nmi.h>
#endif

#include "compat.h"
#include "instance.h"
#include "module.h"
#include "ring/fast.h"
#include "session/key.h"

/* The user makes it, and chooses its memory. */
#define INSTANCE	"crash"
#define FIELDS		24

enum { LEVEL_TASK = 1, LEVEL_HARDIRQ, LEVEL_NMI };

static struct tring_buffer *buffer;
/* The innermost context that reserves, 0 before. */
static unsigned int level;
/* Where it happens. The NMIs of the other writers come to each handler. */
static int crash_cpu = -1;

static void reserve(u8 flags)
{
	struct tring_record TRING_UNINITIALIZED record;
	int err = tring_reserve(buffer, tring_event_key(TORTURE_LONG) |
				tring_context(flags, preempt_count() & PREEMPT_MASK),
				current->pid, TRING_PAYLOAD_HEAD + FIELDS, &record);

	if (err)
		pr_err("no record was reserved: %d\n", err);
	else
		memset(record.payload + TRING_PAYLOAD_HEAD, 0xcc, FIELDS);
}

#ifdef CONFIG_X86_LOCAL_APIC

static int crash_in_nmi(unsigned int type, struct pt_regs *regs)
{
	if (smp_processor_id() != READ_ONCE(crash_cpu))
		return NMI_DONE;
	reserve(TRACE_FLAG_IRQS_OFF | TRACE_FLAG_HARDIRQ | TRACE_FLAG_NMI);
	nmi_panic(regs, "tring_torture: three records are open");
	return NMI_HANDLED;
}

static int register_nmi(void)
{
	return register_nmi_handler(NMI_LOCAL, crash_in_nmi, 0, "tring_torture_crash");
}

#else

static int register_nmi(void)
{
	return -EOPNOTSUPP;
}

#endif /* CONFIG_X86_LOCAL_APIC */

static void crash_in_hardirq(struct irq_work *work)
{
	reserve(TRACE_FLAG_IRQS_OFF | TRACE_FLAG_HARDIRQ);
	if (level == LEVEL_HARDIRQ)
		panic("tring_torture: two records are open");
	WRITE_ONCE(crash_cpu, smp_processor_id());
	torture_send_nmi(smp_processor_id());
	while (true)
		cpu_relax();
}

/**
 * torture_crash - panic while records of the instance "crash" are open
 * @levels: their number: of a task, of an interrupt, and of an NMI
 *
 * Context: task, may sleep.
 * Return: only after an error: -EINVAL, -EOPNOTSUPP if this machine has no such NMI, or one of
 * tring_instance_get().
 */
int torture_crash(unsigned int levels)
{
	static struct irq_work work;
	int err;

	if (levels < LEVEL_TASK || levels > LEVEL_NMI)
		return -EINVAL;
	buffer = tring_instance_get(INSTANCE);
	if (IS_ERR(buffer))
		return PTR_ERR(buffer);
	err = levels == LEVEL_NMI ? register_nmi() : 0;
	if (err) {
		tring_instance_put(buffer);
		return err;
	}
	level = levels;
	init_irq_work(&work, crash_in_hardirq);
	preempt_disable();
	reserve(0);
	if (level == LEVEL_TASK)
		panic("tring_torture: a record is open");
	irq_work_queue(&work);
	while (true)
		cpu_relax();
}
