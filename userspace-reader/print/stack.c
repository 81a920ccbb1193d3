// SPDX-License-Identifier: GPL-2.0
/*
 * Stacks: ftrace's events kernel_stack and user_stack, a line for each function as trace-cmd
 * report prints them. libtraceevent prints 8 addresses, as the format says, whatever a record has.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "stack.h"
#include "util/number.h"

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
 * tring_stack_print - add the functions of a stack to a line
 * @item: the event
 * @frames: from tring_stack_find(), not 0
 * @line: the line
 */
void tring_stack_print(const struct tring_item *item, uint32_t frames, struct tring_line *line)
{
	const struct tring_record *record = item->record;
	bool big_endian = tring_big_endian(item->trace);
	uint32_t at;

	for (at = frames; at + sizeof(uint64_t) <= record->length; at += sizeof(uint64_t)) {
		uint64_t address = tring_load_u64(record->payload + at, big_endian);
		const char *before = at == frames ? "\t=> " : "\n\t=> ", *name;
		char number[24];

		/* a program's stack is filled up with zeroes */
		if (!address && !item->event->frames)
			break;
		name = tring_function(item->trace, address)->name;
		if (!name) {
			snprintf(number, sizeof(number), "0x%" PRIx64, address);
			name = number;
		}
		tring_line_text(line, before, strlen(before));
		tring_line_escaped(line, name, strlen(name));
	}
}
