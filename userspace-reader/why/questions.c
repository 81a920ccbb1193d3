// SPDX-License-Identifier: GPL-2.0
/* Which times of which tasks are explained: those that the user has named, or the longest. */
#include <stdlib.h>

#include "why.h"

static void ask(struct tring_why *why, size_t task, uint64_t from, uint64_t to)
{
	if (from < to)
		tring_why_add(&why->asked, (struct tring_why_part) {
			      .from = from, .to = to, .task = task });
}

static void ask_all(struct tring_why *why, size_t task)
{
	const struct tring_why_part *steps = &why->lives[task].steps;
	uint64_t from = steps->list[0].from, to = steps->list[steps->count - 1].to;

	ask(why, task, from > why->from ? from : why->from, to < why->to ? to : why->to);
}

/* Is it, or is it a part of, what is asked for? */
static bool is_wait(const struct tring_why *why, const struct tring_why_part *step)
{
	switch (why->longest) {
	case TRING_WHY_WAKEUP:
		return step->kind == TRING_WHY_RUNNABLE && step->woken;
	case TRING_WHY_BLOCK:
		return step->kind == TRING_WHY_BLOCKED;
	default:
		return step->kind == TRING_WHY_RUNNABLE || step->kind == TRING_WHY_BLOCKED;
	}
}

/* The waits have to have begun and ended: what is behind a loss is a part of one. */
static void ask_waits(struct tring_why *why, size_t task)
{
	const struct tring_why_part *steps = &why->lives[task].steps;
	enum tring_why_kind before = TRING_WHY_UNKNOWN;
	uint64_t since = UINT64_MAX;
	size_t i;

	for (i = 0; i < steps->count; i++) {
		const struct tring_why_part *step = &steps->list[i];
		bool waits = is_wait(why, step);

		if (waits && since == UINT64_MAX &&
		    (why->longest != TRING_WHY_WAIT || before == TRING_WHY_RAN))
			since = step->from;
		if (!waits && step->kind != TRING_WHY_UNKNOWN && step->from >= why->from)
			ask(why, task, since, step->from);
		if (!waits)
			since = UINT64_MAX;
		before = step->kind;
	}
}

static int compare_lengths(const void *a, const void *b)
{
	const struct tring_why_part *one = a, *other = b;
	uint64_t length = one->to - one->from, other_length = other->to - other->from;

	if (length != other_length)
		return length < other_length ? 1 : -1;
	if (one->from != other->from)
		return one->from < other->from ? -1 : 1;
	return one->task < other->task ? -1 : 1;
}

/**
 * tring_why_choose - find the times that are asked for
 * @why: from tring_why_gather()
 * @limit: most of them; 0 for all
 */
void tring_why_choose(struct tring_why *why, size_t limit)
{
	struct tring_why_part *asked = &why->asked;
	size_t count = asked->count, i;

	/* system calls or spans of all tasks */
	asked->count = 0;
	for (i = 0; i < count; i++)
		if (why->lives[asked->list[i].task].wanted && asked->list[i].to >= why->from)
			asked->list[asked->count++] = asked->list[i];
	for (i = 0; i < why->life_count; i++) {
		if (!why->lives[i].wanted || !why->lives[i].steps.count)
			continue;
		if (why->longest == TRING_WHY_ALL)
			ask_all(why, i);
		else if (why->longest != TRING_WHY_SYSCALL && why->longest != TRING_WHY_SPAN)
			ask_waits(why, i);
	}
	if (why->longest == TRING_WHY_ALL || !asked->count)
		return;
	qsort(asked->list, asked->count, sizeof(*asked->list), compare_lengths);
	if (limit && asked->count > limit)
		asked->count = limit;
}
