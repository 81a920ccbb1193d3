// SPDX-License-Identifier: GPL-2.0
/* Table: how many events of each kind there are, how often they come, and their bytes. */
#include "util/clock.h"
#include "tables.h"
#include "util/util.h"

enum { EVENTS, RATE, SHARE, BYTES, SIZE };

static const struct tring_column columns[] = {
	[EVENTS] = { "events", TRING_UNIT_COUNT, 12, false },
	[RATE] = { "events/s", TRING_UNIT_THOUSANDTHS, 13, false },
	[SHARE] = { "bytes-%", TRING_UNIT_THOUSANDTHS, 8, false },
	[BYTES] = { "bytes", TRING_UNIT_COUNT, 14, false },
	[SIZE] = { "bytes/event", TRING_UNIT_THOUSANDTHS, 11, false },
};

static struct tring_row make_row(const struct tring_top *top,
				 const struct tring_event_count *count,
				 const struct tring_event_count *all)
{
	double seconds = (double)(top->end - top->begin) / top->frequency;

	return (struct tring_row) { .values = {
		[EVENTS] = count->events,
		[RATE] = tring_table_ratio(count->events, seconds, 1000),
		[SHARE] = tring_table_ratio(count->bytes, all->bytes, 100000),
		[BYTES] = count->bytes,
		[SIZE] = tring_table_ratio(count->bytes, count->events, 1000),
	} };
}

static void show(struct tring_top *top, const struct tring_table *table)
{
	struct tring_event_count all = { 0 };
	struct tring_rows rows;
	struct tring_row row;
	char name[] = "all";
	size_t i;

	tring_table_rows(top, table, &rows);
	for (i = 0; i < top->event_count; i++) {
		all.events += top->counts[i].events;
		all.bytes += top->counts[i].bytes;
	}
	for (i = 0; i < top->event_count; i++) {
		/* a comparison wants to know that it was recorded */
		if (!top->counts[i].events && !top->collect)
			continue;
		row = make_row(top, &top->counts[i], &all);
		row.text = tring_format("%s", tring_event_at(top->trace, i)->name);
		tring_rows_add(&rows, &row);
	}
	tring_rows_show(&rows);
	if (rows.all > 1 && !top->json) {
		row = make_row(top, &all, &all);
		row.text = name;
		tring_rows_line(&rows, &row);
	}
	tring_rows_free(&rows);
}

const struct tring_table tring_table_events = {
	.name = "events",
	.title = "Events",
	TRING_COLUMNS(columns),
	.text = "event",
	.sort = "events",
	.show = show,
};
