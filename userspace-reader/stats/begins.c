// SPDX-License-Identifier: GPL-2.0
/* Begins that have no end yet: a hash table of lists, by what they have in common with it. */
#include <stdlib.h>
#include <string.h>

#include "begins.h"
#include "util/intern.h"
#include "util/util.h"

#define FIRST_SIZE	1024

/**
 * tring_begins_find - find a begin
 * @begins: the begins
 * @key: what it has in common with its end
 * @size: bytes of @key
 *
 * Return: the place of the pointer to it, for tring_begins_remove(); NULL if there is none.
 */
struct tring_begin **tring_begins_find(const struct tring_begins *begins, const void *key,
				       size_t size)
{
	uint64_t hash = tring_hash(key, size);
	struct tring_begin **place;

	if (!begins->size)
		return NULL;
	for (place = &begins->places[hash & (begins->size - 1)]; *place; place = &(*place)->next)
		if ((*place)->hash == hash && (*place)->size == size &&
		    !memcmp((*place)->key, key, size))
			return place;
	return NULL;
}

static void grow(struct tring_begins *begins)
{
	struct tring_begins larger = { .size = begins->size ? 2 * begins->size : FIRST_SIZE };
	size_t i;

	larger.places = tring_allocate(larger.size * sizeof(*larger.places));
	for (i = 0; i < begins->size; i++)
		while (begins->places[i]) {
			struct tring_begin *begin = begins->places[i];
			struct tring_begin **place =
				&larger.places[begin->hash & (larger.size - 1)];

			begins->places[i] = begin->next;
			begin->next = *place;
			*place = begin;
		}
	free(begins->places);
	begins->places = larger.places;
	begins->size = larger.size;
}

/**
 * tring_begins_add - add a begin
 * @begins: the begins, without one of the same key
 * @key: what it has in common with its end
 * @size: bytes of @key
 *
 * Return: the begin, of which nothing else is set.
 */
struct tring_begin *tring_begins_add(struct tring_begins *begins, const void *key, size_t size)
{
	struct tring_begin *begin = tring_allocate(sizeof(*begin) + size);
	struct tring_begin **place;

	if (begins->count >= begins->size)
		grow(begins);
	begin->hash = tring_hash(key, size);
	begin->size = size;
	memcpy(begin->key, key, size);
	place = &begins->places[begin->hash & (begins->size - 1)];
	begin->next = *place;
	*place = begin;
	begins->count++;
	return begin;
}

/**
 * tring_begins_remove - remove and free a begin
 * @begins: the begins
 * @place: from tring_begins_find()
 */
void tring_begins_remove(struct tring_begins *begins, struct tring_begin **place)
{
	struct tring_begin *begin = *place;

	*place = begin->next;
	begins->count--;
	free(begin);
}

/**
 * tring_begins_free - free all begins
 * @begins: the begins
 */
void tring_begins_free(struct tring_begins *begins)
{
	size_t i;

	for (i = 0; i < begins->size; i++)
		while (begins->places[i])
			tring_begins_remove(begins, &begins->places[i]);
	free(begins->places);
}
