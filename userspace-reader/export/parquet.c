// SPDX-License-Identifier: GPL-2.0
/*
 * Writes a table as files of Apache Parquet: values in their plain encoding, not compressed,
 * a page a column and row group. A file gets so many row groups that what describes them,
 * which is at the end of the file, stays small.
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "parquet.h"
#include "protobuf.h"
#include "thrift.h"
#include "tring_version.h"
#include "util/text.h"
#include "util/util.h"

#define MAGIC		"PAR1"
#define MAGIC_SIZE	4
#define PART_GROUPS	256

/* Numbers of Parquet's description, parquet.thrift. */
enum { INT32 = 1, INT64 = 2, BYTE_ARRAY = 6 };
enum { REQUIRED = 0, OPTIONAL = 1, REPEATED = 2 };
enum { CONVERTED_UTF8 = 0, CONVERTED_LIST = 3, CONVERTED_UINT_8 = 11, CONVERTED_INT_8 = 15 };
enum { LOGICAL_STRING = 1, LOGICAL_LIST = 3, LOGICAL_TIMESTAMP = 8, LOGICAL_INTEGER = 10 };
enum { TIMESTAMP_UTC = 1, TIMESTAMP_UNIT = 2, UNIT_NANOS = 3 };
enum { INTEGER_BITS = 1, INTEGER_SIGNED = 2 };
enum { PLAIN = 0, RLE = 3 };
enum { DATA_PAGE = 0, UNCOMPRESSED = 0 };

enum {
	ELEMENT_TYPE = 1,
	ELEMENT_REPETITION = 3,
	ELEMENT_NAME = 4,
	ELEMENT_CHILDREN = 5,
	ELEMENT_CONVERTED = 6,
	ELEMENT_LOGICAL = 10,
};

enum {
	PAGE_TYPE = 1,
	PAGE_UNCOMPRESSED = 2,
	PAGE_COMPRESSED = 3,
	PAGE_DATA = 5,
	DATA_VALUES = 1,
	DATA_ENCODING = 2,
	DATA_DEFINITIONS = 3,
	DATA_REPETITIONS = 4,
};

enum {
	CHUNK_OFFSET = 2,
	CHUNK_META = 3,
	META_TYPE = 1,
	META_ENCODINGS = 2,
	META_PATH = 3,
	META_CODEC = 4,
	META_VALUES = 5,
	META_UNCOMPRESSED = 6,
	META_COMPRESSED = 7,
	META_PAGE = 9,
};

enum { GROUP_COLUMNS = 1, GROUP_SIZE = 2, GROUP_ROWS = 3 };
enum { FILE_VERSION = 1, FILE_SCHEMA = 2, FILE_ROWS = 3, FILE_GROUPS = 4, FILE_CREATED_BY = 6 };

/**
 * tring_parquet_init - begin a table
 * @table: filled in; to be freed with tring_parquet_free()
 * @output: the directory, which must stay
 * @folder: where in the directory its files are
 * @columns: number of columns, for tring_parquet_column()
 */
void tring_parquet_init(struct tring_parquet *table, struct tring_output *output,
			const char *folder, size_t columns)
{
	memset(table, 0, sizeof(*table));
	table->output = output;
	table->folder = tring_format("%s", folder);
	table->columns = tring_allocate(columns * sizeof(*table->columns));
	tring_line_init(&table->footer);
}

static void free_values(struct tring_parquet_column *column)
{
	tring_line_free(&column->values);
	tring_line_free(&column->defined.runs);
	tring_line_free(&column->repeated.runs);
}

/**
 * tring_parquet_free - free the memory of a table
 * @table: the table
 */
void tring_parquet_free(struct tring_parquet *table)
{
	size_t i;

	for (i = 0; i < table->count; i++) {
		free_values(&table->columns[i]);
		free(table->columns[i].name);
	}
	free(table->columns);
	free(table->folder);
	tring_line_free(&table->footer);
}

static void init_values(struct tring_parquet_column *column)
{
	memset(&column->defined, 0, sizeof(column->defined));
	memset(&column->repeated, 0, sizeof(column->repeated));
	tring_line_init(&column->values);
	tring_line_init(&column->defined.runs);
	tring_line_init(&column->repeated.runs);
	column->count = 0;
}

/* The names of SQL have no case. Those of Hive's directories are columns, too. */
static bool has_column(const struct tring_parquet *table, const char *name)
{
	size_t i;

	for (i = 0; i < table->count; i++)
		if (!strcasecmp(table->columns[i].name, name))
			return true;
	return !strcasecmp(name, "host") || !strcasecmp(name, "event");
}

/**
 * tring_parquet_column - add a column
 * @table: the table, without rows
 * @name: its name, which gets a '_' if there is such a column, also by a directory's name
 * @kind: what its values are
 *
 * Return: the column, of signed numbers of 8 bytes.
 */
struct tring_parquet_column *tring_parquet_column(struct tring_parquet *table, const char *name,
						  enum tring_parquet_kind kind)
{
	struct tring_parquet_column *column = &table->columns[table->count];

	column->name = tring_format("%s", name);
	while (has_column(table, column->name)) {
		char *longer = tring_format("%s_", column->name);

		free(column->name);
		column->name = longer;
	}
	column->kind = kind;
	column->is_signed = true;
	column->size = 8;
	init_values(column);
	table->count++;
	return column;
}

static void end_run(struct tring_parquet_levels *levels)
{
	struct tring_line *runs = &levels->runs;

	if (!levels->count)
		return;
	tring_line_room(runs, TRING_PROTO_VARINT_MAX + 1);
	runs->at = tring_proto_varint(runs->at, (uint64_t)levels->count << 1);
	*runs->at++ = levels->value;
	levels->count = 0;
}

/**
 * tring_parquet_level - tell of values
 * @levels: the levels
 * @value: 1 if they are there, or belong to the row of the value before them
 * @count: number of values
 */
void tring_parquet_level(struct tring_parquet_levels *levels, uint8_t value, uint32_t count)
{
	if (levels->value != value && count) {
		end_run(levels);
		levels->value = value;
	}
	levels->count += count;
}

static void add_size(struct tring_line *line, uint32_t size)
{
	size = htole32(size);
	tring_line_text(line, (const char *)&size, sizeof(size));
}

/**
 * tring_parquet_bytes - add a value that is bytes
 * @column: the column
 * @bytes: the value
 * @size: number of bytes
 */
void tring_parquet_bytes(struct tring_parquet_column *column, const void *bytes, size_t size)
{
	add_size(&column->values, size);
	tring_line_text(&column->values, bytes, size);
	column->count++;
	if (column->is_optional)
		tring_parquet_level(&column->defined, 1, 1);
}

/**
 * tring_parquet_text - add a value that is text
 * @column: the column
 * @text: the value; a byte that is not UTF-8 becomes the character of its value
 * @size: bytes of @text
 */
void tring_parquet_text(struct tring_parquet_column *column, const void *text, size_t size)
{
	char *repaired;

	if (tring_is_ascii(text, size)) {
		tring_parquet_bytes(column, text, size);
		return;
	}
	repaired = tring_allocate(TRING_UTF8_MAX * size);
	size = tring_utf8_repair(repaired, text, size);
	tring_parquet_bytes(column, repaired, size);
	free(repaired);
}

/**
 * tring_parquet_null - add no value
 * @column: the column, which is optional
 */
void tring_parquet_null(struct tring_parquet_column *column)
{
	tring_parquet_level(&column->defined, 0, 1);
	column->count++;
}

/**
 * tring_parquet_begin_list - begin a list
 * @column: the column, to which the elements are added
 * @count: number of elements
 */
void tring_parquet_begin_list(struct tring_parquet_column *column, size_t count)
{
	/* an empty list counts as a value that is not there */
	tring_parquet_level(&column->repeated, 0, 1);
	if (!count) {
		tring_parquet_null(column);
		return;
	}
	tring_parquet_level(&column->repeated, 1, count - 1);
	tring_parquet_level(&column->defined, 1, count);
}

static int physical_type(const struct tring_parquet_column *column)
{
	if (column->kind == TRING_PARQUET_TEXT || column->kind == TRING_PARQUET_BYTES)
		return BYTE_ARRAY;
	return column->size > 4 ? INT64 : INT32;
}

static void add_integer(struct tring_thrift *thrift, const struct tring_parquet_column *column)
{
	int first = column->is_signed ? CONVERTED_INT_8 : CONVERTED_UINT_8;

	/* sizes of 8, 16, 32 and 64 bits follow one another */
	tring_thrift_i32(thrift, ELEMENT_CONVERTED, first + __builtin_ctz(column->size));
	tring_thrift_struct(thrift, ELEMENT_LOGICAL);
	tring_thrift_struct(thrift, LOGICAL_INTEGER);
	tring_thrift_i8(thrift, INTEGER_BITS, 8 * column->size);
	tring_thrift_bool(thrift, INTEGER_SIGNED, column->is_signed);
	tring_thrift_end(thrift);
	tring_thrift_end(thrift);
}

static void add_logical(struct tring_thrift *thrift, int16_t logical, int converted)
{
	tring_thrift_i32(thrift, ELEMENT_CONVERTED, converted);
	tring_thrift_struct(thrift, ELEMENT_LOGICAL);
	tring_thrift_struct(thrift, logical);
	tring_thrift_end(thrift);
	tring_thrift_end(thrift);
}

/* Nanoseconds have no converted type. */
static void add_time(struct tring_thrift *thrift)
{
	tring_thrift_struct(thrift, ELEMENT_LOGICAL);
	tring_thrift_struct(thrift, LOGICAL_TIMESTAMP);
	tring_thrift_bool(thrift, TIMESTAMP_UTC, true);
	tring_thrift_struct(thrift, TIMESTAMP_UNIT);
	tring_thrift_struct(thrift, UNIT_NANOS);
	tring_thrift_end(thrift);
	tring_thrift_end(thrift);
	tring_thrift_end(thrift);
	tring_thrift_end(thrift);
}

static void add_group(struct tring_thrift *thrift, const char *name, int repetition)
{
	tring_thrift_element_struct(thrift);
	tring_thrift_i32(thrift, ELEMENT_REPETITION, repetition);
	tring_thrift_text(thrift, ELEMENT_NAME, name);
	tring_thrift_i32(thrift, ELEMENT_CHILDREN, 1);
	if (repetition != REPEATED)
		add_logical(thrift, LOGICAL_LIST, CONVERTED_LIST);
	tring_thrift_end(thrift);
}

static void add_element(struct tring_thrift *thrift, const struct tring_parquet_column *column)
{
	if (column->is_list) {
		add_group(thrift, column->name, REQUIRED);
		add_group(thrift, "list", REPEATED);
	}
	tring_thrift_element_struct(thrift);
	tring_thrift_i32(thrift, ELEMENT_TYPE, physical_type(column));
	tring_thrift_i32(thrift, ELEMENT_REPETITION, column->is_optional ? OPTIONAL : REQUIRED);
	tring_thrift_text(thrift, ELEMENT_NAME, column->is_list ? "element" : column->name);
	if (column->kind == TRING_PARQUET_TEXT)
		add_logical(thrift, LOGICAL_STRING, CONVERTED_UTF8);
	else if (column->kind == TRING_PARQUET_TIME)
		add_time(thrift);
	else if (column->kind == TRING_PARQUET_NUMBER)
		add_integer(thrift, column);
	tring_thrift_end(thrift);
}

static void add_schema(struct tring_thrift *thrift, const struct tring_parquet *table)
{
	size_t elements = 1, i;

	for (i = 0; i < table->count; i++)
		elements += table->columns[i].is_list ? 3 : 1;
	tring_thrift_list(thrift, FILE_SCHEMA, TRING_THRIFT_STRUCT, elements);
	tring_thrift_element_struct(thrift);
	tring_thrift_text(thrift, ELEMENT_NAME, "event");
	tring_thrift_i32(thrift, ELEMENT_CHILDREN, table->count);
	tring_thrift_end(thrift);
	for (i = 0; i < table->count; i++)
		add_element(thrift, &table->columns[i]);
}

static size_t levels_size(const struct tring_parquet_levels *levels)
{
	return sizeof(uint32_t) + (levels->runs.at - levels->runs.start);
}

static void add_levels(struct tring_line *to, const struct tring_parquet_levels *levels)
{
	size_t size = levels->runs.at - levels->runs.start;

	add_size(to, size);
	tring_line_text(to, levels->runs.start, size);
}

static void add_page(struct tring_line *to, struct tring_parquet_column *column)
{
	size_t values = column->values.at - column->values.start, size = values;
	struct tring_thrift thrift;

	end_run(&column->defined);
	end_run(&column->repeated);
	if (column->is_list)
		size += levels_size(&column->repeated);
	if (column->is_list || column->is_optional)
		size += levels_size(&column->defined);
	tring_thrift_init(&thrift, to);
	tring_thrift_i32(&thrift, PAGE_TYPE, DATA_PAGE);
	tring_thrift_i32(&thrift, PAGE_UNCOMPRESSED, size);
	tring_thrift_i32(&thrift, PAGE_COMPRESSED, size);
	tring_thrift_struct(&thrift, PAGE_DATA);
	tring_thrift_i32(&thrift, DATA_VALUES, column->count);
	tring_thrift_i32(&thrift, DATA_ENCODING, PLAIN);
	tring_thrift_i32(&thrift, DATA_DEFINITIONS, RLE);
	tring_thrift_i32(&thrift, DATA_REPETITIONS, RLE);
	tring_thrift_end(&thrift);
	tring_thrift_end(&thrift);
	if (column->is_list)
		add_levels(to, &column->repeated);
	if (column->is_list || column->is_optional)
		add_levels(to, &column->defined);
	tring_line_text(to, column->values.start, values);
}

/* @at: offset of the column's page in the file; @size: bytes of it, with its header */
static void describe_chunk(struct tring_thrift *thrift,
			   const struct tring_parquet_column *column, uint64_t at, uint64_t size)
{
	tring_thrift_element_struct(thrift);
	tring_thrift_i64(thrift, CHUNK_OFFSET, at);
	tring_thrift_struct(thrift, CHUNK_META);
	tring_thrift_i32(thrift, META_TYPE, physical_type(column));
	tring_thrift_list(thrift, META_ENCODINGS, TRING_THRIFT_I32, 2);
	tring_thrift_element_i32(thrift, PLAIN);
	tring_thrift_element_i32(thrift, RLE);
	tring_thrift_list(thrift, META_PATH, TRING_THRIFT_BINARY, column->is_list ? 3 : 1);
	tring_thrift_element_text(thrift, column->name);
	if (column->is_list) {
		tring_thrift_element_text(thrift, "list");
		tring_thrift_element_text(thrift, "element");
	}
	tring_thrift_i32(thrift, META_CODEC, UNCOMPRESSED);
	tring_thrift_i64(thrift, META_VALUES, column->count);
	tring_thrift_i64(thrift, META_UNCOMPRESSED, size);
	tring_thrift_i64(thrift, META_COMPRESSED, size);
	tring_thrift_i64(thrift, META_PAGE, at);
	tring_thrift_end(thrift);
	tring_thrift_end(thrift);
}

static void append(struct tring_parquet *table, const struct tring_line *bytes)
{
	char *name = tring_format("%s/part-%u.parquet", table->folder, table->part);
	size_t size = bytes->at - bytes->start;

	tring_output_dir_append(table->output, name, bytes->start, size);
	table->part_size += size;
	free(name);
}

/**
 * tring_parquet_write_group - write the rows that were added, and release their memory
 * @table: the table
 */
void tring_parquet_write_group(struct tring_parquet *table)
{
	struct tring_thrift thrift;
	struct tring_line bytes;
	size_t i;

	if (!table->rows)
		return;
	tring_line_init(&bytes);
	if (!table->part_size)
		tring_line_text(&bytes, MAGIC, MAGIC_SIZE);
	tring_thrift_init(&thrift, &table->footer);
	/* the group is an element of the list in the footer */
	tring_thrift_list(&thrift, GROUP_COLUMNS, TRING_THRIFT_STRUCT, table->count);
	for (i = 0; i < table->count; i++) {
		size_t at = bytes.at - bytes.start;

		add_page(&bytes, &table->columns[i]);
		describe_chunk(&thrift, &table->columns[i], table->part_size + at,
			       bytes.at - bytes.start - at);
		free_values(&table->columns[i]);
		init_values(&table->columns[i]);
	}
	tring_thrift_i64(&thrift, GROUP_SIZE, bytes.at - bytes.start);
	tring_thrift_i64(&thrift, GROUP_ROWS, table->rows);
	tring_thrift_end(&thrift);
	append(table, &bytes);
	tring_line_free(&bytes);
	table->part_rows += table->rows;
	table->rows = 0;
	if (++table->groups == PART_GROUPS)
		tring_parquet_finish(table);
}

/**
 * tring_parquet_finish - write the rows that were added, and complete the file
 * @table: the table; rows that are added now go to another file
 */
void tring_parquet_finish(struct tring_parquet *table)
{
	struct tring_thrift thrift;
	struct tring_line bytes;

	tring_parquet_write_group(table);
	/* that may have completed the file, if it was its last row group */
	if (!table->groups)
		return;
	tring_line_init(&bytes);
	tring_thrift_init(&thrift, &bytes);
	tring_thrift_i32(&thrift, FILE_VERSION, 1);
	add_schema(&thrift, table);
	tring_thrift_i64(&thrift, FILE_ROWS, table->part_rows);
	tring_thrift_list(&thrift, FILE_GROUPS, TRING_THRIFT_STRUCT, table->groups);
	tring_line_text(&bytes, table->footer.start, table->footer.at - table->footer.start);
	tring_thrift_text(&thrift, FILE_CREATED_BY, "tring version " TRING_VERSION);
	tring_thrift_end(&thrift);
	add_size(&bytes, bytes.at - bytes.start);
	tring_line_text(&bytes, MAGIC, MAGIC_SIZE);
	append(table, &bytes);
	tring_line_free(&bytes);
	table->footer.at = table->footer.start;
	table->groups = 0;
	table->part_rows = 0;
	table->part_size = 0;
	table->part++;
}
