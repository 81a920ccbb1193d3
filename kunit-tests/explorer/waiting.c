// SPDX-License-Identifier: GPL-2.0
/*
 * Kernel functions that block or defer, for shim/waiting.h. An actor on another CPU that
 * blocks lets the others run until its condition holds. The writers' CPU never blocks.
 */
#include "world.h"

const struct cpumask shim_cpu0 = { .bits = 1 };
bool shim_online = true;

void cpus_read_lock(void)
{
	world.cpu_users++;
}

void cpus_read_unlock(void)
{
	world.cpu_users--;
}

void preempt_disable_notrace(void)
{
	me->preempt++;
}

void preempt_enable_notrace(void)
{
	if (--me->preempt < 0)
		fail("preemption is enabled more often than disabled");
}

unsigned char interrupt_context_level(void)
{
	return me->reported;
}

unsigned long shim_irq_save(void)
{
	return me->preempt++;
}

void shim_irq_restore(unsigned long flags)
{
	me->preempt = flags;
}

void cpu_relax(void)
{
	if (exploring && world.running >= 0)
		block(WAIT_PROGRESS, NULL, 0);
}

void mutex_init(struct mutex *mutex)
{
	mutex->owner = 0;
}

void mutex_lock(struct mutex *mutex)
{
	if (me->preempt)
		fail("a mutex is taken with preemption off");
	shim_point();
	if (mutex->owner == world.running + 2)
		fail("a mutex is taken twice");
	while (mutex->owner)
		block(WAIT_MUTEX, mutex, 0);
	mutex->owner = world.running + 2;
}

void mutex_unlock(struct mutex *mutex)
{
	if (mutex->owner != world.running + 2)
		fail("a mutex is unlocked by an actor that does not hold it");
	mutex->owner = 0;
}

bool mutex_is_locked(struct mutex *mutex)
{
	return mutex->owner;
}

void synchronize_rcu(void)
{
	if (exploring && world.running >= 0) {
		block(WAIT_GRACE, NULL, 0);
		/* A writer may come before what the caller does next. */
		point("grace period is over");
	}
}

int smp_call_function_single_async(int cpu, call_single_data_t *csd)
{
	struct call *call;

	if (!shim_online)
		return -ENXIO;
	if (world.running < 0) {
		run_call(csd->func, csd->info);
		return 0;
	}
	call = &world.call[world.running];
	call->function = csd->func;
	call->info = csd->info;
	call->pending = true;
	call->done = false;
	block(WAIT_CALL, call, 0);
	return 0;
}

bool irq_work_queue(struct irq_work *work)
{
	int i;

	if (work->pending)
		return false;
	work->pending = true;
	for (i = 0; i < WORKS_MAX; i++)
		if (!world.works[i]) {
			world.works[i] = work;
			return true;
		}
	fail("more irq_work than the explorer can note");
}

bool schedule_work(struct work_struct *work)
{
	int i;

	if (work->pending)
		return false;
	work->pending = true;
	for (i = 0; i < WORK_MAX; i++)
		if (!world.work[i]) {
			world.work[i] = work;
			return true;
		}
	fail("more work than the explorer can note");
}

bool cancel_work_sync(struct work_struct *work)
{
	if (work->pending)
		fail("work is cancelled while it is pending");
	return false;
}

void irq_work_sync(struct irq_work *work)
{
	run_works();
}

void wake_up_all(struct wait_queue_head *queue)
{
	queue->wakeups++;
}

/* False if the timeout ends before a wakeup. */
bool shim_sleep(struct wait_queue_head *queue, unsigned int wakeups, bool timeout)
{
	if (world.running < 0)
		return false;
	if (queue->wakeups == wakeups)
		block(timeout ? WAIT_QUEUE_TIMEOUT : WAIT_QUEUE, queue, wakeups);
	return queue->wakeups != wakeups;
}
