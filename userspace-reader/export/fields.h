/* SPDX-License-Identifier: GPL-2.0 */
/* Fields of events as the writers of other formats see them: numbers, texts and arrays. */
#ifndef TRING_FIELDS_H
#define TRING_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/events.h"
#include "event/field.h"
#include "wire/wire.h"

enum tring_field_kind {
	TRING_FIELD_NUMBER,
	TRING_FIELD_TEXT,
	TRING_FIELD_ARRAY,
};

enum tring_field_place {
	TRING_PLACE_FIXED,
	TRING_PLACE_LOCATION,		/* 4 bytes say where the data is */
	TRING_PLACE_RELATIVE,		/* the same, counted from their end */
	TRING_PLACE_REST,		/* the data goes on to the end of the payload */
};

/**
 * struct tring_field - a field of an event
 * @name: its name, owned by libtraceevent
 * @kind: what its data is
 * @place: where its data is
 * @is_signed: numbers and elements are signed
 * @element: bytes of a number, or of an element of an array: 1, 2, 4 or 8
 * @offset: offset in the payload
 * @size: bytes in the payload
 */
struct tring_field {
	const char	*name;
	enum tring_field_kind kind;
	enum tring_field_place place;
	bool		is_signed;
	uint8_t		element;
	uint32_t	offset;
	uint32_t	size;
};

void tring_field_describe(struct tring_field *field, const struct tep_format_field *format,
			  const struct tring_event *event);
struct tring_field *tring_fields_of(const struct tring_event *event, size_t *count);
const uint8_t *tring_field_data(const struct tring_field *field,
				const struct tring_record *record, bool big_endian,
				size_t *size);

/**
 * tring_field_value - load a number or an element
 * @field: the field
 * @from: first byte
 * @big_endian: byte order of the payload
 *
 * Return: the number, extended by its sign to 64 bits.
 */
static inline uint64_t tring_field_value(const struct tring_field *field, const uint8_t *from,
					 bool big_endian)
{
	return tring_load_extended(from, field->element, field->is_signed, big_endian);
}

#endif /* TRING_FIELDS_H */
