// SPDX-License-Identifier: GPL-2.0
/*
 * Names of the kernel's events, and patterns. ftrace exports no list of its events, but has
 * one for users in its file available_events.
 */
#include <linux/err.h>
#include <linux/glob.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "event.h"
#include "names.h"
#include "source.h"
#include "kernel_file.h"

/* Can a pattern name several events? */
static bool names_several(const char *pattern)
{
	const char *colon = strchr(pattern, ':');

	return !colon || colon == pattern || !colon[1] || strpbrk(pattern, "*?[\\");
}

/**
 * tring_names_read - list the events that a pattern may name
 * @set: events of a ring
 * @pattern: as for tring_events_set()
 *
 * Before ftrace has made its files, which a built-in tring may see, only events that have
 * probes are found.
 *
 * Context: process, may sleep; takes tring_events_mutex.
 * Return: "system:event" in lines, to be freed by kvfree(); NULL if there is no memory, or
 * ftrace's list cannot be read for another reason.
 */
char *tring_names_read(struct tring_event_set *set, const char *pattern)
{
	const struct tring_event *event;
	size_t size = 1, length = 0;
	char *text;

	if (!names_several(pattern))
		return kstrdup(pattern, GFP_KERNEL);
	text = tring_kernel_file_read("available_events");
	if (text != ERR_PTR(-ENOENT))
		return IS_ERR(text) ? NULL : text;
	mutex_lock(&tring_events_mutex);
	tring_for_each_event(event, set)
		size += strlen(event->system) + strlen(event->name) + 2;
	text = kvzalloc(size, GFP_KERNEL);
	if (text) {
		tring_for_each_event(event, set)
			length += scnprintf(text + length, size - length, "%s:%s\n",
					    event->system, event->name);
	}
	mutex_unlock(&tring_events_mutex);
	return text;
}

/**
 * tring_names_next - take the next line of a list
 * @rest: the rest of the list, which is changed
 * @system: set to the event's system
 * @name: set to its name
 *
 * Return: false at the end.
 */
bool tring_names_next(char **rest, char **system, char **name)
{
	while ((*name = strsep(rest, "\n"))) {
		*system = strsep(name, ":");
		if (*name)
			return true;
	}
	return false;
}

/**
 * tring_names_match - does a pattern name this event?
 * @event_system: the event's system
 * @event_name: its name
 * @system: the pattern's part before the colon
 * @name: the part behind it; if it is NULL, @system may name a system or an event
 */
bool tring_names_match(const char *event_system, const char *event_name, const char *system,
		       const char *name)
{
	if (!name)
		return glob_match(system, event_system) || glob_match(system, event_name);
	return (!*system || glob_match(system, event_system)) &&
	       (!*name || glob_match(name, event_name));
}
