// SPDX-License-Identifier: GPL-2.0
/*
 * One line an event, in trace-cmd's style.
 *
 * libtraceevent trusts the offsets and lengths in a payload. So a payload is
 * checked against its event's format first, and handed over as a copy that is
 * followed by more zeroes than any 16-bit offset and length can reach over.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "printer.h"
#include "util.h"

#define REACH		(4 * 65536)
#define NS_A_SECOND	1000000000ull

/**
 * struct tring_comm_pair - two fields that tell a task's name
 * @pid: field with its number
 * @comm: field with its name
 * @next: the event may have more
 */
struct tring_comm_pair {
	const struct tep_format_field *pid;
	const struct tep_format_field *comm;
	struct tring_comm_pair *next;
};

static void add_pair(struct tring_comm_pair **pairs,
		     const struct tep_format_field *pid,
		     const struct tep_format_field *comm)
{
	struct tring_comm_pair *pair = tring_allocate(sizeof(*pair));

	pair->pid = pid;
	pair->comm = comm;
	pair->next = *pairs;
	*pairs = pair;
}

/* "comm" goes with "pid", "next_comm" with "next_pid", "newcomm" with "pid". */
static void find_pairs(struct tring_comm_pair **pairs,
		       const struct tring_event *event)
{
	struct tep_format_field *comm, *pid;

	for (comm = event->parsed->format.fields; comm; comm = comm->next) {
		size_t stem = strlen(comm->name);
		char *name;

		if (stem < 4 || strcmp(comm->name + stem - 4, "comm") ||
		    strcmp(comm->name, "oldcomm") == 0 ||
		    !(comm->flags & TEP_FIELD_IS_STRING))
			continue;
		stem -= 4;
		if (!strcmp(comm->name, "newcomm"))
			stem = 0;
		name = tring_format("%.*spid", (int)stem, comm->name);
		pid = tep_find_field(event->parsed, name);
		free(name);
		if (pid && pid->size == 4 &&
		    !(pid->flags & TEP_FIELD_IS_ARRAY))
			add_pair(pairs, pid, comm);
	}
}

/**
 * tring_printer_init - get ready for printing
 * @printer: filled in
 * @events: descriptions; must outlive @printer
 * @frequency: clock ticks a second
 */
void tring_printer_init(struct tring_printer *printer,
			const struct tring_events *events, uint64_t frequency)
{
	size_t i;

	memset(printer, 0, sizeof(*printer));
	printer->events = events;
	printer->frequency = frequency;
	printer->room = tring_allocate(REACH);
	printer->plugins = tep_load_plugins(events->tep);
	trace_seq_init(&printer->line);
	printer->pairs = tring_allocate(events->count *
					sizeof(*printer->pairs));
	for (i = 0; i < events->count; i++)
		find_pairs(&printer->pairs[i], &events->list[i]);
}

/**
 * tring_printer_free - undo tring_printer_init()
 * @printer: the printer
 */
void tring_printer_free(struct tring_printer *printer)
{
	size_t i;

	for (i = 0; i < printer->events->count; i++) {
		while (printer->pairs[i]) {
			struct tring_comm_pair *pair = printer->pairs[i];

			printer->pairs[i] = pair->next;
			free(pair);
		}
	}
	free(printer->pairs);
	free(printer->room);
	trace_seq_destroy(&printer->line);
	if (printer->plugins)
		tep_unload_plugins(printer->plugins, printer->events->tep);
}

static bool is_inside(const struct tep_format_field *field, const void *payload,
		      uint32_t length)
{
	bool big_endian = tep_is_file_bigendian(field->event->tep);
	uint32_t location, start;

	if (!(field->flags & TEP_FIELD_IS_DYNAMIC))
		return true;
	location = tring_load_u32((const uint8_t *)payload + field->offset,
				  big_endian);
	start = location & 0xffff;
	if (field->flags & TEP_FIELD_IS_RELATIVE)
		start += field->offset + field->size;
	return start + (location >> 16) <= length;
}

static const char *check_payload(const struct tring_event *event,
				 const struct tring_record *record)
{
	const struct tep_format_field *field;

	if (record->length < event->fixed_size)
		return "payload is shorter than the event's format";
	for (field = event->parsed->format.fields; field; field = field->next)
		if (!is_inside(field, record->payload, record->length))
			return "a dynamic field goes past the payload";
	return NULL;
}

static void copy_payload(struct tring_printer *printer,
			 const struct tring_record *record)
{
	if (record->length > printer->size) {
		free(printer->room);
		printer->room = tring_allocate((size_t)record->length + REACH);
		printer->size = record->length;
		printer->used = 0;
	}
	memcpy(printer->room, record->payload, record->length);
	if (printer->used > record->length)
		memset(printer->room + record->length, 0,
		       printer->used - record->length);
	printer->used = record->length;
}

static void learn_names(struct tring_printer *printer,
			const struct tring_event *event)
{
	struct tep_handle *tep = printer->events->tep;
	const struct tring_comm_pair *pair;

	pair = printer->pairs[event - printer->events->list];
	for (; pair; pair = pair->next) {
		bool big_endian = tep_is_file_bigendian(tep);
		const uint8_t *data = printer->room;
		uint32_t start = pair->comm->offset;
		char comm[17] = { 0 };
		int pid;

		pid = (int)tring_load_u32(data + pair->pid->offset, big_endian);
		if (pair->comm->flags & TEP_FIELD_IS_DYNAMIC) {
			start = tring_load_u32(data + start, big_endian) &
				0xffff;
			if (pair->comm->flags & TEP_FIELD_IS_RELATIVE)
				start += pair->comm->offset + 4;
		}
		strncpy(comm, (const char *)data + start, sizeof(comm) - 1);
		if (pid > 0 && *comm &&
		    strcmp(tep_data_comm_from_pid(tep, pid), comm))
			tep_override_comm(tep, comm, pid);
	}
}

static void print_head(struct tring_printer *printer, FILE *file,
		       struct tep_record *event_record,
		       const struct tring_record *record)
{
	struct tep_handle *tep = printer->events->tep;
	struct trace_seq *line = &printer->line;

	trace_seq_reset(line);
	/* irqs off, need-resched, context, preempt depth: "d.h1." */
	tep_print_event(tep, line, event_record, "%s", TEP_PRINT_LATENCY);
	trace_seq_terminate(line);
	fprintf(file, "%16s-%-7d [%03d] %s %6" PRIu64 ".%06" PRIu64 ": ",
		tep_data_comm_from_pid(tep, record->pid), record->pid,
		event_record->cpu, line->buffer,
		(uint64_t)(event_record->ts / NS_A_SECOND),
		(uint64_t)(event_record->ts % NS_A_SECOND / 1000));
}

/* In parts: the product of a 64-bit clock and 10^9 needs 94 bits. */
static uint64_t stamp_to_ns(uint64_t stamp, uint64_t frequency)
{
	uint64_t seconds = stamp / frequency, ticks = stamp % frequency;

	/* beyond 18 GHz a tick is less than a nanosecond can say anyway */
	while (frequency > UINT64_MAX / NS_A_SECOND) {
		frequency /= 2;
		ticks /= 2;
	}
	return seconds * NS_A_SECOND + ticks * NS_A_SECOND / frequency;
}

static void print_raw(FILE *file, const struct tring_record *record)
{
	uint32_t i;

	fprintf(file, "[id %u, %u bytes:", record->id, record->length);
	for (i = 8; i < record->length; i++)
		fprintf(file, " %02x", record->payload[i]);
	fputs("]\n", file);
}

static void print_fields(struct tring_printer *printer, FILE *file,
			 struct tep_record *event_record)
{
	struct trace_seq *line = &printer->line;

	trace_seq_reset(line);
	tep_print_event(printer->events->tep, line, event_record, "%s",
			TEP_PRINT_INFO);
	trace_seq_terminate(line);
	/* some events bring their own newline */
	while (line->len && line->buffer[line->len - 1] == '\n')
		line->buffer[--line->len] = 0;
	fputs(line->buffer, file);
	putc('\n', file);
}

/**
 * tring_printer_print - print one event
 * @printer: the printer
 * @file: where to
 * @record: not a discarded one
 * @cpu: that it happened on
 *
 * Return: NULL, or what is wrong with the payload, which is then printed as
 * bytes.
 */
const char *tring_printer_print(struct tring_printer *printer, FILE *file,
				const struct tring_record *record, int cpu)
{
	const struct tring_event *event;
	struct tep_record event_record = {
		.ts = stamp_to_ns(record->stamp, printer->frequency),
		.size = record->length, .record_size = record->length,
		.cpu = cpu,
	};
	const char *wrong;

	event = tring_events_find(printer->events, record->id);
	wrong = event ? check_payload(event, record) :
			"no format describes this event";
	copy_payload(printer, record);
	event_record.data = printer->room;
	if (!wrong)
		learn_names(printer, event);
	print_head(printer, file, &event_record, record);
	if (event)
		fprintf(file, "%s:%*s", event->name,
			(int)(strlen(event->name) < 21 ?
			      21 - strlen(event->name) : 1), "");
	if (wrong)
		print_raw(file, record);
	else
		print_fields(printer, file, &event_record);
	return wrong;
}
