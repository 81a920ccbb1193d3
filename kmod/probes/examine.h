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
#include "scratch.h"

struct pt_regs;

/* examine.c APIs: */
int tring_examine_prepare(void);
void tring_examine_exit(void);
struct trace_entry *tring_examine_begin(const struct tring_event *event, u32 length);
void tring_examine_end(struct tring_event *event, struct trace_entry *entry, u32 length,
		       struct pt_regs *regs);
void tring_examine_update(struct tring_event *event);
void tring_refuse_large(struct tring_buffer *buffer, u64 head, u32 pid);

#endif /* _TRING_EXAMINE_H */
