/* SPDX-License-Identifier: GPL-2.0 */
/* Text for formats that have UTF-8 only. */
#ifndef TRING_UTF8_H
#define TRING_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Bytes that a byte of a text takes at most. */
#define TRING_UTF8_MAX	2

size_t tring_utf8_size(const uint8_t *at, size_t rest);
size_t tring_utf8_repair(char *to, const uint8_t *text, size_t size);

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

#endif /* TRING_UTF8_H */
