/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Fields of events: numbers, texts and arrays. */
#ifndef TRING_FIELDS_H
#define TRING_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <traceevent/event-parse.h>

#include "events.h"
#include "util/expression.h"
#include "wire/wire.h"

struct tring_field tring_field_describe(const struct tep_format_field *format,
					const struct tring_event *event);
void tring_fields_describe(struct tring_event *event);
const struct tring_field *tring_find_number(const struct tring_event *event, const char *name);
const uint8_t *tring_field_data(const struct tring_field *field,
				const struct tring_record *record, bool big_endian,
				size_t *size);

/**
 * tring_field_load - load the number of a record
 * @field: the field, of TRING_FIELD_NUMBER
 * @payload: payload of a record that has its event's fixed fields
 * @big_endian: byte order
 *
 * Return: the number, with its sign extended.
 */
static inline int64_t tring_field_load(const struct tring_field *field, const uint8_t *payload,
				       bool big_endian)
{
	return tring_field_value(field, payload + field->offset, big_endian);
}

/**
 * tring_field_find - find where the data of a field is
 * @field: the field
 * @record: a record that has its event's fixed fields
 * @big_endian: byte order
 * @size: set to the number of bytes, as far as the record tells
 *
 * Return: offset of the data in the payload, which may lie outside of it.
 */
static inline uint32_t tring_field_find(const struct tring_field *field,
					const struct tring_record *record, bool big_endian,
					uint32_t *size)
{
	uint32_t start = field->offset, location;

	*size = field->size;
	if (field->place == TRING_PLACE_FIXED)
		return start;
	if (field->place == TRING_PLACE_REST) {
		*size = record->length - start;
		return start;
	}
	location = tring_load_u32(record->payload + start, big_endian);
	*size = location >> 16;
	start = field->place == TRING_PLACE_RELATIVE ? start + field->size : 0;
	return start + (location & 0xffff);
}

#endif /* TRING_FIELDS_H */
