// SPDX-License-Identifier: GPL-2.0
/* Table: how long each task waits for a CPU after it was woken. */
#include "table_timing.h"

static const struct tring_column columns[] = {
	[TRING_TIMING_NUMBER] = { "pid", TRING_UNIT_COUNT, 8, true },
	TRING_TIMING_LIST("wakeups"),
	TRING_TASK_COLUMNS(TRING_TIMING_UNKNOWN),
};

static void show(struct tring_top *top, const struct tring_table *table)
{
	struct tring_timing all = { 0 };
	struct tring_rows rows;
	struct tring_row sum;
	size_t i;

	tring_table_rows(top, table, &rows);
	for (i = 0; i < top->tasks.count; i++) {
		const struct tring_task *task = top->tasks.list[i];
		const struct tring_timing *timing = &task->wakeups;
		struct tring_row row;

		if ((!timing->count && !timing->unknown) ||
		    !tring_table_wants(top, task))
			continue;
		row = tring_timing_row(task->pid, timing, 0);
		tring_table_add(top, &rows, task, &row);
		tring_timing_merge(&all, timing);
	}
	sum = tring_timing_row(TRING_NO_VALUE, &all, 0);
	tring_timing_show_rows(top, &rows, &sum);
	tring_timing_free(&all);
	tring_rows_free(&rows);
}

const struct tring_table tring_table_wakeup = {
	.name = "wakeup",
	.title = "Times from a wakeup to a CPU",
	TRING_COLUMNS(columns),
	.text = "task",
	.sort = "max-us",
	.record = "sched_switch,sched_waking,sched_wakeup,sched_wakeup_new",
	.sums = true,
	.needs = { { TRING_KIND_SWITCH, TRING_KIND_WAKING },
		   { TRING_KIND_SWITCH, TRING_KIND_WAKEUP } },
	.show = show,
};
