// SPDX-License-Identifier: GPL-2.0
/*
 * Recording from loading on, as module parameters say: so the kernel's boot can be traced
 * from the moment that tring is loaded, before a program could write to its files.
 *
 * A parameter that cannot be applied fails the loading, and one line of the log says why:
 * a boot that was not recorded is otherwise noticed too late. The error is EINVAL where
 * ftrace's files have ENOENT, of which modprobe would say "unknown symbol".
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/module.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "boot.h"
#include "probes/events.h"
#include "tracefs/control.h"

static char *events_text;
module_param_named(events, events_text, charp, 0444);
MODULE_PARM_DESC(events, "events to record from loading on, separated by commas, as in set_event");

static char *buffer_size_kb;
module_param(buffer_size_kb, charp, 0444);
MODULE_PARM_DESC(buffer_size_kb, "KiB of each CPU's ring");

static char *trace_clock;
module_param(trace_clock, charp, 0444);
MODULE_PARM_DESC(trace_clock, "clock of the ring: mono, tsc, boot or tai");

static int __init set_clock(struct tring_buffer *buffer)
{
	int err = tring_control_set_clock(buffer, trace_clock);

	if (err == -EINVAL)
		pr_err("trace_clock=%s: this machine has no such clock; \"mono\", \"tsc\", \"boot\" and \"tai\" are clocks\n",
		       trace_clock);
	else if (err)
		pr_err("trace_clock=%s: %pe\n", trace_clock, ERR_PTR(err));
	return err;
}

static int __init set_size(struct tring_buffer *buffer)
{
	int err = tring_control_set_size(buffer, TRING_ALL_CPUS, buffer_size_kb);

	if (err == -EINVAL)
		pr_err("buffer_size_kb=%s: not a number of KiB greater than 0\n", buffer_size_kb);
	else if (err == -ENOMEM)
		pr_err("buffer_size_kb=%s: there is not as much memory\n", buffer_size_kb);
	else if (err)
		pr_err("buffer_size_kb=%s: %pe\n", buffer_size_kb, ERR_PTR(err));
	return err;
}

static int __init enable_boot_event(struct tring_event_set *set, const char *pattern)
{
	int err = tring_events_set(set, pattern, true);

	switch (err) {
	case 0:
		break;
	case -ENOENT:
		pr_err("events=%s: this kernel has no event \"%s\" that can be recorded\n",
		       events_text, pattern);
		err = -EINVAL;
		break;
	case -EINVAL:
		pr_err("events=%s: a name is missing\n", events_text);
		break;
	case -ENOEXEC:
		/* The log names the field, too. */
		pr_err("events=%s: \"%s\" cannot be recorded\n", events_text, pattern);
		err = -EINVAL;
		break;
	default:
		pr_err("events=%s: \"%s\": %pe\n", events_text, pattern, ERR_PTR(err));
	}
	return err;
}

static int __init enable_boot_events(struct tring_event_set *set)
{
	char *copy = kstrdup(events_text, GFP_KERNEL);
	char *rest = copy, *pattern;
	int err = 0;

	if (!copy)
		return -ENOMEM;
	while (!err && (pattern = strsep(&rest, ",")))
		err = enable_boot_event(set, pattern);
	kfree(copy);
	return err;
}

/**
 * tring_boot_start - set up a ring as the module parameters say
 * @buffer: the ring, which has no files yet
 * @set: its events; after an error some may be enabled
 *
 * Context: process, may sleep.
 * Return: 0, also without parameters; -EINVAL for a bad value; -ENOMEM; or another error
 * of tring_events_set(). The log says which parameter it is.
 */
int __init tring_boot_start(struct tring_buffer *buffer, struct tring_event_set *set)
{
	int err = 0;

	if (trace_clock)
		err = set_clock(buffer);
	if (!err && buffer_size_kb)
		err = set_size(buffer);
	if (!err && events_text)
		err = enable_boot_events(set);
	return err;
}
