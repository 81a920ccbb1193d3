// SPDX-License-Identifier: GPL-2.0
/*
 * The moments of a piece: its events and losses, with what each event has besides its fields.
 * What is the same most of the time is a column of zeroes then, which takes next to nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "util/util.h"

#define FIRST_SIZE	256

/* Columns whose values come in no order, one bit each: times, lengths and changes of tasks. */
#define PLAIN	(1 << TRING_PAGE_TIME | 1 << TRING_PAGE_BITS | 1 << TRING_PAGE_TASK | \
	3 << TRING_PAGE_RUN | 3 << TRING_PAGE_WAIT | 3 << TRING_PAGE_IRQ | \
	3 << TRING_PAGE_CALL)

static struct tring_page_place *find_place(const struct tring_page *page, int32_t pid)
{
	size_t at = ((uint32_t)pid * 2654435761u) & (page->task_size - 1);

	while (page->task_places[at].piece && page->task_places[at].pid != pid)
		at = (at + 1) & (page->task_size - 1);
	return &page->task_places[at];
}

static void grow(struct tring_page *page)
{
	struct tring_page_place *before = page->task_places;
	size_t size = page->task_size, i;

	page->task_size = size ? 2 * size : FIRST_SIZE;
	page->task_places = tring_allocate(page->task_size * sizeof(*page->task_places));
	for (i = 0; i < size; i++)
		if (before[i].piece)
			*find_place(page, before[i].pid) = before[i];
	free(before);
}

static uint32_t add_task(struct tring_page *page, int32_t pid, const char *comm)
{
	struct tring_page_task *task;

	page->task_list = tring_one_more(page->task_list, page->task_count, sizeof(*task));
	task = &page->task_list[page->task_count];
	task->pid = pid;
	strncpy(task->comm, comm, sizeof(task->comm) - 1);
	task->comm[sizeof(task->comm) - 1] = 0;
	tring_page_signed(&page->tasks, pid);
	tring_page_text(&page->tasks, task->comm, strlen(task->comm));
	return page->task_count++;
}

/**
 * tring_page_task - get a task, with the name that it has now
 * @page: the page
 * @pid: the task
 *
 * Return: its number in the piece.
 */
size_t tring_page_task(struct tring_page *page, int32_t pid)
{
	const char *comm = tring_comm(page->walk.top.trace, pid);
	struct tring_page_place *place;

	if (2 * page->task_used >= page->task_size)
		grow(page);
	place = find_place(page, pid);
	if (!place->piece) {
		place->pid = pid;
		page->task_used++;
	}
	if (place->piece != page->piece_count + 1 ||
	    strncmp(page->task_list[place->task].comm, comm,
		    sizeof(page->task_list->comm) - 1)) {
		place->piece = page->piece_count + 1;
		place->task = add_task(page, pid, comm);
	}
	return place->task;
}

/* Some kernels have more in it than flags and a preempt count. */
static size_t find_context(struct tring_page *page, const struct tring_record *record)
{
	uint32_t *place = &page->contexts[record->flags << 8 | record->preempt_count];
	struct tring_line *text = &page->context;

	if (*place && !page->printer.contexts_vary)
		return *place - 1;
	text->at = text->start;
	tring_reference_context(&page->printer.reference, text, record);
	*place = tring_intern(&page->context_texts, text->start, text->at - text->start) + 1;
	return *place - 1;
}

/* Adds a number, or 0 if it is the same as before. */
static void add_change(struct tring_line *column, uint32_t *before, uint32_t value)
{
	tring_page_number(column, value == *before ? 0 : value + 1);
	*before = value;
}

/* Numbers of a moment, by column. */
static void add_numbers(struct tring_page *page, size_t kind)
{
	const struct tring_item *item = &page->item;
	const struct tring_record *record = item->record;
	struct tring_line *columns = page->columns;
	size_t *running = &page->running[item->cpu_at], task;
	bool same;

	tring_page_number(&columns[TRING_PAGE_CPU], item->cpu_at);
	tring_page_number(&columns[TRING_PAGE_KIND], kind);
	if (kind == TRING_PAGE_LOSS) {
		page->moment_tasks[page->count - 1] = 0;
		tring_page_number(&columns[TRING_PAGE_TASK], 0);
		tring_page_number(&columns[TRING_PAGE_CONTEXT], 0);
		tring_page_number(&columns[TRING_PAGE_STORED], 0);
		return;
	}
	task = tring_page_task(page, record->pid) + 1;
	same = task == *running;
	tring_page_number(&columns[TRING_PAGE_TASK], same ? 0 : task);
	*running = task;
	page->moment_tasks[page->count - 1] = task;
	add_change(&columns[TRING_PAGE_CONTEXT], &page->before[kind][0],
		   find_context(page, record));
	add_change(&columns[TRING_PAGE_STORED], &page->before[kind][1 + same], record->stored);
}

/* Bits that are all equally probable stay apart from those that can be compressed. */
static void add_bits(struct tring_page *page, uint64_t bits, unsigned int count)
{
	struct tring_line *column = &page->columns[TRING_PAGE_BITS];

	page->bits |= bits << page->bit_count;
	page->bit_count += count;
	for (; page->bit_count >= 8; page->bit_count -= 8, page->bits >>= 8)
		tring_line_char(column, page->bits);
}

/* A byte has the length and the three highest bits of the time since the moment before. */
static void add_time(struct tring_page *page, uint64_t ticks)
{
	unsigned int rest = ticks < 8 ? 0 : 61 - __builtin_clzll(ticks);

	if (rest > 30) {
		tring_line_char(&page->columns[TRING_PAGE_TIME], 31 << 3);
		add_bits(page, ticks & UINT32_MAX, 32);
		add_bits(page, ticks >> 32, 32);
		return;
	}
	tring_line_char(&page->columns[TRING_PAGE_TIME], rest << 3 | ticks >> rest);
	add_bits(page, ticks & ((UINT64_C(1) << rest) - 1), rest);
}

static void add_loss(struct tring_page *page)
{
	struct tring_line *column = &page->columns[TRING_PAGE_LOSSES];
	const struct tring_item *item = &page->item;

	tring_page_number(column, item->events);
	tring_page_number(column, item->packets);
	tring_page_number(column, (item->since ? 1 : 0) | (item->record ? 0 : 2));
	tring_page_number(column, item->since ?
			  page->last - tring_page_unit(page, item->since) : 0);
}

/**
 * tring_page_add_moment - add an event, or a loss
 * @page: the page, with @item
 */
void tring_page_add_moment(struct tring_page *page)
{
	const struct tring_item *item = &page->item;
	bool loss = item->kind == TRING_ITEM_LOSS;
	uint64_t stamp = tring_page_unit(page, item->record ? item->record->stamp :
					 page->walk.top.end);
	size_t kind = loss ? TRING_PAGE_LOSS : TRING_PAGE_RAW;

	if (!page->begun) {
		page->base = stamp;
		page->last = stamp;
	}
	page->begun = true;
	/* a loss is told in front of the first event behind it */
	if (stamp < page->last)
		stamp = page->last;
	add_time(page, page->count ? stamp - page->last : 0);
	page->last = stamp;
	page->stamps[page->count++] = stamp;
	if (!loss && !item->wrong) {
		struct tring_page_kind *of = tring_page_kind(page, item->event);

		of->count++;
		kind = TRING_PAGE_KINDS + of->number;
	}
	add_numbers(page, kind);
	if (loss) {
		add_loss(page);
		return;
	}
	page->events++;
	if (!page->options->timeline)
		tring_page_add_fields(page);
}

static void write_moments(struct tring_page *page)
{
	struct tring_line head;
	size_t i;

	/* a byte of zeroes more does no harm */
	add_bits(page, 0, 8);
	page->bits = 0;
	page->bit_count = 0;
	tring_line_init(&head);
	tring_page_number(&head, page->count);
	tring_page_number(&head, page->task_count);
	tring_page_number(&head, page->stamps[0] - page->base);
	tring_page_column(page->file, &head, false);
	tring_page_column(page->file, &page->tasks, false);
	for (i = 0; i < TRING_PAGE_COLUMNS; i++)
		tring_page_column(page->file, &page->columns[i], PLAIN >> i & 1);
	tring_page_block(page->file, "t", page->piece_count);
	tring_line_free(&head);
}

/**
 * tring_page_end_piece - write the piece, and begin the next one
 * @page: the page
 */
void tring_page_end_piece(struct tring_page *page)
{
	if (!page->count)
		return;
	write_moments(page);
	tring_page_end_summary(page, &page->part, "s", page->piece_count, page->stamps[0]);
	if (!page->options->timeline)
		tring_page_end_fields(page);
	page->pieces = tring_one_more(page->pieces, page->piece_count, sizeof(*page->pieces));
	page->pieces[page->piece_count++] = (struct tring_page_piece) {
		.first = page->stamps[0] - page->base, .last = page->last - page->base,
		.moments = page->count, .events = page->events,
	};
	page->all_events += page->events;
	page->count = 0;
	page->events = 0;
	page->task_count = 0;
	memset(page->before, 0, (TRING_PAGE_KINDS + page->walk.top.event_count) *
	       sizeof(*page->before));
	memset(page->ends, 0, sizeof(page->ends));
	memset(page->running, 0, page->walk.top.cpu_count * sizeof(*page->running));
}

/**
 * tring_page_moments_init - prepare the columns of moments
 * @page: the page
 */
void tring_page_moments_init(struct tring_page *page)
{
	size_t i;

	for (i = 0; i < TRING_PAGE_COLUMNS; i++)
		tring_line_init(&page->columns[i]);
	tring_line_init(&page->tasks);
	tring_line_init(&page->context);
	page->running = tring_allocate((page->walk.top.cpu_count + 1) * sizeof(*page->running));
	page->before = tring_allocate((TRING_PAGE_KINDS + page->walk.top.event_count) *
				      sizeof(*page->before));
	page->contexts = tring_allocate(TRING_CONTEXTS * sizeof(*page->contexts));
}

/**
 * tring_page_moments_free - free the columns of moments
 * @page: the page
 */
void tring_page_moments_free(struct tring_page *page)
{
	size_t i;

	for (i = 0; i < TRING_PAGE_COLUMNS; i++)
		tring_line_free(&page->columns[i]);
	tring_line_free(&page->tasks);
	tring_line_free(&page->context);
	tring_intern_free(&page->context_texts);
	free(page->task_list);
	free(page->task_places);
	free(page->running);
	free(page->before);
	free(page->contexts);
	free(page->pieces);
}
