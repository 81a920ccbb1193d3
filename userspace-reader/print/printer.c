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

#include "event/bounds.h"
#include "wire/clock.h"
#include "graph.h"
#include "plan.h"
#include "printer.h"
#include "event/stack.h"
#include "util/util.h"

#define NAME_WIDTH	21

/*
 * Number of an event's first lines that are compared with libtraceevent's. A plan
 * that differs is dropped: another version of libtraceevent, or a plugin, may
 * print an event differently.
 */
#define TRIALS		16

/**
 * struct comm_pair - two fields that contain a task's pid and name
 * @pid: field with the pid
 * @comm: field with the name
 * @next: next pair of the same event
 */
struct comm_pair {
	const struct tep_format_field *pid;
	const struct tep_format_field *comm;
	struct comm_pair *next;
};

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
 * @pairs: fields with names of tasks
 * @dynamic: fields with the location of their data; ends with NULL
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
	struct comm_pair *pairs;
	const struct tep_format_field **dynamic;
};

static void add_pair(struct comm_pair **pairs,
		     const struct tep_format_field *pid,
		     const struct tep_format_field *comm)
{
	struct comm_pair *pair = tring_allocate(sizeof(*pair));

	pair->pid = pid;
	pair->comm = comm;
	pair->next = *pairs;
	*pairs = pair;
}

/*
 * Only of the kernel's own events it is known that both fields are of one task. In another
 * event, a kprobe for instance, "comm" may be the task that runs.
 */
static bool has_pairs(const struct tring_event *event)
{
	static const char * const systems[] = { "sched", "task", "signal", "oom" };
	size_t i;

	/* the name of the one that waits, and the pid that it waits for */
	if (!strcmp(event->name, "sched_process_wait"))
		return false;
	for (i = 0; i < sizeof(systems) / sizeof(systems[0]); i++)
		if (!strcmp(event->system, systems[i]))
			return true;
	return false;
}

/* "comm" goes with "pid", "next_comm" with "next_pid", "newcomm" with "pid". */
static void find_pairs(struct comm_pair **pairs,
		       const struct tring_event *event)
{
	struct tep_format_field *comm, *pid;

	if (!has_pairs(event))
		return;
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

static void find_dynamic(struct tring_printed_event *printed,
			 const struct tring_event *event)
{
	const struct tep_format_field *field;
	size_t count = 0;

	printed->dynamic = tring_allocate((event->parsed->format.nr_fields + 1) *
					  sizeof(*printed->dynamic));
	for (field = event->parsed->format.fields; field; field = field->next)
		if (tring_is_dynamic(field))
			printed->dynamic[count++] = field;
}

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
	find_pairs(&printed->pairs, event);
	find_dynamic(printed, event);
	tring_graph_find(&printed->graph, event);
	printed->stack = tring_stack_find(event);
	printed->kept = find_kept(event);
	printed->has_plan = tring_plan_compile(&printed->plan, event);
	printed->trials = TRIALS;
	printed->told = event->damaged;
}

static __always_inline struct tring_printed_event *
find_printed(struct tring_printer *printer, const struct tring_event *event)
{
	struct tring_printed_event *printed;

	printed = &printer->printed[event->number];
	if (!printed->seen)
		describe(printed, event);
	return printed;
}

/* Some kernels have more common fields, which libtraceevent prints with the context. */
static bool has_more_context(const struct tring_events *events)
{
	size_t i;

	for (i = 0; i < events->count; i++) {
		struct tep_event *parsed = events->list[i]->parsed;

		if (tep_find_common_field(parsed, "common_lock_depth") ||
		    tep_find_common_field(parsed, "common_migrate_disable"))
			return true;
	}
	return false;
}

/**
 * tring_printer_init - prepare for printing
 * @printer: filled in; free it with tring_printer_free()
 * @events: descriptions of the events, with tring_functions_add(); must outlive @printer
 * @frequency: clock ticks per second
 */
void tring_printer_init(struct tring_printer *printer,
			const struct tring_events *events, uint64_t frequency)
{
	memset(printer, 0, sizeof(*printer));
	printer->events = events;
	printer->frequency = frequency;
	printer->printed = tring_allocate(events->count *
					  sizeof(*printer->printed));
	printer->contexts = tring_allocate(TRING_CONTEXTS *
					   sizeof(*printer->contexts));
	printer->contexts_vary = has_more_context(events);
	printer->symbols.tep = events->tep;
	tring_reference_init(&printer->reference, events->tep);
	tring_names_init(&printer->names, events->tep);
	tring_line_init(&printer->line);
	tring_line_init(&printer->trial);
}

static void free_printed(struct tring_printed_event *printed)
{
	while (printed->pairs) {
		struct comm_pair *pair = printed->pairs;

		printed->pairs = pair->next;
		free(pair);
	}
	tring_plan_free(&printed->plan);
	free(printed->dynamic);
	free(printed->head);
}

/**
 * tring_printer_grow - print events that were added since tring_printer_init()
 * @printer: the printer
 * @before: number of events before they were added
 */
void tring_printer_grow(struct tring_printer *printer, size_t before)
{
	struct tring_printed_event *larger;

	larger = tring_allocate(printer->events->count * sizeof(*larger));
	if (before)
		memcpy(larger, printer->printed, before * sizeof(*larger));
	free(printer->printed);
	printer->printed = larger;
}

/**
 * tring_printer_free - free a printer's memory
 * @printer: the printer
 */
void tring_printer_free(struct tring_printer *printer)
{
	size_t i;

	for (i = 0; i < printer->events->count; i++)
		free_printed(&printer->printed[i]);
	free(printer->printed);
	free(printer->contexts);
	tring_line_free(&printer->line);
	tring_line_free(&printer->trial);
	tring_names_free(&printer->names);
	tring_reference_free(&printer->reference);
}

static bool is_inside(const struct tep_format_field *field,
		      const uint8_t *payload, uint32_t length, bool big_endian)
{
	uint32_t location = tring_load_u32(payload + field->offset, big_endian);
	uint32_t start = location & 0xffff, size = location >> 16;

	if (field->flags & TEP_FIELD_IS_RELATIVE)
		start += field->offset + field->size;
	return (start >= TRING_PAYLOAD_HEAD || !size) && start + size <= length;
}

static __always_inline const char *
check_payload(const struct tring_event *event, const struct tring_printed_event *printed,
	      const struct tring_record *record)
{
	const struct tep_format_field **field;
	bool big_endian;

	if (record->length < event->fixed_size)
		return "payload is shorter than the event's format";
	if (!printed->dynamic[0])
		return tring_stack_check(event, record);
	big_endian = tep_is_file_bigendian(event->parsed->tep);
	for (field = printed->dynamic; *field; field++)
		if (!is_inside(*field, record->payload, record->length,
			       big_endian))
			return "a dynamic field lies outside of the payload";
	return NULL;
}

static __always_inline void learn_names(struct tring_printer *printer,
					const struct tring_printed_event *printed,
					const struct tring_record *record)
{
	bool big_endian = tep_is_file_bigendian(printer->events->tep);
	const uint8_t *payload = record->payload;
	const struct comm_pair *pair;

	for (pair = printed->pairs; pair; pair = pair->next) {
		uint32_t start = pair->comm->offset, most;
		const char *comm;

		if (tring_is_dynamic(pair->comm)) {
			start = tring_load_u32(payload + start, big_endian) &
				0xffff;
			if (pair->comm->flags & TEP_FIELD_IS_RELATIVE)
				start += pair->comm->offset + 4;
		}
		if (start < TRING_PAYLOAD_HEAD)
			continue;
		comm = (const char *)payload + start;
		most = record->length - start;
		if (most > TRING_COMM_MAX)
			most = TRING_COMM_MAX;
		tring_names_learn(&printer->names,
				  (int)tring_load_u32(payload +
						      pair->pid->offset,
						      big_endian),
				  comm, strnlen(comm, most));
	}
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

/* Nanoseconds since the epoch, or since the zero of the clock that is shown, modulo 2^64. */
static __always_inline uint64_t find_ns(const struct tring_printer *printer, uint64_t stamp)
{
	const struct tring_style *style = &printer->style;
	struct tring_wall wall;
	uint64_t ns;

	if (!style->wall && !style->aligned)
		return tring_clock_ns(stamp, printer->frequency);
	wall = tring_clock_wall(stamp, printer->frequency, style->clock_offset);
	ns = (uint64_t)wall.seconds * TRING_NS_A_SECOND + wall.ns;
	if (!style->wall)
		ns -= (uint64_t)style->zero.seconds * TRING_NS_A_SECOND + style->zero.ns;
	return ns;
}

/**
 * tring_printer_ns - convert a timestamp to the time that is shown without @wall
 * @printer: the printer
 * @stamp: the timestamp
 *
 * Return: nanoseconds since the zero of the clock that is shown, modulo 2^64; before that
 * zero, which only times of another trace can be, it is negative as int64_t.
 */
uint64_t tring_printer_ns(const struct tring_printer *printer, uint64_t stamp)
{
	return find_ns(printer, stamp);
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
	wall = tring_clock_wall(stamp, printer->frequency, printer->style.clock_offset);
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
	uint64_t delta = printer->before.known ? ns - printer->before.ns : 0;
	char text[TRING_LINE_NUMBER];

	printer->before.known = true;
	printer->before.ns = ns;
	tring_line_text(&printer->line, text,
			snprintf(text, sizeof(text), "(+%" PRIu64 ".",
				 (uint64_t)(delta / TRING_NS_A_SECOND)));
	add_fraction(printer, delta % TRING_NS_A_SECOND);
	tring_line_text(&printer->line, ") ", 2);
}

/* A time of another trace may be before the zero of the clock that is shown. */
static __attribute__((noinline)) void add_negative(struct tring_printer *printer, uint64_t ns)
{
	char text[TRING_LINE_NUMBER];

	tring_line_text(&printer->line, text,
			snprintf(text, sizeof(text), "    -%" PRIu64 ".",
				 (uint64_t)(ns / TRING_NS_A_SECOND)));
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
	tring_line_text(line, ": ", 2);
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

static void add_escape(struct tring_line *line, const char *sequence)
{
	tring_line_text(line, sequence, strlen(sequence));
}

static void add_name(struct tring_printer *printer, const struct tring_printed_event *printed)
{
	struct tring_line *line = &printer->line;

	if (printer->style.colour)
		add_escape(line, TRING_COLOUR_EVENT);
	tring_line_short(line, printed->head, printed->head_size);
	if (printer->style.colour)
		add_escape(line, TRING_COLOUR_END);
}

static void add_head(struct tring_printer *printer,
		     const struct tring_record *record, int cpu)
{
	struct tring_line *line = &printer->line;
	bool dim = printer->style.colour && !record->pid;
	size_t size;
	const char *head = tring_names_head(&printer->names, record->pid, &size);

	if (dim)
		add_escape(line, TRING_COLOUR_IDLE);
	tring_line_short(line, head, size);
	if (dim)
		add_escape(line, TRING_COLOUR_END);
	add_cpu(printer, cpu);
	add_context(printer, record);
	tring_line_char(line, ' ');
	add_time(printer, record->stamp);
}

static void add_raw(struct tring_line *line, const struct tring_record *record)
{
	bool unknown = record->id == TRING_ID_UNKNOWN;
	char *text = tring_format("[%s %u, %u bytes:", unknown ? "short" : "id",
				  unknown ? record->type : record->id,
				  record->length - TRING_PAYLOAD_HEAD);
	uint32_t i;

	tring_line_text(line, text, strlen(text));
	free(text);
	for (i = TRING_PAYLOAD_HEAD; i < record->length; i++) {
		char byte[4];

		snprintf(byte, sizeof(byte), " %02x", record->payload[i]);
		tring_line_text(line, byte, 3);
	}
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
	tring_reference_fields(&printer->reference, trial, record, cpu);
	return trial->at - trial->start == (ptrdiff_t)size &&
	       !memcmp(trial->start, line->start + start, size);
}

/* Return: true if the event has to be printed field by field, which is said once. */
static bool is_unusable(const struct tring_printer *printer, const struct tring_event *event,
			struct tring_printed_event *printed, const struct tring_record *record)
{
	if (!(event->parsed->flags & TEP_EVENT_FL_FAILED) &&
	    !tring_bounds_is_unsafe(printer->events, event, record))
		return false;
	if (!printed->told)
		tring_note("%s:%s: the print format is not understood; its events are printed %s",
			   event->system, event->name, "field by field");
	printed->told = true;
	return true;
}

/* As add_fields(), with all that a task may have written. */
static const char *add_values(struct tring_printer *printer,
			      const struct tring_event *event,
			      struct tring_printed_event *printed,
			      const struct tring_record *record, int cpu)
{
	enum tring_plan_result result = TRING_PLAN_ASK;
	struct tring_line *line = &printer->line;
	size_t start = line->at - line->start;
	const char *wrong = NULL;

	if (printer->style.raw) {
		tring_reference_raw(&printer->reference, line, record, cpu);
		return NULL;
	}
	if (printed->graph.func) {
		tring_graph_print(&printed->graph, &printer->symbols, line, record);
		return NULL;
	}
	if (printed->has_plan)
		result = tring_plan_run(&printed->plan, &printer->symbols, line,
					record->payload, record->length);
	if (result == TRING_PLAN_ASK || printed->trials)
		wrong = tring_bounds_check(event, record);
	if (result == TRING_PLAN_DONE && printed->trials && !wrong) {
		printed->trials--;
		printed->has_plan = agrees(printer, start, record, cpu);
		if (!printed->has_plan)
			result = TRING_PLAN_ASK;
	}
	if (result != TRING_PLAN_DONE)
		line->at = line->start + start;
	if (result == TRING_PLAN_BAD)
		return "an array is longer than a payload can be";
	if (result == TRING_PLAN_ASK && wrong)
		return wrong;
	if (result == TRING_PLAN_ASK && is_unusable(printer, event, printed, record))
		tring_reference_each(&printer->reference, event, line, record);
	else if (result == TRING_PLAN_ASK)
		tring_reference_fields(&printer->reference, line, record, cpu);
	/* the text of some events ends with a newline */
	while (line->at > line->start + start && line->at[-1] == '\n')
		line->at--;
	return NULL;
}

/* Return: NULL; or the reason why the payload is bad, then nothing is added. */
static const char *add_fields(struct tring_printer *printer, const struct tring_event *event,
			      struct tring_printed_event *printed,
			      const struct tring_record *record, int cpu)
{
	struct tring_line *line = &printer->line;
	size_t start = line->at - line->start;
	const char *wrong;

	/* the only event of several lines */
	if (printed->stack && !printer->style.raw) {
		tring_stack_print(event, printed->stack, &printer->symbols, line, record);
		return NULL;
	}
	wrong = add_values(printer, event, printed, record, cpu);
	tring_line_escape(line, start, printed->kept);
	return wrong;
}

/**
 * tring_printer_learn - take the names of tasks from an event that is not printed
 * @printer: the printer
 * @record: the event's record; not a discarded one
 *
 * Return: NULL; or the reason why the payload is bad.
 */
const char *tring_printer_learn(struct tring_printer *printer,
				const struct tring_record *record)
{
	const struct tring_event *event = tring_events_find(printer->events, record->id);
	struct tring_printed_event *printed;
	const char *wrong;

	if (!event)
		return "no format describes this event";
	printed = find_printed(printer, event);
	wrong = check_payload(event, printed, record);
	if (!wrong)
		learn_names(printer, printed, record);
	return wrong;
}

/**
 * tring_printer_print - print one event
 * @printer: the printer
 * @file: output
 * @record: the event's record; not a discarded one
 * @cpu: CPU of the record
 *
 * Return: NULL; or the reason why the payload is bad, which is then printed as
 * bytes.
 */
const char *tring_printer_print(struct tring_printer *printer, FILE *file,
				const struct tring_record *record, int cpu)
{
	struct tring_printed_event *printed = NULL;
	struct tring_line *line = &printer->line;
	const struct tring_event *event;
	const char *wrong = "no format describes this event";

	event = tring_events_find(printer->events, record->id);
	if (event) {
		printed = find_printed(printer, event);
		wrong = check_payload(event, printed, record);
	}
	line->at = line->start;
	if (!wrong)
		learn_names(printer, printed, record);
	if (printer->style.label)
		tring_line_text(line, printer->style.label, strlen(printer->style.label));
	add_head(printer, record, cpu);
	if (event)
		add_name(printer, printed);
	if (!wrong)
		wrong = add_fields(printer, event, printed, record, cpu);
	if (wrong)
		add_raw(line, record);
	tring_line_char(line, '\n');
	fwrite_unlocked(line->start, 1, line->at - line->start, file);
	return wrong;
}
