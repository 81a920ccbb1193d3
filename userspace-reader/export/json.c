// SPDX-License-Identifier: GPL-2.0
/*
 * Values of events as JSON: numbers are numbers, also addresses, text is text, and an array
 * is an array. A byte of a text that is not UTF-8 becomes the character of its value.
 */
#include <stdio.h>
#include <string.h>

#include "json.h"
#include "util/number.h"
#include "util/text.h"

/* Characters of one byte in a text: \u00XX. */
#define ESCAPED		6
/* Characters of a number, with a sign and a comma. */
#define NUMBER_MAX	22

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
		size_t bytes;
		uint32_t character = tring_text_take(at, end - at, &bytes);

		if (tring_is_control(character) || (bytes == 1 && character >= 0x80)) {
			line->at += sprintf(line->at, "\\u%04x", character);
			at += bytes;
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
 * tring_json_print - print a text
 * @file: where it goes
 * @text: the text, as of tring_json_text()
 */
void tring_json_print(FILE *file, const char *text)
{
	struct tring_line line;

	tring_line_init(&line);
	tring_json_text(&line, text, strlen(text));
	fwrite(line.start, 1, line.at - line.start, file);
	tring_line_free(&line);
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

static void add_number(struct tring_line *line, const struct tring_field *field,
		       const uint8_t *at, bool big_endian)
{
	uint64_t value = tring_field_value(field, at, big_endian);

	if (field->is_signed)
		tring_json_signed(line, value);
	else
		tring_json_number(line, value);
}

static void add_array(struct tring_line *line, const struct tring_field *field,
		      const uint8_t *at, size_t size, bool big_endian)
{
	size_t i;

	tring_line_char(line, '[');
	for (i = 0; i + field->element <= size; i += field->element) {
		if (i)
			tring_line_char(line, ',');
		add_number(line, field, at + i, big_endian);
	}
	tring_line_char(line, ']');
}

static void add_field(struct tring_line *line, const struct tring_field *field,
		      const struct tring_item *item, bool big_endian)
{
	size_t size;
	const void *at = field->kind == TRING_FIELD_TEXT ? tring_text(item, field, &size) :
			 tring_data(item, field, &size);

	if (!at)
		tring_line_string(line, "null");
	else if (field->kind == TRING_FIELD_TEXT)
		tring_json_text(line, at, size);
	else if (field->kind == TRING_FIELD_NUMBER)
		add_number(line, field, at, big_endian);
	else
		add_array(line, field, at, size, big_endian);
}

/**
 * tring_json_fields - add the fields of an event, as an object
 * @line: the line
 * @item: an event without @wrong
 */
void tring_json_fields(struct tring_line *line, const struct tring_item *item)
{
	const struct tring_event *event = item->event;
	bool big_endian = tring_big_endian(item->trace);
	size_t i;

	tring_line_char(line, '{');
	for (i = 0; i < event->field_count; i++) {
		const struct tring_field *field = &event->fields[i];

		if (i)
			tring_line_char(line, ',');
		tring_json_text(line, field->name, strlen(field->name));
		tring_line_char(line, ':');
		add_field(line, field, item, big_endian);
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

	tring_line_string(line, key);
	for (i = TRING_PAYLOAD_HEAD; i < record->length; i++) {
		if (i > TRING_PAYLOAD_HEAD)
			tring_line_char(line, ',');
		tring_json_number(line, record->payload[i]);
	}
	tring_line_string(line, "]}");
}
