// SPDX-License-Identifier: GPL-2.0
/*
 * The tables, as SQLite calls them. The conditions that a trace can be searched by, those on
 * time, CPU, task and event, go to tring_select(); SQLite looks at all conditions again.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "print/printer.h"
#include "sql.h"
#include "util/util.h"

/*
 * The ticks of a clock are no nanoseconds, and SQLite's numbers may have fractions: what is
 * selected is this much more.
 */
#define SLACK_NS	INT64_C(1000)

/*
 * The rows that SQLite takes a table of events for, a table that no condition goes to, and one that
 * is kept. This costs as little: a join is to read it again and again, and not the other table.
 */
#define ROWS		1000000
#define OTHER_ROWS	10000
#define KEPT_ROWS	100

/* A condition that goes to the trace, in sqlite3_index_info::idxStr: role and operator. */
#define CONDITION	2

/* sqlite3_index_info::idxNum: the names or the cgroups of tasks are asked for. */
#define USES_NAMES	1

static size_t count_columns(const struct tring_sql_kind *kind)
{
	size_t count = 0;

	while (kind->columns[count].name)
		count++;
	return count;
}

static bool has_name(char **names, size_t count, const char *name)
{
	while (count--)
		if (!strcasecmp(names[count], name))
			return true;
	return false;
}

/* SQLite's names differ by more than case: a later column has underscores behind its name. */
static void add_column(sqlite3_str *text, char **names, size_t at, const char *name,
		       const char *type)
{
	names[at] = tring_format("%s", name);
	while (has_name(names, at, names[at]))
		tring_extend(&names[at], "_");
	sqlite3_str_appendf(text, "%s\"%w\" %s", at ? ", " : "", names[at], type);
}

/**
 * tring_sql_declaration - tell the columns of a table
 * @table: the table
 *
 * Return: as CREATE TABLE wants it; to be freed with sqlite3_free().
 */
char *tring_sql_declaration(const struct tring_sql_table *table)
{
	const struct tring_sql_column *columns = table->kind->columns;
	const struct tring_event *event = table->event;
	const size_t count = count_columns(table->kind), fields = event ? event->field_count : 0;
	char **names = tring_allocate((count + fields) * sizeof(*names));
	sqlite3_str *text = sqlite3_str_new(NULL);
	size_t i;

	sqlite3_str_appendf(text, "CREATE TABLE \"%w\" (", table->name);
	for (i = 0; i < count; i++)
		add_column(text, names, i, columns[i].name, columns[i].type);
	for (i = 0; i < fields; i++)
		add_column(text, names, count + i, event->fields[i].name,
			   event->fields[i].kind == TRING_FIELD_NUMBER ? "INTEGER" : "TEXT");
	sqlite3_str_appendall(text, ")");
	for (i = 0; i < count + fields; i++)
		free(names[i]);
	free(names);
	return sqlite3_str_finish(text);
}

static int connect_table(struct sqlite3 *database, void *data, int argc, const char *const *argv,
			 sqlite3_vtab **connected, char **message)
{
	struct tring_sql_table *table = data;
	char *text = tring_sql_declaration(table);
	int error = text ? sqlite3_declare_vtab(database, text) : SQLITE_NOMEM;

	(void)argc;
	(void)argv;
	(void)message;
	sqlite3_free(text);
	*connected = &table->base;
	return error;
}

static int disconnect(sqlite3_vtab *base)
{
	(void)base;
	return SQLITE_OK;
}

/* Return: '=', '<' or '>', if such a condition lets rows be left out; else 0. */
static char find_operator(enum tring_sql_role role, unsigned char op)
{
	const bool is_time = role == TRING_ROLE_TIME;

	switch (op) {
	case SQLITE_INDEX_CONSTRAINT_EQ:
		return role == TRING_ROLE_NONE || role == TRING_ROLE_NAME ? 0 : '=';
	case SQLITE_INDEX_CONSTRAINT_GT:
	case SQLITE_INDEX_CONSTRAINT_GE:
		return is_time ? '>' : 0;
	case SQLITE_INDEX_CONSTRAINT_LT:
	case SQLITE_INDEX_CONSTRAINT_LE:
		return is_time ? '<' : 0;
	default:
		return 0;
	}
}

/* Return: that of a column of a kind; NONE of the fields behind them, and of the rowid. */
static enum tring_sql_role role_of(const struct tring_sql_kind *kind, int column)
{
	return column >= 0 && column < (int)count_columns(kind) ? kind->columns[column].role :
								  TRING_ROLE_NONE;
}

static int find_best(sqlite3_vtab *base, sqlite3_index_info *info)
{
	const struct tring_sql_kind *kind = ((struct tring_sql_table *)base)->kind;
	char *conditions = sqlite3_malloc(CONDITION * info->nConstraint + 1);
	size_t count = 0, i;

	if (!conditions)
		return SQLITE_NOMEM;
	info->estimatedCost = kind->kept ? KEPT_ROWS : ROWS;
	info->estimatedRows = kind->kept ? KEPT_ROWS : kind->columns->role ? ROWS : OTHER_ROWS;
	for (i = 0; i < count_columns(kind); i++)
		if (kind->columns[i].role == TRING_ROLE_NAME && info->colUsed >> i & 1)
			info->idxNum = USES_NAMES;
	for (i = 0; i < (size_t)info->nConstraint; i++) {
		const struct sqlite3_index_constraint *one = &info->aConstraint[i];
		const enum tring_sql_role role = role_of(kind, one->iColumn);
		/* a trace knows its names as they are written */
		char op = one->usable && !strcmp(sqlite3_vtab_collation(info, i), "BINARY") ?
			  find_operator(role, one->op) : 0;

		if (!op)
			continue;
		conditions[CONDITION * count] = '0' + role;
		conditions[CONDITION * count + 1] = op;
		info->aConstraintUsage[i].argvIndex = ++count;
		info->estimatedCost *= role == TRING_ROLE_TIME ? 0.1 : 0.9;
		info->estimatedRows /= 10;
	}
	conditions[CONDITION * count] = 0;
	info->idxStr = conditions;
	info->needToFreeIdxStr = 1;
	/* rows come in the order of time */
	info->orderByConsumed = info->nOrderBy == 1 && !info->aOrderBy->desc &&
				role_of(kind, info->aOrderBy->iColumn) == TRING_ROLE_TIME;
	return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *base, sqlite3_vtab_cursor **opened)
{
	const struct tring_sql_table *table = (struct tring_sql_table *)base;
	struct tring_sql_cursor *cursor = tring_allocate(sizeof(*cursor));

	cursor->table = table;
	cursor->trace = tring_sql_lend(table->sql);
	if (!cursor->trace) {
		free(cursor);
		base->zErrMsg = sqlite3_mprintf("%s cannot be opened again", table->sql->path);
		return SQLITE_IOERR;
	}
	if (table->event)
		cursor->event = tring_event_find(cursor->trace, table->event->system,
						 table->event->name);
	*opened = &cursor->base;
	return SQLITE_OK;
}

/**
 * tring_sql_count_loss - note that what a query has read lacks something
 * @cursor: whose item is a loss
 *
 * A join reads a table again and again: what counts is the reading that lacks most.
 */
void tring_sql_count_loss(struct tring_sql_cursor *cursor)
{
	struct tring_sql *sql = cursor->table->sql;

	cursor->lost += cursor->item.events;
	sql->readings += !cursor->gaps++;
	if (sql->lost < cursor->lost)
		sql->lost = cursor->lost;
	if (sql->gaps < cursor->gaps)
		sql->gaps = cursor->gaps;
}

/**
 * tring_sql_end - note that a query has read a trace to its end
 * @cursor: for which tring_next() has returned 0
 *
 * What the trace should have, and has not, is told, and counted by tring_problems().
 */
void tring_sql_end(struct tring_sql_cursor *cursor)
{
	const bool has_times = cursor->wanted.from || cursor->wanted.to;
	bool *checked = &cursor->table->sql->checked[has_times];

	if (!*checked)
		tring_check(cursor->trace);
	*checked = true;
}

/**
 * tring_sql_event_text - make the text of an event
 * @cursor: whose item is the event
 * @size: set to the number of characters
 *
 * Return: as of tring_printer_text().
 */
const char *tring_sql_event_text(struct tring_sql_cursor *cursor, size_t *size)
{
	if (!cursor->printer) {
		cursor->printer = tring_allocate(sizeof(*cursor->printer));
		tring_printer_init(cursor->printer, cursor->trace);
	}
	return tring_printer_text(cursor->printer, &cursor->item, size);
}

static int close_cursor(sqlite3_vtab_cursor *base)
{
	struct tring_sql_cursor *cursor = (struct tring_sql_cursor *)base;

	if (cursor->table->kind->end)
		cursor->table->kind->end(cursor);
	if (cursor->printer)
		tring_printer_free(cursor->printer);
	free(cursor->printer);
	tring_sql_take_back(cursor->table->sql, cursor->trace);
	free(cursor);
	return SQLITE_OK;
}

static void put_time(char *text, size_t size, int64_t ns)
{
	snprintf(text, size, "%" PRId64 ".%09" PRId64, ns / 1000000000, ns % 1000000000);
}

/* Return: false if no time meets this condition and those before. */
static bool want_time(struct tring_sql_cursor *cursor, char op, int64_t value)
{
	const int64_t from = value > SLACK_NS ? value - SLACK_NS : 0;
	const int64_t to = value > INT64_MAX - SLACK_NS ? INT64_MAX : from + 2 * SLACK_NS;

	if (op != '<' && from > cursor->first) {
		cursor->first = from;
		put_time(cursor->from, sizeof(cursor->from), from);
		cursor->wanted.from = cursor->from;
	}
	if (op != '>' && to < cursor->last) {
		cursor->last = to;
		put_time(cursor->to, sizeof(cursor->to), to);
		cursor->wanted.to = cursor->to;
	}
	return cursor->first <= cursor->last;
}

/* tring_select() would take another one as a pattern, or as several. */
static bool is_plain_name(const char *name)
{
	return *name && !name[strcspn(name, "*?[],:\\ ")];
}

static bool has_cpu(const struct tring_trace *trace, int64_t cpu)
{
	size_t i;

	for (i = 0; i < tring_cpu_count(trace); i++)
		if (tring_cpu_at(trace, i) == cpu)
			return true;
	return false;
}

/* Return: false if no row can meet the condition. */
static bool want(struct tring_sql_cursor *cursor, char role, char op, sqlite3_value *value)
{
	const int type = sqlite3_value_numeric_type(value);
	const int64_t number = sqlite3_value_int64(value);
	const char *text = (const char *)sqlite3_value_text(value);

	if (type == SQLITE_NULL)
		return false;
	if (role == '0' + TRING_ROLE_EVENT && text && is_plain_name(text))
		cursor->wanted.events = text;
	if (role == '0' + TRING_ROLE_TIME && (type == SQLITE_INTEGER || type == SQLITE_FLOAT))
		return want_time(cursor, op, number);
	if (role == '0' + TRING_ROLE_CPU && type == SQLITE_INTEGER) {
		cursor->wanted.cpus = text;
		return has_cpu(cursor->trace, number);
	}
	if (role == '0' + TRING_ROLE_PID && type == SQLITE_INTEGER) {
		cursor->wanted.pids = text;
		return number >= 0 && number <= INT32_MAX;
	}
	return true;
}

/* The texts of @argv are there as long as this runs. */
static int begin_rows(sqlite3_vtab_cursor *base, int number, const char *conditions, int argc,
		      sqlite3_value **argv)
{
	struct tring_sql_cursor *cursor = (struct tring_sql_cursor *)base;
	const struct tring_sql_kind *kind = cursor->table->kind;
	bool possible = true;
	int i;

	cursor->wanted = (struct tring_wanted) {
		.size = sizeof(cursor->wanted), .nameless = number != USES_NAMES,
	};
	cursor->row = 0;
	cursor->lost = 0;
	cursor->gaps = 0;
	cursor->first = 0;
	cursor->last = INT64_MAX;
	for (i = 0; i < argc; i++)
		possible &= want(cursor, conditions[CONDITION * i], conditions[CONDITION * i + 1],
				 argv[i]);
	cursor->at_end = !possible;
	if (possible && kind->begin && kind->begin(cursor))
		return SQLITE_IOERR;
	if (possible)
		kind->next(cursor);
	return SQLITE_OK;
}

static int next_row(sqlite3_vtab_cursor *base)
{
	struct tring_sql_cursor *cursor = (struct tring_sql_cursor *)base;

	cursor->row++;
	cursor->table->kind->next(cursor);
	return SQLITE_OK;
}

static int is_at_end(sqlite3_vtab_cursor *base)
{
	return ((struct tring_sql_cursor *)base)->at_end;
}

static int give_column(sqlite3_vtab_cursor *base, sqlite3_context *to, int column)
{
	struct tring_sql_cursor *cursor = (struct tring_sql_cursor *)base;

	cursor->table->kind->column(cursor, to, column);
	return SQLITE_OK;
}

static int give_row_id(sqlite3_vtab_cursor *base, sqlite3_int64 *id)
{
	const struct tring_sql_cursor *cursor = (struct tring_sql_cursor *)base;

	/* SQLite may read a table once for each side of an OR, and knows a row again by this */
	if (cursor->item.trace && !cursor->rows)
		*id = tring_place(&cursor->item);
	else
		*id = cursor->row;
	return SQLITE_OK;
}

/* Without xCreate a table is there under the name of its module. */
const sqlite3_module tring_sql_module = {
	.iVersion	= 0,
	.xConnect	= connect_table,
	.xBestIndex	= find_best,
	.xDisconnect	= disconnect,
	.xOpen		= open_cursor,
	.xClose		= close_cursor,
	.xFilter	= begin_rows,
	.xNext		= next_row,
	.xEof		= is_at_end,
	.xColumn	= give_column,
	.xRowid		= give_row_id,
};
