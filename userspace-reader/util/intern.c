// SPDX-License-Identifier: LGPL-2.1-or-later
/* Numbers for texts and the like: a hash table that is half empty. */
#include <stdlib.h>
#include <string.h>

#include "intern.h"
#include "util.h"

#define FIRST_SIZE	64

static uint32_t *find_place(const struct tring_intern *intern, const void *bytes, size_t size,
			    uint64_t hash)
{
	size_t at = hash & (intern->size - 1);

	for (; intern->places[at]; at = (at + 1) & (intern->size - 1)) {
		const struct tring_interned *one = &intern->list[intern->places[at] - 1];

		if (one->hash == hash && one->size == size && !memcmp(one->bytes, bytes, size))
			break;
	}
	return &intern->places[at];
}

static void grow(struct tring_intern *intern)
{
	size_t i;

	intern->size = intern->size ? 2 * intern->size : FIRST_SIZE;
	free(intern->places);
	intern->places = tring_allocate(intern->size * sizeof(*intern->places));
	for (i = 0; i < intern->count; i++) {
		const struct tring_interned *one = &intern->list[i];

		*find_place(intern, one->bytes, one->size, one->hash) = i + 1;
	}
}

/**
 * tring_hash - get a hash of bytes, which are taken as words
 * @bytes: the bytes
 * @size: number of bytes
 */
uint64_t tring_hash(const void *bytes, size_t size)
{
	const uint8_t *at = bytes;
	uint64_t hash = size, word;

	for (; size >= sizeof(word); at += sizeof(word), size -= sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 32;
	}
	for (word = 0; size; size--)
		word = word << 8 | at[size - 1];
	hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 32;
}

/**
 * tring_intern - get the number of bytes
 * @intern: all bytes that have numbers
 * @bytes: the bytes
 * @size: number of bytes
 *
 * Return: the number; the first one is 0, and each new one is one more.
 */
uint32_t tring_intern(struct tring_intern *intern, const void *bytes, size_t size)
{
	uint64_t hash = tring_hash(bytes, size);
	struct tring_interned *added;
	uint32_t *place;

	if (2 * intern->count >= intern->size)
		grow(intern);
	place = find_place(intern, bytes, size, hash);
	if (*place)
		return *place - 1;
	intern->list = tring_one_more(intern->list, intern->count, sizeof(*added));
	added = &intern->list[intern->count++];
	*added = (struct tring_interned) { tring_allocate(size + 1), size, hash };
	if (size)
		memcpy(added->bytes, bytes, size);
	*place = intern->count;
	return *place - 1;
}

/**
 * tring_intern_free - free all
 * @intern: the bytes, of which there are none then
 */
void tring_intern_free(struct tring_intern *intern)
{
	size_t i;

	for (i = 0; i < intern->count; i++)
		free(intern->list[i].bytes);
	free(intern->list);
	free(intern->places);
	*intern = (struct tring_intern) { 0 };
}
