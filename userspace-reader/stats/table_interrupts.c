// SPDX-License-Identifier: GPL-2.0
/* Tables: times in interrupts, and in softirqs. */
#include "table_timing.h"
#include "util/util.h"

static const struct tring_column irq_columns[] = {
	[TRING_TIMING_NUMBER] = { "irq", TRING_UNIT_COUNT, 8, true },
	TRING_TIMING_LIST("count"),
};

static const struct tring_column softirq_columns[] = {
	[TRING_TIMING_NUMBER] = { "softirq", TRING_UNIT_COUNT, 8, true },
	TRING_TIMING_LIST("count"),
};

static const struct tring_column call_columns[] = {
	[TRING_TIMING_NUMBER] = { "nr", TRING_UNIT_COUNT, 8, true },
	TRING_TIMING_LIST("count"),
	[TRING_TIMING_COLUMNS] = { "failed", TRING_UNIT_COUNT, 9, false },
};

const struct tring_table tring_table_irq = {
	.name = "irq",
	.title = "Times in interrupts",
	TRING_COLUMNS(irq_columns),
	.text = "name",
	.sort = "total-ms",
	.record = "irq_handler_entry,irq_handler_exit",
	.sums = true,
	.needs = { { TRING_KIND_IRQ_ENTRY, TRING_KIND_IRQ_EXIT },
		   { TRING_KIND_VECTOR_ENTRY, TRING_KIND_VECTOR_EXIT } },
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
	.needs = { { TRING_KIND_SOFTIRQ_ENTRY, TRING_KIND_SOFTIRQ_EXIT } },
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
	.needs = { { TRING_KIND_RAW_ENTER, TRING_KIND_RAW_EXIT },
		   { TRING_KIND_CALL_ENTER, TRING_KIND_CALL_EXIT } },
	.spans = offsetof(struct tring_top, calls),
	.show = tring_timing_spans,
};
