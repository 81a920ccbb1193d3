// SPDX-License-Identifier: GPL-2.0
/*
 * Table: events over time. With an interval that the user has given, a line is printed as soon
 * as its interval has ended. Otherwise the interval begins with a microsecond, and when all
 * places are used, neighbours are added up: each width is twice or five times the one before.
 */
#include "util/clock.h"
#include "tables.h"
#include "util/util.h"

#define BAR_WIDTH	30

enum { TIME, EVENTS, RATE, BYTES, LOST };

static const struct tring_column columns[] = {
	[TIME] = { "from", TRING_UNIT_STAMP, 18, true },
	[EVENTS] = { "events", TRING_UNIT_COUNT, 12, false },
	[RATE] = { "events/s", TRING_UNIT_THOUSANDTHS, 13, false },
	[BYTES] = { "bytes", TRING_UNIT_COUNT, 14, false },
	[LOST] = { "lost", TRING_UNIT_COUNT, 12, false },
};

/* Return: number of the interval that has a timestamp. */
static uint64_t find_slot(const struct tring_top *top, uint64_t stamp)
{
	uint64_t ticks = top->begun && stamp > top->begin ? stamp - top->begin : 0;

	return tring_clock_ns(ticks, top->frequency) / top->rate.width;
}

static uint64_t slot_begin(const struct tring_top *top, uint64_t slot)
{
	return top->begin + tring_clock_first(slot * top->rate.width, top->frequency);
}

static struct tring_row make_row(const struct tring_top *top, const struct tring_slot *slot,
				 uint64_t number, uint64_t end)
{
	uint64_t from = slot_begin(top, number), to = slot_begin(top, number + 1);
	uint64_t until = to < end ? to : end;
	double seconds = until > from ? (double)(until - from) / top->frequency : 0;

	return (struct tring_row) { .values = {
		[TIME] = from,
		[EVENTS] = slot->events,
		[RATE] = tring_table_ratio(slot->events, seconds, 1000),
		[BYTES] = slot->bytes,
		[LOST] = slot->lost,
	} };
}

/* The width is 1, 2, 10, 20, 100 ... microseconds. */
static void widen(struct tring_rate *rate)
{
	unsigned int factor = rate->doubled ? 5 : 2, i;

	for (i = 0; i < TRING_SLOTS; i++) {
		struct tring_slot slot = rate->slots[i];

		rate->slots[i] = (struct tring_slot) { 0 };
		rate->slots[i / factor].events += slot.events;
		rate->slots[i / factor].bytes += slot.bytes;
		rate->slots[i / factor].lost += slot.lost;
	}
	rate->number /= factor;
	rate->width *= factor;
	rate->doubled = !rate->doubled;
}

static void print_slot(struct tring_top *top, uint64_t end)
{
	struct tring_rate *rate = &top->rate;
	struct tring_rows rows;
	struct tring_row row;

	if (!rate->slots[0].events && !rate->slots[0].lost)
		return;
	tring_table_rows(top, &tring_table_rate, &rows);
	if (!rate->printed)
		tring_rows_head(&rows);
	rate->printed = true;
	row = make_row(top, &rate->slots[0], rate->number, end);
	tring_rows_line(&rows, &row);
	rate->slots[0] = (struct tring_slot) { 0 };
}

/* Return: the interval that has a timestamp. */
static struct tring_slot *get_slot(struct tring_top *top, uint64_t stamp)
{
	struct tring_rate *rate = &top->rate;
	uint64_t number, most = top->slots ? top->slots : TRING_SLOTS;

	if (!rate->width)
		rate->width = 1000;
	number = find_slot(top, stamp);
	if (rate->fixed) {
		if (number > rate->number) {
			print_slot(top, UINT64_MAX);
			rate->number = number;
		}
		return &rate->slots[0];
	}
	while (number >= most) {
		widen(rate);
		number = find_slot(top, stamp);
	}
	if (number > rate->number)
		rate->number = number;
	return &rate->slots[number];
}

/**
 * tring_rate_add - add an event
 * @top: all tables
 * @stamp: its timestamp
 * @bytes: its bytes
 */
void tring_rate_add(struct tring_top *top, uint64_t stamp, uint32_t bytes)
{
	struct tring_slot *slot = get_slot(top, stamp);

	slot->events++;
	slot->bytes += bytes;
}

/**
 * tring_rate_lose - add a loss, where it ends
 * @top: all tables
 * @gap: the loss
 */
void tring_rate_lose(struct tring_top *top, const struct tring_gap *gap)
{
	uint64_t stamp = gap->to < top->last ? gap->to : top->last;

	get_slot(top, gap->to == TRING_NO_VALUE ? top->end : stamp)->lost += gap->events;
}

static char *make_bar(uint64_t events, uint64_t most)
{
	int width = most ? (double)events / most * BAR_WIDTH + 0.5 : 0;

	return tring_format("%.*s", width, "##############################");
}

static void show(struct tring_top *top, const struct tring_table *table)
{
	struct tring_rate *rate = &top->rate;
	struct tring_rows rows;
	uint64_t most = 0, i;

	if (rate->fixed) {
		print_slot(top, top->end);
		return;
	}
	if (!top->begun)
		return;
	tring_table_rows(top, table, &rows);
	rows.limit = 0;
	/* intervals without events behind the last one belong to the time, too */
	get_slot(top, top->end);
	for (i = 0; i <= rate->number; i++)
		if (rate->slots[i].events > most)
			most = rate->slots[i].events;
	for (i = 0; i <= rate->number; i++) {
		struct tring_row row = make_row(top, &rate->slots[i], i, top->end);

		row.text = make_bar(rate->slots[i].events, most);
		tring_rows_add(&rows, &row);
	}
	tring_rows_show(&rows);
	tring_rows_free(&rows);
}

const struct tring_table tring_table_rate = {
	.name = "rate",
	.title = "Events over time",
	TRING_COLUMNS(columns),
	.text = "",
	.sort = "from",
	.show = show,
};
