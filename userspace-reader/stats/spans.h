/* SPDX-License-Identifier: GPL-2.0 */
/* What begins and ends: interrupts, softirqs and system calls, with their durations. */
#ifndef TRING_SPANS_H
#define TRING_SPANS_H

#include <stddef.h>
#include <stdint.h>

#include "timing.h"

/**
 * struct tring_span - an irq, a softirq or a system call
 * @number: its number
 * @place: its place among all of its kind
 * @key: name of an irq, several of which may have a number; "" for the others
 * @name: its name as it is shown, NULL if only the number is known
 * @timing: how long it was
 * @failed: number of system calls that have failed
 */
struct tring_span {
	int64_t		number;
	size_t		place;
	char		*key;
	char		*name;
	struct tring_timing timing;
	uint64_t	failed;
};

/**
 * struct tring_spans - all of one kind
 * @list: in the order in which they were seen
 * @count: number of @list
 * @places: hash table of @list
 * @size: number of @places, a power of 2
 */
struct tring_spans {
	struct tring_span **list;
	size_t		count;
	struct tring_span **places;
	size_t		size;
};

struct tring_span *tring_spans_get(struct tring_spans *spans, int64_t number,
				   const char *key, size_t size);
void tring_spans_reset(struct tring_spans *spans);
void tring_spans_free(struct tring_spans *spans);

#endif /* TRING_SPANS_H */
