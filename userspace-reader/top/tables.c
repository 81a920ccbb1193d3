// SPDX-License-Identifier: GPL-2.0
/* What the tables have in common. */
#include "tables.h"
#include "util.h"

/**
 * tring_table_rows - begin the rows of a table
 * @top: all tables
 * @table: the table
 * @rows: filled in
 */
void tring_table_rows(const struct tring_top *top, const struct tring_table *table,
		      struct tring_rows *rows)
{
	*rows = (struct tring_rows) {
		.columns = table->columns,
		.column_count = table->column_count,
		.text = table->text,
		.sort = top->sort ? top->sort : table->sort,
		.limit = top->rows,
		.frequency = top->frequency,
	};
	tring_rows_init(rows);
}

/**
 * tring_table_task - get a task's name
 * @top: all tables
 * @pid: the task
 *
 * Return: the name that it had last, allocated.
 */
char *tring_table_task(const struct tring_top *top, int32_t pid)
{
	return tring_format("%s", top->comm(top->data, pid));
}

/**
 * tring_table_has - check whether the trace has events of a kind
 * @top: all tables
 * @kind: the kind
 *
 * Return: true if they were recorded; none may have happened.
 */
bool tring_table_has(const struct tring_top *top, enum tring_kind kind)
{
	return tring_bound_has(top->bound, top->events->count, kind);
}
