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
#include "util/line.h"
#include "util/text.h"
#include "util/util.h"

/* Rows whose widths are looked at. */
#define ROWS_AHEAD	256
/* A wider value does not widen its column. */
#define WIDTH_MOST	60

/**
 * struct result - rows that are being printed
 * @statement: the query
 * @count: number of columns
 * @widths: characters of each
 * @numbers: columns of which all values are numbers, which are printed at the right
 * @rows: texts of the rows that were not printed yet
 * @row_count: number of @rows
 * @line: for JSON
 */
struct result {
	sqlite3_stmt	*statement;
	int		count;
	size_t		*widths;
	bool		*numbers;
	char		***rows;
	size_t		row_count;
	struct tring_line line;
};

static const char * const forms[] = {
	[TRING_RESULT_TABLE] = "table", [TRING_RESULT_CSV] = "csv", [TRING_RESULT_JSON] = "json",
	[TRING_RESULT_MARKDOWN] = "md",
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

	for (i = 0; i < sizeof(forms) / sizeof(forms[0]) && strcmp(forms[i], name); i++)
		;
	*form = i;
	return i < sizeof(forms) / sizeof(forms[0]);
}

/* Characters on a terminal, of UTF-8. */
static size_t count_characters(const char *text)
{
	size_t count = 0;

	for (; *text; text++)
		count += (*text & 0xc0) != 0x80;
	return count;
}

static char *value_text(sqlite3_stmt *statement, int column)
{
	const char *text = (const char *)sqlite3_column_text(statement, column);

	return tring_text_escaped(text ? text : "");
}

static void print_cell(const struct result *result, int column, const char *text)
{
	size_t size = count_characters(text);
	int pad = size < result->widths[column] ? result->widths[column] - size : 0;

	if (column)
		fputs("  ", stdout);
	if (result->numbers[column])
		printf("%*s", pad, "");
	fputs(text, stdout);
	if (!result->numbers[column] && column + 1 < result->count)
		printf("%*s", pad, "");
}

static void print_row(const struct result *result, char *const *texts)
{
	int i;

	for (i = 0; i < result->count; i++)
		print_cell(result, i, texts[i]);
	putchar('\n');
}

static char **take_row(struct result *result)
{
	char **texts = tring_allocate(result->count * sizeof(*texts));
	int i;

	for (i = 0; i < result->count; i++)
		texts[i] = value_text(result->statement, i);
	return texts;
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

static void keep_row(struct result *result)
{
	char **texts = take_row(result);
	int i;

	for (i = 0; i < result->count; i++) {
		int type = sqlite3_column_type(result->statement, i);

		widen(result, i, texts[i]);
		result->numbers[i] &= type != SQLITE_TEXT && type != SQLITE_BLOB;
	}
	result->rows = tring_one_more(result->rows, result->row_count, sizeof(*result->rows));
	result->rows[result->row_count++] = texts;
}

static void print_kept(struct result *result)
{
	size_t i;

	for (i = 0; i < result->row_count; i++) {
		print_row(result, result->rows[i]);
		free_row(result, result->rows[i]);
	}
	result->row_count = 0;
}

static void print_head(struct result *result, char **names)
{
	int i;

	print_row(result, names);
	for (i = 0; i < result->count; i++) {
		size_t dashes = result->widths[i];

		fputs(i ? "  " : "", stdout);
		while (dashes--)
			putchar('-');
	}
	putchar('\n');
}

static int print_table(struct result *result)
{
	char **names = tring_allocate(result->count * sizeof(*names));
	int status, i;

	result->widths = tring_allocate(result->count * sizeof(*result->widths));
	result->numbers = tring_allocate(result->count * sizeof(*result->numbers));
	for (i = 0; i < result->count; i++) {
		names[i] = tring_text_escaped(sqlite3_column_name(result->statement, i));
		result->numbers[i] = true;
		widen(result, i, names[i]);
	}
	while ((status = sqlite3_step(result->statement)) == SQLITE_ROW &&
	       result->row_count < ROWS_AHEAD)
		keep_row(result);
	print_head(result, names);
	print_kept(result);
	for (; status == SQLITE_ROW; status = sqlite3_step(result->statement)) {
		char **texts = take_row(result);

		print_row(result, texts);
		free_row(result, texts);
	}
	free_row(result, names);
	free(result->rows);
	free(result->widths);
	free(result->numbers);
	return status;
}

/* As RFC 4180 has it. A spreadsheet takes no text as a formula. */
static void print_csv_text(const char *text, bool is_text)
{
	bool formula = is_text && *text && strchr("=+-@", *text);

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

static void print_markdown_text(const char *text)
{
	for (; *text; text++) {
		if (strchr("|\\`*_<>[]#", *text))
			putchar('\\');
		putchar(*text);
	}
}

static void print_field(enum tring_result_form form, int column, const char *text, bool is_text)
{
	if (form == TRING_RESULT_MARKDOWN) {
		fputs(column ? " | " : "| ", stdout);
		print_markdown_text(text);
		return;
	}
	if (column)
		putchar(',');
	print_csv_text(text, is_text);
}

static int print_lines(struct result *result, enum tring_result_form form)
{
	const char *end = form == TRING_RESULT_MARKDOWN ? " |" : "";
	char *text;
	int status, i;

	for (i = 0; i < result->count; i++) {
		text = tring_text_escaped(sqlite3_column_name(result->statement, i));
		print_field(form, i, text, true);
		free(text);
	}
	puts(end);
	for (i = 0; form == TRING_RESULT_MARKDOWN && i < result->count; i++)
		fputs(i ? " --- |" : "| --- |", stdout);
	if (form == TRING_RESULT_MARKDOWN)
		putchar('\n');
	while ((status = sqlite3_step(result->statement)) == SQLITE_ROW) {
		for (i = 0; i < result->count; i++) {
			text = value_text(result->statement, i);
			print_field(form, i, text,
				    sqlite3_column_type(result->statement, i) == SQLITE_TEXT);
			free(text);
		}
		puts(end);
	}
	return status;
}

static void print_json_value(struct result *result, int column)
{
	const char *text = (const char *)sqlite3_column_text(result->statement, column);
	struct tring_line *line = &result->line;

	switch (sqlite3_column_type(result->statement, column)) {
	case SQLITE_NULL:
		tring_line_text(line, "null", 4);
		break;
	case SQLITE_INTEGER:
	case SQLITE_FLOAT:
		/* JSON has no infinity */
		if (strstr(text, "Inf"))
			text = "null";
		tring_line_text(line, text, strlen(text));
		break;
	default:
		tring_json_text(line, text ? text : "", text ? strlen(text) : 0);
		break;
	}
}

static int print_json(struct result *result)
{
	struct tring_line *line = &result->line;
	const char *before = "[";
	int status, i;

	tring_line_init(line);
	while ((status = sqlite3_step(result->statement)) == SQLITE_ROW) {
		line->at = line->start;
		for (i = 0; i < result->count; i++) {
			const char *name = sqlite3_column_name(result->statement, i);

			tring_line_char(line, i ? ',' : '{');
			tring_json_text(line, name, strlen(name));
			tring_line_char(line, ':');
			print_json_value(result, i);
		}
		tring_line_char(line, '}');
		fputs(before, stdout);
		before = ",\n";
		fwrite(line->start, 1, line->at - line->start, stdout);
	}
	puts(*before == '[' ? "[]" : "]");
	tring_line_free(line);
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
		.statement = statement,
		.count = sqlite3_column_count(statement),
	};

	if (!result.count)
		return sqlite3_step(statement);
	if (form == TRING_RESULT_TABLE)
		return print_table(&result);
	if (form == TRING_RESULT_JSON)
		return print_json(&result);
	return print_lines(&result, form);
}
