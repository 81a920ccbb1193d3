// SPDX-License-Identifier: GPL-2.0
/*
 * The fields of a piece's events: for each kind of event a column of each field. What a plan
 * prints is not written as text: the page has the plan.
 */
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "util/number.h"
#include "util/util.h"

/* Largest array whose places have columns of their own. */
#define PLACES_MAX	16

/* Numbers of a column by which its form is chosen. */
#define SAMPLES		64

enum form { PLAIN, ZIGZAG, DELTA, SUM, FORMS };

/* Return: number of columns of an array's places; 0 if it has one for all. */
static size_t count_places(const struct tring_field *field)
{
	size_t count = field->element ? field->size / field->element : 0;

	return field->place == TRING_PLACE_FIXED && count <= PLACES_MAX ? count : 0;
}

static size_t count_columns(const struct tring_field *field)
{
	size_t places;

	if (field->kind != TRING_FIELD_ARRAY)
		return 1;
	places = count_places(field);
	return 1 + (places ? places : 1);
}

static void describe(struct tring_page *page, struct tring_page_kind *kind,
		     const struct tring_event *event)
{
	const struct tring_plan *plan = tring_printer_plan(&page->printer, event);
	size_t i;

	kind->event = event;
	kind->number = page->kind_count;
	page->kind_order = tring_one_more(page->kind_order, page->kind_count,
					  sizeof(*page->kind_order));
	page->kind_order[page->kind_count++] = event;
	if (plan)
		kind->plan = tring_page_plan(plan, kind);
	kind->trials = TRING_PRINTER_TRIALS;
	for (i = 0; i < event->field_count; i++)
		kind->column_count += count_columns(&event->fields[i]);
	kind->columns = tring_allocate((kind->column_count + 1) * sizeof(*kind->columns));
}

/**
 * tring_page_kind - get what the page has of an event
 * @page: the page
 * @event: the event
 */
struct tring_page_kind *tring_page_kind(struct tring_page *page, const struct tring_event *event)
{
	struct tring_page_kind *kind = &page->kinds[event->number];

	if (!kind->event)
		describe(page, kind, event);
	return kind;
}

/* Return: number of a function's name. */
static uint32_t add_function(struct tring_page *page, uint64_t address, bool exact)
{
	const struct tring_symbol *symbol = tring_function(page->walk.top.trace, address);
	char *text;
	uint32_t number;

	if (!symbol->name)
		text = tring_format("0x%llx", (unsigned long long)address);
	else if (exact)
		text = tring_format("%s+0x%llx", symbol->name,
				    (unsigned long long)(address - symbol->address));
	else
		text = tring_format("%s", symbol->name);
	number = tring_intern(&page->texts, text, strlen(text));
	free(text);
	return number;
}

static uint64_t value_of(const struct tring_page *page, const struct tring_field *field,
			 const uint8_t *from)
{
	uint64_t value = tring_field_value(field, from, page->big_endian);

	return field->element == 8 && !field->is_signed ? tring_page_hide(page, value) : value;
}

static void add_array(const struct tring_page *page, struct tring_page_values *columns,
		      const struct tring_field *field, const uint8_t *data, size_t size)
{
	size_t places = count_places(field), count = size / field->element, i;

	tring_page_value(columns++, count);
	for (i = 0; i < count; i++)
		tring_page_value(&columns[places ? i : 0],
				 value_of(page, field, data + i * field->element));
}

static void add_field(struct tring_page *page, const struct tring_page_kind *kind, size_t at,
		      struct tring_page_values *columns)
{
	const struct tring_field *field = &kind->event->fields[at];
	size_t size;
	const uint8_t *data = tring_data(&page->item, field, &size);

	if (at < 64 && kind->functions >> at & 1) {
		uint64_t address = tring_field_value(field, data, page->big_endian);

		tring_page_value(columns, add_function(page, address, kind->exact >> at & 1));
	} else if (field->kind == TRING_FIELD_NUMBER) {
		tring_page_value(columns, value_of(page, field, data));
	} else if (field->kind == TRING_FIELD_TEXT) {
		tring_page_value(columns, tring_intern(&page->texts, data, size));
	} else {
		add_array(page, columns, field, data, size);
	}
}

/* The text behind the name of an event without a plan, or that shows whether the plan is right. */
static void add_text(struct tring_page *page, struct tring_page_kind *kind)
{
	size_t size = 0;
	const char *text = tring_printer_text(&page->printer, &page->item, &size);

	/* another libtraceevent prints it in another way */
	if (kind->plan && !tring_printer_plan(&page->printer, kind->event)) {
		free(kind->plan);
		kind->plan = NULL;
	}
	if (!text)
		text = tring_printer_bytes(&page->printer, page->item.record, &size);
	tring_page_value(&kind->texts, tring_intern(&page->texts, text, size));
}

/* What stands behind a plan's text. */
static void add_told(struct tring_page *page, struct tring_page_kind *kind)
{
	size_t size;
	const char *text = tring_printer_told(&page->printer, &page->item, &size);

	tring_page_value(&kind->told, size ? tring_intern(&page->texts, text, size) + 1 : 0);
	kind->tells |= size;
}

static void add_raw(struct tring_page *page)
{
	size_t size;
	const char *text = tring_printer_bytes(&page->printer, page->item.record, &size);

	tring_page_value(&page->raw, tring_intern(&page->texts, text, size));
}

/**
 * tring_page_add_fields - add the fields of an event
 * @page: the page, with @item
 */
void tring_page_add_fields(struct tring_page *page)
{
	struct tring_page_values *column;
	struct tring_page_kind *kind;
	size_t i;

	if (page->item.wrong) {
		add_raw(page);
		return;
	}
	kind = tring_page_kind(page, page->item.event);
	kind->rows++;
	column = kind->columns;
	for (i = 0; i < kind->event->field_count; i++) {
		add_field(page, kind, i, column);
		column += count_columns(&kind->event->fields[i]);
	}
	if (!kind->plan || kind->trials)
		add_text(page, kind);
	if (kind->trials)
		kind->trials--;
	if (kind->plan)
		add_told(page, kind);
}

/* @sum: the number before, and that of the same event in the column before */
static uint64_t form_of(enum form form, uint64_t value, uint64_t before, uint64_t sum)
{
	switch (form) {
	case ZIGZAG:
		return tring_page_zigzag(value);
	case DELTA:
		return tring_page_zigzag(value - before);
	case SUM:
		return tring_page_zigzag(value - sum);
	default:
		return value;
	}
}

/**
 * struct column - a column that is written
 * @values: its numbers
 * @beside: the column before; NULL if that has another number of them
 * @order: the order in which they are written; NULL for theirs
 */
struct column {
	const struct tring_page_values *values;
	const struct tring_page_values *beside;
	const uint32_t	*order;
};

static uint64_t number_of(const struct column *column, size_t i, enum form form)
{
	const size_t at = column->order ? column->order[i] : i;
	const size_t last = !i ? 0 : column->order ? column->order[i - 1] : i - 1;
	const uint64_t value = column->values->list[at];
	const uint64_t before = i ? column->values->list[last] : 0;

	return form_of(form, value, before,
		       before + (column->beside ? column->beside->list[at] : 0));
}

/* Return: the form in which some of the numbers are shortest. */
static enum form choose_form(const struct column *column)
{
	const size_t count = column->values->count, step = count / SAMPLES + 1;
	const enum form forms = column->beside ? FORMS : SUM;
	size_t sizes[FORMS] = { 0 }, i;
	enum form form, best = PLAIN;

	for (i = 1; i < count; i += step)
		for (form = PLAIN; form < forms; form++) {
			uint64_t value = number_of(column, i, form);

			sizes[form] += (70 - __builtin_clzll(value | 1)) / 7;
		}
	/* equal values repeat, their differences do so less often */
	for (form = ZIGZAG; form < forms; form++)
		if (sizes[form] + sizes[form] / 8 < sizes[best])
			best = form;
	return best;
}

static void write_values(struct tring_page *page, const struct column *column,
			 struct tring_line *line)
{
	enum form form = choose_form(column);
	size_t i;

	tring_line_char(line, form);
	for (i = 0; i < column->values->count; i++)
		tring_page_number(line, number_of(column, i, form));
	tring_page_column(page->file, line, false);
}

/* Writes events of a kind. @last: one column more; NULL for none. @order: of its @rows events */
static void write_group(struct tring_page *page, uint64_t number, size_t rows,
			struct tring_page_values *columns, size_t count,
			struct tring_page_values *last, const uint32_t *order)
{
	struct tring_line line;
	size_t i;

	tring_line_init(&line);
	tring_page_number(&line, number);
	tring_page_number(&line, rows);
	tring_page_number(&line, count + (last ? 1 : 0));
	tring_page_column(page->file, &line, false);
	for (i = 0; i < count + (last ? 1 : 0); i++) {
		struct column column = { .values = i < count ? &columns[i] : last };

		if (i && columns[i - 1].count == column.values->count)
			column.beside = &columns[i - 1];
		if (column.values->count == rows)
			column.order = order;
		write_values(page, &column, &line);
	}
	for (i = 0; i < count; i++)
		columns[i].count = 0;
	tring_line_free(&line);
}

static void write_kind(struct tring_page *page, struct tring_page_kind *kind,
		       const uint32_t *order)
{
	write_group(page, TRING_PAGE_KINDS + kind->number, kind->rows, kind->columns,
		    kind->column_count,
		    !kind->plan ? &kind->texts : kind->tells ? &kind->told : NULL, order);
	kind->texts.count = 0;
	kind->told.count = 0;
	kind->tells = false;
	kind->rows = 0;
}

static void write_head(struct tring_page *page)
{
	size_t groups = page->raw.count ? 1 : 0, i;
	struct tring_line head;

	for (i = 0; i < page->kind_count; i++)
		groups += page->kinds[page->kind_order[i]->number].rows ? 1 : 0;
	tring_line_init(&head);
	tring_page_number(&head, page->texts.count);
	tring_page_number(&head, groups);
	tring_page_column(page->file, &head, false);
	for (i = 0; i < page->texts.count; i++) {
		struct tring_interned *text = &page->texts.list[i];

		tring_page_text(&head, text->bytes,
				tring_page_hide_text(page, text->bytes, text->size));
	}
	tring_page_column(page->file, &head, false);
	tring_line_free(&head);
}

/*
 * Orders the events of each kind by their tasks: what a task does is often what it has done before.
 * @page->order is set to their rows, kind by kind. Return: where each kind begins there.
 */
static size_t *order_rows(struct tring_page *page)
{
	const size_t kinds = TRING_PAGE_KINDS + page->kind_count;
	size_t *firsts = tring_allocate((kinds + 1) * sizeof(*firsts)), i;
	uint32_t *rows = tring_allocate((page->count + 1) * sizeof(*rows));
	uint32_t *seen = tring_allocate(kinds * sizeof(*seen));

	for (i = 0; i < page->count; i++) {
		rows[i] = seen[page->moment_kinds[i]]++;
		page->order[i] = i;
	}
	tring_page_sort(page, page->moment_tasks, page->order);
	tring_page_sort(page, page->moment_kinds, page->order);
	for (i = 0; i < page->count; i++)
		page->order[i] = rows[page->order[i]];
	for (i = 0; i < kinds; i++)
		firsts[i + 1] = firsts[i] + seen[i];
	free(rows);
	free(seen);
	return firsts;
}

/**
 * tring_page_end_fields - write the fields of a piece
 * @page: the page
 */
void tring_page_end_fields(struct tring_page *page)
{
	size_t *firsts = order_rows(page), i;

	write_head(page);
	if (page->raw.count)
		write_group(page, TRING_PAGE_RAW, page->raw.count, NULL, 0, &page->raw,
			    &page->order[firsts[TRING_PAGE_RAW]]);
	page->raw.count = 0;
	for (i = 0; i < page->kind_count; i++) {
		struct tring_page_kind *kind = &page->kinds[page->kind_order[i]->number];

		if (kind->rows)
			write_kind(page, kind, &page->order[firsts[TRING_PAGE_KINDS + i]]);
	}
	free(firsts);
	tring_page_block(page->file, "e", page->piece_count);
	tring_intern_free(&page->texts);
}

/**
 * tring_page_fields_free - free what was needed for fields
 * @page: the page
 */
void tring_page_fields_free(struct tring_page *page)
{
	size_t i, j;

	for (i = 0; i < page->kind_count; i++) {
		struct tring_page_kind *kind = &page->kinds[page->kind_order[i]->number];

		for (j = 0; j < kind->column_count; j++)
			free(kind->columns[j].list);
		free(kind->columns);
		free(kind->texts.list);
		free(kind->told.list);
		free(kind->plan);
	}
	free(page->kinds);
	free(page->kind_order);
	free(page->raw.list);
	tring_intern_free(&page->texts);
}
