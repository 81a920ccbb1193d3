/* SPDX-License-Identifier: GPL-2.0 */
/* Begins and ends of functions, printed as a program with braces. */
#ifndef TRING_GRAPH_H
#define TRING_GRAPH_H

#include "tring.h"
#include "util/line.h"

/**
 * struct tring_graph - the fields of funcgraph_entry or funcgraph_exit
 * @func: address of the function; NULL for another event
 * @depth: number of open calls around this one
 * @begin: time of the begin in ns; NULL for funcgraph_entry
 * @end: time of the end in ns
 */
struct tring_graph {
	const struct tring_field *func;
	const struct tring_field *depth;
	const struct tring_field *begin;
	const struct tring_field *end;
};

void tring_graph_find(struct tring_graph *graph, const struct tring_event *event);
void tring_graph_print(const struct tring_graph *graph, struct tring_line *line,
		       const struct tring_item *item);

#endif /* TRING_GRAPH_H */
