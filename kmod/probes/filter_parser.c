// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's own parser of filters, which it does not export. It runs when a filter is
 * written to an event's file in an instance of ftrace's. So there is such an instance, made for
 * the purpose, in which nothing is recorded. What the parser has made is taken out of it, and
 * is matched by filter_match_preds(), which is exported.
 *
 * The instance takes megabytes, most of them for its ring and, before 6.6, for its directories.
 * So it is made when a filter is parsed, and stays for a second after the last one: parsed
 * filters do not need it. While it exists it is visible in ftrace's "instances". A user that
 * writes filters there, at the same moment, may get filters mixed up.
 *
 * ftrace frees a filter of its own accord with what it belongs to: an event, or a counter of
 * perf's. A parsed filter is freed by being given to a counter that is made for it. The
 * event's file would do it, too, but only in a process with memory of its own, and below
 * no lock that comes after inode locks of tracefs.
 *
 * Facts: apply_event_filter() of kernel/trace/trace_events_filter.c, free_event_rcu() of
 * kernel/events/core.c.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
#include <linux/cred.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace.h>
#include <linux/trace_events.h>
#include <linux/workqueue.h>

#include "compat.h"
#include "filter.h"
#include "tracefs/kernel_file.h"

#define INSTANCE	"tring_filter_parser"
/* If it is taken, "tring_filter_parser.1" and so on. */
#define INSTANCE_NAMES	10

#define LINGERS		HZ
/* How often the end of the module tries to remove an instance in which a file is open. */
#define EXIT_TRIES	50

#define PATH_LENGTH	256

static void remove_unused_instance(struct work_struct *work);

/*
 * Comes after tring_event_set::switching, and before the inode locks of tracefs and ftrace's
 * locks. Protects what follows, and the filters of events in the instance.
 */
static DEFINE_MUTEX(parser_mutex);
static struct trace_array *instance;
static char instance_name[sizeof(INSTANCE) + 2];
static DECLARE_DELAYED_WORK(remove_work, remove_unused_instance);

static int make_instance(void)
{
	char path[PATH_LENGTH];
	unsigned int i;

	for (i = 0; i < INSTANCE_NAMES; i++) {
		if (i)
			snprintf(instance_name, sizeof(instance_name), INSTANCE ".%u", i);
		else
			snprintf(instance_name, sizeof(instance_name), INSTANCE);
		snprintf(path, sizeof(path), "instances/%s", instance_name);
		if (tring_kernel_file_type(path) >= 0)
			continue;
		instance = tring_trace_array_get(instance_name);
		return instance ? 0 : -ENOMEM;
	}
	return -EBUSY;
}

/* Returns false if a file in the instance is open. A process closes those of here at its end. */
static bool remove_instance(void)
{
	if (!instance)
		return true;
	trace_array_put(instance);
	if (trace_array_destroy(instance) != -EBUSY) {
		instance = NULL;
		return true;
	}
	/* The reference keeps users from removing it. */
	instance = tring_trace_array_get(instance_name);
	return !instance;
}

static void remove_unused_instance(struct work_struct *work)
{
	mutex_lock(&parser_mutex);
	if (!remove_instance())
		mod_delayed_work(system_wq, &remove_work, LINGERS);
	mutex_unlock(&parser_mutex);
}

/* The buffer that a file is read into is large. */
static char *read_shortly(const char *path)
{
	char *text = tring_kernel_file_read(path), *copy;

	if (IS_ERR(text))
		return text;
	copy = kstrdup(text, GFP_KERNEL);
	kvfree(text);
	return copy ?: ERR_PTR(-ENOMEM);
}

/*
 * The event's file in the instance has the text, or what is wrong with it: then ftrace's errno
 * may be any. "0" clears that, or the flags of the filter that is taken out before.
 */
static int use_file(struct trace_event_file *file, const char *path, const char *text,
		    struct event_filter **filter, char **shown)
{
	int err = tring_kernel_file_write(path, text);
	bool refused = err;

	*shown = read_shortly(path);
	if (!err) {
		*filter = xchg((__force struct event_filter **)&file->filter, NULL);
		err = *filter ? PTR_ERR_OR_ZERO(*shown) : -EBUSY;
	}
	tring_kernel_file_write(path, "0");
	if (!err || (refused && !IS_ERR(*shown) && strcmp(*shown, "none\n")))
		return err;
	/* The text is not what is wrong. */
	tring_filter_free(*filter);
	*filter = NULL;
	if (!IS_ERR(*shown))
		kfree(*shown);
	*shown = ERR_PTR(err);
	return err;
}

static int parse(const char *system, const char *name, const char *text,
		 struct event_filter **filter, char **shown)
{
	struct trace_event_file *file;
	char path[PATH_LENGTH];
	int err;

	if (snprintf(path, sizeof(path), "instances/%s/events/%s/%s/filter", instance_name, system,
		     name) >= sizeof(path))
		return -ENAMETOOLONG;
	file = tring_get_event_file(instance_name, system, name);
	if (IS_ERR(file))
		return -ENODEV;
	err = use_file(file, path, text, filter, shown);
	tring_put_event_file(file);
	return err;
}

/**
 * tring_filter_parse - let the kernel parse a filter
 * @system: system of the event
 * @name: name of the event
 * @text: the filter; not "0"
 * @filter: set to what filter_match_preds() takes, if there is no error
 * @shown: set to what the event's file shows, with a newline, to be freed by kfree(): the
 *	filter, or if the kernel refuses it also what is wrong with it; after another error
 *	an ERR_PTR()
 *
 * Context: a process with memory of its own, may sleep; takes inode locks of tracefs.
 * Return: 0; -ENODEV if there is no such event; -EBUSY if the instance's name is taken or a user
 * writes to its files; -ENOMEM; -EINVAL, or another error of tring_kernel_file_write(), which
 * may be any if the kernel refuses the text.
 */
int tring_filter_parse(const char *system, const char *name, const char *text,
		       struct event_filter **filter, char **shown)
{
	int err = 0;

	*filter = NULL;
	*shown = ERR_PTR(-ENODATA);
	mutex_lock(&parser_mutex);
	if (!instance)
		err = make_instance();
	if (!err)
		err = parse(system, name, text, filter, shown);
	if (instance)
		mod_delayed_work(system_wq, &remove_work, LINGERS);
	mutex_unlock(&parser_mutex);
	return err;
}

/* A counter of a CPU that is never enabled. */
static struct perf_event *make_counter(void)
{
	struct perf_event_attr attr = {
		.type		= PERF_TYPE_SOFTWARE,
		.size		= sizeof(attr),
		.config		= PERF_COUNT_SW_CPU_CLOCK,
		.disabled	= 1,
	};
	const struct cred *old = override_creds(tring_kernel_cred);
	struct perf_event *counter = ERR_PTR(-ENODEV);
	int cpu;

	for_each_online_cpu(cpu) {
		counter = perf_event_create_kernel_counter(&attr, cpu, NULL, NULL, NULL);
		/* ENODEV: the CPU has gone offline. */
		if (counter != ERR_PTR(-ENODEV))
			break;
	}
	revert_creds(old);
	return counter;
}

/**
 * tring_filter_free - free a filter
 * @filter: filter from tring_filter_parse() that no probe uses any more; may be NULL
 *
 * Context: process, may sleep; tring_events_mutex may be held.
 */
void tring_filter_free(struct event_filter *filter)
{
	struct perf_event *counter;

	if (!filter)
		return;
	counter = make_counter();
	if (IS_ERR(counter)) {
		pr_warn("the memory of a filter is lost: %pe\n", counter);
		return;
	}
	counter->filter = filter;
	perf_event_release_kernel(counter);
}

/**
 * tring_filter_parser_exit - remove the instance
 *
 * A process closes the files that it has opened here when it leaves the kernel, which may be
 * a moment after tring has been left.
 *
 * Context: process, may sleep; no other function of this file is running or called any more.
 */
void tring_filter_parser_exit(void)
{
	unsigned int tries = EXIT_TRIES;

	cancel_delayed_work_sync(&remove_work);
	while (!remove_instance() && --tries)
		msleep(20);
	if (!instance)
		return;
	pr_notice("ftrace's instance \"%s\" stays: a file in it is open\n", instance_name);
	trace_array_put(instance);
}
