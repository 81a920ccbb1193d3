// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Text from a trace, which may have any bytes. A byte that is not UTF-8 is the character of
 * its value. A control character must not reach a terminal: it moves the cursor, or ends a
 * line that then looks as two.
 */
#include <stdlib.h>

#include "text.h"
#include "util.h"

static const char digits[] = "0123456789abcdef";

/**
 * tring_text_take - take a character
 * @at: its first byte
 * @rest: bytes of the text from @at on, not 0
 * @bytes: set to its size
 *
 * Return: the character; a byte that is not UTF-8 is the character of its value.
 */
uint32_t tring_text_take(const uint8_t *at, size_t rest, size_t *bytes)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t size = *at < 0xc2 ? 1 : *at < 0xe0 ? 2 : *at < 0xf0 ? 3 : *at < 0xf5 ? 4 : 1, i;
	uint32_t character = *at & 0x7f >> size;

	*bytes = 1;
	if (size == 1 || size > rest)
		return *at;
	for (i = 1; i < size; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return *at;
		character = character << 6 | (at[i] & 0x3f);
	}
	if (character < least[size] || character > 0x10ffff || character >> 11 == 0xd800 >> 11)
		return *at;
	*bytes = size;
	return character;
}

static char *put_character(char *to, const uint8_t *at, size_t bytes, uint32_t character)
{
	if (bytes > 1 || character < 0x80)
		return mempcpy(to, at, bytes);
	*to++ = 0xc0 | character >> 6;
	*to++ = 0x80 | (character & 0x3f);
	return to;
}

/**
 * tring_text_escape - make printable text of any bytes
 * @to: where to; TRING_ESCAPED_MAX times @size bytes
 * @text: the text
 * @size: bytes of @text
 * @kept: a control character that stays; 0 for none
 *
 * The result is UTF-8. A control character is \xNN in it, where NN is the character's number.
 *
 * Return: number of bytes at @to.
 */
size_t tring_text_escape(char *to, const char *text, size_t size, char kept)
{
	const uint8_t *from = (const uint8_t *)text, *end = from + size;
	char *at = to;

	while (from < end) {
		size_t bytes;
		uint32_t character = tring_text_take(from, end - from, &bytes);

		if (tring_is_control(character) && (!kept || character != (uint8_t)kept)) {
			*at++ = '\\';
			*at++ = 'x';
			*at++ = digits[character >> 4];
			*at++ = digits[character & 0xf];
		} else {
			at = put_character(at, from, bytes, character);
		}
		from += bytes;
	}
	return at - to;
}

/**
 * tring_text_escaped - get printable text of any bytes
 * @text: the text
 *
 * Return: what tring_text_escape() makes of it, to free(); never NULL.
 */
char *tring_text_escaped(const char *text)
{
	size_t size = strlen(text);
	char *escaped = tring_allocate(TRING_ESCAPED_MAX * size + 1);

	escaped[tring_text_escape(escaped, text, size, 0)] = 0;
	return escaped;
}

/**
 * tring_text_print - print text of any bytes
 * @file: where to
 * @text: the text; its control characters are escaped
 */
void tring_text_print(FILE *file, const char *text)
{
	char *escaped = tring_text_escaped(text);

	fputs(escaped, file);
	free(escaped);
}

/**
 * tring_utf8_repair - make UTF-8 of a text
 * @to: where to; TRING_UTF8_MAX times @size bytes
 * @text: the text; a byte that is not UTF-8 becomes the character of its value
 * @size: bytes of @text
 *
 * Return: number of bytes at @to.
 */
size_t tring_utf8_repair(char *to, const uint8_t *text, size_t size)
{
	const uint8_t *end = text + size;
	char *at = to;

	while (text < end) {
		size_t bytes;
		uint32_t character = tring_text_take(text, end - text, &bytes);

		at = put_character(at, text, bytes, character);
		text += bytes;
	}
	return at - to;
}

/**
 * tring_text_hex - make the hexadecimal text of bytes
 * @to: set to it: two digits for each byte, and a NUL
 * @bytes: the bytes
 * @size: number of @bytes
 */
void tring_text_hex(char *to, const void *bytes, size_t size)
{
	const uint8_t *at = bytes;

	while (size--) {
		*to++ = digits[*at >> 4];
		*to++ = digits[*at++ & 0xf];
	}
	*to = 0;
}
