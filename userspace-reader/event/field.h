/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Values of an event's fields, found by name in its format. */
#ifndef TRING_FIELD_H
#define TRING_FIELD_H

#include <stdbool.h>
#include <stdint.h>
#include <traceevent/event-parse.h>

#include "events.h"
#include "expression.h"
#include "wire/wire.h"

/**
 * struct tring_number_field - where an event has a number
 * @offset: offset in the payload
 * @size: 1, 2, 4 or 8 bytes; 0 if the event has no such number
 * @is_signed: the number may be negative
 */
struct tring_number_field {
	uint32_t	offset;
	uint8_t		size;
	bool		is_signed;
};

/**
 * tring_load_extended - load a number of 1 to 8 bytes
 * @from: first byte of the number
 * @size: 1, 2, 4 or 8
 * @is_signed: extend the sign
 * @big_endian: byte order
 *
 * Return: the number.
 */
static inline uint64_t tring_load_extended(const uint8_t *from, unsigned int size,
					   bool is_signed, bool big_endian)
{
	uint64_t value = tring_load(from, size, big_endian);
	unsigned int spare = 64 - 8 * size;

	return is_signed ? (uint64_t)((int64_t)(value << spare) >> spare) : value;
}

/**
 * tring_field_load - load a field
 * @field: the field, which the event has
 * @payload: payload of a record that has its event's fixed fields
 * @big_endian: byte order
 *
 * Return: the number, with its sign extended.
 */
static inline int64_t tring_field_load(const struct tring_number_field *field,
				       const uint8_t *payload, bool big_endian)
{
	return tring_load_extended(payload + field->offset, field->size, field->is_signed,
				   big_endian);
}

struct tring_number_field tring_field_number(const struct tring_event *event, const char *name);
const char *tring_field_text(const struct tep_format_field *field,
			     const struct tring_record *record, bool big_endian,
			     uint32_t *size);

#endif /* TRING_FIELD_H */
