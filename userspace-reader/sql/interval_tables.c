// SPDX-License-Identifier: GPL-2.0
/*
 * Tables whose rows are intervals: in which a task ran, or waited for something, interrupts and
 * system calls. They are made as "tring top" makes its tables, by following what each task does,
 * and with the same care: what a loss has hidden is unknown, or has no row.
 *
 * A row exists when its interval ends, so the rows come in the order of their ends.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sql.h"
#include "stats/sched.h"
#include "stats/tables.h"
#include "stats/top_walk.h"
#include "util/util.h"

/**
 * struct row - an interval
 * @ended: the interval
 * @arguments: of a system call; NULL for none
 */
struct row {
	struct tring_ended ended;
	char		*arguments;
};

/**
 * struct tring_sql_rows - intervals that have ended, and how they are found
 * @walk: follows what each task does
 * @list: those that have ended with the last event
 * @count: number of @list
 * @at: the row
 * @calls: by task, the arguments of the system call that it is in, as its name
 */
struct tring_sql_rows {
	struct tring_top_walk walk;
	struct row	*list;
	size_t		count;
	size_t		at;
	struct tring_tasks calls;
};

static void add_row(void *data, const struct tring_ended *ended)
{
	const struct tring_sql_cursor *cursor = data;
	const bool task = ended->kind == TRING_ENDED_RUN || ended->kind == TRING_ENDED_WAIT;
	struct tring_sql_rows *rows = cursor->rows;
	struct row row = { .ended = *ended };
	struct tring_task *call;

	if ((int)ended->kind != cursor->table->kind->ended || (task && ended->from == ended->to))
		return;
	if (ended->kind == TRING_ENDED_CALL) {
		call = tring_tasks_get(&rows->calls, ended->pid);
		row.arguments = call->name;
		call->name = NULL;
	}
	rows->list = tring_one_more(rows->list, rows->count, sizeof(*rows->list));
	rows->list[rows->count++] = row;
}

/* Keeps the arguments of a call that begins. */
static void keep_arguments(struct tring_sql_cursor *cursor)
{
	const struct tring_item *item = &cursor->item;
	struct tring_sql_rows *rows = cursor->rows;
	const struct tring_bound *bound;
	struct tring_task *call;
	const char *text;
	size_t size;

	if (item->kind != TRING_ITEM_EVENT || item->wrong)
		return;
	bound = &rows->walk.top.bound[item->event->number];
	if (bound->kind != TRING_KIND_CALL_ENTER && bound->kind != TRING_KIND_RAW_ENTER)
		return;
	/* the call's own event tells more, and comes behind that of all calls */
	call = tring_tasks_get(&rows->calls, item->record->pid);
	text = tring_sql_event_text(cursor, &size);
	free(call->name);
	call->name = text ? tring_format("%.*s", (int)size, text) : NULL;
}

/* Without the events of which it is made, a table without rows would be a wrong answer. */
static int check_events(struct tring_sql_cursor *cursor)
{
	static const char text[] = "the trace has no events for the table %s: tring record -e %s";
	const struct tring_table *const *needs = cursor->table->kind->needs;
	const struct tring_top *top = &cursor->rows->walk.top;
	const char *lacks = needs[0] ? tring_table_lacks(top, needs[0]) : NULL;
	sqlite3_vtab *table = cursor->base.pVtab;

	if (!lacks || (needs[1] && !tring_table_lacks(top, needs[1])))
		return 0;
	sqlite3_free(table->zErrMsg);
	table->zErrMsg = sqlite3_mprintf(text, cursor->table->name, lacks);
	return -ENODATA;
}

static void drop_rows(struct tring_sql_rows *rows)
{
	while (rows->count)
		free(rows->list[--rows->count].arguments);
	rows->at = 0;
}

static void end(struct tring_sql_cursor *cursor)
{
	struct tring_sql_rows *rows = cursor->rows;

	if (!rows)
		return;
	drop_rows(rows);
	tring_tasks_free(&rows->calls);
	free(rows->list);
	tring_top_walk_free(&rows->walk);
	free(rows);
	cursor->rows = NULL;
}

static int begin(struct tring_sql_cursor *cursor)
{
	struct tring_top *top;
	int error;

	end(cursor);
	cursor->wanted.every = true;
	error = tring_select(cursor->trace, &cursor->wanted);
	if (error)
		return error;
	cursor->rows = tring_allocate(sizeof(*cursor->rows));
	top = &cursor->rows->walk.top;
	top->trace = cursor->trace;
	top->ended = add_row;
	top->data = cursor;
	tring_top_walk_init(&cursor->rows->walk);
	return check_events(cursor);
}

/* Return: false at the end, which may have ended intervals. */
static bool step(struct tring_sql_cursor *cursor)
{
	if (!tring_top_walk_step(&cursor->rows->walk, &cursor->item)) {
		tring_sql_end(cursor);
		return false;
	}
	if (cursor->item.kind == TRING_ITEM_LOSS)
		tring_sql_count_loss(cursor);
	if (cursor->table->kind->ended == TRING_ENDED_CALL)
		keep_arguments(cursor);
	return true;
}

static void next(struct tring_sql_cursor *cursor)
{
	struct tring_sql_rows *rows = cursor->rows;
	bool more = true;

	if (++rows->at < rows->count)
		return;
	drop_rows(rows);
	while (!rows->count && more)
		more = step(cursor);
	cursor->at_end = !rows->count;
}

/* What a column has: numbers, from CPU on those that may be unknown, and texts from COMM on. */
enum {
	NUMBER, MARK, FROM, TO, DURATION, OPEN, CPU, PID, WAKER, IRQ, RESULT,
	COMM, WAKER_COMM, END_STATE, STATE, KIND, NAME, ARGUMENTS,
};

#define COMMON						\
	[0] = { "from_ts", "INTEGER", .value = FROM },	\
	[1] = { "to_ts", "INTEGER", .value = TO },	\
	[2] = { "duration", "INTEGER", .value = DURATION }, \
	[3] = { "cpu", "INTEGER", .value = CPU },	\
	[4] = { "pid", "INTEGER", .value = PID },	\
	[5] = { "comm", "TEXT", TRING_ROLE_NAME, COMM }

static const struct tring_sql_column slices[] = {
	COMMON,
	{ "end_state", "TEXT", .value = END_STATE },
	{ "open", "INTEGER", .value = OPEN },
	{ 0 },
};

/* A task that waits has no CPU. */
static const struct tring_sql_column waits[] = {
	{ "from_ts", "INTEGER", .value = FROM },
	{ "to_ts", "INTEGER", .value = TO },
	{ "duration", "INTEGER", .value = DURATION },
	{ "pid", "INTEGER", .value = PID },
	{ "comm", "TEXT", TRING_ROLE_NAME, COMM },
	{ "state", "TEXT", .value = STATE },
	{ "waker", "INTEGER", .value = WAKER },
	{ "waker_comm", "TEXT", TRING_ROLE_NAME, WAKER_COMM },
	{ "open", "INTEGER", .value = OPEN },
	{ 0 },
};

static const struct tring_sql_column irqs[] = {
	COMMON,
	{ "kind", "TEXT", .value = KIND },
	{ "number", "INTEGER", .value = IRQ },
	{ "name", "TEXT", .value = NAME },
	{ 0 },
};

static const struct tring_sql_column calls[] = {
	COMMON,
	{ "number", "INTEGER", .value = NUMBER },
	{ "name", "TEXT", .value = NAME },
	{ "arguments", "TEXT", TRING_ROLE_NAME, ARGUMENTS },
	{ "result", "INTEGER", .value = RESULT },
	{ 0 },
};

static const struct tring_sql_column spans[] = {
	COMMON,
	{ "process", "INTEGER", .value = NUMBER },
	{ "name", "TEXT", .value = NAME },
	{ "depth", "INTEGER", .value = MARK },
	{ 0 },
};

static const struct tring_sql_column counters[] = {
	COMMON,
	{ "process", "INTEGER", .value = NUMBER },
	{ "name", "TEXT", .value = NAME },
	{ "value", "INTEGER", .value = MARK },
	{ 0 },
};

/* As sched_switch prints it: a letter for each bit, and a + above them for a preemption. */
static const char *end_state(char text[16], int64_t state)
{
	static const char letters[] = "SDTtXZPI";
	size_t count = 0, i;

	for (i = 0; i < sizeof(letters) - 1; i++)
		if (state >> i & 1)
			text[count++] = letters[i];
	if (!count)
		text[count++] = 'R';
	strcpy(text + count, state >> i ? "+" : "");
	return state == TRING_NO_RESULT ? NULL : text;
}

static void give_text(const struct row *row, struct tring_trace *trace, int value,
		      sqlite3_context *to)
{
	static const char * const states[TRING_TASK_STATES] = {
		[TRING_TASK_WAITING] = "runnable",
		[TRING_TASK_BLOCKED] = "blocked",
		[TRING_TASK_UNKNOWN] = "unknown",
	};
	const struct tring_ended *ended = &row->ended;
	char state[16];
	const char *const texts[] = {
		[COMM] = tring_comm(trace, ended->pid),
		[WAKER_COMM] = ended->waker < 0 ? NULL : tring_comm(trace, ended->waker),
		[END_STATE] = end_state(state, ended->result),
		[STATE] = states[ended->state],
		[KIND] = ended->level == TRING_SOFTIRQ ? "softirq" : "irq",
		[NAME] = ended->span ? ended->span->name : NULL,
		[ARGUMENTS] = row->arguments,
	};

	/* no other event was read since the interval has ended, so names are those of then */
	tring_sql_text(to, texts[value]);
}

static int64_t known(int64_t number, bool is_known)
{
	return is_known ? number : TRING_NO_RESULT;
}

static void give_row(struct tring_sql_cursor *cursor, sqlite3_context *to, int column)
{
	const struct row *row = &cursor->rows->list[cursor->rows->at];
	const int value = cursor->table->kind->columns[column].value;
	const struct tring_ended *ended = &row->ended;
	const int64_t number = ended->span ? ended->span->number : 0;
	const int64_t from = tring_ns(cursor->trace, ended->from);
	const int64_t end = tring_ns(cursor->trace, ended->to);
	const int64_t numbers[] = {
		[FROM] = from, [TO] = end, [DURATION] = end - from, [OPEN] = ended->open,
		[CPU] = ended->cpu ? ended->cpu->cpu : TRING_NO_RESULT,
		[PID] = known(ended->pid, ended->pid >= 0),
		[WAKER] = known(ended->waker, ended->waker >= 0),
		/* vectors have none */
		[IRQ] = known(number, number <= INT32_MAX),
		[NUMBER] = number, [RESULT] = ended->result, [MARK] = ended->result,
	};

	if (value >= COMM)
		give_text(row, cursor->trace, value, to);
	else if (value < CPU || numbers[value] != TRING_NO_RESULT)
		sqlite3_result_int64(to, numbers[value]);
}

#define INTERVALS(list, what, table, other, row)	\
	{ .columns = (list), .about = (row), .ended = (what), .needs = { (table), (other) },	\
	  .begin = begin, .next = next, .column = give_row, .end = end }

const struct tring_sql_kind tring_sql_slices =
	INTERVALS(slices, TRING_ENDED_RUN, &tring_table_sched, NULL,
		  "times in which a task ran; pid 0 is the idle task");
const struct tring_sql_kind tring_sql_waits =
	INTERVALS(waits, TRING_ENDED_WAIT, &tring_table_wakeup, NULL,
		  "times in which a task waited: for a CPU, or for a waker");
/* either kind of interrupts suffices */
const struct tring_sql_kind tring_sql_irqs =
	INTERVALS(irqs, TRING_ENDED_INTERRUPT, &tring_table_irq, &tring_table_softirq,
		  "interrupts and softirqs, and the task that was interrupted");
const struct tring_sql_kind tring_sql_syscalls =
	INTERVALS(calls, TRING_ENDED_CALL, &tring_table_syscall, NULL,
		  "system calls that have returned");
const struct tring_sql_kind tring_sql_spans =
	INTERVALS(spans, TRING_ENDED_SPAN, NULL, NULL, "spans that programs have marked");
const struct tring_sql_kind tring_sql_counters =
	INTERVALS(counters, TRING_ENDED_COUNTER, NULL, NULL,
		  "values of counters that programs have marked");

enum { TASK_PID, TASK_COMM, RUNNING, RUNNABLE, BLOCKED, UNKNOWN, SWITCHES, MIGRATIONS, UNIT,
	CGROUP, COMMAND };

static const struct tring_sql_column tasks[] = {
	[TASK_PID] = { "pid", "INTEGER" },
	[TASK_COMM] = { "comm", "TEXT", TRING_ROLE_NAME },
	[RUNNING] = { "running", "INTEGER" },
	[RUNNABLE] = { "runnable", "INTEGER" },
	[BLOCKED] = { "blocked", "INTEGER" },
	[UNKNOWN] = { "unknown", "INTEGER" },
	[SWITCHES] = { "switches", "INTEGER" },
	[MIGRATIONS] = { "migrations", "INTEGER" },
	[UNIT] = { "unit", "TEXT", TRING_ROLE_NAME },
	[CGROUP] = { "cgroup", "TEXT", TRING_ROLE_NAME },
	[COMMAND] = { "command", "TEXT" },
	{ 0 },
};

/* The sums are known when all was read, and are the same whenever a join asks for them. */
static int begin_tasks(struct tring_sql_cursor *cursor)
{
	int error;

	if (cursor->rows)
		return 0;
	error = begin(cursor);
	if (error)
		return error;
	cursor->rows->walk.top.ended = NULL;
	while (step(cursor))
		;
	return 0;
}

static void next_task(struct tring_sql_cursor *cursor)
{
	cursor->at_end = cursor->row >= cursor->rows->walk.top.tasks.count;
}

static void give_task(struct tring_sql_cursor *cursor, sqlite3_context *to, int column)
{
	const struct tring_top *top = &cursor->rows->walk.top;
	const struct tring_task *task = top->tasks.list[cursor->row];
	const enum tring_task_state states[] = {
		[RUNNING] = TRING_TASK_RUNNING, [RUNNABLE] = TRING_TASK_WAITING,
		[BLOCKED] = TRING_TASK_BLOCKED, [UNKNOWN] = TRING_TASK_UNKNOWN,
	};

	switch (column) {
	case TASK_PID:
		tring_sql_pid(to, task->pid);
		break;
	case TASK_COMM:
		tring_sql_text(to, task->name ? task->name : tring_comm(top->trace, task->pid));
		break;
	case SWITCHES:
	case MIGRATIONS:
		if (!tring_sched_is_partial(top, task))
			sqlite3_result_int64(to, column == SWITCHES ? task->switches :
								      task->migrations);
		break;
	case UNIT:
	case CGROUP:
	case COMMAND:
		tring_sql_text(to, tring_table_value(top, task, tasks[column].name));
		break;
	default:
		tring_sql_time(to, cursor->trace, task->times[states[column]]);
		break;
	}
}

const struct tring_sql_kind tring_sql_tasks = {
	.columns	= tasks,
	.about		= "the tasks, and the sums of their times",
	.needs		= { &tring_table_sched },
	.kept		= true,
	.begin		= begin_tasks,
	.next		= next_task,
	.column		= give_task,
	.end		= end,
};
