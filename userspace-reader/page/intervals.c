// SPDX-License-Identifier: GPL-2.0
/*
 * Intervals: what tasks and CPUs did. One that begins and ends in a piece refers to its moments,
 * so its times cost next to nothing. The few others, and what programs have marked, are in blocks
 * of their own, which a page takes apart at its start: so a view needs no other pieces than those
 * of its time, and marks are seen from afar.
 */
#include <stdlib.h>

#include "page.h"
#include "stats/markers.h"
#include "util/util.h"

#define ERRNO_MAX	4095

static struct tring_page_interval *add_pending(struct tring_page *page)
{
	page->pending = tring_page_room(page->pending, page->pending_count, &page->pending_room,
					sizeof(*page->pending));
	return &page->pending[page->pending_count++];
}

/* The event that is being taken. Return: NULL if it is none that the tables know. */
static const struct tring_bound *bound_of(const struct tring_page *page)
{
	const struct tring_item *item = &page->item;

	if (item->kind != TRING_ITEM_EVENT || item->wrong)
		return NULL;
	return &page->walk.top.bound[item->event->number];
}

static bool has_migrated(struct tring_page *page, const struct tring_task *task)
{
	uint64_t before;

	if (!task)
		return false;
	while (page->migration_count <= task->number) {
		page->migrations = tring_one_more(page->migrations, page->migration_count,
						  sizeof(*page->migrations));
		page->migrations[page->migration_count++] = 0;
	}
	before = page->migrations[task->number];
	page->migrations[task->number] = task->migrations;
	return task->migrations != before;
}

static void set_run(struct tring_page *page, struct tring_page_interval *to,
		    const struct tring_ended *ended)
{
	bool switched = ended->result != TRING_NO_RESULT;

	to->a = (page->switched[to->cpu] == ended->from ? TRING_PAGE_SWITCHED_IN : 0) |
		(switched ? TRING_PAGE_SWITCHED_OUT : 0) |
		(ended->open ? TRING_PAGE_OPEN : 0) |
		(has_migrated(page, ended->cpu->task) ? TRING_PAGE_MIGRATED : 0);
	to->b = switched ? ended->result + 1 : 0;
}

static uint64_t unknown_state(struct tring_page *page, const struct tring_ended *ended,
			      const struct tring_task *task, const struct tring_bound *bound)
{
	bool got = bound && bound->kind == TRING_KIND_SWITCH && ended->pid ==
		   tring_number(&page->item, bound->numbers[TRING_SWITCH_NEXT]);

	return (got ? TRING_PAGE_UNKNOWN_GOT : TRING_PAGE_UNKNOWN) |
	       (task->state == TRING_TASK_WAITING ? TRING_PAGE_SEEMED_RUNNABLE : 0) |
	       (task->state == TRING_TASK_BLOCKED ? TRING_PAGE_SEEMED_BLOCKED : 0);
}

static uint64_t wait_state(struct tring_page *page, const struct tring_ended *ended)
{
	const struct tring_bound *bound = ended->open ? NULL : bound_of(page);
	const struct tring_task *task = tring_tasks_get(&page->walk.top.tasks, ended->pid);

	if (ended->state == TRING_TASK_BLOCKED)
		return bound ? TRING_PAGE_BLOCKED : TRING_PAGE_BLOCKED_ONLY;
	if (ended->state == TRING_TASK_WAITING) {
		if (bound)
			return task->woken ? TRING_PAGE_WOKEN : TRING_PAGE_PREEMPTED;
		return task->woken ? TRING_PAGE_WOKEN_ONLY : TRING_PAGE_PREEMPTED_ONLY;
	}
	return unknown_state(page, ended, task, bound);
}

/* A counter has had its value up to @stamp, at which the next one comes or is not known. */
static void end_value(struct tring_page *page, struct tring_page_interval *value, uint64_t stamp)
{
	if (value->to != UINT64_MAX)
		return;
	value->to = stamp > value->from ? stamp : value->from;
	page->values_known--;
	*add_pending(page) = *value;
}

/**
 * tring_page_end_values - end the time in which values of counters are known
 * @page: the page
 * @stamp: the end, in ticks
 */
void tring_page_end_values(struct tring_page *page, uint64_t stamp)
{
	size_t i;

	for (i = 0; page->values_known && i < page->value_count; i++)
		end_value(page, &page->values[i], stamp);
}

static void take_value(struct tring_page *page, const struct tring_ended *ended)
{
	const size_t place = ended->span->place;

	while (page->value_count <= place) {
		page->values = tring_one_more(page->values, page->value_count,
					      sizeof(*page->values));
		page->values[page->value_count++].to = 0;
	}
	end_value(page, &page->values[place],
		  page->walk.top.blind ? page->seen : ended->from);
	page->values[place] = (struct tring_page_interval) {
		.type = TRING_ENDED_COUNTER, .cpu = -1, .pid = ended->pid, .from = ended->from,
		.to = UINT64_MAX, .a = place, .b = tring_page_zigzag(ended->result), .waker = -1,
	};
	page->values_known++;
	if (page->walk.top.blind)
		end_value(page, &page->values[place], ended->from);
}

/**
 * tring_page_take_ended - take an interval that has ended
 * @data: the page
 * @ended: the interval
 */
void tring_page_take_ended(void *data, const struct tring_ended *ended)
{
	struct tring_page *page = data;
	const struct tring_top *top = &page->walk.top;
	struct tring_page_interval *to;

	if ((ended->to < top->first && ended->kind != TRING_ENDED_NEVER) ||
	    (ended->pid && !top->every_task && !tring_wants_task(top->trace, ended->pid)))
		return;
	if (ended->kind == TRING_ENDED_COUNTER) {
		take_value(page, ended);
		return;
	}
	to = add_pending(page);
	*to = (struct tring_page_interval) {
		.type = ended->kind, .cpu = ended->cpu ? ended->cpu - top->cpus : -1,
		.pid = ended->pid, .from = ended->from, .to = ended->to, .waker = -1,
	};
	switch (ended->kind) {
	case TRING_ENDED_RUN:
		set_run(page, to, ended);
		break;
	case TRING_ENDED_WAIT:
		to->a = wait_state(page, ended) | (ended->open ? TRING_PAGE_WAIT_OPEN : 0);
		to->waker = to->a == TRING_PAGE_BLOCKED ? ended->waker : -1;
		if (to->waker >= 0)
			to->cpu = page->item.cpu_at;
		break;
	case TRING_ENDED_INTERRUPT:
		to->a = 2 * ended->span->place + ended->level;
		break;
	case TRING_ENDED_NEVER:
		to->a = ended->span->place;
		to->b = ended->level;
		break;
	case TRING_ENDED_CALL:
		to->a = ended->span->place;
		to->b = ended->result == TRING_NO_RESULT ? 0 :
			ended->result < 0 && ended->result >= -ERRNO_MAX ? 2 : 1;
		break;
	case TRING_ENDED_SPAN:
		to->a = ended->span->place;
		to->b = ended->result;
		break;
	case TRING_ENDED_COUNTER:
		break;
	}
}

/**
 * tring_page_add_loss - take the loss of the item
 * @page: the page
 */
void tring_page_add_loss(struct tring_page *page)
{
	const struct tring_item *item = &page->item;
	uint64_t to = item->record ? item->record->stamp : page->walk.top.end;

	page->all_lost += item->events;
	*add_pending(page) = (struct tring_page_interval) {
		.type = TRING_PAGE_GAP, .cpu = item->cpu_at, .from = item->since ? item->since : to,
		.to = to, .a = item->events, .b = item->packets,
		.waker = (item->since ? 1 : 0) | (item->record ? 2 : 0),
	};
}

/**
 * tring_page_add_text - take the item's event for a text of a program, if it is one
 * @page: the page
 */
void tring_page_add_text(struct tring_page *page)
{
	const struct tring_record *record = page->item.record;
	const struct tring_bound *bound = bound_of(page);
	const char *text;
	size_t size;

	if (!bound || bound->kind != TRING_KIND_MARKER || !bound->name)
		return;
	text = tring_text(&page->item, bound->name, &size);
	if (text && tring_marker_parse(text, size).kind == TRING_MARKER_NONE)
		*add_pending(page) = (struct tring_page_interval) {
			.type = TRING_PAGE_TEXT, .cpu = page->item.cpu_at, .pid = record->pid,
			.from = record->stamp, .to = record->stamp, .waker = -1,
		};
}

/* Return: a moment of the piece; its number of moments if it has none at that time. */
static size_t find_moment(const struct tring_page *page, uint64_t stamp)
{
	const uint64_t *stamps = page->stamps;
	size_t low = 0, high = page->count;

	if (high && stamps[high - 1] == stamp)
		return high - 1;
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (stamps[middle] < stamp)
			low = middle + 1;
		else
			high = middle;
	}
	return low < page->count && stamps[low] == stamp ? low : page->count;
}

/* Adds what all groups of intervals have. Return: the columns behind that. */
static struct tring_line *add_times(struct tring_page *page, size_t first,
				    const struct tring_page_interval *interval, size_t from,
				    size_t to)
{
	struct tring_line *columns = &page->columns[first];
	size_t task;

	tring_page_value(&page->begins[interval->type], from);
	tring_page_value(&page->ends[interval->type], to);
	columns += 2;
	if (interval->type == TRING_ENDED_RUN || interval->type == TRING_ENDED_INTERRUPT)
		tring_page_number(columns++, (uint32_t)interval->cpu == page->moment_cpus[to] ?
				  0 : interval->cpu + 1);
	task = tring_page_task(page, interval->pid) + 1;
	tring_page_number(columns++, task == page->moment_tasks[to] ? 0 : task);
	tring_page_number(columns++, interval->a);
	return columns;
}

static const size_t firsts[] = {
	[TRING_ENDED_RUN] = TRING_PAGE_RUN, [TRING_ENDED_WAIT] = TRING_PAGE_WAIT,
	[TRING_ENDED_INTERRUPT] = TRING_PAGE_IRQ, [TRING_ENDED_CALL] = TRING_PAGE_CALL,
};

static void add_short(struct tring_page *page, const struct tring_page_interval *interval,
		      size_t from, size_t to)
{
	struct tring_line *rest = add_times(page, firsts[interval->type], interval, from, to);

	if (interval->type == TRING_ENDED_RUN || interval->type == TRING_ENDED_CALL)
		tring_page_number(rest, interval->b);
}

/* Counts the moments in front of each one that are of kinds of some, which a column tells. */
static void count_places(struct tring_page *page, const struct tring_page_values *some,
			 struct tring_line *column, uint32_t *counts)
{
	const size_t kinds = TRING_PAGE_KINDS + page->kind_count;
	bool *among = tring_allocate(kinds * sizeof(*among));
	uint32_t count = 0;
	size_t i, all = 0;

	for (i = 0; i < some->count; i++) {
		bool *is = &among[page->moment_kinds[some->list[i]]];

		all += !*is;
		*is = true;
	}
	tring_page_number(column, all);
	for (i = 0; i < kinds; i++)
		if (among[i])
			tring_page_number(column, i);
	for (i = 0; i < page->count; i++) {
		counts[i] = count;
		count += among[page->moment_kinds[i]];
	}
	free(among);
}

/* An interval ends at one of the next moments at which it can end, and begins at one before. */
static void add_places(struct tring_page *page, size_t type)
{
	struct tring_page_values *begins = &page->begins[type], *ends = &page->ends[type];
	struct tring_line *columns = &page->columns[firsts[type]];
	/* which nothing else needs now */
	uint32_t *counts = page->order;
	int64_t last = 0;
	size_t i;

	if (!ends->count)
		return;
	count_places(page, ends, &columns[0], counts);
	for (i = 0; i < ends->count; i++) {
		tring_page_signed(&columns[0], counts[ends->list[i]] - last);
		last = counts[ends->list[i]];
	}
	count_places(page, begins, &columns[1], counts);
	for (i = 0; i < begins->count; i++)
		tring_page_number(&columns[1],
				  counts[ends->list[i]] - counts[begins->list[i]]);
	begins->count = 0;
	ends->count = 0;
}

/**
 * tring_page_end_places - write where the intervals inside the piece begin and end
 * @page: the page
 */
void tring_page_end_places(struct tring_page *page)
{
	size_t type;

	for (type = 0; type < TRING_ENDED_NEVER; type++)
		add_places(page, type);
}

static void add_long(struct tring_page *page, const struct tring_page_interval *interval)
{
	page->longs = tring_one_more(page->longs, page->long_count, sizeof(*page->longs));
	page->longs[page->long_count++] = *interval;
	if (page->long_count == TRING_PAGE_LONG)
		tring_page_end_longs(page);
}

/**
 * tring_page_add_intervals - add the intervals that have ended with the item
 * @page: the page, to which the item's moment was added
 */
void tring_page_add_intervals(struct tring_page *page)
{
	size_t i;

	for (i = 0; i < page->pending_count; i++) {
		struct tring_page_interval *interval = &page->pending[i];
		size_t from, to;

		interval->from = tring_page_unit(page, interval->from);
		interval->to = tring_page_unit(page, interval->to);
		from = find_moment(page, interval->from);
		to = find_moment(page, interval->to);
		if (interval->type < TRING_ENDED_NEVER && from < page->count && to < page->count &&
		    from <= to) {
			add_short(page, interval, from, to);
			tring_page_sum_up(&page->part, interval, page->stamps[0]);
			tring_page_sum_up(&page->whole, interval, page->base);
		} else {
			add_long(page, interval);
		}
	}
	page->pending_count = 0;
}

static void write_long(struct tring_line *columns,
		       const struct tring_page_interval *interval, uint64_t *last)
{
	tring_page_number(columns++, interval->type);
	tring_page_signed(columns++, (int64_t)(interval->to - *last));
	tring_page_number(columns++, interval->to - interval->from);
	tring_page_number(columns++, interval->cpu + 1);
	tring_page_signed(columns++, interval->pid);
	tring_page_number(columns++, interval->a);
	tring_page_number(columns++, interval->b);
	tring_page_signed(columns, interval->waker);
	*last = interval->to;
}

/**
 * tring_page_end_longs - write the intervals that are not inside a piece
 * @page: the page
 */
void tring_page_end_longs(struct tring_page *page)
{
	uint64_t last = page->base;
	struct tring_line columns[9];
	size_t i;

	if (!page->long_count)
		return;
	for (i = 0; i < 9; i++)
		tring_line_init(&columns[i]);
	tring_page_number(&columns[0], page->long_count);
	for (i = 0; i < page->long_count; i++)
		write_long(&columns[1], &page->longs[i], &last);
	for (i = 0; i < 9; i++) {
		tring_page_column(page->file, &columns[i], false);
		tring_line_free(&columns[i]);
	}
	tring_page_block(page->file, "l", page->long_blocks++);
	page->long_count = 0;
}

/**
 * tring_page_intervals_free - free what was needed for intervals
 * @page: the page
 */
void tring_page_intervals_free(struct tring_page *page)
{
	size_t type;

	for (type = 0; type < TRING_ENDED_NEVER; type++) {
		free(page->begins[type].list);
		free(page->ends[type].list);
	}
	free(page->migrations);
	free(page->pending);
	free(page->longs);
	free(page->values);
	free(page->switched);
}
