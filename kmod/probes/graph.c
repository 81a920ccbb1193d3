// SPDX-License-Identifier: GPL-2.0
/*
 * Begins and ends of functions, as ftrace's events `funcgraph_entry` and `funcgraph_exit`.
 *
 * ftrace's own graph tracer cannot be used: register_ftrace_graph() is not exported. So each
 * function has a kretprobe, and only functions that are named can be recorded, not all that
 * they call. What kretprobes miss is counted by them: a call while another kprobe is being
 * handled on the CPU, and one for which no instance is free.
 *
 * The layouts of the events differ between kernels. They are compared with ftrace's formats;
 * without one that is known there is no such tracer.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/trace_clock.h>

#include "event.h"
#include "graph.h"
#include "own_events.h"
#include "kernel_file.h"

/* Calls of a function that may be open at once, each in another task. */
#define OPEN_MAX	128

/* Fields of each format: type, flags, preempt_count and pid. */
#define HEAD_FIELDS	4

/*
 * Layouts of events/ftrace/funcgraph_entry/format. The longer one ends with an array of
 * arguments, which is empty here, so its length varies.
 */
struct graph_entry {
	struct trace_entry	ent;
	unsigned long		func;
	int			depth;
} __packed;

struct graph_long_entry {
	struct trace_entry	ent;
	unsigned long		func;
	unsigned long		depth;
} __packed;

/* Layout of events/ftrace/funcgraph_exit/format. */
struct graph_exit {
	struct trace_entry	ent;
	unsigned long		func;
#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
	unsigned long		retval;
#endif
	int			depth;
	unsigned int		overrun;
	u64			calltime;
	u64			rettime;
} __packed;

/* Which of them the kernel has. */
enum graph_layout {
	GRAPH_LAYOUT_UNREAD,
	GRAPH_LAYOUT_UNKNOWN,
	GRAPH_LAYOUT_INT,
	GRAPH_LAYOUT_LONG,
};

static enum graph_layout graph_layout;

/**
 * struct graph_probe - a function
 * @probe: its kretprobe
 * @graph: all functions
 * @list: in tring_graph::probes
 */
struct graph_probe {
	struct kretprobe	probe;
	struct tring_graph	*graph;
	struct list_head	list;
};

/**
 * struct tring_graph - the functions that a ring records
 * @buffer: the ring
 * @set: events of the ring; says which tasks are recorded
 * @max_depth: depth from which on calls are left out; 0 for none
 * @entry: key of `funcgraph_entry`
 * @exit: key of `funcgraph_exit`
 * @probes: the functions
 */
struct tring_graph {
	struct tring_buffer	*buffer;
	struct tring_event_set	*set;
	const unsigned int	*max_depth;
	struct tring_key	entry;
	struct tring_key	exit;
	struct list_head	probes;
};

/* What a call keeps until its end. */
struct open_call {
	u64	begin;
	int	depth;
};

/* The open calls of a task, those of other kretprobes included. */
static __always_inline int depth_of(struct task_struct *task)
{
#ifdef CONFIG_KRETPROBE_ON_RETHOOK
	struct llist_node *node = READ_ONCE(task->rethooks.first);
#else
	struct llist_node *node = READ_ONCE(task->kretprobe_instances.first);
#endif
	int depth = 0;

	for (; node; node = node->next)
		depth++;
	return depth;
}

static __always_inline void record_graph_entry(struct tring_graph *graph, unsigned long func,
					       int depth, bool is_long)
{
	/* ftrace or the kprobe's trap has disabled preemption, too. */
	u64 context = tring_event_context(current, TRING_TRACEPOINT_DEPTH);
	unsigned int size = is_long ? sizeof(struct graph_long_entry) :
				      sizeof(struct graph_entry);
	struct tring_record TRING_UNINITIALIZED record;
	struct graph_entry *entry;

	if (__tring_reserve(graph->buffer, READ_ONCE(graph->entry.head) | context, is_long,
			    current->pid, size, &record))
		return;
	entry = record.payload;
	tring_fill_entry_rest(&entry->ent);
	entry->func = func;
	if (is_long)
		((struct graph_long_entry *)entry)->depth = depth;
	else
		entry->depth = depth;
	__tring_commit(&record);
}

static __always_inline void record_exit(struct tring_graph *graph, unsigned long func,
					const struct open_call *call, u64 end,
					unsigned long value)
{
	/* So has the trampoline. */
	u64 context = tring_event_context(current, TRING_TRACEPOINT_DEPTH);
	struct tring_record TRING_UNINITIALIZED record;
	struct graph_exit *exit;

	if (__tring_reserve(graph->buffer, READ_ONCE(graph->exit.head) | context, false,
			    current->pid, sizeof(*exit), &record))
		return;
	exit = record.payload;
	tring_fill_entry_rest(&exit->ent);
	exit->func = func;
#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
	exit->retval = value;
#endif
	exit->depth = call->depth;
	exit->overrun = 0;
	exit->calltime = call->begin;
	exit->rettime = end;
	__tring_commit(&record);
}

/* A call that is not recorded has no end either. As for functions, RCU has to watch. */
static TRING_PROBE int call_begins(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct kretprobe *probe = get_kretprobe(instance);
	struct graph_probe *own = container_of(probe, struct graph_probe, probe);
	unsigned int max_depth = READ_ONCE(*own->graph->max_depth);
	struct open_call *call = (void *)instance->data;

	call->depth = depth_of(current);
	if ((max_depth && call->depth >= max_depth) ||
	    unlikely(!current->pid && !rcu_is_watching()) || !tring_task_wanted(own->graph->set))
		return 1;
	if (graph_layout == GRAPH_LAYOUT_LONG)
		record_graph_entry(own->graph, (unsigned long)probe->kp.addr, call->depth, true);
	else
		record_graph_entry(own->graph, (unsigned long)probe->kp.addr, call->depth, false);
	/* The time that the entry takes is not the function's. */
	call->begin = trace_clock_local();
	return 0;
}

static TRING_PROBE int call_ends(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	u64 end = trace_clock_local();
	struct kretprobe *probe = get_kretprobe(instance);
	struct graph_probe *own;

	/* Gone while the call was open */
	if (unlikely(!probe))
		return 0;
	own = container_of(probe, struct graph_probe, probe);
	record_exit(own->graph, (unsigned long)probe->kp.addr, (void *)instance->data, end,
		    regs_return_value(regs));
	return 0;
}

/* A field behind the head, as a format file describes it. */
struct graph_field {
	const char	*name;
	size_t		offset;
	size_t		size;
};

static const struct graph_field int_fields[] = {
	{ "func", offsetof(struct graph_entry, func), sizeof(long) },
	{ "depth", offsetof(struct graph_entry, depth), sizeof(int) },
};

static const struct graph_field long_fields[] = {
	{ "func", offsetof(struct graph_long_entry, func), sizeof(long) },
	{ "depth", offsetof(struct graph_long_entry, depth), sizeof(long) },
	{ "args[]", sizeof(struct graph_long_entry), 0 },
};

static const struct graph_field exit_fields[] = {
	{ "func", offsetof(struct graph_exit, func), sizeof(long) },
#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
	{ "retval", offsetof(struct graph_exit, retval), sizeof(long) },
#endif
	{ "depth", offsetof(struct graph_exit, depth), sizeof(int) },
	{ "overrun", offsetof(struct graph_exit, overrun), sizeof(int) },
	{ "calltime", offsetof(struct graph_exit, calltime), sizeof(u64) },
	{ "rettime", offsetof(struct graph_exit, rettime), sizeof(u64) },
};

/* Does a format have these fields, and no others? */
static bool has_fields(const char *format, const struct graph_field *fields, unsigned int count)
{
	unsigned int found = 0, i;
	char text[64];

	for (i = 0; i < count; i++) {
		snprintf(text, sizeof(text), " %s;\toffset:%zu;\tsize:%zu;", fields[i].name,
			 fields[i].offset, fields[i].size);
		if (!strstr(format, text))
			return false;
	}
	while ((format = strstr(format, "\tfield:"))) {
		found++;
		format++;
	}
	return found == HEAD_FIELDS + count;
}

static enum graph_layout read_graph_layout(void)
{
	char *entry = tring_kernel_file_read("events/ftrace/funcgraph_entry/format");
	char *exit = tring_kernel_file_read("events/ftrace/funcgraph_exit/format");
	enum graph_layout layout = GRAPH_LAYOUT_UNKNOWN;

	if (!IS_ERR(entry) && !IS_ERR(exit) &&
	    has_fields(exit, exit_fields, ARRAY_SIZE(exit_fields))) {
		if (has_fields(entry, int_fields, ARRAY_SIZE(int_fields)))
			layout = GRAPH_LAYOUT_INT;
		else if (has_fields(entry, long_fields, ARRAY_SIZE(long_fields)))
			layout = GRAPH_LAYOUT_LONG;
	}
	if (!IS_ERR(entry))
		kvfree(entry);
	if (!IS_ERR(exit))
		kvfree(exit);
	return layout;
}

/**
 * tring_graph_is_available - are the kernel's layouts of the records known?
 *
 * To be asked before tring_graph_create().
 *
 * Context: process, may sleep; takes ftrace's event_mutex.
 */
bool tring_graph_is_available(void)
{
	/* Race: two tasks read the same. */
	if (READ_ONCE(graph_layout) == GRAPH_LAYOUT_UNREAD)
		WRITE_ONCE(graph_layout, read_graph_layout());
	return READ_ONCE(graph_layout) != GRAPH_LAYOUT_UNKNOWN;
}

/**
 * tring_graph_create - prepare to record begins and ends of functions
 * @set: events of the ring
 * @max_depth: calls inside as many others are left out; 0 for none
 *
 * Context: process, may sleep.
 * Return: no functions yet, or NULL if there is no memory.
 */
struct tring_graph *tring_graph_create(struct tring_event_set *set, const unsigned int *max_depth)
{
	struct tring_graph *graph = kzalloc(sizeof(*graph), GFP_KERNEL);

	if (!graph)
		return NULL;
	graph->buffer = set->buffer;
	graph->set = set;
	graph->max_depth = max_depth;
	INIT_LIST_HEAD(&graph->probes);
	tring_buffer_add_event(set->buffer, &graph->entry,
			       tring_own_event_id(TRING_OWN_GRAPH_ENTRY),
			       graph_layout == GRAPH_LAYOUT_LONG ? 0 :
			       sizeof(struct graph_entry) - TRING_PAYLOAD_HEAD, true);
	tring_buffer_add_event(set->buffer, &graph->exit,
			       tring_own_event_id(TRING_OWN_GRAPH_EXIT),
			       sizeof(struct graph_exit) - TRING_PAYLOAD_HEAD, true);
	return graph;
}

/**
 * tring_graph_add - record begins and ends of a function
 * @graph: from tring_graph_create()
 * @name: name of the function, which stays until tring_graph_destroy()
 *
 * A second kretprobe of a function would record each call twice: a name that is there does not
 * count again.
 *
 * Context: process, may sleep.
 * Return: 0; -ENOMEM; or an error of register_kretprobe(), for which the log names the function.
 */
int tring_graph_add(struct tring_graph *graph, const char *name)
{
	struct graph_probe *own;
	int err;

	list_for_each_entry(own, &graph->probes, list)
		if (!strcmp(own->probe.kp.symbol_name, name))
			return 0;
	own = kzalloc(sizeof(*own), GFP_KERNEL);
	if (!own)
		return -ENOMEM;
	own->graph = graph;
	own->probe.kp.symbol_name = name;
	own->probe.entry_handler = call_begins;
	own->probe.handler = call_ends;
	own->probe.data_size = sizeof(struct open_call);
	own->probe.maxactive = OPEN_MAX;
	err = register_kretprobe(&own->probe);
	if (err) {
		pr_notice("the function %s cannot be recorded: %pe\n", name, ERR_PTR(err));
		kfree(own);
		return err;
	}
	list_add_tail(&own->list, &graph->probes);
	return 0;
}

/**
 * tring_graph_destroy - stop recording begins and ends of functions
 * @graph: from tring_graph_create()
 *
 * Waits until no call is being recorded. Open calls end unrecorded.
 *
 * Context: process, may sleep.
 */
void tring_graph_destroy(struct tring_graph *graph)
{
	struct graph_probe *own, *next;
	unsigned long missed = 0;

	/* The kernel waits for one after each function. */
	tring_expedite_grace_periods();
	list_for_each_entry_safe(own, next, &graph->probes, list) {
		unregister_kretprobe(&own->probe);
		missed += own->probe.nmissed + own->probe.kp.nmissed;
		kfree(own);
	}
	tring_unexpedite_grace_periods();
	if (missed)
		pr_notice("function_graph: %lu calls were missed by their kretprobes\n", missed);
	tring_buffer_remove_event(graph->buffer, &graph->exit);
	tring_buffer_remove_event(graph->buffer, &graph->entry);
	kfree(graph);
}
