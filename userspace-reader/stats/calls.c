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

static void abandon(const struct tring_top *top, struct tring_task *task, uint64_t stamp)
{
	const struct tring_ended ended = {
		.kind = TRING_ENDED_NEVER, .pid = task->pid, .from = task->call_since,
		.to = stamp, .waker = -1, .level = TRING_INTERRUPTS, .span = task->call,
		.result = TRING_NO_RESULT,
	};

	if (!task->call)
		return;
	task->call->timing.unknown++;
	task->call = NULL;
	if (top->ended)
		top->ended(top->data, &ended);
}

static void tell(const struct tring_top *top, const struct tring_task *task,
		 const struct tring_item *item, int64_t result)
{
	const struct tring_ended ended = {
		.kind = TRING_ENDED_CALL, .cpu = &top->cpus[item->cpu_at], .pid = task->pid,
		.from = task->call_since, .to = item->record->stamp, .waker = -1,
		.span = task->call, .result = result,
	};

	if (top->ended)
		top->ended(top->data, &ended);
}

static bool is_raw(const struct tring_bound *bound)
{
	return bound->kind == TRING_KIND_RAW_ENTER || bound->kind == TRING_KIND_RAW_EXIT;
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
	if (bound->label && !span->name)
		span->name = tring_format("%s", bound->label);
	if (task->call == span && task->call_raw != is_raw(bound))
		return;
	abandon(top, task, item->record->stamp);
	task->call = span;
	task->call_since = item->record->stamp;
	task->call_raw = is_raw(bound);
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
	struct tring_span *span = task->call;

	if (!span)
		return;
	/* the end of a signal's handler has no number */
	if ((number != span->number && number >= 0) || top->blind || top->left_out.calls ||
	    top->sighted > task->call_since) {
		abandon(top, task, item->record->stamp);
		return;
	}
	tell(top, task, item, number < 0 ? TRING_NO_RESULT : result);
	task->call = NULL;
	if (item->record->stamp < top->first)
		return;
	tring_timing_add(&span->timing, task->call_since, item->record->stamp, top->frequency);
	/* what the end of a signal's handler restores is the result of the call before */
	span->failed += number >= 0 && result < 0 && result >= -ERRNO_MAX;
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
