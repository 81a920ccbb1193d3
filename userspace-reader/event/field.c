// SPDX-License-Identifier: LGPL-2.1-or-later
/* Values of an event's fields, found by name in its format. */
#include "field.h"

/**
 * tring_field_number - find a number among an event's fields
 * @event: the event
 * @name: name of the field
 *
 * Return: where the number is; of size 0 if there is no such field, or if it is no number.
 */
struct tring_number_field tring_field_number(const struct tring_event *event, const char *name)
{
	const struct tep_format_field *field = tep_find_field(event->parsed, name);
	struct tring_number_field found = { 0 };

	if (!field || field->flags & (TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_DYNAMIC) ||
	    (field->size != 1 && field->size != 2 && field->size != 4 && field->size != 8))
		return found;
	found.offset = field->offset;
	found.size = field->size;
	found.is_signed = field->flags & TEP_FIELD_IS_SIGNED;
	return found;
}

/**
 * tring_field_text - get a text
 * @field: a field with a text
 * @record: a record that has its event's fixed fields
 * @big_endian: byte order
 * @size: set to the number of bytes, which may have a NUL among them
 *
 * Return: the text, in the record; NULL if it lies outside of the record.
 */
const char *tring_field_text(const struct tep_format_field *field,
			     const struct tring_record *record, bool big_endian,
			     uint32_t *size)
{
	uint32_t start = field->offset;

	*size = field->size;
	if (tring_is_dynamic(field)) {
		uint32_t location = tring_load_u32(record->payload + start, big_endian);

		start = location & 0xffff;
		*size = location >> 16;
		if (field->flags & TEP_FIELD_IS_RELATIVE)
			start += field->offset + field->size;
	} else if (!field->size && start <= record->length) {
		/* "char buf[]" of a marker has what is left */
		*size = record->length - start;
	}
	if (start < TRING_PAYLOAD_HEAD || start + *size > record->length)
		return NULL;
	return (const char *)record->payload + start;
}
