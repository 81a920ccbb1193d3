// SPDX-License-Identifier: GPL-2.0
/*
 * Cuts a time of a task into parts. A task that was blocked waited for the one that has woken it,
 * so the time is cut again by what that one did; and so on.
 *
 * This ends: a task that is blocked wakes no other, so none is twice in a chain, if wakeups are
 * followed only to those that were not later. A damaged trace may have longer chains than any
 * kernel, so there is a limit, too.
 */
#include <stdlib.h>

#include "why.h"

#define DEPTH_MAX	64

/* Return: index of the first one that ends behind a time. */
static size_t find(const struct tring_why_part *all, uint64_t stamp)
{
	size_t low = 0, high = all->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (all->list[middle].to > stamp)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Adds what is in a time of a part that may be longer. */
static struct tring_why_part *add(struct tring_why_part *to, const struct tring_why_part *part,
				  uint64_t begin, uint64_t end)
{
	struct tring_why_part cut = *part;

	cut.from = begin;
	cut.to = end;
	return tring_why_add(to, cut);
}

static const struct tring_why_part unknown = { .cpu = -1 };

/* Cuts a time by what a CPU did; what one rank does not have is in the next ones. */
static void cut_by_cpu(const struct tring_why_cpu *cpu, unsigned int rank, size_t own,
		       struct tring_why_part *to, uint64_t begin, uint64_t end)
{
	size_t i;

	if (begin >= end)
		return;
	if (rank == TRING_WHY_RANKS) {
		add(to, &unknown, begin, end);
		return;
	}
	for (i = find(&cpu->ranks[rank], begin); i < cpu->ranks[rank].count; i++) {
		const struct tring_why_part *part = &cpu->ranks[rank].list[i];
		struct tring_why_part *added;

		if (part->from >= end)
			break;
		if (part->from > begin) {
			cut_by_cpu(cpu, rank + 1, own, to, begin, part->from);
			begin = part->from;
		}
		added = add(to, part, begin, earlier(part->to, end));
		if (rank == TRING_WHY_TASKS && part->task != own)
			added->kind = TRING_WHY_HELD;
		begin = added->to;
	}
	cut_by_cpu(cpu, rank + 1, own, to, begin, end);
}

/**
 * struct way - how a time is to be cut
 * @why: what all did
 * @limit: no wakeup later than that can have to do with it
 * @depth: number of wakeups that lead here
 */
struct way {
	const struct tring_why *why;
	uint64_t	limit;
	unsigned int	depth;
};

static void cut_by_task(struct way way, size_t task, struct tring_why_part *to, uint64_t begin,
			uint64_t end);

/* Cuts a wait by what the task did meanwhile that has ended it. */
static void cut_wait(struct way way, struct tring_why_part *wait)
{
	const struct tring_why_cause *cause = wait->cause;

	if (!cause || cause->by.level != TRING_INTERRUPTS || cause->by.task == TRING_WHY_IDLE ||
	    cause->at > way.limit || way.depth >= DEPTH_MAX)
		return;
	way.limit = cause->at;
	way.depth++;
	cut_by_task(way, cause->by.task, wait, wait->from, wait->to);
}

static void cut_step(struct way way, size_t task, const struct tring_why_part *step,
		     struct tring_why_part *to, uint64_t begin, uint64_t end)
{
	const struct tring_why_cpu *cpu = step->cpu < 0 ? NULL : &way.why->cpus[step->cpu];
	struct tring_why_part *added;

	if (step->kind == TRING_WHY_RAN) {
		cut_by_cpu(cpu, 0, task, to, begin, end);
		return;
	}
	added = add(to, step, begin, end);
	if (step->kind == TRING_WHY_RUNNABLE && cpu)
		cut_by_cpu(cpu, 0, TRING_WHY_NO_TASK, added, begin, end);
	else
		cut_wait(way, added);
}

static void cut_by_task(struct way way, size_t task, struct tring_why_part *to, uint64_t begin,
			uint64_t end)
{
	const struct tring_why_life *life = &way.why->lives[task];
	size_t i;

	if (life->birth && begin < life->birth->at) {
		const struct tring_why_part absent = {
			.kind = TRING_WHY_ABSENT, .cpu = -1, .cause = life->birth,
		};
		struct tring_why_part *added = add(to, &absent, begin,
						   earlier(life->birth->at, end));

		begin = added->to;
		cut_wait(way, added);
	}
	for (i = find(&life->steps, begin); i < life->steps.count && begin < end; i++) {
		const struct tring_why_part *step = &life->steps.list[i];
		uint64_t from = earlier(step->from, end), until = earlier(step->to, end);

		if (from > begin)
			add(to, &unknown, begin, from);
		else
			from = begin;
		if (from < until)
			cut_step(way, task, step, to, from, until);
		begin = until;
	}
	if (begin < end)
		add(to, &unknown, begin, end);
}

/**
 * tring_why_resolve - cut a time that is asked for into parts
 * @why: from tring_why_gather()
 * @asked: the time
 */
void tring_why_resolve(const struct tring_why *why, struct tring_why_part *asked)
{
	const struct way way = {
		.why = why,
		.limit = why->longest == TRING_WHY_ALL ? UINT64_MAX : asked->to,
	};

	cut_by_task(way, asked->task, asked, asked->from, asked->to);
}

/**
 * tring_why_unknown - count what is unknown of a time
 * @part: the time
 *
 * Return: ticks.
 */
uint64_t tring_why_unknown(const struct tring_why_part *part)
{
	uint64_t ticks = 0;
	size_t i;

	if (!part->count)
		return part->kind == TRING_WHY_UNKNOWN ? part->to - part->from : 0;
	for (i = 0; i < part->count; i++)
		ticks += tring_why_unknown(&part->list[i]);
	return ticks;
}

/**
 * tring_why_release - free the parts of a time, or a list
 * @part: the time
 */
void tring_why_release(struct tring_why_part *part)
{
	size_t i;

	for (i = 0; i < part->count; i++)
		tring_why_release(&part->list[i]);
	free(part->list);
	part->list = NULL;
	part->count = 0;
}
