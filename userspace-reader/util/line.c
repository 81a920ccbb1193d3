// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Buffer for one line of text. Numbers are written as printf writes them, for
 * the conversions that kernel events use, without parsing a format each time.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "line.h"
#include "text.h"
#include "util.h"

#define FIRST_SIZE	1024
/* digits of 64 bits in base 8 */
#define DIGITS_MAX	22

#define TEN(tens)	tens "0" tens "1" tens "2" tens "3" tens "4" \
			tens "5" tens "6" tens "7" tens "8" tens "9"

/* Writing two digits at a time halves the number of divisions. */
static const char two_digits[] =
	TEN("0") TEN("1") TEN("2") TEN("3") TEN("4")
	TEN("5") TEN("6") TEN("7") TEN("8") TEN("9");

/**
 * tring_line_init - initialize an empty line
 * @line: filled in; free it with tring_line_free()
 */
void tring_line_init(struct tring_line *line)
{
	line->start = tring_allocate(FIRST_SIZE);
	line->at = line->start;
	line->end = line->start + FIRST_SIZE;
}

/**
 * tring_line_free - free a line's memory
 * @line: the line
 */
void tring_line_free(struct tring_line *line)
{
	free(line->start);
}

/**
 * tring_line_grow - enlarge a line's memory
 * @line: the line
 * @size: characters that must fit after the present text
 */
void tring_line_grow(struct tring_line *line, size_t size)
{
	size_t used = line->at - line->start;
	size_t whole = 2 * (used + size);
	char *larger = realloc(line->start, whole);

	if (!larger) {
		tring_error("out of memory");
		abort();
	}
	line->start = larger;
	line->at = larger + used;
	line->end = larger + whole;
}

/**
 * tring_line_put - add text as printf() does
 * @line: the line
 * @format: printf()'s format
 */
void tring_line_put(struct tring_line *line, const char *format, ...)
{
	size_t room = line->end - line->at;
	va_list args;
	int size;

	va_start(args, format);
	size = vsnprintf(line->at, room, format, args);
	va_end(args);
	if (size < 0)
		abort();
	if ((size_t)size >= room) {
		tring_line_grow(line, size + 1);
		va_start(args, format);
		vsnprintf(line->at, size + 1, format, args);
		va_end(args);
	}
	line->at += size;
}

static unsigned int count_decimal(uint64_t value)
{
	unsigned int digits = 1;

	while (value >= 10000) {
		value /= 10000;
		digits += 4;
	}
	if (value >= 1000)
		return digits + 3;
	if (value >= 100)
		return digits + 2;
	return value >= 10 ? digits + 1 : digits;
}

/**
 * tring_put_decimal - write a number in base 10
 * @at: destination; 20 characters must fit
 * @value: the number
 *
 * Return: end of the number.
 */
char *tring_put_decimal(char *at, uint64_t value)
{
	char *end = at + count_decimal(value);

	at = end;
	while (value >= 100) {
		at -= 2;
		memcpy(at, two_digits + value % 100 * 2, 2);
		value /= 100;
	}
	if (value >= 10)
		memcpy(at - 2, two_digits + value * 2, 2);
	else
		at[-1] = '0' + value;
	return end;
}

static char *put_base(char *at, uint64_t value, unsigned int shift, char ten)
{
	unsigned int bits = value ? 64 - __builtin_clzll(value) : 1;
	unsigned int digits = (bits + shift - 1) / shift;

	while (digits--) {
		unsigned int digit = value >> digits * shift & ((1u << shift) - 1);

		*at++ = digit < 10 ? '0' + digit : ten + digit - 10;
	}
	return at;
}

/**
 * tring_put_hex - write a number in base 16
 * @at: destination; 16 characters must fit
 * @value: the number
 *
 * Return: end of the number.
 */
char *tring_put_hex(char *at, uint64_t value)
{
	return put_base(at, value, 4, 'a');
}

static char *put_digits(char *at, uint64_t value,
			const struct tring_number_form *form)
{
	if (form->base == 10)
		return tring_put_decimal(at, value);
	if (form->base == 16)
		return put_base(at, value, 4, form->upper ? 'A' : 'a');
	return put_base(at, value, 3, 0);
}

static char *put_repeated(char *at, char character, int times)
{
	if (times <= 0)
		return at;
	memset(at, character, times);
	return at + times;
}

/**
 * tring_line_number - add a number in printf's format
 * @line: the line
 * @value: the number; a signed one is sign-extended to 64 bits
 * @form: format; neither @form->width nor @form->precision may exceed 64
 */
void tring_line_number(struct tring_line *line, uint64_t value,
		       const struct tring_number_form *form)
{
	bool negative = form->is_signed && (int64_t)value < 0;
	char digits[DIGITS_MAX], prefix[2];
	int count, zeroes, blanks, before = 0;
	char *at;

	tring_line_room(line, TRING_LINE_NUMBER);
	at = line->at;
	if (negative)
		value = -value;
	if (form->plain) {
		if (negative)
			*at++ = '-';
		line->at = put_digits(at, value, form);
		return;
	}
	/* printf writes 0 with precision 0 without any digit */
	count = value || form->precision ?
		put_digits(digits, value, form) - digits : 0;
	zeroes = form->precision - count;
	if (negative)
		prefix[before++] = '-';
	if (form->alternate && form->base == 16 && value) {
		prefix[before++] = '0';
		prefix[before++] = form->upper ? 'X' : 'x';
	}
	if (form->alternate && form->base == 8 && zeroes <= 0 &&
	    (value || !count))
		zeroes = 1;
	if (zeroes < 0)
		zeroes = 0;
	blanks = form->width - before - zeroes - count;
	if (form->zeroes && !form->left && form->precision < 0 && blanks > 0) {
		zeroes += blanks;
		blanks = 0;
	}
	if (!form->left)
		at = put_repeated(at, ' ', blanks);
	memcpy(at, prefix, before);
	at = put_repeated(at + before, '0', zeroes);
	memcpy(at, digits, count);
	at += count;
	if (form->left)
		at = put_repeated(at, ' ', blanks);
	line->at = at;
}

/**
 * tring_line_padded - add text with padding
 * @line: the line
 * @text: the text
 * @size: characters of @text
 * @width: minimum number of characters
 * @left: left-align: blanks follow the text
 */
void tring_line_padded(struct tring_line *line, const char *text, size_t size,
		       int width, bool left)
{
	size_t blanks = width > 0 && (size_t)width > size ? width - size : 0;

	tring_line_room(line, size + blanks);
	if (!left)
		line->at = put_repeated(line->at, ' ', blanks);
	memcpy(line->at, text, size);
	line->at += size;
	if (left)
		line->at = put_repeated(line->at, ' ', blanks);
}

/**
 * tring_line_escaped - add text of any bytes
 * @line: the line
 * @text: the text; its control characters are escaped
 * @size: characters of @text
 */
void tring_line_escaped(struct tring_line *line, const char *text, size_t size)
{
	tring_line_room(line, TRING_ESCAPED_MAX * size);
	line->at += tring_text_escape(line->at, text, size, 0);
}

/**
 * tring_line_escape - escape the control characters at the end of a line
 * @line: the line
 * @start: number of characters in front of them
 * @kept: a control character that stays; 0 for none
 */
void tring_line_escape(struct tring_line *line, size_t start, char kept)
{
	size_t size = line->at - line->start - start;
	char *text;

	if (tring_is_printable(line->start + start, size))
		return;
	text = tring_allocate(size);
	memcpy(text, line->start + start, size);
	line->at = line->start + start;
	tring_line_room(line, TRING_ESCAPED_MAX * size);
	line->at += tring_text_escape(line->at, text, size, kept);
	free(text);
}
