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

#include "event/fields.h"
#include "parquet_events.h"
#include "util/clock.h"
#include "util/util.h"

/* Bytes of rows in memory, of all tables and of one; a buffer may be twice as large. */
#define BUFFERED_MOST	(48 * 1024 * 1024)
#define GROUP_MOST	(16 * 1024 * 1024)

/* About the bytes that the common columns of a row take. */
#define ROW_BYTES	48

#define UNDECODED	"tring_undecoded"
#define LOST		"tring_lost"

/**
 * struct tring_parquet_event - the table of an event
 * @table: the table, with a folder if it was begun
 * @bytes: bytes of its rows in memory
 */
struct tring_parquet_event {
	struct tring_parquet table;
	uint64_t	bytes;
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

/**
 * tring_parquet_events_init - prepare for writing tables
 * @tables: filled in; to be freed with tring_parquet_events_free(), and its @output to be
 *	opened
 * @info: properties of the trace, which must stay
 * @events: its events, which must stay
 */
void tring_parquet_events_init(struct tring_parquet_events *tables,
			       const struct tring_trace_info *info,
			       const struct tring_events *events)
{
	char *name = *info->hostname ? tring_format("%s", info->hostname) :
		     tring_uuid_text(info->uuid);
	char *escaped = escape(name);

	memset(tables, 0, sizeof(*tables));
	tables->info = info;
	tables->events = events;
	tables->folder = tring_format("host=%s", escaped);
	tables->tables = tring_allocate((events->count + 2) * sizeof(*tables->tables));
	free(escaped);
	free(name);
}

/**
 * tring_parquet_events_free - free the memory of tables
 * @tables: the tables
 */
void tring_parquet_events_free(struct tring_parquet_events *tables)
{
	size_t i;

	for (i = 0; i < tables->events->count + 2; i++)
		if (tables->tables[i].table.folder)
			tring_parquet_free(&tables->tables[i].table);
	free(tables->tables);
	free(tables->folder);
}

/**
 * tring_parquet_events_begin - begin to write
 * @tables: the tables, whose @output was opened
 */
void tring_parquet_events_begin(struct tring_parquet_events *tables)
{
	tring_output_dir_make(&tables->output, tables->folder);
}

static void add_number_column(struct tring_parquet *table, const char *name, uint8_t size,
			      bool is_signed)
{
	struct tring_parquet_column *column;

	column = tring_parquet_column(table, name, TRING_PARQUET_NUMBER);
	column->size = size;
	column->is_signed = is_signed;
}

static void begin_table(struct tring_parquet_events *tables, struct tring_parquet_event *event,
			const char *name, size_t columns)
{
	char *escaped = escape(name);
	char *folder = tring_format("%s/event=%s", tables->folder, escaped);

	tring_output_dir_make(&tables->output, folder);
	tring_parquet_init(&event->table, &tables->output, folder, columns);
	add_number_column(&event->table, "common_ts", 8, true);
	tring_parquet_column(&event->table, "common_time", TRING_PARQUET_TIME)->is_optional =
		tables->info->no_wall;
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
	column->is_list = field->kind == TRING_FIELD_ARRAY && field->element > 1;
}

/* Two systems may have an event of the same name. */
static char *table_name(const struct tring_parquet_events *tables,
			const struct tring_event *event)
{
	struct tring_event **list = tables->events->list;
	size_t i;

	for (i = 0; i < tables->events->count; i++)
		if (list[i] != event && !strcmp(list[i]->name, event->name))
			return tring_format("%s.%s", event->system, event->name);
	return tring_format("%s", event->name);
}

static struct tring_parquet_event *find_table(struct tring_parquet_events *tables,
					      const struct tring_event *event)
{
	struct tring_parquet_event *found = &tables->tables[event->number];
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

static struct tring_parquet_event *find_undecoded(struct tring_parquet_events *tables)
{
	struct tring_parquet_event *found = &tables->tables[tables->events->count];

	if (found->table.folder)
		return found;
	begin_table(tables, found, UNDECODED, COMMON_COLUMNS + 2);
	add_common_columns(&found->table);
	add_number_column(&found->table, "id", 2, false);
	tring_parquet_column(&found->table, "payload", TRING_PARQUET_BYTES);
	return found;
}

static struct tring_parquet_event *find_lost(struct tring_parquet_events *tables)
{
	struct tring_parquet_event *found = &tables->tables[tables->events->count + 1];

	if (found->table.folder)
		return found;
	begin_table(tables, found, LOST, LOST_COLUMNS);
	found->table.columns[STAMP].is_optional = true;
	found->table.columns[TIME].is_optional = true;
	add_number_column(&found->table, "events", 8, false);
	add_number_column(&found->table, "packets", 8, false);
	return found;
}

static int64_t find_time(const struct tring_trace_info *info, uint64_t stamp)
{
	struct tring_wall wall = tring_clock_wall(stamp, info->clock_frequency,
						  info->clock_offset);

	return tring_wall_ns(&wall);
}

static void add_times(const struct tring_parquet_events *tables,
		      struct tring_parquet_column *columns, uint64_t stamp)
{
	const struct tring_trace_info *info = tables->info;

	tring_parquet_number(&columns[STAMP], tring_clock_ns(stamp, info->clock_frequency));
	if (info->no_wall)
		tring_parquet_null(&columns[TIME]);
	else
		tring_parquet_number(&columns[TIME], find_time(info, stamp));
}

static void add_common(const struct tring_parquet_events *tables,
		       struct tring_parquet_column *columns, int cpu,
		       const struct tring_record *record, const char *comm)
{
	add_times(tables, columns, record->stamp);
	tring_parquet_number(&columns[CPU], cpu);
	tring_parquet_number(&columns[PID], record->pid);
	if (comm)
		tring_parquet_text(&columns[COMM], comm, strlen(comm));
	else
		tring_parquet_null(&columns[COMM]);
	tring_parquet_number(&columns[FLAGS], record->flags);
	tring_parquet_number(&columns[PREEMPT_COUNT], record->preempt_count);
}

static void add_field(struct tring_parquet_column *column, const struct tring_field *field,
		      const struct tring_record *record, bool big_endian)
{
	size_t size, i;
	const uint8_t *data = tring_field_data(field, record, big_endian, &size);

	if (field->kind == TRING_FIELD_TEXT) {
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

static void write_table(struct tring_parquet_events *tables, struct tring_parquet_event *event)
{
	tables->buffered -= event->bytes;
	event->bytes = 0;
	tring_parquet_write_group(&event->table);
}

static void write_largest(struct tring_parquet_events *tables)
{
	struct tring_parquet_event *largest = tables->tables;
	size_t i;

	for (i = 1; i < tables->events->count + 2; i++)
		if (tables->tables[i].bytes > largest->bytes)
			largest = &tables->tables[i];
	write_table(tables, largest);
}

static void end_row(struct tring_parquet_events *tables, struct tring_parquet_event *event,
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

/**
 * tring_parquet_events_add - add an event
 * @tables: the tables
 * @cpu: number of its CPU
 * @record: the event's record
 * @event: its description; NULL if its fields cannot be decoded
 * @comm: name of its task, NULL if it is unknown
 */
void tring_parquet_events_add(struct tring_parquet_events *tables, int cpu,
			      const struct tring_record *record,
			      const struct tring_event *event, const char *comm)
{
	struct tring_parquet_event *at = event ? find_table(tables, event) :
					 find_undecoded(tables);
	struct tring_parquet_column *columns = at->table.columns;
	const size_t count = event ? event->field_count : 0;
	size_t i;

	add_common(tables, columns, cpu, record, comm);
	columns += COMMON_COLUMNS;
	for (i = 0; i < count; i++)
		add_field(&columns[i], &event->fields[i], record, tables->info->big_endian);
	if (!event) {
		tring_parquet_number(&columns[0], record->id);
		tring_parquet_bytes(&columns[1], record->payload + TRING_PAYLOAD_HEAD,
				    record->length - TRING_PAYLOAD_HEAD);
	}
	/* a number of 1 byte takes 4, and each column some bytes of its own */
	end_row(tables, at, ROW_BYTES + 4 * count + record->length);
}

/**
 * tring_parquet_events_lose - add a loss
 * @tables: the tables
 * @cpu: number of the CPU
 * @stamp: timestamp of the event behind the loss; NULL if there is none
 * @events: number of events that are missing, 0 if it is unknown
 * @packets: number of packets that are missing in the same place
 */
void tring_parquet_events_lose(struct tring_parquet_events *tables, int cpu,
			       const uint64_t *stamp, uint64_t events, uint64_t packets)
{
	struct tring_parquet_event *lost = find_lost(tables);
	struct tring_parquet_column *columns = lost->table.columns;

	if (stamp) {
		add_times(tables, columns, *stamp);
	} else {
		tring_parquet_null(&columns[STAMP]);
		tring_parquet_null(&columns[TIME]);
	}
	tring_parquet_number(&columns[CPU], cpu);
	tring_parquet_number(&columns[LOST_EVENTS], events);
	tring_parquet_number(&columns[LOST_PACKETS], packets);
	end_row(tables, lost, ROW_BYTES);
}

/**
 * tring_parquet_events_close - complete the tables
 * @tables: the tables
 *
 * Return: 0; or a negative errno, reported on stderr, without a directory.
 */
int tring_parquet_events_close(struct tring_parquet_events *tables)
{
	size_t i;

	for (i = 0; i < tables->events->count + 2; i++)
		if (tables->tables[i].table.folder)
			tring_parquet_finish(&tables->tables[i].table);
	return tring_output_dir_close(&tables->output);
}
