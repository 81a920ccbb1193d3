// SPDX-License-Identifier: GPL-2.0
/* Tables: spans and counters that programs have marked. */
#include "table_timing.h"
#include "util/util.h"

static const struct tring_column span_columns[] = {
	[TRING_TIMING_NUMBER] = { "process", TRING_UNIT_COUNT, 8, true },
	TRING_TIMING_LIST("count"),
};

enum { PROCESS, VALUES, LEAST, MOST, LAST };

static const struct tring_column counter_columns[] = {
	[PROCESS] = { "process", TRING_UNIT_COUNT, 8, true },
	[VALUES] = { "values", TRING_UNIT_COUNT, 9, false },
	[LEAST] = { "min", TRING_UNIT_SIGNED, 13, false },
	[MOST] = { "max", TRING_UNIT_SIGNED, 13, false },
	[LAST] = { "last", TRING_UNIT_SIGNED, 13, false },
};

static void show_counters(struct tring_top *top, const struct tring_table *table)
{
	struct tring_rows rows;
	size_t i;

	tring_table_rows(top, table, &rows);
	for (i = 0; i < top->counters.count; i++) {
		const struct tring_span *counter = top->counters.list[i];
		struct tring_row row = { .values = {
			[PROCESS] = counter->number, [VALUES] = counter->timing.count,
			[LEAST] = TRING_SIGNED(counter->least),
			[MOST] = TRING_SIGNED(counter->most),
			[LAST] = TRING_SIGNED(counter->last),
		} };

		if (!counter->timing.count)
			continue;
		row.text = tring_format("%s", counter->name);
		tring_rows_add(&rows, &row);
	}
	tring_rows_show(&rows);
	tring_rows_free(&rows);
}

const struct tring_table tring_table_spans = {
	.name = "spans",
	.title = "Spans that programs have marked",
	TRING_COLUMNS(span_columns),
	.text = "name",
	.sort = "total-ms",
	.spans = offsetof(struct tring_top, marks),
	.show = tring_timing_spans,
};

const struct tring_table tring_table_counters = {
	.name = "counters",
	.title = "Counters that programs have marked",
	TRING_COLUMNS(counter_columns),
	.text = "name",
	.sort = "values",
	.show = show_counters,
};
