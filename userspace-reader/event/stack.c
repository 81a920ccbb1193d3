// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Stacks: the format of ftrace's event kernel_stack says that there are 8 addresses, but a
 * record has as many as its field "size" says.
 */
#include <string.h>

#include "stack.h"

static struct tep_format_field *find(const struct tep_event *parsed, const char *name)
{
	return tep_find_field((struct tep_event *)parsed, name);
}

static bool is_event(const struct tep_event *parsed, const char *system, const char *name)
{
	return !strcmp(system, "ftrace") && !strcmp(parsed->name, name);
}

/* The last field, an array of addresses. */
static const struct tep_format_field *find_frames(const struct tep_event *parsed)
{
	const struct tep_format_field *frames = find(parsed, "caller");

	return frames && !frames->next && frames->flags & TEP_FIELD_IS_ARRAY &&
	       !(frames->flags & TEP_FIELD_IS_DYNAMIC) &&
	       frames->elementsize == sizeof(uint64_t) ? frames : NULL;
}

/**
 * tring_stack_is_counted - find the fields of an event whose addresses are counted
 * @parsed: the event
 * @system: the event's system
 * @count: filled in with the offset of their number, 4 bytes
 * @frames: filled in with the offset of the addresses, which end the record
 *
 * Return: false for another event.
 */
bool tring_stack_is_counted(const struct tep_event *parsed, const char *system,
			    uint32_t *count, uint32_t *frames)
{
	const struct tep_format_field *size, *caller;

	if (!is_event(parsed, system, "kernel_stack"))
		return false;
	size = find(parsed, "size");
	caller = find_frames(parsed);
	if (!size || !caller || size->size != sizeof(uint32_t) ||
	    size->offset < TRING_PAYLOAD_HEAD ||
	    caller->offset < size->offset + size->size)
		return false;
	*count = size->offset;
	*frames = caller->offset;
	return true;
}

/**
 * tring_stack_check - compare the number of counted addresses with a record's length
 * @event: the event
 * @record: record of the event that has all other fields
 *
 * Viewers of CTF depend on the number.
 *
 * Return: NULL, or why the record is bad.
 */
const char *tring_stack_check(const struct tring_event *event,
			      const struct tring_record *record)
{
	uint64_t count;

	if (!event->frames)
		return NULL;
	count = tring_load_u32(record->payload + tring_event_private(event)->frame_count,
			       tep_is_file_bigendian(event->parsed->tep));
	return event->frames + count * sizeof(uint64_t) == record->length ?
	       NULL : "the number of addresses does not fit the payload";
}
