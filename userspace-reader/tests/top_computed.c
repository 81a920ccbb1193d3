// SPDX-License-Identifier: GPL-2.0
/* Description: top and why tell what other programs compute from report's lines. */
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

static void wake(unsigned int cpu)
{
	unsigned int at = chance(TASKS);
	int32_t pid = FIRST_PID + at;

	if (tasks[at].state == RUNNABLE || cpus[cpu].pid == pid)
		return;
	/* woken before it sleeps: it goes on */
	emit_wake(cpu, TOP_WAKING, pid);
	if (tasks[at].state != RUNNING) {
		if (tasks[at].state == ENDED)
			tasks[at].call = -1;
		tasks[at].state = RUNNABLE;
	}
	emit_wake(cpu, TOP_WAKEUP, pid);
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

static void call(unsigned int cpu)
{
	struct task *task;
	uint8_t *payload;
	bool order = builders[cpu].big_endian;

	if (!cpus[cpu].pid || cpus[cpu].irq >= 0 || cpus[cpu].softirq >= 0)
		return;
	task = &tasks[cpus[cpu].pid - FIRST_PID];
	if (task->call < 0) {
		task->call = chance(6);
		payload = emit(cpu, TOP_SYS_ENTER, TOP_ENTER_LENGTH);
		if (payload)
			put_u64(payload + 8, task->call, order);
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

	switch (chance(13)) {
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
	default:
		if (!chance(cpus[cpu].losing ? 3 : 25))
			toggle_loss(cpu);
	}
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
	char *dir = make_path("%s/%u%s", temp_dir(), first, order ? "be" : "le");
	char *output;

	seed = first;
	make(dir, order);
	output = output_of(0, "python3 $TRING_TESTS/support/tables.py $TRING %s", dir);
	/* this has to be a test of something */
	CHECK(!strstr(output, ": 0 rows"));
	output = output_of(0, "python3 $TRING_TESTS/support/why.py $TRING %s", dir);
	CHECK(strstr(output, "'blocked'") && strstr(output, "'unknown'"));
	output_of(0, "python3 $TRING_TESTS/support/page.py $TRING %s", dir);
	output_of(0, "python3 $TRING_TESTS/support/page_tables.py $TRING %s 8 %u", dir, first);
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
	return 0;
}
