// SPDX-License-Identifier: GPL-2.0
/*
 * The life of a session, and what can be asked for in any context, NMI included: recording on
 * or off, a snapshot, short types. The caller does by plain stores what has to be done at once. A
 * work item does the rest, milliseconds later.
 *
 * The work is bound to no CPU: the one that asks may run a real-time task for as long as it
 * likes, and an isolated one is left alone. It has no priority, as a snapshot allocates memory: it
 * must not displace the task that is observed.
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
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "compat.h"
#include "session.h"

static enum cpuhp_state session_hotplug_state;

/* Between two looks at a ring whose CPU has not answered. */
#define SETTLE_JIFFIES	HZ

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
	irq_work_queue(&buffer->ask_work);
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
		irq_work_queue(&buffer->ask_work);
}
NOKPROBE_SYMBOL(tring_buffer_request_snapshot);

/* At once, though it may wait for a CPU that has not answered. */
static void begin_asked_work(struct irq_work *work)
{
	struct tring_session *session = container_of(work, struct tring_session, buffer.ask_work);

	mod_delayed_work(system_unbound_wq, &session->work, 0);
}

static void take_asked_snapshot(struct tring_session *session)
{
	struct tring_buffer *buffer = &session->buffer;
	/* One snapshot is for all that have been asked for until it is taken. */
	int requests = atomic_read(&buffer->snapshot_requests), err;

	if (!requests)
		return;
	err = tring_buffer_snapshot(buffer);
	if (err)
		pr_notice_ratelimited("tring: a trigger's snapshot was not taken: error %d\n", err);
	else
		WRITE_ONCE(session->snapshots_taken, session->snapshots_taken + 1);
	WRITE_ONCE(session->snapshots_asked, session->snapshots_asked + requests);
	if (atomic_sub_return(requests, &buffer->snapshot_requests))
		irq_work_queue(&buffer->ask_work);
}

static void do_asked_work(struct work_struct *work)
{
	struct tring_session *session = container_of(to_delayed_work(work), struct tring_session,
						     work);
	struct tring_buffer *buffer = &session->buffer;

	tring_buffer_lock(buffer);
	tring_short_give(session);
	if (buffer->wanted_recording || READ_ONCE(buffer->recording))
		tring_buffer_follow_recording(buffer);
	take_asked_snapshot(session);
	tring_buffer_settle(buffer, cpu_possible_mask);
	tring_buffer_unlock(buffer);
}

/* A CPU for which there is no memory comes online all the same; its events are refused. */
static int prepare_cpu(unsigned int cpu, struct hlist_node *node)
{
	struct tring_session *session = hlist_entry(node, struct tring_session, hotplug);
	struct tring_buffer *buffer = &session->buffer;

	mutex_lock(&buffer->mutex);
	if (buffer->allocated && tring_ring_allocate(buffer, cpu))
		pr_warn_ratelimited("tring: no memory for the ring of CPU %u\n", cpu);
	mutex_unlock(&buffer->mutex);
	return 0;
}

static int show_memory(struct tring_buffer *buffer, struct tring_memory *memory)
{
	return tring_directory_add(&tring_session_of(buffer)->directory, memory);
}

static void begin_trace(struct tring_buffer *buffer)
{
	struct tring_session *session = tring_session_of(buffer);

	tring_short_forget(session);
	tring_directory_begin_trace(&session->directory);
}

/* A CPU that hangs costs a look a second. */
static void settle_later(struct tring_buffer *buffer)
{
	queue_delayed_work(system_unbound_wq, &tring_session_of(buffer)->work, SETTLE_JIFFIES);
}

static const struct tring_observer session_observer = {
	.memory_added		= show_memory,
	.memory_published	= tring_directory_publish,
	.memory_removed		= tring_directory_remove,
	.trace_begun		= begin_trace,
	.unsettled		= settle_later,
};

/**
 * tring_buffer_create - create a buffer, in a session of its own
 *
 * It has no sub-buffers yet, the default sizes, recording off, overwrite on.
 *
 * Context: task, may sleep.
 * Return: the buffer, or NULL if there is no memory.
 */
struct tring_buffer *tring_buffer_create(void)
{
	struct tring_session *session = kzalloc(sizeof(*session), GFP_KERNEL);
	struct tring_buffer *buffer = &session->buffer;

	if (!session)
		return NULL;
	INIT_LIST_HEAD(&session->keys);
	INIT_DELAYED_WORK(&session->work, do_asked_work);
	buffer->ask_work = IRQ_WORK_INIT_HARD(begin_asked_work);
	if (tring_buffer_init(buffer, &session_observer))
		goto free;
	if (tring_directory_create(&session->directory, buffer, session->short_ids))
		goto exit;
	if (cpuhp_state_add_instance_nocalls(session_hotplug_state, &session->hotplug))
		goto destroy;
	return buffer;

destroy:
	tring_directory_destroy(&session->directory);
exit:
	tring_buffer_exit(buffer);
free:
	kfree(session);
	return NULL;
}
TRING_EXPORT(tring_buffer_create);

/**
 * tring_buffer_destroy - free a buffer
 * @buffer: no reader is open, and no probe records into it or ever will
 *
 * Waits for CPUs that hang, as they may be in a ring.
 *
 * Context: task, may sleep.
 */
void tring_buffer_destroy(struct tring_buffer *buffer)
{
	struct tring_session *session = tring_session_of(buffer);

	cpuhp_state_remove_instance_nocalls(session_hotplug_state, &session->hotplug);
	/* Writers that an unregistered probe has left behind. */
	synchronize_rcu();
	irq_work_sync(&buffer->ask_work);
	cancel_delayed_work_sync(&session->work);
	tring_buffer_exit(buffer);
	tring_directory_destroy(&session->directory);
	kfree(session);
}
TRING_EXPORT(tring_buffer_destroy);

/**
 * tring_session_init - set up what all sessions share
 *
 * Return: 0 or an error of the CPU hotplug core.
 */
int tring_session_init(void)
{
	int state = cpuhp_setup_state_multi(CPUHP_BP_PREPARE_DYN, "tring:prepare", prepare_cpu,
					    NULL);

	if (state < 0)
		return state;
	session_hotplug_state = state;
	return 0;
}

/**
 * tring_session_exit - undo tring_session_init(), after the last session
 */
void tring_session_exit(void)
{
	cpuhp_remove_multi_state(session_hotplug_state);
}
