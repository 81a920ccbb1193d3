/* SPDX-License-Identifier: GPL-2.0 */
/* Prints tables of what the machine does now, again and again. */
#ifndef TRING_TOP_LIVE_H
#define TRING_TOP_LIVE_H

#include "record/options.h"
#include "show/top_show.h"

/**
 * struct tring_top_live - what the user asked for
 * @choice: the tables
 * @rows: rows of each table
 * @has_rows: the user has given @rows; otherwise as many as the screen has room for
 * @sort: column to sort by, or NULL
 * @histograms: a histogram of each row
 * @interval: nanoseconds of an interval
 * @count: number of intervals; 0 for no end
 * @wanted: which events
 * @recording: what is recorded, and how; events that the tables need are added
 */
struct tring_top_live {
	struct tring_top_choice choice;
	uint64_t	rows;
	bool		has_rows;
	const char	*sort;
	bool		histograms;
	uint64_t	interval;
	uint64_t	count;
	const struct tring_wanted *wanted;
	struct tring_recording_options recording;
};

int tring_top_live(struct tring_top_live *live);

#endif /* TRING_TOP_LIVE_H */
