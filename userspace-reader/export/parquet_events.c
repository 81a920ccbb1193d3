// SPDX-License-Identifier: GPL-2.0
/*
 * Writes events as tables of Apache Parquet: a table an event, as its fields are columns.
 * Hive's names of directories say the machine and the event: host=H/event=E. The columns
 * common_* are those of all events; the field of an event does not begin so.
 *
 * Rows stay in memory until all tables have as many bytes as they may; then the largest one
 * is written. So the row groups of frequent events are large, and memory is bounded.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "output_dir.h"
#include "parquet.h"
#include "util/clock.h"
#include "util/number.h"
#include "util/util.h"

/* Bytes of rows in memory, of all tables and of one; a buffer may be twice as large. */
#define BUFFERED_MOST	(48 * 1024 * 1024)
#define GROUP_MOST	(16 * 1024 * 1024)

/* About the bytes that the common columns of a row take. */
#define ROW_BYTES	48

#define UNDECODED	"tring_undecoded"
#define LOST		"tring_lost"

/**
 * struct table - the table of an event
 * @table: the table, with a folder if it was begun
 * @bytes: bytes of its rows in memory
 */
struct table {
	struct tring_parquet table;
	uint64_t	bytes;
};

/**
 * struct tables - tables that are being written
 * @output: the directory
 * @trace: the trace that is read
 * @event_count: number of its events
 * @big_endian: its byte order
 * @knows_wall: it tells the wall clock
 * @folder: where in the directory those of the machine are
 * @tables: by index into @events; then events that cannot be decoded, then losses
 * @buffered: bytes of rows in memory
 */
struct tables {
	struct tring_output output;
	struct tring_trace *trace;
	size_t		event_count;
	bool		big_endian;
	bool		knows_wall;
	char		*folder;
	struct table *tables;
	uint64_t	buffered;
};

/* The common columns, in their order. */
enum { STAMP, TIME, CPU, PID, COMM, FLAGS, PREEMPT_COUNT, COMMON_COLUMNS };
enum { LOST_EVENTS = CPU + 1, LOST_PACKETS, LOST_COLUMNS };

/* A name as part of a path: what Hive or a file system could misunderstand is escaped. */
static char *escape(const char *name)
{
	char *text = tring_allocate(3 * strlen(name) + 1), *at = text;

	for (; *name; name++) {
		if (isalnum((unsigned char)*name) || strchr("_-", *name) ||
		    (*name == '.' && at > text))
			*at++ = *name;
		else
			at += sprintf(at, "%%%02X", (unsigned char)*name);
	}
	return text;
}

static void start(struct tables *tables, struct tring_trace *trace)
{
	const char *host = tring_env(trace, "hostname");
	char *name = *host ? tring_format("%s", host) : tring_uuid_text(tring_uuid(trace));
	char *escaped = escape(name);
	struct tring_wall wall;

	*tables = (struct tables) {
		.trace = trace, .event_count = tring_event_count(trace),
		.big_endian = tring_big_endian(trace), .knows_wall = tring_wall(trace, 0, &wall),
	};
	tables->folder = tring_format("host=%s", escaped);
	tables->tables = tring_allocate((tables->event_count + 2) * sizeof(*tables->tables));
	free(escaped);
	free(name);
}

static void free_tables(struct tables *tables)
{
	size_t i;

	for (i = 0; i < tables->event_count + 2; i++)
		if (tables->tables[i].table.folder)
			tring_parquet_free(&tables->tables[i].table);
	free(tables->tables);
	free(tables->folder);
}

static void add_number_column(struct tring_parquet *table, const char *name, uint8_t size,
			      bool is_signed)
{
	struct tring_parquet_column *column;

	column = tring_parquet_column(table, name, TRING_PARQUET_NUMBER);
	column->size = size;
	column->is_signed = is_signed;
}

static void begin_table(struct tables *tables, struct table *event,
			const char *name, size_t columns)
{
	char *escaped = escape(name);
	char *folder = tring_format("%s/event=%s", tables->folder, escaped);

	tring_output_dir_make(&tables->output, folder);
	tring_parquet_init(&event->table, &tables->output, folder, columns);
	add_number_column(&event->table, "common_ts", 8, true);
	tring_parquet_column(&event->table, "common_time", TRING_PARQUET_TIME)->is_optional =
		!tables->knows_wall;
	add_number_column(&event->table, "common_cpu", 4, true);
	free(folder);
	free(escaped);
}

static void add_common_columns(struct tring_parquet *table)
{
	add_number_column(table, "common_pid", 4, true);
	tring_parquet_column(table, "common_comm", TRING_PARQUET_TEXT)->is_optional = true;
	add_number_column(table, "common_flags", 1, false);
	add_number_column(table, "common_preempt_count", 1, false);
}

/* An array of bytes is bytes, any other one a list. */
static void add_field_column(struct tring_parquet *table, const struct tring_field *field)
{
	struct tring_parquet_column *column;
	enum tring_parquet_kind kind = TRING_PARQUET_NUMBER;

	if (field->kind == TRING_FIELD_TEXT)
		kind = TRING_PARQUET_TEXT;
	else if (field->kind == TRING_FIELD_ARRAY && field->element == 1)
		kind = TRING_PARQUET_BYTES;
	column = tring_parquet_column(table, field->name, kind);
	column->size = field->element;
	column->is_signed = field->is_signed;
	/* see tring_text() */
	column->is_optional = kind == TRING_PARQUET_TEXT && field->place != TRING_PLACE_FIXED;
	column->is_list = field->kind == TRING_FIELD_ARRAY && field->element > 1;
}

/* Two systems may have an event of the same name, and one may have the name of an own table. */
static char *table_name(const struct tables *tables,
			const struct tring_event *event)
{
	bool taken = !strcmp(event->name, LOST) || !strcmp(event->name, UNDECODED);
	size_t i;

	for (i = 0; i < tables->event_count && !taken; i++) {
		const struct tring_event *other = tring_event_at(tables->trace, i);

		taken = other != event && !strcmp(other->name, event->name);
	}
	return taken ? tring_format("%s.%s", event->system, event->name) :
	       tring_format("%s", event->name);
}

static struct table *find_table(struct tables *tables, const struct tring_event *event)
{
	struct table *found = &tables->tables[event->number];
	char *name;
	size_t i;

	if (found->table.folder)
		return found;
	name = table_name(tables, event);
	begin_table(tables, found, name, COMMON_COLUMNS + event->field_count);
	add_common_columns(&found->table);
	for (i = 0; i < event->field_count; i++)
		add_field_column(&found->table, &event->fields[i]);
	free(name);
	return found;
}

static struct table *find_undecoded(struct tables *tables)
{
	struct table *found = &tables->tables[tables->event_count];

	if (found->table.folder)
		return found;
	begin_table(tables, found, UNDECODED, COMMON_COLUMNS + 2);
	add_common_columns(&found->table);
	add_number_column(&found->table, "id", 2, false);
	tring_parquet_column(&found->table, "payload", TRING_PARQUET_BYTES);
	return found;
}

static struct table *find_lost(struct tables *tables)
{
	struct table *found = &tables->tables[tables->event_count + 1];

	if (found->table.folder)
		return found;
	begin_table(tables, found, LOST, LOST_COLUMNS);
	found->table.columns[STAMP].is_optional = true;
	found->table.columns[TIME].is_optional = true;
	add_number_column(&found->table, "events", 8, false);
	add_number_column(&found->table, "packets", 8, false);
	return found;
}

static void add_times(const struct tables *tables, struct tring_parquet_column *columns,
		      uint64_t stamp)
{
	struct tring_wall wall;

	tring_parquet_number(&columns[STAMP], tring_ns(tables->trace, stamp));
	if (tring_wall(tables->trace, stamp, &wall))
		tring_parquet_number(&columns[TIME], tring_wall_ns(&wall));
	else
		tring_parquet_null(&columns[TIME]);
}

static void add_common(const struct tables *tables, struct tring_parquet_column *columns,
		       const struct tring_item *item)
{
	const struct tring_record *record = item->record;
	const char *comm = tring_comm(tables->trace, record->pid);

	add_times(tables, columns, record->stamp);
	tring_parquet_number(&columns[CPU], item->cpu);
	tring_parquet_number(&columns[PID], record->pid);
	/* libtraceevent's name for a task that it does not know */
	if (strcmp(comm, "<...>"))
		tring_parquet_text(&columns[COMM], comm, strlen(comm));
	else
		tring_parquet_null(&columns[COMM]);
	tring_parquet_number(&columns[FLAGS], record->flags);
	tring_parquet_number(&columns[PREEMPT_COUNT], record->preempt_count);
}

static void add_field(struct tring_parquet_column *column, const struct tring_field *field,
		      const struct tring_item *item, bool big_endian)
{
	size_t size, i;
	const uint8_t *data = tring_data(item, field, &size);

	if (field->kind == TRING_FIELD_TEXT && !tring_text(item, field, &size)) {
		tring_parquet_null(column);
	} else if (field->kind == TRING_FIELD_TEXT) {
		tring_parquet_text(column, data, size);
	} else if (field->kind == TRING_FIELD_NUMBER) {
		tring_parquet_number(column, tring_field_value(field, data, big_endian));
	} else if (!column->is_list) {
		tring_parquet_bytes(column, data, size);
	} else {
		tring_parquet_begin_list(column, size / field->element);
		for (i = 0; i + field->element <= size; i += field->element)
			tring_parquet_number(column,
					     tring_field_value(field, data + i, big_endian));
	}
}

static void write_table(struct tables *tables, struct table *event)
{
	tables->buffered -= event->bytes;
	event->bytes = 0;
	tring_parquet_write_group(&event->table);
}

static void write_largest(struct tables *tables)
{
	struct table *largest = tables->tables;
	size_t i;

	for (i = 1; i < tables->event_count + 2; i++)
		if (tables->tables[i].bytes > largest->bytes)
			largest = &tables->tables[i];
	write_table(tables, largest);
}

static void end_row(struct tables *tables, struct table *event,
		    uint64_t bytes)
{
	event->table.rows++;
	event->bytes += bytes;
	tables->buffered += bytes;
	if (event->bytes > GROUP_MOST)
		write_table(tables, event);
	else if (tables->buffered > BUFFERED_MOST)
		write_largest(tables);
}

static void add_event(struct tables *tables, const struct tring_item *item)
{
	const struct tring_event *event = item->wrong ? NULL : item->event;
	struct table *at = event ? find_table(tables, event) :
					 find_undecoded(tables);
	struct tring_parquet_column *columns = at->table.columns;
	const struct tring_record *record = item->record;
	const size_t count = event ? event->field_count : 0;
	size_t i;

	add_common(tables, columns, item);
	columns += COMMON_COLUMNS;
	for (i = 0; i < count; i++)
		add_field(&columns[i], &event->fields[i], item, tables->big_endian);
	if (!event) {
		tring_parquet_number(&columns[0], record->id);
		tring_parquet_bytes(&columns[1], record->payload + TRING_PAYLOAD_HEAD,
				    record->length - TRING_PAYLOAD_HEAD);
	}
	/* a number of 1 byte takes 4, and each column some bytes of its own */
	end_row(tables, at, ROW_BYTES + 4 * count + record->length);
}

static void add_loss(struct tables *tables, const struct tring_item *item)
{
	struct table *lost = find_lost(tables);
	struct tring_parquet_column *columns = lost->table.columns;

	if (item->record) {
		add_times(tables, columns, item->record->stamp);
	} else {
		tring_parquet_null(&columns[STAMP]);
		tring_parquet_null(&columns[TIME]);
	}
	tring_parquet_number(&columns[CPU], item->cpu);
	tring_parquet_number(&columns[LOST_EVENTS], item->events);
	tring_parquet_number(&columns[LOST_PACKETS], item->packets);
	end_row(tables, lost, ROW_BYTES);
}

static void add_items(struct tables *tables)
{
	struct tring_item item;
	size_t i;

	tring_output_dir_make(&tables->output, tables->folder);
	while (!tables->output.error && tring_next(tables->trace, &item) > 0) {
		if (item.kind == TRING_ITEM_LOSS)
			add_loss(tables, &item);
		else
			add_event(tables, &item);
	}
	for (i = 0; i < tables->event_count + 2; i++)
		if (tables->tables[i].table.folder)
			tring_parquet_finish(&tables->tables[i].table);
}

/**
 * tring_export_parquet - write a trace as tables of Apache Parquet
 * @trace: the trace
 * @path: the directory to write
 *
 * Return: 0; or a negative errno, reported on stderr, without a directory.
 */
int tring_export_parquet(struct tring_trace *trace, const char *path)
{
	struct tables tables;
	int error;

	start(&tables, trace);
	error = tring_output_dir_open(&tables.output, path);
	if (!error) {
		add_items(&tables);
		error = tring_output_close(&tables.output);
	}
	free_tables(&tables);
	return error;
}
