// SPDX-License-Identifier: GPL-2.0
/*
 * Ids of ftrace's own events. They are places in enum trace_type, which is private, and an
 * event that is added in the middle moves those behind it: in another version, or in a
 * vendor's kernel of the same version. So they are read from the format files, before the
 * first such event is recorded. Only `print` has the id that it had in each kernel so far: the
 * marker's key has to be constant.
 */
#include <linux/err.h>
#include <linux/mm.h>

#include "event.h"
#include "layout.h"
#include "own_events.h"

static const char * const own_event_names[TRING_OWN_EVENTS] = {
	[TRING_OWN_FUNCTION]		= "function",
	[TRING_OWN_GRAPH_ENTRY]		= "funcgraph_entry",
	[TRING_OWN_GRAPH_EXIT]		= "funcgraph_exit",
	[TRING_OWN_KERNEL_STACK]	= "kernel_stack",
	[TRING_OWN_USER_STACK]		= "user_stack",
};

/* 0: not read yet. */
static u16 own_event_ids[TRING_OWN_EVENTS];

static int read_id(const char *name)
{
	char *format = tring_format_read("ftrace", name);
	int id;

	if (IS_ERR(format))
		return PTR_ERR(format);
	id = tring_layout_id(format);
	kvfree(format);
	return id;
}

/**
 * tring_own_events_read - read the ids, the first time
 *
 * Context: process, may sleep; takes inode locks of ftrace's directories, so without
 * tring_events_mutex.
 * Return: 0, or an error of tring_format_read() or tring_layout_id().
 */
int tring_own_events_read(void)
{
	enum tring_own_event event;
	int id;

	/* Race: two tasks read the same. */
	for (event = 0; event < TRING_OWN_EVENTS; event++) {
		if (READ_ONCE(own_event_ids[event]))
			continue;
		id = read_id(own_event_names[event]);
		if (id < 0)
			return id;
		WRITE_ONCE(own_event_ids[event], id);
	}
	return 0;
}

/**
 * tring_own_event_id - the id of an event
 * @event: the event
 *
 * Context: any, after tring_own_events_read().
 */
u16 tring_own_event_id(enum tring_own_event event)
{
	return READ_ONCE(own_event_ids[event]);
}

/**
 * tring_own_event_name - the name of an event
 * @id: any id but 0
 *
 * Context: any.
 * Return: NULL if it is none of ftrace's own that tring records.
 */
const char *tring_own_event_name(u16 id)
{
	enum tring_own_event event;

	if (id == TRING_PRINT_ID)
		return "print";
	for (event = 0; event < TRING_OWN_EVENTS; event++)
		if (id == READ_ONCE(own_event_ids[event]))
			return own_event_names[event];
	return NULL;
}
