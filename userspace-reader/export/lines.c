// SPDX-License-Identifier: GPL-2.0
/*
 * Writes a trace as lines of text, ordered by time: JSON, an object a line, or CSV with the
 * fields as JSON in the last column. Losses have a line of their own, in both.
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
#define JSON_MAGIC	"{\"trace\":\"tring\","
#define CSV_HEAD	"ts,cpu,pid,comm,flags,preempt_count,system,event,fields\n"
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

/*
 * In CSV the text is between quotes, which are doubled in it. A spreadsheet computes what
 * begins with one of four characters, so an apostrophe stands in front of them.
 */
static void add_quoted(struct tring_line *line, const char *text, size_t size)
{
	size_t i;

	tring_line_char(line, '"');
	if (size && memchr("=+-@", *text, 4))
		tring_line_char(line, '\'');
	for (i = 0; i < size; i++) {
		if (text[i] == '"')
			tring_line_char(line, '"');
		tring_line_char(line, text[i]);
	}
	tring_line_char(line, '"');
}

static void add_column(struct tring_line *line, const char *text, size_t size)
{
	char *escaped;

	if (tring_is_printable(text, size)) {
		add_quoted(line, text, size);
		return;
	}
	escaped = tring_allocate(TRING_ESCAPED_MAX * size);
	add_quoted(line, escaped, tring_text_escape(escaped, text, size, 0));
	free(escaped);
}

/* Add a number: a column of CSV, or a member of an object that is not the first. */
static void add_number(struct tring_lines *text, const char *name, int64_t value)
{
	tring_line_char(&text->line, ',');
	if (!text->csv) {
		add_constant(&text->line, name);
		tring_line_char(&text->line, ':');
	}
	tring_json_signed(&text->line, value);
}

/* As add_number(). @value: NULL if it is unknown */
static void add_text(struct tring_lines *text, const char *name, const char *value, size_t size)
{
	tring_line_char(&text->line, ',');
	if (text->csv) {
		if (value)
			add_column(&text->line, value, size);
		return;
	}
	add_constant(&text->line, name);
	tring_line_char(&text->line, ':');
	if (value)
		tring_json_text(&text->line, value, size);
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

static void add_env(struct tring_lines *text, const char *name, const struct tring_trace *trace,
		    const char *key)
{
	const char *value = tring_env(trace, key);

	add_text(text, name, value, strlen(value));
}

/**
 * tring_lines_head - write what comes before the lines of a trace
 * @text: the lines
 * @source: the trace
 */
void tring_lines_head(struct tring_lines *text, const struct tring_lines_source *source)
{
	int64_t offset;
	char *uuid;

	if (text->csv) {
		add_constant(&text->line, CSV_HEAD);
		text->line.at--;
		write_line(text);
		return;
	}
	uuid = tring_uuid_text(tring_uuid(source->trace));
	add_constant(&text->line, JSON_MAGIC "\"version\":1");
	if (source->name)
		add_text(text, "\"from\"", source->name, strlen(source->name));
	add_text(text, "\"uuid\"", uuid, strlen(uuid));
	add_env(text, "\"hostname\"", source->trace, "hostname");
	add_env(text, "\"kernel_release\"", source->trace, "kernel_release");
	add_env(text, "\"clock\"", source->trace, "clock");
	if (find_epoch_offset(source, &offset))
		add_number(text, "\"epoch_offset\"", offset);
	else
		add_text(text, "\"epoch_offset\"", NULL, 0);
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

	if (!text->csv)
		add_constant(line, "{\"ts\":");
	if (item->record)
		add_time(line, source, item->record->stamp);
	else if (!text->csv)
		add_constant(line, "null");
	if (source->name)
		add_text(text, "\"from\"", source->name, strlen(source->name));
	add_number(text, "\"cpu\"", item->cpu);
}

static void write_loss(struct tring_lines *text, const struct tring_lines_source *source,
		       const struct tring_item *item)
{
	struct tring_line *line = &text->line;
	char *fields;

	fields = tring_format("{\"events\":%" PRIu64 ",\"packets\":%" PRIu64 "}", item->events,
			      item->packets);
	add_begin(text, source, item);
	if (text->csv) {
		add_constant(line, ",,,,,tring,lost,");
		add_quoted(line, fields, strlen(fields));
	} else {
		add_constant(line, ",\"lost\":");
		add_constant(line, fields);
		tring_line_char(line, '}');
	}
	write_line(text);
	free(fields);
}

static void add_fields(struct tring_lines *text, const struct tring_item *item)
{
	struct tring_line *fields = text->csv ? &text->fields : &text->line;

	fields->at = text->csv ? fields->start : fields->at;
	tring_line_char(&text->line, ',');
	if (!text->csv)
		add_constant(&text->line, "\"fields\":");
	if (item->wrong)
		tring_json_bytes(fields, item->record);
	else
		tring_json_fields(fields, item);
	if (text->csv)
		add_quoted(&text->line, fields->start, fields->at - fields->start);
	else
		tring_line_char(&text->line, '}');
}

static void write_event(struct tring_lines *text, const struct tring_lines_source *source,
			const struct tring_item *item)
{
	const struct tring_record *record = item->record;
	const struct tring_event *event = item->event;
	const char *comm = tring_comm(source->trace, record->pid);

	add_begin(text, source, item);
	add_number(text, "\"pid\"", record->pid);
	/* libtraceevent's name for a task that it does not know */
	add_text(text, "\"comm\"", strcmp(comm, "<...>") ? comm : NULL, strlen(comm));
	add_number(text, "\"flags\"", record->flags);
	add_number(text, "\"preempt_count\"", record->preempt_count);
	add_text(text, "\"system\"", event ? event->system : NULL,
		 event ? strlen(event->system) : 0);
	add_text(text, "\"event\"", event ? event->name : NULL, event ? strlen(event->name) : 0);
	add_fields(text, item);
	write_line(text);
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
	if (item->kind == TRING_ITEM_LOSS)
		write_loss(text, source, item);
	else
		write_event(text, source, item);
}

/**
 * tring_lines_init - prepare for writing lines
 * @text: filled in; to be freed with tring_lines_free()
 * @csv: CSV instead of JSON
 * @output: the file, NULL for stdout
 */
void tring_lines_init(struct tring_lines *text, bool csv, struct tring_output *output)
{
	*text = (struct tring_lines) { .csv = csv, .output = output };
	tring_line_init(&text->line);
	tring_line_init(&text->fields);
}

/**
 * tring_lines_free - free the memory of lines
 * @text: the lines
 */
void tring_lines_free(struct tring_lines *text)
{
	tring_line_free(&text->line);
	tring_line_free(&text->fields);
}

static bool has_failed(const struct tring_lines *text)
{
	return text->output ? text->output->error : ferror_unlocked(stdout);
}

static int write_items(struct tring_trace *trace, bool csv, struct tring_output *output)
{
	static const char no_magic[MAGIC_SIZE];
	const struct tring_lines_source source = { .trace = trace };
	struct tring_lines text;
	struct tring_item item;
	bool failed;

	tring_lines_init(&text, csv, output);
	tring_lines_head(&text, &source);
	/* the magic comes when the file is complete */
	if (output)
		tring_output_patch(output, 0, no_magic, sizeof(no_magic));
	while (!has_failed(&text) && tring_next(trace, &item) > 0)
		tring_lines_add(&text, &source, &item);
	failed = has_failed(&text);
	tring_lines_free(&text);
	return failed ? -EIO : 0;
}

static int export(struct tring_trace *trace, const char *path, bool csv)
{
	const char *magic = csv ? CSV_HEAD : JSON_MAGIC;
	struct tring_output output;
	int error;

	/* whether what stdout buffers can be written is known at the end */
	if (!path)
		return write_items(trace, csv, NULL);
	error = tring_output_open(&output, path, magic, MAGIC_SIZE);
	if (error) {
		tring_output_drop(&output);
		return error;
	}
	write_items(trace, csv, &output);
	return tring_output_close(&output, magic, MAGIC_SIZE);
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
	return export(trace, path, false);
}

/**
 * tring_export_csv - write a trace as CSV, a line an event
 * @trace: the trace
 * @path: the file to write; NULL for stdout
 *
 * Return: as tring_export_json().
 */
int tring_export_csv(struct tring_trace *trace, const char *path)
{
	return export(trace, path, true);
}
