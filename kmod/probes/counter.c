// SPDX-License-Identifier: GPL-2.0
/*
 * Events that have no probe of tring's, by perf: a kernel counter of each CPU calls a
 * handler at each event, with the record that ftrace would have written. That costs about
 * as much as ftrace itself, and works for all events but few: those of system calls, of
 * modules, kprobes and uprobes included.
 *
 * perf and the record. perf has disabled preemption by the time it makes the record, and
 * ftrace leaves its own count out. So the handler takes one off the preempt count.
 *
 * What perf drops. While a handler runs, perf calls no other one in the same context: of
 * task, softirq, interrupt and NMI. It counts that nowhere.
 *
 * CPUs. A counter ends with its CPU, and is of no use when the CPU comes back. Making one
 * takes ftrace's event_mutex, below which the lock of CPU hotplug is taken. So the hotplug
 * callback cannot make one, and lets a work item do it: events of a CPU that comes online
 * are recorded some milliseconds later.
 *
 * Facts: kernel/trace/trace_event_perf.c, perf_tp_event() and __perf_event_exit_context() of
 * kernel/events/core.c.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bug.h>
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/overflow.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/workqueue.h>

#include "event.h"
#include "examine.h"
#include "layout.h"
#include "pages.h"
#include "source.h"
#include "kernel_file.h"

/**
 * struct tring_counter - an event that perf records
 * @event: the event, whose layout is known
 * @list: in perf_counters
 * @counters: perf's counter of each CPU, or NULL
 */
struct tring_counter {
	struct tring_event	*event;
	struct list_head	list;
	struct perf_event	*counters[];
};

/* Protected by tring_events_mutex. */
static LIST_HEAD(perf_counters);
/* CPUs whose counters have to be made again. */
static struct cpumask renewed_cpus;
static enum cpuhp_state counter_hotplug_state;

/*
 * Where the payload ends. @size is what perf has, and may be more. The locations are in the
 * record, which the kernel has just written.
 */
static __always_inline u32 payload_end(const struct tring_layout *layout, const void *payload,
				       u32 size)
{
	u32 end = layout->end, location, i;

	if (unlikely(!end))
		return size;
	for (i = 0; i < layout->count; i++) {
		const struct tring_dynamic_field *field = &layout->dynamic[i];

		memcpy(&location, payload + field->offset, sizeof(location));
		end = max(end, field->from + (location & 0xffff) + (location >> 16));
	}
	return min(end, size);
}

static noinline TRING_PROBE void examine_event(struct tring_event *event,
					       const struct trace_entry *from, u8 preempt_count,
					       u32 size, struct pt_regs *regs)
{
	struct trace_entry *entry = tring_examine_begin(event, size);

	if (!entry)
		return;
	memcpy(entry, from, size);
	entry->preempt_count = preempt_count;
	tring_examine_end_by_perf(event, entry, size, regs);
}

static TRING_PROBE void record_event(struct perf_event *perf_event,
				     struct perf_sample_data *data, struct pt_regs *regs)
{
	const struct tring_counter *counter = perf_event->overflow_handler_context;
	struct tring_event *event = counter->event;
	struct tring_record TRING_UNINITIALIZED record;
	const struct perf_raw_record *raw = data->raw;
	const struct trace_entry *entry;
	u64 head = READ_ONCE(event->key.head);
	unsigned int preempt_count;
	u32 size;

	if (!tring_event_wanted(event))
		return;
	if (WARN_ON_ONCE(!raw || raw->frag.size < event->layout->end))
		return;
	entry = raw->frag.data;
	size = payload_end(event->layout, entry, raw->frag.size);
	preempt_count = entry->preempt_count;
	/* The lower half is the depth. */
	if (preempt_count & 0xf)
		preempt_count -= TRING_TRACEPOINT_DEPTH;
	if (tring_event_is_examined(event)) {
		examine_event(event, entry, preempt_count, size, regs);
		return;
	}
	if (__tring_reserve(event->buffer, head | tring_context(entry->flags, preempt_count),
			    head & TRING_HEAD_VARIES, entry->pid, size, &record))
		return;
	memcpy(record.payload + TRING_PAYLOAD_HEAD, (const void *)entry + TRING_PAYLOAD_HEAD,
	       size - TRING_PAYLOAD_HEAD);
	__tring_commit(&record);
}

/*
 * With the module's own rights: the user was allowed to write to set_event. Many events on
 * many CPUs take as much memory as a ring.
 */
static struct perf_event *create_on_cpu(struct tring_counter *counter, int cpu)
{
	struct perf_event_attr attr = {
		.type		= PERF_TYPE_TRACEPOINT,
		.size		= sizeof(attr),
		.config		= counter->event->file->event_call->event.type,
		/*
		 * With the period one event is one sample. Without it the handler is called
		 * as often as __perf_count() says, for sched_stat_runtime once a nanosecond.
		 */
		.sample_type	= PERF_SAMPLE_RAW | PERF_SAMPLE_PERIOD,
		.sample_period	= 1,
	};
	struct perf_event *perf_event;
	const struct cred *old;

	if (tring_pages_charge(sizeof(*perf_event)))
		return ERR_PTR(-ENOMEM);
	old = override_creds(tring_kernel_cred);
	perf_event = perf_event_create_kernel_counter(&attr, cpu, NULL, record_event, counter);
	revert_creds(old);
	if (IS_ERR(perf_event))
		tring_pages_uncharge(sizeof(*perf_event));
	/* The CPU has gone offline; renew_counters() follows when it comes back. */
	if (perf_event == ERR_PTR(-ENODEV) && !cpu_online(cpu))
		return NULL;
	return perf_event;
}

static void release_on_cpu(struct tring_counter *counter, int cpu)
{
	struct perf_event *perf_event = counter->counters[cpu];

	counter->counters[cpu] = NULL;
	if (!perf_event)
		return;
	perf_event_release_kernel(perf_event);
	tring_pages_uncharge(sizeof(*perf_event));
}

static void release_counters(struct tring_counter *counter)
{
	int cpu;

	for_each_possible_cpu(cpu)
		release_on_cpu(counter, cpu);
}

static int create_counters(struct tring_counter *counter)
{
	struct perf_event *perf_event;
	int cpu;

	for_each_online_cpu(cpu) {
		perf_event = create_on_cpu(counter, cpu);
		if (IS_ERR(perf_event)) {
			release_counters(counter);
			/*
			 * EINTR says that a uprobe's event is enabled in ftrace, which can
			 * serve one of the two. A shell's echo would try again for ever.
			 */
			if (perf_event != ERR_PTR(-EINTR))
				return PTR_ERR(perf_event);
			pr_notice_ratelimited("%s:%s is not recorded: it is enabled in ftrace\n",
					      counter->event->system, counter->event->name);
			return -EBUSY;
		}
		counter->counters[cpu] = perf_event;
	}
	return 0;
}

static bool counter_suits(const struct tring_event *event, const struct trace_event_file *file)
{
	const struct trace_event_call *call = file->event_call;

	/* The kernel accepts a counter for an event probe, and never calls it. */
	if (call->flags & TRACE_EVENT_FL_EPROBE)
		return false;
	/* Synthetic events have no function for perf. */
	if (call->flags & TRACE_EVENT_FL_TRACEPOINT)
		return call->class->perf_probe;
	return call->class->reg;
}

static void free_counter(struct tring_event *event)
{
	kfree(event->source_data);
	event->source_data = NULL;
}

static int enable_counter(struct tring_event_set *set, struct tring_event *event)
{
	const struct tring_layout *layout = event->layout;
	struct tring_counter *counter;
	u32 length = 0;
	int err;

	counter = kzalloc(struct_size(counter, counters, nr_cpu_ids), GFP_KERNEL);
	if (!counter)
		return -ENOMEM;
	counter->event = event;
	event->source_data = counter;
	if (!layout->count && layout->end > TRING_PAYLOAD_HEAD)
		length = layout->end - TRING_PAYLOAD_HEAD;
	tring_buffer_add_event(event->buffer, &event->key, event->file->event_call->event.type,
			       length, false);
	err = create_counters(counter);
	if (err) {
		/* Those of some CPUs may have recorded. */
		tring_synchronize_probes();
		tring_buffer_remove_event(event->buffer, &event->key);
		free_counter(event);
		return err;
	}
	list_add_tail(&counter->list, &perf_counters);
	return 0;
}

static void disable_counter(struct tring_event_set *set, struct tring_event *event)
{
	struct tring_counter *counter = event->source_data;

	list_del(&counter->list);
	release_counters(counter);
}

const struct tring_source tring_counter_source = {
	.name		= "counter",
	.is_slow	= true,
	.needs_layout	= true,
	.suits		= counter_suits,
	.enable		= enable_counter,
	.disable	= disable_counter,
	.release	= free_counter,
};

static void renew_on_cpu(struct tring_counter *counter, int cpu)
{
	struct perf_event *perf_event;

	release_on_cpu(counter, cpu);
	perf_event = create_on_cpu(counter, cpu);
	if (IS_ERR(perf_event)) {
		pr_warn("%s:%s is not recorded on CPU %d, which came online: %pe\n",
			counter->event->system, counter->event->name, cpu, perf_event);
		perf_event = NULL;
	}
	counter->counters[cpu] = perf_event;
}

static void renew_counters(struct work_struct *work)
{
	struct tring_counter *counter;
	int cpu;

	mutex_lock(&tring_events_mutex);
	for_each_possible_cpu(cpu) {
		if (!cpumask_test_and_clear_cpu(cpu, &renewed_cpus))
			continue;
		list_for_each_entry(counter, &perf_counters, list)
			renew_on_cpu(counter, cpu);
	}
	mutex_unlock(&tring_events_mutex);
}

static DECLARE_WORK(renew_work, renew_counters);

/* A counter that was made between the CPU's coming online and this is made twice. */
static int cpu_comes_online(unsigned int cpu)
{
	cpumask_set_cpu(cpu, &renewed_cpus);
	schedule_work(&renew_work);
	return 0;
}

/**
 * tring_counters_init - watch CPUs that come online
 *
 * Context: process, may sleep.
 * Return: 0 or a negative errno.
 */
int __init tring_counters_init(void)
{
	int state = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "tring:counters",
					      cpu_comes_online, NULL);

	if (state < 0)
		return state;
	counter_hotplug_state = state;
	return 0;
}

/**
 * tring_counters_exit - undo tring_counters_init(), after the last event
 *
 * Context: process, may sleep.
 */
void tring_counters_exit(void)
{
	cpuhp_remove_state_nocalls(counter_hotplug_state);
	cancel_work_sync(&renew_work);
}
