// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: a format file, and behind the mark the payload of a record, which is
 * printed often enough that the plan's trials end; and the metadata for it.
 */
#include "fuzz.h"
#include "event/check.h"
#include "event/format_check.h"
#include "event/functions.h"
#include "print/printer.h"
#include "read/trace.h"
#include "trace/tsdl.h"

#define LINES	18

static void print(struct tring_trace *trace, const uint8_t *payload, size_t size)
{
	struct tring_printer printer;
	struct tring_record record = { .pid = 1 };
	struct tring_item item = {
		.record = &record, .event = trace->events.list[0], .trace = trace,
	};
	unsigned int i;

	record.id = item.event->id;
	record.length = TRING_PAYLOAD_HEAD + size;
	/* a payload's first bytes are not in the record, so nothing may read them */
	record.payload = payload - TRING_PAYLOAD_HEAD;
	tring_names_init(&trace->names);
	tring_printer_init(&printer, trace);
	for (i = 0; i < LINES; i++) {
		item.wrong = tring_learn(item.event, &record, &trace->names);
		tring_printer_print(&printer, stdout, &item);
	}
	tring_printer_free(&printer);
	tring_names_free(&trace->names);
}

/* libtraceevent gets print formats with the names of fields that the check has found. */
static void check_names(const struct tring_event *event)
{
	const struct tep_format *parsed = &event->parsed->format;
	const struct tep_format_field *field = parsed->common_fields;
	struct tring_format format = {};
	size_t i;

	CHECK(!tring_format_check(event->text, event->size, event->name, &format));
	CHECK_EQ(format.id, event->id);
	CHECK_EQ(format.common, parsed->nr_common);
	CHECK_EQ(format.count, parsed->nr_common + parsed->nr_fields);
	for (i = 0; i < format.count; i++, field = field->next) {
		if (i == format.common)
			field = parsed->fields;
		CHECK(!strncmp(format.fields[i], field->name, strlen(field->name)));
		CHECK(strchr(" ;[", format.fields[i][strlen(field->name)]));
	}
	free(format.fields);
}

int fuzz_input(const uint8_t *bytes, size_t size)
{
	struct tring_trace trace = {
		.info = { .clock = "mono", .clock_frequency = 1 }, .has_symbols = true,
	};
	struct tring_events *events = &trace.events;
	const uint8_t *format;
	uint8_t *payload;
	size_t part;

	format = fuzz_part(&bytes, &size, &part);
	CHECK_EQ(tring_events_init(events), 0);
	tring_functions_add(events, 250);
	fuzz_add_format(events, format, part);
	if (events->count) {
		check_names(events->list[0]);
		payload = malloc(size ? size : 1);
		CHECK(payload);
		memcpy(payload, bytes, size);
		print(&trace, payload, size);
		tring_tsdl_write(stdout, &trace.info, &trace.shorts, events);
		free(payload);
	}
	tring_events_free(events);
	return 0;
}
