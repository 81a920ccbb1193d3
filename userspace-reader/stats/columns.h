/* SPDX-License-Identifier: GPL-2.0 */
/* Tables of numbers: sorted, cut to some rows, and printed. */
#ifndef TRING_COLUMNS_H
#define TRING_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define TRING_COLUMNS_MAX	16
/* A value that is not known, of another unit than _SIGNED; "-", sorted behind all others. */
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
	/* TRING_SIGNED() of the same */
	TRING_UNIT_CHANGE,
	/* a pointer to a text, which is cut at the width; from tring_value_of_text() */
	TRING_UNIT_TEXT,
};

/**
 * struct tring_column - a column
 * @name: its head, by which --sort names it
 * @unit: how values are printed
 * @width: characters; 0 for a column that only JSON has
 * @ascending: the smallest value comes first
 * @optional: a table in which no row has a value does without it
 */
struct tring_column {
	const char	*name;
	enum tring_unit	unit;
	int		width;
	bool		ascending;
	bool		optional;
};

/**
 * struct tring_row - a row
 * @values: a number for each column
 * @text: what stands behind the numbers
 * @of: what the row is of, for the caller
 * @is_shared: another row has the same text
 */
struct tring_row {
	uint64_t	values[TRING_COLUMNS_MAX];
	char		*text;
	const void	*of;
	bool		is_shared;
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
 * @more: column of texts that tell apart rows with the same text, if there is room; 0 for none
 * @collect: takes the sorted rows instead of printing them; NULL if they are printed
 * @data: for @collect
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
	size_t		more;
	void		(*collect)(void *data, const struct tring_rows *rows);
	void		*data;
	const char	*json;
	struct tring_row *list;
	size_t		count;
	size_t		all;
	size_t		order;
	unsigned int	hidden;
};

/**
 * tring_value_of_text - make the value of a column of texts
 * @text: the text, which has to live as long as the rows; NULL if it is not known
 */
static inline uint64_t tring_value_of_text(const char *text)
{
	return text ? (uint64_t)(uintptr_t)text : TRING_NO_VALUE;
}

void tring_rows_init(struct tring_rows *rows);
void tring_rows_add(struct tring_rows *rows, const struct tring_row *row);
void tring_rows_head(const struct tring_rows *rows);
void tring_rows_line(const struct tring_rows *rows, const struct tring_row *row);
void tring_rows_show(struct tring_rows *rows);
void tring_rows_free(struct tring_rows *rows);

#endif /* TRING_COLUMNS_H */
