// SPDX-License-Identifier: GPL-2.0
/*
 * What can be asked for in any context, NMI included: recording on or off, and a snapshot.
 * The caller does by plain stores what has to be done at once. A work item does the rest,
 * milliseconds later.
 *
 * The work is bound to no CPU: the one that asks may run a real-time task for as long as it
 * likes, and an isolated one is left alone. Recording has priority, as what is done is short. A
 * snapshot allocates memory, and has none: it must not displace the task that is observed.
 *
 * Off: the limit of each ring is 0 when tring_buffer_request_recording() returns. What a
 * writer of another CPU has begun to reserve is still recorded, and nothing behind it.
 * Readers are told of the end when the writers are through.
 *
 * On: the next event is recorded, if nothing else keeps writers out. It goes through the
 * reserve loop, which need not rely on the limit, until the limits are raised under
 * tring_buffer::mutex.
 *
 * Snapshot: the rings go on recording, but overwrite nothing until the snapshot is taken.
 * So it has what the rings held at the request. An event for which a full ring has no room
 * meanwhile is refused and counted. Requests that come before the snapshot begins are met
 * by it; for later ones there is another one.
 */

#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/workqueue.h>

#include "internal.h"

/**
 * tring_buffer_request_recording - switch recording on or off, from any context
 * @buffer: the buffer
 * @on: new state
 *
 * Context: any, NMI included.
 */
void tring_buffer_request_recording(struct tring_buffer *buffer, bool on)
{
	int cpu;

	WRITE_ONCE(buffer->wanted_recording, on);
	/*
	 * TB(stop:A) what is wanted before the limit, or before recording. Pairs with
	 * TB(limit:A).
	 */
	smp_mb();
	if (on) {
		WRITE_ONCE(buffer->recording, true);
	} else {
		for_each_possible_cpu(cpu)
			WRITE_ONCE(tring_cpu_buffer(buffer, cpu)->limit, 0);
	}
	irq_work_queue(&buffer->request_irq_work);
}
NOKPROBE_SYMBOL(tring_buffer_request_recording);

/**
 * tring_buffer_request_snapshot - have a snapshot taken, from any context
 * @buffer: the buffer
 *
 * The snapshot has each record that was committed before, unless it was read meanwhile.
 *
 * Context: any, NMI included.
 */
void tring_buffer_request_snapshot(struct tring_buffer *buffer)
{
	/* The others are met by what the first one has set going. */
	if (atomic_inc_return(&buffer->snapshot_requests) == 1)
		irq_work_queue(&buffer->request_irq_work);
}
NOKPROBE_SYMBOL(tring_buffer_request_snapshot);

static void follow_recording(struct work_struct *work)
{
	struct tring_buffer *buffer = container_of(work, struct tring_buffer, recording_work);

	tring_buffer_lock(buffer);
	if (buffer->wanted_recording || READ_ONCE(buffer->recording))
		tring_buffer_follow_recording(buffer);
	tring_buffer_unlock(buffer);
}

static void take_snapshot(struct work_struct *work)
{
	struct tring_buffer *buffer = container_of(work, struct tring_buffer, snapshot_work);
	int err = 0, requests;

	tring_buffer_lock(buffer);
	/* One snapshot is for all that have been asked for until it is taken. */
	requests = atomic_read(&buffer->snapshot_requests);
	if (requests)
		err = tring_buffer_take_snapshot(buffer);
	tring_buffer_unlock(buffer);
	if (!requests)
		return;
	if (err)
		pr_notice_ratelimited("tring: a trigger's snapshot was not taken: error %d\n", err);
	else
		WRITE_ONCE(buffer->snapshots_taken, buffer->snapshots_taken + 1);
	WRITE_ONCE(buffer->snapshots_asked, buffer->snapshots_asked + requests);
	if (atomic_sub_return(requests, &buffer->snapshot_requests))
		queue_work(system_unbound_wq, work);
}

static void schedule_requests(struct irq_work *work)
{
	struct tring_buffer *buffer = container_of(work, struct tring_buffer, request_irq_work);

	queue_work(tring_queue, &buffer->recording_work);
	if (atomic_read(&buffer->snapshot_requests))
		queue_work(system_unbound_wq, &buffer->snapshot_work);
}

/**
 * tring_requests_init - set up the requests of a buffer
 * @buffer: a new one
 *
 * Context: task.
 */
void tring_requests_init(struct tring_buffer *buffer)
{
	buffer->request_irq_work = IRQ_WORK_INIT_HARD(schedule_requests);
	INIT_WORK(&buffer->recording_work, follow_recording);
	INIT_WORK(&buffer->snapshot_work, take_snapshot);
	INIT_DELAYED_WORK(&buffer->settle_work, tring_settle_late);
}

/**
 * tring_requests_stop - stop doing what was requested
 * @buffer: nothing requests any more
 *
 * Context: task, may sleep.
 */
void tring_requests_stop(struct tring_buffer *buffer)
{
	irq_work_sync(&buffer->request_irq_work);
	cancel_work_sync(&buffer->recording_work);
	cancel_work_sync(&buffer->snapshot_work);
	/* The others may have set it going. */
	cancel_delayed_work_sync(&buffer->settle_work);
}
