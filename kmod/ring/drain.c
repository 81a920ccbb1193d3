// SPDX-License-Identifier: GPL-2.0
/*
 * Functions that run where a ring's writers run, and the end of the writers that were in a ring
 * when its state changed.
 *
 * Invariant 13: an interrupt that finds no writer on the CPU proves that each one before it is
 * through, so an idle ring costs no grace period. While it comes into the middle of a writer, it
 * is sent again, until a grace period has ended.
 *
 * A CPU may hang with interrupts off, for ever. This is when the trace of the others is wanted.
 * So each wait is bounded. What waits is told which rings have not answered, and leaves them as
 * they are. The interrupt comes when the CPU goes on, and finds that nothing is wanted any more.
 */

#include <linux/cpu.h>
#include <linux/jiffies.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "internal.h"

/* Much longer than a virtual CPU is kept from running on a busy host. */
#define ANSWER_JIFFIES	(HZ / 2)
/* For a grace period while writers are found each time. */
#define GRACE_JIFFIES	HZ
/* An interrupt takes microseconds. A sleep would be an event of its own on both CPUs. */
#define SPIN_JIFFIES	2

enum {
	CALL_DONE,
	CALL_WANTED,
	CALL_RUNS
};

/**
 * tring_ring_answer - call the function of tring_ring_run()
 * @info: the ring
 *
 * Context: on the ring's CPU, with interrupts off.
 */
void tring_ring_answer(void *info)
{
	struct tring_cpu_buffer *cpu_buffer = info;

	/* TB(call:B) state before the function, and before later writers read the ring. */
	if (atomic_cmpxchg(&cpu_buffer->call_state, CALL_WANTED, CALL_RUNS) != CALL_WANTED) {
		/* Too late. Readers may have the open packet closed again. */
		WRITE_ONCE(cpu_buffer->hangs, false);
		irq_work_queue(&cpu_buffer->wake_work);
		return;
	}
	cpu_buffer->call_function(cpu_buffer);
	/* TB(call:A) what it has done, and earlier writers, before the state. */
	atomic_set_release(&cpu_buffer->call_state, CALL_DONE);
}

/* False if the function runs just now. */
static bool give_up(struct tring_cpu_buffer *cpu_buffer)
{
	bool known = READ_ONCE(cpu_buffer->hangs);

	/* Before the state, as what comes too late clears it behind. */
	WRITE_ONCE(cpu_buffer->hangs, true);
	if (atomic_cmpxchg(&cpu_buffer->call_state, CALL_WANTED, CALL_DONE) != CALL_WANTED)
		return false;
	cpu_buffer->counted.unanswered++;
	if (!known)
		pr_notice_ratelimited("tring: CPU %d does not answer: its ring is left as it is\n",
				      cpu_buffer->cpu);
	return true;
}

/**
 * tring_ring_run - call a function where a ring's writers run
 * @cpu_buffer: the ring
 * @func: called with @cpu_buffer and interrupts off, on the ring's CPU if that is online
 *
 * A CPU that is offline has no writer: any CPU may stand in for it. A CPU that has not
 * answered the call before, and has not yet answered it since, is not waited for.
 *
 * Context: task, with CPU hotplug locked out and tring_cpu_buffer::mutex held.
 * Return: false if the CPU does not answer: @func has not run, and will not.
 */
bool tring_ring_run(struct tring_cpu_buffer *cpu_buffer, smp_call_func_t func)
{
	unsigned long begin = jiffies, flags;
	bool pending;

	if (!cpu_online(cpu_buffer->cpu)) {
		local_irq_save(flags);
		func(cpu_buffer);
		local_irq_restore(flags);
		return true;
	}
	cpu_buffer->call_function = func;
	/* TB(call:A) the function, and what is new in the ring, before the state. */
	atomic_set_release(&cpu_buffer->call_state, CALL_WANTED);
	/* Fails if the interrupt of an earlier call is still to come. */
	pending = smp_call_function_single_async(cpu_buffer->cpu, &cpu_buffer->call);
	/* TB(call:B) state before what was done. */
	while (atomic_read_acquire(&cpu_buffer->call_state) != CALL_DONE) {
		if ((pending || time_after(jiffies, begin + ANSWER_JIFFIES)) && give_up(cpu_buffer))
			return false;
		if (time_before(jiffies, begin + SPIN_JIFFIES))
			cpu_relax();
		else
			schedule_timeout_uninterruptible(1);
	}
	WRITE_ONCE(cpu_buffer->hangs, false);
	return true;
}

/**
 * tring_ring_stop_calls - wait until no interrupt of a call is to come
 * @cpu_buffer: the ring; nothing calls tring_ring_run() any more
 *
 * The caller waits for a grace period behind it.
 *
 * Context: task, may sleep.
 */
void tring_ring_stop_calls(struct tring_cpu_buffer *cpu_buffer)
{
	while (READ_ONCE(cpu_buffer->call.node.u_flags) & CSD_FLAG_LOCK)
		schedule_timeout_uninterruptible(1);
}

static void look_for_writers(void *info)
{
	struct tring_cpu_buffer *cpu_buffer = info;

	cpu_buffer->has_writers = local_read(&cpu_buffer->nesting) != TRING_NESTING_IDLE;
}

/**
 * tring_ring_call - tring_ring_run() for a ring that is not silent
 * @cpu_buffer: the ring; marked as silent if its CPU does not answer
 * @func: called with @cpu_buffer
 *
 * Context: task, with CPU hotplug locked out and tring_buffer::mutex held.
 */
void tring_ring_call(struct tring_cpu_buffer *cpu_buffer, smp_call_func_t func)
{
	if (cpu_buffer->silent)
		return;
	mutex_lock(&cpu_buffer->mutex);
	cpu_buffer->silent = !tring_ring_run(cpu_buffer, func);
	mutex_unlock(&cpu_buffer->mutex);
}

/* Ask the rings that had writers. Whether the interrupt of some CPU has come into one. */
static bool find_writers(struct tring_buffer *buffer, const struct cpumask *cpus)
{
	struct tring_cpu_buffer *cpu_buffer;
	bool found = false;

	tring_for_each_ring(cpu_buffer, buffer, cpus) {
		if (!cpu_buffer->has_writers)
			continue;
		tring_ring_call(cpu_buffer, look_for_writers);
		found |= !cpu_buffer->silent && cpu_buffer->has_writers;
	}
	return found;
}

/*
 * Until the grace period ends, or each ring is found without a writer: another CPU may hang,
 * and keep the grace period from its end. False if neither comes in time.
 */
static bool wait_until_drained(struct tring_buffer *buffer, const struct cpumask *cpus)
{
	unsigned long grace = start_poll_synchronize_rcu(), begin = jiffies;

	/* TB(off:A) the writers that saw the old limit, memory or clock are through. */
	while (!poll_state_synchronize_rcu(grace)) {
		if (time_after(jiffies, begin + GRACE_JIFFIES))
			return false;
		schedule_timeout_uninterruptible(1);
		if (!find_writers(buffer, cpus))
			break;
	}
	return true;
}

/**
 * tring_drain - wait until the writers that are in some rings have left them
 * @buffer: the buffer
 * @cpus: CPUs of the rings
 *
 * A ring that a CPU hangs in, or that another CPU that hangs keeps from its end, is marked
 * as silent. It is not waited for until tring_buffer_lock() is called again.
 *
 * Context: task, between tring_buffer_lock() and tring_buffer_unlock().
 * Return: whether the writers of all rings are through.
 */
bool tring_drain(struct tring_buffer *buffer, const struct cpumask *cpus)
{
	struct tring_cpu_buffer *cpu_buffer;
	bool drained = true, give_up = false;

	lockdep_assert_held(&buffer->mutex);
	tring_for_each_ring(cpu_buffer, buffer, cpus)
		cpu_buffer->has_writers = true;
	if (find_writers(buffer, cpus))
		give_up = !wait_until_drained(buffer, cpus);
	tring_for_each_ring(cpu_buffer, buffer, cpus) {
		cpu_buffer->silent |= give_up && cpu_buffer->has_writers;
		/* A ring without memory has no writers. */
		drained &= !cpu_buffer->silent || !cpu_buffer->memory;
	}
	return drained;
}
