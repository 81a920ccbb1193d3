/* SPDX-License-Identifier: GPL-2.0 */
/* Markers that programs write: begins and ends of spans, and values of counters. */
#ifndef TRING_MARKERS_H
#define TRING_MARKERS_H

#include "top.h"

enum tring_marker_kind {
	TRING_MARKER_NONE,
	TRING_MARKER_BEGIN,
	TRING_MARKER_END,
	TRING_MARKER_COUNTER,
};

/**
 * struct tring_marker - a marker
 * @kind: what it is; TRING_MARKER_NONE for another text
 * @process: the process, by the number that it knows
 * @name: name of the span or the counter
 * @size: characters of @name
 * @value: of the counter
 */
struct tring_marker {
	enum tring_marker_kind kind;
	int64_t		process;
	const char	*name;
	size_t		size;
	int64_t		value;
};

struct tring_marker tring_marker_parse(const char *text, size_t size);
void tring_marker_take(struct tring_top *top, struct tring_top_cpu *cpu,
		       const struct tring_bound *bound, const struct tring_item *item);
void tring_markers_end(struct tring_top *top);

#endif /* TRING_MARKERS_H */
