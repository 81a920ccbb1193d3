/* SPDX-License-Identifier: GPL-2.0 */
/* Conditions that are looked at while their events are recorded. */
#ifndef TRING_STOP_WATCH_H
#define TRING_STOP_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stats/match.h"
#include "record/own_ring.h"
#include "record/watch.h"
#include "show/open.h"
#include "stop_condition.h"

/**
 * struct tring_watched - a condition
 * @condition: the condition
 * @options: what its instance records
 * @cpus: on these CPUs; NULL for all
 * @clock: by this clock
 * @ring: the instance
 * @opened: the same as a trace
 * @names: the trace of the first condition, which has asked for the names of all tasks
 * @latency: the times, if it is of a time
 * @known: up to which timestamp all events were looked at
 * @lost: number of events that the instance has lost, or that came too late
 * @begin: of what has met it, in ns of the trace's clock
 * @end: the same
 * @what: what has met it; NULL for nothing yet
 * @event: the event, if it is of one
 * @record: its record
 * @payload: its payload
 */
struct tring_watched {
	struct tring_stop_condition condition;
	struct tring_recording_options options;
	char		*cpus;
	char		*clock;
	struct tring_own_ring *ring;
	struct tring_opened opened;
	struct tring_trace *names;
	struct tring_latency latency;
	uint64_t	known;
	uint64_t	lost;
	uint64_t	begin;
	uint64_t	end;
	char		*what;
	struct tring_item event;
	struct tring_record record;
	uint8_t		*payload;
};

/**
 * struct tring_stop_when - the conditions of a recording
 * @watch: what the recorder knows
 * @list: the conditions
 * @count: number of @list
 * @after_ns: how much later the recording ends
 * @on: the instances record
 * @waiting: events are in memory whose order is not known yet
 * @met: the condition that was met first; NULL for none
 */
struct tring_stop_when {
	struct tring_watch watch;
	struct tring_watched	*list;
	size_t		count;
	uint64_t	after_ns;
	bool		on;
	bool		waiting;
	struct tring_watched *met;
};

extern const struct tring_watch_calls tring_stop_watch_calls;

/* It is the first member. */
static inline struct tring_stop_when *tring_stop_when_of(const struct tring_watch *watch)
{
	return (struct tring_stop_when *)watch;
}

#endif /* TRING_STOP_WATCH_H */
