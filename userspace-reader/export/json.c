// SPDX-License-Identifier: GPL-2.0
/*
 * Values of events as JSON: numbers are numbers, also addresses, text is text, and an array
 * is an array. A byte of a text that is not UTF-8 becomes the character of its value.
 */
#include <stdio.h>
#include <string.h>

#include "json.h"
#include "print/expression.h"

/* Characters of one byte in a text: \u00XX. */
#define ESCAPED		6
/* Characters of a number, with a sign and a comma. */
#define NUMBER_MAX	22

/* Return: bytes of the character if it is valid UTF-8, else 0. */
static size_t utf8_size(const uint8_t *at, size_t rest)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t size = *at < 0x80 ? 1 : *at < 0xc2 ? 0 : *at < 0xe0 ? 2 : *at < 0xf0 ? 3 :
		      *at < 0xf5 ? 4 : 0, i;
	uint32_t character;

	if (size < 2 || size > rest)
		return size == 1;
	character = *at & (0x7f >> size);
	for (i = 1; i < size; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		character = character << 6 | (at[i] & 0x3f);
	}
	if (character < least[size] || character > 0x10ffff || character >> 11 == 0xd800 >> 11)
		return 0;
	return size;
}

/**
 * tring_json_text - add text
 * @line: the line
 * @text: the text
 * @size: bytes of @text
 */
void tring_json_text(struct tring_line *line, const char *text, size_t size)
{
	const uint8_t *at = (const uint8_t *)text, *end = at + size;

	tring_line_room(line, size * ESCAPED + 3);
	*line->at++ = '"';
	while (at < end) {
		size_t bytes = utf8_size(at, end - at);

		if (!bytes || *at < ' ') {
			line->at += sprintf(line->at, "\\u%04x", *at++);
			continue;
		}
		if (*at == '"' || *at == '\\')
			*line->at++ = '\\';
		while (bytes--)
			*line->at++ = *at++;
	}
	*line->at++ = '"';
}

/**
 * tring_json_number - add a number
 * @line: the line
 * @value: the number
 */
void tring_json_number(struct tring_line *line, uint64_t value)
{
	tring_line_room(line, NUMBER_MAX);
	line->at = tring_put_decimal(line->at, value);
}

/**
 * tring_json_signed - add a signed number
 * @line: the line
 * @value: the number
 */
void tring_json_signed(struct tring_line *line, int64_t value)
{
	if (value < 0)
		tring_line_char(line, '-');
	tring_json_number(line, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

static uint64_t load(const uint8_t *at, unsigned int size, bool big_endian)
{
	switch (size) {
	case 2:
		return tring_load_u16(at, big_endian);
	case 4:
		return tring_load_u32(at, big_endian);
	case 8:
		return tring_load_u64(at, big_endian);
	default:
		return *at;
	}
}

static void add_number(struct tring_line *line, const uint8_t *at, unsigned int size,
		       bool is_signed, bool big_endian)
{
	uint64_t value = load(at, size, big_endian);
	unsigned int unused = 64 - 8 * size;

	if (is_signed)
		tring_json_signed(line, (int64_t)(value << unused) >> unused);
	else
		tring_json_number(line, value);
}

static bool is_number_size(unsigned int size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

/* Fields of another size than a number's are arrays of bytes. */
static void add_array(struct tring_line *line, const struct tep_format_field *field,
		      const uint8_t *at, size_t size, bool big_endian)
{
	unsigned int element = is_number_size(field->elementsize) ? field->elementsize : 1;
	bool is_signed = field->flags & TEP_FIELD_IS_SIGNED;
	size_t i;

	tring_line_char(line, '[');
	for (i = 0; i + element <= size; i += element) {
		if (i)
			tring_line_char(line, ',');
		add_number(line, at + i, element, is_signed, big_endian);
	}
	tring_line_char(line, ']');
}

/* @frames: offset of addresses whose number is not in the format, or 0 */
static void add_field(struct tring_line *line, const struct tep_format_field *field,
		      const struct tring_record *record, uint32_t frames, bool big_endian)
{
	size_t start = field->offset, size = field->size;
	const uint8_t *at = record->payload;

	if (tring_is_dynamic(field)) {
		uint32_t location = tring_load_u32(at + start, big_endian);

		start = location & 0xffff;
		size = location >> 16;
		if (field->flags & TEP_FIELD_IS_RELATIVE)
			start += field->offset + field->size;
	} else if (!size || start == frames) {
		/* an array without a size goes on to the end, and so do the addresses of a stack */
		size = record->length - start;
	} else if (!(field->flags & TEP_FIELD_IS_ARRAY) && is_number_size(size)) {
		add_number(line, at + start, size, field->flags & TEP_FIELD_IS_SIGNED,
			   big_endian);
		return;
	}
	if (field->flags & TEP_FIELD_IS_STRING)
		tring_json_text(line, (const char *)at + start,
				strnlen((const char *)at + start, size));
	else
		add_array(line, field, at + start, size, big_endian);
}

/**
 * tring_json_fields - add the fields of an event, as an object
 * @line: the line
 * @event: the event
 * @record: its record, with a payload for which tring_printer_learn() returned NULL
 */
void tring_json_fields(struct tring_line *line, const struct tring_event *event,
		       const struct tring_record *record)
{
	bool big_endian = tep_is_file_bigendian(event->parsed->tep);
	const struct tep_format_field *field;

	tring_line_char(line, '{');
	for (field = event->parsed->format.fields; field; field = field->next) {
		if (field != event->parsed->format.fields)
			tring_line_char(line, ',');
		tring_json_text(line, field->name, strlen(field->name));
		tring_line_char(line, ':');
		add_field(line, field, record, event->frames, big_endian);
	}
	tring_line_char(line, '}');
}

/**
 * tring_json_bytes - add a payload that no format describes, as an object
 * @line: the line
 * @record: its record
 */
void tring_json_bytes(struct tring_line *line, const struct tring_record *record)
{
	static const char key[] = "{\"payload\":[";
	uint32_t i;

	tring_line_text(line, key, strlen(key));
	for (i = TRING_PAYLOAD_HEAD; i < record->length; i++) {
		if (i > TRING_PAYLOAD_HEAD)
			tring_line_char(line, ',');
		tring_json_number(line, record->payload[i]);
	}
	tring_line_text(line, "]}", 2);
}
