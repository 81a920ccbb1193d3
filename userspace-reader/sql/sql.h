/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A trace as tables of SQLite, without a conversion: each table is a virtual one, whose rows
 * are read from the trace when a query asks for them.
 */
#ifndef TRING_SQL_H
#define TRING_SQL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef TRING_SQL_EXTENSION
#include <sqlite3ext.h>
extern const struct sqlite3_api_routines *sqlite3_api;
#else
#include <sqlite3.h>
#endif

#include "tring.h"

struct tring_sql;
struct tring_sql_cursor;
struct tring_sql_rows;
struct tring_printer;
struct tring_table;

/*
 * What a cursor can leave out because of a column: if there is a condition on it; or, of one that
 * is made of the names or cgroups of tasks, if the query does not use it.
 */
enum tring_sql_role {
	TRING_ROLE_NONE,
	TRING_ROLE_TIME,
	TRING_ROLE_CPU,
	TRING_ROLE_PID,
	TRING_ROLE_EVENT,
	TRING_ROLE_NAME,
};

/**
 * struct tring_sql_column - a column that a table has besides an event's fields
 * @name: its name
 * @type: its type
 * @role: what it lets a cursor leave out
 * @value: which value of a row it has, for the table
 */
struct tring_sql_column {
	const char	*name;
	const char	*type;
	enum tring_sql_role role;
	int		value;
};

/**
 * struct tring_sql_kind - a kind of table
 * @columns: its columns; NULL behind the last name. The fields of an event's table follow
 * @about: what a row is, for --schema
 * @ended: of intervals, their enum tring_ended_kind
 * @needs: of intervals, tables of tring top that need the same events; one of them suffices
 * @kept: the rows are made once for a cursor, so that to read them again costs little
 * @begin: go before the first row, with what @cursor->wanted lets through; may be NULL
 * @next: go to the row of number @cursor->row; sets @cursor->at_end behind the last one
 * @column: give a value
 * @end: free what @begin has made, before the cursor is closed; may be NULL
 */
struct tring_sql_kind {
	const struct tring_sql_column *columns;
	const char	*about;
	int		ended;
	const struct tring_table *needs[2];
	bool		kept;
	int		(*begin)(struct tring_sql_cursor *cursor);
	void		(*next)(struct tring_sql_cursor *cursor);
	void		(*column)(struct tring_sql_cursor *cursor, sqlite3_context *to, int at);
	void		(*end)(struct tring_sql_cursor *cursor);
};

/**
 * struct tring_sql_table - a table
 * @base: SQLite's part, of the one database that has the table
 * @sql: the trace
 * @kind: its kind
 * @name: its name
 * @event: of an event's table; NULL for others
 */
struct tring_sql_table {
	sqlite3_vtab	base;
	struct tring_sql *sql;
	const struct tring_sql_kind *kind;
	char		*name;
	const struct tring_event *event;
};

/**
 * struct tring_sql_cursor - a reader of a table
 * @base: SQLite's part
 * @table: the table
 * @trace: the trace, which no other cursor reads meanwhile
 * @event: of an event's table, as @trace has it
 * @wanted: what the conditions of the query let through; its texts are valid in @begin alone
 * @from: a time, @first
 * @to: a time, @last
 * @first: nanoseconds
 * @last: nanoseconds
 * @item: the row, of tables whose rows are events or losses
 * @printer: makes texts of events, once one was asked for
 * @rows: of tables that are made by following what happens
 * @lost: events that were lost in what it reads
 * @gaps: losses in what it reads
 * @row: number of the row
 * @at_end: there is no further row
 */
struct tring_sql_cursor {
	sqlite3_vtab_cursor base;
	const struct tring_sql_table *table;
	struct tring_trace *trace;
	const struct tring_event *event;
	struct tring_wanted wanted;
	char		from[32];
	char		to[32];
	int64_t		first;
	int64_t		last;
	struct tring_item item;
	struct tring_printer *printer;
	struct tring_sql_rows *rows;
	uint64_t	lost;
	uint64_t	gaps;
	size_t		row;
	bool		at_end;
};

/**
 * struct tring_sql - a trace that is open as tables
 * @path: the trace
 * @options: how it is opened
 * @number: 1; or of several traces a further one, whose tables have "_" and this behind them
 * @before: the one before of several; NULL for the first
 * @trace: what describes it, the first of @traces
 * @traces: it, as often as cursors have read it at the same time
 * @trace_count: number of @traces
 * @idle: those that no cursor reads
 * @idle_count: number of @idle
 * @tables: the tables, in the order of their names
 * @table_count: number of @tables
 * @lost: events that were lost in what a query has read, at least
 * @gaps: losses in what it has read, at least
 * @readings: how often it has read what has losses
 * @checked: a query has read to the end, and what is missing then was told: without a condition on
 *	time, and with one, which shows less
 */
struct tring_sql {
	char		*path;
	struct tring_options options;
	unsigned int	number;
	struct tring_sql *before;
	struct tring_trace *trace;
	struct tring_trace **traces;
	size_t		trace_count;
	struct tring_trace **idle;
	size_t		idle_count;
	struct tring_sql_table *tables;
	size_t		table_count;
	uint64_t	lost;
	uint64_t	gaps;
	uint64_t	readings;
	bool		checked[2];
};

/* open.c */
int tring_sql_open(struct tring_sql **sql, const char *path, const struct tring_options *options);
int tring_sql_register(struct tring_sql *sql, struct sqlite3 *database);
void tring_sql_close(struct tring_sql *sql);
struct tring_trace *tring_sql_lend(struct tring_sql *sql);
void tring_sql_take_back(struct tring_sql *sql, struct tring_trace *trace);
uint64_t tring_sql_problems(const struct tring_sql *sql);

/* tables.c */
void tring_sql_find_tables(struct tring_sql *sql);

/* module.c */
extern const sqlite3_module tring_sql_module;
char *tring_sql_declaration(const struct tring_sql_table *table);
void tring_sql_count_loss(struct tring_sql_cursor *cursor);
void tring_sql_end(struct tring_sql_cursor *cursor);
const char *tring_sql_event_text(struct tring_sql_cursor *cursor, size_t *size);

/* kinds of tables */
extern const struct tring_sql_kind tring_sql_event, tring_sql_events, tring_sql_losses;
extern const struct tring_sql_kind tring_sql_slices, tring_sql_waits, tring_sql_irqs,
	tring_sql_syscalls, tring_sql_spans, tring_sql_counters;
extern const struct tring_sql_kind tring_sql_tasks, tring_sql_info;

/* values.c */
void tring_sql_time(sqlite3_context *to, const struct tring_trace *trace, uint64_t stamp);
void tring_sql_pid(sqlite3_context *to, int32_t pid);
void tring_sql_text(sqlite3_context *to, const char *text);
void tring_sql_field(sqlite3_context *to, const struct tring_item *item,
		     const struct tring_field *field);

#endif /* TRING_SQL_H */
