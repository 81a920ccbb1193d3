/* SPDX-License-Identifier: GPL-2.0 */
/* Prints tables of traces. */
#ifndef TRING_TOP_TRACES_H
#define TRING_TOP_TRACES_H

#include "top_show.h"

/**
 * struct tring_top_traces - what the user asked for
 * @dirs: the traces
 * @count: number of @dirs
 * @tables: the tables; none for the most important rows of all
 * @wanted: which events
 * @rows: rows of each table
 * @sort: column to sort by, or NULL
 * @histograms: a histogram of each row
 * @interval: nanoseconds of an interval, or 0
 * @json: an object of JSON for each row
 */
struct tring_top_traces {
	char		**dirs;
	size_t		count;
	struct tring_top_choice tables;
	struct tring_wanted wanted;
	size_t		rows;
	const char	*sort;
	bool		histograms;
	uint64_t	interval;
	bool		json;
};

void tring_top_advise(const struct tring_top *top, const struct tring_table *table);
bool tring_top_has_all(const struct tring_top *top, const struct tring_top_choice *choice);
bool tring_top_select(struct tring_trace *trace, const struct tring_wanted *wanted);
int tring_top_diff(const struct tring_top_traces *traces);
int tring_top_traces(const struct tring_top_traces *traces);

#endif /* TRING_TOP_TRACES_H */
