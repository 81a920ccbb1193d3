// SPDX-License-Identifier: GPL-2.0
/*
 * Queries from a terminal, with libedit: lines can be edited and found again, and Tab completes
 * the names of tables and columns, and SQL's words. From a file, queries are read as they come.
 */
#include <editline/readline.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shell.h"
#include "util/util.h"

static const char * const words[] = {
	"SELECT", "FROM", "WHERE", "GROUP", "ORDER", "BY", "LIMIT", "COUNT", "DESC", "DISTINCT",
	"HAVING", "JOIN", "USING", "UNION", "WITH", "BETWEEN", "LIKE", "GLOB", "CREATE", "TABLE",
};

/* What can be completed; libedit's function has no argument for it. */
static char **names;
static size_t name_count;

static void add_name(const char *name)
{
	size_t i;

	for (i = 0; i < name_count; i++)
		if (!strcmp(names[i], name))
			return;
	names = tring_one_more(names, name_count, sizeof(*names));
	names[name_count++] = tring_format("%s", name);
}

static void find_names(const struct tring_sql *sql)
{
	const struct tring_sql_column *column;
	size_t i, j;

	for (i = 0; i < sql->table_count; i++) {
		const struct tring_sql_table *table = &sql->tables[i];

		add_name(table->name);
		for (column = table->kind->columns; column->name; column++)
			add_name(column->name);
		for (j = 0; table->event && j < table->event->field_count; j++)
			add_name(table->event->fields[j].name);
	}
}

static char *next_name(const char *text, int again)
{
	static size_t at;

	if (!again)
		at = 0;
	for (; at < name_count; at++)
		if (!strncasecmp(names[at], text, strlen(text)))
			return strdup(names[at++]);
	return NULL;
}

static char **complete(const char *text, int start, int end)
{
	(void)start;
	(void)end;
	return rl_completion_matches(text, next_name);
}

/* The names are completed for as long as @sql is open. */
static void begin_terminal(const struct tring_sql *sql)
{
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		add_name(words[i]);
	for (; sql; sql = sql->before)
		find_names(sql);
	rl_readline_name = "tring";
	rl_attempted_completion_function = complete;
	using_history();
	puts("Queries end with a semicolon, and ^D ends.");
}

static void end_terminal(void)
{
	putchar('\n');
	while (name_count)
		free(names[--name_count]);
	free(names);
}

/* Return: a line, allocated; NULL at the end. */
static char *read_line(bool terminal, bool goes_on)
{
	char *line = NULL;
	size_t room = 0;

	if (terminal) {
		line = readline(goes_on ? "   ...> " : "tring> ");
		if (line && *line)
			add_history(line);
		return line;
	}
	if (getline(&line, &room, stdin) < 0) {
		free(line);
		return NULL;
	}
	line[strcspn(line, "\n")] = 0;
	return line;
}

/**
 * tring_sql_shell - run the queries that come from stdin
 * @sql: the trace
 * @database: that has its tables
 * @form: how rows are printed
 *
 * Return: false after an error, reported on stderr. On a terminal the last query counts.
 */
bool tring_sql_shell(struct tring_sql *sql, struct sqlite3 *database, enum tring_result_form form)
{
	const bool terminal = isatty(STDIN_FILENO);
	char *query = tring_format("%s", ""), *line;
	bool good = true;

	if (terminal)
		begin_terminal(sql);
	while ((good || terminal) && (line = read_line(terminal, *query))) {
		tring_extend(&query, "%s\n", line);
		free(line);
		if (!sqlite3_complete(query))
			continue;
		good = tring_sql_run(sql, database, query, form);
		*query = 0;
	}
	/* the last query may have no semicolon */
	if (good && *query && !terminal)
		good = tring_sql_run(sql, database, query, form);
	if (terminal)
		end_terminal();
	free(query);
	return good;
}
