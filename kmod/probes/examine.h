/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events whose fields matter before they are recorded, or that cause more than a record.
 * See examine.c.
 */
#ifndef _TRING_EXAMINE_H
#define _TRING_EXAMINE_H

#include <linux/align.h>
#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/trace_events.h>
#include <linux/types.h>

#include "event.h"
#include "filter_program.h"
#include "scratch.h"

struct pt_regs;

/* perf has 8 KiB at most for a record, and most events have less than 100 bytes. */
#define TRING_SCRATCH_SIZE	(16 * 1024)

/**
 * struct tring_scratch - records of a CPU that are being examined, a stack
 * @top: bytes in use
 * @records: the records, aligned
 * @slack: what a filter may read behind the last record
 */
struct tring_scratch {
	u32	top;
	u8	records[TRING_SCRATCH_SIZE] __aligned(8);
	u8	slack[TRING_FILTER_SLACK];
};

extern struct tring_scratch __percpu *tring_scratch_areas;

/* examine.c APIs: */
int tring_examine_prepare(void);
void tring_examine_exit(void);
void tring_examine_refuse(const struct tring_event *event);
void tring_examine_end(struct tring_event *event, struct trace_entry *entry, u32 length);
void tring_examine_end_by_perf(struct tring_event *event, struct trace_entry *entry, u32 length,
			       struct pt_regs *regs);
void tring_examine_update(struct tring_event *event);
void tring_refuse_large(struct tring_buffer *buffer, u64 head, u32 pid);

/**
 * tring_examine_begin - a place in which an event's fields are filled in
 * @event: event with TRING_TEST_FIELDS in its tests
 * @length: what ftrace would record: a struct trace_entry and the fields
 *
 * Inline, so that the probe calls nothing before the fields are filled in.
 *
 * Context: any, NMI included, preemption disabled.
 * Return: place for the record, its head included; to be given to tring_examine_end(). NULL if
 * the event is not wanted; or if there is no room: it has been refused and counted as too
 * large.
 */
static __always_inline struct trace_entry *
tring_examine_begin(const struct tring_event *event, u32 length)
{
	struct tring_scratch *scratch = this_cpu_ptr(tring_scratch_areas);
	u32 top = READ_ONCE(scratch->top);

	if (!READ_ONCE(event->enabled) && !rcu_access_pointer(event->triggers))
		return NULL;
	if (unlikely(length > TRING_SCRATCH_SIZE - top)) {
		tring_examine_refuse(event);
		return NULL;
	}
	WRITE_ONCE(scratch->top, ALIGN(top + length, 8));
	/* A probe that interrupts this one from here on takes the memory behind it. */
	barrier();
	return (struct trace_entry *)(scratch->records + top);
}

#endif /* _TRING_EXAMINE_H */
