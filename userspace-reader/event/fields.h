/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Fields of events: numbers, texts and arrays. */
#ifndef TRING_FIELDS_H
#define TRING_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "events.h"
#include "field.h"
#include "wire/wire.h"

void tring_fields_describe(struct tring_event *event);
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
