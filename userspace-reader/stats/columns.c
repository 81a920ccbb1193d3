// SPDX-License-Identifier: GPL-2.0
/*
 * Tables of numbers. A table keeps twice as many rows as the limit at most: then it drops those
 * that come last in its order. So a table of all losses takes little memory.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "util/clock.h"
#include "util/text.h"
#include "util/util.h"

/* Two blanks, and the longest name of a task. */
#define TEXT_WIDTH	17

/* What a row is of has to be seen, so columns that there is no room for are left out. */
static void hide_columns(struct tring_rows *rows)
{
	size_t width = *rows->text ? TEXT_WIDTH : 0, i;

	for (i = 0; i < rows->column_count; i++)
		width += rows->columns[i].width + 1;
	for (i = rows->column_count; i-- > 1 && width > rows->width + 1; ) {
		if (i == rows->order)
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

	for (i = 0; i < rows->column_count; i++)
		if (!strcmp(rows->columns[i].name, rows->sort))
			rows->order = i;
	if (rows->width)
		hide_columns(rows);
}

/* qsort_r()'s order; rows of equal values stay in the order of their texts. */
static int compare(const void *left, const void *right, void *data)
{
	const struct tring_rows *rows = data;
	const struct tring_row *a = left, *b = right;
	uint64_t first = a->values[rows->order], second = b->values[rows->order];
	size_t i;

	if (first != second) {
		bool less = first < second;

		if (first == TRING_NO_VALUE || second == TRING_NO_VALUE)
			return less ? -1 : 1;
		return less == rows->columns[rows->order].ascending ? -1 : 1;
	}
	for (i = 0; i < rows->column_count; i++)
		if (a->values[i] != b->values[i])
			return a->values[i] < b->values[i] ? -1 : 1;
	return strcmp(a->text, b->text);
}

static void cut(struct tring_rows *rows)
{
	while (rows->limit && rows->count > rows->limit)
		free(rows->list[--rows->count].text);
}

/**
 * tring_rows_sort - sort the rows and drop those behind the limit
 * @rows: the table
 */
void tring_rows_sort(struct tring_rows *rows)
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
		tring_rows_sort(rows);
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

	for (i = 0; i < rows->column_count; i++)
		if (!(rows->hidden & 1u << i))
			fprintf(rows->out, "%s%*s", i ? " " : "", rows->columns[i].width,
				rows->columns[i].name);
	fprintf(rows->out, "%s%s\n", *rows->text ? "  " : "", rows->text);
}

/* The digits that are left out are cut off, as in the lines of report. */
static void print_value(const struct tring_rows *rows, const struct tring_column *column,
			uint64_t value)
{
	static const struct {
		uint64_t whole, part;
		int digits;
	} units[] = {
		[TRING_UNIT_S] = { 1000000000, 1000, 6 },
		[TRING_UNIT_MS] = { 1000000, 1000, 3 },
		[TRING_UNIT_US] = { 1000, 1, 3 },
		[TRING_UNIT_STAMP] = { 1000000000, 1, 9 },
		[TRING_UNIT_THOUSANDTHS] = { 1000, 100, 1 },
	};
	uint64_t whole = units[column->unit].whole;
	char text[48];

	if (value == TRING_NO_VALUE) {
		fprintf(rows->out, "%*s", column->width, "-");
		return;
	}
	if (column->unit == TRING_UNIT_COUNT) {
		fprintf(rows->out, "%*" PRIu64, column->width, value);
		return;
	}
	if (column->unit != TRING_UNIT_THOUSANDTHS)
		value = tring_clock_ns(value, rows->frequency);
	snprintf(text, sizeof(text), "%" PRIu64 ".%0*" PRIu64, value / whole,
		 units[column->unit].digits, value % whole / units[column->unit].part);
	fprintf(rows->out, "%*s", column->width, text);
}

/**
 * tring_rows_line - print a row
 * @rows: the table
 * @row: the row, which need not be one of the table's
 */
void tring_rows_line(const struct tring_rows *rows, const struct tring_row *row)
{
	size_t i;

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
	}
	putc('\n', rows->out);
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

	tring_rows_sort(rows);
	tring_rows_head(rows);
	if (!rows->count)
		fputs("(none)\n", rows->out);
	for (i = 0; i < rows->count; i++)
		tring_rows_line(rows, &rows->list[i]);
	if (rows->count < rows->all)
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
