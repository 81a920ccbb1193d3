// SPDX-License-Identifier: GPL-2.0
/* The tables of tring top: their names, and how several are printed. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "util/clock.h"
#include "top_show.h"

/* All tables, in the order in which they are printed. */
const struct tring_table *const tring_top_tables[TRING_TOP_TABLES] = {
	&tring_table_cpu, &tring_table_sched, &tring_table_wakeup, &tring_table_waits,
	&tring_table_irq, &tring_table_softirq, &tring_table_syscall, &tring_table_calls,
	&tring_table_io, &tring_table_futex, &tring_table_block, &tring_table_spans,
	&tring_table_counters, &tring_table_events, &tring_table_rate, &tring_table_losses,
};

/**
 * tring_top_find - find a table
 * @name: its name
 *
 * Return: the table; NULL if there is none of this name.
 */
const struct tring_table *tring_top_find(const char *name)
{
	size_t i;

	for (i = 0; i < TRING_TOP_TABLES; i++)
		if (!strcmp(name, tring_top_tables[i]->name))
			return tring_top_tables[i];
	return NULL;
}

/**
 * tring_top_choose - add a table to those that are printed
 * @choice: the tables
 * @table: a table, which may be among them
 *
 * A table is printed once.
 */
void tring_top_choose(struct tring_top_choice *choice, const struct tring_table *table)
{
	size_t i;

	for (i = 0; i < choice->count; i++)
		if (choice->tables[i] == table)
			return;
	choice->tables[choice->count++] = table;
}

/**
 * tring_top_show_head - print how many events there are, and are lost
 * @top: all tables; as JSON the members of an object
 */
void tring_top_show_head(const struct tring_top *top)
{
	uint64_t ns = tring_clock_ns(top->end - top->begin, top->frequency);
	uint64_t events = 0, bytes = 0, lost = 0;
	size_t i;

	for (i = 0; i < top->cpu_count; i++) {
		events += top->cpus[i].events;
		bytes += top->cpus[i].bytes;
		lost += top->cpus[i].lost;
	}
	if (top->json) {
		fprintf(top->out, "\"events\":%" PRIu64 ",\"lost\":%" PRIu64, events, lost);
		fprintf(top->out, ",\"bytes\":%" PRIu64 ",\"seconds\":%.9f", bytes, ns / 1e9);
		return;
	}
	fprintf(top->out, "%" PRIu64 " events, %" PRIu64 " lost, in %.6f s", events, lost,
		ns / 1e9);
	if (events && ns)
		fprintf(top->out, ": %.1f a second, of %.1f bytes", events * 1e9 / ns,
			(double)bytes / events);
	putc('\n', top->out);
}

/**
 * tring_top_show_titled - print a table, with its title, behind something else
 * @top: all tables
 * @table: the table
 */
void tring_top_show_titled(struct tring_top *top, const struct tring_table *table)
{
	if (!top->json)
		fprintf(top->out, "\n%s (tring top %s):\n", table->title, table->name);
	table->show(top, table);
}
