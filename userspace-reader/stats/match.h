/* SPDX-License-Identifier: GPL-2.0 */
/* Times between the begins and the ends of a pair. */
#ifndef TRING_MATCH_H
#define TRING_MATCH_H

#include "begins.h"
#include "pair.h"
#include "quantiles.h"
#include "timing.h"
#include "util/intern.h"

struct tring_left_out;

/**
 * struct tring_latency_group - times of one value of the pair's "by"
 * @text: the value, of any bytes, from @names; NULL for all values
 * @timing: the times in ns; @timing.unknown are those that a loss may have touched
 * @quantiles: the same
 */
struct tring_latency_group {
	const char	*text;
	struct tring_timing timing;
	struct tring_quantiles quantiles;
};

/**
 * struct tring_slow - one of the longest times
 * @ns: the time
 * @begin: @ns before @end
 * @end: time of the end, in ns of the trace's clock
 * @cpu: the CPU of its end
 * @pid: the task that ran at its begin
 * @task: the same with its name
 * @text: what the begin and the end have in common
 */
struct tring_slow {
	uint64_t	ns;
	uint64_t	begin;
	uint64_t	end;
	int		cpu;
	int32_t		pid;
	char		*task;
	char		*text;
};

/**
 * struct tring_unmatched - begins, or ends, that have no other half
 * @repeated: of begins, those behind or before another one of the same key
 * @cancelled: of begins, those that the pair's cancel has undone
 * @alone: those that have none in the trace
 * @lost: those whose other half a loss may have had
 */
struct tring_unmatched {
	uint64_t	repeated;
	uint64_t	cancelled;
	uint64_t	alone;
	uint64_t	lost;
};

/* struct tring_sight - what is known of a CPU: @blind if a loss has begun, else since when */
struct tring_sight {
	bool		blind;
	uint64_t	since;
};

/**
 * struct tring_latency - the times of a pair
 * @trace: the trace
 * @pair: the pair in it
 * @slow_most: number of the longest times that are kept
 * @open_most: number of begins without an end that are kept; 0 for no limit
 * @slow: the longest times, the longest one first
 * @slow_count: number of @slow
 * @all: all times
 * @groups: those of each value of the pair's "by"
 * @group_count: number of @groups
 * @begins: begins without an end
 * @ends: ends without a begin
 * @damaged: events whose payload does not fit the format
 * @reversed: times that are less than 0, by the pair's fields
 * @blinded: what was not recorded on purpose, because of which all times are unknown; NULL
 *	for nothing
 *
 * What follows is private to match.c.
 * @names: texts of the groups, by number up to tring_latency_end()
 * @open: the begins without an end so far
 * @sights: what is known of each CPU
 * @blind: number of CPUs that are blind
 * @since: since when all CPUs that are not blind are known
 * @own_cpu: begin and end are always on one CPU
 * @key: the key of the event that is looked at
 * @text: a text
 */
struct tring_latency {
	struct tring_trace *trace;
	struct tring_bound_pair pair;
	size_t		slow_most;
	size_t		open_most;
	struct tring_slow *slow;
	size_t		slow_count;
	struct tring_latency_group all;
	struct tring_latency_group **groups;
	size_t		group_count;
	struct tring_unmatched begins;
	struct tring_unmatched ends;
	uint64_t	damaged;
	uint64_t	reversed;
	const char	*blinded;

	struct tring_intern names;
	struct tring_begins open;
	struct tring_sight *sights;
	size_t		blind;
	uint64_t	since;
	bool		own_cpu;
	struct tring_line key;
	struct tring_line text;
};

void tring_latency_init(struct tring_latency *latency, struct tring_trace *trace,
			const struct tring_left_out *left_out);
void tring_latency_take(struct tring_latency *latency, const struct tring_item *item);
void tring_latency_end(struct tring_latency *latency);
void tring_latency_reset(struct tring_latency *latency);
uint64_t tring_latency_quantile(const struct tring_latency_group *group,
				unsigned int millionths);
void tring_latency_free(struct tring_latency *latency);

#endif /* TRING_MATCH_H */
