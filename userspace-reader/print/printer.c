// SPDX-License-Identifier: GPL-2.0
/*
 * Printing of events, one line each, in trace-cmd's format.
 *
 * Each line is what libtraceevent prints. But libtraceevent does all the work
 * again for each record, although most of it repeats. So the printer keeps the
 * text of each task and each context and a plan for each event; it calls
 * libtraceevent only without them.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "util/clock.h"
#include "graph.h"
#include "plan.h"
#include "printer.h"
#include "stack.h"
#include "util/util.h"

#define NAME_WIDTH	21

/**
 * struct tring_printed_event - how an event is printed
 * @head: the event's name, aligned
 * @head_size: characters of @head
 * @seen: true after the first record of the event; the rest is valid then
 * @has_plan: the event can be printed by @plan
 * @told: it was said that its events are printed field by field
 * @trials: number of lines still to compare with libtraceevent's
 * @plan: the event's plan
 * @graph: fields of begins and ends of functions, which need neither
 * @stack: where the addresses of a stack are, which needs neither; 0 for another event
 * @kept: a control character that the print format has; 0 for none
 * @call: what the event tells of a system call
 * @probe: the addresses of a dynamic event
 */
struct tring_printed_event {
	char		*head;
	size_t		head_size;
	bool		seen;
	bool		has_plan;
	bool		told;
	unsigned int	trials;
	struct tring_plan plan;
	struct tring_graph graph;
	uint32_t	stack;
	char		kept;
	struct tring_told_call call;
	struct tring_told_probe probe;
};

/* The columns of some formats are divided by tabs. */
static char find_kept(const struct tring_event *event)
{
	const char *format = event->parsed->print_fmt.format;

	return format && strstr(format, "\\t") ? '\t' : 0;
}

static void describe(struct tring_printed_event *printed, const struct tring_event *event)
{
	size_t size = strlen(event->name);

	printed->seen = true;
	printed->head_size = size < NAME_WIDTH ? NAME_WIDTH + 1 : size + 2;
	printed->head = tring_format("%s:%*s%*s", event->name,
				     (int)(printed->head_size - size - 1), "",
				     TRING_LINE_SHORT, "");
	tring_graph_find(&printed->graph, event);
	printed->stack = tring_stack_find(event);
	printed->kept = find_kept(event);
	tring_call_find(&printed->call, event);
	tring_probe_find(&printed->probe, event);
	printed->has_plan = tring_plan_compile(&printed->plan, event);
	printed->trials = TRING_PRINTER_TRIALS;
}

/* Events may have been added since. */
static void make_room(struct tring_printer *printer)
{
	size_t count = tring_event_count(printer->trace);
	struct tring_printed_event *larger;

	larger = tring_allocate(count * sizeof(*larger));
	if (printer->printed_count)
		memcpy(larger, printer->printed, printer->printed_count * sizeof(*larger));
	free(printer->printed);
	printer->printed = larger;
	printer->printed_count = count;
}

static __always_inline struct tring_printed_event *
find_printed(struct tring_printer *printer, const struct tring_event *event)
{
	struct tring_printed_event *printed;

	if (event->number >= printer->printed_count)
		make_room(printer);
	printed = &printer->printed[event->number];
	if (!printed->seen)
		describe(printed, event);
	return printed;
}

/* Some kernels have more common fields, which libtraceevent prints with the context. */
static bool has_more_context(const struct tring_trace *trace)
{
	size_t i;

	for (i = 0; i < tring_event_count(trace); i++) {
		struct tep_event *parsed = tring_event_at(trace, i)->parsed;

		if (tep_find_common_field(parsed, "common_lock_depth") ||
		    tep_find_common_field(parsed, "common_migrate_disable"))
			return true;
	}
	return false;
}

/**
 * tring_printer_init - prepare for printing
 * @printer: filled in; free it with tring_printer_free()
 * @trace: the trace, which must outlive @printer
 */
void tring_printer_init(struct tring_printer *printer, struct tring_trace *trace)
{
	memset(printer, 0, sizeof(*printer));
	printer->trace = trace;
	printer->frequency = tring_frequency(trace);
	printer->contexts = tring_allocate(TRING_CONTEXTS *
					   sizeof(*printer->contexts));
	printer->contexts_vary = has_more_context(trace);
	tring_reference_init(&printer->reference, tring_tep(trace));
	tring_calls_init(&printer->calls, trace);
	printer->programs = tring_programs_begin(trace);
	tring_line_init(&printer->line);
	tring_line_init(&printer->trial);
}

static void free_printed(struct tring_printed_event *printed)
{
	tring_plan_free(&printed->plan);
	free(printed->head);
}

/**
 * tring_printer_free - free a printer's memory
 * @printer: the printer
 */
void tring_printer_free(struct tring_printer *printer)
{
	size_t i;

	for (i = 0; i < printer->printed_count; i++)
		free_printed(&printer->printed[i]);
	free(printer->printed);
	free(printer->contexts);
	tring_line_free(&printer->line);
	tring_line_free(&printer->trial);
	tring_reference_free(&printer->reference);
	tring_calls_free(&printer->calls);
	tring_programs_end(printer->programs);
}

static void add_context(struct tring_printer *printer,
			const struct tring_record *record)
{
	struct tring_line *line = &printer->line;
	size_t start = line->at - line->start, size;
	char *context = printer->contexts[record->flags << 8 |
					  record->preempt_count];

	if (*context) {
		tring_line_room(line, TRING_CONTEXT_SIZE);
		memcpy(line->at, context, TRING_CONTEXT_SIZE);
		line->at += strlen(context);
		return;
	}
	tring_reference_context(&printer->reference, line, record);
	size = line->at - line->start - start;
	if (size < TRING_CONTEXT_SIZE && !printer->contexts_vary)
		memcpy(context, line->start + start, size);
}

/*
 * Return: nanoseconds since the epoch, or since the zero of the clock that is shown, modulo 2^64;
 * before that zero, which only times of another trace can be, it is negative as int64_t.
 */
static __always_inline uint64_t find_ns(const struct tring_printer *printer, uint64_t stamp)
{
	static const struct tring_wall epoch;
	const struct tring_style *style = &printer->style;
	struct tring_wall wall;

	if (!style->wall && !style->aligned)
		return tring_clock_ns(stamp, printer->frequency);
	tring_wall(printer->trace, stamp, &wall);
	return tring_wall_between(style->wall ? &epoch : &style->zero, &wall);
}

static __attribute__((noinline)) void set_second(struct tring_printer *printer, uint64_t stamp,
						 uint64_t ns)
{
	struct tring_wall wall;
	struct tm local;
	time_t seconds;

	if (!printer->style.wall) {
		printer->second = ns - ns % TRING_NS_A_SECOND;
		printer->second_size =
			snprintf(printer->second_text, sizeof(printer->second_text),
				 "%6" PRIu64 ".", (uint64_t)(ns / TRING_NS_A_SECOND));
		return;
	}
	tring_wall(printer->trace, stamp, &wall);
	seconds = wall.seconds;
	printer->second = ns - wall.ns;
	printer->second_size = 0;
	if (localtime_r(&seconds, &local))
		printer->second_size = strftime(printer->second_text,
						sizeof(printer->second_text), "%F %T.", &local);
	/* a year of more digits than there is room for */
	if (!printer->second_size)
		printer->second_size =
			snprintf(printer->second_text, sizeof(printer->second_text),
				 "%" PRId64 ".", wall.seconds);
}

/* @value: a number of at most @digits digits, which are all written */
static __always_inline void add_digits(struct tring_line *line, uint32_t value,
				       unsigned int digits)
{
	unsigned int i;

	tring_line_room(line, digits);
	for (i = digits; i-- > 0; value /= 10)
		line->at[i] = '0' + value % 10;
	line->at += digits;
}

static __always_inline void add_fraction(struct tring_printer *printer, uint32_t ns)
{
	if (printer->style.nanoseconds)
		add_digits(&printer->line, ns, 9);
	else
		add_digits(&printer->line, ns / 1000, 6);
}

static __attribute__((noinline)) void add_delta(struct tring_printer *printer, uint64_t ns)
{
	uint64_t delta = printer->before->known ? ns - printer->before->ns : 0;

	printer->before->known = true;
	printer->before->ns = ns;
	tring_line_put(&printer->line, "(+%" PRIu64 ".", (uint64_t)(delta / TRING_NS_A_SECOND));
	add_fraction(printer, delta % TRING_NS_A_SECOND);
	tring_line_string(&printer->line, ") ");
}

/* A time of another trace may be before the zero of the clock that is shown. */
static __attribute__((noinline)) void add_negative(struct tring_printer *printer, uint64_t ns)
{
	tring_line_put(&printer->line, "    -%" PRIu64 ".", (uint64_t)(ns / TRING_NS_A_SECOND));
	add_fraction(printer, ns % TRING_NS_A_SECOND);
}

static __always_inline void add_time(struct tring_printer *printer, uint64_t stamp)
{
	uint64_t ns = find_ns(printer, stamp);
	struct tring_line *line = &printer->line;

	if (printer->style.aligned && !printer->style.wall && (int64_t)ns < 0) {
		add_negative(printer, -ns);
	} else {
		if (!printer->second_size || ns - printer->second >= TRING_NS_A_SECOND)
			set_second(printer, stamp, ns);
		tring_line_short(line, printer->second_text, printer->second_size);
		add_fraction(printer, ns - printer->second);
	}
	tring_line_string(line, ": ");
	if (printer->style.delta)
		add_delta(printer, ns);
}

static void add_cpu(struct tring_printer *printer, int cpu)
{
	struct tring_cpu_text *text;

	text = &printer->cpus[(unsigned int)cpu % TRING_CPU_TEXTS];
	if (text->cpu != cpu || !text->size) {
		text->cpu = cpu;
		text->size = snprintf(text->text, sizeof(text->text),
				      "[%03d] ", cpu);
	}
	tring_line_short(&printer->line, text->text, text->size);
}

static void add_name(struct tring_printer *printer, const struct tring_printed_event *printed)
{
	struct tring_line *line = &printer->line;

	if (printer->style.colour)
		tring_line_string(line, TRING_COLOUR_EVENT);
	tring_line_short(line, printed->head, printed->head_size);
	if (printer->style.colour)
		tring_line_string(line, TRING_COLOUR_END);
}

static void add_head(struct tring_printer *printer,
		     const struct tring_record *record, int cpu)
{
	struct tring_line *line = &printer->line;
	bool dim = printer->style.colour && !record->pid;
	size_t size;
	const char *head = tring_task(printer->trace, record->pid, &size);

	if (dim)
		tring_line_string(line, TRING_COLOUR_IDLE);
	tring_line_short(line, head, size);
	if (dim)
		tring_line_string(line, TRING_COLOUR_END);
	add_cpu(printer, cpu);
	add_context(printer, record);
	tring_line_char(line, ' ');
	add_time(printer, record->stamp);
}

static void add_raw(struct tring_line *line, const struct tring_record *record)
{
	bool unknown = record->id == TRING_ID_UNKNOWN;
	uint32_t i;

	tring_line_put(line, "[%s %u, %u bytes:", unknown ? "short" : "id",
		       unknown ? record->type : record->id, record->length - TRING_PAYLOAD_HEAD);
	for (i = TRING_PAYLOAD_HEAD; i < record->length; i++)
		tring_line_put(line, " %02x", record->payload[i]);
	tring_line_char(line, ']');
}

/* Return: true if libtraceevent prints the same text as the line has from @start on. */
static bool agrees(struct tring_printer *printer, size_t start,
		   const struct tring_record *record, int cpu)
{
	const struct tring_line *line = &printer->line;
	struct tring_line *trial = &printer->trial;
	size_t size = line->at - line->start - start;

	trial->at = trial->start;
	tring_reference_print(&printer->reference, trial, record, cpu, TEP_PRINT_INFO);
	return trial->at - trial->start == (ptrdiff_t)size &&
	       !memcmp(trial->start, line->start + start, size);
}

/* Return: true if the event has to be printed field by field, which is said once. */
static bool is_unusable(const struct tring_event *event, struct tring_printed_event *printed)
{
	if (!(event->parsed->flags & TEP_EVENT_FL_FAILED))
		return false;
	if (!printed->told)
		tring_note("%s:%s: the print format is not understood; its events are printed %s",
			   event->system, event->name, "field by field");
	printed->told = true;
	return true;
}

/* As add_fields(), with all that a task may have written. */
static const char *add_values(struct tring_printer *printer,
			      struct tring_printed_event *printed,
			      const struct tring_item *item)
{
	const struct tring_record *record = item->record;
	struct tring_line *line = &printer->line;
	size_t start = line->at - line->start;
	const char *wrong = NULL;

	if (printer->style.raw) {
		tring_reference_print(&printer->reference, line, record, item->cpu,
				      TEP_PRINT_INFO_RAW);
		return NULL;
	}
	if (printed->graph.func) {
		tring_graph_print(&printed->graph, line, item);
		return NULL;
	}
	if (printed->has_plan)
		tring_plan_run(&printed->plan, printer->trace, line, record->payload,
			       record->length);
	if (!printed->has_plan || printed->trials)
		wrong = tring_unprintable(item);
	if (printed->has_plan && printed->trials && !wrong) {
		printed->trials--;
		printed->has_plan = agrees(printer, start, record, item->cpu);
	}
	if (!printed->has_plan) {
		line->at = line->start + start;
		if (wrong)
			return wrong;
		if (is_unusable(item->event, printed))
			tring_reference_each(&printer->reference, line, item);
		else
			tring_reference_print(&printer->reference, line, record, item->cpu,
					      TEP_PRINT_INFO);
	}
	/* the text of some events ends with a newline */
	while (line->at > line->start + start && line->at[-1] == '\n')
		line->at--;
	return NULL;
}

/* What stands behind the text of the print format. */
static __always_inline void add_told(struct tring_printer *printer,
				     struct tring_printed_event *printed,
				     const struct tring_item *item)
{
	if (printed->call.kind && printer->calls.known)
		tring_call_tell(&printed->call, &printer->calls, item, &printer->line);
	if (printed->probe.at)
		tring_probe_tell(&printed->probe, item, printer->programs, &printer->line);
}

/* Return: NULL; or the reason why the payload is bad, then nothing is added. */
static const char *add_fields(struct tring_printer *printer,
			      struct tring_printed_event *printed,
			      const struct tring_item *item)
{
	struct tring_line *line = &printer->line;
	size_t start = line->at - line->start;
	const char *wrong;

	/* the only event of several lines */
	if (printed->stack && !printer->style.raw) {
		tring_stack_print(item, printed->stack, printer->programs, line);
		return NULL;
	}
	wrong = add_values(printer, printed, item);
	tring_line_escape(line, start, printed->kept);
	if (!wrong && !printer->style.raw)
		add_told(printer, printed, item);
	return wrong;
}

/**
 * tring_printer_print - print one event
 * @printer: the printer
 * @file: output
 * @item: the event
 *
 * Return: NULL; or the reason why the payload is bad, which is then printed as
 * bytes.
 */
const char *tring_printer_print(struct tring_printer *printer, FILE *file,
				const struct tring_item *item)
{
	const struct tring_event *event = item->event;
	struct tring_printed_event *printed = NULL;
	struct tring_line *line = &printer->line;
	const char *wrong = item->wrong;

	line->at = line->start;
	if (printer->style.label)
		tring_line_string(line, printer->style.label);
	add_head(printer, item->record, item->cpu);
	if (event) {
		printed = find_printed(printer, event);
		add_name(printer, printed);
	}
	if (!wrong)
		wrong = add_fields(printer, printed, item);
	if (wrong)
		add_raw(line, item->record);
	tring_line_char(line, '\n');
	fwrite_unlocked(line->start, 1, line->at - line->start, file);
	return wrong;
}

/**
 * tring_printer_text - make the text of an event, without time, task and name
 * @printer: the printer
 * @item: the event
 * @size: set to the number of characters
 *
 * Return: the text, valid until the next call; NULL if the payload is bad.
 */
const char *tring_printer_text(struct tring_printer *printer, const struct tring_item *item,
			       size_t *size)
{
	struct tring_line *line = &printer->line;

	line->at = line->start;
	if (item->wrong || add_fields(printer, find_printed(printer, item->event), item))
		return NULL;
	*size = line->at - line->start;
	return line->start;
}

/**
 * tring_printer_told - make the end of an event's text, which no plan prints
 * @printer: the printer
 * @item: the event, whose payload is good
 * @size: set to the number of characters, which may be 0
 *
 * Return: what the event tells of a system call or of a program's addresses, valid until the next
 * call.
 */
const char *tring_printer_told(struct tring_printer *printer, const struct tring_item *item,
			       size_t *size)
{
	struct tring_line *line = &printer->line;

	line->at = line->start;
	add_told(printer, find_printed(printer, item->event), item);
	*size = line->at - line->start;
	return line->start;
}

/**
 * tring_printer_bytes - make the text of a payload that its event's format does not fit
 * @printer: the printer
 * @record: the record
 * @size: set to the number of characters
 *
 * Return: the text, valid until the next call.
 */
const char *tring_printer_bytes(struct tring_printer *printer, const struct tring_record *record,
				size_t *size)
{
	struct tring_line *line = &printer->line;

	line->at = line->start;
	add_raw(line, record);
	*size = line->at - line->start;
	return line->start;
}

/**
 * tring_printer_plan - get the plan by which an event is printed
 * @printer: the printer
 * @event: the event
 *
 * Return: the plan; NULL if there is none, as when one of the event's first texts was not
 * libtraceevent's.
 */
const struct tring_plan *tring_printer_plan(struct tring_printer *printer,
					    const struct tring_event *event)
{
	const struct tring_printed_event *printed = find_printed(printer, event);

	return printed->has_plan && !printed->graph.func && !printed->stack ? &printed->plan :
									       NULL;
}
