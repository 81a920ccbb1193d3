/* SPDX-License-Identifier: GPL-2.0 */
/* Events and losses as lines of JSON. */
#ifndef TRING_LINES_H
#define TRING_LINES_H

#include "tring.h"
#include "util/line.h"

struct tring_output;

/**
 * struct tring_lines - lines that are being written
 * @line: line under construction
 * @output: the file, or NULL for stdout
 */
struct tring_lines {
	struct tring_line line;
	struct tring_output *output;
};

/**
 * struct tring_lines_source - a trace whose lines are written
 * @trace: the trace
 * @name: its name among others; NULL if it is the only one
 * @zero: wall clock time of the zero of the clock that is shown; NULL for the trace's own clock
 */
struct tring_lines_source {
	struct tring_trace *trace;
	const char	*name;
	const struct tring_wall *zero;
};

void tring_lines_init(struct tring_lines *text, struct tring_output *output);
void tring_lines_free(struct tring_lines *text);
void tring_lines_head(struct tring_lines *text, const struct tring_lines_source *source);
void tring_lines_add(struct tring_lines *text, const struct tring_lines_source *source,
		     const struct tring_item *item);

#endif /* TRING_LINES_H */
