/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ftrace's ids of events that come and go. See ids.c.
 */
#ifndef _TRING_IDS_H
#define _TRING_IDS_H

#include <linux/types.h>

struct tring_event;
struct tring_event_set;

/* ids.c APIs: */
int tring_ids_init(void);
void tring_ids_exit(void);
void tring_ids_watch(struct tring_event_set *set);
void tring_ids_unwatch(struct tring_event_set *set);
int tring_ids_take(struct tring_event_set *set, struct tring_event *event);
void tring_ids_leave(struct tring_event *event);
bool tring_ids_may_have_records(const struct tring_event *event);

#endif /* _TRING_IDS_H */
