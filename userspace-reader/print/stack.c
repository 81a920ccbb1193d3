// SPDX-License-Identifier: GPL-2.0
/*
 * Stacks: ftrace's events kernel_stack and user_stack, a line for each function as trace-cmd
 * report prints them. libtraceevent prints 8 addresses, as the format says, whatever a record has.
 * Of the place of a probe it prints the address alone, behind which the function is told here.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stack.h"
#include "util/number.h"
#include "util/util.h"

/**
 * tring_stack_find - find the addresses of a stack
 * @event: the event
 *
 * Return: their offset in the payload; 0 if the event is not a stack.
 */
uint32_t tring_stack_find(const struct tring_event *event)
{
	const struct tring_field *frames;

	if (event->frames || strcmp(event->system, "ftrace") || strcmp(event->name, "user_stack"))
		return event->frames;
	frames = tring_find_field(event, "caller");
	return frames && frames == &event->fields[event->field_count - 1] &&
	       frames->kind == TRING_FIELD_ARRAY && frames->element == sizeof(uint64_t) &&
	       frames->place != TRING_PLACE_LOCATION && frames->place != TRING_PLACE_RELATIVE ?
	       frames->offset : 0;
}

/**
 * tring_stack_addresses - get the addresses of a stack
 * @item: the event
 * @frames: from tring_stack_find(), not 0
 * @addresses: set to the addresses, the innermost one first; to free()
 *
 * Return: their number.
 */
size_t tring_stack_addresses(const struct tring_item *item, uint32_t frames,
			     uint64_t **addresses)
{
	const struct tring_record *record = item->record;
	bool big_endian = tring_big_endian(item->trace);
	size_t count = 0;
	uint32_t at;

	*addresses = tring_allocate(record->length + sizeof(**addresses));
	for (at = frames; at + sizeof(uint64_t) <= record->length; at += sizeof(uint64_t)) {
		(*addresses)[count] = tring_load_u64(record->payload + at, big_endian);
		/* a program's stack is filled up with zeroes */
		if (!(*addresses)[count] && !item->event->frames)
			break;
		count++;
	}
	return count;
}

/**
 * struct lines - functions that are printed
 * @line: where to
 * @trace: their trace
 * @begin: what precedes the first one
 * @between: what precedes each other one
 * @is_begun: a function was printed
 */
struct lines {
	struct tring_line *line;
	struct tring_trace *trace;
	const char	*begin;
	const char	*between;
	bool		is_begun;
};

static void add(struct tring_line *line, const char *text)
{
	tring_line_escaped(line, text, strlen(text));
}

static void begin_line(struct lines *lines)
{
	const char *begin = lines->is_begun ? lines->between : lines->begin;

	tring_line_string(lines->line, begin);
	lines->is_begun = true;
}

/* Without anything of the program the address says all, unless @is_program. */
static void print_address(struct lines *lines, uint64_t address, bool is_program)
{
	const char *name = tring_function(lines->trace, address)->name;
	char number[40];

	begin_line(lines);
	if (!name)
		snprintf(number, sizeof(number), "0x%" PRIx64 "%s", address,
			 is_program ? " [unknown]" : "");
	add(lines->line, name ? name : number);
}

static void print_place(void *data, uint64_t address, const struct tring_place *place)
{
	struct lines *lines = data;
	char *text;
	size_t i;

	if (!place) {
		print_address(lines, address, true);
		return;
	}
	for (i = 0; i + 1 < place->count; i++) {
		begin_line(lines);
		add(lines->line, place->functions[i]);
		add(lines->line, " (inlined)");
	}
	begin_line(lines);
	text = place->count ?
	       tring_format("%s+0x%" PRIx64 " (%s)", place->functions[i], place->behind,
			    place->file) :
	       tring_format(*place->file == '[' ? "%s+0x%" PRIx64 : "[%s+0x%" PRIx64 "]",
			    place->file, place->offset);
	add(lines->line, text);
	free(text);
}

/**
 * tring_stack_print - add the functions of a stack to a line
 * @item: the event
 * @frames: from tring_stack_find(), not 0
 * @programs: the programs of the trace
 * @line: the line
 */
void tring_stack_print(const struct tring_item *item, uint32_t frames,
		       struct tring_programs *programs, struct tring_line *line)
{
	struct lines lines = {
		.line = line, .trace = item->trace, .begin = "\t=> ", .between = "\n\t=> ",
	};
	uint64_t *addresses;
	size_t count = tring_stack_addresses(item, frames, &addresses), i;

	if (item->event->frames ||
	    !tring_programs_stack(programs, item, addresses, count, print_place, &lines))
		for (i = 0; i < count; i++)
			print_address(&lines, addresses[i], false);
	free(addresses);
}

/**
 * tring_probe_find - find the addresses of a dynamic event
 * @told: filled in
 * @event: the event
 */
void tring_probe_find(struct tring_told_probe *told, const struct tring_event *event)
{
	told->function = tring_find_field(event, "__probe_func");
	told->at = tring_find_field(event, told->function ? "__probe_ret_ip" : "__probe_ip");
}

static void tell(const struct tring_item *item, const struct tring_field *field,
		 const char *begin, struct tring_programs *programs, struct tring_line *line)
{
	const uint64_t address = tring_number(item, field);
	const struct tring_symbol *symbol = tring_function(item->trace, address);
	struct lines lines = {
		.line = line, .trace = item->trace, .begin = begin, .between = ", ",
	};
	char *text;

	if (!symbol->name) {
		tring_programs_stack(programs, item, &address, 1, print_place, &lines);
		return;
	}
	begin_line(&lines);
	text = tring_format("%s+0x%" PRIx64, symbol->name, address - symbol->address);
	add(line, text);
	free(text);
}

/**
 * tring_probe_tell - add the functions of a dynamic event behind its text
 * @told: from tring_probe_find(), with @at
 * @item: the event
 * @programs: the programs of the trace
 * @line: where to
 */
void tring_probe_tell(const struct tring_told_probe *told, const struct tring_item *item,
		      struct tring_programs *programs, struct tring_line *line)
{
	tell(item, told->at, " at ", programs, line);
	if (told->function)
		tell(item, told->function, " <- ", programs, line);
}
