/* SPDX-License-Identifier: GPL-2.0 */
/* What begins and ends, with its durations: interrupts, softirqs, system calls, marked spans. */
#ifndef TRING_SPANS_H
#define TRING_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "timing.h"
#include "util/intern.h"

/**
 * struct tring_span - an irq, a softirq, a system call, or what a program has marked
 * @number: its number
 * @place: its place among all of its kind
 * @key: name of an irq, several of which may have a number, or of a mark; "" for the others
 * @name: its name as it is shown, NULL if only the number is known
 * @timing: how long it was
 * @failed: number of system calls that have failed
 * @returned: sum of what the others have returned
 * @wanted: the user has asked for events of it
 * @least: of a counter, whose @timing has the number of values: the smallest one
 * @most: the largest one
 * @last: the last one
 */
struct tring_span {
	int64_t		number;
	size_t		place;
	const char	*key;
	char		*name;
	struct tring_timing timing;
	uint64_t	failed;
	uint64_t	returned;
	bool		wanted;
	int64_t		least;
	int64_t		most;
	int64_t		last;
};

/**
 * struct tring_open - what has begun
 * @span: the interrupt, system call or marked span; NULL for none
 * @since: timestamp of its begin
 */
struct tring_open {
	struct tring_span *span;
	uint64_t	since;
};

/**
 * struct tring_spans - all of one kind
 * @list: in the order in which they were seen
 * @count: number of @list
 * @keys: the keys that are not ""
 * @pairs: number, and number of the key in @keys and 1, or 0 for ""; numbered as @list
 */
struct tring_spans {
	struct tring_span **list;
	size_t		count;
	struct tring_intern keys;
	struct tring_intern pairs;
};

struct tring_span *tring_spans_get(struct tring_spans *spans, int64_t number,
				   const char *key, size_t size);
void tring_spans_reset(struct tring_spans *spans);
void tring_spans_free(struct tring_spans *spans);

#endif /* TRING_SPANS_H */
