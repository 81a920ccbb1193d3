// SPDX-License-Identifier: GPL-2.0
/*
 * In what a wakeup happened: a task, or an interrupt, which a timer or a softirq that was raised
 * has caused. An event's flags tell whether it was in an interrupt. The events of its CPU before
 * it tell the rest, if none of them was lost.
 */
#include <string.h>

#include "util/util.h"
#include "why.h"

/* Of a record's flags. */
#define FLAG_HARDIRQ	0x08
#define FLAG_SOFTIRQ	0x10

static enum tring_interrupt level_of(uint8_t flags)
{
	return flags & FLAG_HARDIRQ ? TRING_IRQ :
	       flags & FLAG_SOFTIRQ ? TRING_SOFTIRQ : TRING_INTERRUPTS;
}

/* In what the event happened. */
static struct tring_why_context find_context(struct tring_why *why)
{
	const struct tring_record *record = why->item.record;
	struct tring_top *top = &why->walk.top;
	struct tring_why_context context = {
		.level = level_of(record->flags), .task = TRING_WHY_IDLE,
	};

	if (context.level != TRING_INTERRUPTS) {
		/* if a filter has left out ends, what has begun may have ended */
		if (!top->left_out.interrupts)
			context.span = top->cpus[why->item.cpu_at].open[context.level].span;
		context.function = why->cpus[why->item.cpu_at].function[context.level];
	} else if (record->pid) {
		context.task = tring_tasks_get(&top->tasks, record->pid)->number;
	}
	return context;
}

/**
 * tring_why_cause - get what has woken a task
 * @why: with the event that tells of it in @item
 *
 * Return: the wakeup, allocated.
 */
struct tring_why_cause *tring_why_cause(struct tring_why *why)
{
	struct tring_why_cause *cause = tring_allocate(sizeof(*cause));
	const struct tring_why_context by = find_context(why);

	if (by.level == TRING_SOFTIRQ && by.span)
		*cause = why->cpus[why->item.cpu_at].served;
	cause->at = why->item.record->stamp;
	cause->by = by;
	return cause;
}

static void serve(struct tring_why_cpu *cpu, uint64_t vec)
{
	cpu->served.raised = 0;
	if (vec >= TRING_WHY_SOFTIRQS)
		return;
	if (cpu->raised[vec] != TRING_NO_VALUE)
		cpu->served.raised = cpu->raised[vec];
	cpu->served.raised_by = cpu->raised_by[vec];
	cpu->raised[vec] = 0;
}

static void raise_softirq(struct tring_why *why, struct tring_why_cpu *cpu, uint64_t vec)
{
	if (vec >= TRING_WHY_SOFTIRQS || cpu->raised[vec])
		return;
	cpu->raised[vec] = why->item.record->stamp;
	cpu->raised_by[vec] = find_context(why);
}

/**
 * tring_why_follow_cpu - take what an event tells of its CPU
 * @why: with the event in @item, which tring top has taken
 */
void tring_why_follow_cpu(struct tring_why *why)
{
	const struct tring_item *item = &why->item;
	struct tring_why_cpu *cpu = &why->cpus[item->cpu_at];
	const enum tring_interrupt level = level_of(item->record->flags);
	const struct tring_bound *bound;

	if (level != TRING_IRQ)
		cpu->function[TRING_IRQ] = 0;
	if (!(item->record->flags & FLAG_SOFTIRQ))
		cpu->function[TRING_SOFTIRQ] = 0;
	if (level == TRING_INTERRUPTS && cpu->sure == UINT64_MAX)
		cpu->sure = item->record->stamp;
	if (item->wrong)
		return;
	bound = &why->walk.top.bound[item->event->number];
	if (bound->kind == TRING_KIND_SOFTIRQ_ENTRY)
		serve(cpu, tring_number(item, bound->numbers[TRING_NUMBER]));
	else if (bound->kind == TRING_KIND_RAISE)
		raise_softirq(why, cpu, tring_number(item, bound->numbers[TRING_NUMBER]));
	else if (bound->kind == TRING_KIND_EXPIRE_ENTRY && level != TRING_INTERRUPTS)
		cpu->function[level] = tring_number(item, bound->numbers[TRING_NUMBER]);
	else if (bound->kind == TRING_KIND_EXPIRE_EXIT && level != TRING_INTERRUPTS)
		cpu->function[level] = 0;
}

/**
 * tring_why_lose_cpu - assume nothing of a CPU any more
 * @cpu: the CPU
 */
void tring_why_lose_cpu(struct tring_why_cpu *cpu)
{
	size_t i;

	cpu->sure = UINT64_MAX;
	memset(cpu->function, 0, sizeof(cpu->function));
	for (i = 0; i < TRING_WHY_SOFTIRQS; i++)
		cpu->raised[i] = TRING_NO_VALUE;
}
