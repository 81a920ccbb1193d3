// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Several traces as one, in the order of the wall clock. Of each the next event or loss is known;
 * the earliest one is given.
 */
#include <errno.h>
#include <stdlib.h>

#include "align.h"
#include "join.h"
#include "util/util.h"

static void take_next(struct tring_joined *joined)
{
	const struct tring_trace_info *info = &joined->trace->info;
	const struct tring_record *record;

	joined->more = tring_trace_next(joined->trace, &joined->item) > 0;
	if (!joined->more)
		return;
	record = joined->item.record;
	/* what was lost behind the last event of a trace comes behind all events */
	joined->time = record ? tring_clock_wall(record->stamp, info->clock_frequency,
						 info->clock_offset) :
				(struct tring_wall) { INT64_MAX, 0 };
}

/**
 * tring_join_next - get the next event or loss of all traces
 * @join: the traces
 * @item: filled in; of equal times that of the first trace
 *
 * Return: 1, or 0 at the end.
 */
int tring_join_next(struct tring_join *join, struct tring_item *item)
{
	struct tring_joined *earliest = NULL, *at;

	for (at = join->list; at < join->list + join->count; at++) {
		if (!join->given || join->given == at)
			take_next(at);
		if (at->more && (!earliest || tring_wall_is_before(&at->time, &earliest->time)))
			earliest = at;
	}
	join->given = earliest ? earliest : join->given;
	if (!earliest)
		return 0;
	*item = earliest->item;
	return 1;
}

/**
 * tring_join_part - let each of the traces be one of its own again
 * @join: the traces; freed. NULL for none
 */
void tring_join_part(struct tring_join *join)
{
	size_t i;

	if (!join)
		return;
	for (i = 0; i < join->count; i++) {
		join->traces[i]->join = NULL;
		join->traces[i]->selection = NULL;
		tring_selection_free(&join->selections[i]);
	}
	free(join->traces);
	free(join->list);
	free(join->selections);
	free(join);
}

static int add(struct tring_join *join, struct tring_trace *trace)
{
	if (!trace->events.tep || trace->join || trace->follow) {
		tring_error("%s: %s", trace->dir, trace->events.tep ?
			    "it is followed, or one of several already" : "it is not open");
		return -EINVAL;
	}
	trace->join = join;
	join->traces[join->count] = trace;
	join->list[join->count++].trace = trace;
	return 0;
}

/**
 * tring_join - read several traces as one
 * @traces: the traces, before anything was read or chosen. A function for one of them is for all
 *	of them then, if it gives, chooses or seeks events; tring_close() of one parts them
 * @count: number of traces
 * @align: event that was at the same moment in all traces, as a filter; the first one of each
 *	counts. NULL to believe the wall clock
 *
 * Return: 0 or a negative errno, which the first trace tells.
 */
int tring_join(struct tring_trace *const *traces, size_t count, const char *align)
{
	struct tring_sink *before = tring_trace_enter(traces[0]);
	struct tring_join *join = tring_allocate(sizeof(*join));
	int error = 0;
	size_t i;

	join->traces = tring_allocate(count * sizeof(*join->traces));
	join->list = tring_allocate(count * sizeof(*join->list));
	join->selections = tring_allocate(count * sizeof(*join->selections));
	for (i = 0; i < count && !error; i++)
		error = add(join, traces[i]);
	if (!error)
		error = tring_align(join->traces, count, align);
	if (error)
		tring_join_part(join);
	return tring_trace_leave(traces[0], before, error);
}
