/* SPDX-License-Identifier: GPL-2.0 */
/* Reads a trace for its tables. */
#ifndef TRING_TOP_WALK_H
#define TRING_TOP_WALK_H

#include "top.h"

/**
 * struct tring_top_walk - a trace and its tables
 * @top: the tables; the caller has set @top.trace, and how they are to be printed
 * @left_out: what is not recorded on purpose, as tring_env() has it; NULL if @top.trace knows.
 *	Set by the caller
 * @limit: up to this timestamp everything was taken
 *
 * What follows is private.
 * @unknown: events without a format, of each CPU
 * @ended: all events were taken
 * @last: timestamp of the last event that was counted
 */
struct tring_top_walk {
	struct tring_top top;
	const char	*left_out;
	uint64_t	limit;

	uint64_t	*unknown;
	bool		ended;
	uint64_t	last;
};

struct tring_left_out tring_left_out_parse(const char *text);
void tring_top_walk_init(struct tring_top_walk *walk);
bool tring_top_walk_step(struct tring_top_walk *walk, struct tring_item *item);
void tring_top_walk_run(struct tring_top_walk *walk);
void tring_top_walk_more(struct tring_top_walk *walk);
void tring_top_walk_tell(struct tring_top_walk *walk);
void tring_top_walk_free(struct tring_top_walk *walk);

#endif /* TRING_TOP_WALK_H */
