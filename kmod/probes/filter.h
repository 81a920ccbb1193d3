/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Filters of events, in ftrace's grammar. See filter.c.
 */
#ifndef _TRING_FILTER_H
#define _TRING_FILTER_H

#include <linux/seq_file.h>

#include "filter_program.h"

struct tring_event;
struct tring_event_set;

/* filter.c APIs: */
struct tring_filter *tring_filter_create(const struct tring_event_set *set, const char *system,
					 const char *name, const char *text);
int tring_filter_attach(struct tring_event *event);
void tring_filter_detach(struct tring_event *event);
int tring_filter_set(struct tring_event_set *set, const char *system, const char *name,
		     char *text);
int tring_filter_show(struct seq_file *m, struct tring_event_set *set, const char *system,
		      const char *name);

#endif /* _TRING_FILTER_H */
