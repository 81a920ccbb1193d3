/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events: probes made from the kernel's own TRACE_EVENT headers, and the
 * switchboard that registers them. See events.c.
 */
#ifndef _TRING_EVENTS_H
#define _TRING_EVENTS_H

#include <linux/seq_file.h>
#include <linux/types.h>

struct tring_buffer;

/* events.c APIs: */
int tring_events_init(struct tring_buffer *buffer);
void tring_events_exit(void);
int tring_events_set(const char *pattern, bool enable);
void tring_events_clear(void);
void tring_events_show_available(struct seq_file *m);
void tring_events_show_enabled(struct seq_file *m);

#endif /* _TRING_EVENTS_H */
