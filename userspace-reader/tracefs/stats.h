/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A CPU's counters from its stats file, and the check that they balance. */
#ifndef TRING_STATS_H
#define TRING_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRING_STATS_MAX		64
#define TRING_STAT_NAME_SIZE	40

/**
 * struct tring_stat - one counter
 * @name: name in the stats file
 * @value: value of the counter
 */
struct tring_stat {
	char		name[TRING_STAT_NAME_SIZE];
	uint64_t	value;
};

/**
 * struct tring_stats - one CPU's counters, in the kernel's order
 * @entries: the counters, including those with names unknown to the reader
 * @count: number of counters
 */
struct tring_stats {
	struct tring_stat entries[TRING_STATS_MAX];
	size_t		count;
};

#define TRING_LEDGER_LINES	3

int tring_stats_parse(struct tring_stats *stats, const char *text);
char *tring_stats_text(const struct tring_stats *stats);
void tring_stats_add(struct tring_stats *stats, const char *name, uint64_t value);
void tring_stats_sum(struct tring_stats *stats, const struct tring_stats *more);
void tring_stats_leave_out(struct tring_stats *stats, uint64_t events, uint64_t bytes);
bool tring_stats_get(const struct tring_stats *stats, const char *name,
		     uint64_t *value);
uint64_t tring_stats_value(const struct tring_stats *stats, const char *name);
void tring_stats_subtract(struct tring_stats *stats,
			  const struct tring_stats *start);
bool tring_stat_is_refusal(const char *name);
uint64_t tring_stats_recorded(const struct tring_stats *stats);
uint64_t tring_stats_lost(const struct tring_stats *stats);
uint64_t tring_stats_taken(const struct tring_stats *stats);
uint64_t tring_stats_missing(const struct tring_stats *stats);
char *tring_stats_losses(const struct tring_stats *stats);
const char *tring_ledger_text(size_t line);
char *tring_ledger_check(const struct tring_stats *stats, size_t line);

#endif /* TRING_STATS_H */
