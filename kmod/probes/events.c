// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's events in a ring: which there are, and switching them on and off.
 *
 * All events of ftrace's can be recorded but for a few. There are several ways to record
 * one, see source.h; probes of tring's own cost least.
 *
 * Names, ids and tracepoints of events are ftrace's. They are looked up each time, since
 * the module that defines an event may come and go. An enabled event holds a reference to
 * that module, or to the dynamic event.
 *
 * Each ring has a set of all events. Sets are independent; the same event may be enabled
 * in several.
 *
 * An event is attached while its source calls tring's code: if it is enabled, or if a
 * trigger holds it (trigger.c). A held event is examined, and recorded while it is enabled.
 * Triggers enable and disable it at any time, as in ftrace's soft mode.
 *
 * Lock order: inode locks of the directory "instances" and of what is in it, the lock of
 * the chain of module notifiers, tring_tasks::mutex, the kernel's cgroup_mutex or
 * tring_events_mutex, ftrace's event_mutex, cpus_read_lock(), tring_buffer::mutex,
 * tring_cpu_buffer::mutex. tracepoints_mutex, and perf's, too, come after tring_events_mutex.
 *
 * tring_event_set::switching is outermost but for the files' own locks. Below it, and not
 * below tring_events_mutex, are inode locks of ftrace's directories: rmdir of an instance
 * takes tring_events_mutex below an inode lock of the same class.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/init.h>
#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "call_strings.h"
#include "cmdlines.h"
#include "event.h"
#include "events.h"
#include "examine.h"
#include "filter.h"
#include "ids.h"
#include "layout.h"
#include "names.h"
#include "source.h"
#include "trigger.h"

/* Kbuild.include defines the list: SUBSYSTEM(sched); SUBSYSTEM(irq); ... */
#define SUBSYSTEM(name) void tring_list_events_##name(struct list_head *events)
TRING_SUBSYSTEMS
#undef SUBSYSTEM

/* Protects all sets, except what probes read; see source.h. */
DEFINE_MUTEX(tring_events_mutex);
/* Events with a probe, without a ring; copied into each set. Constant after init. */
static LIST_HEAD(event_templates);

/* The first that suits records the event. */
static const struct tring_source *const sources_by_preference[] = {
	&tring_probe_source,
#ifdef CONFIG_FTRACE_SYSCALLS
	&tring_syscall_source,
#endif
#ifdef CONFIG_PERF_EVENTS
	&tring_counter_source,
#endif
};

static const struct tring_source *choose_source(const struct tring_event *event,
						const struct trace_event_file *file)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sources_by_preference); i++)
		if (sources_by_preference[i]->suits(event, file))
			return sources_by_preference[i];
	return NULL;
}

static void add_to_set(struct tring_event_set *set, struct tring_event *event)
{
	event->buffer = set->buffer;
	event->set = set;
	event->tests = set->tests;
	list_add_tail(&event->list, &set->events);
	hash_add(set->by_name, &event->by_name, tring_event_hash(event->system, event->name));
}

/**
 * tring_event_find - find an event in a set
 * @set: events of a ring
 * @system: system of the event
 * @name: name of the event
 *
 * Context: process, with tring_events_mutex held.
 * Return: NULL if the set does not have it. The kernel may; see tring_event_find_or_add().
 */
struct tring_event *tring_event_find(struct tring_event_set *set, const char *system,
				     const char *name)
{
	struct tring_event *event;

	hash_for_each_possible(set->by_name, event, by_name, tring_event_hash(system, name))
		if (!strcmp(event->name, name) && !strcmp(event->system, system))
			return event;
	return NULL;
}

/**
 * tring_source_of - how an event is recorded, or would be
 * @set: events of a ring
 * @system: system of the event
 * @name: name of the event
 *
 * Context: process, may sleep, with tring_events_mutex held.
 * Return: NULL if there is no such event, or if it cannot be recorded.
 */
const struct tring_source *tring_source_of(struct tring_event_set *set, const char *system,
					   const char *name)
{
	const struct tring_event plain = { .system = system, .name = name };
	const struct tring_event *event = tring_event_find(set, system, name) ?: &plain;
	const struct tring_source *source;
	struct trace_event_file *file;

	if (event->attached)
		return event->source;
	file = tring_event_file_get(event->system, event->name);
	if (!file)
		return NULL;
	source = choose_source(event, file);
	tring_event_file_put(file);
	return source;
}

/**
 * tring_event_find_or_add - find an event in a set, or add it
 * @set: events of a ring
 * @system: system of an event of the kernel's
 * @name: name of the event
 *
 * Context: process, may sleep, with tring_events_mutex held.
 * Return: the event, which the set keeps to its end; NULL if there is no memory.
 */
struct tring_event *tring_event_find_or_add(struct tring_event_set *set, const char *system,
					    const char *name)
{
	struct tring_event *event = tring_event_find(set, system, name);
	size_t system_size = strlen(system) + 1, name_size = strlen(name) + 1;

	if (event)
		return event;
	event = kzalloc(struct_size(event, names, system_size + name_size), GFP_KERNEL);
	if (!event)
		return NULL;
	event->system = memcpy(event->names, system, system_size);
	event->name = memcpy(event->names + system_size, name, name_size);
	add_to_set(set, event);
	tring_examine_update(event);
	return event;
}

/*
 * The fields of an event, if they are needed. The event's file keeps them as they are. The
 * mutex is released meanwhile; no other task switches this event.
 */
static int read_event_layout(struct tring_event_set *set, struct tring_event *event)
{
	struct tring_layout *layout;

	lockdep_assert_held(&set->switching);
	if (!event->source->needs_layout &&
	    !(event->file->event_call->flags & TRACE_EVENT_FL_DYNAMIC))
		return 0;
	mutex_unlock(&tring_events_mutex);
	layout = tring_layout_read(event->system, event->name);
	mutex_lock(&tring_events_mutex);
	if (IS_ERR(layout))
		return PTR_ERR(layout);
	event->layout = layout;
	return 0;
}

/* Nothing records it, so it need not be examined any more, either. */
static void forget_file(struct tring_event *event)
{
	tring_filter_detach(event);
	kfree(event->layout);
	event->layout = NULL;
	tring_event_file_put(event->file);
	event->file = NULL;
}

static int attach_event(struct tring_event_set *set, struct tring_event *event)
{
	const char *field;
	int err;

	event->file = tring_event_file_get(event->system, event->name);
	if (!event->file)
		return -ENOENT;
	event->source = choose_source(event, event->file);
	field = tring_misfitting_field(event, event->file);
	if (field)
		pr_warn("%s:%s is recorded %s: its field \"%s\" is not as in the headers that tring was compiled with\n",
			event->system, event->name,
			event->source ? "without its probe" : "not at all", field);
	if (!event->source) {
		err = field ? -ENOEXEC : -ENOENT;
		goto put;
	}
	err = read_event_layout(set, event);
	if (!err)
		err = tring_filter_attach(event);
	if (err)
		goto put;
	err = tring_ids_take(set, event);
	if (err)
		goto put;
	err = tring_cmdlines_allocate(event->buffer);
	if (err)
		goto put;
	err = event->source->enable(set, event);
	if (err)
		goto put;
	event->attached = true;
	return 0;

put:
	forget_file(event);
	return err;
}

/*
 * Attach an event that is wanted now, or detach one that is not. A held event is examined
 * from before it is attached until nothing records it any more.
 */
static int update_event(struct tring_event_set *set, struct tring_event *event)
{
	bool wanted = READ_ONCE(event->enabled) || event->holders;

	if (wanted)
		tring_examine_update(event);
	if (wanted && !event->attached)
		return attach_event(set, event);
	if (!wanted && event->attached) {
		event->source->disable(set, event);
		event->attached = false;
	}
	return 0;
}

static int enable_event(struct tring_event_set *set, struct tring_event *event)
{
	int err;

	WRITE_ONCE(event->enabled, true);
	err = update_event(set, event);
	if (err)
		WRITE_ONCE(event->enabled, false);
	return err;
}

/* What runs may still record when this returns; the caller waits for it. */
static void disable_event(struct tring_event_set *set, struct tring_event *event)
{
	WRITE_ONCE(event->enabled, false);
	update_event(set, event);
}

/*
 * Only when nothing records an event any more may the module of the tracepoint go, and may
 * the event be enabled again with another id.
 */
static void release_detached_events(struct tring_event_set *set)
{
	struct tring_event *event;

	tring_synchronize_probes();
	tring_for_each_event(event, set) {
		if (event->attached || !event->file)
			continue;
		tring_buffer_remove_event(event->buffer, &event->key);
		tring_ids_leave(event);
		if (event->source->release)
			event->source->release(event);
		forget_file(event);
	}
}

/* The mutex is released meanwhile. Events stay in the list as long as the set. */
static int disable_events(struct tring_event_set *set, const char *system,
			  const char *name, char *names)
{
	bool found = false, disabled = false;
	char *event_system, *event_name;
	struct tring_event *event;

	tring_for_each_event(event, set) {
		if (!READ_ONCE(event->enabled) ||
		    !tring_names_match(event->system, event->name, system, name))
			continue;
		disable_event(set, event);
		disabled = true;
		/* perf waits for each of many. Tasks that load or remove modules go first. */
		mutex_unlock(&tring_events_mutex);
		cond_resched();
		mutex_lock(&tring_events_mutex);
	}
	if (disabled)
		release_detached_events(set);
	while (!disabled && !found && tring_names_next(&names, &event_system, &event_name))
		found = tring_names_match(event_system, event_name, system, name) &&
			tring_source_of(set, event_system, event_name);
	return disabled || found ? 0 : -ENOENT;
}

/* After such an error of one event the others that a pattern names are enabled. */
static bool concerns_one_event(const struct tring_event *event, int err)
{
	if (err == -ENOMEM || err == -ERESTARTSYS)
		return false;
	/* ENOENT: it is gone, or has no source. The log names the others already. */
	if (err != -ENOENT && err != -ENOEXEC && err != -EBUSY)
		pr_notice_ratelimited("%s:%s is not recorded: %pe\n", event->system, event->name,
				      ERR_PTR(err));
	return true;
}

static int enable_events(struct tring_event_set *set, const char *system,
			 const char *name, char *names)
{
	char *event_system, *event_name;
	struct tring_event *event;
	int err, first_err = 0;
	bool found = false;

	tring_for_each_event(event, set)
		event->is_new = false;
	while (tring_names_next(&names, &event_system, &event_name)) {
		if (!tring_names_match(event_system, event_name, system, name))
			continue;
		event = tring_event_find(set, event_system, event_name);
		/* Else each name that is of no event would have memory up to the set's end. */
		if (!event && !tring_source_of(set, event_system, event_name)) {
			first_err = first_err ?: -ENOENT;
			continue;
		}
		event = tring_event_find_or_add(set, event_system, event_name);
		err = event ? 0 : -ENOMEM;
		if (event && !READ_ONCE(event->enabled)) {
			err = enable_event(set, event);
			event->is_new = !err;
			if (!err && event->source->is_slow && signal_pending(current))
				err = -ERESTARTSYS;
		}
		if (!err)
			found = true;
		else if (event && concerns_one_event(event, err))
			first_err = first_err && first_err != -ENOENT ? first_err : err;
		else
			goto undo;
		cond_resched();
	}
	return found ? 0 : first_err ?: -ENOENT;

undo:
	tring_for_each_event(event, set) {
		if (event->is_new)
			disable_event(set, event);
	}
	release_detached_events(set);
	return err;
}

/**
 * tring_events_wait_for_cpus - wait until no CPU hangs
 * @buffer: any ring
 *
 * For what the kernel has all CPUs do at once, such as a change of its code: it waits for
 * them in a busy loop, with preemption off, and so hangs, too.
 *
 * Context: process, may sleep.
 * Return: 0, or -EINTR after a fatal signal.
 */
int tring_events_wait_for_cpus(struct tring_buffer *buffer)
{
	bool answered;
	int cpu;

	do {
		tring_buffer_lock(buffer);
		/* This asks rings without memory, too. */
		tring_drain(buffer, cpu_online_mask);
		answered = true;
		for_each_online_cpu(cpu)
			answered &= !tring_cpu_buffer(buffer, cpu)->silent;
		tring_buffer_unlock(buffer);
		if (!answered)
			schedule_timeout_killable(HZ / 2);
	} while (!answered && !fatal_signal_pending(current));
	return answered ? 0 : -EINTR;
}

/**
 * tring_events_set - enable or disable the events that a pattern names
 * @set: events of a ring
 * @pattern: one word in the syntax of ftrace's set_event: "event", "system" or
 *	"system:event"; an empty side of the colon means all, and each side may be a glob
 * @enable: true to enable, false to disable
 *
 * Enabling the first event allocates the ring's memory. After an error no event has
 * changed. When this returns, nothing records an event that it disabled.
 *
 * Events without a probe of tring's take milliseconds each, so a signal stops enabling. perf
 * waits for grace periods when it ends a counter, for one event after the other: switching
 * all events off took 13 seconds, and takes 3 with expedited ones.
 *
 * Context: process, may sleep.
 * Return: 0, also if nothing had to change; -EINVAL for an empty pattern; -ENOENT if no
 * event of this kernel that can be recorded matches; -ENOEXEC if only events match whose
 * fields are not those of the probe; -EBUSY if only events match whose id the trace has for
 * another one, while it is being read, or that ftrace keeps for itself; -ERESTARTSYS after a
 * signal; -EINTR after a fatal one while a CPU hangs; -ENOMEM; or an error of
 * tracepoint_probe_register() or of perf.
 */
int tring_events_set(struct tring_event_set *set, const char *pattern, bool enable)
{
	char *names, *copy, *name;
	const char *system;
	int err = -ENOMEM;

	if (!*pattern)
		return -EINVAL;
	copy = kstrdup(pattern, GFP_KERNEL);
	names = tring_names_read(set, pattern);
	if (!copy || !names)
		goto free;
	err = tring_events_wait_for_cpus(set->buffer);
	if (err)
		goto free;
	name = copy;
	system = strsep(&name, ":");

	mutex_lock(&set->switching);
	mutex_lock(&tring_events_mutex);
	tring_expedite_grace_periods();
	err = enable ? enable_events(set, system, name, names) :
		       disable_events(set, system, name, names);
	tring_unexpedite_grace_periods();
	mutex_unlock(&tring_events_mutex);
	mutex_unlock(&set->switching);
free:
	kvfree(names);
	kfree(copy);
	return err;
}

/**
 * tring_event_hold - attach an event for a trigger, enabled or not
 * @set: events of a ring
 * @system: system of the event
 * @name: name of the event
 *
 * Context: process, may sleep, after tring_examine_prepare(), with tring_event_set::switching and
 * tring_events_mutex held; releases the mutex meanwhile.
 * Return: the event, or an ERR_PTR(): -ENOENT if this kernel has no such event that can be
 * recorded, or another error of tring_events_set().
 */
struct tring_event *tring_event_hold(struct tring_event_set *set, const char *system,
				     const char *name)
{
	struct tring_event *event;
	int err;

	if (!tring_source_of(set, system, name))
		return ERR_PTR(-ENOENT);
	event = tring_event_find_or_add(set, system, name);
	if (!event)
		return ERR_PTR(-ENOMEM);
	event->holders++;
	err = update_event(set, event);
	if (!err)
		return event;
	event->holders--;
	tring_examine_update(event);
	return ERR_PTR(err);
}

/**
 * tring_event_release - undo tring_event_hold()
 * @set: events of the ring
 * @event: the event, which no trigger of this holder enables or disables any more
 *
 * The event stays attached while it is enabled.
 *
 * Context: as tring_event_hold(), but keeps the mutex.
 */
void tring_event_release(struct tring_event_set *set, struct tring_event *event)
{
	event->holders--;
	update_event(set, event);
	if (!event->attached)
		release_detached_events(set);
}

static void disable_all(struct tring_event_set *set, bool with_triggers)
{
	char nothing[] = "";

	mutex_lock(&tring_events_mutex);
	tring_expedite_grace_periods();
	if (with_triggers)
		tring_triggers_clear(set);
	disable_events(set, "", "", nothing);
	tring_unexpedite_grace_periods();
	mutex_unlock(&tring_events_mutex);
}

/**
 * tring_events_clear - disable all events of a ring
 * @set: events of the ring
 *
 * Nothing records into the ring when this succeeds, but for the marker.
 *
 * Context: process, may sleep.
 * Return: 0, or -EINTR after a fatal signal while a CPU hangs.
 */
int tring_events_clear(struct tring_event_set *set)
{
	int err = tring_events_wait_for_cpus(set->buffer);

	if (err)
		return err;
	mutex_lock(&set->switching);
	disable_all(set, false);
	mutex_unlock(&set->switching);
	return 0;
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

	mutex_lock(&tring_events_mutex);
	WRITE_ONCE(set->tests, on ? set->tests | test : set->tests & ~test);
	tring_for_each_event(event, set)
		WRITE_ONCE(event->tests, on ? event->tests | test : event->tests & ~test);
	mutex_unlock(&tring_events_mutex);
}

static void free_events(struct tring_event_set *set)
{
	struct tring_event *event, *next;

	list_for_each_entry_safe(event, next, &set->events, list) {
		kfree(event->filter_text);
		tring_call_strings_free(event);
		kfree(event);
	}
	kvfree(set->syscalls);
	kfree(set);
}

/**
 * tring_events_create - make a set of all events, none of which is enabled
 * @buffer: ring in which they are recorded
 *
 * Context: process, may sleep.
 * Return: the set, or NULL if there is no memory.
 */
struct tring_event_set *tring_events_create(struct tring_buffer *buffer)
{
	const struct tring_event *template;
	struct tring_event_set *set;

	set = kzalloc(sizeof(*set), GFP_KERNEL);
	if (!set)
		return NULL;
	set->buffer = buffer;
	mutex_init(&set->switching);
	mutex_init(&set->tasks.mutex);
	INIT_LIST_HEAD(&set->events);
	hash_init(set->by_name);
	list_for_each_entry(template, &event_templates, list) {
		struct tring_event *event = kmemdup(template, sizeof(*template), GFP_KERNEL);

		if (!event) {
			free_events(set);
			return NULL;
		}
		add_to_set(set, event);
	}
	mutex_lock(&tring_events_mutex);
	tring_ids_watch(set);
	mutex_unlock(&tring_events_mutex);
	return set;
}
TRING_EXPORT(tring_events_create);

/**
 * tring_events_destroy - disable all events of a set, wait for them, free the set
 * @set: set without other users
 *
 * Context: process, may sleep.
 */
void tring_events_destroy(struct tring_event_set *set)
{
	/* A fatal signal ends it, and then the rest waits as the kernel does. */
	tring_events_wait_for_cpus(set->buffer);
	/* Without tring_event_set::switching: rmdir comes here below an inode lock. */
	disable_all(set, true);
	tring_stacks_exit(set);
	mutex_lock(&tring_events_mutex);
	tring_ids_unwatch(set);
	mutex_unlock(&tring_events_mutex);
	tring_tasks_exit(set);
	free_events(set);
}
TRING_EXPORT(tring_events_destroy);

/* Some events are of modules that are not loaded, or differ from the headers. */
static void __init report_probes(void)
{
	const struct tring_event *template;
	unsigned int compiled = 0, usable = 0;
	struct trace_event_file *file;

	mutex_lock(&tring_events_mutex);
	list_for_each_entry(template, &event_templates, list) {
		compiled++;
		file = tring_event_file_get(template->system, template->name);
		if (!file)
			continue;
		usable += choose_source(template, file) == &tring_probe_source;
		tring_event_file_put(file);
	}
	mutex_unlock(&tring_events_mutex);
	pr_info("%u probes compiled, %u of their events present on this kernel; the file event_sources lists how each event is recorded\n",
		compiled, usable);
}

/**
 * tring_events_init - collect the events that have probes; watch modules and CPUs
 *
 * Called once, before the first set is made.
 *
 * Context: process, may sleep.
 * Return: 0 or a negative errno.
 */
int __init tring_events_init(void)
{
	int err;

#define SUBSYSTEM(name) tring_list_events_##name(&event_templates)
	TRING_SUBSYSTEMS
#undef SUBSYSTEM

	report_probes();
	err = tring_ids_init();
	if (err)
		goto forget_files;
	if (IS_ENABLED(CONFIG_PERF_EVENTS))
		err = tring_counters_init();
	if (!err)
		return 0;
	tring_ids_exit();
forget_files:
	tring_event_files_exit();
	return err;
}

/**
 * tring_events_exit - undo tring_events_init(), after the last set
 *
 * Context: process, may sleep.
 */
void tring_events_exit(void)
{
	tring_cmdlines_exit();
	if (IS_ENABLED(CONFIG_PERF_EVENTS))
		tring_counters_exit();
	tring_ids_exit();
	tring_examine_exit();
	tring_event_files_exit();
}
