// SPDX-License-Identifier: GPL-2.0
/* Description: the tables of a trace in SQL, and what losses, conditions and bad queries give. */
#include "top_trace.h"

/* Times are microseconds behind 1 s. */
#define AT(us)	(1000000000 + (us) * 1000ull)

static struct builder builder;

/* Task 100 is woken by 200; behind 4000 us five events are lost. */
static void make(const char *dir)
{
	top_make(dir, false);
	build_init(&builder, false, 0);
	build_begin(&builder, AT(0));
	top_change(&builder, AT(0), 0, 0, 100);
	put_u64(top_call(&builder, AT(100), AT(130), 100, 7, -2) + 16, 0x2a, false);
	top_change(&builder, AT(1000), 100, 1, 200);
	top_interrupt(&builder, AT(1200), AT(1210), 200, 5, "=e\"t,|0");
	top_waking(&builder, AT(2000), 200, 100);
	top_change(&builder, AT(2500), 200, 0x100, 100);
	top_change(&builder, AT(4000), 100, 1, 0);
	build_end(&builder);
	builder.seq++;
	builder.discarded = 5;
	build_begin(&builder, AT(9000));
	top_change(&builder, AT(9000), 0, 0, 100);
	top_change(&builder, AT(9500), 100, 1, 0);
	build_end(&builder);
	top_write(dir, &builder, 11, 0, 5);
}

#define SQL	"$TRING sql -o csv %s \"%s\" 2>/dev/null"

static void check_rows(const char *dir, const char *query, const char *wanted)
{
	char *output = output_of(0, SQL, dir, query);

	check_equal(output, wanted, query);
	free(output);
}

/* The second one has no loss in what it reads. */
#define ON_PID		"WHERE a.next_pid = b.prev_pid"
#define PAIRS		"SELECT count(*) FROM sched_switch a, sched_switch b " ON_PID
#define IDLE		"common_pid = 0"
#define SAME_WAIT	"a.rowid = b.rowid AND a.from_ts = b.from_ts AND a.pid = b.pid"
#define BEFORE_LOSS	"SELECT 1 FROM events WHERE ts < 1003000000 LIMIT 1"

static void check_tables(const char *dir)
{
	char *output;

	check_rows(dir, "SELECT count(*) FROM events", "count(*)\n11\n");
	check_rows(dir, "SELECT from_ts, to_ts, duration, cpu, pid, end_state, open FROM slices",
		   "from_ts,to_ts,duration,cpu,pid,end_state,open\n"
		   "1000000000,1001000000,1000000,0,100,S,0\n"
		   "1001000000,1002500000,1500000,0,200,R+,0\n"
		   "1002500000,1004000000,1500000,0,100,S,0\n"
		   "1009000000,1009500000,500000,0,100,S,0\n");
	check_rows(dir, "SELECT from_ts, to_ts, pid, state, waker, open FROM waits",
		   "from_ts,to_ts,pid,state,waker,open\n"
		   "1001000000,1002000000,100,blocked,200,0\n"
		   "1002000000,1002500000,100,runnable,200,0\n"
		   "1002500000,1004000000,200,runnable,,0\n"
		   "1004000000,1009000000,100,unknown,,0\n"
		   "1004000000,1009500000,200,unknown,,1\n");
	check_rows(dir, "SELECT from_ts, duration, pid, number, name, result FROM syscalls",
		   "from_ts,duration,pid,number,name,result\n1000100000,30000,100,7,,-2\n");
	check_rows(dir, "SELECT kind, number, name, duration FROM irqs",
		   "kind,number,name,duration\nirq,5,\"'=e\"\"t,|0\",10000\n");
	check_rows(dir, "SELECT * FROM losses",
		   "from_ts,to_ts,cpu,events,packets\n1004000000,1009000000,0,5,1\n");
	check_rows(dir, "SELECT pid, running, runnable, blocked, unknown FROM tasks",
		   "pid,running,runnable,blocked,unknown\n"
		   "100,3000000,500000,1000000,5000000\n"
		   "200,1500000,1500000,0,5500000\n");
	check_rows(dir, "SELECT value FROM info WHERE key = 'clock'", "value\nmono\n");
	check_rows(dir, "SELECT text FROM events WHERE name = 'sys_enter'",
		   "text\n\"NR 7 (2a, 0, 0, 0, 0, 0)\"\n");
	check_rows(dir, "SELECT next_pid FROM sched_switch WHERE common_pid = 200",
		   "next_pid\n100\n");
	check_rows(dir, "SELECT count(*) FROM events WHERE name = 'nosuch' OR ts IS NULL",
		   "count(*)\n0\n");
	check_rows(dir, "SELECT count(*) FROM events WHERE name = 'SCHED_SWITCH' COLLATE NOCASE",
		   "count(*)\n6\n");
	check_rows(dir, "SELECT count(*) FROM events WHERE ts > 1002000000 AND ts < 1001000000",
		   "count(*)\n0\n");
	/* a row that one side of it does not find is found by the other one */
	check_rows(dir, "SELECT count(*) FROM sched_switch WHERE common_ts > 1003e6 OR " IDLE,
		   "count(*)\n4\n");
	check_rows(dir, "SELECT count(*) FROM sched_switch WHERE common_cpu = 0 OR " IDLE,
		   "count(*)\n6\n");
	/* here each side is read alone, and they share a row */
	check_rows(dir, "SELECT count(*) FROM events WHERE ts < 1001200000 OR ts > 1001100000",
		   "count(*)\n11\n");
	check_rows(dir, "SELECT count(*) FROM events WHERE ts < 1001200000 OR ts > 1002500000",
		   "count(*)\n7\n");
	check_rows(dir, "SELECT count(DISTINCT rowid) FROM events", "count(DISTINCT rowid)\n11\n");
	check_rows(dir, "SELECT count(*) FROM waits a JOIN waits b ON " SAME_WAIT,
		   "count(*)\n5\n");
	check_rows(dir, "SELECT count(*) FROM waits WHERE pid = 200 OR state = 'unknown'",
		   "count(*)\n3\n");
	/* a name is known wherever a query uses it, also if it is not printed */
	check_rows(dir, "SELECT count(*) FROM sched_switch WHERE common_comm = 'task100'",
		   "count(*)\n3\n");
	check_rows(dir, "SELECT irq, common_comm FROM irq_handler_entry ORDER BY common_comm",
		   "irq,common_comm\n5,task200\n");
	check_rows(dir, "SELECT waker_comm FROM waits WHERE state = 'blocked'",
		   "waker_comm\ntask200\n");
	/* two cursors at the same time */
	check_rows(dir, PAIRS, "count(*)\n14\n");
	/* however often they read the place of a loss */
	check_run(0, ", at least 5 events were lost, in 1 places",
		  "$TRING sql %s '" PAIRS "'", dir);
	/* a join reads tasks once, not for each row of the other table, and tells of the loss */
	check_run(0, "read, 5 events were lost, in 1 places",
		  "$TRING sql %s 'SELECT count(*) FROM info CROSS JOIN tasks'", dir);
	check_rows(dir, "SELECT count(*), sum(waits.duration) FROM waits JOIN tasks USING (pid)",
		   "count(*),sum(waits.duration)\n5,13500000\n");
	/* the exit status is not that of losses */
	check_run(0, "5 events were lost, in 1 places",
		  "$TRING sql %s 'SELECT count(*) FROM waits'", dir);
	output = output_of(0, "$TRING sql %s '" BEFORE_LOSS "' 2>&1", dir);
	check_equal(output, "1\n-\n1\n", "no loss in what was read");
	free(output);
}

static void check_forms(const char *dir)
{
	check_run(0, "[{\"name\":\"=e\\\"t,|0\",\"n\":null,\"x\":1.5}]\n",
		  "$TRING sql -o json %s 'SELECT name, NULL AS n, 1.5 AS x FROM irqs'", dir);
	check_run(0, "[{\"x\":null,\"y\":-2.5e+30}]\n",
		  "$TRING sql -o json %s 'SELECT -9e999 AS x, -2.5e30 AS y'", dir);
	check_run(0, "[]\n", "$TRING sql -o json %s 'SELECT pid FROM irqs WHERE pid = 9'", dir);
	check_run(0, "| name |\n| --- |\n| =e\"t,\\|0 |\n",
		  "$TRING sql -o md %s 'SELECT name FROM irqs'", dir);
	check_run(0, "name     number\n-------  ------\n=e\"t,|0       5\n",
		  "$TRING sql %s 'SELECT name, number FROM irqs'", dir);
	/* nothing reaches a terminal as it is */
	check_run(0, "\\x1b[2J", "$TRING sql %s \"SELECT char(27) || '[2J'\"", dir);
	check_run(0, "two\n",
		  "printf 'SELECT 1 AS one;\\nSELECT 2\\n AS two' | $TRING sql %s", dir);
	check_run(0, "CREATE TABLE \"sched_switch\" (\"common_ts\" INTEGER, ",
		  "$TRING sql --schema %s", dir);
	check_run(0, "", "$TRING sql --schema %s >%s.sql", dir, dir);
}

/* A table that nothing can be in is an error, which tells what to record. */
static void check_lacking(void)
{
	static const char * const tables[][2] = {
		{ "waits", "sched_switch,sched_waking,sched_wakeup,sched_wakeup_new" },
		{ "irqs", "irq_handler_entry,irq_handler_exit" },
		{ "syscalls", "syscalls" },
	};
	static const char text[] =
		"tring sql: the trace has no events for the table %s: tring record -e %s\n";
	char *bare = make_path("%s/bare", temp_dir());
	size_t i;

	make_trace(bare, false);
	for (i = 0; i < COUNT(tables); i++)
		check_run(1, make_path(text, tables[i][0], tables[i][1]),
			  "$TRING sql %s 'SELECT count(*) FROM %s'", bare, tables[i][0]);
}

#define RENAME		"sed -i 's/^name.*/name: SCHED_switch_2/;s/^ID.*/ID: 60000/' %s/S*/format"
#define SECOND		"SELECT count(*) FROM sched_switch_2_2"
#define SECOND_TABLE	": sched:sched_switch\nCREATE TABLE \"sched_switch_2_2\" ("

/* An event of the first trace has a name that the second one's table would get. */
static void check_same_names(const char *dir)
{
	char *names = make_path("%s.named/tring/events/sched", dir);

	check_run(0, "", "cp -r %s %s.named", dir, dir);
	check_run(0, "", "cp -r %s/sched_switch %s/SCHED_switch_2", names, names);
	check_run(0, "", RENAME, names);
	check_run(0, "count(*)\n6\n", "$TRING sql -o csv %s.named %s '" SECOND "'", dir, dir);
	check_run(0, SECOND_TABLE, "$TRING sql --schema %s.named %s", dir, dir);
}

/* Fields whose names SQLite takes for the same one, or for another column. */
static void check_fields(const char *dir)
{
	char *format = make_path("%s.fields/tring/events/sched/sched_switch/format", dir);

	check_run(0, "", "cp -r %s %s.fields", dir, dir);
	check_run(0, "", "sed -i 's/prev_prio;/PREV_PID;/;s/next_prio;/common_ts;/' %s", format);
	check_run(0, "max(prev_pid),max(PREV_PID_),max(common_ts_)\n200,0,0\n",
		  "$TRING sql -o csv %s.fields '%s FROM sched_switch'", dir,
		  "SELECT max(prev_pid), max(PREV_PID_), max(common_ts_)");
}

/* Two traces, the second of which has events of its own, and a loss that the first one has not. */
static void check_several(const char *dir)
{
	static const char counts[] =
		"SELECT count(*) FROM events UNION ALL SELECT count(*) FROM events_2";
	char *bare = make_path("%s/bare", temp_dir());

	/* the first one has no end */
	check_run(1, "count(*)\n0\n11\n", "$TRING sql -o csv %s %s '%s' 2>/dev/null", bare, dir,
		  counts);
	check_run(0, "5 events were lost, in 1 places",
		  "$TRING sql %s %s 'SELECT count(*) FROM sched_switch_2'", bare, dir);
	check_run(0, "CREATE TABLE \"tlb_flush_2\" (", "$TRING sql --schema %s %s", bare, dir);
	check_run(0, "one\n1\n", "printf 'SELECT 1 AS one' | $TRING sql -o csv %s %s", bare, dir);
	check_run(1, "No such file or directory", "$TRING sql %s %s/none 'SELECT 1'", dir, dir);
	check_same_names(dir);
	check_fields(dir);
}

static void check_errors(const char *dir)
{
	static const char no_table[] =
		"nosuch; --schema has all, those of events by \"tring record -e nosuch\"";

	check_run(1, no_table, "$TRING sql %s 'SELECT 1 FROM nosuch'", dir);
	check_run(1, "no such column: x", "$TRING sql %s 'SELECT x FROM events'", dir);
	check_run(1, "no such column: sched; a text stands in single quotes",
		  "$TRING sql %s 'SELECT 1 FROM events WHERE system = \"sched\"'", dir);
	check_lacking();
	check_several(dir);
	check_run(1, "syntax error", "$TRING sql %s 'SELEC 1'", dir);
	check_run(1, "may not be modified", "$TRING sql %s 'DELETE FROM events'", dir);
	check_run(1, "No such file or directory", "$TRING sql %s/none 'SELECT 1'", dir);
	check_run(2, "table, csv, json or md", "$TRING sql -o xml %s 'SELECT 1'", dir);
}

/* What a condition excludes is not read: not even what is damaged there. */
static void check_conditions(const char *dir)
{
	char *packets = make_path("%s/cpu0", dir);
	size_t size = builder.start + TRING_PACKET_HEADER_SIZE;

	check_run(0, "", "printf '\\377' | dd of=%s bs=1 seek=%zu conv=notrunc", packets, size);
	check_run(1, "", "$TRING sql %s 'SELECT count(*) FROM sched_switch'", dir);
	check_rows(dir, "SELECT count(*) FROM sched_switch WHERE common_ts < 1002000000",
		   "count(*)\n2\n");
	check_rows(dir, "SELECT count(*) FROM sched_switch WHERE common_cpu = 3", "count(*)\n0\n");
}

/* A trace of which a file is missing, or the end, is not whole. */
static void check_incomplete(const char *dir)
{
	static const char *const queries[] = {
		"SELECT count(*) FROM events", "SELECT count(*) FROM slices",
		"SELECT count(*) FROM tasks", "SELECT count(*) FROM losses",
	};
	size_t i;

	check_run(0, "", "cp -r %s %s.part && rm %s.part/cpu0", dir, dir, dir);
	check_run(0, "", "cp -r %s %s.killed && rm %s.killed/tring/cpu0.end", dir, dir, dir);
	for (i = 0; i < COUNT(queries); i++) {
		check_run(1, "11 of 11 recorded events are missing", "$TRING sql %s.part '%s'", dir,
			  queries[i]);
		check_run(1, "the recording has no end", "$TRING sql %s.killed '%s'", dir,
			  queries[i]);
	}
	/* one with less to check came first */
	check_run(1, "11 of 11 recorded events are missing", "$TRING sql %s.part '%s; %s'",
		  dir, "SELECT count(*) FROM events WHERE ts < 1001000000", queries[0]);
	/* what was not read need not be there */
	check_run(0, "mono", "$TRING sql %s.part 'SELECT * FROM info'", dir);
	check_run(0, "", "$TRING sql %s.killed 'SELECT ts FROM events LIMIT 1'", dir);
}

/* The shell of SQLite, which has no sanitizer. */
#define PRELOAD	"LD_PRELOAD=$(cc -print-file-name=libasan.so) "
#define SQLITE	PRELOAD "sqlite3 -cmd \".load ${TRING%%/*}/tringsql\" :memory:"

static void check_extension(const char *dir)
{
	check_run(0, "11\n", SQLITE " \"SELECT tring_open('%s')\" 'SELECT count(*) FROM events'",
		  dir);
	check_run(0, "11\n", SQLITE " \"SELECT tring_open('%s'), tring_open('%s')\" '%s'", dir, dir,
		  "SELECT count(*) FROM events_2");
	check_run(1, "none: No such file or directory", SQLITE " \"SELECT tring_open('%s/none')\"",
		  dir);
}

int main(void)
{
	char *dir = make_path("%s/trace", temp_dir());

	make(dir);
	check_tables(dir);
	check_forms(dir);
	check_errors(dir);
	check_incomplete(dir);
	if (have("sqlite3"))
		check_extension(dir);
	check_conditions(dir);
	return 0;
}
