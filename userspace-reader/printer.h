/* SPDX-License-Identifier: GPL-2.0 */
/* One line an event, in trace-cmd's style, by libtraceevent. */
#ifndef TRING_PRINTER_H
#define TRING_PRINTER_H

#include <stdint.h>
#include <stdio.h>
#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

#include "events.h"
#include "tring_parse.h"

struct tring_comm_pair;

/**
 * struct tring_printer - what printing needs beside the record
 * @events: descriptions
 * @frequency: clock ticks a second
 * @room: copy of the payload with zeroes behind it
 * @size: bytes of @room that a payload may fill
 * @used: bytes of @room that may not be zero
 * @line: libtraceevent's output
 * @pairs: fields that name tasks, by index into @events
 * @plugins: libtraceevent's
 */
struct tring_printer {
	const struct tring_events *events;
	uint64_t	frequency;
	uint8_t		*room;
	size_t		size;
	size_t		used;
	struct trace_seq line;
	struct tring_comm_pair **pairs;
	struct tep_plugin_list *plugins;
};

void tring_printer_init(struct tring_printer *printer,
			const struct tring_events *events, uint64_t frequency);
void tring_printer_free(struct tring_printer *printer);
const char *tring_printer_print(struct tring_printer *printer, FILE *file,
				const struct tring_record *record, int cpu);

#endif /* TRING_PRINTER_H */
