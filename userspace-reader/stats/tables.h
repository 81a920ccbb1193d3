/* SPDX-License-Identifier: GPL-2.0 */
/* The tables: what each one is of, what it needs, and how it is printed. */
#ifndef TRING_TABLES_H
#define TRING_TABLES_H

#include "top.h"

/**
 * struct tring_table - a table
 * @name: its name on the command line
 * @title: what it is of
 * @columns: its columns
 * @column_count: number of @columns
 * @text: head of the rows' texts
 * @sort: column to sort by, if the user names none
 * @record: what record needs for it; NULL if it is of all events
 * @sums: it sums up what events have told, so losses may have taken from it
 * @spans: of tring_timing_spans(): offset of the rows in struct tring_top
 * @needs: kinds of events that it is made of: both of a pair, of either pair. None if it needs none
 * @pair: it is of this pair of events, TRING_TOP_...; 0 for none
 * @row: of tring_table_tasks(): make the row of a task; false for none
 * @show: print it
 */
struct tring_table {
	const char	*name;
	const char	*title;
	const struct tring_column *columns;
	size_t		column_count;
	const char	*text;
	const char	*sort;
	const char	*record;
	bool		sums;
	size_t		spans;
	enum tring_kind	needs[2][2];
	size_t		pair;
	bool		(*row)(struct tring_top *top, struct tring_task *task,
			       struct tring_row *row);
	void		(*show)(struct tring_top *top, const struct tring_table *table);
};

/* The last columns of a table whose rows are of tasks, behind its own ones. */
#define TRING_TASK_COLUMNS(own)						\
	[(own) + 1] = { "unit", TRING_UNIT_TEXT, 20, true, true },	\
	[(own) + 2] = { "cgroup", TRING_UNIT_TEXT, 32, true, true },	\
	[(own) + 3] = { "command", TRING_UNIT_TEXT, 0, true, true }

#define TRING_COLUMNS(list)	.columns = (list), .column_count = sizeof(list) / sizeof((list)[0])

extern const struct tring_table tring_table_cpu, tring_table_sched, tring_table_wakeup,
	tring_table_irq, tring_table_softirq, tring_table_syscall, tring_table_events,
	tring_table_rate, tring_table_losses, tring_table_waits, tring_table_calls,
	tring_table_io, tring_table_block, tring_table_futex, tring_table_spans,
	tring_table_counters;

void tring_table_rows(const struct tring_top *top, const struct tring_table *table,
		      struct tring_rows *rows);
void tring_table_tasks(struct tring_top *top, const struct tring_table *table);
bool tring_table_wants(const struct tring_top *top, const struct tring_task *task);
char *tring_table_task(const struct tring_top *top, const struct tring_task *task);
const char *tring_table_value(const struct tring_top *top, const struct tring_task *task,
			      const char *key);
void tring_table_add(const struct tring_top *top, struct tring_rows *rows,
		     const struct tring_task *task, struct tring_row *row);
const char *tring_table_call(struct tring_top *top, struct tring_task *task,
			     const struct tring_span *call);
uint64_t tring_table_ratio(double part, double whole, double factor);
const char *tring_table_lacks(const struct tring_top *top, const struct tring_table *table);
bool tring_table_has(const struct tring_top *top, enum tring_kind kind);

void tring_pairs_init(struct tring_top *top);
void tring_pairs_take(struct tring_top *top, const struct tring_item *item);
void tring_pairs_reset(struct tring_top *top);
void tring_pairs_free(struct tring_top *top);
void tring_losses_add(struct tring_top *top, const struct tring_gap *gap);
void tring_rate_add(struct tring_top *top, uint64_t stamp, uint32_t bytes);
void tring_rate_lose(struct tring_top *top, const struct tring_gap *gap);

#endif /* TRING_TABLES_H */
