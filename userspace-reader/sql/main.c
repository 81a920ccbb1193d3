// SPDX-License-Identifier: GPL-2.0
/* tring sql: asks a trace questions, in SQL. A program of its own, for libsqlite3 and libedit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/options.h"
#include "result.h"
#include "shell.h"
#include "show/open.h"
#include "sql.h"
#include "util/text.h"
#include "util/util.h"

/**
 * struct request - what the user asks for
 * @form: how rows are printed
 * @schema: the tables and their columns
 */
struct request {
	enum tring_result_form form;
	bool		schema;
};

static bool take_form(void *request, const struct tring_option *option, const char *text)
{
	(void)option;
	if (tring_result_form(text, &((struct request *)request)->form))
		return true;
	tring_error("-o %s: table, csv, json or md is possible", text);
	return false;
}

static const struct tring_option list[] = {
	{ 'o', "output", "FORM", "table (the default), csv, json or md", .take = take_form },
	{ 0, "schema", NULL, "print the tables of the trace and their columns",
	  .at = offsetof(struct request, schema) },
	{ 0 },
};

static const struct tring_usage options = {
	.synopsis = "usage: tring sql [-o FORM] [TRACE]... [QUERY]\n"
		    "       tring sql --schema [TRACE]...\n",
	.description =
		"Asks the trace in TRACE, by default " TRING_TRACE_DIR_DEFAULT ", in SQL:\n"
		"each event is a table, and so are slices, waits, irqs, syscalls, losses, tasks,\n"
		"info and events. Without QUERY queries are read from the terminal, or stdin.\n"
		"Times are nanoseconds of the trace's clock. A second TRACE has tables of its own,\n"
		"as events_2.\n",
	.list = list,
	.most = -1,
};

static void print_schema(const struct tring_sql *sql)
{
	char *path;
	size_t i;

	if (sql->before)
		print_schema(sql->before);
	path = tring_text_escaped(sql->path);
	printf("-- the trace %s\n", path);
	free(path);
	for (i = 0; i < sql->table_count; i++) {
		const struct tring_sql_table *table = &sql->tables[i];
		char *text = tring_sql_declaration(table);

		printf("-- %s", table->kind->about);
		if (table->event)
			printf(": %s:%s", table->event->system, table->event->name);
		printf("\n%s;\n", text);
		sqlite3_free(text);
	}
}

/* What was missing in what the query has read. */
static void tell_losses(struct tring_sql *sql)
{
	unsigned long long lost = 0, gaps = 0;
	bool again = false;

	for (; sql; sql = sql->before) {
		lost += sql->lost;
		gaps += sql->gaps;
		again |= sql->readings > 1;
		sql->lost = 0;
		sql->gaps = 0;
		sql->readings = 0;
	}
	if (gaps)
		tring_error("of what was read, %s%llu events were lost, in %llu places: see losses",
			    again ? "at least " : "", lost, gaps);
}

/* Each event that was recorded has a table. */
static void tell_error(const char *error)
{
	static const char no_table[] = "no such table: ", no_column[] = "no such column: ";

	if (!strncmp(error, no_table, strlen(no_table)))
		tring_error("%s; --schema has all, those of events by \"tring record -e %s\"",
			    error, error + strlen(no_table));
	else if (!strncmp(error, no_column, strlen(no_column)))
		tring_error("%s; a text stands in single quotes", error);
	else
		tring_error("%s", error);
}

/**
 * tring_sql_run - run queries, and print their rows
 * @sql: the trace
 * @database: that has its tables
 * @text: the queries
 * @form: how rows are printed
 *
 * Return: false after an error, reported on stderr.
 */
bool tring_sql_run(struct tring_sql *sql, struct sqlite3 *database, const char *text,
		   enum tring_result_form form)
{
	sqlite3_stmt *statement;
	int status = SQLITE_OK;

	while (*text && (status == SQLITE_OK || status == SQLITE_DONE)) {
		status = sqlite3_prepare_v2(database, text, -1, &statement, &text);
		if (status == SQLITE_OK && statement)
			status = tring_result_print(statement, form);
		if (status != SQLITE_OK && status != SQLITE_DONE)
			tell_error(sqlite3_errmsg(database));
		sqlite3_finalize(statement);
		fflush(stdout);
		tell_losses(sql);
	}
	return status == SQLITE_OK || status == SQLITE_DONE;
}

/* Return: false after an error, reported on stderr. */
static bool query_all(struct tring_sql *sql, const char *query, enum tring_result_form form)
{
	struct sqlite3 *database = NULL;
	bool good = sqlite3_open(":memory:", &database) == SQLITE_OK;
	struct tring_sql *one;

	/* a column that does not exist is an error, and no text, also in double quotes */
	sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
	sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
	for (one = sql; one && good; one = one->before)
		good = tring_sql_register(one, database) == SQLITE_OK;
	if (!good)
		tring_error("SQLite: %s", sqlite3_errmsg(database));
	good = good && (query ? tring_sql_run(sql, database, query, form) :
				tring_sql_shell(sql, database, form));
	sqlite3_close(database);
	return good;
}

static int ask(const struct request *request, char **paths, size_t count, const char *query)
{
	struct tring_sql *sql = NULL, *one;
	bool good = true;
	size_t i;

	for (i = 0; i < count && good; i++)
		good = !tring_sql_open(&sql, paths[i], &tring_opened_options);
	if (good && request->schema)
		print_schema(sql);
	if (good && !request->schema)
		good = query_all(sql, query, request->form);
	good &= tring_output_completed();
	for (one = sql; one; one = one->before)
		good &= !tring_sql_problems(one);
	tring_sql_close(sql);
	return good ? TRING_EXIT_OK : TRING_EXIT_BAD;
}

/* The last argument is a trace if there is such a file or directory, and a query otherwise. */
static int run(int argc, char **argv)
{
	static char *fallback[] = { TRING_TRACE_DIR_DEFAULT };
	struct request request = { .form = TRING_RESULT_TABLE };
	int status = tring_options_parse(&options, &request, argc, argv);
	const char *query = NULL;

	if (status >= 0)
		return status;
	if (argc > optind && access(argv[argc - 1], F_OK))
		query = argv[--argc];
	return ask(&request, argc > optind ? argv + optind : fallback,
		   argc > optind ? argc - optind : 1, query);
}

int main(int argc, char **argv)
{
	static char name[] = "tring sql";

	tring_set_name(name);
	argv[0] = name;
	return tring_end_output(run(argc, argv));
}
