// SPDX-License-Identifier: LGPL-2.1-or-later
/* The library's functions that tell what a trace, an event and its fields are. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "event/bounds.h"
#include "event/fields.h"
#include "load.h"
#include "event/cgroups.h"
#include "trace/cmdlines.h"
#include "trace/trace_dir.h"
#include "util/clock.h"

/**
 * tring_number - get the value of a number
 * @item: an event without @wrong
 * @field: one of its fields, of TRING_FIELD_NUMBER
 *
 * Return: the number, with its sign extended; one of 64 bits without a sign as it is.
 */
int64_t tring_number(const struct tring_item *item, const struct tring_field *field)
{
	return tring_field_value(field, item->record->payload + field->offset,
				 item->trace->info.big_endian);
}

/**
 * tring_data - get the bytes of a field
 * @item: an event without @wrong
 * @field: one of its fields
 * @size: set to the number of bytes
 *
 * Return: the bytes, in the record's byte order; valid as long as @item.
 */
const void *tring_data(const struct tring_item *item, const struct tring_field *field,
		       size_t *size)
{
	return tring_field_data(field, item->record, item->trace->info.big_endian, size);
}

/**
 * tring_text - get a text
 * @item: an event without @wrong
 * @field: one of its fields, of TRING_FIELD_TEXT
 * @size: set to the number of characters
 *
 * Whatever the traced kernel has written is in it: control characters, too, and what is no
 * UTF-8.
 *
 * Return: the text, without a NUL behind it; valid as long as @item. NULL, with a @size of 0, if
 * the kernel has written no byte, not even the NUL of an empty text: it could not read a program's
 * string, or there was none.
 */
const char *tring_text(const struct tring_item *item, const struct tring_field *field,
		       size_t *size)
{
	const bool big_endian = item->trace->info.big_endian;
	uint32_t bytes;

	tring_field_find(field, item->record, big_endian, &bytes);
	if (!bytes && (field->place == TRING_PLACE_LOCATION ||
		       field->place == TRING_PLACE_RELATIVE)) {
		*size = 0;
		return NULL;
	}
	return tring_data(item, field, size);
}

/**
 * tring_element - get an element of an array
 * @item: an event without @wrong
 * @field: one of its fields, of TRING_FIELD_ARRAY
 * @from: first byte of the element, in what tring_data() has returned
 *
 * Return: as tring_number().
 */
int64_t tring_element(const struct tring_item *item, const struct tring_field *field,
		      const void *from)
{
	return tring_field_value(field, from, item->trace->info.big_endian);
}

/**
 * tring_event_count - get the number of events that the trace describes
 * @trace: the trace
 */
size_t tring_event_count(const struct tring_trace *trace)
{
	return trace->events.count;
}

/**
 * tring_event_at - get the description of an event
 * @trace: the trace
 * @at: its place, below tring_event_count()
 *
 * Return: the description, valid until the trace is closed.
 */
const struct tring_event *tring_event_at(const struct tring_trace *trace, size_t at)
{
	return trace->events.list[at];
}

/**
 * tring_event_find - find the description of an event
 * @trace: the trace
 * @system: its system
 * @name: its name
 *
 * Return: the description, or NULL.
 */
const struct tring_event *tring_event_find(const struct tring_trace *trace, const char *system,
					   const char *name)
{
	size_t i;

	for (i = 0; i < trace->events.count; i++) {
		const struct tring_event *event = trace->events.list[i];

		if (!strcmp(event->name, name) && !strcmp(event->system, system))
			return event;
	}
	return NULL;
}

/**
 * tring_cpu_count - get the number of CPUs that have packets
 * @trace: the trace
 */
size_t tring_cpu_count(const struct tring_trace *trace)
{
	return trace->count;
}

/**
 * tring_cpu_at - get the number of a CPU
 * @trace: the trace
 * @at: its place, below tring_cpu_count()
 */
int tring_cpu_at(const struct tring_trace *trace, size_t at)
{
	return trace->cpus[at].cpu;
}

/**
 * tring_comm - get the name of a task
 * @trace: the trace
 * @pid: the task's pid
 *
 * Return: the name that the task had last, as far as events were read; "<...>" if it is
 * unknown. Valid until the next call for the trace.
 */
const char *tring_comm(struct tring_trace *trace, int32_t pid)
{
	return tring_names_comm(&trace->names, pid);
}

/**
 * tring_task - get the name and pid of a task, as trace-cmd prints it
 * @trace: the trace
 * @pid: the task's pid
 * @size: set to the number of characters
 *
 * Return: the text, such as "     kworker/0:1-12   ", in which no character is a control character;
 * at least 32 bytes of it can be read. Valid until the next call for the trace.
 */
const char *tring_task(struct tring_trace *trace, int32_t pid, size_t *size)
{
	return tring_names_head(&trace->names, pid, size);
}

/**
 * tring_task_value - get what else is known of a task
 * @trace: the trace
 * @pid: the task's pid
 * @key: "cgroup", its path in the hierarchy of the second version; "unit", systemd's, which is the
 *	innermost one in that path; "command", its command line
 *
 * Return: the value as far as events were read, valid as long as the trace; NULL if it is
 * unknown.
 */
const char *tring_task_value(const struct tring_trace *trace, int32_t pid, const char *key)
{
	const struct tring_cgroups *cgroups = trace->names.cgroups;

	return cgroups ? tring_cgroups_find(cgroups, pid, key) : NULL;
}

/**
 * tring_env - get a property of the recording
 * @trace: the trace
 * @key: "hostname", "clock", "boot_id", "kernel_release", "architecture", "user",
 *	"command_line"; "left_out", which has words for what was not recorded on purpose; or
 *	"stopped_by", which has what has ended it, of "tring record --stop-when"
 *
 * Return: the text; "" if it is unknown, NULL if there is no such property.
 */
const char *tring_env(const struct tring_trace *trace, const char *key)
{
	size_t i;

	if (!strcmp(key, "hostname"))
		return trace->info.hostname;
	if (!strcmp(key, "clock"))
		return trace->info.clock;
	if (!strcmp(key, "boot_id"))
		return trace->info.boot_id;
	for (i = 0; i < TRING_ORIGINS; i++)
		if (!strcmp(key, tring_origin_keys[i]))
			return trace->info.origins[i];
	return NULL;
}

static void add_parts(const struct tring_parts_list *parts, char **text)
{
	const char *first = parts->dirs[0], *last = parts->dirs[parts->count - 1];

	if (parts->divided)
		tring_extend(text, "parts=%zu: %s to %s\n", parts->count,
			     strrchr(first, '/') + 1, strrchr(last, '/') + 1);
}

/**
 * tring_info - get all that a trace says of itself
 * @trace: the trace, a directory or a trace.dat; anything else of it may be bad
 *
 * Return: lines of KEY=VALUE, to be freed; NULL if it says nothing: see tring_status_text().
 */
char *tring_info(struct tring_trace *trace)
{
	struct tring_trace_info info;
	struct tring_sink *before;
	char *text = NULL;

	if (trace->dat)
		return trace->events.tep ? tring_dat_info_text(&trace->dat->file) : NULL;
	if (!trace->parts.count)
		return NULL;
	before = tring_trace_enter(trace);
	if (!tring_trace_dir_info(trace->parts.dirs[0], &info, &text))
		add_parts(&trace->parts, &text);
	tring_trace_leave(trace, before, 0);
	return text;
}

/**
 * tring_uuid - get the id of the trace
 * @trace: the trace
 *
 * Return: 16 bytes.
 */
const uint8_t *tring_uuid(const struct tring_trace *trace)
{
	return trace->info.uuid;
}

/**
 * tring_big_endian - get the byte order of payloads
 * @trace: the trace
 */
bool tring_big_endian(const struct tring_trace *trace)
{
	return trace->info.big_endian;
}

/* A recorder that was killed has left neither counters of the end nor symbols. */
static bool has_ended(const struct tring_trace *trace)
{
	size_t i;

	for (i = 0; i < trace->count; i++) {
		const struct tring_cpu *cpu = &trace->cpus[i];

		if (cpu->count && !cpu->files[cpu->count - 1].know_end)
			return false;
	}
	return !trace->followed;
}

static void load_symbols(struct tring_trace *trace)
{
	struct tring_sink *before;

	if (trace->has_symbols)
		return;
	trace->has_symbols = true;
	if (!trace->parts.count)
		return;
	before = tring_trace_enter(trace);
	tring_load_symbols(trace);
	if (!has_ended(trace))
		tring_load_live_symbols(trace);
	tring_trace_leave(trace, before, 0);
}

/**
 * tring_tep - get libtraceevent's handle, with all formats and symbols
 * @trace: the trace, which owns the handle
 *
 * The first call parses the kernel's symbols. libtraceevent trusts what it prints, so only
 * records without @wrong go to it, in a copy that begins with struct trace_entry.
 */
struct tep_handle *tring_tep(struct tring_trace *trace)
{
	load_symbols(trace);
	return trace->events.tep;
}

/**
 * tring_unprintable - check whether libtraceevent may print an event by its format
 * @item: an event without @wrong
 *
 * What a record says of its lengths may be more than there is.
 *
 * Return: NULL; or why libtraceevent would read behind the record.
 */
const char *tring_unprintable(const struct tring_item *item)
{
	return tring_bounds_check(item->event, item->record);
}

/**
 * tring_function - find the function that contains an address
 * @trace: the trace
 * @address: the address
 *
 * Return: the function, valid until the next call for the trace; its name is NULL if it is unknown.
 */
const struct tring_symbol *tring_function(struct tring_trace *trace, uint64_t address)
{
	load_symbols(trace);
	return tring_symbols_find(trace->events.symbols, address);
}

/**
 * tring_frequency - get the number of ticks per second of the trace's clock
 * @trace: the trace
 */
uint64_t tring_frequency(const struct tring_trace *trace)
{
	return trace->info.clock_frequency;
}

/**
 * tring_ns - convert a timestamp
 * @trace: the trace
 * @stamp: ticks of its clock
 *
 * Return: nanoseconds of the clock.
 */
uint64_t tring_ns(const struct tring_trace *trace, uint64_t stamp)
{
	return tring_clock_ns(stamp, trace->info.clock_frequency);
}

/**
 * tring_epoch_ns - convert a timestamp to wall clock time
 * @trace: the trace
 * @stamp: ticks of its clock
 * @ns: set to nanoseconds since the Unix epoch
 *
 * Return: false if the trace does not tell the wall clock.
 */
bool tring_epoch_ns(const struct tring_trace *trace, uint64_t stamp, int64_t *ns)
{
	struct tring_wall wall = tring_clock_wall(stamp, trace->info.clock_frequency,
						  trace->info.clock_offset);

	*ns = tring_wall_ns(&wall);
	return !trace->info.no_wall;
}

/**
 * tring_wall - convert a timestamp to wall clock time, of any year
 * @trace: the trace
 * @stamp: ticks of its clock
 * @wall: set to the time
 *
 * Return: false if the trace does not tell the wall clock; @wall is the time of its clock then.
 */
bool tring_wall(const struct tring_trace *trace, uint64_t stamp, struct tring_wall *wall)
{
	*wall = tring_clock_wall(stamp, trace->info.clock_frequency, trace->info.clock_offset);
	return !trace->info.no_wall;
}

/**
 * tring_begin - get the time of the first event
 * @trace: the trace
 *
 * Return: ticks of the trace's clock; 0 if there are no events.
 */
uint64_t tring_begin(const struct tring_trace *trace)
{
	uint64_t begin = UINT64_MAX;
	size_t i;

	for (i = 0; i < trace->count; i++) {
		struct tring_packets packets;
		struct tring_stream stream;
		struct tring_record record;

		tring_cpu_stream(&trace->cpus[i], &packets, &stream);
		while (tring_stream_next(&stream, &record) == TRING_OK) {
			if (record.id == TRING_ID_DISCARDED)
				continue;
			if (record.stamp < begin)
				begin = record.stamp;
			break;
		}
		tring_packets_close(&packets);
	}
	return begin < UINT64_MAX ? begin : 0;
}

/**
 * tring_is_trace_dat - check whether the trace is a trace.dat
 * @trace: the trace
 */
bool tring_is_trace_dat(const struct tring_trace *trace)
{
	return trace->dat;
}

/* The names of all parts, as lines of saved_cmdlines. */
static char *read_names(const struct tring_parts_list *parts, size_t *size)
{
	struct tring_names names;
	char *text;
	int error;

	tring_names_init(&names);
	error = tring_cmdlines_read(&names, parts);
	text = error ? NULL : tring_names_text(&names);
	tring_names_free(&names);
	*size = text ? strlen(text) : 0;
	errno = error ? -error : ENOENT;
	return text;
}

/* What all parts have, one behind the other: it may be more than a small text. */
static char *read_all(const struct tring_parts_list *parts, const char *name, size_t *size)
{
	struct tring_input input;
	char *all = NULL, *longer;
	int error = 0;
	size_t i;

	for (i = 0; i < parts->count && !error; i++) {
		char *path = tring_extra_path(parts->dirs[i], name);

		if (!access(path, F_OK)) {
			error = tring_input_open(&input, path);
			longer = tring_allocate(*size + input.size + 1);
			memcpy(longer, all ? all : "", *size);
			memcpy(longer + *size, error ? "" : input.data, input.size);
			*size += input.size;
			tring_input_close(&input);
			free(all);
			all = longer;
		}
		free(path);
	}
	errno = error ? -error : ENOENT;
	return all;
}

/**
 * tring_file - get a file of the traced kernel that the recording has kept
 * @trace: the trace, a directory
 * @name: "kallsyms", "printk_formats", "saved_cmdlines" or "maps"
 * @size: set to the number of bytes
 *
 * Return: the text, to be freed; NULL with errno, which is ENOENT if it was not kept.
 */
char *tring_file(const struct tring_trace *trace, const char *name, size_t *size)
{
	const struct tring_parts_list *parts = &trace->parts;
	char *path, *text;

	*size = 0;
	errno = ENOENT;
	if (!parts->count)
		return NULL;
	if (!strcmp(name, TRING_FILE_CMDLINES))
		return read_names(parts, size);
	if (!strcmp(name, TRING_FILE_MAPS))
		return read_all(parts, name, size);
	path = tring_extra_path(parts->dirs[parts->count - 1], name);
	text = tring_read_text(path, size);
	free(path);
	return text;
}
