/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Numbers in the byte order of a trace. */
#ifndef TRING_NUMBER_H
#define TRING_NUMBER_H

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "tring.h"

/**
 * tring_load_u16 - number in a stream's byte order
 * @from: 2 bytes, any alignment
 * @big_endian: byte order of the stream
 *
 * Return: the number.
 */
static inline uint16_t tring_load_u16(const void *from, bool big_endian)
{
	uint16_t value;

	memcpy(&value, from, sizeof(value));
	return big_endian ? be16toh(value) : le16toh(value);
}

/**
 * tring_load_u32 - number in a stream's byte order
 * @from: 4 bytes, any alignment
 * @big_endian: byte order of the stream
 *
 * Return: the number.
 */
static inline uint32_t tring_load_u32(const void *from, bool big_endian)
{
	uint32_t value;

	memcpy(&value, from, sizeof(value));
	return big_endian ? be32toh(value) : le32toh(value);
}

/**
 * tring_load_u64 - number in a stream's byte order
 * @from: 8 bytes, any alignment
 * @big_endian: byte order of the stream
 *
 * Return: the number.
 */
static inline uint64_t tring_load_u64(const void *from, bool big_endian)
{
	uint64_t value;

	memcpy(&value, from, sizeof(value));
	return big_endian ? be64toh(value) : le64toh(value);
}

/**
 * tring_load - load a number of 1 to 8 bytes
 * @from: first byte of the number
 * @size: 1, 2, 4 or 8
 * @big_endian: byte order
 *
 * Return: the number. The sign is not extended, as in libtraceevent.
 */
static inline uint64_t tring_load(const uint8_t *from, unsigned int size,
				  bool big_endian)
{
	switch (size) {
	case 1:
		return *from;
	case 2:
		return tring_load_u16(from, big_endian);
	case 4:
		return tring_load_u32(from, big_endian);
	default:
		return tring_load_u64(from, big_endian);
	}
}

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

#endif /* TRING_NUMBER_H */
