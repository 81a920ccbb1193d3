// SPDX-License-Identifier: GPL-2.0
/*
 * Converts a trace to lines of text, ordered by time: JSON, an object a line, or CSV with
 * the fields as JSON in the last column. Losses have a line of their own, in both.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert.h"
#include "export/json.h"
#include "export/output.h"
#include "read/load.h"
#include "util/clock.h"
#include "util/text.h"
#include "util/util.h"

/* Lines begin so; by the first one a file is known that may be replaced. */
#define JSON_MAGIC	"{\"trace\":\"tring\","
#define CSV_HEAD	"ts,cpu,pid,comm,flags,preempt_count,system,event,fields\n"
#define MAGIC_SIZE	16

/**
 * struct text - lines that are being written
 * @line: line under construction
 * @fields: fields of a line of CSV
 * @csv: CSV instead of JSON
 * @output: the file, or NULL for stdout
 */
struct text {
	struct tring_line line;
	struct tring_line fields;
	bool		csv;
	struct tring_output *output;
};

static void add_constant(struct tring_line *line, const char *text)
{
	tring_line_text(line, text, strlen(text));
}

static void write_line(struct text *text)
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
static void add_number(struct text *text, const char *name, int64_t value)
{
	tring_line_char(&text->line, ',');
	if (!text->csv) {
		add_constant(&text->line, name);
		tring_line_char(&text->line, ':');
	}
	tring_json_signed(&text->line, value);
}

/* As add_number(). @value: NULL if it is unknown */
static void add_text(struct text *text, const char *name, const char *value, size_t size)
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
static int64_t find_epoch_offset(const struct tring_shown *shown)
{
	const struct tring_trace_info *info = &shown->trace->info;
	struct tring_wall zero = tring_clock_wall(0, info->clock_frequency, info->clock_offset);

	return tring_wall_ns(shown->style.aligned ? &shown->style.zero : &zero);
}

static void add_head(struct text *text, const struct tring_shown *shown)
{
	const struct tring_trace_info *info = &shown->trace->info;
	const char *name = shown->trace->name;
	char *uuid;

	if (text->csv) {
		add_constant(&text->line, CSV_HEAD);
		text->line.at--;
		write_line(text);
		return;
	}
	uuid = tring_uuid_text(info->uuid);
	add_constant(&text->line, JSON_MAGIC "\"version\":1");
	if (name)
		add_text(text, "\"from\"", name, strlen(name));
	add_text(text, "\"uuid\"", uuid, strlen(uuid));
	add_text(text, "\"hostname\"", info->hostname, strlen(info->hostname));
	add_text(text, "\"kernel_release\"", info->origins[0], strlen(info->origins[0]));
	add_text(text, "\"clock\"", info->clock, strlen(info->clock));
	if (info->no_wall)
		add_text(text, "\"epoch_offset\"", NULL, 0);
	else
		add_number(text, "\"epoch_offset\"", find_epoch_offset(shown));
	tring_line_char(&text->line, '}');
	write_line(text);
	free(uuid);
}

/* Begin a line. At the end of a CPU's events it has no time. */
static void add_begin(struct text *text, const struct tring_shown *shown)
{
	const struct tring_record *record = shown->item.record;
	const struct tring_trace *trace = shown->trace;
	struct tring_line *line = &text->line;
	uint64_t ns = record ? tring_style_ns(&shown->printer.style, record->stamp,
					      trace->info.clock_frequency) : 0;

	if (!text->csv)
		add_constant(line, "{\"ts\":");
	if (record && shown->style.aligned)
		tring_json_signed(line, ns);
	else if (record)
		tring_json_number(line, ns);
	else if (!text->csv)
		add_constant(line, "null");
	if (trace->name)
		add_text(text, "\"from\"", trace->name, strlen(trace->name));
	add_number(text, "\"cpu\"", shown->item.cpu);
}

static void write_loss(struct text *text, const struct tring_shown *shown)
{
	const struct tring_item *item = &shown->item;
	struct tring_line *line = &text->line;
	char *fields;

	fields = tring_format("{\"events\":%" PRIu64 ",\"packets\":%" PRIu64 "}", item->events,
			      item->packets);
	add_begin(text, shown);
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

static void add_fields(struct text *text, const struct tring_item *item)
{
	struct tring_line *fields = text->csv ? &text->fields : &text->line;

	fields->at = text->csv ? fields->start : fields->at;
	tring_line_char(&text->line, ',');
	if (!text->csv)
		add_constant(&text->line, "\"fields\":");
	if (item->wrong)
		tring_json_bytes(fields, item->record);
	else
		tring_json_fields(fields, item->event, item->record);
	if (text->csv)
		add_quoted(&text->line, fields->start, fields->at - fields->start);
	else
		tring_line_char(&text->line, '}');
}

static void write_event(struct text *text, const struct tring_shown *shown)
{
	const struct tring_record *record = shown->item.record;
	const struct tring_event *event = shown->item.event;
	const char *comm;

	add_begin(text, shown);
	add_number(text, "\"pid\"", record->pid);
	comm = tring_names_comm(&shown->trace->names, record->pid);
	/* libtraceevent's name for a task that it does not know */
	add_text(text, "\"comm\"", strcmp(comm, "<...>") ? comm : NULL, strlen(comm));
	add_number(text, "\"flags\"", record->flags);
	add_number(text, "\"preempt_count\"", record->preempt_count);
	add_text(text, "\"system\"", event ? event->system : NULL,
		 event ? strlen(event->system) : 0);
	add_text(text, "\"event\"", event ? event->name : NULL, event ? strlen(event->name) : 0);
	add_fields(text, &shown->item);
	write_line(text);
}

static void write_item(struct tring_show *show, struct tring_shown *shown)
{
	struct text *text = show->data;

	if (shown->item.kind == TRING_ITEM_LOSS) {
		write_loss(text, shown);
		return;
	}
	write_event(text, shown);
	if (text->output)
		show->failed = text->output->error;
	else if (ferror_unlocked(stdout))
		tring_show_fail(show, shown->trace);
}

static void text_init(struct text *text)
{
	tring_line_init(&text->line);
	tring_line_init(&text->fields);
}

static void text_free(struct text *text)
{
	tring_line_free(&text->line);
	tring_line_free(&text->fields);
}

static int convert(struct tring_trace *trace, const char *path, bool csv)
{
	static const char no_magic[MAGIC_SIZE];
	const char *magic = csv ? CSV_HEAD : JSON_MAGIC;
	struct tring_output output;
	struct text text = { .csv = csv };
	struct tring_shown shown = { .trace = trace };
	struct tring_show show = {
		.traces = &shown, .count = 1, .write = write_item, .data = &text,
	};
	int error = 0;

	if (path) {
		error = tring_output_open(&output, path, magic, MAGIC_SIZE);
		text.output = &output;
	}
	if (!error) {
		text_init(&text);
		tring_load_names(trace);
		add_head(&text, &shown);
		/* the magic comes when the file is complete */
		if (path)
			tring_output_patch(&output, 0, no_magic, sizeof(no_magic));
		tring_show_all(&show);
		text_free(&text);
	}
	if (path && !error)
		error = tring_output_close(&output, magic, MAGIC_SIZE);
	else if (path)
		tring_output_drop(&output);
	/* the error was told; a rest that was not read cannot be checked */
	return error ? error : show.failed ? -EIO : 0;
}

/**
 * tring_json_show - write traces as JSON, an object a line
 * @show: the traces; their style is that of JSON
 * @write: writes the traces
 */
void tring_json_show(struct tring_show *show, void (*write)(struct tring_show *show))
{
	struct text text = { 0 };
	size_t i;

	text_init(&text);
	show->write = write_item;
	show->data = &text;
	for (i = 0; i < show->count; i++)
		add_head(&text, &show->traces[i]);
	write(show);
	text_free(&text);
}

/**
 * tring_convert_to_json - convert a trace to JSON, an object a line
 * @trace: the trace, with its CPUs started; errors of the input are counted there
 * @output: the file to write; NULL for stdout
 *
 * Return: 0; or a negative errno, reported on stderr, without a file.
 */
int tring_convert_to_json(struct tring_trace *trace, const char *output)
{
	return convert(trace, output, false);
}

/**
 * tring_convert_to_csv - convert a trace to CSV, a line an event
 * @trace: the trace, with its CPUs started; errors of the input are counted there
 * @output: the file to write; NULL for stdout
 *
 * Return: 0; or a negative errno, reported on stderr, without a file.
 */
int tring_convert_to_csv(struct tring_trace *trace, const char *output)
{
	return convert(trace, output, true);
}
