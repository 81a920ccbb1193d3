/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which events of a trace are shown. */
#ifndef TRING_SELECTION_H
#define TRING_SELECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filter.h"
#include "event/names.h"
#include "wire/wire.h"
#include "when.h"

struct tring_trace;

/**
 * struct tring_ranges - numbers that the user has named
 * @list: the ranges, with both ends, and whether a trace has a number of it
 * @count: number of ranges; 0 for all numbers
 */
struct tring_ranges {
	struct tring_range {
		uint64_t first, last;
		bool found;
	}		*list;
	size_t		count;
};

/**
 * struct tring_words - words that the user has named
 * @list: the words, and whether a trace has what they name
 * @count: number of words; 0 if the user did not ask for any
 */
struct tring_words {
	struct tring_word {
		char	*text;
		bool	found;
	}		*list;
	size_t		count;
};

/**
 * struct tring_selection - which events are shown: those that all parts name
 * @cpus: CPUs
 * @pids: tasks by number
 * @comms: tasks by name, as globs
 * @events: events, as patterns of record's -e
 * @conditions: events with conditions for their fields, one of which is to be met
 * @from: time of the first event
 * @to: time of the last event
 * @filters: @conditions, compiled
 * @filter_count: number of @filters
 * @ids: whether events are shown, by id; NULL for all
 * @first: timestamp of @from
 * @last: timestamp of @to
 * @behind: first timestamp behind @to, UINT64_MAX if there is none
 */
struct tring_selection {
	struct tring_ranges cpus;
	struct tring_ranges pids;
	struct tring_words comms;
	struct tring_words events;
	struct tring_words conditions;
	struct tring_when from;
	struct tring_when to;
	struct tring_filter *filters;
	size_t		filter_count;
	bool		*ids;
	uint64_t	first;
	uint64_t	last;
	uint64_t	behind;
};

bool tring_selection_take(struct tring_selection *selection, const struct tring_wanted *wanted);
bool tring_selection_is_all(const struct tring_selection *selection);
int tring_selection_apply(struct tring_selection *selections, struct tring_trace **traces,
			  size_t count);
bool tring_selection_has_cpu(const struct tring_selection *selection, int cpu);
bool tring_selection_has_pid(const struct tring_selection *selection, int32_t pid);
bool tring_selection_has(const struct tring_selection *selection,
			 const struct tring_record *record);
bool tring_selection_has_comm(const struct tring_selection *selection, const char *comm);
bool tring_selection_has_fields(const struct tring_selection *selection,
				const struct tring_event *event,
				const struct tring_record *record, bool wrong, int cpu,
				struct tring_names *names);
void tring_selection_free(struct tring_selection *selection);

#endif /* TRING_SELECTION_H */
