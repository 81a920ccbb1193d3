// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's events that have probes; enabling one registers its probe with the
 * tracepoint. trace/define_trace.h makes the probes.
 *
 * The tracepoint and the id of an event are ftrace's. They are looked up by name each
 * time, since the module that defines the event may come and go. An enabled event
 * holds a reference to that module.
 *
 * Ids die with their module: ftrace may give them to other events, in 6.12 to the next
 * one. So the records of an event must be gone before its id can mean another:
 *  - When a module goes, a new trace begins in each ring that may have records of an event
 *    of that module. ftrace, too, clears its buffers then. It also frees the short types.
 *  - That is not possible while a reader is open. Then the id stays taken in this trace:
 *    another event with the same id is not enabled before the next trace.
 *
 * Each ring has a set of all events. Sets are independent; the same event may be enabled
 * in several.
 *
 * Lock order: inode locks of the directory "instances" and of what is in it,
 * the lock of the chain of module notifiers, tring_tasks::mutex, events_mutex, ftrace's
 * event_mutex, cpus_read_lock(), tring_buffer::mutex, tring_cpu_buffer::mutex.
 * tracepoints_mutex, too, comes after events_mutex.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/glob.h>
#include <linux/init.h>
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/overflow.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>

#include "event.h"
#include "events.h"
#include "fields.h"
#include "functions.h"
#include "graph.h"

/* Kbuild.include defines the list: SUBSYSTEM(sched); SUBSYSTEM(irq); ... */
#define SUBSYSTEM(name) void tring_list_events_##name(struct list_head *events)
TRING_SUBSYSTEMS
#undef SUBSYSTEM

/* Protects all sets, except what probes read; see enable_event(). */
static DEFINE_MUTEX(events_mutex);
/* Events without a ring, copied into each set. Constant after init. */
static LIST_HEAD(templates);
/* All sets. */
static LIST_HEAD(sets);

#define for_each_event(event, set)	\
	for ((event) = (set)->events; (event) < (set)->events + (set)->count; (event)++)

/*
 * An out-of-tree module may define an event with a known name but with other parameters
 * than the probe.
 */
static bool event_is_foreign(const struct trace_event_call *call)
{
#ifdef CONFIG_MODULES
	const struct module *module = call->module;

	return module && test_bit(TAINT_OOT_MODULE, &module->taints);
#else
	return false;
#endif
}

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

/* Returns ftrace's event of this name, with a reference, or NULL. */
static struct trace_event_file *get_event_file(const struct tring_event *event)
{
	struct trace_event_file *file;
	struct trace_event_call *call;

	file = trace_get_event_file(NULL, event->system, event->name);
	if (IS_ERR(file))
		return NULL;
	call = file->event_call;
	if (!(call->flags & TRACE_EVENT_FL_TRACEPOINT) ||
	    (call->flags & TRACE_EVENT_FL_DYNAMIC) || event_is_foreign(call)) {
		trace_put_event_file(file);
		return NULL;
	}
	return file;
}

/* Name of a field by which the probe does not fit ftrace's event, or NULL. */
static const char *misfit(const struct tring_event *event, const struct trace_event_file *file)
{
	return tring_fields_mismatch(event->fields, file->event_call->class->fields_array);
}

static bool event_is_available(const struct tring_event *event)
{
	struct trace_event_file *file;
	bool fits;

	if (event->enabled)
		return true;
	file = get_event_file(event);
	if (!file)
		return false;
	fits = !misfit(event, file);
	trace_put_event_file(file);
	return fits;
}

static u64 trace_number(struct tring_buffer *buffer)
{
	int cpu = cpumask_first(cpu_possible_mask);

	/* A new trace counts for all rings alike. */
	return READ_ONCE(tring_cpu_buffer(buffer, cpu)->trace);
}

/* May the trace have records of an event that is not enabled any more? */
static bool may_have_records(const struct tring_event *event)
{
	return tring_head_id(event->key.head) && event->trace == trace_number(event->buffer);
}

/* Does the trace have this id for another event, whose module is gone? */
static bool id_is_taken(struct tring_event_set *set, const struct tring_event *event, u16 id)
{
	const struct tring_event *other;

	for_each_event(other, set) {
		if (other != event && tring_head_id(other->key.head) == id &&
		    !other->enabled && may_have_records(other))
			return true;
	}
	return false;
}

/*
 * Does the pattern name this event? If @name is NULL, @system may be the name of a system
 * or of an event.
 */
static bool event_matches(const struct tring_event *event, const char *system,
			  const char *name)
{
	if (!name)
		return glob_match(system, event->system) ||
		       glob_match(system, event->name);
	return (!*system || glob_match(system, event->system)) &&
	       (!*name || glob_match(name, event->name));
}

/* The probe may run as soon as it is registered, so all that it reads is set before. */
static int enable_event(struct tring_event_set *set, struct tring_event *event)
{
	struct trace_event_file *file = get_event_file(event);
	const char *field;
	int err;

	if (!file)
		return -ENOENT;
	field = misfit(event, file);
	if (field) {
		pr_warn("%s:%s cannot be recorded: its field \"%s\" is not as in the headers that tring was compiled with\n",
			event->system, event->name, field);
		err = -ENOEXEC;
		goto put;
	}
	if (id_is_taken(set, event, file->event_call->event.type)) {
		pr_notice("%s:%s cannot be recorded in this trace: it has got the id of an event whose module is gone\n",
			  event->system, event->name);
		err = -EBUSY;
		goto put;
	}
	err = tring_buffer_allocate(event->buffer);
	if (err)
		goto put;
	tring_buffer_add_event(event->buffer, &event->key, file->event_call->event.type,
			       event->length, false);
	err = tracepoint_probe_register(file->event_call->tp, event->probe, event);
	if (err)
		goto remove;
	event->file = file;
	event->module = file->event_call->module;
	event->enabled = true;
	return 0;

remove:
	tring_buffer_remove_event(event->buffer, &event->key);
put:
	trace_put_event_file(file);
	return err;
}

/* The probe may still run when this returns; the caller waits for it. */
static void disable_event(struct tring_event *event)
{
	tracepoint_probe_unregister(event->file->event_call->tp, event->probe,
				    event);
	event->enabled = false;
}

/*
 * Only when no probe runs any more may the module of the tracepoint go, and may the event
 * be enabled again with another id.
 */
static void release_disabled_events(struct tring_event_set *set)
{
	struct tring_event *event;

	tracepoint_synchronize_unregister();
	for_each_event(event, set) {
		if (event->enabled || !event->file)
			continue;
		tring_buffer_remove_event(event->buffer, &event->key);
		event->trace = trace_number(event->buffer);
		trace_put_event_file(event->file);
		event->file = NULL;
	}
}

static int disable_events(struct tring_event_set *set, const char *system,
			  const char *name)
{
	bool found = false, disabled = false;
	struct tring_event *event;

	for_each_event(event, set) {
		if (!event_matches(event, system, name))
			continue;
		if (event->enabled) {
			disable_event(event);
			disabled = true;
		} else if (!found && !event_is_available(event)) {
			continue;
		}
		found = true;
	}
	if (disabled)
		release_disabled_events(set);
	return found ? 0 : -ENOENT;
}

static int enable_events(struct tring_event_set *set, const char *system,
			 const char *name)
{
	struct tring_event *event;
	int err = -ENOENT;

	for_each_event(event, set)
		event->is_new = false;
	for_each_event(event, set) {
		if (!event_matches(event, system, name))
			continue;
		if (!event->enabled) {
			int ret = enable_event(set, event);

			if (ret == -ENOENT)
				continue;
			/* The log names it; the others that match are enabled. */
			if (ret == -ENOEXEC) {
				err = err ? ret : 0;
				continue;
			}
			if (ret) {
				err = ret;
				goto undo;
			}
			event->is_new = true;
		}
		err = 0;
	}
	return err;

undo:
	for_each_event(event, set) {
		if (event->is_new)
			disable_event(event);
	}
	release_disabled_events(set);
	return err;
}

/**
 * tring_events_set - enable or disable the events that a pattern names
 * @set: events of a ring
 * @pattern: one word in the syntax of ftrace's set_event: "event", "system" or
 *	"system:event"; an empty side of the colon means all, and each side may be a glob
 * @enable: true to enable, false to disable
 *
 * Enabling the first event allocates the ring's memory. After an error no event has
 * changed. When this returns, no probe of an event that it disabled is running.
 *
 * Context: process, may sleep.
 * Return: 0, also if nothing had to change; -EINVAL for an empty pattern; -ENOENT if no
 * event of this kernel that has a probe matches; -ENOEXEC if only events match whose fields
 * are not those of the probe; -EBUSY if an event has an id that the trace has for an event
 * of a module that is gone; -ENOMEM; or an error of tracepoint_probe_register().
 */
int tring_events_set(struct tring_event_set *set, const char *pattern, bool enable)
{
	char *system, *name;
	int err;

	if (!*pattern)
		return -EINVAL;
	name = kstrdup(pattern, GFP_KERNEL);
	if (!name)
		return -ENOMEM;
	system = strsep(&name, ":");

	mutex_lock(&events_mutex);
	err = enable ? enable_events(set, system, name) :
		       disable_events(set, system, name);
	mutex_unlock(&events_mutex);
	kfree(system);
	return err;
}

/**
 * tring_events_clear - disable all events of a ring
 * @set: events of the ring
 *
 * No probe of the ring is running when this returns.
 *
 * Context: process, may sleep.
 */
void tring_events_clear(struct tring_event_set *set)
{
	mutex_lock(&events_mutex);
	disable_events(set, "", "");
	mutex_unlock(&events_mutex);
}

/**
 * tring_events_set_test - choose whether the probes of a ring make a test
 * @set: events of the ring
 * @test: TRING_TEST_*
 * @on: make it
 *
 * Context: process, may sleep.
 */
void tring_events_set_test(struct tring_event_set *set, unsigned int test, bool on)
{
	struct tring_event *event;

	mutex_lock(&events_mutex);
	WRITE_ONCE(set->tests, on ? set->tests | test : set->tests & ~test);
	for_each_event(event, set)
		WRITE_ONCE(event->tests, on ? event->tests | test : event->tests & ~test);
	mutex_unlock(&events_mutex);
}

/**
 * tring_events_show_available - print the events that can be enabled at present
 * @m: output: a line "system:event" for each, by subsystem and in the order of the
 *	header
 * @set: any set; the same events are available to all
 *
 * Context: process, may sleep.
 */
void tring_events_show_available(struct seq_file *m, struct tring_event_set *set)
{
	struct tring_event *event;

	mutex_lock(&events_mutex);
	for_each_event(event, set) {
		if (event_is_available(event))
			seq_printf(m, "%s:%s\n", event->system, event->name);
	}
	mutex_unlock(&events_mutex);
}

/**
 * tring_events_show_enabled - print the events that are enabled
 * @m: output: a line "system:event" for each
 * @set: events of a ring
 *
 * Context: process, may sleep.
 */
void tring_events_show_enabled(struct seq_file *m, struct tring_event_set *set)
{
	struct tring_event *event;

	mutex_lock(&events_mutex);
	for_each_event(event, set) {
		if (event->enabled)
			seq_printf(m, "%s:%s\n", event->system, event->name);
	}
	mutex_unlock(&events_mutex);
}

/* Name of an event that has no tracepoint, as modules may record one of any id. */
static const char *ftraces_own(u16 id)
{
	switch (id) {
	case TRING_PRINT_ID:
		return "ftrace:print";
	case TRING_FUNCTION_ID:
		return "ftrace:function";
	case TRING_GRAPH_ENTRY_ID:
		return "ftrace:funcgraph_entry";
	case TRING_GRAPH_EXIT_ID:
		return "ftrace:funcgraph_exit";
	default:
		return "-";
	}
}

/**
 * tring_events_show_short - print the short ids of a ring
 * @m: output: a line "type id system:event length" for each; the length is "-" if it
 *	varies, and the name is "-" if the event is not in @set
 * @set: events of the ring
 *
 * Context: process, may sleep.
 */
void tring_events_show_short(struct seq_file *m, struct tring_event_set *set)
{
	struct tring_buffer *buffer = set->buffer;
	struct tring_event *event;
	unsigned int type;
	u16 id;

	mutex_lock(&events_mutex);
	for (type = TRING_TYPE_SHORT_MIN; type <= TRING_TYPE_SHORT_MAX; type++) {
		id = READ_ONCE(buffer->short_ids[type]);
		if (!id)
			continue;
		seq_printf(m, "%u %u ", type, id);
		for_each_event(event, set) {
			if (tring_head_id(event->key.head) == id &&
			    (event->enabled || may_have_records(event))) {
				seq_printf(m, "%s:%s ", event->system, event->name);
				break;
			}
		}
		if (event == set->events + set->count)
			seq_printf(m, "%s ", ftraces_own(id));
		if (buffer->lengths[type] == TRING_LENGTH_VARIES)
			seq_puts(m, "-\n");
		else
			seq_printf(m, "%u\n", buffer->lengths[type]);
	}
	mutex_unlock(&events_mutex);
}

/**
 * tring_events_create - make a set of all events, none of which is enabled
 * @buffer: ring in which the probes record
 *
 * Context: process, may sleep.
 * Return: the set, or NULL if there is no memory.
 */
struct tring_event_set *tring_events_create(struct tring_buffer *buffer)
{
	const struct tring_event *template;
	struct tring_event_set *set;
	size_t count = 0;

	list_for_each_entry(template, &templates, list)
		count++;
	set = kvzalloc(struct_size(set, events, count), GFP_KERNEL);
	if (!set)
		return NULL;
	set->buffer = buffer;
	tring_tasks_init(set);
	list_for_each_entry(template, &templates, list) {
		struct tring_event *event = &set->events[set->count++];

		*event = *template;
		event->buffer = buffer;
		event->set = set;
	}
	mutex_lock(&events_mutex);
	list_add_tail(&set->list, &sets);
	mutex_unlock(&events_mutex);
	return set;
}
TRING_EXPORT(tring_events_create);

/**
 * tring_events_destroy - unregister all probes of a set, wait for them, free the set
 * @set: set without other users
 *
 * Context: process, may sleep.
 */
void tring_events_destroy(struct tring_event_set *set)
{
	tring_events_clear(set);
	mutex_lock(&events_mutex);
	list_del(&set->list);
	mutex_unlock(&events_mutex);
	tring_tasks_exit(set);
	kvfree(set);
}
TRING_EXPORT(tring_events_destroy);

#ifdef CONFIG_MODULES
/* An enabled event keeps its module. */
static bool has_records_of(struct tring_event_set *set, const struct module *module)
{
	const struct tring_event *event;

	for_each_event(event, set) {
		if (event->module == module && !event->enabled && may_have_records(event))
			return true;
	}
	return false;
}

static int module_changes(struct notifier_block *block, unsigned long state, void *data)
{
	const struct module *module = data;
	struct tring_event_set *set;

	if (state != MODULE_STATE_GOING)
		return NOTIFY_DONE;
	mutex_lock(&events_mutex);
	list_for_each_entry(set, &sets, list) {
		if (!has_records_of(set, module))
			continue;
		if (tring_buffer_new_trace(set->buffer, -1))
			pr_notice("a ring that is being read keeps records of the module %s, which is gone\n",
				  module->name);
		else
			pr_info("a new trace begins, because the old one has records of the module %s, which is gone\n",
				module->name);
	}
	mutex_unlock(&events_mutex);
	return NOTIFY_OK;
}

static struct notifier_block module_notifier = {
	.notifier_call = module_changes,
};

static int __init watch_modules(void)
{
	return register_module_notifier(&module_notifier);
}

static void unwatch_modules(void)
{
	unregister_module_notifier(&module_notifier);
}
#else
static int __init watch_modules(void)
{
	return 0;
}

static void unwatch_modules(void)
{
}
#endif

/**
 * tring_events_init - collect the events that have probes, and watch their modules
 *
 * Called once, before the first set is made.
 *
 * Context: process, may sleep.
 * Return: 0, or an error of register_module_notifier().
 */
int __init tring_events_init(void)
{
	unsigned int available = 0, missing = 0;
	const struct tring_event *template;

#define SUBSYSTEM(name) tring_list_events_##name(&templates)
	TRING_SUBSYSTEMS
#undef SUBSYSTEM

	list_for_each_entry(template, &templates, list) {
		if (event_is_available(template))
			available++;
		else
			missing++;
	}
	pr_info("%u events, %u more have no tracepoint in this kernel at present\n",
		available, missing);
	return watch_modules();
}

/**
 * tring_events_exit - undo tring_events_init(), after the last set
 *
 * Context: process, may sleep.
 */
void tring_events_exit(void)
{
	unwatch_modules();
}
