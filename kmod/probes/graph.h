/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Begins and ends of functions, for functions.c. See graph.c.
 */
#ifndef _TRING_GRAPH_H
#define _TRING_GRAPH_H

#include <linux/types.h>

struct tring_event_set;
struct tring_graph;

#ifdef CONFIG_KRETPROBES
bool tring_graph_is_available(void);
void tring_graph_destroy(struct tring_graph *graph);
#else
static inline bool tring_graph_is_available(void)
{
	return false;
}

static inline void tring_graph_destroy(struct tring_graph *graph)
{
}
#endif

/* If it is available: */
struct tring_graph *tring_graph_create(struct tring_event_set *set, const unsigned int *max_depth);
int tring_graph_add(struct tring_graph *graph, const char *name);

#endif /* _TRING_GRAPH_H */
