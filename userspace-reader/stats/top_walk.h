/* SPDX-License-Identifier: GPL-2.0 */
/* Reads a trace for its tables. */
#ifndef TRING_TOP_WALK_H
#define TRING_TOP_WALK_H

#include "top.h"

/**
 * struct tring_top_walk - a trace and its tables
 * @top: the tables; the caller has set @top.trace, and how they are to be printed
 * @marker: begin of the text of each marker at which reading stops, before its number; NULL
 *	for none. Set by the caller, like the next two
 * @marker_event: the markers' event
 * @marker_number: number of the marker to stop at
 * @limit: up to this timestamp everything was taken
 *
 * What follows is private.
 * @unknown: events without a format, of each CPU
 * @marked: the marker was found
 * @ended: all events were taken
 * @last: timestamp of the last event that was counted
 */
struct tring_top_walk {
	struct tring_top top;
	const char	*marker;
	const struct tring_event *marker_event;
	uint64_t	marker_number;
	uint64_t	limit;

	uint64_t	*unknown;
	bool		marked;
	bool		ended;
	uint64_t	last;
};

void tring_top_walk_init(struct tring_top_walk *walk);
bool tring_top_walk_step(struct tring_top_walk *walk, struct tring_item *item);
void tring_top_walk_run(struct tring_top_walk *walk);
void tring_top_walk_more(struct tring_top_walk *walk);
void tring_top_walk_tell(struct tring_top_walk *walk);
void tring_top_walk_free(struct tring_top_walk *walk);

#endif /* TRING_TOP_WALK_H */
