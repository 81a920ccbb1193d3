// SPDX-License-Identifier: GPL-2.0
/* The texts of a piece, each of them once. */
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "util/text.h"
#include "util/util.h"

#define FIRST_SIZE	256

static uint64_t hash_of(const char *text, size_t size)
{
	uint64_t hash = size, part;

	for (; size >= sizeof(part); text += sizeof(part), size -= sizeof(part)) {
		memcpy(&part, text, sizeof(part));
		hash = (hash ^ part) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 32;
	}
	for (part = 0; size; size--)
		part = part << 8 | (uint8_t)text[size - 1];
	hash = (hash ^ part) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 32;
}

/* @text: as it is written, with its length. Return: its place, or a free one. */
static uint32_t *find_place(const struct tring_page_texts *texts, const char *text, size_t size)
{
	size_t at = hash_of(text, size) & (texts->size - 1);

	for (; texts->places[at]; at = (at + 1) & (texts->size - 1)) {
		const uint32_t *offset = &texts->offsets[texts->places[at] - 1];

		if (offset[1] - offset[0] == size &&
		    !memcmp(texts->bytes.start + offset[0], text, size))
			break;
	}
	return &texts->places[at];
}

static void grow(struct tring_page_texts *texts)
{
	size_t i;

	texts->size = texts->size ? 2 * texts->size : FIRST_SIZE;
	free(texts->places);
	texts->places = tring_allocate(texts->size * sizeof(*texts->places));
	for (i = 0; i < texts->count; i++)
		*find_place(texts, texts->bytes.start + texts->offsets[i],
			    texts->offsets[i + 1] - texts->offsets[i]) = i + 1;
}

static void add_offset(struct tring_page_texts *texts, size_t at)
{
	texts->offsets = tring_one_more(texts->offsets, at, sizeof(*texts->offsets));
	texts->offsets[at] = texts->bytes.at - texts->bytes.start;
}

/**
 * tring_page_texts_get - get the number of a text
 * @texts: the texts, zeroed before the first call
 * @text: the text
 * @size: bytes of @text
 *
 * Return: its number, which is a new one if it is not among @texts.
 */
uint32_t tring_page_texts_get(struct tring_page_texts *texts, const char *text, size_t size)
{
	size_t begin;
	uint32_t *place;

	if (!texts->bytes.start)
		tring_line_init(&texts->bytes);
	if (2 * texts->count >= texts->size)
		grow(texts);
	if (!texts->count)
		add_offset(texts, 0);
	begin = texts->bytes.at - texts->bytes.start;
	tring_page_text(&texts->bytes, text, size);
	place = find_place(texts, texts->bytes.start + begin,
			   texts->bytes.at - texts->bytes.start - begin);
	if (*place) {
		texts->bytes.at = texts->bytes.start + begin;
	} else {
		add_offset(texts, ++texts->count);
		*place = texts->count;
	}
	return *place - 1;
}

/**
 * tring_page_texts_at - get a text
 * @texts: the texts
 * @number: its number
 * @size: set to its bytes
 *
 * Return: the text, valid until another one is added.
 */
const char *tring_page_texts_at(const struct tring_page_texts *texts, size_t number,
				size_t *size)
{
	const char *at = texts->bytes.start + texts->offsets[number];

	/* its length is in front of it */
	while (*at++ & 0x80)
		;
	*size = texts->bytes.start + texts->offsets[number + 1] - at;
	return at;
}

/**
 * tring_page_texts_reset - forget all texts
 * @texts: the texts
 */
void tring_page_texts_reset(struct tring_page_texts *texts)
{
	if (texts->places)
		memset(texts->places, 0, texts->size * sizeof(*texts->places));
	texts->bytes.at = texts->bytes.start;
	texts->count = 0;
}

/**
 * tring_page_texts_free - free the texts
 * @texts: the texts
 */
void tring_page_texts_free(struct tring_page_texts *texts)
{
	if (texts->bytes.start)
		tring_line_free(&texts->bytes);
	free(texts->offsets);
	free(texts->places);
}
