// SPDX-License-Identifier: GPL-2.0
/*
 * Encodes messages of Protocol Buffers into a growing buffer.
 *
 * The length of a message precedes it, in as few bytes as it needs. Most messages have less
 * than 128 bytes, so one byte is left for it, and only longer messages are moved.
 */
#include "protobuf.h"
#include "util/text.h"

/**
 * tring_proto_begin - begin a field that is a message
 * @buffer: the buffer, to which the fields of the message are added
 * @field: number of the field
 *
 * Return: what tring_proto_end() needs.
 */
size_t tring_proto_begin(struct tring_line *buffer, uint32_t field)
{
	tring_line_room(buffer, TRING_PROTO_TAG_MAX + 1);
	buffer->at = tring_proto_tag(buffer->at, field, TRING_PROTO_LENGTH) + 1;
	return buffer->at - buffer->start;
}

/**
 * tring_proto_end - end a message
 * @buffer: the buffer
 * @begin: what tring_proto_begin() has returned
 */
void tring_proto_end(struct tring_line *buffer, size_t begin)
{
	char length[TRING_PROTO_VARINT_MAX], *end;
	size_t size = buffer->at - buffer->start - begin, more;

	end = tring_proto_varint(length, size);
	more = end - length - 1;
	if (more) {
		tring_line_room(buffer, more);
		memmove(buffer->start + begin + more, buffer->start + begin, size);
		buffer->at += more;
	}
	memcpy(buffer->start + begin - 1, length, more + 1);
}

/**
 * tring_proto_text - add a field that is text
 * @buffer: the buffer
 * @field: number of the field
 * @text: its value; a byte that is not UTF-8 becomes the character of its value
 * @size: bytes of @text
 */
void tring_proto_text(struct tring_line *buffer, uint32_t field, const void *text, size_t size)
{
	size_t begin;

	tring_line_room(buffer, TRING_PROTO_TAG_MAX + TRING_PROTO_VARINT_MAX +
			TRING_UTF8_MAX * size);
	if (tring_is_ascii(text, size)) {
		buffer->at = tring_proto_tag(buffer->at, field, TRING_PROTO_LENGTH);
		buffer->at = tring_proto_varint(buffer->at, size);
		memcpy(buffer->at, text, size);
		buffer->at += size;
		return;
	}
	begin = tring_proto_begin(buffer, field);
	buffer->at += tring_utf8_repair(buffer->at, text, size);
	tring_proto_end(buffer, begin);
}
