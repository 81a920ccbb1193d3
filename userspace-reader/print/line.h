/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A line of text in the making.
 *
 * Who adds something makes room for the most that it can be first; what writes
 * digits then does so without a look at the end.
 */
#ifndef TRING_LINE_H
#define TRING_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Text that so many bytes may be read of is copied without a loop. */
#define TRING_LINE_SHORT	32

/* No number in any base and no padding of a plan takes more. */
#define TRING_LINE_NUMBER	160

/**
 * struct tring_line - text
 * @start: its first character
 * @at: behind its last one
 * @end: of the memory
 */
struct tring_line {
	char	*start;
	char	*at;
	char	*end;
};

/**
 * struct tring_number_form - what printf's conversions can ask for
 * @base: 8, 10 or 16
 * @is_signed: of base 10
 * @upper: of base 16
 * @alternate: '#'
 * @left: '-'
 * @zeroes: '0'
 * @plain: none of the flags, no width and no precision
 * @width: at least so many characters
 * @precision: at least so many digits; -1 if not given
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
void tring_line_number(struct tring_line *line, uint64_t value,
		       const struct tring_number_form *form);
void tring_line_padded(struct tring_line *line, const char *text, size_t size,
		       int width, bool left);
char *tring_put_decimal(char *at, uint64_t value);
char *tring_put_hex(char *at, uint64_t value);

/**
 * tring_line_room - make sure that something fits
 * @line: the line
 * @size: how much
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
 * @size: how many characters
 */
static inline void tring_line_text(struct tring_line *line, const char *text,
				   size_t size)
{
	tring_line_room(line, size);
	memcpy(line->at, text, size);
	line->at += size;
}

/**
 * tring_line_short - add text that is mostly short
 * @line: the line
 * @text: the text; TRING_LINE_SHORT bytes behind its start can be read
 * @size: how many characters
 *
 * A copy whose length the compiler knows takes no call, as all others do.
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
