/* SPDX-License-Identifier: GPL-2.0 */
/* Tables of numbers: sorted, cut to some rows, and printed. */
#ifndef TRING_COLUMNS_H
#define TRING_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define TRING_COLUMNS_MAX	12
/* A value that is not known; it is printed as "-" and sorted behind all others. */
#define TRING_NO_VALUE		UINT64_MAX

/* A signed number as a value, in the order of values. */
#define TRING_SIGNED(number)	((uint64_t)(number) ^ UINT64_C(1) << 63)

enum tring_unit {
	TRING_UNIT_COUNT,
	/* TRING_SIGNED() of a number */
	TRING_UNIT_SIGNED,
	/* ticks, printed in seconds, milliseconds or microseconds */
	TRING_UNIT_S,
	TRING_UNIT_MS,
	TRING_UNIT_US,
	/* a timestamp */
	TRING_UNIT_STAMP,
	/* thousandths, printed with one digit */
	TRING_UNIT_THOUSANDTHS,
};

/**
 * struct tring_column - a column
 * @name: its head, by which --sort names it
 * @unit: how values are printed
 * @width: characters
 * @ascending: the smallest value comes first
 */
struct tring_column {
	const char	*name;
	enum tring_unit	unit;
	int		width;
	bool		ascending;
};

/**
 * struct tring_row - a row
 * @values: a number for each column
 * @text: what stands behind the numbers
 * @of: what the row is of, for the caller
 */
struct tring_row {
	uint64_t	values[TRING_COLUMNS_MAX];
	char		*text;
	const void	*of;
};

/**
 * struct tring_rows - the rows of a table
 * @columns: the columns
 * @column_count: number of @columns
 * @text: head of the rows' texts
 * @sort: name of the column to sort by
 * @limit: number of rows to keep; 0 for all
 * @frequency: ticks per second
 * @out: where the table goes
 * @width: characters that a line may have, so that the last columns may be left out; 0 for any
 * @json: name of the table, if rows are objects of JSON; else NULL
 * @list: the rows
 * @count: number of @list
 * @all: number of rows that were added
 * @order: index of @sort
 * @hidden: columns that are left out, one bit each
 */
struct tring_rows {
	const struct tring_column *columns;
	size_t		column_count;
	const char	*text;
	const char	*sort;
	size_t		limit;
	uint64_t	frequency;
	FILE		*out;
	size_t		width;
	const char	*json;
	struct tring_row *list;
	size_t		count;
	size_t		all;
	size_t		order;
	unsigned int	hidden;
};

void tring_rows_init(struct tring_rows *rows);
void tring_rows_add(struct tring_rows *rows, const struct tring_row *row);
void tring_rows_sort(struct tring_rows *rows);
void tring_rows_head(const struct tring_rows *rows);
void tring_rows_line(const struct tring_rows *rows, const struct tring_row *row);
void tring_rows_show(struct tring_rows *rows);
void tring_rows_free(struct tring_rows *rows);

#endif /* TRING_COLUMNS_H */
