// SPDX-License-Identifier: GPL-2.0
/* Table: what each CPU did. */
#include "tables.h"

enum { CPU, EVENTS, LOST, BUSY, IDLE, UNKNOWN, IRQ, SOFTIRQ };

static const struct tring_column columns[] = {
	[CPU] = { "cpu", TRING_UNIT_COUNT, 4, true },
	[EVENTS] = { "events", TRING_UNIT_COUNT, 12, false },
	[LOST] = { "lost", TRING_UNIT_COUNT, 12, false },
	[BUSY] = { "busy-%", TRING_UNIT_THOUSANDTHS, 8, false },
	[IDLE] = { "idle-%", TRING_UNIT_THOUSANDTHS, 8, false },
	[UNKNOWN] = { "unknown-%", TRING_UNIT_THOUSANDTHS, 9, false },
	[IRQ] = { "irq-%", TRING_UNIT_THOUSANDTHS, 8, false },
	[SOFTIRQ] = { "softirq-%", TRING_UNIT_THOUSANDTHS, 9, false },
};

/* Return: thousandths of a percent of the whole time. */
static uint64_t share(const struct tring_top *top, uint64_t ticks, bool known)
{
	uint64_t all = top->end - top->begin;

	return known ? tring_table_ratio(ticks, all, 100000) : TRING_NO_VALUE;
}

static void show(struct tring_top *top, const struct tring_table *table)
{
	bool some = top->left_out.tasks || top->left_out.interrupts;
	bool irq = !some && !tring_table_lacks(top, &tring_table_irq);
	bool softirq = !some && !tring_table_lacks(top, &tring_table_softirq);
	bool sched = tring_table_has(top, TRING_KIND_SWITCH);
	uint64_t all = top->end - top->begin;
	struct tring_rows rows;
	size_t i;

	tring_table_rows(top, table, &rows);
	for (i = 0; i < top->cpu_count; i++) {
		const struct tring_top_cpu *cpu = &top->cpus[i];
		uint64_t known = cpu->busy + cpu->idle;
		struct tring_row row = { .values = {
			[CPU] = cpu->cpu, [EVENTS] = cpu->events, [LOST] = cpu->lost,
			[BUSY] = share(top, cpu->busy, sched),
			[IDLE] = share(top, cpu->idle, sched),
			[UNKNOWN] = share(top, all > known ? all - known : 0, sched),
			[IRQ] = share(top, cpu->in[TRING_IRQ], irq),
			[SOFTIRQ] = share(top, cpu->in[TRING_SOFTIRQ], softirq),
		} };

		if (cpu->wanted)
			tring_rows_add(&rows, &row);
	}
	tring_rows_show(&rows);
	tring_rows_free(&rows);
}

const struct tring_table tring_table_cpu = {
	.name = "cpu",
	.title = "CPUs",
	TRING_COLUMNS(columns),
	.text = "",
	.sort = "cpu",
	.record = "sched_switch",
	.show = show,
};
