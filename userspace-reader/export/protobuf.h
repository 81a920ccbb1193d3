/* SPDX-License-Identifier: GPL-2.0 */
/* Encodes messages of Protocol Buffers into a growing buffer. */
#ifndef TRING_PROTOBUF_H
#define TRING_PROTOBUF_H

#include <stddef.h>
#include <stdint.h>

#include "util/line.h"

/* Bytes of a tag, of a number and of a message's length. */
#define TRING_PROTO_TAG_MAX	5
#define TRING_PROTO_VARINT_MAX	10

enum tring_proto_wire {
	TRING_PROTO_VARINT = 0,
	TRING_PROTO_LENGTH = 2,
};

/**
 * tring_proto_varint - write a number
 * @at: where to; TRING_PROTO_VARINT_MAX bytes
 * @value: the number; negative ones are extended to 64 bits
 *
 * Return: the byte behind it.
 */
static inline char *tring_proto_varint(char *at, uint64_t value)
{
	while (value > 0x7f) {
		*at++ = value | 0x80;
		value >>= 7;
	}
	*at++ = value;
	return at;
}

/**
 * tring_proto_tag - write what precedes a field
 * @at: where to; TRING_PROTO_TAG_MAX bytes
 * @field: number of the field
 * @wire: how its value is written
 *
 * Return: the byte behind it.
 */
static inline char *tring_proto_tag(char *at, uint32_t field, enum tring_proto_wire wire)
{
	return tring_proto_varint(at, field << 3 | wire);
}

/**
 * tring_proto_number - add a field that is a number or a bool
 * @buffer: the buffer
 * @field: number of the field
 * @value: its value; negative ones are extended to 64 bits
 */
static inline void tring_proto_number(struct tring_line *buffer, uint32_t field, uint64_t value)
{
	tring_line_room(buffer, TRING_PROTO_TAG_MAX + TRING_PROTO_VARINT_MAX);
	buffer->at = tring_proto_tag(buffer->at, field, TRING_PROTO_VARINT);
	buffer->at = tring_proto_varint(buffer->at, value);
}

size_t tring_proto_begin(struct tring_line *buffer, uint32_t field);
void tring_proto_end(struct tring_line *buffer, size_t begin);
void tring_proto_text(struct tring_line *buffer, uint32_t field, const void *text, size_t size);

#endif /* TRING_PROTOBUF_H */
