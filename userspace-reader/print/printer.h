/* SPDX-License-Identifier: GPL-2.0 */
/* Printing of events, one line each, in trace-cmd's format. */
#ifndef TRING_PRINTER_H
#define TRING_PRINTER_H

#include <stdint.h>
#include <stdio.h>
#include <traceevent/event-parse.h>

#include "calls/calls.h"
#include "util/clock.h"
#include "util/line.h"
#include "reference.h"
#include "tring.h"

/* number of contexts: flags and preempt count have 16 bits */
#define TRING_CONTEXTS		65536
#define TRING_CONTEXT_SIZE	8

/*
 * Number of an event's first lines that are compared with libtraceevent's. A plan
 * that differs is dropped: another version of libtraceevent, or a plugin, may
 * print an event differently.
 */
#define TRING_PRINTER_TRIALS	16

/* Cached texts of CPUs; with more CPUs several share a place. */
#define TRING_CPU_TEXTS		64

/**
 * struct tring_cpu_text - a CPU's number as text
 * @cpu: the CPU's number
 * @size: characters of @text; 0 if the place is free
 * @text: text such as "[001] "
 */
struct tring_cpu_text {
	int	cpu;
	size_t	size;
	char	text[TRING_LINE_SHORT];
};

/* Escape sequences of a terminal. */
#define TRING_COLOUR_EVENT	"\033[36m"
#define TRING_COLOUR_LOSS	"\033[1;31m"
#define TRING_COLOUR_IDLE	"\033[2m"
#define TRING_COLOUR_END	"\033[m"

/**
 * struct tring_style - how events are printed, if not as trace-cmd does
 * @nanoseconds: times have nine digits behind the point, not six
 * @wall: times are local wall clock time
 * @delta: the time since the line before follows
 * @raw: all fields of the format, instead of the event's own text
 * @colour: the event's name has a colour, and what is idle or lost
 * @aligned: times are those of another trace's clock, whose zero was at @zero
 * @zero: wall clock time, for @aligned
 * @label: text at the begin of each line, or NULL
 */
struct tring_style {
	bool	nanoseconds;
	bool	wall;
	bool	delta;
	bool	raw;
	bool	colour;
	bool	aligned;
	struct tring_wall zero;
	const char *label;
};

/**
 * struct tring_line_before - the line before, for its time
 * @known: there is one
 * @ns: its time, modulo 2^64
 */
struct tring_line_before {
	bool		known;
	uint64_t	ns;
};

struct tring_plan;
struct tring_printed_event;

/**
 * struct tring_printer - state of a printer
 * @trace: the trace
 * @frequency: clock ticks per second
 * @style: how the caller wants lines to be, zeroed by tring_printer_init()
 * @before: the line before, if the style has @delta: the caller's, for one or more printers
 * @printed: how each event is printed, by the number of the event
 * @printed_count: number of @printed
 * @reference: libtraceevent, for events without a plan
 * @line: line under construction
 * @trial: libtraceevent's text for the same event
 * @contexts: text of each pair of flags and preempt count
 * @contexts_vary: the text depends on more than flags and preempt count
 * @second: full second of the last event's time, in nanoseconds
 * @second_text: @second as text
 * @second_size: characters of @second_text
 * @calls: the system calls of the trace's machine
 * @programs: its programs
 * @cpus: CPUs as text, by number modulo TRING_CPU_TEXTS
 */
struct tring_printer {
	struct tring_trace *trace;
	uint64_t	frequency;
	struct tring_style style;
	struct tring_line_before *before;
	struct tring_printed_event *printed;
	size_t		printed_count;
	struct tring_reference reference;
	struct tring_line line;
	struct tring_line trial;
	char		(*contexts)[TRING_CONTEXT_SIZE];
	bool		contexts_vary;
	uint64_t	second;
	char		second_text[TRING_LINE_SHORT];
	size_t		second_size;
	struct tring_calls calls;
	struct tring_programs *programs;
	struct tring_cpu_text cpus[TRING_CPU_TEXTS];
};

void tring_printer_init(struct tring_printer *printer, struct tring_trace *trace);
void tring_printer_free(struct tring_printer *printer);
const char *tring_printer_print(struct tring_printer *printer, FILE *file,
				const struct tring_item *item);
const char *tring_printer_text(struct tring_printer *printer, const struct tring_item *item,
			       size_t *size);
const char *tring_printer_told(struct tring_printer *printer, const struct tring_item *item,
			       size_t *size);
const char *tring_printer_bytes(struct tring_printer *printer, const struct tring_record *record,
				size_t *size);
const struct tring_plan *tring_printer_plan(struct tring_printer *printer,
					    const struct tring_event *event);

#endif /* TRING_PRINTER_H */
