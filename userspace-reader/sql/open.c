// SPDX-License-Identifier: GPL-2.0
/*
 * A trace that is open as tables. Cursors read at the same time, as in a join, and an open trace
 * has one place at which it is read: so each cursor has an open trace for itself, which the next
 * one gets.
 */
#include <stdlib.h>

#include "sql.h"
#include "util/util.h"

static int open_one(struct tring_sql *sql)
{
	struct tring_trace *trace = NULL;
	int error = tring_open(&trace, sql->path, &sql->options);

	if (error) {
		tring_close(trace);
		return error;
	}
	sql->traces = tring_one_more(sql->traces, sql->trace_count, sizeof(*sql->traces));
	sql->traces[sql->trace_count++] = trace;
	tring_sql_take_back(sql, trace);
	return 0;
}

/**
 * tring_sql_open - open a trace as tables
 * @sql: the traces that are open already, the last one first; NULL for none. This one is added
 * @path: the trace
 * @options: as of tring_open()
 *
 * Return: 0; or a negative errno, which @options->message has explained.
 */
int tring_sql_open(struct tring_sql **sql, const char *path, const struct tring_options *options)
{
	struct tring_sql *opened = tring_allocate(sizeof(*opened));
	int error;

	opened->path = tring_format("%s", path);
	opened->options = *options;
	opened->number = *sql ? (*sql)->number + 1 : 1;
	error = open_one(opened);
	if (error) {
		tring_sql_close(opened);
		return error;
	}
	opened->before = *sql;
	opened->trace = opened->traces[0];
	tring_sql_find_tables(opened);
	*sql = opened;
	return 0;
}

/**
 * tring_sql_register - let a database have the tables of a trace
 * @sql: the trace, open for as long as @database is
 * @database: the database
 *
 * The tables are there under their names, without CREATE.
 *
 * Return: an error of SQLite's.
 */
int tring_sql_register(struct tring_sql *sql, struct sqlite3 *database)
{
	int error = SQLITE_OK;
	size_t i;

	for (i = 0; i < sql->table_count && error == SQLITE_OK; i++)
		error = sqlite3_create_module(database, sql->tables[i].name, &tring_sql_module,
					      &sql->tables[i]);
	return error;
}

/**
 * tring_sql_close - close traces that are open as tables
 * @sql: the last one; no database has their tables any more. NULL for none
 */
void tring_sql_close(struct tring_sql *sql)
{
	size_t i;

	if (!sql)
		return;
	tring_sql_close(sql->before);
	for (i = 0; i < sql->trace_count; i++)
		tring_close(sql->traces[i]);
	for (i = 0; i < sql->table_count; i++)
		free(sql->tables[i].name);
	free(sql->traces);
	free(sql->idle);
	free(sql->tables);
	free(sql->path);
	free(sql);
}

/**
 * tring_sql_lend - get an open trace that nothing else reads
 * @sql: the trace
 *
 * Return: the open trace; NULL after an error, which was told.
 */
struct tring_trace *tring_sql_lend(struct tring_sql *sql)
{
	if (!sql->idle_count && open_one(sql))
		return NULL;
	return sql->idle[--sql->idle_count];
}

/**
 * tring_sql_take_back - let another cursor have an open trace
 * @sql: the trace
 * @trace: from tring_sql_lend()
 */
void tring_sql_take_back(struct tring_sql *sql, struct tring_trace *trace)
{
	sql->idle = tring_one_more(sql->idle, sql->idle_count, sizeof(*sql->idle));
	sql->idle[sql->idle_count++] = trace;
}

/**
 * tring_sql_problems - tell how much is wrong with what was read of a trace
 * @sql: the trace
 *
 * Return: the number of problems, of which some were told.
 */
uint64_t tring_sql_problems(const struct tring_sql *sql)
{
	uint64_t problems = 0;
	size_t i;

	for (i = 0; i < sql->trace_count; i++)
		problems += tring_problems(sql->traces[i]);
	return problems;
}
