/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events whose fields matter before they are recorded, or that cause more than a record.
 * See examine.c.
 */
#ifndef _TRING_EXAMINE_H
#define _TRING_EXAMINE_H

#include <linux/trace_events.h>
#include <linux/types.h>

#include "event.h"

struct pt_regs;

/* examine.c APIs: */
int tring_examine_init(void);
void tring_examine_exit(void);
struct trace_entry *tring_examine_begin(const struct tring_event *event, u32 length);
void tring_examine(struct tring_event *event, struct trace_entry *entry, u32 length,
		   struct pt_regs *regs, bool matched);
void tring_examine_update(struct tring_event *event);
void *tring_scratch_take(u32 *size);
void tring_scratch_give(void *memory);
void tring_refuse_large(struct tring_buffer *buffer, u64 head, u32 pid);

/**
 * tring_examine_end - the fields of an event are filled in
 * @event: the event
 * @entry: from tring_examine_begin(), with its fields; with @regs also with its head
 * @length: as given to tring_examine_begin()
 * @regs: registers of the event, by perf; NULL for one that tring's probe records
 *
 * An event that its filter does not want costs most where there are many. So the filter comes
 * first if nothing else is to be done with such an event.
 *
 * Context: any, NMI included, preemption disabled.
 */
static __always_inline void tring_examine_end(struct tring_event *event,
					      struct trace_entry *entry, u32 length,
					      struct pt_regs *regs)
{
	struct event_filter *filter = READ_ONCE(event->first_filter);

	if (filter && !filter_match_preds(filter, entry))
		tring_scratch_give(entry);
	else
		tring_examine(event, entry, length, regs, filter);
}

#endif /* _TRING_EXAMINE_H */
