// SPDX-License-Identifier: GPL-2.0
/*
 * Prints the rows of a query. A table's columns are as wide as the widest of its first rows, so
 * a query that is long prints from the start. What a trace has in its texts reaches a terminal, and
 * each of the forms, escaped.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/json.h"
#include "result.h"
#include "util/text.h"
#include "util/util.h"

/* Rows whose widths are looked at. */
#define ROWS_AHEAD	256
/* A wider value does not widen its column. */
#define WIDTH_MOST	60

struct result;

/**
 * struct form - how rows are printed
 * @name: its name
 * @before: what stands before a row
 * @between: what stands between two values
 * @behind: what stands behind a row
 * @print: prints a value, from its text
 */
struct form {
	const char	*name;
	const char	*before;
	const char	*between;
	const char	*behind;
	void		(*print)(const struct result *result, int column, const char *text,
				 int type);
};

/**
 * struct result - rows that are being printed
 * @statement: the query
 * @form: how they are printed
 * @count: number of columns
 * @names: their names
 * @widths: characters of each
 * @texts: columns of which a value is no number; others are printed at the right
 * @rows: texts of the rows that were not printed yet
 * @row_count: number of @rows
 * @begun: what stands above the rows was printed
 */
struct result {
	sqlite3_stmt	*statement;
	const struct form *form;
	int		count;
	char		**names;
	size_t		*widths;
	bool		*texts;
	char		***rows;
	size_t		row_count;
	bool		begun;
};

/* Characters on a terminal, of UTF-8. */
static size_t count_characters(const char *text)
{
	size_t count = 0;

	for (; *text; text++)
		count += (*text & 0xc0) != 0x80;
	return count;
}

static void print_padded(const struct result *result, int column, const char *text, int type)
{
	size_t size = count_characters(text);
	int pad = size < result->widths[column] ? result->widths[column] - size : 0;
	const bool left = result->texts[column];

	(void)type;
	printf("%*s%s%*s", left ? 0 : pad, "", text, left && column + 1 < result->count ? pad : 0,
	       "");
}

/* As RFC 4180 has it. A spreadsheet takes no text as a formula. */
static void print_csv(const struct result *result, int column, const char *text, int type)
{
	bool formula = type == SQLITE_TEXT && *text && strchr("=+-@", *text);

	(void)result;
	(void)column;
	if (!formula && !text[strcspn(text, ",\"")]) {
		fputs(text, stdout);
		return;
	}
	fputs(formula ? "\"'" : "\"", stdout);
	for (; *text; text++) {
		if (*text == '"')
			putchar('"');
		putchar(*text);
	}
	putchar('"');
}

static void print_markdown(const struct result *result, int column, const char *text, int type)
{
	(void)result;
	(void)column;
	(void)type;
	for (; *text; text++) {
		if (strchr("|\\`*_<>[]#", *text))
			putchar('\\');
		putchar(*text);
	}
}

/* JSON has its own way to escape a text. */
static void print_json(const struct result *result, int column, const char *text, int type)
{
	const char *value = (const char *)sqlite3_column_text(result->statement, column);

	tring_json_print(stdout, sqlite3_column_name(result->statement, column));
	putchar(':');
	/* it has no infinity */
	if (type == SQLITE_NULL || (type == SQLITE_FLOAT && strstr(text, "Inf")))
		fputs("null", stdout);
	else if (type == SQLITE_INTEGER || type == SQLITE_FLOAT)
		fputs(text, stdout);
	else
		tring_json_print(stdout, value ? value : "");
}

static const struct form forms[] = {
	[TRING_RESULT_TABLE] = { "table", "", "  ", "\n", print_padded },
	[TRING_RESULT_CSV] = { "csv", "", ",", "\n", print_csv },
	[TRING_RESULT_JSON] = { "json", "{", ",", "}", print_json },
	[TRING_RESULT_MARKDOWN] = { "md", "| ", " | ", " |\n", print_markdown },
};

/**
 * tring_result_form - find a form by its name
 * @name: the name
 * @form: set to it
 *
 * Return: false if there is none.
 */
bool tring_result_form(const char *name, enum tring_result_form *form)
{
	size_t i;

	for (i = 0; i < sizeof(forms) / sizeof(forms[0]) && strcmp(forms[i].name, name); i++)
		;
	*form = i;
	return i < sizeof(forms) / sizeof(forms[0]);
}

/* @types: of the values; NULL if the statement has none of this row */
static void print_row(const struct result *result, char *const *texts, const int *types)
{
	int i;

	fputs(result->form->before, stdout);
	for (i = 0; i < result->count; i++) {
		fputs(i ? result->form->between : "", stdout);
		result->form->print(result, i, texts[i], types ? types[i] : SQLITE_TEXT);
	}
	fputs(result->form->behind, stdout);
}

static void free_row(const struct result *result, char **texts)
{
	int i;

	for (i = 0; i < result->count; i++)
		free(texts[i]);
	free(texts);
}

static void widen(struct result *result, int column, const char *text)
{
	size_t size = count_characters(text);

	if (size > WIDTH_MOST)
		size = WIDTH_MOST;
	if (size > result->widths[column])
		result->widths[column] = size;
}

/* Prints what stands above the rows, and those that were kept. */
static void begin(struct result *result)
{
	/* WIDTH_MOST of them */
	static const char dashes[] = "------------------------------------------------------------";
	const enum tring_result_form form = result->form - forms;
	size_t i;
	int at;

	if (result->begun)
		return;
	result->begun = true;
	if (form != TRING_RESULT_JSON)
		print_row(result, result->names, NULL);
	for (at = 0; form == TRING_RESULT_MARKDOWN && at < result->count; at++)
		fputs(at ? " --- |" : "| --- |", stdout);
	for (at = 0; form == TRING_RESULT_TABLE && at < result->count; at++)
		printf("%s%.*s", at ? "  " : "", (int)result->widths[at], dashes);
	if (form == TRING_RESULT_MARKDOWN || form == TRING_RESULT_TABLE)
		putchar('\n');
	for (i = 0; i < result->row_count; i++) {
		print_row(result, result->rows[i], NULL);
		free_row(result, result->rows[i]);
	}
}

/* Return: the texts of the row that was read, of which a table's widths take account. */
static char **take_row(struct result *result, int *types)
{
	char **texts = tring_allocate(result->count * sizeof(*texts));
	const char *text;
	int i;

	for (i = 0; i < result->count; i++) {
		types[i] = sqlite3_column_type(result->statement, i);
		text = (const char *)sqlite3_column_text(result->statement, i);
		texts[i] = tring_text_escaped(text ? text : "");
		if (result->begun)
			continue;
		widen(result, i, texts[i]);
		result->texts[i] |= types[i] == SQLITE_TEXT || types[i] == SQLITE_BLOB;
	}
	return texts;
}

static int print_rows(struct result *result, int *types)
{
	const bool is_json = result->form == &forms[TRING_RESULT_JSON];
	const size_t ahead = result->form == &forms[TRING_RESULT_TABLE] ? ROWS_AHEAD : 0;
	const char *between = is_json ? "[" : "";
	char **texts;
	int status;

	while ((status = sqlite3_step(result->statement)) == SQLITE_ROW) {
		texts = take_row(result, types);
		if (result->row_count < ahead) {
			result->rows = tring_one_more(result->rows, result->row_count,
						      sizeof(*result->rows));
			result->rows[result->row_count++] = texts;
			continue;
		}
		begin(result);
		fputs(between, stdout);
		between = is_json ? ",\n" : "";
		print_row(result, texts, types);
		free_row(result, texts);
	}
	begin(result);
	if (is_json)
		puts(*between == '[' ? "[]" : "]");
	return status;
}

/**
 * tring_result_print - run a query, and print its rows
 * @statement: the query
 * @form: how they are printed
 *
 * Return: SQLITE_DONE, or an error of SQLite's.
 */
int tring_result_print(sqlite3_stmt *statement, enum tring_result_form form)
{
	struct result result = {
		.statement = statement, .form = &forms[form],
		.count = sqlite3_column_count(statement),
	};
	int *types, status, i;

	if (!result.count)
		return sqlite3_step(statement);
	types = tring_allocate(result.count * sizeof(*types));
	result.names = tring_allocate(result.count * sizeof(*result.names));
	result.widths = tring_allocate(result.count * sizeof(*result.widths));
	result.texts = tring_allocate(result.count * sizeof(*result.texts));
	for (i = 0; i < result.count; i++) {
		result.names[i] = tring_text_escaped(sqlite3_column_name(statement, i));
		widen(&result, i, result.names[i]);
	}
	status = print_rows(&result, types);
	free_row(&result, result.names);
	free(result.rows);
	free(result.widths);
	free(result.texts);
	free(types);
	return status;
}
