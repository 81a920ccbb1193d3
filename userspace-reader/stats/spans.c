// SPDX-License-Identifier: GPL-2.0
/* What begins and ends, by number and name. */
#include <stdlib.h>

#include "spans.h"
#include "util/util.h"

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
	const uint64_t pair[] = { number, size ? 1 + tring_intern(&spans->keys, key, size) : 0 };
	size_t at = tring_intern(&spans->pairs, pair, size ? sizeof(pair) : sizeof(*pair));
	struct tring_span *span;

	if (at < spans->count)
		return spans->list[at];
	span = tring_allocate(sizeof(*span));
	span->number = number;
	span->place = at;
	span->key = size ? spans->keys.list[pair[1] - 1].bytes : "";
	spans->list = tring_one_more(spans->list, spans->count, sizeof(*spans->list));
	spans->list[spans->count++] = span;
	return span;
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
		free(spans->list[i]->name);
		free(spans->list[i]);
	}
	free(spans->list);
	tring_intern_free(&spans->keys);
	tring_intern_free(&spans->pairs);
}
