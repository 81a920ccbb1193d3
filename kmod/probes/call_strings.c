// SPDX-License-Identifier: GPL-2.0
/*
 * Strings of system calls, as fields of the event of a call's begin: paths, names, and what
 * write() and a few other calls are given. The fields, their names and the print format are
 * those that kernels since v6.19 have for the calls whose strings they read themselves. Such
 * calls keep the kernel's own fields.
 *
 * A probe must not sleep, so a string is read only if its pages are there. If one is not, the
 * field has no byte, not even the NUL of an empty string, and the event's count goes up. There
 * is no second try when the call ends: the program, or the call, may have changed the memory.
 *
 * Events with strings always go by way of examine.c: a filter may look at a string before the
 * event is in the ring, and the length of the record is known then. Other events have no
 * instruction more.
 *
 * Source: kernel/trace/trace_syscalls.c of v6.19 and lib/strncpy_from_user.c. The latter is not
 * called, because it looks for the destination among the vmalloc areas, with a lock that all
 * CPUs share.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/uaccess.h>

#include <asm/word-at-a-time.h>
#include <trace/syscall.h>

#include "call_strings.h"
#include "event.h"
#include "examine.h"
#include "ids.h"
#include "layout.h"
#include "source.h"

#define ENTER_PREFIX	"sys_enter_"

/* A field's line and a format's parts of an argument, without the argument's names. */
#define FIELD_ROOM	80
#define PRINT_ROOM	64

/*
 * Calls of which the types of their arguments do not tell the strings. Else each "const char *"
 * is one that a NUL ends, and no "char *", where the kernel writes.
 */
static const struct {
	const char	*name;
	s8		size_arg;	/* argument with the string's size; -1: a NUL ends it */
	bool		plain;		/* "char *" is a string, too */
} special_calls[] = {
	{ "sys_write", 2 }, { "sys_pwrite64", 2 }, { "sys_mq_timedsend", 2 },
	{ "sys_kexec_file_load", 2 }, { "sys_sethostname", 1, true },
	{ "sys_setdomainname", 1, true }, { "sys_mount", -1, true }, { "sys_umount", -1, true },
	{ "sys_utime", -1, true }, { "sys_utimes", -1, true },
};

/* Is a type that of a pointer to @what, whatever attributes it has? */
static bool is_pointer(const char *type, const char *what)
{
	const char *star = strchr(type, '*');

	return strstarts(type, what) && star && !star[1];
}

/* Finds the strings of a call, all but the size and the counts. Returns false if it has none. */
static bool find_strings(const struct syscall_metadata *call, struct tring_call_strings *strings)
{
	bool plain = false;
	unsigned int i;

	strings->count = 0;
	strings->size_arg = -1;
	if (tring_syscall_copies_memory(call))
		return false;
	for (i = 0; i < ARRAY_SIZE(special_calls); i++)
		if (!strcmp(call->name, special_calls[i].name)) {
			strings->size_arg = special_calls[i].size_arg;
			plain = special_calls[i].plain;
		}
	for (i = 0; i < call->nb_args && strings->count < TRING_CALL_STRINGS; i++)
		if (is_pointer(call->types[i], "const char ") ||
		    (plain && is_pointer(call->types[i], "char ")))
			strings->args[strings->count++] = i;
	return strings->count;
}

/**
 * tring_call_strings_prepare - find out which strings an event is to have
 * @event: event of a call's begin that is being attached; its file is set
 *
 * Context: process, may sleep, with tring_events_mutex held.
 * Return: 0 or -ENOMEM.
 */
int tring_call_strings_prepare(struct tring_event *event)
{
	u32 size = event->set->string_size;

	if (!event->strings && size) {
		event->strings = kzalloc(sizeof(*event->strings), GFP_KERNEL);
		if (!event->strings)
			return -ENOMEM;
		event->strings->unread = alloc_percpu(struct tring_unread);
		if (!event->strings->unread) {
			tring_call_strings_free(event);
			return -ENOMEM;
		}
	}
	if (event->strings)
		event->strings->size = find_strings(event->file->event_call->data,
						    event->strings) ? size : 0;
	tring_examine_update(event);
	return 0;
}

/**
 * tring_call_strings_free - free what an event has for strings
 * @event: event that nothing records any more
 *
 * Context: process, may sleep.
 */
void tring_call_strings_free(struct tring_event *event)
{
	if (event->strings)
		free_percpu(event->strings->unread);
	kfree(event->strings);
	event->strings = NULL;
}

/*
 * Copies @size bytes of the program, or up to a NUL if one ends the string. Returns their number,
 * without the NUL, or -EFAULT. Page faults are disabled. Words are read as far as they go, so
 * that a string may end where its page does.
 */
static __always_inline int copy_string(char *to, unsigned long from, u32 size, bool has_nul)
{
	const struct word_at_a_time constants = WORD_AT_A_TIME_CONSTANTS;
	unsigned long word, zeroes;
	u32 room = size, at = 0;
	char byte;

	/* A string at the end of the address space may be shorter. */
	if (from < TASK_SIZE_MAX)
		room = min_t(unsigned long, size, TASK_SIZE_MAX - from);
	if (!user_read_access_begin((const void __user *)from, room))
		return -EFAULT;
	for (; at + sizeof(word) <= room; at += sizeof(word)) {
		unsafe_get_user(word, (const unsigned long __user *)(from + at), by_bytes);
		*(unsigned long *)(to + at) = word;
		if (has_nul && has_zero(word, &zeroes, &constants)) {
			zeroes = prep_zero_mask(word, zeroes, &constants);
			at += find_zero(create_zero_mask(zeroes));
			goto done;
		}
	}
by_bytes:
	for (; at < room; at++) {
		unsafe_get_user(byte, (const char __user *)(from + at), fault);
		to[at] = byte;
		if (has_nul && !byte)
			goto done;
	}
	if (at < size)
		goto fault;
done:
	user_read_access_end();
	return at;
fault:
	user_read_access_end();
	return -EFAULT;
}

static __always_inline void count_unread(const struct tring_event *event)
{
	struct tring_unread *unread = this_cpu_ptr(event->strings->unread);
	u64 trace = this_cpu_ptr(event->buffer->cpu_buffers)->trace;

	if (!READ_ONCE(event->buffer->wanted_recording))
		return;
	if (unread->trace != trace) {
		unread->trace = trace;
		unread->count = 0;
	}
	WRITE_ONCE(unread->count, unread->count + 1);
}

/* Returns the length of the field, which is 0 if the string could not be read. */
static __always_inline u32 read_string(const struct tring_event *event, char *to,
				       const unsigned long *args, unsigned long from)
{
	const struct tring_call_strings *strings = event->strings;
	bool has_nul = strings->size_arg < 0;
	/* One more, to see whether there is more. */
	u32 size = strings->size + 1;
	int length;

	if (!has_nul)
		size = min_t(unsigned long, args[strings->size_arg], size);
	length = copy_string(to, from, size, has_nul);
	if (length < 0) {
		/* Many calls take NULL, and do not read it, either. */
		if (from)
			count_unread(event);
		return 0;
	}
	if (length <= strings->size) {
		to[length] = 0;
		return length + 1;
	}
	memcpy(to + strings->size, TRING_STRING_REST, sizeof(TRING_STRING_REST));
	return strings->size + sizeof(TRING_STRING_REST);
}

/**
 * tring_call_strings_read - read the strings of a call that begins
 * @event: its event, which has strings
 * @entry: the record; @length and tring_call_strings_room() bytes
 * @length: of the record without strings
 *
 * Context: task, preemption disabled.
 * Return: length of the record with the strings.
 */
TRING_PROBE u32 tring_call_strings_read(const struct tring_event *event,
					struct tring_enter *entry, u32 length)
{
	const struct tring_call_strings *strings = event->strings;
	u32 *location = (void *)entry + length, size, i;

	length += strings->count * sizeof(*location);
	pagefault_disable();
	for (i = 0; i < strings->count; i++) {
		size = read_string(event, (char *)entry + length, entry->args,
				   entry->args[strings->args[i]]);
		location[i] = size << 16 | length;
		length += size;
	}
	pagefault_enable();
	return length;
}

/* Is the begin of a call attached? Else sets whether the trace may have records of one. */
static bool is_in_use(struct tring_event_set *set, bool *has_records)
{
	const struct tring_event *event;

	tring_for_each_event(event, set) {
		if (strcmp(event->system, "syscalls") || !strstarts(event->name, ENTER_PREFIX))
			continue;
		if (event->attached)
			return true;
		*has_records |= tring_ids_may_have_records(event);
	}
	return false;
}

/**
 * tring_call_strings_set - choose how much of their strings events of system calls have
 * @set: events of a ring
 * @size: most bytes of each string; 0: the events have none. More than TRING_STRING_MAX is that
 *
 * With the first string, and without the last one, the events have other fields. So a trace that
 * may have records of them ends.
 *
 * Context: process, may sleep.
 * Return: 0; -EBUSY while an event syscalls:sys_enter_* is attached, or if a new trace has to begin
 * and a reader is open; -ENOMEM.
 */
int tring_call_strings_set(struct tring_event_set *set, u32 size)
{
	bool has_records = false;
	int err = tring_examine_prepare();

	if (err)
		return err;
	size = min_t(u32, size, TRING_STRING_MAX);
	mutex_lock(&set->switching);
	mutex_lock(&tring_events_mutex);
	if (size == set->string_size)
		goto unlock;
	if (is_in_use(set, &has_records))
		err = -EBUSY;
	else if (has_records && !size != !set->string_size)
		err = tring_buffer_new_trace(set->buffer, -1);
	if (!err)
		WRITE_ONCE(set->string_size, size);
unlock:
	mutex_unlock(&tring_events_mutex);
	mutex_unlock(&set->switching);
	return err;
}

static u64 unread_in_trace(const struct tring_event *event)
{
	u64 count = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		const struct tring_unread *unread = per_cpu_ptr(event->strings->unread, cpu);

		if (unread->trace == tring_cpu_buffer(event->buffer, cpu)->trace)
			count += READ_ONCE(unread->count);
	}
	return count;
}

/**
 * tring_call_strings_show_unread - tell how many strings could not be read
 * @m: output: a line "unread_strings=system:event count" for each event with such strings
 * @set: events of a ring
 *
 * Context: process, may sleep.
 */
void tring_call_strings_show_unread(struct seq_file *m, struct tring_event_set *set)
{
	struct tring_event *event;
	u64 count;

	mutex_lock(&tring_events_mutex);
	tring_for_each_event(event, set) {
		count = event->strings ? unread_in_trace(event) : 0;
		if (count)
			seq_printf(m, "unread_strings=%s:%s %llu\n", event->system, event->name,
				   count);
	}
	mutex_unlock(&tring_events_mutex);
}

/* Appends to a text of @size bytes, which has @at. */
static __printf(4, 5) void add(char *text, size_t size, size_t *at, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	*at += vscnprintf(text + *at, size - *at, format, args);
	va_end(args);
}

static bool is_string(const struct tring_call_strings *strings, unsigned int arg)
{
	return memchr(strings->args, arg, strings->count);
}

/* As trace_syscalls.c makes them. @format ends with its last field. */
static char *add_fields(const char *format, size_t length, const struct syscall_metadata *call,
			const struct tring_call_strings *strings)
{
	size_t size = length + PRINT_ROOM, at = 0, i;
	char *text;

	for (i = 0; i < call->nb_args; i++)
		size += FIELD_ROOM + 2 * PRINT_ROOM + 4 * strlen(call->args[i]);
	text = kvmalloc(size, GFP_KERNEL);
	if (!text)
		return ERR_PTR(-ENOMEM);
	add(text, size, &at, "%.*s", (int)length, format);
	for (i = 0; i < strings->count; i++)
		add(text, size, &at,
		    "\tfield:__data_loc char[] __%s_val;\toffset:%zu;\tsize:4;\tsigned:0;\n",
		    call->args[strings->args[i]], offsetof(struct tring_enter, args) +
		    call->nb_args * sizeof(long) + i * sizeof(u32));
	add(text, size, &at, "\nprint fmt: \"");
	for (i = 0; i < call->nb_args; i++)
		add(text, size, &at, "%s%s: 0x%%0%zulx%s", i ? ", " : "", call->args[i],
		    sizeof(long), is_string(strings, i) ? " \\\"%s\\\"" : "");
	add(text, size, &at, "\"");
	for (i = 0; i < call->nb_args; i++) {
		add(text, size, &at, ", ((unsigned long)(REC->%s))", call->args[i]);
		if (is_string(strings, i))
			add(text, size, &at, ", __get_str(__%s_val)", call->args[i]);
	}
	add(text, size, &at, "\n");
	return text;
}

/**
 * tring_event_format - the format of an event as it is, or would be, recorded in a ring
 * @set: events of the ring
 * @system: system of the event
 * @name: name of the event
 *
 * Context: as for tring_format_read(); takes tring_events_mutex.
 * Return: the text, to be freed by kvfree(), or an ERR_PTR() from tring_format_read().
 */
char *tring_event_format(const struct tring_event_set *set, const char *system, const char *name)
{
	char *format = tring_format_read(system, name), *text = format;
	const struct syscall_metadata *call;
	struct tring_call_strings strings;
	struct trace_event_file *file;
	const char *print;

	if (IS_ERR(format) || !READ_ONCE(set->string_size) || strcmp(system, "syscalls") ||
	    !strstarts(name, ENTER_PREFIX))
		return format;
	mutex_lock(&tring_events_mutex);
	file = tring_event_file_get(system, name);
	call = file ? file->event_call->data : NULL;
	print = strstr(format, "\nprint fmt: ");
	if (print && call && find_strings(call, &strings)) {
		text = add_fields(format, print - format, call, &strings);
		kvfree(format);
	}
	if (file)
		tring_event_file_put(file);
	mutex_unlock(&tring_events_mutex);
	return text;
}
