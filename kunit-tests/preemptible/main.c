// SPDX-License-Identifier: GPL-2.0
/*
 * tring_preemptible.ko: calls a probe with preemption enabled, as tracepoints do since
 * 7.0, on any kernel. Between reservation and commit, preemption must be disabled; if it
 * is not, the task moves to another CPU there, as it could at any time. Loading fails
 * unless each record was committed by the CPU that had reserved it, and nothing else has
 * changed; scripts/guest/whole-path.sh loads this module.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "compat.h"
#include "preemptible.h"
#include "probes/event.h"
#include "ring/ring.h"

#define EVENT_ID	78
#define CALLS		100

/* To a CPU in whose ring the record is not. */
static void move_on(void)
{
	unsigned int cpu = cpumask_next(raw_smp_processor_id(), cpu_online_mask);

	if (cpu >= nr_cpu_ids)
		cpu = cpumask_first(cpu_online_mask);
	set_cpus_allowed_ptr(current, cpumask_of(cpu));
}

/**
 * preemptible_look - note the context that a probe runs in
 * @call: set
 *
 * Context: within the probe, between reservation and commit.
 */
void preemptible_look(struct preemptible_call *call)
{
	call->depth = preempt_count() & PREEMPT_MASK;
	call->preemptible = preemptible();
	if (call->preemptible)
		move_on();
}

/* Calls the probe on all CPUs in turn. */
static int call_probe(struct tring_event *event)
{
	void (*probe)(void *data, struct preemptible_call *call) = event->probe;
	struct preemptible_call call = { };

	for (; call.number < CALLS; call.number++) {
		unsigned int before = preempt_count();

		call.preemptible = true;
		probe(event, &call);
		if (call.preemptible || call.depth != 1) {
			pr_err("the probe runs with preemption enabled, depth %u\n",
			       call.depth);
			return -EPROTO;
		}
		if (preempt_count() != before) {
			pr_err("the preempt count is %#x behind the probe, %#x before it\n",
			       preempt_count(), before);
			return -EPROTO;
		}
		move_on();
	}
	return 0;
}

/* Each ring that was written to has committed what it has reserved. */
static int count_records(struct tring_buffer *buffer)
{
	unsigned int cpu, rings = 0;
	struct tring_stats stats;
	u64 committed = 0;

	for_each_online_cpu(cpu) {
		tring_buffer_stats(buffer, cpu, &stats);
		if (stats.open || stats.committed != stats.reserved) {
			pr_err("CPU %u has committed %llu of %llu\n", cpu, stats.committed,
			       stats.reserved);
			return -EPROTO;
		}
		committed += stats.committed;
		rings += stats.committed > 0;
	}
	if (committed != CALLS || rings != num_online_cpus()) {
		pr_err("%llu records on %u CPUs\n", committed, rings);
		return -EPROTO;
	}
	return 0;
}

static int __init init_preemptible(void)
{
	struct tring_event *event;
	LIST_HEAD(events);
	int err;

	if (!IS_ENABLED(CONFIG_PREEMPT_COUNT))
		return -EOPNOTSUPP;
	tring_list_events_tring_preemptible(&events);
	event = list_first_entry(&events, struct tring_event, list);
	event->buffer = tring_buffer_create();
	if (!event->buffer)
		return -ENOMEM;
	err = tring_buffer_allocate(event->buffer);
	if (!err) {
		tring_buffer_add_event(event->buffer, &event->key, EVENT_ID, event->length,
				       true);
		tring_buffer_set_recording(event->buffer, true);
		err = call_probe(event);
		tring_buffer_set_recording(event->buffer, false);
		err = count_records(event->buffer) ?: err;
		tring_buffer_remove_event(event->buffer, &event->key);
	}
	tring_buffer_destroy(event->buffer);
	set_cpus_allowed_ptr(current, cpu_possible_mask);
	return err;
}

static void __exit exit_preemptible(void)
{
}

module_init(init_preemptible);
module_exit(exit_preemptible);
MODULE_DESCRIPTION("A test of tring's probes with preemption enabled");
MODULE_LICENSE("GPL");
TRING_IMPORT_NS;
