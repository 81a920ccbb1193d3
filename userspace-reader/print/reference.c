// SPDX-License-Identifier: GPL-2.0
/*
 * Output of libtraceevent.
 *
 * libtraceevent expects a payload as ftrace records it, with struct trace_entry,
 * and trusts the offsets and lengths in it. So the caller first checks a payload
 * against its event's format. Then libtraceevent gets a copy that begins with a
 * struct trace_entry and ends with zeroes, more of them than any 16-bit offset
 * and length can exceed.
 */
#include <stdlib.h>
#include <string.h>

#include "reference.h"
#include "util/expression.h"
#include "util/store.h"
#include "util/util.h"

#define REACH		(4 * 65536)

/**
 * tring_reference_init - prepare for printing
 * @reference: filled in; free it with tring_reference_free()
 * @tep: libtraceevent's handle, with all formats; must outlive @reference
 */
void tring_reference_init(struct tring_reference *reference,
			  struct tep_handle *tep)
{
	memset(reference, 0, sizeof(*reference));
	reference->tep = tep;
	reference->room = tring_allocate(REACH);
	trace_seq_init(&reference->text);
}

/**
 * tring_reference_free - free the memory of tring_reference_init()
 * @reference: the reference
 */
void tring_reference_free(struct tring_reference *reference)
{
	free(reference->room);
	trace_seq_destroy(&reference->text);
}

static void put_head(uint8_t *room, const struct tring_record *record,
		     bool big_endian)
{
	tring_store_u16(room, record->id, big_endian);
	room[2] = record->flags;
	room[3] = record->preempt_count;
	tring_store_u32(room + 4, record->pid, big_endian);
}

static void copy_payload(struct tring_reference *reference,
			 const struct tring_record *record)
{
	if (record->length > reference->size) {
		free(reference->room);
		reference->room = tring_allocate((size_t)record->length +
						 REACH);
		reference->size = record->length;
		reference->used = 0;
	}
	put_head(reference->room, record,
		 tep_is_file_bigendian(reference->tep));
	memcpy(reference->room + TRING_PAYLOAD_HEAD,
	       record->payload + TRING_PAYLOAD_HEAD,
	       record->length - TRING_PAYLOAD_HEAD);
	if (reference->used > record->length)
		memset(reference->room + record->length, 0,
		       reference->used - record->length);
	reference->used = record->length;
}

/**
 * tring_reference_print - print a part of an event
 * @reference: libtraceevent
 * @line: line to add the text to
 * @record: record whose payload fits its event's format
 * @cpu: CPU of the record
 * @what: TEP_PRINT_INFO: its fields; TEP_PRINT_INFO_RAW: all of its format
 */
void tring_reference_print(struct tring_reference *reference, struct tring_line *line,
			   const struct tring_record *record, int cpu, const char *what)
{
	struct trace_seq *text = &reference->text;
	struct tep_record event_record = {
		.size = record->length, .record_size = record->length,
		.cpu = cpu,
	};

	copy_payload(reference, record);
	event_record.data = reference->room;
	trace_seq_reset(text);
	tep_print_event(reference->tep, text, &event_record, "%s", what);
	trace_seq_terminate(text);
	tring_line_string(line, text->buffer);
}

/* All bytes of an array, as libtraceevent prints those of a printable size. */
static void add_array(struct tring_line *line, const struct tring_field *field,
		      const struct tring_item *item)
{
	size_t size, i;
	const uint8_t *bytes = tring_data(item, field, &size);

	if (field->kind == TRING_FIELD_TEXT) {
		tring_line_text(line, (const char *)bytes, size);
		return;
	}
	tring_line_string(line, "ARRAY[");
	for (i = 0; i < size; i++)
		tring_line_put(line, "%s%02x", i ? ", " : "", bytes[i]);
	tring_line_char(line, ']');
}

/**
 * tring_reference_each - print an event field by field, because its format cannot be used
 * @reference: libtraceevent
 * @line: line to add the text to
 * @item: the event, whose payload fits its format
 *
 * libtraceevent does so, too, but it ends some arrays at the first zero.
 */
void tring_reference_each(struct tring_reference *reference, struct tring_line *line,
			  const struct tring_item *item)
{
	struct tep_format_field *format = item->event->parsed->format.fields;
	const struct tring_field *field = item->event->fields;
	struct trace_seq *text = &reference->text;

	tring_line_string(line, "[FAILED TO PARSE]");
	copy_payload(reference, item->record);
	for (; format; format = format->next, field++) {
		tring_line_char(line, ' ');
		tring_line_string(line, format->name);
		tring_line_char(line, '=');
		if (format->flags & TEP_FIELD_IS_ARRAY || tring_is_dynamic(format)) {
			add_array(line, field, item);
			continue;
		}
		trace_seq_reset(text);
		tep_print_field(text, reference->room, format);
		trace_seq_terminate(text);
		tring_line_string(line, text->buffer);
	}
}

/**
 * tring_reference_context - print the context of an event
 * @reference: libtraceevent
 * @line: line to add the text to: irqs off, need-resched, context and preempt
 *	depth, such as "d.h1."
 * @record: record of any event
 */
void tring_reference_context(struct tring_reference *reference,
			     struct tring_line *line,
			     const struct tring_record *record)
{
	struct tep_event *first = tep_get_first_event(reference->tep);
	struct tring_record known = *record;

	/* the same for all events, but libtraceevent has to know the event */
	if (first && !tep_find_event(reference->tep, record->id))
		known.id = first->id;
	tring_reference_print(reference, line, &known, 0, TEP_PRINT_LATENCY);
}
