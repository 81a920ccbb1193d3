/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Filters of events, in ftrace's grammar. See filter.c.
 */
#ifndef _TRING_FILTER_H
#define _TRING_FILTER_H

#include <linux/err.h>
#include <linux/seq_file.h>

struct event_filter;
struct tring_event;
struct tring_event_set;

/* filter.c APIs: */
struct event_filter *tring_filter_create(const char *system, const char *name,
					 const char *text);
int tring_filter_attach(struct tring_event *event);
void tring_filter_detach(struct tring_event *event);
int tring_filter_set(struct tring_event_set *set, const char *system, const char *name,
		     char *text);
int tring_filter_show(struct seq_file *m, struct tring_event_set *set, const char *system,
		      const char *name);

/* filter_parser.c APIs: */
#ifdef CONFIG_PERF_EVENTS
int tring_filter_parse(const char *system, const char *name, const char *text,
		       struct event_filter **filter, char **shown);
void tring_filter_free(struct event_filter *filter);
void tring_filter_parser_exit(void);
#else
static inline int tring_filter_parse(const char *system, const char *name, const char *text,
				     struct event_filter **filter, char **shown)
{
	*filter = NULL;
	*shown = ERR_PTR(-EOPNOTSUPP);
	return -EOPNOTSUPP;
}

static inline void tring_filter_free(struct event_filter *filter)
{
}

static inline void tring_filter_parser_exit(void)
{
}
#endif

#endif /* _TRING_FILTER_H */
