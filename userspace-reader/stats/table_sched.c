// SPDX-License-Identifier: GPL-2.0
/* Table: what each task did, and for how long. */
#include "tables.h"

enum { PID, RUNNING, SHARE, WAITING, BLOCKED, UNKNOWN, SWITCHES, MIGRATIONS };

static const struct tring_column columns[] = {
	[PID] = { "pid", TRING_UNIT_COUNT, 8, true },
	[RUNNING] = { "running-s", TRING_UNIT_S, 13, false },
	[SHARE] = { "cpu-%", TRING_UNIT_THOUSANDTHS, 6, false },
	[WAITING] = { "waiting-s", TRING_UNIT_S, 13, false },
	[BLOCKED] = { "blocked-s", TRING_UNIT_S, 13, false },
	[UNKNOWN] = { "unknown-s", TRING_UNIT_S, 13, false },
	[SWITCHES] = { "switches", TRING_UNIT_COUNT, 9, false },
	[MIGRATIONS] = { "migrations", TRING_UNIT_COUNT, 10, false },
};

static const char *lacks(const struct tring_top *top)
{
	return tring_table_has(top, TRING_KIND_SWITCH) ? NULL : "sched_switch";
}

static void show(struct tring_top *top, const struct tring_table *table)
{
	uint64_t all = top->end - top->begin;
	struct tring_rows rows;
	size_t i;

	tring_table_rows(top, table, &rows);
	for (i = 0; i < top->tasks.count; i++) {
		const struct tring_task *task = top->tasks.list[i];
		const uint64_t *times = task->times;
		bool some = task->partial || top->left_out.cpus || top->left_out.sched;
		struct tring_row row = { .values = {
			[PID] = task->pid,
			[RUNNING] = times[TRING_TASK_RUNNING],
			[SHARE] = tring_table_ratio(times[TRING_TASK_RUNNING], all, 100000),
			[WAITING] = times[TRING_TASK_WAITING],
			[BLOCKED] = times[TRING_TASK_BLOCKED],
			[UNKNOWN] = times[TRING_TASK_UNKNOWN],
			[SWITCHES] = some ? TRING_NO_VALUE : task->switches,
			[MIGRATIONS] = some ? TRING_NO_VALUE : task->migrations,
		} };

		if (!tring_table_wants(top, task))
			continue;
		/* it was not in the time or on the CPUs that the user has asked for */
		if (!(times[TRING_TASK_RUNNING] | times[TRING_TASK_WAITING] |
		      times[TRING_TASK_BLOCKED] | times[TRING_TASK_UNKNOWN] | task->switches))
			continue;
		row.text = tring_table_task(top, task);
		tring_rows_add(&rows, &row);
	}
	tring_rows_show(&rows);
	tring_rows_free(&rows);
}

const struct tring_table tring_table_sched = {
	.name = "sched",
	.title = "Tasks",
	.columns = columns,
	.column_count = sizeof(columns) / sizeof(columns[0]),
	.text = "task",
	.sort = "running-s",
	.record = "sched_switch,sched_waking,sched_wakeup,sched_wakeup_new",
	.lacks = lacks,
	.show = show,
};
