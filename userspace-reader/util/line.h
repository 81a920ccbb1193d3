/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Buffer for one line of text.
 *
 * A caller first makes room for the longest text that it may add. Functions
 * that write digits do not check the buffer's end.
 */
#ifndef TRING_LINE_H
#define TRING_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Bytes that tring_line_short() copies at once; they must be readable. */
#define TRING_LINE_SHORT	32

/* Maximum characters of a number, in any base and with a plan's padding. */
#define TRING_LINE_NUMBER	160

/**
 * struct tring_line - text under construction
 * @start: first character
 * @at: end of the text
 * @end: end of the memory
 */
struct tring_line {
	char	*start;
	char	*at;
	char	*end;
};

/**
 * struct tring_number_form - format of a number, as in a printf conversion
 * @base: 8, 10 or 16
 * @is_signed: signed; with base 10 only
 * @upper: capital digits; with base 16 only
 * @alternate: flag '#'
 * @left: flag '-'
 * @zeroes: flag '0'
 * @plain: no flags, no width and no precision
 * @width: minimum number of characters
 * @precision: minimum number of digits; -1 if not given
 */
struct tring_number_form {
	uint8_t	base;
	bool	is_signed;
	bool	upper;
	bool	alternate;
	bool	left;
	bool	zeroes;
	bool	plain;
	int16_t	width;
	int16_t	precision;
};

void tring_line_init(struct tring_line *line);
void tring_line_free(struct tring_line *line);
void tring_line_grow(struct tring_line *line, size_t size);
void tring_line_put(struct tring_line *line, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void tring_line_number(struct tring_line *line, uint64_t value,
		       const struct tring_number_form *form);
void tring_line_padded(struct tring_line *line, const char *text, size_t size,
		       int width, bool left);
void tring_line_escaped(struct tring_line *line, const char *text, size_t size);
void tring_line_escape(struct tring_line *line, size_t start, char kept);
char *tring_put_decimal(char *at, uint64_t value);
char *tring_put_hex(char *at, uint64_t value);

/**
 * tring_line_room - make room for text
 * @line: the line
 * @size: characters that must fit
 */
static inline void tring_line_room(struct tring_line *line, size_t size)
{
	if ((size_t)(line->end - line->at) < size)
		tring_line_grow(line, size);
}

/**
 * tring_line_text - add text
 * @line: the line
 * @text: the text
 * @size: characters of @text
 */
static inline void tring_line_text(struct tring_line *line, const char *text,
				   size_t size)
{
	tring_line_room(line, size);
	memcpy(line->at, text, size);
	line->at += size;
}

/**
 * tring_line_string - add a string
 * @line: the line
 * @text: the string
 */
static inline void tring_line_string(struct tring_line *line, const char *text)
{
	tring_line_text(line, text, strlen(text));
}

/**
 * tring_line_short - add text that is usually short
 * @line: the line
 * @text: the text; TRING_LINE_SHORT bytes from its start must be readable
 * @size: characters of @text
 *
 * The copy has a constant length, so the compiler inlines it.
 */
static inline void tring_line_short(struct tring_line *line, const char *text,
				    size_t size)
{
	if (size > TRING_LINE_SHORT) {
		tring_line_text(line, text, size);
		return;
	}
	tring_line_room(line, TRING_LINE_SHORT);
	memcpy(line->at, text, TRING_LINE_SHORT);
	line->at += size;
}

/**
 * tring_line_char - add a character
 * @line: the line
 * @character: the character
 */
static inline void tring_line_char(struct tring_line *line, char character)
{
	tring_line_room(line, 1);
	*line->at++ = character;
}

#endif /* TRING_LINE_H */
