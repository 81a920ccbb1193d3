// SPDX-License-Identifier: GPL-2.0
/* Tables: times between two events, as of tring latency. */
#include "table_pair.h"
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
