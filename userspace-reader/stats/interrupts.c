// SPDX-License-Identifier: GPL-2.0
/*
 * Times in interrupts and softirqs, which end on the CPU on which they began. A softirq's
 * time contains that of the interrupts that came meanwhile. Each begin is either counted with
 * its duration or as unknown.
 */
#include <string.h>

#include "interrupts.h"
#include "util/util.h"

/* Vectors have no irq; their numbers are apart from those of irqs. */
#define FIRST_VECTOR	(INT64_C(1) << 32)

static enum tring_interrupt find_level(const struct tring_bound *bound)
{
	return bound->kind == TRING_KIND_SOFTIRQ_ENTRY ||
	       bound->kind == TRING_KIND_SOFTIRQ_EXIT ? TRING_SOFTIRQ : TRING_IRQ;
}

static int64_t find_number(const struct tring_bound *bound, const struct tring_item *item)
{
	if (bound->kind == TRING_KIND_VECTOR_ENTRY || bound->kind == TRING_KIND_VECTOR_EXIT)
		return FIRST_VECTOR + bound->vector;
	return tring_number(item, bound->numbers[TRING_NUMBER]);
}

/**
 * tring_softirq_name - get the name of a softirq
 * @number: its number
 *
 * Return: the name; NULL if it has none.
 */
const char *tring_softirq_name(uint64_t number)
{
	static const char * const softirqs[] = {
		"HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED",
		"HRTIMER", "RCU",
	};

	return number < sizeof(softirqs) / sizeof(softirqs[0]) ? softirqs[number] : NULL;
}

static void name_span(struct tring_span *span, const struct tring_bound *bound)
{
	if (bound->label)
		span->name = tring_format("%s", bound->label);
	else if (*span->key)
		span->name = tring_format("%s", span->key);
	else if (find_level(bound) == TRING_SOFTIRQ && tring_softirq_name(span->number))
		span->name = tring_format("%s", tring_softirq_name(span->number));
}

/* @lasted: it had not ended up to that time */
static void abandon(const struct tring_top *top, struct tring_top_cpu *cpu,
		    enum tring_interrupt level, uint64_t stamp, bool lasted)
{
	struct tring_open *open = &cpu->open[level];
	const struct tring_ended ended = {
		.kind = TRING_ENDED_NEVER, .open = lasted, .cpu = cpu, .pid = cpu->pid,
		.from = open->since, .to = stamp, .waker = -1, .level = level, .span = open->span,
		.result = TRING_NO_RESULT,
	};

	if (!open->span)
		return;
	open->span->timing.unknown++;
	open->span = NULL;
	if (top->ended)
		top->ended(top->data, &ended);
}

/**
 * tring_interrupt_enter - take the begin of an interrupt
 * @top: all tables
 * @cpu: its CPU
 * @bound: the event
 * @item: the event's item
 */
void tring_interrupt_enter(struct tring_top *top, struct tring_top_cpu *cpu,
			   const struct tring_bound *bound,
			   const struct tring_item *item)
{
	enum tring_interrupt level = find_level(bound);
	struct tring_open *open = &cpu->open[level];
	const char *key = NULL;
	size_t size = 0;

	abandon(top, cpu, level, item->record->stamp, false);
	if (!cpu->wanted || !tring_top_wants(top, item->record->pid))
		return;
	if (bound->name)
		key = tring_text(item, bound->name, &size);
	open->span = tring_spans_get(&top->interrupts[level],
				     find_number(bound, item), key ? key : "",
				     key ? strnlen(key, size) : 0);
	open->since = item->record->stamp;
	if (!open->span->name)
		name_span(open->span, bound);
}

/**
 * tring_interrupt_exit - take the end of an interrupt
 * @top: all tables
 * @cpu: its CPU
 * @bound: the event
 * @item: the event's item
 */
void tring_interrupt_exit(struct tring_top *top, struct tring_top_cpu *cpu,
			  const struct tring_bound *bound,
			  const struct tring_item *item)
{
	enum tring_interrupt level = find_level(bound);
	struct tring_open *open = &cpu->open[level];

	if (!open->span)
		return;
	if (open->span->number != find_number(bound, item) || top->left_out.interrupts) {
		abandon(top, cpu, level, item->record->stamp, false);
		return;
	}
	cpu->in[level] += tring_top_span(top, open->since, item->record->stamp);
	if (item->record->stamp >= top->first)
		tring_timing_add(&open->span->timing, open->since, item->record->stamp,
				 top->frequency);
	tring_top_tell(top, item, TRING_ENDED_INTERRUPT, level, open, TRING_NO_RESULT);
	open->span = NULL;
}

/**
 * tring_interrupts_count - count the interrupts that have not ended up to a time
 * @top: all tables
 * @cpu: their CPU
 * @stamp: the time; what is before it is not counted again if @top->first is set to it
 */
void tring_interrupts_count(struct tring_top *top, struct tring_top_cpu *cpu, uint64_t stamp)
{
	size_t i;

	for (i = 0; i < TRING_INTERRUPTS; i++)
		if (cpu->open[i].span)
			cpu->in[i] += tring_top_span(top, cpu->open[i].since, stamp);
}

/**
 * tring_interrupts_lose - give up interrupts whose ends may have been lost
 * @top: all tables
 * @cpu: the CPU
 * @stamp: the time
 */
void tring_interrupts_lose(const struct tring_top *top, struct tring_top_cpu *cpu,
			   uint64_t stamp)
{
	size_t i;

	for (i = 0; i < TRING_INTERRUPTS; i++)
		abandon(top, cpu, i, stamp, true);
}
