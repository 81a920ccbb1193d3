// SPDX-License-Identifier: GPL-2.0
/*
 * The contexts that write, on each online CPU: a thread, two timers, IPIs that raise
 * a softirq, and NMIs. The threads send the IPIs and NMIs to random CPUs. A kprobe on
 * the clock is one more context.
 */

#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/kprobes.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/smpboot.h>

#ifdef CONFIG_X86_LOCAL_APIC
#include <asm/apic.h>
#include <asm/nmi.h>
#define HAVE_NMI
#endif

#include "compat.h"
#include "module.h"

/* The function that the ring calls to read its default clock. */
#define CLOCK_FUNCTION	"ktime_get_mono_fast_ns"

struct context_cpu {
	struct task_struct	*task;
	struct hrtimer		hard, soft;
	call_single_data_t	ipi;		/* this CPU's thread sends it */
	struct tasklet_struct	tasklet;	/* IPIs to this CPU schedule it */
	unsigned int		bursts;
	bool			active;
};

static DEFINE_PER_CPU(struct context_cpu, context_cpus);
static bool running;
static bool probing;

#ifdef HAVE_NMI

/* An NMI does not identify its sender. While registered this handler takes all. */
static int write_from_nmi(unsigned int type, struct pt_regs *regs)
{
	if (READ_ONCE(running))
		torture_write(TORTURE_NMI, 1);
	return NMI_HANDLED;
}

static int start_nmi(void)
{
	return register_nmi_handler(NMI_LOCAL, write_from_nmi, 0, "tring_torture");
}

static void stop_nmi_handler(void)
{
	unregister_nmi_handler(NMI_LOCAL, "tring_torture");
}

/**
 * torture_send_nmi - send an NMI; nothing on a machine without
 * @cpu: to this CPU
 */
void torture_send_nmi(int cpu)
{
	apic->send_IPI(cpu, NMI_VECTOR);
}

#else

static int start_nmi(void)
{
	pr_info("no NMIs on this architecture\n");
	return 0;
}

static void stop_nmi_handler(void)
{
}

void torture_send_nmi(int cpu)
{
}

#endif /* HAVE_NMI */

/*
 * Each read of the clock writes an event. The reservation of that event reads the
 * clock, too, but kprobes does not nest handlers. This runs in the context of the
 * reader of the clock if kprobes has optimised the breakpoint to a jump, otherwise in
 * a context like an NMI's.
 */
static int write_from_clock(struct kprobe *probe, struct pt_regs *regs)
{
	if (READ_ONCE(running) && READ_ONCE(this_cpu_ptr(&context_cpus)->active))
		torture_write(TORTURE_CLOCK, 1);
	return 0;
}

static struct kprobe clock_probe = {
	.symbol_name	= CLOCK_FUNCTION,
	.pre_handler	= write_from_clock,
};

static enum hrtimer_restart write_from_timer(struct hrtimer *timer,
					     enum torture_context context)
{
	struct torture_writer *writer = torture_writer(smp_processor_id(), context);
	unsigned int period = READ_ONCE(torture_options.timer_us) * NSEC_PER_USEC;

	if (!READ_ONCE(running))
		return HRTIMER_NORESTART;
	torture_write(context, 1 + torture_random(writer) % 3);
	/* Between 0.5 and 1.5 periods. */
	period = max(period, 10000U);
	hrtimer_forward_now(timer, ns_to_ktime(period / 2 + torture_random(writer) % period));
	return HRTIMER_RESTART;
}

static enum hrtimer_restart write_from_hardirq(struct hrtimer *timer)
{
	return write_from_timer(timer, TORTURE_HARDIRQ);
}

static enum hrtimer_restart write_from_softirq(struct hrtimer *timer)
{
	return write_from_timer(timer, TORTURE_SOFTIRQ);
}

static void write_from_tasklet(struct tasklet_struct *tasklet)
{
	if (READ_ONCE(running))
		torture_write(TORTURE_SOFTIRQ, 1);
}

static void write_from_ipi(void *unused)
{
	if (!READ_ONCE(running))
		return;
	torture_write(TORTURE_HARDIRQ, 1);
	tasklet_schedule(this_cpu_ptr(&context_cpus.tasklet));
}

/*
 * Send an NMI and an IPI to a random CPU, perhaps this one. They come at a time that
 * does not depend on that CPU's own work, so they can interrupt any instruction.
 */
static void disturb_some_cpu(unsigned int cpu, unsigned int burst)
{
	struct torture_writer *writer = torture_writer(cpu, TORTURE_TASK);
	unsigned int nmi_every = READ_ONCE(torture_options.nmi_every);
	unsigned int ipi_every = READ_ONCE(torture_options.ipi_every);
	int other = torture_random(writer) % nr_cpu_ids;

	/* No CPU goes offline while preemption is off. */
	preempt_disable();
	if (cpu_online(other) && READ_ONCE(per_cpu(context_cpus, other).active)) {
		if (nmi_every && burst % nmi_every == 0)
			torture_send_nmi(other);
		/* Fails with -EBUSY while this CPU's last IPI is on its way. */
		if (ipi_every && burst % ipi_every == 0)
			smp_call_function_single_async(other, this_cpu_ptr(&context_cpus.ipi));
	}
	preempt_enable();
}

/* The thread calls this when its CPU is online. */
static void start_timers(unsigned int cpu)
{
	struct context_cpu *context_cpu = &per_cpu(context_cpus, cpu);

	tring_hrtimer_setup(&context_cpu->hard, write_from_hardirq, CLOCK_MONOTONIC,
			    HRTIMER_MODE_REL_PINNED_HARD);
	tring_hrtimer_setup(&context_cpu->soft, write_from_softirq, CLOCK_MONOTONIC,
			    HRTIMER_MODE_REL_PINNED_SOFT);
	hrtimer_start(&context_cpu->hard, ns_to_ktime(NSEC_PER_MSEC),
		      HRTIMER_MODE_REL_PINNED_HARD);
	hrtimer_start(&context_cpu->soft, ns_to_ktime(NSEC_PER_MSEC),
		      HRTIMER_MODE_REL_PINNED_SOFT);
	WRITE_ONCE(context_cpu->active, true);
}

/* The thread calls this before its CPU goes offline, which would move the timers. */
static void stop_timers(unsigned int cpu)
{
	struct context_cpu *context_cpu = &per_cpu(context_cpus, cpu);

	WRITE_ONCE(context_cpu->active, false);
	hrtimer_cancel(&context_cpu->hard);
	hrtimer_cancel(&context_cpu->soft);
}

static void stop_timers_for_good(unsigned int cpu, bool online)
{
	stop_timers(cpu);
}

static int thread_should_run(unsigned int cpu)
{
	return READ_ONCE(running);
}

static void write_from_task(unsigned int cpu)
{
	unsigned int pause = READ_ONCE(torture_options.pause_us);

	torture_write(TORTURE_TASK, READ_ONCE(torture_options.burst));
	disturb_some_cpu(cpu, this_cpu_inc_return(context_cpus.bursts));
	if (pause)
		usleep_range(pause, 2 * pause);
	else
		/* Unregistering a kprobe waits until all tasks have passed such a point. */
		cond_resched_tasks_rcu_qs();
}

static struct smp_hotplug_thread threads = {
	.store			= &context_cpus.task,
	.thread_should_run	= thread_should_run,
	.thread_fn		= write_from_task,
	.thread_comm		= "tring_torture/%u",
	.setup			= start_timers,
	.unpark			= start_timers,
	.park			= stop_timers,
	.cleanup		= stop_timers_for_good,
};

static void do_nothing(void *unused)
{
}

/**
 * torture_contexts_start - make all contexts write
 *
 * Context: task, may sleep.
 * Return: 0, or an error; then no context writes.
 */
int torture_contexts_start(void)
{
	int err = start_nmi();
	int cpu;

	if (err)
		return err;
	for_each_possible_cpu(cpu) {
		struct context_cpu *context_cpu = per_cpu_ptr(&context_cpus, cpu);

		INIT_CSD(&context_cpu->ipi, write_from_ipi, NULL);
		tasklet_setup(&context_cpu->tasklet, write_from_tasklet);
	}
	WRITE_ONCE(running, true);
	err = smpboot_register_percpu_thread(&threads);
	if (err)
		goto stop;
	if (READ_ONCE(torture_options.trace_clock)) {
		/* Clear what the last registration has left. */
		clock_probe.flags = 0;
		clock_probe.addr = NULL;
		clock_probe.nmissed = 0;
		err = register_kprobe(&clock_probe);
		if (err)
			goto unregister_threads;
		probing = true;
	}
	return 0;

unregister_threads:
	WRITE_ONCE(running, false);
	smpboot_unregister_percpu_thread(&threads);
stop:
	WRITE_ONCE(running, false);
	stop_nmi_handler();
	return err;
}

/**
 * torture_contexts_stop - stop all contexts and wait for them
 *
 * Context: task, may sleep.
 */
void torture_contexts_stop(void)
{
	int cpu;

	WRITE_ONCE(running, false);
	if (probing)
		unregister_kprobe(&clock_probe);
	probing = false;
	smpboot_unregister_percpu_thread(&threads);
	/*
	 * The threads send no more NMIs and IPIs. Those that are on their way
	 * arrive before the interrupts that on_each_cpu() sends.
	 */
	on_each_cpu(do_nothing, NULL, true);
	for_each_possible_cpu(cpu)
		tasklet_kill(&per_cpu(context_cpus, cpu).tasklet);
	stop_nmi_handler();
}

/**
 * torture_clock_missed - number of reads of the clock that kprobes did not nest
 *
 * A few may be missing.
 *
 * Context: any.
 */
u64 torture_clock_missed(void)
{
	/* Kprobes count this without a lock, in handlers of any CPU. */
	return data_race(clock_probe.nmissed);
}
