// SPDX-License-Identifier: GPL-2.0
/*
 * Encodes structs in Thrift's compact protocol, into a growing buffer. A field has its
 * number as the difference to that of the field before it; a zero byte ends a struct.
 */
#include "protobuf.h"
#include "thrift.h"

/* A list of fewer elements has their number in its first byte. */
#define LONG_LIST	15

/* As in Protocol Buffers. */
static void add_varint(struct tring_thrift *thrift, uint64_t value)
{
	tring_line_room(thrift->line, TRING_PROTO_VARINT_MAX);
	thrift->line->at = tring_proto_varint(thrift->line->at, value);
}

/* Numbers near 0 are short, negative ones included. */
static void add_zigzag(struct tring_thrift *thrift, int64_t value)
{
	add_varint(thrift, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
}

/* The fields of a struct ascend by 15 at most. */
static void add_field(struct tring_thrift *thrift, int16_t field, enum tring_thrift_type type)
{
	int16_t *last = &thrift->last[thrift->depth];

	tring_line_char(thrift->line, (field - *last) << 4 | type);
	*last = field;
}

/**
 * tring_thrift_init - begin the outermost struct
 * @thrift: filled in
 * @line: the buffer
 */
void tring_thrift_init(struct tring_thrift *thrift, struct tring_line *line)
{
	thrift->line = line;
	thrift->depth = 0;
	thrift->last[0] = 0;
}

/**
 * tring_thrift_bool - add a field
 * @thrift: the struct
 * @field: number of the field, more than that of the last one
 * @value: its value
 */
void tring_thrift_bool(struct tring_thrift *thrift, int16_t field, bool value)
{
	add_field(thrift, field, value ? TRING_THRIFT_TRUE : TRING_THRIFT_FALSE);
}

/**
 * tring_thrift_i8 - add a field
 * @thrift: the struct
 * @field: number of the field, more than that of the last one
 * @value: its value
 */
void tring_thrift_i8(struct tring_thrift *thrift, int16_t field, int8_t value)
{
	add_field(thrift, field, TRING_THRIFT_I8);
	tring_line_char(thrift->line, value);
}

/**
 * tring_thrift_i32 - add a field
 * @thrift: the struct
 * @field: number of the field, more than that of the last one
 * @value: its value
 */
void tring_thrift_i32(struct tring_thrift *thrift, int16_t field, int32_t value)
{
	add_field(thrift, field, TRING_THRIFT_I32);
	add_zigzag(thrift, value);
}

/**
 * tring_thrift_i64 - add a field
 * @thrift: the struct
 * @field: number of the field, more than that of the last one
 * @value: its value
 */
void tring_thrift_i64(struct tring_thrift *thrift, int16_t field, int64_t value)
{
	add_field(thrift, field, TRING_THRIFT_I64);
	add_zigzag(thrift, value);
}

/**
 * tring_thrift_text - add a field
 * @thrift: the struct
 * @field: number of the field, more than that of the last one
 * @text: its value
 */
void tring_thrift_text(struct tring_thrift *thrift, int16_t field, const char *text)
{
	add_field(thrift, field, TRING_THRIFT_BINARY);
	tring_thrift_element_text(thrift, text);
}

/**
 * tring_thrift_struct - begin a field that is a struct
 * @thrift: the struct around it
 * @field: number of the field, more than that of the last one
 */
void tring_thrift_struct(struct tring_thrift *thrift, int16_t field)
{
	add_field(thrift, field, TRING_THRIFT_STRUCT);
	tring_thrift_element_struct(thrift);
}

/**
 * tring_thrift_list - begin a field that is a list
 * @thrift: the struct
 * @field: number of the field, more than that of the last one
 * @type: type of the elements, which follow
 * @count: their number
 */
void tring_thrift_list(struct tring_thrift *thrift, int16_t field, enum tring_thrift_type type,
		       size_t count)
{
	add_field(thrift, field, TRING_THRIFT_LIST);
	if (count < LONG_LIST) {
		tring_line_char(thrift->line, count << 4 | type);
		return;
	}
	tring_line_char(thrift->line, LONG_LIST << 4 | type);
	add_varint(thrift, count);
}

/**
 * tring_thrift_element_i32 - add an element of a list
 * @thrift: the struct that has the list
 * @value: the element
 */
void tring_thrift_element_i32(struct tring_thrift *thrift, int32_t value)
{
	add_zigzag(thrift, value);
}

/**
 * tring_thrift_element_text - add an element of a list
 * @thrift: the struct that has the list
 * @text: the element
 */
void tring_thrift_element_text(struct tring_thrift *thrift, const char *text)
{
	size_t size = strlen(text);

	add_varint(thrift, size);
	tring_line_text(thrift->line, text, size);
}

/**
 * tring_thrift_element_struct - begin an element of a list that is a struct
 * @thrift: the struct that has the list
 */
void tring_thrift_element_struct(struct tring_thrift *thrift)
{
	thrift->last[++thrift->depth] = 0;
}

/**
 * tring_thrift_end - end a struct
 * @thrift: the struct
 */
void tring_thrift_end(struct tring_thrift *thrift)
{
	tring_line_char(thrift->line, 0);
	if (thrift->depth)
		thrift->depth--;
}
