// SPDX-License-Identifier: GPL-2.0
/*
 * Summary of a trace: the number of each event, and the range of values of each
 * of its fields. All records are read and all fields are decoded. The CPUs are
 * read one after another, because the order of events does not matter.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/cdefs.h>

#include "event/expression.h"
#include "event/stack.h"
#include "summary.h"

#define SIGN_BIT	(UINT64_C(1) << 63)

enum field_kind {
	FIELD_U8,
	FIELD_U16,
	FIELD_U32,
	FIELD_U64,
	FIELD_S8,
	FIELD_S16,
	FIELD_S32,
	FIELD_S64,
	FIELD_NUMBERS,
	FIELD_TEXT,
	FIELD_DYNAMIC_NUMBERS,
	FIELD_DYNAMIC_TEXT,
	FIELD_COUNTED,
};

/**
 * struct field - range of a field's values
 * @name: name of the field
 * @kind: how the field is decoded
 * @element: size of a number in bytes
 * @is_signed: the numbers are signed
 * @relative: the dynamic data's offset is relative to the field's end
 * @pointer: the numbers are addresses
 * @offset: offset in the payload
 * @size: size in bytes
 * @least: smallest value; shortest length of a text. Signed values have their
 *	sign bit inverted, so that they are ordered like unsigned values
 * @most: largest value in the same form; longest length of a text
 */
struct field {
	const char	*name;
	uint8_t		kind;
	uint8_t		element;
	bool		is_signed;
	bool		relative;
	bool		pointer;
	uint32_t	offset;
	uint32_t	size;
	uint64_t	least;
	uint64_t	most;
};

/**
 * struct event_summary - summary of an event
 * @count: number of events
 * @bytes: total size of their payloads
 * @wrong: number of events whose payload does not fit the format
 * @fixed_size: payload bytes up to the end of the last field
 * @event: the event
 * @fields: fields of the event
 * @field_count: number of @fields
 */
struct event_summary {
	uint64_t	count;
	uint64_t	bytes;
	uint64_t	wrong;
	uint32_t	fixed_size;
	const struct tring_event *event;
	struct field	*fields;
	size_t		field_count;
};

static enum field_kind find_kind(unsigned int size, bool is_signed)
{
	/* 1, 2, 4 and 8 bytes */
	return (is_signed ? FIELD_S8 : FIELD_U8) + __builtin_ctz(size);
}

static bool is_number_size(unsigned int size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

static void describe_field(struct field *field,
			   const struct tep_format_field *format)
{
	bool text = format->flags & TEP_FIELD_IS_STRING;
	bool array = format->flags & TEP_FIELD_IS_ARRAY;

	field->name = format->name;
	field->offset = format->offset;
	field->size = format->size;
	field->is_signed = format->flags & TEP_FIELD_IS_SIGNED;
	field->pointer = format->flags & TEP_FIELD_IS_POINTER;
	field->relative = format->flags & TEP_FIELD_IS_RELATIVE;
	field->element = is_number_size(format->elementsize) ?
		format->elementsize : 1;
	field->least = UINT64_MAX;
	if (tring_is_dynamic(format)) {
		field->kind = text ? FIELD_DYNAMIC_TEXT : FIELD_DYNAMIC_NUMBERS;
	} else if (text) {
		field->kind = FIELD_TEXT;
	} else if (!array && is_number_size(format->size)) {
		field->element = format->size;
		field->kind = find_kind(format->size, field->is_signed);
	} else {
		field->kind = FIELD_NUMBERS;
	}
}

static void describe_event(struct event_summary *summary,
			   const struct tring_event *event)
{
	const struct tep_format_field *format;

	summary->event = event;
	summary->fixed_size = event->fixed_size;
	summary->fields = tring_allocate(event->parsed->format.nr_fields *
					 sizeof(*summary->fields));
	for (format = event->parsed->format.fields; format;
	     format = format->next)
		describe_field(&summary->fields[summary->field_count++],
			       format);
	if (event->frames)
		summary->fields[summary->field_count - 1].kind = FIELD_COUNTED;
}

/* The functions from here to walk() take most of the time: compiled per byte order. */
static __always_inline void add_value(struct field *field, uint64_t value)
{
	if (value < field->least)
		field->least = value;
	if (value > field->most)
		field->most = value;
}

static __always_inline void add_signed(struct field *field, int64_t value)
{
	add_value(field, (uint64_t)value ^ SIGN_BIT);
}

static __always_inline void add_number(struct field *field,
				       enum field_kind kind,
				       const uint8_t *from, bool big_endian)
{
	switch (kind) {
	case FIELD_U8:
		add_value(field, *from);
		break;
	case FIELD_U16:
		add_value(field, tring_load_u16(from, big_endian));
		break;
	case FIELD_U32:
		add_value(field, tring_load_u32(from, big_endian));
		break;
	case FIELD_U64:
		add_value(field, tring_load_u64(from, big_endian));
		break;
	case FIELD_S8:
		add_signed(field, (int8_t)*from);
		break;
	case FIELD_S16:
		add_signed(field, (int16_t)tring_load_u16(from, big_endian));
		break;
	case FIELD_S32:
		add_signed(field, (int32_t)tring_load_u32(from, big_endian));
		break;
	default:
		add_signed(field, tring_load_u64(from, big_endian));
		break;
	}
}

static void add_numbers(struct field *field, const uint8_t *from,
			uint32_t size, bool big_endian)
{
	enum field_kind kind = find_kind(field->element, field->is_signed);
	uint32_t at;

	for (at = 0; at + field->element <= size; at += field->element)
		add_number(field, kind, from + at, big_endian);
}

static bool add_dynamic(struct field *field, const struct tring_record *record,
			bool big_endian)
{
	uint32_t place = tring_load_u32(record->payload + field->offset,
					big_endian);
	uint32_t size = place >> 16;

	place &= 0xffff;
	if (field->relative)
		place += field->offset + field->size;
	if (place + size > record->length ||
	    (place < TRING_PAYLOAD_HEAD && size))
		return false;
	if (field->kind == FIELD_DYNAMIC_TEXT)
		add_value(field, strnlen((const char *)record->payload + place,
					 size));
	else
		add_numbers(field, record->payload + place, size, big_endian);
	return true;
}

/* Return: true if the payload fits the format. */
static __always_inline bool decode(struct event_summary *summary,
				   const struct tring_record *record,
				   bool big_endian)
{
	struct field *field = summary->fields;
	const struct field *end = field + summary->field_count;
	bool good = true;

	summary->count++;
	summary->bytes += record->length;
	if (record->length < summary->fixed_size)
		return false;
	for (; field < end; field++) {
		const uint8_t *from = record->payload + field->offset;

		switch (field->kind) {
		case FIELD_NUMBERS:
			add_numbers(field, from, field->size, big_endian);
			break;
		case FIELD_COUNTED:
			add_numbers(field, from, record->length - field->offset, big_endian);
			good &= !tring_stack_check(summary->event, record);
			break;
		case FIELD_TEXT:
			add_value(field, strnlen((const char *)from,
						 field->size));
			break;
		case FIELD_DYNAMIC_NUMBERS:
		case FIELD_DYNAMIC_TEXT:
			good &= add_dynamic(field, record, big_endian);
			break;
		default:
			add_number(field, field->kind, from, big_endian);
			break;
		}
	}
	return good;
}

/**
 * struct cpu_summary - summary of a CPU
 * @count: number of events
 * @unknown: number of events without a format
 * @lost: number of lost events
 * @first: timestamp of the first event
 * @last: timestamp of the last event
 */
struct cpu_summary {
	uint64_t	count;
	uint64_t	unknown;
	uint64_t	lost;
	uint64_t	first;
	uint64_t	last;
};

static __always_inline void walk(const struct tring_trace *trace,
				 struct tring_cpu *cpu,
				 struct cpu_summary *total,
				 struct event_summary *summaries,
				 bool big_endian)
{
	struct tring_stream *stream = &cpu->stream;
	struct tring_event **by_id = trace->events.by_id;
	struct tring_record record;

	while (tring_stream_next(stream, &record) == TRING_OK) {
		struct event_summary *summary;
		const struct tring_event *event = by_id[record.id];

		total->lost += stream->lost_events;
		if (record.id == TRING_ID_DISCARDED)
			continue;
		cpu->events++;
		if (!total->count++)
			total->first = record.stamp;
		total->last = record.stamp;
		if (!event) {
			total->unknown++;
			continue;
		}
		summary = &summaries[event->number];
		if (!decode(summary, &record, big_endian))
			summary->wrong++;
	}
	total->lost += tring_cpu_last_loss(cpu);
}

static void summarise_cpu(const struct tring_trace *trace,
			  struct tring_cpu *cpu,
			  struct cpu_summary *total,
			  struct event_summary *summaries)
{
	if (trace->info.big_endian)
		walk(trace, cpu, total, summaries, true);
	else
		walk(trace, cpu, total, summaries, false);
}

static void show_time(uint64_t stamp, uint64_t frequency)
{
	printf(" %16.6f", (double)stamp / frequency);
}

static void show_cpus(const struct tring_trace *trace,
		      const struct cpu_summary *totals)
{
	uint64_t frequency = trace->info.clock_frequency;
	size_t i;

	printf("%-6s %12s %12s %16s %16s\n", "CPU", "events", "lost", "first",
	       "last");
	for (i = 0; i < trace->count; i++) {
		printf("%-6d %12" PRIu64 " %12" PRIu64, trace->cpus[i].cpu,
		       totals[i].count, totals[i].lost);
		if (totals[i].count) {
			show_time(totals[i].first, frequency);
			show_time(totals[i].last, frequency);
		}
		putchar('\n');
	}
}

static void show_value(const struct field *field, uint64_t value)
{
	if (field->pointer)
		printf("0x%" PRIx64, field->is_signed ? value ^ SIGN_BIT :
						       value);
	else if (field->is_signed)
		printf("%" PRId64, (int64_t)(value ^ SIGN_BIT));
	else
		printf("%" PRIu64, value);
}

static void show_field(const struct field *field)
{
	bool text = field->kind == FIELD_TEXT ||
		    field->kind == FIELD_DYNAMIC_TEXT;

	/* no value: the array was empty in each event */
	if (field->least > field->most)
		return;
	printf("    %-28s ", field->name);
	if (text) {
		printf("%" PRIu64 "..%" PRIu64 " characters\n", field->least,
		       field->most);
		return;
	}
	show_value(field, field->least);
	printf("..");
	show_value(field, field->most);
	putchar('\n');
}

static void show_events(struct tring_trace *trace,
			const struct event_summary *summaries)
{
	size_t i, k;

	printf("\n%-32s %12s %14s\n", "event", "events", "bytes");
	for (i = 0; i < trace->events.count; i++) {
		const struct tring_event *event = trace->events.list[i];
		const struct event_summary *summary = &summaries[i];

		if (!summary->count)
			continue;
		printf("%-32s %12" PRIu64 " %14" PRIu64 "\n", event->name,
		       summary->count, summary->bytes);
		for (k = 0; k < summary->field_count; k++)
			show_field(&summary->fields[k]);
		if (!summary->wrong)
			continue;
		tring_error("%s: the payload of %" PRIu64 " events does not fit the format",
			    event->name, summary->wrong);
		trace->problems += summary->wrong;
	}
}

/**
 * tring_summarise - decode all events and print their summary
 * @trace: the trace, with its events and with its CPUs started
 */
void tring_summarise(struct tring_trace *trace)
{
	struct event_summary *summaries;
	struct cpu_summary *totals;
	size_t i;

	summaries = tring_allocate(trace->events.count * sizeof(*summaries));
	totals = tring_allocate(trace->count * sizeof(*totals));
	for (i = 0; i < trace->events.count; i++)
		describe_event(&summaries[i], trace->events.list[i]);
	for (i = 0; i < trace->count; i++) {
		summarise_cpu(trace, &trace->cpus[i], &totals[i], summaries);
		trace->problems += trace->cpus[i].stream.errors;
	}
	show_cpus(trace, totals);
	show_events(trace, summaries);
	for (i = 0; i < trace->count; i++) {
		if (!totals[i].unknown)
			continue;
		tring_error("%s: no format describes %" PRIu64 " events",
			    tring_cpu_path(&trace->cpus[i]), totals[i].unknown);
		trace->problems += totals[i].unknown;
	}
	for (i = 0; i < trace->events.count; i++)
		free(summaries[i].fields);
	free(summaries);
	free(totals);
}
