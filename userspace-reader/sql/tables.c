// SPDX-License-Identifier: GPL-2.0
/*
 * Which tables a trace has: one for each event, and those that are the same for each trace. An
 * event has the name that it has in the kernel; where two have the same, or a table of all traces
 * has, it is SYSTEM.EVENT. Tables of a further trace have its number behind their names, once more
 * if an event of a trace has that name.
 */
#include <stdlib.h>
#include <strings.h>

#include "sql.h"
#include "util/util.h"

static const struct {
	const char *name;
	const struct tring_sql_kind *kind;
} fixed[] = {
	{ "events", &tring_sql_events },
	{ "slices", &tring_sql_slices },
	{ "waits", &tring_sql_waits },
	{ "irqs", &tring_sql_irqs },
	{ "syscalls", &tring_sql_syscalls },
	{ "spans", &tring_sql_spans },
	{ "counters", &tring_sql_counters },
	{ "losses", &tring_sql_losses },
	{ "tasks", &tring_sql_tasks },
	{ "info", &tring_sql_info },
};

#define FIXED	(sizeof(fixed) / sizeof(fixed[0]))

static bool is_taken(const struct tring_trace *trace, const struct tring_event *event)
{
	size_t i;

	for (i = 0; i < FIXED; i++)
		if (!strcasecmp(fixed[i].name, event->name))
			return true;
	for (i = 0; i < tring_event_count(trace); i++) {
		const struct tring_event *other = tring_event_at(trace, i);

		if (other != event && !strcasecmp(other->name, event->name))
			return true;
	}
	return false;
}

static bool has_table(const struct tring_sql *sql, const char *name)
{
	size_t i;

	for (; sql; sql = sql->before)
		for (i = 0; i < sql->table_count; i++)
			if (!strcasecmp(sql->tables[i].name, name))
				return true;
	return false;
}

static void add_table(struct tring_sql *sql, const struct tring_sql_kind *kind,
		      const struct tring_event *event, char *name)
{
	bool again = sql->number > 1;

	for (; again; again = has_table(sql, name))
		tring_extend(&name, "_%u", sql->number);
	sql->tables[sql->table_count++] = (struct tring_sql_table) {
		.sql = sql, .kind = kind, .name = name, .event = event,
	};
}

/**
 * tring_sql_find_tables - find the tables of a trace
 * @sql: the trace
 */
void tring_sql_find_tables(struct tring_sql *sql)
{
	size_t events = tring_event_count(sql->trace), i;

	sql->tables = tring_allocate((FIXED + events) * sizeof(*sql->tables));
	for (i = 0; i < FIXED; i++)
		add_table(sql, fixed[i].kind, NULL, tring_format("%s", fixed[i].name));
	for (i = 0; i < events; i++) {
		const struct tring_event *event = tring_event_at(sql->trace, i);

		add_table(sql, &tring_sql_event, event, is_taken(sql->trace, event) ?
			  tring_format("%s.%s", event->system, event->name) :
			  tring_format("%s", event->name));
	}
}
