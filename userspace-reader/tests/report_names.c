// SPDX-License-Identifier: GPL-2.0
/* Description: a task's name comes from events of which both fields are its own, and no others. */
#include "top_trace.h"

#define FIELDS	"\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n" \
		"\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n"
#define LENGTH	28

static struct builder builder;

static void name(uint64_t stamp, uint16_t id, int32_t by, const char *comm, int32_t pid)
{
	uint8_t *payload = build_record(&builder, stamp, id, by, LENGTH);

	strcpy((char *)payload + 8, comm);
	put_u32(payload + 24, pid, builder.big_endian);
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
	return 0;
}
