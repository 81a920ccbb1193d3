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

void tring_timing_row(struct tring_rows *rows, uint64_t number, char *text,
		      const struct tring_timing *timing, uint64_t more);
void tring_timing_show_rows(const struct tring_top *top, struct tring_rows *rows,
			    const struct tring_row *sum);
void tring_timing_end(const struct tring_top *top, struct tring_rows *rows,
		      const struct tring_timing *all, uint64_t more);

#endif /* TRING_TABLE_TIMING_H */
