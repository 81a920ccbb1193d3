// SPDX-License-Identifier: GPL-2.0
/*
 * Begins and ends of functions, in the columns of trace-cmd report. trace-cmd prints a
 * call without others inside in one line, for which it has to know the next event; here
 * each event has its line, and the end names the function.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "graph.h"

/* Spaces for each open call, and how deep they are printed. */
#define INDENT		2
#define INDENT_MAX	100
/* Characters of a duration. */
#define DURATION_WIDTH	7

static const struct tring_field *find_number(const struct tring_event *event, const char *name,
					     uint32_t size)
{
	const struct tring_field *field = tring_find_field(event, name);

	return field && field->kind == TRING_FIELD_NUMBER && field->size == size ? field : NULL;
}

/**
 * tring_graph_find - find the fields of an event
 * @graph: filled in; @graph->func is NULL if it is no event of functions
 * @event: the event
 */
void tring_graph_find(struct tring_graph *graph, const struct tring_event *event)
{
	bool is_exit = !strcmp(event->name, "funcgraph_exit");

	memset(graph, 0, sizeof(*graph));
	if (strcmp(event->system, "ftrace") ||
	    (!is_exit && strcmp(event->name, "funcgraph_entry")))
		return;
	graph->depth = find_number(event, "depth", sizeof(uint32_t));
	/* a long at the begin of a call, in later kernels */
	if (!graph->depth)
		graph->depth = find_number(event, "depth", sizeof(uint64_t));
	graph->begin = is_exit ? find_number(event, "calltime", sizeof(uint64_t)) : NULL;
	graph->end = is_exit ? find_number(event, "rettime", sizeof(uint64_t)) : NULL;
	if (graph->depth && !is_exit == !graph->begin && !is_exit == !graph->end)
		graph->func = find_number(event, "func", sizeof(uint64_t));
}

/* Without its sign, as of a time or an address. */
static uint64_t load(const struct tring_field *field, const struct tring_item *item)
{
	uint64_t value = tring_number(item, field);

	return field->size == sizeof(uint32_t) ? (uint32_t)value : value;
}

static void add_duration(struct tring_line *line, uint64_t ns)
{
	char part[40];

	snprintf(part, sizeof(part), "%" PRIu64 ".%03u", ns / 1000, (unsigned int)(ns % 1000));
	/* fewer digits behind the point for a longer time */
	if (ns >= 10000000)
		part[strcspn(part, ".")] = 0;
	tring_line_put(line, "  %-*s us |  ", DURATION_WIDTH, part);
}

/**
 * tring_graph_print - add the fields of an event to a line
 * @graph: from tring_graph_find(), with @graph->func
 * @line: the line
 * @item: the event, that has all fields
 */
void tring_graph_print(const struct tring_graph *graph, struct tring_line *line,
		       const struct tring_item *item)
{
	static const char no_duration[] = "             |  ";
	uint64_t func = load(graph->func, item), depth = load(graph->depth, item), i;
	const char *name = tring_function(item->trace, func)->name;
	char address[24];

	if (graph->begin)
		add_duration(line, load(graph->end, item) - load(graph->begin, item));
	else
		tring_line_string(line, no_duration);
	for (i = 0; i < depth * INDENT && i < INDENT_MAX; i++)
		tring_line_char(line, ' ');
	snprintf(address, sizeof(address), "0x%" PRIx64, func);
	if (!name)
		name = address;
	if (graph->begin)
		tring_line_string(line, "} /* ");
	tring_line_string(line, name);
	if (graph->begin)
		tring_line_string(line, " */");
	else
		tring_line_string(line, "() {");
}
