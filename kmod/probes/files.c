// SPDX-License-Identifier: GPL-2.0
/*
 * ftrace's events by name. ftrace searches a list of some thousand, from its begin, and a look at
 * all events would search it for each of them. An event of the kernel itself never goes, unlike
 * that of a module or a dynamic one, so its file is remembered when it has been found once.
 */
#include <linux/err.h>
#include <linux/hashtable.h>
#include <linux/lockdep.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/stringhash.h>
#include <linux/trace_events.h>

#include "event.h"
#include "source.h"

/**
 * struct lasting_file - an event of the kernel itself
 * @by_name: element of lasting_files
 * @file: ftrace's event, to which no reference is needed
 */
struct lasting_file {
	struct hlist_node	by_name;
	struct trace_event_file	*file;
};

/* Protected by tring_events_mutex. */
static DEFINE_HASHTABLE(lasting_files, 10);

/**
 * tring_event_hash - hash the name of an event
 * @system: system of the event
 * @name: name of the event
 */
unsigned int tring_event_hash(const char *system, const char *name)
{
	unsigned long salt = full_name_hash(NULL, system, strlen(system));

	return full_name_hash((void *)salt, name, strlen(name));
}

static bool is_lasting(const struct trace_event_call *call)
{
	return !(call->flags & TRACE_EVENT_FL_DYNAMIC) && !call->module;
}

/**
 * tring_event_file_get - find an event of ftrace's
 * @system: system of the event
 * @name: name of the event
 *
 * Context: process, may sleep, with tring_events_mutex held.
 * Return: the event, for tring_event_file_put(), or NULL if there is none of this name.
 */
struct trace_event_file *tring_event_file_get(const char *system, const char *name)
{
	unsigned int hash = tring_event_hash(system, name);
	struct trace_event_file *file;
	struct lasting_file *lasting;

	lockdep_assert_held(&tring_events_mutex);
	hash_for_each_possible(lasting_files, lasting, by_name, hash) {
		struct trace_event_call *call = lasting->file->event_call;

		if (!strcmp(trace_event_name(call), name) && !strcmp(call->class->system, system))
			return lasting->file;
	}
	file = tring_get_event_file(system, name);
	if (IS_ERR(file))
		return NULL;
	if (is_lasting(file->event_call)) {
		tring_put_event_file(file);
		lasting = kmalloc(sizeof(*lasting), GFP_KERNEL);
		if (lasting) {
			lasting->file = file;
			hash_add(lasting_files, &lasting->by_name, hash);
		}
	}
	return file;
}

/**
 * tring_event_file_put - undo tring_event_file_get()
 * @file: the event
 *
 * Context: process, may sleep.
 */
void tring_event_file_put(struct trace_event_file *file)
{
	if (!is_lasting(file->event_call))
		tring_put_event_file(file);
}

/**
 * tring_event_files_exit - forget the events
 *
 * Context: process, after the last tring_event_file_put().
 */
void tring_event_files_exit(void)
{
	struct lasting_file *lasting;
	struct hlist_node *next;
	int bucket;

	hash_for_each_safe(lasting_files, bucket, next, lasting, by_name)
		kfree(lasting);
	hash_init(lasting_files);
}
