/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's events that a ring can record. See events.c.
 */
#ifndef _TRING_EVENTS_H
#define _TRING_EVENTS_H

#include <linux/seq_file.h>
#include <linux/types.h>

struct tring_buffer;
struct tring_event_set;

/* Of several events, some may be off and some on. */
#define TRING_EVENTS_OFF	1
#define TRING_EVENTS_ON		2
/* A trigger may enable or disable the event, or is on it. */
#define TRING_EVENTS_HELD	4

/* events.c APIs: */
int tring_events_init(void);
void tring_events_exit(void);
struct tring_event_set *tring_events_create(struct tring_buffer *buffer);
void tring_events_destroy(struct tring_event_set *set);
int tring_events_wait_for_cpus(struct tring_buffer *buffer);
int tring_events_set(struct tring_event_set *set, const char *pattern, bool enable);
int tring_events_clear(struct tring_event_set *set);
void tring_events_set_test(struct tring_event_set *set, unsigned int test, bool on);
int tring_events_state(struct tring_event_set *set, const char *system, const char *name);
void tring_events_show_available(struct seq_file *m, struct tring_event_set *set,
				 bool with_source);
void tring_events_show_enabled(struct seq_file *m, struct tring_event_set *set);
void tring_events_show_counters(struct seq_file *m, struct tring_event_set *set);
void tring_events_show_short(struct seq_file *m, struct tring_event_set *set);

#endif /* _TRING_EVENTS_H */
