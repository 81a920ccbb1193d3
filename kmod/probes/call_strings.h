/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Strings of system calls, read from the program's memory when the call begins. See
 * call_strings.c.
 */
#ifndef _TRING_CALL_STRINGS_H
#define _TRING_CALL_STRINGS_H

#include <linux/percpu.h>
#include <linux/seq_file.h>
#include <linux/trace_events.h>
#include <linux/types.h>

#include "event.h"
#include "layout.h"

/* Most bytes that are read of a string; ftrace has 165. */
#define TRING_STRING_MAX	255
/* Most strings of a call. */
#define TRING_CALL_STRINGS	3

/* Stands behind what was read of a longer string, as in ftrace. */
#define TRING_STRING_REST	"..."

/* Layout of events/syscalls/sys_enter_NAME/format, up to the strings. */
struct tring_enter {
	struct trace_entry	ent;
	int			nr;
	unsigned long		args[];
};

/**
 * struct tring_unread - strings of a call that a CPU could not read
 * @trace: number of the trace that @count is of
 * @count: their number
 */
struct tring_unread {
	u64	trace;
	u64	count;
};

/**
 * struct tring_call_strings - strings of a call that its event has
 * @size: most bytes of each; 0: the event has none
 * @count: number of strings
 * @args: the argument of each
 * @size_arg: argument that has the size of the string; -1: a NUL ends each one
 * @unread: what could not be read
 *
 * Stays to the end of the event, for @unread; all else is constant while the event is attached.
 */
struct tring_call_strings {
	u32				size;
	u8				count;
	u8				args[TRING_CALL_STRINGS];
	s8				size_arg;
	struct tring_unread __percpu	*unread;
};

struct syscall_metadata;

/* call_strings.c APIs: */
int tring_call_strings_prepare(struct tring_event *event);
u32 tring_call_strings_read(const struct tring_event *event, struct tring_enter *entry,
			    u32 length);
int tring_call_strings_set(struct tring_event_set *set, u32 size);
void tring_call_strings_show_unread(struct seq_file *m, struct tring_event_set *set);
void tring_call_strings_free(struct tring_event *event);
char *tring_event_format(const struct tring_event_set *set, const char *system, const char *name);

/* Is @event one with strings? */
static __always_inline bool tring_call_has_strings(const struct tring_event *event)
{
	return event->strings && event->strings->size;
}

/* Bytes that strings of @event may take in a record. */
static __always_inline u32 tring_call_strings_room(const struct tring_event *event)
{
	const struct tring_call_strings *strings = event->strings;

	if (!strings || !strings->size)
		return 0;
	return strings->count * (sizeof(u32) + strings->size + sizeof(TRING_STRING_REST));
}

#endif /* _TRING_CALL_STRINGS_H */
