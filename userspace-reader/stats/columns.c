// SPDX-License-Identifier: GPL-2.0
/*
 * Tables of numbers. A table keeps twice as many rows as the limit at most: then it drops those
 * that come last in its order. So a table of all losses takes little memory.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "export/json.h"
#include "util/clock.h"
#include "util/text.h"
#include "util/util.h"

/* Two blanks, and the longest name of a task. */
#define TEXT_WIDTH	17

/* Room for a text that tells a row from others: two blanks, and some characters. */
#define MORE_LEAST	12

/* Return: characters of the columns that are not hidden, each with a blank. */
static size_t width_of_columns(const struct tring_rows *rows)
{
	size_t width = 0, i;

	for (i = 0; i < rows->column_count; i++)
		if (!(rows->hidden & 1u << i))
			width += rows->columns[i].width + 1;
	return width;
}

/*
 * What a row is of has to be seen, so columns that there is no room for are left out.
 * @width: of the text, with the blanks in front of it
 */
static void hide_columns(struct tring_rows *rows, size_t width)
{
	size_t i;

	width += width_of_columns(rows);
	for (i = rows->column_count; i-- > 1 && width > rows->width + 1; ) {
		if (i == rows->order || !rows->columns[i].width || rows->hidden & 1u << i)
			continue;
		rows->hidden |= 1u << i;
		width -= rows->columns[i].width + 1;
	}
}

/**
 * tring_rows_init - prepare a table
 * @rows: the table, with all that the caller sets
 */
void tring_rows_init(struct tring_rows *rows)
{
	size_t i;

	for (i = 0; i < rows->column_count; i++) {
		if (!strcmp(rows->columns[i].name, rows->sort))
			rows->order = i;
		if (!rows->columns[i].width)
			rows->hidden |= 1u << i;
	}
	if (rows->width)
		hide_columns(rows, *rows->text ? TEXT_WIDTH : 0);
}

/* The names of events are longer than those of tasks. */
static void hide_for_texts(struct tring_rows *rows)
{
	size_t width = 0, i;

	for (i = 0; i < rows->count; i++)
		if (strlen(rows->list[i].text) + 2 > width)
			width = strlen(rows->list[i].text) + 2;
	if (rows->width && width > TEXT_WIDTH)
		hide_columns(rows, width);
}

static const char *text_of(uint64_t value)
{
	return (const char *)(uintptr_t)value;
}

static bool is_known(const struct tring_column *column, uint64_t value)
{
	/* a counter may have any value */
	if (column->unit == TRING_UNIT_SIGNED)
		return true;
	return value != TRING_NO_VALUE && (column->unit != TRING_UNIT_TEXT || value);
}

/* Return: less than 0, 0 or more, as strcmp(); unknown values are the largest ones. */
static int compare_values(const struct tring_column *column, uint64_t a, uint64_t b)
{
	const bool has_a = is_known(column, a), has_b = is_known(column, b);

	if (!has_a || !has_b)
		return has_b - has_a;
	if (column->unit == TRING_UNIT_TEXT)
		return strcmp(text_of(a), text_of(b));
	return a == b ? 0 : a < b ? -1 : 1;
}

/* qsort_r()'s order; rows of equal values stay in the order of their texts. */
static int compare(const void *left, const void *right, void *data)
{
	const struct tring_rows *rows = data;
	const struct tring_row *a = left, *b = right;
	uint64_t first = a->values[rows->order], second = b->values[rows->order];
	const struct tring_column *column = &rows->columns[rows->order];
	int result = compare_values(column, first, second);
	size_t i;

	if (result && is_known(column, first) && is_known(column, second) && !column->ascending)
		return -result;
	for (i = 0; !result && i < rows->column_count; i++)
		result = compare_values(&rows->columns[i], a->values[i], b->values[i]);
	return result ? result : strcmp(a->text, b->text);
}

static void cut(struct tring_rows *rows)
{
	while (rows->limit && rows->count > rows->limit)
		free(rows->list[--rows->count].text);
}

/* Sorts the rows, and drops those behind the limit. */
static void sort_rows(struct tring_rows *rows)
{
	if (rows->count)
		qsort_r(rows->list, rows->count, sizeof(*rows->list), compare, rows);
	cut(rows);
}

/**
 * tring_rows_add - add a row
 * @rows: the table
 * @row: the row, which is copied; the table frees its text, which may be NULL
 */
void tring_rows_add(struct tring_rows *rows, const struct tring_row *row)
{
	if (rows->limit && rows->count >= 2 * rows->limit)
		sort_rows(rows);
	rows->list = tring_one_more(rows->list, rows->count, sizeof(*row));
	rows->list[rows->count] = *row;
	if (!row->text)
		rows->list[rows->count].text = tring_format("%s", "");
	rows->count++;
	rows->all++;
}

/**
 * tring_rows_head - print the heads of the columns
 * @rows: the table
 */
void tring_rows_head(const struct tring_rows *rows)
{
	size_t i;

	if (rows->json)
		return;
	for (i = 0; i < rows->column_count; i++)
		if (!(rows->hidden & 1u << i))
			fprintf(rows->out, "%s%*s", i ? " " : "", rows->columns[i].width,
				rows->columns[i].name);
	fprintf(rows->out, "%s%s\n", *rows->text ? "  " : "", rows->text);
}

/*
 * How the numbers of a unit are printed: what one of it is, and how many digits are behind the
 * point. A table leaves the last ones out: they are cut off, as in the lines of report.
 */
static const struct unit {
	uint64_t	one;
	int		digits;
	int		shown;
} units[] = {
	[TRING_UNIT_COUNT] = { 1, 0, 0 },
	[TRING_UNIT_SIGNED] = { 1, 0, 0 },
	[TRING_UNIT_S] = { 1000000000, 9, 6 },
	[TRING_UNIT_MS] = { 1000000, 6, 3 },
	[TRING_UNIT_US] = { 1000, 3, 3 },
	[TRING_UNIT_STAMP] = { 1000000000, 9, 9 },
	[TRING_UNIT_THOUSANDTHS] = { 1000, 3, 1 },
	[TRING_UNIT_CHANGE] = { 1000, 3, 1 },
};

static char *value_text(const struct tring_rows *rows, enum tring_unit unit, uint64_t value)
{
	const struct unit *of = &units[unit];
	const bool is_signed = unit == TRING_UNIT_SIGNED || unit == TRING_UNIT_CHANGE;
	const bool negative = is_signed && value < TRING_SIGNED(0);
	int digits = rows->json ? of->digits : of->shown;
	char *text;

	if (is_signed)
		value = negative ? -TRING_SIGNED(value) : TRING_SIGNED(value);
	if (unit >= TRING_UNIT_S && unit <= TRING_UNIT_STAMP)
		value = tring_clock_ns(value, rows->frequency);
	if (!of->digits)
		return tring_format("%s%" PRIu64, negative ? "-" : "", value);
	text = tring_format("%s%" PRIu64 ".%0*" PRIu64, negative ? "-" : "", value / of->one,
			    of->digits, value % of->one);
	text[strlen(text) - (of->digits - digits)] = 0;
	return text;
}

static void print_value(const struct tring_rows *rows, const struct tring_column *column,
			uint64_t value)
{
	const bool is_text = column->unit == TRING_UNIT_TEXT;
	char *text;

	if (!is_known(column, value)) {
		fprintf(rows->out, "%*s", column->width, "-");
		return;
	}
	text = is_text ? tring_text_escaped(text_of(value)) :
			 value_text(rows, column->unit, value);
	fprintf(rows->out, "%*.*s", column->width, is_text ? column->width : -1, text);
	free(text);
}

static void print_json_value(const struct tring_rows *rows, const struct tring_column *column,
			     uint64_t value)
{
	char *text;

	if (!is_known(column, value)) {
		fputs("null", rows->out);
	} else if (column->unit == TRING_UNIT_TEXT) {
		tring_json_print(rows->out, text_of(value));
	} else {
		text = value_text(rows, column->unit, value);
		fputs(text, rows->out);
		free(text);
	}
}

/* The keys are the names of the columns. */
static void print_json(const struct tring_rows *rows, const struct tring_row *row)
{
	size_t i;

	fprintf(rows->out, "{\"table\":\"%s\"", rows->json);
	for (i = 0; i < rows->column_count; i++) {
		fprintf(rows->out, ",\"%s\":", rows->columns[i].name);
		print_json_value(rows, &rows->columns[i], row->values[i]);
	}
	if (*rows->text) {
		fprintf(rows->out, ",\"%s\":", rows->text);
		tring_json_print(rows->out, row->text);
	}
	fputs("}\n", rows->out);
}

/* What tells it from other rows with the same text. */
static void print_more(const struct tring_rows *rows, const struct tring_row *row)
{
	size_t used = width_of_columns(rows) + strlen(row->text) + 2, room = SIZE_MAX;
	char *text;

	if (!row->is_shared || !is_known(&rows->columns[rows->more], row->values[rows->more]))
		return;
	if (rows->width)
		room = rows->width > used ? rows->width - used : 0;
	text = tring_text_escaped(text_of(row->values[rows->more]));
	if (room >= MORE_LEAST)
		fprintf(rows->out, "  %.*s", (int)(room < INT_MAX ? room - 2 : INT_MAX), text);
	free(text);
}

/**
 * tring_rows_line - print a row
 * @rows: the table
 * @row: the row, which need not be one of the table's
 */
void tring_rows_line(const struct tring_rows *rows, const struct tring_row *row)
{
	size_t i;

	if (rows->json) {
		print_json(rows, row);
		return;
	}
	for (i = 0; i < rows->column_count; i++) {
		if (rows->hidden & 1u << i)
			continue;
		if (i)
			putc(' ', rows->out);
		print_value(rows, &rows->columns[i], row->values[i]);
	}
	if (row->text && *row->text) {
		fputs("  ", rows->out);
		tring_text_print(rows->out, row->text);
		print_more(rows, row);
	}
	putc('\n', rows->out);
}

static void hide_unknown(struct tring_rows *rows)
{
	size_t i, j;

	for (i = 0; i < rows->column_count; i++) {
		if (!rows->columns[i].optional)
			continue;
		for (j = 0; j < rows->count; j++)
			if (is_known(&rows->columns[i], rows->list[j].values[i]))
				break;
		if (j == rows->count)
			rows->hidden |= 1u << i;
	}
}

static int compare_texts(const void *left, const void *right)
{
	const struct tring_row *const *a = left, *const *b = right;

	return strcmp((*a)->text, (*b)->text);
}

static void find_shared(struct tring_rows *rows)
{
	struct tring_row **list = tring_allocate((rows->count + 1) * sizeof(*list));
	size_t i;

	for (i = 0; i < rows->count; i++)
		list[i] = &rows->list[i];
	qsort(list, rows->count, sizeof(*list), compare_texts);
	for (i = 1; i < rows->count; i++) {
		if (!compare_texts(&list[i - 1], &list[i])) {
			list[i - 1]->is_shared = true;
			list[i]->is_shared = true;
		}
	}
	free(list);
}

/**
 * tring_rows_show - sort the rows and print them, with the heads of the columns
 * @rows: the table
 *
 * If there are more rows than the limit, a line says so.
 */
void tring_rows_show(struct tring_rows *rows)
{
	size_t i;

	sort_rows(rows);
	if (rows->collect) {
		rows->collect(rows->data, rows);
		return;
	}
	hide_unknown(rows);
	hide_for_texts(rows);
	if (rows->more)
		find_shared(rows);
	tring_rows_head(rows);
	if (!rows->count && !rows->json)
		fputs("(none)\n", rows->out);
	for (i = 0; i < rows->count; i++)
		tring_rows_line(rows, &rows->list[i]);
	if (rows->count < rows->all && !rows->json)
		fprintf(rows->out, "(%zu more; -n 0 prints all)\n", rows->all - rows->count);
}

/**
 * tring_rows_free - free the rows
 * @rows: the table
 */
void tring_rows_free(struct tring_rows *rows)
{
	size_t i;

	for (i = 0; i < rows->count; i++)
		free(rows->list[i].text);
	free(rows->list);
	rows->list = NULL;
	rows->count = 0;
}
