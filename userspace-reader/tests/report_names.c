// SPDX-License-Identifier: GPL-2.0
/* Description: a task's name comes from execs, and from events of which both fields are its own. */
#include "top_trace.h"

#define FIELDS	"\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n" \
		"\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n"
#define LENGTH	28
#define EXEC	"\tfield:__data_loc char[] filename;\toffset:8;\tsize:4;\tsigned:0;\n" \
		"\tfield:pid_t pid;\toffset:12;\tsize:4;\tsigned:1;\n" \
		"\tfield:pid_t old_pid;\toffset:16;\tsize:4;\tsigned:1;\n"

static struct builder builder;

static void name(uint64_t stamp, uint16_t id, int32_t by, const char *comm, int32_t pid)
{
	uint8_t *payload = build_record(&builder, stamp, id, by, LENGTH);

	strcpy((char *)payload + 8, comm);
	put_u32(payload + 24, pid, builder.big_endian);
}

static void execute(uint64_t stamp, int32_t pid, const char *path)
{
	const size_t size = strlen(path) + 1;
	uint8_t *payload = build_record(&builder, stamp, 803, pid, 20 + size);

	put_u32(payload + 8, size << 16 | 20, builder.big_endian);
	put_u32(payload + 12, pid, builder.big_endian);
	put_u32(payload + 16, pid, builder.big_endian);
	memcpy(payload + 20, path, size);
}

/* What a task was called before, what it executes, and what it is called then. */
static const struct {
	const char	*path;
	const char	*comm;
} executed[] = {
	{ "/usr/bin/ls", "ls" },
	{ "./a-name-of-many-letters", "a-name-of-many-" },
	{ "script", "script" },
	{ "/dev/fd/3", "before" },
	{ "/dev/fd/", "" },
};

static void check_exec(bool order)
{
	char *dir = make_path("%s/exec-%s", temp_dir(), order ? "be" : "le");
	unsigned int i;

	make_trace(dir, order);
	top_format(dir, "sched", "sched_process_exit", 801, FIELDS);
	top_format(dir, "sched", "sched_process_exec", 803, EXEC);
	write_metadata(dir, order);
	build_init(&builder, order, 0);
	build_begin(&builder, 1000000000);
	for (i = 0; i < COUNT(executed); i++) {
		name(1000000000 + 3000 * i, 801, 300 + i, "before", 300 + i);
		execute(1000001000 + 3000 * i, 300 + i, executed[i].path);
		build_record(&builder, 1000002000 + 3000 * i, 342, 300 + i, 16);
	}
	build_end(&builder);
	top_write(dir, &builder, 3 * COUNT(executed), 0, 0);
	for (i = 0; i < COUNT(executed); i++) {
		check_run(0, make_path("%16s-%u     [000] .....      1.%06u: tick:",
				       executed[i].comm, 300 + i, 2 + 3 * i),
			  "$TRING report %s", dir);
		check_run(0, make_path("%16s-%u     [000] .....      1.%06u: sched_process_exec:",
				       executed[i].comm, 300 + i, 1 + 3 * i),
			  "$TRING report %s", dir);
	}
	free(dir);
}

static void check_order(bool order)
{
	char *dir = make_path("%s/%s", temp_dir(), order ? "be" : "le");

	make_trace(dir, order);
	top_format(dir, "sched", "sched_process_wait", 800, FIELDS);
	top_format(dir, "sched", "sched_process_exit", 801, FIELDS);
	top_format(dir, "kprobes", "p_wait", 802, FIELDS);
	write_metadata(dir, order);
	build_init(&builder, order, 0);
	build_begin(&builder, 1000000000);
	name(1000000000, 801, 300, "child", 300);
	name(1000001000, 800, 200, "waiter", 300);
	name(1000002000, 802, 200, "waiter", 300);
	name(1000003000, 802, 200, "waiter", 301);
	build_record(&builder, 1000004000, 342, 300, 16);
	build_record(&builder, 1000005000, 342, 301, 16);
	build_end(&builder);
	top_write(dir, &builder, 6, 0, 0);
	check_run(0, "           child-300     [000] .....      1.000004: tick:",
		  "$TRING report %s", dir);
	check_run(0, "           <...>-301     [000] .....      1.000005: tick:",
		  "$TRING report %s", dir);
	free(dir);
}

int main(void)
{
	check_order(false);
	check_order(true);
	check_exec(false);
	check_exec(true);
	return 0;
}
