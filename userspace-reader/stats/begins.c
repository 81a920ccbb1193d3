// SPDX-License-Identifier: GPL-2.0
/* Begins that have no end yet: a tree by what they have in common with it, and a list by age. */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "begins.h"
#include "util/intern.h"
#include "util/util.h"

static int compare(const void *left, const void *right)
{
	const struct tring_begin *a = left, *b = right;

	if (a->hash != b->hash)
		return a->hash < b->hash ? -1 : 1;
	return a->size == b->size ? memcmp(a->key, b->key, a->size) : a->size < b->size ? -1 : 1;
}

/**
 * tring_begins_find - find a begin
 * @begins: the begins
 * @key: what it has in common with its end
 * @size: bytes of @key
 *
 * Return: the begin; NULL if there is none.
 */
struct tring_begin *tring_begins_find(const struct tring_begins *begins, const void *key,
				      size_t size)
{
	const struct tring_begin wanted = {
		.hash = tring_hash(key, size), .key = key, .size = size,
	};
	struct tring_begin **found = tfind(&wanted, &begins->tree, compare);

	return found ? *found : NULL;
}

/**
 * tring_begins_add - add a begin
 * @begins: the begins, initialized, without one of the same key
 * @key: what it has in common with its end
 * @size: bytes of @key
 *
 * Return: the begin, the youngest one, of which nothing else is set.
 */
struct tring_begin *tring_begins_add(struct tring_begins *begins, const void *key, size_t size)
{
	struct tring_begin *begin = tring_allocate(sizeof(*begin) + size);

	begin->key = memcpy(begin + 1, key, size);
	begin->size = size;
	begin->hash = tring_hash(key, size);
	if (!tsearch(begin, &begins->tree, compare))
		abort();
	TAILQ_INSERT_TAIL(&begins->list, begin, by_age);
	begins->count++;
	return begin;
}

/**
 * tring_begins_remove - remove and free a begin
 * @begins: the begins
 * @begin: from tring_begins_find()
 */
void tring_begins_remove(struct tring_begins *begins, struct tring_begin *begin)
{
	tdelete(begin, &begins->tree, compare);
	TAILQ_REMOVE(&begins->list, begin, by_age);
	begins->count--;
	free(begin);
}
