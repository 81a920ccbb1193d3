// SPDX-License-Identifier: GPL-2.0
/* Traces for the tests of top. */
#include <errno.h>
#include <sys/stat.h>

#include "top_trace.h"

#define PID_FIELDS	"\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n" \
			"\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n" \
			"\tfield:int prio;\toffset:28;\tsize:4;\tsigned:1;\n" \
			"\tfield:int target_cpu;\toffset:32;\tsize:4;\tsigned:1;\n"
#define NUMBER_FIELD(type, name) \
	"\tfield:" type " " name ";\toffset:8;\tsize:4;\tsigned:0;\n"

/* The tasks' names are their pids. */
static void put_comm(uint8_t *to, int32_t pid)
{
	char comm[16] = "";

	snprintf(comm, sizeof(comm), "task%d", pid);
	memcpy(to, comm, sizeof(comm));
}

void top_switch(uint8_t *payload, int32_t prev, int64_t state, int32_t next, bool order)
{
	memset(payload + TRING_PAYLOAD_HEAD, 0, TOP_SWITCH_LENGTH - TRING_PAYLOAD_HEAD);
	put_comm(payload + 8, prev);
	put_u32(payload + 24, prev, order);
	put_u64(payload + 32, state, order);
	put_comm(payload + 40, next);
	put_u32(payload + 56, next, order);
}

void top_wake(uint8_t *payload, int32_t pid, bool order)
{
	memset(payload + TRING_PAYLOAD_HEAD, 0, TOP_WAKE_LENGTH - TRING_PAYLOAD_HEAD);
	put_comm(payload + 8, pid);
	put_u32(payload + 24, pid, order);
}

/* @payload: 16 bytes and those of the name with its NUL */
void top_irq(uint8_t *payload, uint32_t irq, const char *name, bool order)
{
	uint32_t size = strlen(name) + 1;

	put_u32(payload + 8, irq, order);
	put_u32(payload + 12, size << 16 | 16, order);
	memcpy(payload + 16, name, size);
}

/* A record of sched_switch. Return: its payload. */
uint8_t *top_change(struct builder *builder, uint64_t stamp, int32_t prev, int64_t state,
		    int32_t next)
{
	uint8_t *payload = build_record(builder, stamp, TOP_SWITCH, prev, TOP_SWITCH_LENGTH);

	top_switch(payload, prev, state, next, builder->big_endian);
	return payload;
}

/* A record of sched_waking: task @by wakes @pid. */
void top_waking(struct builder *builder, uint64_t stamp, int32_t by, int32_t pid)
{
	top_wake(build_record(builder, stamp, TOP_WAKING, by, TOP_WAKE_LENGTH), pid,
		 builder->big_endian);
}

/* Records of an interrupt's begin and end, while @pid runs; the name has up to 7 bytes. */
void top_interrupt(struct builder *builder, uint64_t from, uint64_t to, int32_t pid, uint32_t irq,
		   const char *name)
{
	uint8_t *payload = build_record(builder, from, TOP_IRQ_ENTRY, pid, 24);

	top_irq(payload, irq, name, builder->big_endian);
	payload = build_record(builder, to, TOP_IRQ_EXIT, pid, TOP_NUMBER_LENGTH);
	put_u32(payload + 8, irq, builder->big_endian);
}

/* Records of a system call's begin and end. Return: the payload of its begin. */
uint8_t *top_call(struct builder *builder, uint64_t from, uint64_t to, int32_t pid,
		  uint64_t number, int64_t result)
{
	uint8_t *begin = build_record(builder, from, TOP_SYS_ENTER, pid, TOP_ENTER_LENGTH);
	uint8_t *end;

	put_u64(begin + 8, number, builder->big_endian);
	end = build_record(builder, to, TOP_SYS_EXIT, pid, TOP_EXIT_LENGTH);
	put_u64(end + 8, number, builder->big_endian);
	put_u64(end + 16, result, builder->big_endian);
	return begin;
}

static void make_dir(const char *path)
{
	CHECK(!mkdir(path, 0777) || errno == EEXIST);
}

/* Adds an event to a trace. Its metadata has to be written again. */
void top_format(const char *dir, const char *system, const char *name, unsigned int id,
		const char *fields)
{
	static const char common[] =
		COMMON_FIELDS "\n";
	char *text = make_path("name: %s\nID: %u\nformat:\n%s%s\nprint fmt: \"\"\n", name, id,
			       common, fields);
	char *path = make_path("%s/tring/events/%s", dir, system);

	make_dir(path);
	path = make_path("%s/tring/events/%s/%s", dir, system, name);
	make_dir(path);
	write_text(make_path("%s/format", path), text);
}

/* Creates a trace directory that has all events of top_trace.h, without streams. */
void top_make(const char *dir, bool order)
{
	make_trace(dir, order);
	top_format(dir, "sched", "sched_waking", TOP_WAKING, PID_FIELDS);
	top_format(dir, "sched", "sched_wakeup", TOP_WAKEUP, PID_FIELDS);
	top_format(dir, "irq", "irq_handler_exit", TOP_IRQ_EXIT, NUMBER_FIELD("int", "irq"));
	top_format(dir, "irq", "softirq_entry", TOP_SOFTIRQ_ENTRY,
		   NUMBER_FIELD("unsigned int", "vec"));
	top_format(dir, "irq", "softirq_exit", TOP_SOFTIRQ_EXIT,
		   NUMBER_FIELD("unsigned int", "vec"));
	top_format(dir, "raw_syscalls", "sys_exit", TOP_SYS_EXIT,
		   "\tfield:long id;\toffset:8;\tsize:8;\tsigned:1;\n"
		   "\tfield:long ret;\toffset:16;\tsize:8;\tsigned:1;\n");
	top_format(dir, "tlb", "tlb_flush", TOP_TLB_FLUSH, NUMBER_FIELD("int", "reason"));
	write_metadata(dir, order);
}

/* Writes a CPU's stream, and its counters. */
void top_write(const char *dir, const struct builder *builder, uint64_t events,
	       uint64_t refused, uint64_t overwritten)
{
	char *path, *text;

	build_write(builder, dir);
	write_text(make_path("%s/tring/cpu%u.start", dir, builder->cpu), "read: 0\n");
	path = make_path("%s/tring/cpu%u.end", dir, builder->cpu);
	text = make_path("read: %" PRIu64 "\noverwritten: %" PRIu64 "\nrefused_no_room: %" PRIu64
			 "\n", events, overwritten, refused);
	write_text(path, text);
}

/* Begins a packet of each CPU, from 0 on. */
void top_begin(struct builder *builders, unsigned int count, uint64_t stamp)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		build_init(&builders[i], false, i);
		build_begin(&builders[i], stamp);
	}
}

/* Creates a trace of two events on CPU 0, 3 us apart, and of a CPU whose events were all lost. */
void make_all_lost(const char *dir)
{
	static struct builder builders[2];

	top_begin(builders, 2, 1000000000);
	top_change(&builders[0], 1000000000, 0, 0, 100);
	top_change(&builders[0], 1000003000, 100, 0, 0);
	build_end(&builders[0]);
	build_init(&builders[1], false, 1);
	top_make(dir, false);
	top_write(dir, &builders[0], 2, 0, 0);
	top_write(dir, &builders[1], 0, 55, 0);
}
