// SPDX-License-Identifier: GPL-2.0
/* Table: the longest wait of each task, for a CPU or for what wakes it. */
#include "tables.h"

enum { PID, LONGEST, FROM, WHERE, BY, STATE, CALL, WAKER, COUNT, TOTAL, UNKNOWN };

static const struct tring_column columns[] = {
	[PID] = { "pid", TRING_UNIT_COUNT, 7, true },
	[LONGEST] = { "ms", TRING_UNIT_MS, 9, false },
	[FROM] = { "from", TRING_UNIT_STAMP, 15, true },
	[WHERE] = { "in", TRING_UNIT_TEXT, 13, true },
	[BY] = { "woken-by", TRING_UNIT_TEXT, 15, true },
	[STATE] = { "state", TRING_UNIT_TEXT, 0, true },
	[CALL] = { "call", TRING_UNIT_TEXT, 0, true },
	[WAKER] = { "waker", TRING_UNIT_COUNT, 0, true },
	[COUNT] = { "waits", TRING_UNIT_COUNT, 0, false },
	[TOTAL] = { "total-ms", TRING_UNIT_MS, 0, false },
	[UNKNOWN] = { "unknown", TRING_UNIT_COUNT, 0, false },
	TRING_TASK_COLUMNS(UNKNOWN),
};

static const char *find_waker(const struct tring_top *top, int32_t waker)
{
	switch (waker) {
	case TRING_WAKER_UNKNOWN:
		return NULL;
	case TRING_WAKER_IRQ:
		return "(irq)";
	case TRING_WAKER_SOFTIRQ:
		return "(softirq)";
	}
	return tring_comm(top->trace, waker);
}

static bool make_row(struct tring_top *top, struct tring_task *task, struct tring_row *row)
{
	const struct tring_waits *waits = &task->waits;
	const char *state = waits->state == TRING_TASK_BLOCKED ? "blocked" : "runnable";
	const char *call = waits->call ? tring_table_call(top, task, waits->call) : NULL;
	const bool some = waits->count;

	*row = (struct tring_row) { .values = {
		[PID] = task->pid,
		[LONGEST] = some ? waits->to - waits->from : TRING_NO_VALUE,
		[FROM] = some ? waits->from : TRING_NO_VALUE,
		[WHERE] = tring_value_of_text(!some ? NULL :
				call && waits->state == TRING_TASK_BLOCKED ? call : state),
		[BY] = tring_value_of_text(some ? find_waker(top, waits->waker) : NULL),
		[STATE] = tring_value_of_text(some ? state : NULL),
		[CALL] = tring_value_of_text(call),
		[WAKER] = some && waits->waker >= 0 ? (uint64_t)waits->waker : TRING_NO_VALUE,
		[COUNT] = waits->count,
		[TOTAL] = waits->total,
		[UNKNOWN] = waits->unknown,
	} };
	return waits->count || waits->unknown;
}

const struct tring_table tring_table_waits = {
	.name = "waits",
	.title = "The longest wait of each task",
	TRING_COLUMNS(columns),
	.text = "task",
	.sort = "ms",
	.record = "sched_switch,sched_waking,sched_wakeup,sched_wakeup_new",
	.sums = true,
	.needs = { { TRING_KIND_SWITCH, TRING_KIND_WAKING },
		   { TRING_KIND_SWITCH, TRING_KIND_WAKEUP } },
	.row = make_row,
	.show = tring_table_tasks,
};
