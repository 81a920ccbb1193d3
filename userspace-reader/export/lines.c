// SPDX-License-Identifier: GPL-2.0
/*
 * Writes a trace as JSON, an object a line, ordered by time. Losses have a line of their own.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "json.h"
#include "lines.h"
#include "output.h"
#include "util/clock.h"
#include "util/text.h"
#include "util/util.h"

/* Lines begin so; by the first one a file is known that may be replaced. */
#define MAGIC		"{\"trace\":\"tring\","
#define MAGIC_SIZE	16

static void add_constant(struct tring_line *line, const char *text)
{
	tring_line_text(line, text, strlen(text));
}

static void write_line(struct tring_lines *text)
{
	struct tring_line *line = &text->line;

	tring_line_char(line, '\n');
	if (text->output)
		tring_output_add(text->output, line->start, line->at - line->start);
	else
		fwrite_unlocked(line->start, 1, line->at - line->start, stdout);
	line->at = line->start;
}

static void add_key(struct tring_lines *text, const char *name)
{
	tring_line_char(&text->line, ',');
	add_constant(&text->line, name);
	tring_line_char(&text->line, ':');
}

/* A member of an object that is not the first. */
static void add_number(struct tring_lines *text, const char *name, int64_t value)
{
	add_key(text, name);
	tring_json_signed(&text->line, value);
}

/* As add_number(). @value: NULL if it is unknown */
static void add_text(struct tring_lines *text, const char *name, const char *value)
{
	add_key(text, name);
	if (value)
		tring_json_text(&text->line, value, strlen(value));
	else
		add_constant(&text->line, "null");
}

/* Nanoseconds from the Unix epoch to the zero of the clock that is shown. */
static bool find_epoch_offset(const struct tring_lines_source *source, int64_t *offset)
{
	struct tring_wall zero;
	bool known = tring_wall(source->trace, 0, &zero);

	*offset = tring_wall_ns(source->zero ? source->zero : &zero);
	return known;
}

/**
 * tring_lines_head - write what comes before the lines of a trace
 * @text: the lines
 * @source: the trace
 */
void tring_lines_head(struct tring_lines *text, const struct tring_lines_source *source)
{
	char *uuid = tring_uuid_text(tring_uuid(source->trace));
	int64_t offset;

	add_constant(&text->line, MAGIC "\"version\":1");
	if (source->name)
		add_text(text, "\"from\"", source->name);
	add_text(text, "\"uuid\"", uuid);
	add_text(text, "\"hostname\"", tring_env(source->trace, "hostname"));
	add_text(text, "\"kernel_release\"", tring_env(source->trace, "kernel_release"));
	add_text(text, "\"clock\"", tring_env(source->trace, "clock"));
	if (find_epoch_offset(source, &offset))
		add_number(text, "\"epoch_offset\"", offset);
	else
		add_text(text, "\"epoch_offset\"", NULL);
	tring_line_char(&text->line, '}');
	write_line(text);
	free(uuid);
}

/* Of several traces, the time is that of the clock that is shown; it may be before its zero. */
static void add_time(struct tring_line *line, const struct tring_lines_source *source,
		     uint64_t stamp)
{
	struct tring_wall wall;

	if (!source->zero) {
		tring_json_number(line, tring_ns(source->trace, stamp));
		return;
	}
	tring_wall(source->trace, stamp, &wall);
	tring_json_signed(line, tring_wall_between(source->zero, &wall));
}

/* Begin a line. At the end of a CPU's events it has no time. */
static void add_begin(struct tring_lines *text, const struct tring_lines_source *source,
		      const struct tring_item *item)
{
	struct tring_line *line = &text->line;

	add_constant(line, "{\"ts\":");
	if (item->record)
		add_time(line, source, item->record->stamp);
	else
		add_constant(line, "null");
	if (source->name)
		add_text(text, "\"from\"", source->name);
	add_number(text, "\"cpu\"", item->cpu);
}

static void add_loss(struct tring_lines *text, const struct tring_item *item)
{
	char *lost = tring_format(",\"lost\":{\"events\":%" PRIu64 ",\"packets\":%" PRIu64 "}",
				  item->events, item->packets);

	add_constant(&text->line, lost);
	free(lost);
}

static void add_event(struct tring_lines *text, const struct tring_lines_source *source,
		      const struct tring_item *item)
{
	const struct tring_record *record = item->record;
	const struct tring_event *event = item->event;
	const char *comm = tring_comm(source->trace, record->pid);

	add_number(text, "\"pid\"", record->pid);
	/* libtraceevent's name for a task that it does not know */
	add_text(text, "\"comm\"", strcmp(comm, "<...>") ? comm : NULL);
	add_number(text, "\"flags\"", record->flags);
	add_number(text, "\"preempt_count\"", record->preempt_count);
	add_text(text, "\"system\"", event ? event->system : NULL);
	add_text(text, "\"event\"", event ? event->name : NULL);
	add_key(text, "\"fields\"");
	if (item->wrong)
		tring_json_bytes(&text->line, record);
	else
		tring_json_fields(&text->line, item);
}

/**
 * tring_lines_add - write an event or a loss
 * @text: the lines
 * @source: the trace
 * @item: the event or loss
 */
void tring_lines_add(struct tring_lines *text, const struct tring_lines_source *source,
		     const struct tring_item *item)
{
	add_begin(text, source, item);
	if (item->kind == TRING_ITEM_LOSS)
		add_loss(text, item);
	else
		add_event(text, source, item);
	tring_line_char(&text->line, '}');
	write_line(text);
}

/**
 * tring_lines_init - prepare for writing lines
 * @text: filled in; to be freed with tring_lines_free()
 * @output: the file, NULL for stdout
 */
void tring_lines_init(struct tring_lines *text, struct tring_output *output)
{
	text->output = output;
	tring_line_init(&text->line);
}

/**
 * tring_lines_free - free the memory of lines
 * @text: the lines
 */
void tring_lines_free(struct tring_lines *text)
{
	tring_line_free(&text->line);
}

static bool has_failed(const struct tring_lines *text)
{
	return text->output ? text->output->error : ferror_unlocked(stdout);
}

static int write_items(struct tring_trace *trace, struct tring_output *output)
{
	const struct tring_lines_source source = { .trace = trace };
	struct tring_lines text;
	struct tring_item item;
	bool failed;

	tring_lines_init(&text, output);
	tring_lines_head(&text, &source);
	while (!has_failed(&text) && tring_next(trace, &item) > 0)
		tring_lines_add(&text, &source, &item);
	failed = has_failed(&text);
	tring_lines_free(&text);
	return failed ? -EIO : 0;
}

/**
 * tring_export_json - write a trace as JSON, an object a line
 * @trace: the trace
 * @path: the file to write; NULL for stdout
 *
 * Return: 0; or a negative errno, reported on stderr, without a file; that of stdout is not
 * reported.
 */
int tring_export_json(struct tring_trace *trace, const char *path)
{
	struct tring_output output;
	int error;

	/* whether what stdout buffers can be written is known at the end */
	if (!path)
		return write_items(trace, NULL);
	error = tring_output_open(&output, path, MAGIC, MAGIC_SIZE);
	if (error)
		return error;
	write_items(trace, &output);
	return tring_output_close(&output);
}
