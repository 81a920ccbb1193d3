/* SPDX-License-Identifier: GPL-2.0 */
/* Writes the events and losses of traces, ordered by time. */
#ifndef TRING_SHOW_H
#define TRING_SHOW_H

#include "print/printer.h"
#include "tring.h"

/**
 * struct tring_shown - a trace that is shown
 * @trace: the trace
 * @name: its name among others; NULL if it is the only one
 * @style: how its events are shown
 * @printer: how each of them is printed
 */
struct tring_shown {
	struct tring_trace *trace;
	const char	*name;
	struct tring_style style;
	struct tring_printer printer;
};

/**
 * struct tring_show - traces that are shown
 * @traces: the traces
 * @count: number of @traces
 * @write: writes the item, which is one of a trace; NULL for lines of text
 * @data: for use by @write
 * @item: the event or loss that is written
 * @before: the line before, of whichever trace
 * @given: number of events that were written
 * @lost: number of events that are missing where that was written
 * @failed: the output cannot be written, so the rest is not read
 */
struct tring_show {
	struct tring_shown *traces;
	size_t		count;
	void		(*write)(struct tring_show *show, struct tring_shown *shown);
	void		*data;
	struct tring_item item;
	struct tring_line_before before;
	uint64_t	given;
	uint64_t	lost;
	bool		failed;
};

void tring_show_name(struct tring_show *show);
void tring_show_all(struct tring_show *show);
void tring_show_follow(struct tring_show *show);
void tring_show_loss(const char *label, int cpu, uint64_t events, uint64_t packets,
		     const char *end);
void tring_show_free(struct tring_show *show);

#endif /* TRING_SHOW_H */
