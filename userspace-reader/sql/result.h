/* SPDX-License-Identifier: GPL-2.0 */
/* The rows of a query, as a table for people, CSV, JSON or Markdown. */
#ifndef TRING_SQL_RESULT_H
#define TRING_SQL_RESULT_H

#include <sqlite3.h>
#include <stdbool.h>

enum tring_result_form {
	TRING_RESULT_TABLE,
	TRING_RESULT_CSV,
	TRING_RESULT_JSON,
	TRING_RESULT_MARKDOWN,
};

bool tring_result_form(const char *name, enum tring_result_form *form);
int tring_result_print(sqlite3_stmt *statement, enum tring_result_form form);

#endif /* TRING_SQL_RESULT_H */
