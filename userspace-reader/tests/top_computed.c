// SPDX-License-Identifier: GPL-2.0
/* Description: top and why tell what other programs compute from report's lines, flame what top. */
#include "top_trace.h"

/*
 * A machine with some tasks, which is random, but does what a kernel would do. Some events
 * are left out, as by a filter, and some are lost.
 */
#define CPUS		3
#define TASKS		9
#define STEPS		1500
#define FIRST_PID	1000
#define IRQS_OFF	1
#define HARDIRQ		8
#define SOFTIRQ		16

/* Ids that top_trace.h has not. */
enum { CALLS = 710, BLOCK_ISSUE = 720, BLOCK_COMPLETE };

/* System calls that have events of their own; those before have raw ones. */
#define FIRST_NAMED	3
static const char * const named[] = { "read", "write", "futex" };

#define NAMED_LENGTH	24
#define BLOCK_LENGTH	24

enum state { RUNNABLE, RUNNING, SLEEPING, ENDED };

static struct builder builders[CPUS];
static uint32_t seed;
static uint64_t now;

static struct cpu {
	int32_t pid;
	int irq;
	int softirq;
	bool losing;
	uint64_t events;
	uint64_t refused;
	uint64_t overwritten;
	uint64_t unsaid;
	uint64_t missing;
} cpus[CPUS];

static struct task {
	enum state state;
	int64_t call;
} tasks[TASKS];

static unsigned int chance(unsigned int of)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 8) % of;
}

/* What was refused is told by the packet before. What was overwritten comes before the next. */
static void toggle_loss(unsigned int cpu)
{
	struct builder *builder = &builders[cpu];
	uint8_t *header = builder->bytes + builder->start;

	if (!cpus[cpu].losing) {
		cpus[cpu].losing = true;
		cpus[cpu].unsaid = 0;
		cpus[cpu].missing = chance(2) ? chance(3) + 1 : 0;
		return;
	}
	cpus[cpu].losing = false;
	/* the recorder never hands out an empty packet */
	if (builder->end == builder->start + TRING_PACKET_HEADER_SIZE) {
		cpus[cpu].losing = true;
		return;
	}
	builder->discarded += cpus[cpu].unsaid;
	if (!cpus[cpu].missing) {
		put_u64(header + HEADER_AT(events_discarded), builder->discarded,
			builder->big_endian);
		cpus[cpu].refused += cpus[cpu].unsaid;
	} else {
		cpus[cpu].overwritten += cpus[cpu].unsaid;
	}
	build_end(builder);
	builder->seq += cpus[cpu].missing;
	build_begin(builder, now);
}

/* Return: the payload; NULL if the event is lost or left out. */
static uint8_t *emit(unsigned int cpu, uint16_t id, uint32_t length)
{
	now += chance(20) ? 1 + chance(30000) : 1 + chance(30000000);
	if (cpus[cpu].losing) {
		cpus[cpu].unsaid++;
		return NULL;
	}
	if (!chance(60))
		return NULL;
	cpus[cpu].events++;
	return build_record(&builders[cpu], now, id, cpus[cpu].pid, length);
}

static void emit_wake(unsigned int cpu, uint16_t id, int32_t pid)
{
	uint8_t *payload = emit(cpu, id, TOP_WAKE_LENGTH);

	if (payload)
		top_wake(payload, pid, builders[cpu].big_endian);
}

static void emit_number(unsigned int cpu, uint16_t id, uint32_t number)
{
	uint8_t *payload = emit(cpu, id, TOP_NUMBER_LENGTH);

	if (payload)
		put_u32(payload + 8, number, builders[cpu].big_endian);
}

/* Return: the flags of an event that an interrupt or a softirq may record. */
static unsigned int context_of(unsigned int cpu)
{
	return (cpus[cpu].irq >= 0 ? HARDIRQ : 0) | (cpus[cpu].softirq >= 0 ? SOFTIRQ : 0);
}

static void wake(unsigned int cpu)
{
	unsigned int at = chance(TASKS);
	int32_t pid = FIRST_PID + at;

	if (tasks[at].state == RUNNABLE || cpus[cpu].pid == pid)
		return;
	builders[cpu].flags = context_of(cpu);
	/* woken before it sleeps: it goes on */
	emit_wake(cpu, TOP_WAKING, pid);
	if (tasks[at].state != RUNNING) {
		if (tasks[at].state == ENDED)
			tasks[at].call = -1;
		tasks[at].state = RUNNABLE;
	}
	emit_wake(cpu, TOP_WAKEUP, pid);
	builders[cpu].flags = 0;
}

static void leave(unsigned int cpu, int64_t *state)
{
	struct task *task = &tasks[cpus[cpu].pid - FIRST_PID];

	switch (chance(10)) {
	case 0:
		*state = 0x20;
		task->state = ENDED;
		break;
	case 1 ... 3:
		*state = 0x100;
		task->state = RUNNABLE;
		break;
	default:
		*state = 1 << chance(2);
		task->state = SLEEPING;
		/* woken by another CPU when it has not left its own yet */
		if (!chance(5)) {
			emit_wake((cpu + 1) % CPUS, TOP_WAKING, cpus[cpu].pid);
			task->state = RUNNABLE;
		}
		break;
	}
}

static void switch_task(unsigned int cpu)
{
	unsigned int at = chance(TASKS);
	int32_t prev = cpus[cpu].pid, next = 0;
	int64_t state = 0;
	uint8_t *payload;

	if (cpus[cpu].irq >= 0 || cpus[cpu].softirq >= 0)
		return;
	if (tasks[at].state == RUNNABLE)
		next = FIRST_PID + at;
	if (prev)
		leave(cpu, &state);
	if (prev == next)
		return;
	builders[cpu].flags = IRQS_OFF;
	payload = emit(cpu, TOP_SWITCH, TOP_SWITCH_LENGTH);
	if (payload)
		top_switch(payload, prev, state, next, builders[cpu].big_endian);
	/* any event of the task that has not left yet */
	if (!chance(3))
		emit_number(cpu, TOP_TLB_FLUSH, 0);
	builders[cpu].flags = 0;
	cpus[cpu].pid = next;
	if (next)
		tasks[at].state = RUNNING;
}

static void interrupt(unsigned int cpu)
{
	if (cpus[cpu].irq >= 0) {
		emit_number(cpu, TOP_IRQ_EXIT, cpus[cpu].irq);
		cpus[cpu].irq = -1;
	} else {
		uint8_t *payload = emit(cpu, TOP_IRQ_ENTRY, 24);

		cpus[cpu].irq = 5 + chance(3);
		if (payload)
			top_irq(payload, cpus[cpu].irq, "eth0", builders[cpu].big_endian);
	}
}

static void soft_interrupt(unsigned int cpu)
{
	if (cpus[cpu].irq >= 0)
		return;
	if (cpus[cpu].softirq >= 0) {
		emit_number(cpu, TOP_SOFTIRQ_EXIT, cpus[cpu].softirq);
		cpus[cpu].softirq = -1;
	} else {
		cpus[cpu].softirq = chance(12);
		emit_number(cpu, TOP_SOFTIRQ_ENTRY, cpus[cpu].softirq);
	}
}

/* A call of which events of its own tell. @exits: it ends */
static void emit_named(unsigned int cpu, int64_t number, bool exits)
{
	uint16_t id = CALLS + 2 * (number - FIRST_NAMED) + exits;
	uint8_t *payload = emit(cpu, id, NAMED_LENGTH);
	uint64_t value = exits ? (uint64_t)chance(4000) - 40 : 0x1000 + 8 * chance(3);

	if (!payload)
		return;
	put_u64(payload + 8, number, builders[cpu].big_endian);
	put_u64(payload + 16, value, builders[cpu].big_endian);
}

static void request_block(unsigned int cpu)
{
	uint8_t *payload;

	builders[cpu].flags = context_of(cpu);
	payload = emit(cpu, chance(2) ? BLOCK_ISSUE : BLOCK_COMPLETE, BLOCK_LENGTH);
	builders[cpu].flags = 0;
	if (!payload)
		return;
	put_u64(payload + 8, 0, false);
	put_u32(payload + 8, chance(2) ? 254 << 20 | 16 : 8 << 20, builders[cpu].big_endian);
	put_u64(payload + 16, 8 * chance(4), builders[cpu].big_endian);
}

static void call(unsigned int cpu)
{
	struct task *task;
	uint8_t *payload;
	bool order = builders[cpu].big_endian;

	if (!cpus[cpu].pid || cpus[cpu].irq >= 0 || cpus[cpu].softirq >= 0)
		return;
	task = &tasks[cpus[cpu].pid - FIRST_PID];
	if (task->call < 0) {
		task->call = chance(FIRST_NAMED + COUNT(named));
		if (task->call >= FIRST_NAMED) {
			emit_named(cpu, task->call, false);
			return;
		}
		payload = emit(cpu, TOP_SYS_ENTER, TOP_ENTER_LENGTH);
		if (payload)
			put_u64(payload + 8, task->call, order);
		return;
	}
	if (task->call >= FIRST_NAMED) {
		emit_named(cpu, task->call, true);
		task->call = -1;
		return;
	}
	payload = emit(cpu, TOP_SYS_EXIT, TOP_EXIT_LENGTH);
	if (payload) {
		put_u64(payload + 8, chance(9) ? task->call : -1, order);
		put_u64(payload + 16, chance(3) ? chance(100) : -(int64_t)chance(100), order);
	}
	task->call = -1;
}

static void step(void)
{
	unsigned int cpu = chance(CPUS);

	switch (chance(15)) {
	case 0 ... 3:
		wake(cpu);
		break;
	case 4 ... 6:
		switch_task(cpu);
		break;
	case 7:
		interrupt(cpu);
		break;
	case 8:
		soft_interrupt(cpu);
		break;
	case 9 ... 11:
		call(cpu);
		break;
	case 12 ... 13:
		request_block(cpu);
		break;
	default:
		if (!chance(cpus[cpu].losing ? 3 : 25))
			toggle_loss(cpu);
	}
}

/* The number of a call is a long here, which the kernel's is not: the high half is 0. */
static void add_formats(const char *dir, bool order)
{
	static const char fields[] =
		"\tfield:long __syscall_nr;\toffset:8;\tsize:8;\tsigned:1;\n"
		"\tfield:%s;\toffset:16;\tsize:8;\tsigned:%d;\n";
	static const char block[] =
		"\tfield:dev_t dev;\toffset:8;\tsize:4;\tsigned:0;\n"
		"\tfield:sector_t sector;\toffset:16;\tsize:8;\tsigned:0;\n";
	unsigned int i;

	for (i = 0; i < COUNT(named); i++) {
		top_format(dir, "syscalls", make_path("sys_enter_%s", named[i]), CALLS + 2 * i,
			   make_path(fields, "u32 * uaddr", 0));
		top_format(dir, "syscalls", make_path("sys_exit_%s", named[i]), CALLS + 2 * i + 1,
			   make_path(fields, "long ret", 1));
	}
	top_format(dir, "block", "block_rq_issue", BLOCK_ISSUE, block);
	top_format(dir, "block", "block_rq_complete", BLOCK_COMPLETE, block);
	write_metadata(dir, order);
}

static void make(const char *dir, bool order)
{
	unsigned int i;

	now = 1000000000;
	for (i = 0; i < TASKS; i++)
		tasks[i] = (struct task) { .state = SLEEPING, .call = -1 };
	for (i = 0; i < CPUS; i++) {
		cpus[i] = (struct cpu) { .irq = -1, .softirq = -1 };
		build_init(&builders[i], order, i);
		build_begin(&builders[i], now);
	}
	for (i = 0; i < STEPS; i++)
		step();
	top_make(dir, order);
	/* what flame asks for; there are no stacks */
	top_format(dir, "ftrace", "kernel_stack", 4,
		   "\tfield:int size;\toffset:8;\tsize:4;\tsigned:1;\n"
		   "\tfield:unsigned long caller[8];\toffset:16;\tsize:64;\tsigned:0;\n");
	add_formats(dir, order);
	for (i = 0; i < CPUS; i++) {
		struct cpu *cpu = &cpus[i];

		/* the recorder drops a packet without events */
		if (builders[i].end > builders[i].start + TRING_PACKET_HEADER_SIZE)
			build_end(&builders[i]);
		else
			builders[i].size = builders[i].start;
		top_write(dir, &builders[i], cpu->events,
			  cpu->refused + (cpu->losing ? cpu->unsaid : 0), cpu->overwritten);
	}
}

static void check(uint32_t first, bool order)
{
	static const char * const programs[] = { "tables.py", "why.py", "flame.py" };
	char *dir = make_path("%s/%u%s", temp_dir(), first, order ? "be" : "le");
	unsigned int i;

	seed = first;
	make(dir, order);
	for (i = 0; i < COUNT(programs); i++)
		output_of(0, "cd %s; python3 $TRING_TESTS/support/%s $TRING %s >said; status=$?; "
			  "tee -a all <said; exit $status", temp_dir(), programs[i], dir);
	output_of(0, "python3 $TRING_TESTS/support/page.py $TRING %s", dir);
	output_of(0, "python3 $TRING_TESTS/support/page_tables.py $TRING %s 8 %u", dir, first);
}

/* This has to be a test of something, with one machine or another. */
static void check_all(void)
{
	static const char names[] = "sed -n 's/: %s rows compared//p' %s/all | sort -u";
	char *output = read_file(make_path("%s/all", temp_dir()));

	check_equal(output_of(0, names, "[1-9][0-9]*", temp_dir()),
		    output_of(0, names, "[0-9]*", temp_dir()), "tables with rows");
	CHECK(strstr(output, "'blocked'") && strstr(output, "'unknown'"));
	CHECK(count_of("grep -c ' [1-9][0-9]* of them unknown' %s/all", temp_dir()));
}

int main(void)
{
	unsigned int first, i;

	if (!have("python3")) {
		printf("python3 is not installed\n");
		return SKIPPED;
	}
	first = test_seed(1);
	for (i = first; i < first + 3; i++)
		check(i, i & 1);
	check_all();
	return 0;
}
