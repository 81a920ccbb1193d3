/* SPDX-License-Identifier: GPL-2.0 */
/* What tables of durations have in common. */
#ifndef TRING_TABLE_TIMING_H
#define TRING_TABLE_TIMING_H

#include "tables.h"

/* Columns of each table of durations. */
enum {
	TRING_TIMING_NUMBER,
	TRING_TIMING_COUNT,
	TRING_TIMING_TOTAL,
	TRING_TIMING_MEAN,
	TRING_TIMING_MOST,
	TRING_TIMING_AT,
	TRING_TIMING_UNKNOWN,
	TRING_TIMING_COLUMNS,
};

#define TRING_TIMING_LIST(count)					\
	[TRING_TIMING_COUNT] = { count, TRING_UNIT_COUNT, 9, false },	\
	[TRING_TIMING_TOTAL] = { "total-ms", TRING_UNIT_MS, 13, false }, \
	[TRING_TIMING_MEAN] = { "mean-us", TRING_UNIT_US, 12, false },	\
	[TRING_TIMING_MOST] = { "max-us", TRING_UNIT_US, 13, false },	\
	[TRING_TIMING_AT] = { "max-at", TRING_UNIT_STAMP, 18, true },	\
	[TRING_TIMING_UNKNOWN] = { "unknown", TRING_UNIT_COUNT, 9, false }

struct tring_row tring_timing_row(uint64_t number, const struct tring_timing *timing,
				  uint64_t more);
void tring_timing_show_rows(const struct tring_top *top, struct tring_rows *rows,
			    const struct tring_row *sum);
void tring_timing_spans(struct tring_top *top, const struct tring_table *table);

#endif /* TRING_TABLE_TIMING_H */
