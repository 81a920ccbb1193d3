/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Text from a trace, for formats that have UTF-8 only and for what is printed. */
#ifndef TRING_TEXT_H
#define TRING_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Bytes that a byte of a text takes at most. */
#define TRING_UTF8_MAX	2
#define TRING_ESCAPED_MAX	4

uint32_t tring_text_take(const uint8_t *at, size_t rest, size_t *bytes);
size_t tring_utf8_repair(char *to, const uint8_t *text, size_t size);
size_t tring_text_escape(char *to, const char *text, size_t size, char kept);
char *tring_text_escaped(const char *text);
void tring_text_print(FILE *file, const char *text);
void tring_text_hex(char *to, const void *bytes, size_t size);

/**
 * tring_ends_with - check how a text ends
 * @text: the text
 * @end: its last characters
 */
static inline bool tring_ends_with(const char *text, const char *end)
{
	size_t size = strlen(text), most = strlen(end);

	return size >= most && !strcmp(text + size - most, end);
}

/**
 * tring_is_control - is it one of C0, DEL and C1?
 * @character: the character
 */
static inline bool tring_is_control(uint32_t character)
{
	return character < 0x20 || (character >= 0x7f && character < 0xa0);
}

/**
 * tring_is_printable - is a text as tring_text_escape() leaves it, without a look at UTF-8?
 * @text: the text
 * @size: bytes of @text
 *
 * Return: true if all bytes are ASCII and none is a control character.
 */
static inline bool tring_is_printable(const char *text, size_t size)
{
	const uint64_t ones = 0x0101010101010101, top = 0x80 * ones;
	uint64_t bytes, bad = 0;

	/* a byte below a blank borrows, and one from DEL on has its top bit set, or gets it */
	for (; size >= sizeof(bytes); size -= sizeof(bytes), text += sizeof(bytes)) {
		memcpy(&bytes, text, sizeof(bytes));
		bad |= (bytes - 0x20 * ones) | (bytes + ones) | bytes;
	}
	while (size--)
		bad |= (uint8_t)(text[size] - ' ') | (uint8_t)(text[size] + 1) |
		       (uint8_t)text[size];
	return !(bad & top);
}

/**
 * tring_is_ascii - does a text consist of ASCII only?
 * @text: the text
 * @size: bytes of @text
 */
static inline bool tring_is_ascii(const uint8_t *text, size_t size)
{
	uint64_t bytes, all = 0;

	for (; size >= sizeof(bytes); size -= sizeof(bytes), text += sizeof(bytes)) {
		memcpy(&bytes, text, sizeof(bytes));
		all |= bytes;
	}
	while (size)
		all |= text[--size];
	return !(all & 0x8080808080808080);
}

#endif /* TRING_TEXT_H */
