/* SPDX-License-Identifier: GPL-2.0 */
/* Writes a table as files of Apache Parquet. */
#ifndef TRING_PARQUET_H
#define TRING_PARQUET_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "output_dir.h"
#include "util/line.h"

enum tring_parquet_kind {
	TRING_PARQUET_NUMBER,
	TRING_PARQUET_TIME,		/* nanoseconds since 1970 */
	TRING_PARQUET_TEXT,
	TRING_PARQUET_BYTES,
};

/**
 * struct tring_parquet_levels - which of a column's values there are, as runs
 * @runs: runs that have ended
 * @count: length of the last run
 * @value: its value, 0 or 1
 */
struct tring_parquet_levels {
	struct tring_line runs;
	uint32_t	count;
	uint8_t		value;
};

/**
 * struct tring_parquet_column - a column of a table
 * @name: its name
 * @kind: what its values are
 * @is_signed: numbers are signed
 * @size: bytes of a number
 * @is_optional: a row may lack it
 * @is_list: a row has any number of values
 * @values: the values of the row group that is being filled
 * @defined: whether there is a value, for columns that are optional or a list
 * @repeated: whether a value belongs to the same row as the one before it, for a list
 * @count: number of values, with one for each row that has none
 */
struct tring_parquet_column {
	char		*name;
	enum tring_parquet_kind kind;
	bool		is_signed;
	uint8_t		size;
	bool		is_optional;
	bool		is_list;
	struct tring_line values;
	struct tring_parquet_levels defined;
	struct tring_parquet_levels repeated;
	uint32_t	count;
};

/**
 * struct tring_parquet - a table that is being written
 * @output: the directory
 * @folder: where in the directory its files are
 * @columns: its columns
 * @count: number of @columns
 * @rows: number of rows of the row group that is being filled
 * @part: number of the file
 * @part_size: bytes of the file
 * @part_rows: number of rows of the file
 * @groups: number of row groups of the file
 * @footer: their descriptions
 */
struct tring_parquet {
	struct tring_output *output;
	char		*folder;
	struct tring_parquet_column *columns;
	size_t		count;
	uint32_t	rows;
	unsigned int	part;
	uint64_t	part_size;
	uint64_t	part_rows;
	size_t		groups;
	struct tring_line footer;
};

void tring_parquet_init(struct tring_parquet *table, struct tring_output *output,
			const char *folder, size_t columns);
void tring_parquet_free(struct tring_parquet *table);
struct tring_parquet_column *tring_parquet_column(struct tring_parquet *table, const char *name,
						  enum tring_parquet_kind kind);
void tring_parquet_level(struct tring_parquet_levels *levels, uint8_t value, uint32_t count);
void tring_parquet_text(struct tring_parquet_column *column, const void *text, size_t size);
void tring_parquet_bytes(struct tring_parquet_column *column, const void *bytes, size_t size);
void tring_parquet_null(struct tring_parquet_column *column);
void tring_parquet_begin_list(struct tring_parquet_column *column, size_t count);
void tring_parquet_write_group(struct tring_parquet *table);
void tring_parquet_finish(struct tring_parquet *table);

/**
 * tring_parquet_number - add a number; to a list, an element
 * @column: the column
 * @value: the number
 */
static inline void tring_parquet_number(struct tring_parquet_column *column, uint64_t value)
{
	struct tring_line *values = &column->values;

	tring_line_room(values, sizeof(value));
	value = htole64(value);
	/* the lower half comes first, so that it is the number if it has 4 bytes */
	memcpy(values->at, &value, sizeof(value));
	values->at += column->size > 4 ? 8 : 4;
	column->count++;
	if (column->is_optional)
		tring_parquet_level(&column->defined, 1, 1);
}

#endif /* TRING_PARQUET_H */
