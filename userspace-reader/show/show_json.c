// SPDX-License-Identifier: GPL-2.0
/*
 * Writes the events and losses of traces as JSON, an object a line, ordered by time. Losses have a
 * line of their own.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/json.h"
#include "show_json.h"
#include "util/clock.h"
#include "util/util.h"

static void write_line(struct tring_line *line)
{
	tring_line_string(line, "}\n");
	fwrite_unlocked(line->start, 1, line->at - line->start, stdout);
	line->at = line->start;
}

static void add_key(struct tring_line *line, const char *name)
{
	tring_line_char(line, ',');
	tring_line_string(line, name);
	tring_line_char(line, ':');
}

/* A member of an object that is not the first. */
static void add_number(struct tring_line *line, const char *name, int64_t value)
{
	add_key(line, name);
	tring_json_signed(line, value);
}

/* As add_number(). @value: NULL if it is unknown */
static void add_text(struct tring_line *line, const char *name, const char *value)
{
	add_key(line, name);
	if (value)
		tring_json_text(line, value, strlen(value));
	else
		tring_line_string(line, "null");
}

/* What comes before the lines of a trace. */
static void write_head(struct tring_line *line, const struct tring_shown *shown)
{
	const struct tring_style *style = &shown->style;
	char *uuid = tring_uuid_text(tring_uuid(shown->trace));
	struct tring_wall zero;

	tring_line_string(line, "{\"trace\":\"tring\",\"version\":1");
	if (shown->name)
		add_text(line, "\"from\"", shown->name);
	add_text(line, "\"uuid\"", uuid);
	add_text(line, "\"hostname\"", tring_env(shown->trace, "hostname"));
	add_text(line, "\"kernel_release\"", tring_env(shown->trace, "kernel_release"));
	add_text(line, "\"clock\"", tring_env(shown->trace, "clock"));
	/* nanoseconds from the Unix epoch to the zero of the clock that is shown */
	if (tring_wall(shown->trace, 0, &zero))
		add_number(line, "\"epoch_offset\"",
			   tring_wall_ns(style->aligned ? &style->zero : &zero));
	else
		add_text(line, "\"epoch_offset\"", NULL);
	write_line(line);
	free(uuid);
}

/* Of several traces, the time is that of the clock that is shown; it may be before its zero. */
static void add_time(struct tring_line *line, const struct tring_shown *shown, uint64_t stamp)
{
	struct tring_wall wall;

	if (!shown->style.aligned) {
		tring_json_number(line, tring_ns(shown->trace, stamp));
		return;
	}
	tring_wall(shown->trace, stamp, &wall);
	tring_json_signed(line, tring_wall_between(&shown->style.zero, &wall));
}

static void add_loss(struct tring_line *line, const struct tring_item *item)
{
	char *lost = tring_format(",\"lost\":{\"events\":%" PRIu64 ",\"packets\":%" PRIu64 "}",
				  item->events, item->packets);

	tring_line_string(line, lost);
	free(lost);
}

static void add_event(struct tring_line *line, const struct tring_item *item)
{
	const struct tring_record *record = item->record;
	const struct tring_event *event = item->event;
	const char *comm = tring_comm(item->trace, record->pid);

	add_number(line, "\"pid\"", record->pid);
	/* libtraceevent's name for a task that it does not know */
	add_text(line, "\"comm\"", strcmp(comm, "<...>") ? comm : NULL);
	add_number(line, "\"flags\"", record->flags);
	add_number(line, "\"preempt_count\"", record->preempt_count);
	add_text(line, "\"system\"", event ? event->system : NULL);
	add_text(line, "\"event\"", event ? event->name : NULL);
	add_key(line, "\"fields\"");
	if (item->wrong)
		tring_json_bytes(line, record);
	else
		tring_json_fields(line, item);
}

/* At the end of a CPU's events a loss has no time. */
static void write_item(struct tring_show *show, struct tring_shown *shown)
{
	const struct tring_item *item = &show->item;
	struct tring_line *line = show->data;

	tring_line_string(line, "{\"ts\":");
	if (item->record)
		add_time(line, shown, item->record->stamp);
	else
		tring_line_string(line, "null");
	if (shown->name)
		add_text(line, "\"from\"", shown->name);
	add_number(line, "\"cpu\"", item->cpu);
	if (item->kind == TRING_ITEM_LOSS)
		add_loss(line, item);
	else
		add_event(line, item);
	write_line(line);
}

/**
 * tring_show_json - write traces as JSON, an object a line
 * @show: the traces; their style is that of JSON
 * @print: writes the traces
 */
void tring_show_json(struct tring_show *show, void (*print)(struct tring_show *show))
{
	struct tring_line line;
	size_t i;

	tring_line_init(&line);
	show->write = write_item;
	show->data = &line;
	for (i = 0; i < show->count; i++)
		write_head(&line, &show->traces[i]);
	print(show);
	tring_line_free(&line);
}
