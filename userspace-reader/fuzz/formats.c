// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: a format file, and behind the mark the payload of a record, which is
 * printed often enough that the plan's trials end; and the metadata for it.
 */
#include "fuzz.h"
#include "event/check.h"
#include "event/functions.h"
#include "print/printer.h"
#include "trace/tsdl.h"

#define LINES	18

static void print(const struct tring_events *events, const uint8_t *payload,
		  size_t size)
{
	struct tring_printer printer;
	struct tring_record record = { .pid = 1 };
	struct tring_item item = { .record = &record, .event = events->list[0] };
	struct tring_names names;
	unsigned int i;

	record.id = events->list[0]->parsed->id;
	record.length = TRING_PAYLOAD_HEAD + size;
	/* a payload's first bytes are not in the record, so nothing may read them */
	record.payload = payload - TRING_PAYLOAD_HEAD;
	tring_names_init(&names);
	tring_printer_init(&printer, events, &names, 1000000000);
	for (i = 0; i < LINES; i++) {
		item.wrong = tring_learn(item.event, &record, &names);
		tring_printer_print(&printer, stdout, &item);
	}
	tring_printer_free(&printer);
	tring_names_free(&names);
}

int fuzz_input(const uint8_t *bytes, size_t size)
{
	struct tring_trace_info info = { .clock = "mono", .clock_frequency = 1 };
	struct tring_short_ids shorts = { 0 };
	struct tring_events events;
	const uint8_t *format;
	uint8_t *payload;
	size_t part;

	format = fuzz_part(&bytes, &size, &part);
	CHECK_EQ(tring_events_init(&events), 0);
	tring_functions_add(&events, 250);
	fuzz_add_format(&events, format, part);
	if (events.count) {
		payload = malloc(size ? size : 1);
		CHECK(payload);
		memcpy(payload, bytes, size);
		print(&events, payload, size);
		tring_tsdl_write(stdout, &info, &shorts, &events);
		free(payload);
	}
	tring_events_free(&events);
	return 0;
}
