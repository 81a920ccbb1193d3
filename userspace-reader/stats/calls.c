// SPDX-License-Identifier: GPL-2.0
/*
 * Times in system calls, which belong to tasks. Two kinds of events tell of them: those of
 * raw_syscalls and those by name. Of a call of which both tell, the first begin and the first
 * end count.
 *
 * A task may have ended a call and begun the same one again on any CPU that loses events, so
 * a call in whose time one did is counted as unknown.
 */
#include "interrupts.h"
#include "util/util.h"

#define ERRNO_MAX	4095

/* Return: what the task's own calls of one kind add up to. */
static struct tring_span *own_span(struct tring_task *task)
{
	return tring_spans_get(&task->calls, task->call.span->number, "", 0);
}

static void abandon(const struct tring_top *top, struct tring_task *task, uint64_t stamp)
{
	const struct tring_ended ended = {
		.kind = TRING_ENDED_NEVER, .pid = task->pid, .from = task->call.since,
		.to = stamp, .waker = -1, .level = TRING_INTERRUPTS, .span = task->call.span,
		.result = TRING_NO_RESULT,
	};

	if (!task->call.span)
		return;
	task->call.span->timing.unknown++;
	own_span(task)->timing.unknown++;
	task->call.span = NULL;
	if (top->ended)
		top->ended(top->data, &ended);
}

static bool is_raw(const struct tring_bound *bound)
{
	return bound->kind == TRING_KIND_RAW_ENTER || bound->kind == TRING_KIND_RAW_EXIT;
}

static void name_call(struct tring_top *top, struct tring_span *span,
		      const struct tring_bound *bound)
{
	const struct tring_call_name *known = tring_call_at(&top->call_names, span->number);

	if (bound->label)
		span->name = tring_format("%s", bound->label);
	else if (known)
		span->name = tring_format("%s", known->name);
}

/**
 * tring_call_enter - take the begin of a system call
 * @top: all tables
 * @cpu: the CPU
 * @bound: the event
 * @item: the event's item
 */
void tring_call_enter(struct tring_top *top, struct tring_top_cpu *cpu,
		      const struct tring_bound *bound, const struct tring_item *item)
{
	int64_t number = tring_number(item, bound->numbers[TRING_NUMBER]);
	struct tring_task *task;
	struct tring_span *span;

	if (!cpu->wanted || !tring_top_wants(top, item->record->pid))
		return;
	task = tring_tasks_get(&top->tasks, item->record->pid);
	span = tring_spans_get(&top->calls, number, "", 0);
	span->wanted |= tring_wants_event(top->trace, item->event);
	if (!span->name)
		name_call(top, span, bound);
	if (task->call.span == span && task->call_raw != is_raw(bound))
		return;
	abandon(top, task, item->record->stamp);
	task->call = (struct tring_open) { span, item->record->stamp };
	task->call_raw = is_raw(bound);
}

/* What the end of a signal's handler restores is the result of the call before, so none counts. */
static void add(struct tring_span *span, uint64_t from, uint64_t to, int64_t result,
		uint64_t frequency)
{
	tring_timing_add(&span->timing, from, to, frequency);
	if (result == TRING_NO_RESULT)
		return;
	if (result < 0 && result >= -ERRNO_MAX)
		span->failed++;
	else if (result > 0)
		span->returned += result;
}

/**
 * tring_call_exit - take the end of a system call
 * @top: all tables
 * @bound: the event
 * @item: the event's item
 */
void tring_call_exit(struct tring_top *top, const struct tring_bound *bound,
		     const struct tring_item *item)
{
	int64_t number = tring_number(item, bound->numbers[TRING_NUMBER]);
	int64_t result = tring_number(item, bound->numbers[TRING_CALL_RESULT]);
	struct tring_task *task = tring_tasks_get(&top->tasks, item->record->pid);
	struct tring_span *span = task->call.span, *own;

	if (!span)
		return;
	/* the end of a signal's handler has no number */
	if ((number != span->number && number >= 0) || top->blind || top->left_out.calls ||
	    top->sighted > task->call.since) {
		abandon(top, task, item->record->stamp);
		return;
	}
	if (number < 0)
		result = TRING_NO_RESULT;
	tring_top_tell(top, item, TRING_ENDED_CALL, TRING_INTERRUPTS, &task->call, result);
	own = own_span(task);
	task->call.span = NULL;
	if (item->record->stamp < top->first)
		return;
	add(span, task->call.since, item->record->stamp, result, top->frequency);
	add(own, task->call.since, item->record->stamp, result, top->frequency);
}

/**
 * tring_calls_end - give up calls that have not ended
 * @top: all tables
 */
void tring_calls_end(struct tring_top *top)
{
	size_t i;

	for (i = 0; i < top->tasks.count; i++)
		abandon(top, top->tasks.list[i], top->end);
}
