// SPDX-License-Identifier: GPL-2.0
/* What a trace's tables are made of: gives each event to those that it is for. */
#include <stdlib.h>
#include <string.h>

#include "interrupts.h"
#include "markers.h"
#include "sched.h"
#include "tables.h"
#include "top.h"
#include "util/util.h"

/**
 * tring_top_init - prepare all tables
 * @top: zeroed, but for what the caller sets: the members before @top->bound, without
 *	@top->event_count and @top->frequency
 */
void tring_top_init(struct tring_top *top)
{
	top->event_count = tring_event_count(top->trace);
	top->frequency = tring_frequency(top->trace);
	top->bound = tring_bind(top->trace);
	tring_calls_init(&top->call_names, top->trace);
	top->has_wakeup = tring_table_has(top, TRING_KIND_WAKEUP);
	top->counts = tring_allocate(top->event_count * sizeof(*top->counts));
	/* made while events are read, so that the rows that are not printed need not be kept */
	tring_table_rows(top, &tring_table_losses, &top->gaps);
	tring_pairs_init(top);
	/* a CPU that was not recorded loses all events */
	top->blind = top->left_out.cpus;
}

static void count_event(struct tring_top *top, struct tring_top_cpu *cpu,
			const struct tring_item *item)
{
	const struct tring_record *record = item->record;
	const uint32_t bytes = record->stored;

	if (!top->begun)
		top->begin = record->stamp > top->first ? record->stamp : top->first;
	top->begun = true;
	if (record->stamp < top->first)
		return;
	top->seen = true;
	if (!item->wanted)
		return;
	cpu->events++;
	cpu->bytes += bytes;
	if (item->event) {
		top->counts[item->event->number].events++;
		top->counts[item->event->number].bytes += bytes;
	}
	tring_rate_add(top, record->stamp, bytes);
}

static int64_t load(const struct tring_item *item, const struct tring_bound *bound,
		    unsigned int number)
{
	return tring_number(item, bound->numbers[number]);
}

/*
 * A switch or a wakeup is recorded if it is of one task that is, or by one; idle tasks are
 * none. Each other event is recorded only while such a task runs, but for ftrace's own.
 */
static void find_followed(struct tring_top *top, const struct tring_bound *bound,
			  const struct tring_item *item)
{
	int32_t prev, next;

	switch (bound->kind) {
	case TRING_KIND_SWITCH:
		prev = load(item, bound, TRING_SWITCH_PREV);
		next = load(item, bound, TRING_SWITCH_NEXT);
		if (!prev || !next)
			tring_sched_follow(top, prev ? prev : next);
		break;
	case TRING_KIND_WAKING:
	case TRING_KIND_WAKEUP:
	case TRING_KIND_NEW:
		if (!item->record->pid)
			tring_sched_follow(top, load(item, bound, TRING_NUMBER));
		break;
	default:
		if (strcmp(bound->event->system, "ftrace"))
			tring_sched_follow(top, item->record->pid);
		break;
	}
}

static void give(struct tring_top *top, struct tring_top_cpu *cpu,
		 const struct tring_bound *bound, const struct tring_item *item)
{
	const uint64_t stamp = item->record->stamp;

	switch (bound->kind) {
	case TRING_KIND_SWITCH:
		tring_sched_switch(top, cpu, load(item, bound, TRING_SWITCH_PREV),
				   load(item, bound, TRING_SWITCH_NEXT),
				   load(item, bound, TRING_SWITCH_STATE),
				   stamp);
		break;
	case TRING_KIND_WAKING:
	case TRING_KIND_WAKEUP:
	case TRING_KIND_NEW:
		tring_sched_wake(top, bound->kind, load(item, bound, TRING_NUMBER),
				 item->record);
		break;
	case TRING_KIND_IRQ_ENTRY:
	case TRING_KIND_VECTOR_ENTRY:
	case TRING_KIND_SOFTIRQ_ENTRY:
		tring_interrupt_enter(top, cpu, bound, item);
		break;
	case TRING_KIND_IRQ_EXIT:
	case TRING_KIND_VECTOR_EXIT:
	case TRING_KIND_SOFTIRQ_EXIT:
		tring_interrupt_exit(top, cpu, bound, item);
		break;
	case TRING_KIND_RAW_ENTER:
	case TRING_KIND_CALL_ENTER:
		tring_call_enter(top, cpu, bound, item);
		break;
	case TRING_KIND_RAW_EXIT:
	case TRING_KIND_CALL_EXIT:
		tring_call_exit(top, bound, item);
		break;
	case TRING_KIND_MARKER:
		tring_marker_take(top, cpu, bound, item);
		break;
	default:
		break;
	}
}

/**
 * tring_top_take - take an event
 * @top: all tables
 * @cpu: its CPU
 * @item: the event, not earlier than the one before
 */
void tring_top_take(struct tring_top *top, struct tring_top_cpu *cpu,
		    const struct tring_item *item)
{
	const struct tring_bound *bound;

	count_event(top, cpu, item);
	if (item->wrong) {
		tring_sched_see(top, cpu, item->record);
		top->damaged += !!item->event;
		return;
	}
	bound = &top->bound[item->event->number];
	if (top->left_out.tasks)
		find_followed(top, bound, item);
	tring_sched_see(top, cpu, item->record);
	give(top, cpu, bound, item);
}

/**
 * tring_top_lose - begin a time in which events of a CPU were lost
 * @top: all tables
 * @cpu: the CPU
 * @stamp: timestamp of its last event; 0 without one
 */
void tring_top_lose(struct tring_top *top, struct tring_top_cpu *cpu, uint64_t stamp)
{
	cpu->blind = true;
	top->blind++;
	tring_sched_lose(top, cpu, stamp);
	tring_interrupts_lose(top, cpu, stamp);
}

/**
 * tring_top_sight - end a time in which events of a CPU are missing
 * @top: all tables
 * @cpu: the CPU
 * @stamp: timestamp of its first event behind that; TRING_NO_VALUE if there is none
 */
void tring_top_sight(struct tring_top *top, struct tring_top_cpu *cpu, uint64_t stamp)
{
	cpu->blind = false;
	top->blind--;
	if (stamp != TRING_NO_VALUE)
		top->sighted = stamp;
}

/**
 * tring_top_gap - end a time in which events of a CPU were lost
 * @top: all tables
 * @gap: what was lost; it has begun with tring_top_lose()
 */
void tring_top_gap(struct tring_top *top, const struct tring_gap *gap)
{
	tring_top_sight(top, gap->cpu, gap->to);
	if (!gap->cpu->wanted || gap->to < top->first)
		return;
	gap->cpu->lost += gap->events;
	tring_losses_add(top, gap);
	tring_rate_lose(top, gap);
}

/**
 * tring_top_count - count up to the end of an interval, behind which more is to come
 * @top: all tables, which can be shown then
 * @stamp: the end; no event that was taken is later
 */
void tring_top_count(struct tring_top *top, uint64_t stamp)
{
	size_t i;

	top->end = stamp > top->begin ? stamp : top->begin;
	tring_sched_count(top, top->end);
	for (i = 0; i < top->cpu_count; i++)
		tring_interrupts_count(top, &top->cpus[i], top->end);
}

static void reset_cpu(struct tring_top_cpu *cpu)
{
	cpu->busy = 0;
	cpu->idle = 0;
	memset(cpu->in, 0, sizeof(cpu->in));
	cpu->events = 0;
	cpu->bytes = 0;
	cpu->lost = 0;
	/* it may be forgotten */
	if (!cpu->known)
		cpu->task = NULL;
}

/**
 * tring_top_begin - begin an interval: all numbers become 0, what is going on goes on
 * @top: all tables
 * @stamp: begin of the interval, the end of the one before; no event that was taken is later
 */
void tring_top_begin(struct tring_top *top, uint64_t stamp)
{
	size_t i;

	for (i = 0; i < top->cpu_count; i++)
		reset_cpu(&top->cpus[i]);
	for (i = 0; i < TRING_INTERRUPTS; i++)
		tring_spans_reset(&top->interrupts[i]);
	tring_spans_reset(&top->calls);
	tring_pairs_reset(top);
	tring_spans_reset(&top->marks);
	tring_spans_reset(&top->counters);
	tring_tasks_reset(&top->tasks, top->first);
	memset(top->counts, 0, top->event_count * sizeof(*top->counts));
	top->rate = (struct tring_rate) { 0 };
	tring_rows_free(&top->gaps);
	tring_table_rows(top, &tring_table_losses, &top->gaps);
	top->begun = true;
	top->first = stamp;
	top->begin = stamp;
	top->end = stamp;
}

/**
 * tring_top_end - count up to the end of the trace
 * @top: all tables
 * @stamp: the end
 */
void tring_top_end(struct tring_top *top, uint64_t stamp)
{
	size_t i;

	if (!top->begun)
		top->begin = stamp;
	top->end = stamp > top->begin ? stamp : top->begin;
	tring_sched_count(top, stamp);
	tring_calls_end(top);
	tring_markers_end(top);
	for (i = 0; i < top->cpu_count; i++)
		tring_interrupts_lose(top, &top->cpus[i], top->end);
}

/**
 * tring_top_tell - tell of what an event has ended
 * @top: all tables
 * @item: the event
 * @kind: what it was
 * @level: of an interrupt; else TRING_INTERRUPTS
 * @open: what it was, and since when
 * @result: as of struct tring_ended
 */
void tring_top_tell(const struct tring_top *top, const struct tring_item *item,
		    enum tring_ended_kind kind, enum tring_interrupt level,
		    const struct tring_open *open, int64_t result)
{
	const struct tring_ended ended = {
		.kind = kind, .cpu = &top->cpus[item->cpu_at], .pid = item->record->pid,
		.from = open->since, .to = item->record->stamp, .waker = -1, .level = level,
		.span = open->span, .result = result,
	};

	if (top->ended)
		top->ended(top->data, &ended);
}

/**
 * tring_top_free - free all tables
 * @top: all tables
 */
void tring_top_free(struct tring_top *top)
{
	size_t i;

	tring_tasks_free(&top->tasks);
	for (i = 0; i < TRING_INTERRUPTS; i++)
		tring_spans_free(&top->interrupts[i]);
	tring_spans_free(&top->calls);
	tring_pairs_free(top);
	tring_spans_free(&top->marks);
	tring_spans_free(&top->counters);
	tring_calls_free(&top->call_names);
	tring_rows_free(&top->gaps);
	if (top->bound)
		tring_bound_free(top->bound, top->event_count);
	free(top->counts);
}
