// SPDX-License-Identifier: GPL-2.0
/* What the tables have in common. */
#include <string.h>

#include "tables.h"
#include "util/util.h"

/* Number of TRING_TASK_COLUMNS. */
#define TASK_COLUMNS	3

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
		.out = top->out,
		.width = top->width,
		.collect = top->collect,
		.data = top->data,
		.json = top->json ? table->name : NULL,
		.more = !strcmp(table->text, "task") ? table->column_count - 1 : 0,
	};
	tring_rows_init(rows);
}

/**
 * tring_table_wants - check whether the user has asked for a task
 * @top: all tables
 * @task: the task
 */
bool tring_table_wants(const struct tring_top *top, const struct tring_task *task)
{
	return task->name ? task->wanted : tring_top_wants(top, task->pid);
}

/**
 * tring_table_task - get a task's name
 * @top: all tables
 * @task: the task
 *
 * Return: the name that it had last, allocated.
 */
char *tring_table_task(const struct tring_top *top, const struct tring_task *task)
{
	return tring_format("%s", task->name ? task->name : tring_comm(top->trace, task->pid));
}

/**
 * tring_table_value - get what else is known of a task
 * @top: all tables
 * @task: the task
 * @key: as of tring_task_value()
 *
 * Return: the value that it had last; NULL if it is not known.
 */
const char *tring_table_value(const struct tring_top *top, const struct tring_task *task,
			      const char *key)
{
	if (task->name && !strcmp(key, "unit"))
		return task->unit;
	if (task->name && !strcmp(key, "cgroup"))
		return task->cgroup;
	return tring_task_value(top->trace, task->pid, key);
}

/**
 * tring_table_add - add a row of a task
 * @top: all tables
 * @rows: rows of a table whose columns end with TRING_TASK_COLUMNS
 * @task: the task
 * @row: the values of the other columns; gets the rest, and the task's name
 */
void tring_table_add(const struct tring_top *top, struct tring_rows *rows,
		     const struct tring_task *task, struct tring_row *row)
{
	size_t i;

	for (i = rows->column_count - TASK_COLUMNS; i < rows->column_count; i++)
		row->values[i] = tring_value_of_text(tring_table_value(top, task,
								       rows->columns[i].name));
	row->text = tring_table_task(top, task);
	tring_rows_add(rows, row);
}

/**
 * tring_table_tasks - print a table with a row for each task
 * @top: all tables
 * @table: the table, with @row
 */
void tring_table_tasks(struct tring_top *top, const struct tring_table *table)
{
	struct tring_rows rows;
	size_t i;

	tring_table_rows(top, table, &rows);
	for (i = 0; i < top->tasks.count; i++) {
		struct tring_task *task = top->tasks.list[i];
		struct tring_row row;

		if (!tring_table_wants(top, task) || !table->row(top, task, &row))
			continue;
		tring_table_add(top, &rows, task, &row);
	}
	tring_rows_show(&rows);
	tring_rows_free(&rows);
}

/**
 * tring_table_ratio - get a value of a column of thousandths
 * @part: a part, or a number
 * @whole: what it is a part of, or a time
 * @factor: 100000 for percent; else 1000
 *
 * Return: the value; TRING_NO_VALUE without a whole, or if a damaged trace makes it too large.
 */
uint64_t tring_table_ratio(double part, double whole, double factor)
{
	double value = whole > 0 ? part * factor / whole + 0.5 : -1;

	return value >= 0 && value < (double)INT64_MAX ? (uint64_t)value : TRING_NO_VALUE;
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
	size_t i;

	for (i = 0; i < top->event_count; i++)
		if (top->bound[i].kind == kind)
			return true;
	return false;
}

/**
 * tring_table_lacks - tell what a trace lacks for a table
 * @top: all tables
 * @table: the table
 *
 * Return: what to record, for record's -e; NULL if it lacks nothing.
 */
const char *tring_table_lacks(const struct tring_top *top, const struct tring_table *table)
{
	bool has = table->pair ? !!top->pairs[table->pair] : !table->needs[0][0];
	size_t i;

	for (i = 0; i < 2 && table->needs[i][0]; i++)
		has |= tring_table_has(top, table->needs[i][0]) &&
		       tring_table_has(top, table->needs[i][1]);
	return has ? NULL : table->record;
}
