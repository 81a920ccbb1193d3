// SPDX-License-Identifier: GPL-2.0
/* Tables: times in interrupts, and in softirqs. */
#include "table_timing.h"
#include "util/util.h"

static const struct tring_column irq_columns[] = {
	[TRING_TIMING_NUMBER] = { "irq", TRING_UNIT_COUNT, 8, true },
	TRING_TIMING_LIST,
};

static const struct tring_column softirq_columns[] = {
	[TRING_TIMING_NUMBER] = { "softirq", TRING_UNIT_COUNT, 8, true },
	TRING_TIMING_LIST,
};

static const struct tring_column call_columns[] = {
	[TRING_TIMING_NUMBER] = { "nr", TRING_UNIT_COUNT, 8, true },
	TRING_TIMING_LIST,
	[TRING_TIMING_COLUMNS] = { "failed", TRING_UNIT_COUNT, 9, false },
};

static bool has_both(const struct tring_top *top, enum tring_kind begin, enum tring_kind end)
{
	return tring_table_has(top, begin) && tring_table_has(top, end);
}

static const char *irq_lacks(const struct tring_top *top)
{
	if (has_both(top, TRING_KIND_IRQ_ENTRY, TRING_KIND_IRQ_EXIT) ||
	    has_both(top, TRING_KIND_VECTOR_ENTRY, TRING_KIND_VECTOR_EXIT))
		return NULL;
	return tring_table_irq.record;
}

static const char *softirq_lacks(const struct tring_top *top)
{
	return has_both(top, TRING_KIND_SOFTIRQ_ENTRY, TRING_KIND_SOFTIRQ_EXIT) ? NULL :
	       tring_table_softirq.record;
}

/**
 * tring_calls_lack - tell what a trace lacks for tables of system calls
 * @top: all tables
 *
 * Return: for record's -e; NULL if it lacks nothing.
 */
const char *tring_calls_lack(const struct tring_top *top)
{
	bool enter = tring_table_has(top, TRING_KIND_RAW_ENTER) ||
		     tring_table_has(top, TRING_KIND_CALL_ENTER);
	bool leave = tring_table_has(top, TRING_KIND_RAW_EXIT) ||
		     tring_table_has(top, TRING_KIND_CALL_EXIT);

	return enter && leave ? NULL : tring_table_syscall.record;
}

const struct tring_table tring_table_irq = {
	.name = "irq",
	.title = "Times in interrupts",
	TRING_COLUMNS(irq_columns),
	.text = "name",
	.sort = "total-ms",
	.record = "irq_handler_entry,irq_handler_exit",
	.sums = true,
	.lacks = irq_lacks,
	.spans = offsetof(struct tring_top, interrupts[TRING_IRQ]),
	.show = tring_timing_spans,
};

const struct tring_table tring_table_softirq = {
	.name = "softirq",
	.title = "Times in softirqs",
	TRING_COLUMNS(softirq_columns),
	.text = "name",
	.sort = "total-ms",
	.record = "softirq_entry,softirq_exit",
	.sums = true,
	.lacks = softirq_lacks,
	.spans = offsetof(struct tring_top, interrupts[TRING_SOFTIRQ]),
	.show = tring_timing_spans,
};

const struct tring_table tring_table_syscall = {
	.name = "syscall",
	.title = "Times in system calls",
	TRING_COLUMNS(call_columns),
	.text = "name",
	.sort = "total-ms",
	.record = "syscalls",
	.sums = true,
	.lacks = tring_calls_lack,
	.spans = offsetof(struct tring_top, calls),
	.show = tring_timing_spans,
};
