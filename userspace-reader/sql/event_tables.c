// SPDX-License-Identifier: GPL-2.0
/* Tables whose rows are events, or losses, as the trace has them. */
#include <stdlib.h>
#include <string.h>

#include "sql.h"
#include "util/util.h"

static int begin(struct tring_sql_cursor *cursor)
{
	return tring_select(cursor->trace, &cursor->wanted);
}

static int begin_event(struct tring_sql_cursor *cursor)
{
	char *name = tring_format("%s:%s", cursor->table->event->system,
				  cursor->table->event->name);
	int error;

	cursor->wanted.events = name;
	error = begin(cursor);
	free(name);
	return error;
}

/* A table has either events or losses. */
static void next(struct tring_sql_cursor *cursor)
{
	const bool losses = cursor->table->kind == &tring_sql_losses;

	while (tring_next(cursor->trace, &cursor->item) > 0) {
		if (cursor->item.kind == TRING_ITEM_LOSS)
			tring_sql_count_loss(cursor);
		if (cursor->item.kind == (losses ? TRING_ITEM_LOSS : TRING_ITEM_EVENT))
			return;
	}
	tring_sql_end(cursor);
	cursor->at_end = true;
}

enum { TS, CPU, PID, COMM, FLAGS, PREEMPT_COUNT, COMMON_COLUMNS };

static const struct tring_sql_column common_columns[] = {
	[TS] = { "common_ts", "INTEGER", TRING_ROLE_TIME },
	[CPU] = { "common_cpu", "INTEGER", TRING_ROLE_CPU },
	[PID] = { "common_pid", "INTEGER", TRING_ROLE_PID },
	[COMM] = { "common_comm", "TEXT", TRING_ROLE_NAME },
	[FLAGS] = { "common_flags", "INTEGER" },
	[PREEMPT_COUNT] = { "common_preempt_count", "INTEGER" },
	{ 0 },
};

static void give_common(struct tring_sql_cursor *cursor, sqlite3_context *to, int column)
{
	const struct tring_record *record = cursor->item.record;

	switch (column) {
	case TS:
		tring_sql_time(to, cursor->trace, record->stamp);
		break;
	case CPU:
		sqlite3_result_int(to, cursor->item.cpu);
		break;
	case PID:
		tring_sql_pid(to, record->pid);
		break;
	case COMM:
		tring_sql_text(to, record->pid < 0 ? NULL :
			       tring_comm(cursor->trace, record->pid));
		break;
	case FLAGS:
		sqlite3_result_int(to, record->flags);
		break;
	case PREEMPT_COUNT:
		sqlite3_result_int(to, record->preempt_count);
		break;
	}
}

static void give_event(struct tring_sql_cursor *cursor, sqlite3_context *to, int column)
{
	if (column < COMMON_COLUMNS)
		give_common(cursor, to, column);
	else
		tring_sql_field(to, &cursor->item, &cursor->event->fields[column - COMMON_COLUMNS]);
}

const struct tring_sql_kind tring_sql_event = {
	.columns	= common_columns,
	.about		= "the events of this name",
	.begin		= begin_event,
	.next		= next,
	.column		= give_event,
};

/* The columns of events behind the first four, which are the common ones. */
enum { NAME = COMM + 1, TEXT, SYSTEM };

static const struct tring_sql_column events_columns[] = {
	[TS] = { "ts", "INTEGER", TRING_ROLE_TIME },
	[CPU] = { "cpu", "INTEGER", TRING_ROLE_CPU },
	[PID] = { "pid", "INTEGER", TRING_ROLE_PID },
	[COMM] = { "comm", "TEXT", TRING_ROLE_NAME },
	[NAME] = { "name", "TEXT", TRING_ROLE_EVENT },
	[TEXT] = { "text", "TEXT", TRING_ROLE_NAME },
	[SYSTEM] = { "system", "TEXT" },
	{ 0 },
};

static bool has_event(const struct tring_trace *trace, const char *name)
{
	size_t i;

	for (i = 0; i < tring_event_count(trace); i++)
		if (!strcmp(tring_event_at(trace, i)->name, name))
			return true;
	return false;
}

static int begin_events(struct tring_sql_cursor *cursor)
{
	if (cursor->wanted.events && !has_event(cursor->trace, cursor->wanted.events))
		cursor->at_end = true;
	return cursor->at_end ? 0 : begin(cursor);
}

static void give_events(struct tring_sql_cursor *cursor, sqlite3_context *to, int column)
{
	const struct tring_event *event = cursor->item.event;
	const char *text = NULL;
	size_t size;

	if (column <= COMM)
		give_common(cursor, to, column);
	else if (column == NAME)
		tring_sql_text(to, event ? event->name : NULL);
	else if (column == SYSTEM)
		tring_sql_text(to, event ? event->system : NULL);
	else
		text = tring_sql_event_text(cursor, &size);
	if (text)
		sqlite3_result_text(to, text, size, SQLITE_TRANSIENT);
}

const struct tring_sql_kind tring_sql_events = {
	.columns	= events_columns,
	.about		= "all events, as lines of tring report",
	.begin		= begin_events,
	.next		= next,
	.column		= give_events,
};

enum { LOSS_FROM, LOSS_TO, LOSS_CPU, LOSS_EVENTS, LOSS_PACKETS };

static const struct tring_sql_column losses_columns[] = {
	[LOSS_FROM] = { "from_ts", "INTEGER" },
	[LOSS_TO] = { "to_ts", "INTEGER" },
	[LOSS_CPU] = { "cpu", "INTEGER", TRING_ROLE_CPU },
	[LOSS_EVENTS] = { "events", "INTEGER" },
	[LOSS_PACKETS] = { "packets", "INTEGER" },
	{ 0 },
};

static int begin_losses(struct tring_sql_cursor *cursor)
{
	/* tells the begin of each loss */
	cursor->wanted.every = true;
	return begin(cursor);
}

static void give_loss(struct tring_sql_cursor *cursor, sqlite3_context *to, int column)
{
	const struct tring_item *item = &cursor->item;

	switch (column) {
	case LOSS_FROM:
		if (item->since)
			tring_sql_time(to, cursor->trace, item->since);
		break;
	case LOSS_TO:
		if (item->record)
			tring_sql_time(to, cursor->trace, item->record->stamp);
		break;
	case LOSS_CPU:
		sqlite3_result_int(to, item->cpu);
		break;
	case LOSS_EVENTS:
		sqlite3_result_int64(to, item->events);
		break;
	case LOSS_PACKETS:
		sqlite3_result_int64(to, item->packets);
		break;
	}
}

const struct tring_sql_kind tring_sql_losses = {
	.columns	= losses_columns,
	.about		= "places where events are missing",
	.begin		= begin_losses,
	.next		= next,
	.column		= give_loss,
};
