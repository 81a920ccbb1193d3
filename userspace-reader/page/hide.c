// SPDX-License-Identifier: GPL-2.0
/*
 * Addresses of the kernel tell an attacker where it lies. A page goes by mail, so it has a number
 * in the place of each, as the kernel's own "%p": the same one for the same address, and of no use
 * elsewhere.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "page.h"

/* The upper half of an address space of 57 bits, or less; above it are negative errors. */
#define FIRST	UINT64_C(0xff00000000000000)
#define LAST	UINT64_C(0xfffffffffffff000)

/* Digits of such an address. */
#define DIGITS	16

/**
 * tring_page_hide_init - choose how addresses are hidden in this page
 * @page: the page
 */
void tring_page_hide_init(struct tring_page *page)
{
	if (getrandom(page->key, sizeof(page->key), 0) != sizeof(page->key))
		abort();
}

/**
 * tring_page_hide - hide an address
 * @page: the page
 * @value: a number
 *
 * Return: the number; another one of 32 bits if it may be an address of the kernel.
 */
uint64_t tring_page_hide(const struct tring_page *page, uint64_t value)
{
	if (value < FIRST || value >= LAST || page->options->addresses)
		return value;
	value = (value ^ page->key[0]) * UINT64_C(0xbf58476d1ce4e5b9);
	value = (value ^ value >> 31 ^ page->key[1]) * UINT64_C(0x94d049bb133111eb);
	return value >> 32;
}

static int digit_of(char character)
{
	const unsigned int digit = character - '0', letter = (character | 0x20) - 'a';

	return digit < 10 ? (int)digit : letter < 6 ? (int)letter + 10 : -1;
}

/* Return: number of hexadecimal digits at the begin of a text; @value is set to theirs. */
static size_t read_digits(const char *text, size_t size, uint64_t *value)
{
	size_t i;

	for (i = 0, *value = 0; i < size && digit_of(text[i]) >= 0; i++)
		*value = *value << 4 | digit_of(text[i]);
	return i;
}

/**
 * tring_page_hide_text - hide the addresses in a text
 * @page: the page
 * @text: the text, which is changed
 * @size: its bytes
 *
 * Return: the bytes that it has then.
 */
size_t tring_page_hide_text(const struct tring_page *page, char *text, size_t size)
{
	size_t from = 0, to = 0;

	while (from < size) {
		uint64_t value, hidden;
		size_t count = read_digits(text + from, size - from, &value), i;

		hidden = tring_page_hide(page, value);
		if (count != DIGITS || hidden == value) {
			if (!count)
				count = 1;
			memmove(text + to, text + from, count);
			to += count;
		} else {
			for (i = 8; i-- > 0; )
				text[to++] = "0123456789abcdef"[hidden >> 4 * i & 15];
		}
		from += count;
	}
	return to;
}
