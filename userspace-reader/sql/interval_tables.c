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
#include "stats/tables.h"
#include "stats/top_walk.h"
#include "util/util.h"

/**
 * struct row - an interval
 * @ended: the interval; its pointers are not valid any more
 * @cpu: the CPU; -1 for none
 * @comm: name of the task
 * @waker: name of the waker
 * @name: name of the interrupt or the call
 * @text: arguments of the call; NULL for none
 */
struct row {
	struct tring_ended ended;
	int		cpu;
	int64_t		number;
	char		*comm;
	char		*waker;
	char		*name;
	char		*text;
};

/**
 * struct tring_sql_rows - intervals that have ended, and how they are found
 * @walk: follows what each task does
 * @kind: of the intervals that are wanted
 * @list: those that have ended with the last event
 * @count: number of @list
 * @at: the row
 * @calls: by task, the arguments of the system call that it is in, as its name
 */
struct tring_sql_rows {
	struct tring_top_walk walk;
	enum tring_ended_kind kind;
	struct row	*list;
	size_t		count;
	size_t		at;
	struct tring_tasks calls;
};

static void free_row(struct row *row)
{
	free(row->comm);
	free(row->waker);
	free(row->name);
	free(row->text);
}

static void add_row(void *data, const struct tring_ended *ended)
{
	struct tring_sql_rows *rows = data;
	struct tring_task *call;
	struct row *row;

	bool task = ended->kind == TRING_ENDED_RUN || ended->kind == TRING_ENDED_WAIT;

	if (ended->kind != rows->kind || (task && ended->from == ended->to))
		return;
	rows->list = tring_one_more(rows->list, rows->count, sizeof(*rows->list));
	row = &rows->list[rows->count++];
	*row = (struct row) {
		.ended = *ended,
		.cpu = ended->cpu ? ended->cpu->cpu : -1,
		.number = ended->span ? ended->span->number : -1,
		.comm = tring_format("%s", tring_comm(rows->walk.top.trace, ended->pid)),
		.waker = ended->waker < 0 ? NULL :
			 tring_format("%s", tring_comm(rows->walk.top.trace, ended->waker)),
		.name = ended->span && ended->span->name ?
			tring_format("%s", ended->span->name) : NULL,
	};
	if (rows->kind != TRING_ENDED_CALL)
		return;
	call = tring_tasks_get(&rows->calls, ended->pid);
	row->text = call->name;
	call->name = NULL;
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

/* Of interrupts, either kind suffices. */
static const char *irqs_lack(const struct tring_top *top)
{
	return tring_table_softirq.lacks(top) ? tring_table_irq.lacks(top) : NULL;
}

/* Without the events of which it is made, a table without rows would be a wrong answer. */
static int check_events(struct tring_sql_cursor *cursor, const char *lacks)
{
	static const char text[] = "the trace has no events for the table %s: tring record -e %s";
	sqlite3_vtab *table = cursor->base.pVtab;

	if (!lacks)
		return 0;
	sqlite3_free(table->zErrMsg);
	table->zErrMsg = sqlite3_mprintf(text, cursor->table->name, lacks);
	return -ENODATA;
}

static int begin(struct tring_sql_cursor *cursor, enum tring_ended_kind kind,
		 const char *(*lacks)(const struct tring_top *top))
{
	struct tring_sql_rows *rows;
	int error;

	cursor->wanted.every = true;
	error = tring_select(cursor->trace, &cursor->wanted);
	if (error)
		return error;
	rows = tring_allocate(sizeof(*rows));
	cursor->rows = rows;
	rows->kind = kind;
	rows->walk.top.trace = cursor->trace;
	rows->walk.top.ended = add_row;
	rows->walk.top.data = rows;
	tring_top_walk_init(&rows->walk);
	return check_events(cursor, lacks ? lacks(&rows->walk.top) : NULL);
}

static void drop_rows(struct tring_sql_rows *rows)
{
	while (rows->count)
		free_row(&rows->list[--rows->count]);
	rows->at = 0;
}

static void next(struct tring_sql_cursor *cursor)
{
	struct tring_sql_rows *rows = cursor->rows;

	if (rows->count && ++rows->at < rows->count)
		return;
	drop_rows(rows);
	while (!rows->count && !cursor->at_end) {
		cursor->at_end = !tring_top_walk_step(&rows->walk, &cursor->item);
		if (!cursor->at_end && cursor->item.kind == TRING_ITEM_LOSS)
			tring_sql_count_loss(cursor);
		if (!cursor->at_end && rows->kind == TRING_ENDED_CALL)
			keep_arguments(cursor);
	}
	/* what is open ends with the trace */
	if (rows->count)
		cursor->at_end = false;
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

static const struct row *row_of(const struct tring_sql_cursor *cursor)
{
	return &cursor->rows->list[cursor->rows->at];
}

/* The columns of all these tables. */
enum { FROM, TO, DURATION, CPU, PID, COMM, COMMON_COLUMNS };

#define COMMON								\
	[FROM] = { "from_ts", "INTEGER", TRING_ROLE_NONE },		\
	[TO] = { "to_ts", "INTEGER", TRING_ROLE_NONE },			\
	[DURATION] = { "duration", "INTEGER", TRING_ROLE_NONE },	\
	[CPU] = { "cpu", "INTEGER", TRING_ROLE_NONE },			\
	[PID] = { "pid", "INTEGER", TRING_ROLE_NONE },			\
	[COMM] = { "comm", "TEXT", TRING_ROLE_NONE }

static void give_common(struct tring_sql_cursor *cursor, sqlite3_context *to, int column)
{
	const struct row *row = row_of(cursor);

	switch (column) {
	case FROM:
		tring_sql_time(to, cursor->trace, row->ended.from);
		break;
	case TO:
		tring_sql_time(to, cursor->trace, row->ended.to);
		break;
	case DURATION:
		sqlite3_result_int64(to, tring_ns(cursor->trace, row->ended.to) -
					 tring_ns(cursor->trace, row->ended.from));
		break;
	case CPU:
		if (row->cpu >= 0)
			sqlite3_result_int(to, row->cpu);
		break;
	case PID:
		tring_sql_pid(to, row->ended.pid);
		break;
	case COMM:
		tring_sql_text(to, row->comm);
		break;
	}
}

enum { END_STATE = COMMON_COLUMNS, SLICE_OPEN, SLICES_COLUMNS };

static const struct tring_sql_column slices_columns[] = {
	COMMON,
	[END_STATE] = { "end_state", "TEXT", TRING_ROLE_NONE },
	[SLICE_OPEN] = { "open", "INTEGER", TRING_ROLE_NONE },
	[SLICES_COLUMNS] = { NULL, NULL, TRING_ROLE_NONE },
};

/* As sched_switch prints it: a letter for each bit, and a + above them for a preemption. */
static void give_end_state(const struct row *row, sqlite3_context *to)
{
	static const char letters[] = "SDTtXZPI";
	const uint64_t state = row->ended.result;
	char text[sizeof(letters) + 2];
	size_t size = 0, i;

	if (row->ended.result == TRING_NO_RESULT)
		return;
	for (i = 0; i < sizeof(letters) - 1; i++)
		if (state >> i & 1)
			text[size++] = letters[i];
	if (!size)
		text[size++] = 'R';
	if (state >> (sizeof(letters) - 1))
		text[size++] = '+';
	sqlite3_result_text(to, text, size, SQLITE_TRANSIENT);
}

static void give_slice(struct tring_sql_cursor *cursor, sqlite3_context *to, int column)
{
	if (column == END_STATE)
		give_end_state(row_of(cursor), to);
	else if (column == SLICE_OPEN)
		sqlite3_result_int(to, row_of(cursor)->ended.open);
	else
		give_common(cursor, to, column);
}

static int begin_slices(struct tring_sql_cursor *cursor)
{
	return begin(cursor, TRING_ENDED_RUN, tring_table_sched.lacks);
}

const struct tring_sql_kind tring_sql_slices = {
	.columns	= slices_columns,
	.about		= "times in which a task ran; pid 0 is the idle task",
	.begin		= begin_slices,
	.next		= next,
	.column		= give_slice,
	.end		= end,
};

/* A task that waits has no CPU. */
enum { STATE = COMMON_COLUMNS, WAKER, WAKER_COMM, WAIT_OPEN, WAITS_COLUMNS };

static const struct tring_sql_column waits_columns[] = {
	COMMON,
	[STATE] = { "state", "TEXT", TRING_ROLE_NONE },
	[WAKER] = { "waker", "INTEGER", TRING_ROLE_NONE },
	[WAKER_COMM] = { "waker_comm", "TEXT", TRING_ROLE_NONE },
	[WAIT_OPEN] = { "open", "INTEGER", TRING_ROLE_NONE },
	[WAITS_COLUMNS] = { NULL, NULL, TRING_ROLE_NONE },
};

static void give_wait(struct tring_sql_cursor *cursor, sqlite3_context *to, int column)
{
	static const char * const states[TRING_TASK_STATES] = {
		[TRING_TASK_WAITING] = "runnable",
		[TRING_TASK_BLOCKED] = "blocked",
		[TRING_TASK_UNKNOWN] = "unknown",
	};
	const struct row *row = row_of(cursor);

	switch (column) {
	case STATE:
		tring_sql_text(to, states[row->ended.state]);
		break;
	case WAKER:
		tring_sql_pid(to, row->ended.waker);
		break;
	case WAKER_COMM:
		tring_sql_text(to, row->waker);
		break;
	case WAIT_OPEN:
		sqlite3_result_int(to, row->ended.open);
		break;
	default:
		give_common(cursor, to, column);
		break;
	}
}

static int begin_waits(struct tring_sql_cursor *cursor)
{
	return begin(cursor, TRING_ENDED_WAIT, tring_table_wakeup.lacks);
}

const struct tring_sql_kind tring_sql_waits = {
	.columns	= waits_columns,
	.about		= "times in which a task waited: for a CPU, or for a waker",
	.begin		= begin_waits,
	.next		= next,
	.column		= give_wait,
	.end		= end,
};

enum { KIND = COMMON_COLUMNS, NUMBER, NAME, IRQS_COLUMNS };

static const struct tring_sql_column irqs_columns[] = {
	COMMON,
	[KIND] = { "kind", "TEXT", TRING_ROLE_NONE },
	[NUMBER] = { "number", "INTEGER", TRING_ROLE_NONE },
	[NAME] = { "name", "TEXT", TRING_ROLE_NONE },
	[IRQS_COLUMNS] = { NULL, NULL, TRING_ROLE_NONE },
};

static void give_irq(struct tring_sql_cursor *cursor, sqlite3_context *to, int column)
{
	const struct row *row = row_of(cursor);

	switch (column) {
	case KIND:
		tring_sql_text(to, row->ended.level == TRING_SOFTIRQ ? "softirq" : "irq");
		break;
	case NUMBER:
		if (row->number <= INT32_MAX)
			sqlite3_result_int64(to, row->number);
		break;
	case NAME:
		tring_sql_text(to, row->name);
		break;
	default:
		give_common(cursor, to, column);
		break;
	}
}

static int begin_irqs(struct tring_sql_cursor *cursor)
{
	return begin(cursor, TRING_ENDED_INTERRUPT, irqs_lack);
}

const struct tring_sql_kind tring_sql_irqs = {
	.columns	= irqs_columns,
	.about		= "interrupts and softirqs, and the task that was interrupted",
	.begin		= begin_irqs,
	.next		= next,
	.column		= give_irq,
	.end		= end,
};

enum { CALL_NUMBER = COMMON_COLUMNS, CALL_NAME, ARGUMENTS, RESULT, CALLS_COLUMNS };

static const struct tring_sql_column calls_columns[] = {
	COMMON,
	[CALL_NUMBER] = { "number", "INTEGER", TRING_ROLE_NONE },
	[CALL_NAME] = { "name", "TEXT", TRING_ROLE_NONE },
	[ARGUMENTS] = { "arguments", "TEXT", TRING_ROLE_NONE },
	[RESULT] = { "result", "INTEGER", TRING_ROLE_NONE },
	[CALLS_COLUMNS] = { NULL, NULL, TRING_ROLE_NONE },
};

static void give_call(struct tring_sql_cursor *cursor, sqlite3_context *to, int column)
{
	const struct row *row = row_of(cursor);

	switch (column) {
	case CALL_NUMBER:
		sqlite3_result_int64(to, row->number);
		break;
	case CALL_NAME:
		tring_sql_text(to, row->name);
		break;
	case ARGUMENTS:
		tring_sql_text(to, row->text);
		break;
	case RESULT:
		if (row->ended.result != TRING_NO_RESULT)
			sqlite3_result_int64(to, row->ended.result);
		break;
	default:
		give_common(cursor, to, column);
		break;
	}
}

static int begin_calls(struct tring_sql_cursor *cursor)
{
	return begin(cursor, TRING_ENDED_CALL, tring_table_syscall.lacks);
}

const struct tring_sql_kind tring_sql_syscalls = {
	.columns	= calls_columns,
	.about		= "system calls that have returned",
	.begin		= begin_calls,
	.next		= next,
	.column		= give_call,
	.end		= end,
};

enum { MARK_PROCESS = COMMON_COLUMNS, MARK_NAME, MARK_NUMBER, MARKS_COLUMNS };

static const struct tring_sql_column spans_columns[] = {
	COMMON,
	[MARK_PROCESS] = { "process", "INTEGER", TRING_ROLE_NONE },
	[MARK_NAME] = { "name", "TEXT", TRING_ROLE_NONE },
	[MARK_NUMBER] = { "depth", "INTEGER", TRING_ROLE_NONE },
	[MARKS_COLUMNS] = { NULL, NULL, TRING_ROLE_NONE },
};

static const struct tring_sql_column counters_columns[] = {
	COMMON,
	[MARK_PROCESS] = { "process", "INTEGER", TRING_ROLE_NONE },
	[MARK_NAME] = { "name", "TEXT", TRING_ROLE_NONE },
	[MARK_NUMBER] = { "value", "INTEGER", TRING_ROLE_NONE },
	[MARKS_COLUMNS] = { NULL, NULL, TRING_ROLE_NONE },
};

static void give_mark(struct tring_sql_cursor *cursor, sqlite3_context *to, int column)
{
	const struct row *row = row_of(cursor);

	if (column == MARK_PROCESS)
		sqlite3_result_int64(to, row->number);
	else if (column == MARK_NAME)
		tring_sql_text(to, row->name);
	else if (column == MARK_NUMBER)
		sqlite3_result_int64(to, row->ended.result);
	else
		give_common(cursor, to, column);
}

static int begin_spans(struct tring_sql_cursor *cursor)
{
	return begin(cursor, TRING_ENDED_SPAN, NULL);
}

static int begin_counters(struct tring_sql_cursor *cursor)
{
	return begin(cursor, TRING_ENDED_COUNTER, NULL);
}

const struct tring_sql_kind tring_sql_spans = {
	.columns	= spans_columns,
	.about		= "spans that programs have marked",
	.begin		= begin_spans,
	.next		= next,
	.column		= give_mark,
	.end		= end,
};

const struct tring_sql_kind tring_sql_counters = {
	.columns	= counters_columns,
	.about		= "values of counters that programs have marked",
	.begin		= begin_counters,
	.next		= next,
	.column		= give_mark,
	.end		= end,
};

enum {
	TASK_PID, TASK_COMM, RUNNING, RUNNABLE, BLOCKED, UNKNOWN, SWITCHES, MIGRATIONS,
	TASKS_COLUMNS
};

static const struct tring_sql_column tasks_columns[] = {
	[TASK_PID] = { "pid", "INTEGER", TRING_ROLE_NONE },
	[TASK_COMM] = { "comm", "TEXT", TRING_ROLE_NONE },
	[RUNNING] = { "running", "INTEGER", TRING_ROLE_NONE },
	[RUNNABLE] = { "runnable", "INTEGER", TRING_ROLE_NONE },
	[BLOCKED] = { "blocked", "INTEGER", TRING_ROLE_NONE },
	[UNKNOWN] = { "unknown", "INTEGER", TRING_ROLE_NONE },
	[SWITCHES] = { "switches", "INTEGER", TRING_ROLE_NONE },
	[MIGRATIONS] = { "migrations", "INTEGER", TRING_ROLE_NONE },
	[TASKS_COLUMNS] = { NULL, NULL, TRING_ROLE_NONE },
};

/* The sums are known when all was read. */
static int begin_tasks(struct tring_sql_cursor *cursor)
{
	int error = begin(cursor, TRING_ENDED_RUN, tring_table_sched.lacks);

	if (error)
		return error;
	cursor->rows->walk.top.ended = NULL;
	while (tring_top_walk_step(&cursor->rows->walk, &cursor->item))
		;
	cursor->rows->at = SIZE_MAX;
	return 0;
}

static void next_task(struct tring_sql_cursor *cursor)
{
	cursor->at_end = ++cursor->rows->at >= cursor->rows->walk.top.tasks.count;
}

static void give_task(struct tring_sql_cursor *cursor, sqlite3_context *to, int column)
{
	const struct tring_top *top = &cursor->rows->walk.top;
	const struct tring_task *task = top->tasks.list[cursor->rows->at];
	const enum tring_task_state states[] = {
		[RUNNING] = TRING_TASK_RUNNING, [RUNNABLE] = TRING_TASK_WAITING,
		[BLOCKED] = TRING_TASK_BLOCKED, [UNKNOWN] = TRING_TASK_UNKNOWN,
	};

	switch (column) {
	case TASK_PID:
		tring_sql_pid(to, task->pid);
		break;
	case TASK_COMM:
		tring_sql_text(to, tring_comm(cursor->trace, task->pid));
		break;
	case SWITCHES:
		sqlite3_result_int64(to, task->switches);
		break;
	case MIGRATIONS:
		sqlite3_result_int64(to, task->migrations);
		break;
	default:
		tring_sql_time(to, cursor->trace, task->times[states[column]]);
		break;
	}
}

const struct tring_sql_kind tring_sql_tasks = {
	.columns	= tasks_columns,
	.about		= "the tasks, and the sums of their times",
	.begin		= begin_tasks,
	.next		= next_task,
	.column		= give_task,
	.end		= end,
};
