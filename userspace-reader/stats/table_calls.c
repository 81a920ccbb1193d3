// SPDX-License-Identifier: GPL-2.0
/* Tables: the system calls of each task, and the bytes that it has read and written by them. */
#include <inttypes.h>
#include <string.h>

#include "tables.h"
#include "util/util.h"

enum { PID, COUNT, TOTAL, MOST, FAILED, CALL, NUMBER, MEAN, AT, UNKNOWN };

static const struct tring_column calls_columns[] = {
	[PID] = { "pid", TRING_UNIT_COUNT, 7, true },
	[COUNT] = { "count", TRING_UNIT_COUNT, 7, false },
	[TOTAL] = { "total-ms", TRING_UNIT_MS, 10, false },
	[MOST] = { "max-us", TRING_UNIT_US, 11, false },
	[FAILED] = { "failed", TRING_UNIT_COUNT, 6, false },
	[CALL] = { "call", TRING_UNIT_TEXT, 15, true },
	[NUMBER] = { "nr", TRING_UNIT_COUNT, 0, true },
	[MEAN] = { "mean-us", TRING_UNIT_US, 0, false },
	[AT] = { "max-at", TRING_UNIT_STAMP, 0, true },
	[UNKNOWN] = { "unknown", TRING_UNIT_COUNT, 0, false },
	TRING_TASK_COLUMNS(UNKNOWN),
};

/* Return: the call of all tasks, which has a name if the trace tells one. */
static const struct tring_span *find_call(struct tring_top *top, const struct tring_span *own)
{
	return tring_spans_get(&top->calls, own->number, "", 0);
}

/**
 * tring_table_call - get a name for a system call
 * @top: all tables
 * @task: a task, which keeps the name if the trace tells none
 * @call: the call, of any task
 *
 * Return: the name, or the number as report prints it.
 */
const char *tring_table_call(struct tring_top *top, struct tring_task *task,
			     const struct tring_span *call)
{
	const struct tring_span *all = find_call(top, call);
	struct tring_span *own = tring_spans_get(&task->calls, call->number, "", 0);

	if (!all->name && !own->name)
		own->name = tring_format("NR %" PRId64, call->number);
	return all->name ? all->name : own->name;
}

static void add_call(struct tring_rows *rows, const struct tring_top *top,
		     const struct tring_task *task, const struct tring_span *own,
		     const char *name)
{
	const struct tring_timing *timing = &own->timing;
	const bool some = timing->count;
	struct tring_row row = { .values = {
		[PID] = task->pid,
		[COUNT] = timing->count,
		[TOTAL] = timing->total,
		[MOST] = some ? timing->most : TRING_NO_VALUE,
		[FAILED] = own->failed,
		[CALL] = tring_value_of_text(name),
		[NUMBER] = own->number < 0 ? TRING_NO_VALUE : (uint64_t)own->number,
		[MEAN] = some ? timing->total / timing->count : TRING_NO_VALUE,
		[AT] = some ? timing->most_at : TRING_NO_VALUE,
		[UNKNOWN] = timing->unknown,
	} };

	tring_table_add(top, rows, task, &row);
}

static void add_calls(struct tring_rows *rows, struct tring_top *top, struct tring_task *task)
{
	size_t i;

	for (i = 0; i < task->calls.count; i++) {
		const struct tring_span *own = task->calls.list[i];

		if (find_call(top, own)->wanted && (own->timing.count || own->timing.unknown))
			add_call(rows, top, task, own, tring_table_call(top, task, own));
	}
}

static void show_calls(struct tring_top *top, const struct tring_table *table)
{
	struct tring_rows rows;
	size_t i;

	tring_table_rows(top, table, &rows);
	for (i = 0; i < top->tasks.count; i++)
		if (tring_table_wants(top, top->tasks.list[i]))
			add_calls(&rows, top, top->tasks.list[i]);
	tring_rows_show(&rows);
	tring_rows_free(&rows);
}

const struct tring_table tring_table_calls = {
	.name = "calls",
	.title = "System calls of each task",
	TRING_COLUMNS(calls_columns),
	.text = "task",
	.sort = "total-ms",
	.record = "syscalls",
	.sums = true,
	.needs = { { TRING_KIND_RAW_ENTER, TRING_KIND_RAW_EXIT },
		   { TRING_KIND_CALL_ENTER, TRING_KIND_CALL_EXIT } },
	.show = show_calls,
};

enum { IO_PID, READS, READ_BYTES, WRITES, WRITTEN_BYTES, IO_UNKNOWN, IO_COLUMNS };

static const struct tring_column io_columns[] = {
	[IO_PID] = { "pid", TRING_UNIT_COUNT, 7, true },
	[READS] = { "reads", TRING_UNIT_COUNT, 8, false },
	[READ_BYTES] = { "read-bytes", TRING_UNIT_COUNT, 13, false },
	[WRITES] = { "writes", TRING_UNIT_COUNT, 8, false },
	[WRITTEN_BYTES] = { "written-bytes", TRING_UNIT_COUNT, 13, false },
	[IO_UNKNOWN] = { "unknown", TRING_UNIT_COUNT, 7, false },
	TRING_TASK_COLUMNS(IO_UNKNOWN),
};

/* Calls that return a number of bytes. */
#define BOTH	"sendfile", "sendfile64", "splice", "tee", "copy_file_range"
static const char *const readers[] = {
	"read", "pread64", "readv", "preadv", "preadv2", "recvfrom", "recvmsg", "recv", BOTH, NULL,
};

static const char *const writers[] = {
	"write", "pwrite64", "writev", "pwritev", "pwritev2", "sendto", "sendmsg", "send",
	"vmsplice", BOTH, NULL,
};

static bool is_among(const char *const *names, const char *name)
{
	while (*names && strcmp(*names, name))
		names++;
	return *names;
}

static void add_bytes(struct tring_row *row, const struct tring_span *own, const char *name)
{
	const bool reads = is_among(readers, name), writes = is_among(writers, name);

	if (reads) {
		row->values[READS] += own->timing.count;
		row->values[READ_BYTES] += own->returned;
	}
	if (writes) {
		row->values[WRITES] += own->timing.count;
		row->values[WRITTEN_BYTES] += own->returned;
	}
	if (reads || writes)
		row->values[IO_UNKNOWN] += own->timing.unknown;
}

static void show_io(struct tring_top *top, const struct tring_table *table)
{
	struct tring_row sum = { .values = { [IO_PID] = TRING_NO_VALUE } };
	struct tring_rows rows;
	char name[] = "all";
	size_t i, j;

	tring_table_rows(top, table, &rows);
	for (i = 0; i < top->tasks.count; i++) {
		const struct tring_task *task = top->tasks.list[i];
		struct tring_row row = { .values = { [IO_PID] = task->pid } };

		for (j = 0; j < task->calls.count; j++) {
			const struct tring_span *own = task->calls.list[j];
			const struct tring_span *call = find_call(top, own);

			if (call->wanted && call->name)
				add_bytes(&row, own, call->name);
		}
		if (!(row.values[READS] | row.values[WRITES] | row.values[IO_UNKNOWN]) ||
		    !tring_table_wants(top, task))
			continue;
		for (j = READS; j < IO_COLUMNS; j++)
			sum.values[j] += row.values[j];
		tring_table_add(top, &rows, task, &row);
	}
	tring_rows_show(&rows);
	sum.text = name;
	if (rows.all > 1 && !top->json)
		tring_rows_line(&rows, &sum);
	tring_rows_free(&rows);
}

const struct tring_table tring_table_io = {
	.name = "io",
	.title = "Bytes that each task has read and written",
	TRING_COLUMNS(io_columns),
	.text = "task",
	.sort = "written-bytes",
	.record = "syscalls",
	.sums = true,
	/* the events of raw_syscalls do not tell the names of the calls */
	.needs = { { TRING_KIND_CALL_ENTER, TRING_KIND_CALL_EXIT } },
	.show = show_io,
};
