// SPDX-License-Identifier: GPL-2.0
/*
 * The moments of a piece: its events and losses, with what each event has besides its fields.
 * What is the same most of the time is a column of zeroes then, which takes next to nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "page.h"
#include "util/util.h"

/* Columns whose values come in no order, one bit each: times, lengths and changes of tasks. */
#define PLAIN	(1 << TRING_PAGE_TIME | 1 << TRING_PAGE_BITS | 1 << TRING_PAGE_TASK | \
	3 << TRING_PAGE_RUN | 3 << TRING_PAGE_WAIT | 3 << TRING_PAGE_IRQ | \
	3 << TRING_PAGE_CALL)

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
	const size_t count = page->pids.count;
	const uint32_t number = tring_intern(&page->pids, &pid, sizeof(pid));
	struct tring_page_place *place;

	if (number == count) {
		page->task_places = tring_one_more(page->task_places, count, sizeof(*place));
		page->task_places[number] = (struct tring_page_place) { .pid = pid };
	}
	place = &page->task_places[number];
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

/* Numbers of a moment, by column. */
static void add_numbers(struct tring_page *page, size_t kind)
{
	const struct tring_item *item = &page->item;
	const struct tring_record *record = item->record;
	struct tring_line *columns = page->columns;
	size_t *running = &page->running[item->cpu_at], at = page->count - 1, task, i;

	tring_page_number(&columns[TRING_PAGE_CPU], item->cpu_at);
	tring_page_number(&columns[TRING_PAGE_KIND], kind);
	page->moment_kinds[at] = kind;
	page->before_kinds[at] = page->last_kinds[item->cpu_at];
	page->last_kinds[item->cpu_at] = kind;
	page->moment_cpus[at] = item->cpu_at;
	page->moment_tasks[at] = 0;
	for (i = 0; i < TRING_PAGE_ORDERED; i++)
		page->ordered[i][at] = 0;
	if (kind == TRING_PAGE_LOSS)
		return;
	task = tring_page_task(page, record->pid) + 1;
	page->moment_tasks[at] = task;
	page->ordered[0][at] = task == *running ? 0 : task;
	*running = task;
	page->ordered[1][at] = find_context(page, record);
	page->ordered[2][at] = record->stored;
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

/**
 * tring_page_sort - sort moments, those with the same key stay as they are
 * @page: the page
 * @keys: of each moment, a number that is at most that of all moments, tasks and kinds
 * @order: the moments
 */
void tring_page_sort(const struct tring_page *page, const uint32_t *keys, uint32_t *order)
{
	const size_t most = page->count + page->task_count + TRING_PAGE_KINDS + page->kind_count;
	uint32_t *places = tring_allocate((most + 2) * sizeof(*places));
	uint32_t *sorted = tring_allocate((page->count + 1) * sizeof(*sorted));
	size_t i;

	for (i = 0; i < page->count; i++)
		places[keys[i] + 1]++;
	for (i = 0; i <= most; i++)
		places[i + 1] += places[i];
	for (i = 0; i < page->count; i++)
		sorted[places[keys[order[i]]]++] = order[i];
	memcpy(order, sorted, page->count * sizeof(*order));
	free(places);
	free(sorted);
}

/* What an event has depends on its kind, and on that of the CPU's event before. */
static void add_ordered(struct tring_page *page)
{
	size_t i, j;

	for (i = 0; i < page->count; i++)
		page->order[i] = i;
	tring_page_sort(page, page->before_kinds, page->order);
	tring_page_sort(page, page->moment_kinds, page->order);
	for (i = 0; i < TRING_PAGE_ORDERED; i++)
		for (j = 0; j < page->count; j++)
			tring_page_number(&page->columns[TRING_PAGE_TASK + i],
					  page->ordered[i][page->order[j]]);
}

static void write_moments(struct tring_page *page)
{
	struct tring_line head;
	size_t i;

	add_ordered(page);
	tring_page_end_places(page);
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
	page->count = 0;
	page->events = 0;
	page->task_count = 0;
	memset(page->running, 0, page->walk.top.cpu_count * sizeof(*page->running));
	memset(page->last_kinds, 0, page->walk.top.cpu_count * sizeof(*page->last_kinds));
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
	page->last_kinds = tring_allocate((page->walk.top.cpu_count + 1) *
					  sizeof(*page->last_kinds));
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
	tring_intern_free(&page->pids);
	free(page->task_places);
	free(page->running);
	free(page->last_kinds);
	free(page->contexts);
	free(page->pieces);
}
