// SPDX-License-Identifier: GPL-2.0
/* The index of a page: what describes the trace and its pieces, as JSON. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "export/json.h"
#include "page.h"
#include "show/top_show.h"
#include "tring_version.h"
#include "util/util.h"

/* A member of an object whose value is a text, or null. */
static void add_text(struct tring_line *line, const char *name, const char *text)
{
	tring_line_put(line, ",\"%s\":", name);
	if (text)
		tring_json_text(line, text, strlen(text));
	else
		tring_line_put(line, "null");
}

static void add_number(struct tring_line *line, const char *name, uint64_t value)
{
	tring_line_put(line, ",\"%s\":%" PRIu64, name, value);
}

/* Numbers of 64 bits are texts: those of JavaScript have 53. */
static void add_large(struct tring_line *line, const char *name, uint64_t value)
{
	tring_line_put(line, ",\"%s\":\"%" PRIu64 "\"", name, value);
}

/* What comes between the members of a list. */
static const char *comma(bool first)
{
	return first ? "" : ",";
}

static void add_times(struct tring_line *line, const struct tring_page *page)
{
	const struct tring_top *top = &page->walk.top;
	uint64_t base = page->base << page->shift;
	struct tring_wall wall;

	add_number(line, "frequency", top->frequency);
	add_number(line, "shift", page->shift);
	add_large(line, "base", base);
	add_large(line, "base_ns", tring_ns(top->trace, base));
	if (page->begun && tring_wall(top->trace, base, &wall) && wall.seconds > 0)
		add_large(line, "wall_ns", (uint64_t)wall.seconds * 1000000000 + wall.ns);
	else
		add_text(line, "wall_ns", NULL);
	add_number(line, "begin", page->begun && top->begun && top->begin >= base ?
		   tring_page_unit(page, top->begin) - page->base : 0);
	add_number(line, "end", page->begun && top->end >= base ?
		   tring_page_unit(page, top->end) - page->base : 0);
}

static void add_cpus(struct tring_line *line, const struct tring_top *top)
{
	size_t i;

	tring_line_put(line, ",\"cpus\":[");
	for (i = 0; i < top->cpu_count; i++)
		tring_line_put(line, "%s%d", comma(!i), top->cpus[i].cpu);
	tring_line_put(line, "]");
}

static void add_fields(struct tring_line *line, const struct tring_page_kind *kind)
{
	static const char *const types[] = {
		[TRING_FIELD_NUMBER] = "number", [TRING_FIELD_TEXT] = "text",
		[TRING_FIELD_ARRAY] = "array",
	};
	size_t i;

	tring_line_put(line, ",\"fields\":[");
	for (i = 0; i < kind->event->field_count; i++) {
		const struct tring_field *field = &kind->event->fields[i];
		bool function = i < 64 && kind->functions >> i & 1;
		size_t places = field->kind == TRING_FIELD_ARRAY && field->element &&
				field->place == TRING_PLACE_FIXED ?
				field->size / field->element : 0;

		tring_line_put(line, "%s{\"name\":", comma(!i));
		tring_json_text(line, field->name, strlen(field->name));
		add_text(line, "type", function ? "text" : types[field->kind]);
		add_number(line, "signed", field->is_signed);
		add_number(line, "size", field->element);
		if (places)
			add_number(line, "places", places);
		if (function)
			add_text(line, "was", "function");
		tring_line_put(line, "}");
	}
	tring_line_put(line, "]");
}

static void add_kinds(struct tring_line *line, const struct tring_page *page)
{
	size_t i;

	tring_line_put(line, ",\"kinds\":[");
	for (i = 0; i < page->kind_count; i++) {
		const struct tring_event *event = page->kind_order[i];
		const struct tring_page_kind *kind = &page->kinds[event->number];

		tring_line_put(line, "%s{\"system\":", comma(!i));
		tring_json_text(line, event->system, strlen(event->system));
		add_text(line, "name", event->name);
		add_number(line, "kind", page->walk.top.bound[event->number].kind);
		add_number(line, "count", kind->count);
		add_fields(line, kind);
		tring_line_put(line, ",\"plan\":%s}", kind->plan ? kind->plan : "null");
	}
	tring_line_put(line, "]");
}

static void add_contexts(struct tring_line *line, const struct tring_page *page)
{
	size_t i;

	tring_line_put(line, ",\"contexts\":[");
	for (i = 0; i < page->context_texts.count; i++) {
		const struct tring_interned *text = &page->context_texts.list[i];

		tring_line_put(line, "%s", comma(!i));
		tring_json_text(line, text->bytes, text->size);
	}
	tring_line_put(line, "]");
}

static void add_spans(struct tring_line *line, const char *name, const struct tring_spans *spans)
{
	size_t i;

	tring_line_put(line, "\"%s\":[", name);
	for (i = 0; i < spans->count; i++) {
		const struct tring_span *span = spans->list[i];

		tring_line_put(line, "%s[%" PRId64 ",", comma(!i), span->number);
		if (span->name)
			tring_json_text(line, span->name, strlen(span->name));
		else
			tring_line_put(line, "null");
		tring_line_put(line, "]");
	}
	tring_line_put(line, "]");
}

/* A pid has its last name. */
static void add_tasks(struct tring_line *line, const struct tring_page *page)
{
	size_t i;

	tring_line_put(line, ",\"tasks\":[");
	for (i = 0; i < page->pids.count; i++) {
		const int32_t pid = page->task_places[i].pid;
		const char *comm = tring_comm(page->walk.top.trace, pid);

		tring_line_put(line, "%s[%d,", comma(!i), pid);
		tring_json_text(line, comm, strlen(comm));
		tring_line_put(line, "]");
	}
	tring_line_put(line, "]");
}

/* What has to be recorded for tables that the trace does not have. */
static void add_lacks(struct tring_line *line, const struct tring_top *top)
{
	bool first = true;
	size_t i;

	tring_line_put(line, ",\"lacks\":{");
	for (i = 0; i < TRING_TOP_TABLES; i++) {
		const struct tring_table *table = tring_top_tables[i];
		const char *lacks = tring_table_lacks(top, table);

		if (!lacks)
			continue;
		tring_line_put(line, "%s\"%s\":", comma(first), table->name);
		tring_json_text(line, lacks, strlen(lacks));
		first = false;
	}
	tring_line_put(line, "}");
}

static void add_pieces(struct tring_line *line, const struct tring_page *page)
{
	size_t i;

	tring_line_put(line, ",\"pieces\":[");
	for (i = 0; i < page->piece_count; i++) {
		const struct tring_page_piece *piece = &page->pieces[i];

		tring_line_put(line, "%s[%zu,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]",
			       comma(!i), i, piece->first, piece->last, piece->moments,
			       piece->events);
	}
	tring_line_put(line, "]");
	add_number(line, "long", page->long_blocks);
}

/**
 * tring_page_describe - add a trace to the index
 * @page: the page, with all of the trace
 * @name: what the trace is called
 * @line: what the index has of the traces before it
 */
void tring_page_describe(const struct tring_page *page, const char *name,
			 struct tring_line *line)
{
	static const char *const keys[] = {
		"kernel_release", "architecture", "clock", "left_out",
	};
	const struct tring_top *top = &page->walk.top;
	struct tring_trace *trace = top->trace;
	char *uuid = tring_uuid_text(tring_uuid(trace));
	const char *host = tring_env(trace, "hostname");
	size_t i;

	tring_line_put(line, "%s{\"name\":", comma(line->at == line->start));
	tring_json_text(line, name, strlen(name));
	add_text(line, "hostname", host);
	add_text(line, "uuid", uuid);
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		add_text(line, keys[i], tring_env(trace, keys[i]));
	if (page->options->command_lines)
		add_text(line, "command_line", tring_env(trace, "command_line"));
	add_times(line, page);
	add_number(line, "events", page->all_events);
	add_number(line, "lost", page->all_lost);
	add_cpus(line, top);
	add_kinds(line, page);
	add_contexts(line, page);
	tring_line_put(line, ",\"spans\":{");
	add_spans(line, "irqs", &top->interrupts[TRING_IRQ]);
	tring_line_put(line, ",");
	add_spans(line, "softirqs", &top->interrupts[TRING_SOFTIRQ]);
	tring_line_put(line, ",");
	add_spans(line, "calls", &top->calls);
	tring_line_put(line, ",");
	add_spans(line, "marks", &top->marks);
	tring_line_put(line, ",");
	add_spans(line, "counters", &top->counters);
	tring_line_put(line, "}");
	add_tasks(line, page);
	add_lacks(line, top);
	add_pieces(line, page);
	tring_line_put(line, "}");
	free(uuid);
}

/**
 * tring_page_index - write the index, the last block of a page
 * @file: the page
 * @options: what the user wants
 * @traces: what tring_page_describe() has made of all traces
 */
void tring_page_index(struct tring_page_file *file, const struct tring_page_options *options,
		      const struct tring_line *traces)
{
	struct tring_line line;

	file->trace = 0;
	tring_line_init(&line);
	tring_line_put(&line, "{\"format\":6");
	add_text(&line, "version", TRING_VERSION);
	add_text(&line, "detail", options->timeline ? "timeline" : "all");
	add_number(&line, "addresses", options->addresses);
	tring_line_put(&line, ",\"traces\":[");
	tring_line_text(&line, traces->start, traces->at - traces->start);
	tring_line_put(&line, "]}");
	tring_page_bytes(file, &line);
	tring_line_free(&line);
	tring_page_block(file, "index", 0);
}
