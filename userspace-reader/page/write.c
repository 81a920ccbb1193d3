// SPDX-License-Identifier: GPL-2.0
/*
 * Writes a trace into a page. It is read once; what is kept of it is a piece, and some bytes for
 * each task and for each interval that crosses the border of a piece.
 */
#include <stdlib.h>

#include "page.h"
#include "util/util.h"

/* Without fields, a time has so many nanoseconds at most. */
#define COARSE_NS	500

/**
 * tring_page_unit - get the time of a page at a timestamp
 * @page: the page
 * @stamp: the timestamp
 */
uint64_t tring_page_unit(const struct tring_page *page, uint64_t stamp)
{
	return stamp >> page->shift;
}

static unsigned int find_shift(const struct tring_page *page)
{
	uint64_t ticks = page->walk.top.frequency / (1000000000 / COARSE_NS);
	unsigned int shift = 0;

	while (page->options->timeline && ticks >> (shift + 1))
		shift++;
	return shift;
}

static void begin(struct tring_page *page, struct tring_trace *trace)
{
	struct tring_top *top = &page->walk.top;

	top->trace = trace;
	top->ended = tring_page_take_ended;
	top->data = page;
	tring_top_walk_init(&page->walk);
	page->big_endian = tring_big_endian(trace);
	page->shift = find_shift(page);
	page->kinds = tring_allocate((top->event_count + 1) * sizeof(*page->kinds));
	page->switched = tring_allocate((top->cpu_count + 1) * sizeof(*page->switched));
	tring_printer_init(&page->printer, trace);
	page->whole.parts = TRING_PAGE_ALL_PARTS;
	page->part.parts = TRING_PAGE_PARTS;
	tring_page_moments_init(page);
	tring_page_hide_init(page);
}

/* Tells whether the page has an event: the user wants it, and its time says something. */
static bool is_wanted(struct tring_page *page)
{
	const struct tring_item *item = &page->item;

	if (!item->wanted || !page->options->timeline)
		return item->wanted;
	if (item->wrong)
		return false;
	switch (page->walk.top.bound[item->event->number].kind) {
	case TRING_KIND_OTHER:
	case TRING_KIND_MIGRATE:
	case TRING_KIND_RAISE:
	case TRING_KIND_EXPIRE_ENTRY:
	case TRING_KIND_EXPIRE_EXIT:
	case TRING_KIND_MARKER:
		return false;
	default:
		return true;
	}
}

static void note_event(struct tring_page *page)
{
	const struct tring_item *item = &page->item;

	page->all_events++;
	page->seen = item->record->stamp;
	if (!item->wrong &&
	    page->walk.top.bound[item->event->number].kind == TRING_KIND_SWITCH)
		page->switched[item->cpu_at] = item->record->stamp;
}

/* What is missing before a CPU's first packet is no loss of the recording. */
static bool is_loss(const struct tring_page *page)
{
	const struct tring_item *item = &page->item;

	return page->walk.top.cpus[item->cpu_at].wanted &&
	       (item->since || item->events || item->packets) &&
	       (!item->record || item->record->stamp >= page->walk.top.first);
}

static void take_item(struct tring_page *page)
{
	/* a value may have come that is lost */
	if (page->walk.top.blind || page->item.kind == TRING_ITEM_LOSS)
		tring_page_end_values(page, page->seen);
	if (page->item.kind == TRING_ITEM_LOSS && is_loss(page)) {
		tring_page_add_loss(page);
		tring_page_add_moment(page);
	} else if (page->item.kind == TRING_ITEM_EVENT && is_wanted(page)) {
		tring_page_add_moment(page);
		tring_page_add_text(page);
	}
	tring_page_add_intervals(page);
	if (page->item.kind == TRING_ITEM_EVENT)
		note_event(page);
	if (page->count == TRING_PAGE_MOMENTS)
		tring_page_end_piece(page);
}

static void free_page(struct tring_page *page)
{
	tring_page_fields_free(page);
	tring_page_intervals_free(page);
	tring_page_moments_free(page);
	tring_printer_free(&page->printer);
	tring_top_walk_free(&page->walk);
	free(page);
}

/**
 * tring_page_write - write a trace into a page
 * @trace: the trace, which gives every event
 * @file: the page; @file->output.error tells if it cannot be written
 * @options: what the user wants
 * @index: what describes the trace is added
 */
void tring_page_write(struct tring_trace *trace, struct tring_page_file *file,
		      const struct tring_page_options *options, struct tring_line *index)
{
	struct tring_page *page = tring_allocate(sizeof(*page));

	page->file = file;
	page->options = options;
	begin(page, trace);
	while (!file->output.error && tring_top_walk_step(&page->walk, &page->item))
		take_item(page);
	page->item = (struct tring_item) { .kind = TRING_ITEM_LOSS };
	tring_page_end_values(page, page->walk.top.end);
	tring_page_add_intervals(page);
	tring_page_end_piece(page);
	tring_page_end_longs(page);
	tring_page_end_summary(page, &page->whole, "z", 0, page->base);
	tring_top_walk_tell(&page->walk);
	if (!page->walk.top.seen)
		tring_note("%s: no event was selected", options->name);
	tring_page_describe(page, options->name, index);
	free_page(page);
}
