// SPDX-License-Identifier: LGPL-2.1-or-later
/* Fields of events: numbers, texts and arrays. */
#include <string.h>

#include "fields.h"
#include "util/util.h"

static bool is_number_size(unsigned int size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

/* To libtraceevent arrays of bytes are strings, too, but they may be addresses or data. */
static bool is_text(const struct tep_format_field *format)
{
	return format->flags & TEP_FIELD_IS_STRING && strstr(format->type, "char") &&
	       !strstr(format->type, "unsigned char");
}

/*
 * Return: bytes of an element of a dynamic array, of which libtraceevent knows few; 0 if they
 * are not known.
 */
static unsigned int size_of_type(const struct tep_format_field *format)
{
	static const struct {
		const char *word;
		unsigned int size;
	} words[] = {
		{ "struct ", 0 }, { "union ", 0 }, { "*", 0 }, { "8", 1 }, { "16", 2 },
		{ "32", 4 }, { "64", 8 }, { "long long", 8 }, { "long", 0 }, { "short", 2 },
		{ "char", 1 }, { "bool", 1 }, { "int", 4 },
	};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!strstr(format->type, words[i].word))
			continue;
		if (words[i].size || strchr(words[i].word, ' '))
			return words[i].size;
		return tep_get_long_size(format->event->tep);
	}
	return 0;
}

/**
 * tring_field_describe - describe a field
 * @format: libtraceevent's description
 * @event: the event that has it
 *
 * Return: the description.
 */
struct tring_field tring_field_describe(const struct tep_format_field *format,
					const struct tring_event *event)
{
	struct tring_field field = {
		.name = format->alias, .type = format->type, .offset = format->offset,
		.size = format->size, .is_signed = format->flags & TEP_FIELD_IS_SIGNED,
		.place = TRING_PLACE_FIXED,
	};
	unsigned int size = tring_is_dynamic(format) ? size_of_type(format) :
			    (unsigned int)format->elementsize;

	if (tring_is_dynamic(format))
		field.place = format->flags & TEP_FIELD_IS_RELATIVE ? TRING_PLACE_RELATIVE :
			       TRING_PLACE_LOCATION;
	else if (!format->size || (uint32_t)format->offset == event->frames)
		/* an array without a size, or the addresses of a stack */
		field.place = TRING_PLACE_REST;
	if (field.place == TRING_PLACE_FIXED && !(format->flags & TEP_FIELD_IS_ARRAY) &&
	    is_number_size(format->size)) {
		field.kind = TRING_FIELD_NUMBER;
		field.element = format->size;
		return field;
	}
	field.kind = is_text(format) ? TRING_FIELD_TEXT : TRING_FIELD_ARRAY;
	/* what has another size than a number is bytes */
	field.element = is_number_size(size) && field.kind == TRING_FIELD_ARRAY ? size : 1;
	return field;
}

/**
 * tring_fields_describe - describe the fields of an event
 * @event: the event, parsed
 */
void tring_fields_describe(struct tring_event *event)
{
	const struct tep_format_field *format;

	event->fields = tring_allocate((event->parsed->format.nr_fields + 1) *
				       sizeof(*event->fields));
	for (format = event->parsed->format.fields; format; format = format->next)
		event->fields[event->field_count++] = tring_field_describe(format, event);
}

/**
 * tring_find_field - find a field of an event
 * @event: the event
 * @name: the field's name
 *
 * Return: the field, or NULL.
 */
const struct tring_field *tring_find_field(const struct tring_event *event, const char *name)
{
	size_t i;

	for (i = 0; i < event->field_count; i++)
		if (!strcmp(event->fields[i].name, name))
			return &event->fields[i];
	return NULL;
}

/**
 * tring_find_number - find a number among an event's fields
 * @event: the event
 * @name: name of the field
 *
 * Return: the field; NULL if there is no such field, or if it is no number.
 */
const struct tring_field *tring_find_number(const struct tring_event *event, const char *name)
{
	const struct tring_field *field = tring_find_field(event, name);

	return field && field->kind == TRING_FIELD_NUMBER ? field : NULL;
}

/**
 * tring_field_data - find the data of a field in a record
 * @field: the field
 * @record: the record, with a payload for which tring_check_record() returned NULL
 * @big_endian: byte order of the payload
 * @size: set to the number of bytes; those of a text, without the NUL
 *
 * Return: the data.
 */
const uint8_t *tring_field_data(const struct tring_field *field,
				const struct tring_record *record, bool big_endian,
				size_t *size)
{
	uint32_t bytes, start = tring_field_find(field, record, big_endian, &bytes);

	*size = bytes;
	/* an empty dynamic field may lie anywhere */
	if (!*size)
		start = 0;
	if (field->kind == TRING_FIELD_TEXT)
		*size = strnlen((const char *)record->payload + start, *size);
	return record->payload + start;
}
