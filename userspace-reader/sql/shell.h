/* SPDX-License-Identifier: GPL-2.0 */
/* Queries from a terminal. */
#ifndef TRING_SQL_SHELL_H
#define TRING_SQL_SHELL_H

#include "result.h"
#include "sql.h"

bool tring_sql_run(struct tring_sql *sql, struct sqlite3 *database, const char *text,
		   enum tring_result_form form);
bool tring_sql_shell(struct tring_sql *sql, struct sqlite3 *database, enum tring_result_form form);

#endif /* TRING_SQL_SHELL_H */
