// SPDX-License-Identifier: GPL-2.0
/* What begins and ends, by number and name: a hash table that is half empty. */
#include <stdlib.h>
#include <string.h>

#include "spans.h"
#include "util/util.h"

#define FIRST_SIZE	64

static struct tring_span **find_place(const struct tring_spans *spans, int64_t number,
				      const char *key, size_t size)
{
	uint64_t hash = number;
	size_t i, at;

	for (i = 0; i < size; i++)
		hash = hash * 31 + (unsigned char)key[i];
	hash *= UINT64_C(0x9e3779b97f4a7c15);
	for (at = hash >> 32 & (spans->size - 1); spans->places[at];
	     at = (at + 1) & (spans->size - 1)) {
		const struct tring_span *span = spans->places[at];

		if (span->number == number && strlen(span->key) == size &&
		    !memcmp(span->key, key, size))
			break;
	}
	return &spans->places[at];
}

static void grow(struct tring_spans *spans)
{
	size_t i;

	spans->size = spans->size ? 2 * spans->size : FIRST_SIZE;
	free(spans->places);
	spans->places = tring_allocate(spans->size * sizeof(*spans->places));
	for (i = 0; i < spans->count; i++) {
		struct tring_span *span = spans->list[i];

		*find_place(spans, span->number, span->key, strlen(span->key)) = span;
	}
}

/**
 * tring_spans_get - get an irq, a softirq or a system call
 * @spans: all of the kind, zeroed before the first call
 * @number: its number
 * @key: name that distinguishes it from others with the number
 * @size: characters of @key, without a NUL
 *
 * Return: the one, which is new if it was not among @spans.
 */
struct tring_span *tring_spans_get(struct tring_spans *spans, int64_t number,
				   const char *key, size_t size)
{
	struct tring_span **place;

	if (2 * spans->count >= spans->size)
		grow(spans);
	place = find_place(spans, number, key, size);
	if (!*place) {
		*place = tring_allocate(sizeof(**place));
		(*place)->number = number;
		(*place)->place = spans->count;
		(*place)->key = tring_format("%.*s", (int)size, key);
		spans->list = tring_one_more(spans->list, spans->count, sizeof(*spans->list));
		spans->list[spans->count++] = *place;
	}
	return *place;
}

/**
 * tring_spans_reset - begin another interval
 * @spans: the interrupts or calls, whose numbers become 0
 */
void tring_spans_reset(struct tring_spans *spans)
{
	size_t i;

	for (i = 0; i < spans->count; i++) {
		tring_timing_reset(&spans->list[i]->timing);
		spans->list[i]->failed = 0;
		spans->list[i]->returned = 0;
	}
}

/**
 * tring_spans_free - free all
 * @spans: all of a kind
 */
void tring_spans_free(struct tring_spans *spans)
{
	size_t i;

	for (i = 0; i < spans->count; i++) {
		tring_timing_free(&spans->list[i]->timing);
		free(spans->list[i]->key);
		free(spans->list[i]->name);
		free(spans->list[i]);
	}
	free(spans->list);
	free(spans->places);
}
