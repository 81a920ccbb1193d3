/* SPDX-License-Identifier: GPL-2.0 */
/* One line an event, in trace-cmd's style. */
#ifndef TRING_PRINTER_H
#define TRING_PRINTER_H

#include <stdint.h>
#include <stdio.h>
#include <traceevent/event-parse.h>

#include "events.h"
#include "line.h"
#include "names.h"
#include "reference.h"
#include "symbols.h"
#include "tring_parse.h"

/* flags and preempt count: 16 bits */
#define TRING_CONTEXTS		65536
#define TRING_CONTEXT_SIZE	8

/* More CPUs share places. */
#define TRING_CPU_TEXTS		64

/**
 * struct tring_cpu_text - a CPU as text
 * @cpu: its number
 * @size: characters of @text, 0 if the place is free
 * @text: "[001] "
 */
struct tring_cpu_text {
	int	cpu;
	size_t	size;
	char	text[TRING_LINE_SHORT];
};

struct tring_printed_event;

/**
 * struct tring_printer - what printing needs beside the record
 * @events: descriptions
 * @frequency: clock ticks a second
 * @printed: how each event is printed, by index into @events
 * @reference: prints what has no plan
 * @names: of tasks
 * @symbols: of functions
 * @line: the line
 * @trial: libtraceevent's words for the same event
 * @contexts: what each pair of flags and preempt count is printed as
 * @contexts_vary: it depends on more than that
 * @second: the last event's, in nanoseconds
 * @second_text: the same as text
 * @second_size: characters of @second_text
 * @cpus: CPUs as text, each in a place by its number
 * @plugins: libtraceevent's
 */
struct tring_printer {
	const struct tring_events *events;
	uint64_t	frequency;
	struct tring_printed_event *printed;
	struct tring_reference reference;
	struct tring_names names;
	struct tring_symbols symbols;
	struct tring_line line;
	struct tring_line trial;
	char		(*contexts)[TRING_CONTEXT_SIZE];
	bool		contexts_vary;
	uint64_t	second;
	char		second_text[TRING_LINE_SHORT];
	size_t		second_size;
	struct tring_cpu_text cpus[TRING_CPU_TEXTS];
	struct tep_plugin_list *plugins;
};

void tring_printer_init(struct tring_printer *printer,
			const struct tring_events *events, uint64_t frequency);
void tring_printer_free(struct tring_printer *printer);
const char *tring_printer_print(struct tring_printer *printer, FILE *file,
				const struct tring_record *record, int cpu);

#endif /* TRING_PRINTER_H */
