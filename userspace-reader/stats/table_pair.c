// SPDX-License-Identifier: GPL-2.0
/* Tables: times between two events, as of tring latency. */
#include <stdlib.h>

#include "table_pair.h"
#include "table_timing.h"
#include "util/clock.h"
#include "util/util.h"

const struct tring_column tring_pair_columns[TRING_PAIR_COLUMNS] = {
	[TRING_PAIR_COUNT] = { "count", TRING_UNIT_COUNT, 8, false },
	[TRING_PAIR_MEAN] = { "mean-us", TRING_UNIT_US, 10, false },
	[TRING_PAIR_P50] = { "p50-us", TRING_UNIT_US, 10, false },
	[TRING_PAIR_P99] = { "p99-us", TRING_UNIT_US, 10, false },
	[TRING_PAIR_MOST] = { "max-us", TRING_UNIT_US, 11, false },
	[TRING_PAIR_UNKNOWN] = { "unknown", TRING_UNIT_COUNT, 7, false },
};

/**
 * tring_pair_row - make a row
 * @group: its times
 *
 * Return: the row, without a text.
 */
struct tring_row tring_pair_row(const struct tring_latency_group *group)
{
	const struct tring_timing *timing = &group->timing;
	bool some = timing->count;

	return (struct tring_row) { .values = {
		[TRING_PAIR_COUNT] = timing->count,
		[TRING_PAIR_MEAN] = some ? timing->total / timing->count : TRING_NO_VALUE,
		[TRING_PAIR_P50] = some ? tring_latency_quantile(group, 500000) : TRING_NO_VALUE,
		[TRING_PAIR_P99] = some ? tring_latency_quantile(group, 990000) : TRING_NO_VALUE,
		[TRING_PAIR_MOST] = some ? timing->most : TRING_NO_VALUE,
		[TRING_PAIR_UNKNOWN] = timing->unknown,
	}, .of = timing };
}

/**
 * tring_pair_rows - add a row for each value of the pair's "by"
 * @latency: the times
 * @rows: the rows, whose frequency is that of nanoseconds
 */
void tring_pair_rows(const struct tring_latency *latency, struct tring_rows *rows)
{
	size_t i;

	for (i = 0; i < latency->group_count; i++) {
		const struct tring_latency_group *group = latency->groups[i];
		struct tring_row row = tring_pair_row(group);

		if (!group->timing.count && !group->timing.unknown)
			continue;
		row.text = tring_format("%s", group->text);
		tring_rows_add(rows, &row);
	}
}

/* The table of each pair, and the field for whose values it has rows. */
static const struct {
	const char	*name;
	const char	*by;
} pairs[TRING_TOP_PAIRS] = {
	[TRING_TOP_BLOCK] = { "block", "dev" },
	[TRING_TOP_FUTEX] = { "futex", "uaddr" },
};

/**
 * tring_pairs_init - prepare the tables of pairs that the trace has
 * @top: all tables
 */
void tring_pairs_init(struct tring_top *top)
{
	struct tring_latency *latency;
	struct tring_pair pair;
	char *text;
	size_t i;

	for (i = 1; i < TRING_TOP_PAIRS && top->measures; i++) {
		tring_pair_find(&pair, pairs[i].name, &text);
		pair.by = pairs[i].by;
		if (!tring_pair_is_recorded(&pair, top->trace))
			continue;
		latency = tring_allocate(sizeof(*latency));
		if (!tring_pair_bind(&latency->pair, &pair, top->trace)) {
			tring_pair_free(&latency->pair);
			free(latency);
			continue;
		}
		tring_latency_init(latency, top->trace, &top->left_out);
		top->pairs[i] = latency;
	}
}

/**
 * tring_pairs_take - take an event or a loss
 * @top: all tables
 * @item: what the trace has given
 */
void tring_pairs_take(struct tring_top *top, const struct tring_item *item)
{
	size_t i;

	for (i = 1; i < TRING_TOP_PAIRS; i++)
		if (top->pairs[i])
			tring_latency_take(top->pairs[i], item);
}

/**
 * tring_pairs_reset - begin another interval
 * @top: all tables
 */
void tring_pairs_reset(struct tring_top *top)
{
	size_t i;

	for (i = 1; i < TRING_TOP_PAIRS; i++)
		if (top->pairs[i])
			tring_latency_reset(top->pairs[i]);
}

/**
 * tring_pairs_free - free the tables of pairs
 * @top: all tables
 */
void tring_pairs_free(struct tring_top *top)
{
	size_t i;

	for (i = 1; i < TRING_TOP_PAIRS; i++) {
		if (!top->pairs[i])
			continue;
		tring_latency_free(top->pairs[i]);
		tring_pair_free(&top->pairs[i]->pair);
		free(top->pairs[i]);
	}
}

static void show(struct tring_top *top, const struct tring_table *table)
{
	const struct tring_latency *latency = top->pairs[table->pair];
	const struct tring_row sum = tring_pair_row(&latency->all);
	struct tring_rows rows;

	tring_table_rows(top, table, &rows);
	rows.frequency = TRING_NS_A_SECOND;
	tring_pair_rows(latency, &rows);
	tring_timing_show_rows(top, &rows, &sum);
	tring_rows_free(&rows);
}

const struct tring_table tring_table_block = {
	.name = "block",
	.title = "Requests of block devices, from issue to completion",
	TRING_COLUMNS(tring_pair_columns),
	.text = "device",
	.sort = "max-us",
	.record = "block_rq_issue,block_rq_complete",
	.sums = true,
	.pair = TRING_TOP_BLOCK,
	.show = show,
};

const struct tring_table tring_table_futex = {
	.name = "futex",
	.title = "Calls of futex, by address",
	TRING_COLUMNS(tring_pair_columns),
	.text = "address",
	.sort = "max-us",
	.record = "sys_enter_futex,sys_exit_futex",
	.sums = true,
	.pair = TRING_TOP_FUTEX,
	.show = show,
};
