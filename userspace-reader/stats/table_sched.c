// SPDX-License-Identifier: GPL-2.0
/* Table: what each task did, and for how long. */
#include "sched.h"
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
	TRING_TASK_COLUMNS(MIGRATIONS),
};

static bool make_row(struct tring_top *top, struct tring_task *task, struct tring_row *row)
{
	const uint64_t *times = task->times;
	bool some = tring_sched_is_partial(top, task);

	*row = (struct tring_row) { .values = {
		[PID] = task->pid,
		[RUNNING] = times[TRING_TASK_RUNNING],
		[SHARE] = tring_table_ratio(times[TRING_TASK_RUNNING], top->end - top->begin,
					    100000),
		[WAITING] = times[TRING_TASK_WAITING],
		[BLOCKED] = times[TRING_TASK_BLOCKED],
		[UNKNOWN] = times[TRING_TASK_UNKNOWN],
		[SWITCHES] = some ? TRING_NO_VALUE : task->switches,
		[MIGRATIONS] = some ? TRING_NO_VALUE : task->migrations,
	} };
	/* else it was not in the time or on the CPUs that the user has asked for */
	return times[TRING_TASK_RUNNING] | times[TRING_TASK_WAITING] |
	       times[TRING_TASK_BLOCKED] | times[TRING_TASK_UNKNOWN] | task->switches;
}

const struct tring_table tring_table_sched = {
	.name = "sched",
	.title = "Tasks",
	TRING_COLUMNS(columns),
	.text = "task",
	.sort = "running-s",
	.record = "sched_switch,sched_waking,sched_wakeup,sched_wakeup_new",
	.needs = { { TRING_KIND_SWITCH, TRING_KIND_SWITCH } },
	.row = make_row,
	.show = tring_table_tasks,
};
