// SPDX-License-Identifier: GPL-2.0
/* Text for formats that have UTF-8 only. */
#include "utf8.h"

/**
 * tring_utf8_size - get the size of a character
 * @at: its first byte
 * @rest: bytes of the text from @at on, not 0
 *
 * Return: bytes of the character if it is valid UTF-8, else 0.
 */
size_t tring_utf8_size(const uint8_t *at, size_t rest)
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
		size_t bytes = tring_utf8_size(text, end - text);

		if (!bytes) {
			*at++ = 0xc0 | *text >> 6;
			*at++ = 0x80 | (*text++ & 0x3f);
			continue;
		}
		while (bytes--)
			*at++ = *text++;
	}
	return at - to;
}
