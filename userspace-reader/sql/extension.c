// SPDX-License-Identifier: GPL-2.0
/*
 * The tables for any program that has SQLite in it, such as sqlite3, or Python's and R's
 * modules: "SELECT tring_open('trace')" gives the connection those of a trace. All calls of
 * SQLite go to the program's own, which need not be the system's.
 */
#include <errno.h>
#include <stdlib.h>

#include "sql.h"
#include "util/util.h"

SQLITE_EXTENSION_INIT1

/* @data: the traces of a connection, the last one */
static void close_all(void *data)
{
	struct tring_sql **sql = data;

	tring_sql_close(*sql);
	free(sql);
}

/* Goes where the program wants SQLite's messages. */
static void log_message(void *data, enum tring_level level, const char *text)
{
	(void)data;
	sqlite3_log(level == TRING_PROBLEM ? SQLITE_WARNING : SQLITE_NOTICE, "tring: %s", text);
}

static void open_trace(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	const struct tring_options options = { .size = sizeof(options), .message = log_message };
	struct sqlite3 *database = sqlite3_context_db_handle(context);
	struct tring_sql **sql = sqlite3_user_data(context);
	const char *path = (const char *)sqlite3_value_text(argv[0]);
	int error;

	(void)argc;
	error = path ? tring_sql_open(sql, path, &options) : -EINVAL;
	if (error) {
		char *text = tring_format("%s: %s", path ? path : "NULL",
					  tring_errno_text(-error));

		sqlite3_result_error(context, text, -1);
		free(text);
		return;
	}
	if (tring_sql_register(*sql, database))
		sqlite3_result_error(context, sqlite3_errmsg(database), -1);
	else
		sqlite3_result_int64(context, (*sql)->table_count);
}

/* SQLite finds the function by the name of the file, tringsql.so. */
int sqlite3_tringsql_init(struct sqlite3 *database, char **message, const sqlite3_api_routines *api)
{
	(void)message;
	SQLITE_EXTENSION_INIT2(api);
	return sqlite3_create_function_v2(database, "tring_open", 1,
					  SQLITE_UTF8 | SQLITE_DIRECTONLY,
					  tring_allocate(sizeof(struct tring_sql *)), open_trace,
					  NULL, NULL, close_all);
}
