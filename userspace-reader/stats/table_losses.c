// SPDX-License-Identifier: GPL-2.0
/* Table: when events were lost, for how long, and how many. */
#include <stdio.h>

#include "tables.h"
#include "util/util.h"

enum { CPU, FROM, TO, LENGTH, EVENTS, PACKETS };

static const struct tring_column columns[] = {
	[CPU] = { "cpu", TRING_UNIT_COUNT, 4, true },
	[FROM] = { "from", TRING_UNIT_STAMP, 18, true },
	[TO] = { "to", TRING_UNIT_STAMP, 18, true },
	[LENGTH] = { "ms", TRING_UNIT_MS, 13, false },
	[EVENTS] = { "events", TRING_UNIT_COUNT, 12, false },
	[PACKETS] = { "packets", TRING_UNIT_COUNT, 9, false },
};

/**
 * tring_losses_add - add a loss
 * @top: all tables
 * @gap: the loss
 */
void tring_losses_add(struct tring_top *top, const struct tring_gap *gap)
{
	bool known = gap->from != TRING_NO_VALUE && gap->to != TRING_NO_VALUE;
	struct tring_row row = { .values = {
		[CPU] = gap->cpu->cpu,
		[FROM] = gap->from,
		[TO] = gap->to,
		[LENGTH] = known && gap->to >= gap->from ? gap->to - gap->from : TRING_NO_VALUE,
		[EVENTS] = gap->events,
		[PACKETS] = gap->packets,
	} };

	tring_rows_add(&top->gaps, &row);
}

static void show(struct tring_top *top, const struct tring_table *table)
{
	(void)table;
	top->gaps.out = top->out;
	top->gaps.limit = top->rows;
	if (top->gaps.all)
		tring_rows_show(&top->gaps);
	else if (!top->json)
		fputs("nothing was lost\n", top->out);
}

const struct tring_table tring_table_losses = {
	.name = "losses",
	.title = "Losses",
	TRING_COLUMNS(columns),
	.text = "",
	.sort = "events",
	.show = show,
};
