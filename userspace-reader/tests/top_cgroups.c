// SPDX-License-Identifier: GPL-2.0
/* Description: tables tell each task's cgroup, unit and command line, from snapshots and events. */
#include <unistd.h>

#include "top_trace.h"

#define FORK	"\tfield:pid_t parent_pid;\toffset:8;\tsize:4;\tsigned:1;\n" \
		"\tfield:pid_t child_pid;\toffset:12;\tsize:4;\tsigned:1;\n"
#define ATTACH	"\tfield:int dst_root;\toffset:8;\tsize:4;\tsigned:1;\n" \
		"\tfield:int pid;\toffset:12;\tsize:4;\tsigned:1;\n" \
		"\tfield:__data_loc char[] dst_path;\toffset:16;\tsize:4;\tsigned:0;\n" \
		"\tfield:__data_loc char[] comm;\toffset:20;\tsize:4;\tsigned:0;\n"
#define FIXED	24
#define EXEC	"\tfield:__data_loc char[] filename;\toffset:8;\tsize:4;\tsigned:0;\n" \
		"\tfield:pid_t pid;\toffset:12;\tsize:4;\tsigned:1;\n"

/* A thread, 101, is in no line of cgroups. The second part's snapshot is that of the end. */
#define BEGIN	"snapshot\n"							\
		"cgroup 100 /system.slice/a.service\ncommand 100 server: writes\n" \
		"thread 101 100\n"						\
		"cgroup 200 /user.slice/user-1.slice/session-3.scope\n"		\
		"command 200 server: reads \033[31m red\n"			\
		"cgroup 600 /old\ncommand 600 old\n"
#define END	"snapshot\n"							\
		"cgroup 300 /late.slice\ncgroup 400 /init.scope\ncommand 100 server: stops\n"

static struct builder builder;

static void fork_task(uint64_t stamp, int32_t parent, int32_t child)
{
	uint8_t *payload = build_record(&builder, stamp, 801, parent, 16);

	put_u32(payload + 8, parent, builder.big_endian);
	put_u32(payload + 12, child, builder.big_endian);
}

static void execute(uint64_t stamp, int32_t pid)
{
	uint8_t *payload = build_record(&builder, stamp, 803, pid, 18);

	put_u32(payload + 8, 2 << 16 | 16, builder.big_endian);
	put_u32(payload + 12, pid, builder.big_endian);
	strcpy((char *)payload + 16, "x");
}

static void attach(uint64_t stamp, uint32_t root, int32_t pid, const char *path)
{
	const size_t size = strlen(path) + 1;
	uint8_t *payload = build_record(&builder, stamp, 802, 100, FIXED + size + 1);

	put_u32(payload + 8, root, builder.big_endian);
	put_u32(payload + 12, pid, builder.big_endian);
	put_u32(payload + 16, size << 16 | FIXED, builder.big_endian);
	put_u32(payload + 20, 1 << 16 | (FIXED + size), builder.big_endian);
	memcpy(payload + FIXED, path, size);
}

/* Each task runs for 1 us. @moves: events tell of them */
static char *make(bool order, bool moves)
{
	static const int32_t pids[] = { 100, 101, 200, 300, 400, 500, 600, 700 };
	char *dir = make_path("%s/%s-%s", temp_dir(), order ? "be" : "le", moves ? "moves" : "no");
	unsigned int i, events = COUNT(pids) + 4;

	top_make(dir, order);
	top_format(dir, "sched", "sched_process_fork", 801, FORK);
	top_format(dir, "sched", "sched_process_exec", 803, EXEC);
	if (moves)
		top_format(dir, "cgroup", "cgroup_attach_task", 802, ATTACH);
	write_metadata(dir, order);
	write_extra(dir, "tasks", BEGIN END);
	build_init(&builder, order, 0);
	build_begin(&builder, 1000);
	fork_task(1000, 100, 300);
	fork_task(1005, 100, 700);
	/* of the first one the end has found what it has become */
	execute(1010, 100);
	execute(1020, 600);
	if (moves) {
		events += 4;
		attach(1100, 0, 300, "/system.slice/b.service/inner");
		attach(1200, 0, 100, "/docker/0123");
		/* another hierarchy; and a pid that no snapshot has */
		attach(1300, 1, 200, "/other");
		attach(1400, 0, 500, "/x.slice/_c.socket");
	}
	for (i = 0; i < COUNT(pids); i++) {
		uint8_t *payload = top_change(&builder, 2000 + 1000 * i, i ? pids[i - 1] : 0, 0,
					      pids[i]);

		strcpy((char *)payload + 8, i == 2 ? "helper" : "server");
		strcpy((char *)payload + 40, i == 1 ? "helper" : "server");
	}
	build_end(&builder);
	top_write(dir, &builder, events, 0, 0);
	return dir;
}

#define ROW	"\"unit\":%s,\"cgroup\":%s,\"command\":%s,"

static void check_task(const char *dir, const char *pid, const char *unit, const char *cgroup,
		       const char *command)
{
	char *json = output_of(0, "$TRING top --json --sort pid sched %s | grep '\"pid\":%s,'", dir,
			       pid);

	wants(json, make_path(ROW, unit, cgroup, command));
	free(json);
}

static void check_moves(const char *dir)
{
	static const char twice[] =
		"SELECT max(pid) FROM tasks; SELECT pid, unit FROM tasks WHERE pid = 700";

	check_task(dir, "100", "null", "\"/docker/0123\"", "\"server: stops\"");
	check_task(dir, "101", "null", "\"/docker/0123\"", "\"server: stops\"");
	check_task(dir, "200", "\"session-3.scope\"",
		   "\"/user.slice/user-1.slice/session-3.scope\"",
		   "\"server: reads \\u001b[31m red\"");
	check_task(dir, "300", "\"b.service\"", "\"/system.slice/b.service/inner\"", "null");
	check_task(dir, "400", "\"init.scope\"", "\"/init.scope\"", "null");
	check_task(dir, "500", "\"_c.socket\"", "\"/x.slice/_c.socket\"", "null");
	check_task(dir, "700", "\"a.service\"", "\"/system.slice/a.service\"", "null");
	/* the same when the trace is read again */
	check_run(0, "700,a.service\n", "$TRING sql -o csv %s '%s'", dir, twice);
	/* as it was before the moves */
	check_run(0, "\"unit\":\"a.service\"", "$TRING top --json --to 0.000001150 sched %s", dir);
	check_run(0, "200,session-3.scope,/user.slice/user-1.slice/session-3.scope,",
		  "$TRING sql -o csv %s 'SELECT pid, unit, cgroup, command FROM tasks'", dir);
	check_run(0, "\"cgroup\":\"/docker/0123\"", "$TRING top --json waits %s", dir);
}

/* Without these events the end's is taken for what has begun since. */
static void check_without(const char *dir)
{
	check_task(dir, "100", "\"a.service\"", "\"/system.slice/a.service\"",
		   "\"server: stops\"");
	check_task(dir, "101", "\"a.service\"", "\"/system.slice/a.service\"",
		   "\"server: stops\"");
	check_task(dir, "300", "null", "\"/late.slice\"", "null");
	check_task(dir, "500", "null", "null", "null");
	check_task(dir, "600", "null", "\"/old\"", "null");
}

/* A table names them where there is room, and tells apart tasks of one name. */
static void check_text(const char *dir)
{
	static const char by_unit[] = "stty cols 120; $TRING top --sort unit sched";
	static const char wide[] = "stty cols 168; $TRING top --sort pid sched";
	char *text = output_of(0, "$TRING top --sort pid sched %s", dir);

	wants(text, "      unit                           cgroup  task\n");
	wants(text, "                   -                     /docker/0123  server  server: st");
	wants(text, "session-3.scope /user.slice/user-1.slice/session  server  server: reads");
	wants(text, " reads \\x1b[31m red\n");
	wants(text, "  helper\n");
	free(text);
	text = output_of(0, "script -qec \"%s %s\" /dev/null", wide, dir);
	wants(text, "  server  server: sto\r\n");
	free(text);
	text = output_of(0, "script -qec \"%s %s\" /dev/null", by_unit, dir);
	wants(text, "                 unit  task\r\n");
	free(text);
	/* a trace that does not tell has no such columns */
	unlink(make_path("%s/tring/tasks", dir));
	check_run(0, "  switches migrations  task\n", "$TRING top sched %s", dir);
}

static void check_damage(const char *dir)
{
	write_extra(dir, "tasks", "cgroup 100 /early\nsnapshot\ncgroup 100\ncgroup 0 /zero\n"
		    "cgroup 100 x\nthread 101 99999999999\nthread 100 101\nthread 101 100\nno 100 /\n"
		    "cgroup 200 /good.scope\n");
	check_run(1, "tasks:1: damaged; lines left out: 6", "$TRING top sched %s 2>&1", dir);
	check_run(1, "\"unit\":\"good.scope\"", "$TRING top --json sched %s 2>&1", dir);
}

int main(void)
{
	unsigned int order;

	for (order = 0; order < 2; order++) {
		check_moves(make(order, true));
		check_without(make(order, false));
	}
	check_text(make_path("%s/le-moves", temp_dir()));
	check_damage(make_path("%s/le-moves", temp_dir()));
	return 0;
}
