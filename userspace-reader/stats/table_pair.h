/* SPDX-License-Identifier: GPL-2.0 */
/* What tables of the times between two events have in common. */
#ifndef TRING_TABLE_PAIR_H
#define TRING_TABLE_PAIR_H

#include "match.h"
#include "tables.h"

enum {
	TRING_PAIR_COUNT,
	TRING_PAIR_MEAN,
	TRING_PAIR_P50,
	TRING_PAIR_P99,
	TRING_PAIR_MOST,
	TRING_PAIR_UNKNOWN,
	TRING_PAIR_COLUMNS,
};

extern const struct tring_column tring_pair_columns[TRING_PAIR_COLUMNS];

struct tring_row tring_pair_row(const struct tring_latency_group *group);
void tring_pair_rows(const struct tring_latency *latency, struct tring_rows *rows);

#endif /* TRING_TABLE_PAIR_H */
