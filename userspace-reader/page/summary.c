// SPDX-License-Identifier: GPL-2.0
/*
 * Summaries: how long each task and each interrupt had a CPU in each part of a time. A picture of
 * much time is drawn from them alone. There is one of the whole trace, and one of each piece; their
 * parts become twice as long whenever there are too many.
 */
#include <stdlib.h>

#include "page.h"
#include "util/util.h"

#define FIRST_SIZE	1024

/* Bits of a key, from the lowest on: the part, the CPU, the task, what it is of. */
#define PART_BITS	12
#define CPU_BITS	16
#define PID_BITS	32
#define PART_MASK	((UINT64_C(1) << PART_BITS) - 1)

/* A time of a part is known to so many bits. */
#define PRECISION	7

enum type { RAN, RUNNABLE, BLOCKED, UNKNOWN, IRQ, SOFTIRQ };

static struct tring_page_sum *find_place(const struct tring_page_summary *summary, uint64_t key)
{
	size_t at = (key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (summary->size - 1);

	while (summary->places[at].ticks && summary->places[at].key != key)
		at = (at + 1) & (summary->size - 1);
	return &summary->places[at];
}

/* Makes the places anew. @shift: the parts get twice as long */
static void rebuild(struct tring_page_summary *summary, size_t size, unsigned int shift)
{
	struct tring_page_sum *before = summary->places;
	size_t count = summary->size, i;

	summary->size = size;
	summary->count = 0;
	summary->shift += shift;
	summary->places = tring_allocate(size * sizeof(*summary->places));
	for (i = 0; i < count; i++) {
		uint64_t key = (before[i].key & ~PART_MASK) |
			       (before[i].key & PART_MASK) >> shift;
		struct tring_page_sum *place;

		if (!before[i].ticks)
			continue;
		place = find_place(summary, key);
		summary->count += !place->ticks;
		place->key = key;
		place->ticks += before[i].ticks;
	}
	free(before);
}

static void add_part(struct tring_page_summary *summary, uint64_t key, uint64_t ticks)
{
	struct tring_page_sum *place;

	if (2 * summary->count >= summary->size)
		rebuild(summary, summary->size ? 2 * summary->size : FIRST_SIZE, 0);
	place = find_place(summary, key);
	summary->count += !place->ticks;
	place->key = key;
	place->ticks += ticks;
}

/* @from, @to: since the begin of the time that the summary is of */
static void add(struct tring_page_summary *summary, uint64_t key, uint64_t from, uint64_t to)
{
	while (from < to) {
		uint64_t part = from >> summary->shift;
		uint64_t end = (part + 1) << summary->shift;

		add_part(summary, key | part, (end < to ? end : to) - from);
		from = end;
	}
}

static enum type type_of(const struct tring_page_interval *interval)
{
	switch (interval->type) {
	case TRING_ENDED_RUN:
		return RAN;
	case TRING_ENDED_INTERRUPT:
		return interval->a & 1 ? SOFTIRQ : IRQ;
	default:
		break;
	}
	switch (interval->a & (TRING_PAGE_WAIT_OPEN - 1)) {
	case TRING_PAGE_BLOCKED_ONLY:
	case TRING_PAGE_BLOCKED:
		return BLOCKED;
	case TRING_PAGE_UNKNOWN:
	case TRING_PAGE_UNKNOWN_GOT:
		return UNKNOWN;
	default:
		return RUNNABLE;
	}
}

/**
 * tring_page_sum_up - add an interval to a summary
 * @summary: the summary
 * @interval: the interval, with times of the page
 * @base: begin of the time that @summary is of
 *
 * What tasks do in system calls is not part of a summary.
 */
void tring_page_sum_up(struct tring_page_summary *summary,
		       const struct tring_page_interval *interval, uint64_t base)
{
	uint64_t from = interval->from > base ? interval->from - base : 0;
	uint64_t to = interval->to > base ? interval->to - base : 0, key;
	enum type type;

	if (interval->type == TRING_ENDED_CALL)
		return;
	while (to >> summary->shift >= summary->parts)
		rebuild(summary, summary->size ? summary->size : FIRST_SIZE, 1);
	type = type_of(interval);
	key = (uint64_t)type << (PART_BITS + CPU_BITS + PID_BITS);
	if (type <= UNKNOWN)
		key |= (uint64_t)(uint32_t)interval->pid << (PART_BITS + CPU_BITS);
	if (type == RAN || type > UNKNOWN)
		key |= (uint64_t)(interval->cpu + 1) << PART_BITS;
	add(summary, key, from, to);
}

static int compare(const void *left, const void *right)
{
	const struct tring_page_sum *a = left, *b = right;

	return a->key < b->key ? -1 : a->key > b->key;
}

/* Puts what there is in the first places, in order. */
static void sort(struct tring_page_summary *summary)
{
	size_t i, to = 0;

	for (i = 0; i < summary->size; i++)
		if (summary->places[i].ticks)
			summary->places[to++] = summary->places[i];
	if (to)
		qsort(summary->places, to, sizeof(*summary->places), compare);
}

/* @ticks: in units of the summary's; what is there is never nothing */
static void write_entry(struct tring_line *columns, uint64_t key, uint64_t before, uint64_t ticks)
{
	const unsigned int pid = PART_BITS + CPU_BITS;

	tring_page_number(&columns[1], key >> (pid + PID_BITS));
	tring_page_signed(&columns[2], (int64_t)(key & PART_MASK) - (int64_t)(before & PART_MASK));
	tring_page_signed(&columns[3], (int64_t)(int32_t)(key >> pid) - (int32_t)(before >> pid));
	tring_page_number(&columns[4], key >> PART_BITS & ((1 << CPU_BITS) - 1));
	tring_page_number(&columns[5], ticks);
}

/**
 * tring_page_end_summary - write a summary, which is empty then
 * @page: the page
 * @summary: the summary
 * @name: what kind of block it is
 * @number: its number among those of the kind
 * @base: begin of the time that @summary is of
 */
void tring_page_end_summary(struct tring_page *page, struct tring_page_summary *summary,
			    const char *name, uint64_t number, uint64_t base)
{
	unsigned int unit = summary->shift > PRECISION ? summary->shift - PRECISION : 0;
	struct tring_line columns[6];
	uint64_t before = 0;
	size_t i;

	sort(summary);
	for (i = 0; i < 6; i++)
		tring_line_init(&columns[i]);
	tring_page_number(&columns[0], summary->count);
	tring_page_number(&columns[0], summary->parts);
	tring_page_number(&columns[0], base - page->base);
	tring_page_number(&columns[0], summary->shift);
	tring_page_number(&columns[0], unit);
	for (i = 0; i < summary->count; i++) {
		write_entry(columns, summary->places[i].key, before,
			    ((summary->places[i].ticks - 1) >> unit) + 1);
		before = summary->places[i].key;
	}
	for (i = 0; i < 6; i++) {
		tring_page_column(page->file, &columns[i], false);
		tring_line_free(&columns[i]);
	}
	tring_page_block(page->file, name, number);
	free(summary->places);
	/* the next piece takes a similar time */
	*summary = (struct tring_page_summary) {
		.parts = summary->parts, .shift = summary->shift ? summary->shift - 1 : 0,
	};
}
