/* SPDX-License-Identifier: GPL-2.0 */
/* Reads a trace for its tables. */
#ifndef TRING_TOP_WALK_H
#define TRING_TOP_WALK_H

#include "gaps.h"
#include "read/trace.h"
#include "top.h"

/**
 * struct tring_top_walk - a trace and its tables
 * @trace: the trace, loaded
 * @selection: what the user has asked for, applied to @trace
 * @top: the tables; the caller has set how they are to be printed
 * @marker: begin of the text of each marker at which reading stops, before its number; NULL
 *	for none. Set by the caller, like the next two
 * @marker_id: id of the markers' event
 * @marker_number: number of the marker to stop at
 * @limit: up to this timestamp everything was taken. What comes later all the same is taken
 *	as if it were of that time; 0 to take all times as they are
 *
 * What follows is private.
 * @scouts: for each CPU
 * @errors: pieces of bad input so far, of each CPU
 * @unknown: events without a format, of each CPU
 * @entries: one for each CPU, private to @merge
 * @merge: the CPUs in time order
 * @entry: the next event; NULL at the end
 * @marked: the marker was found
 * @next: timestamp behind which the next loss is
 * @last: timestamp of the last event that was counted
 * @later: there are later events than the user has asked for
 */
struct tring_top_walk {
	struct tring_trace *trace;
	struct tring_selection *selection;
	struct tring_top top;
	const char	*marker;
	uint16_t	marker_id;
	uint64_t	marker_number;
	uint64_t	limit;

	struct tring_scout *scouts;
	uint64_t	*errors;
	uint64_t	*unknown;
	struct tring_merge_entry *entries;
	struct tring_merge merge;
	struct tring_merge_entry *entry;
	bool		marked;
	uint64_t	next;
	uint64_t	last;
	bool		later;
};

void tring_top_walk_init(struct tring_top_walk *walk);
void tring_top_walk_begin(struct tring_top_walk *walk);
void tring_top_walk_run(struct tring_top_walk *walk);
void tring_top_walk_more(struct tring_top_walk *walk);
void tring_top_walk_tell(struct tring_top_walk *walk);
void tring_top_walk_free(struct tring_top_walk *walk);

#endif /* TRING_TOP_WALK_H */
