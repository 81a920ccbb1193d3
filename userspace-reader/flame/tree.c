// SPDX-License-Identifier: GPL-2.0
/*
 * Samples as a tree: a task, what its program has called, what the kernel has, and what came of
 * it. A waker's functions lie behind the sleeper's, the innermost one first.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "flame.h"
#include "stats/tables.h"
#include "util/text.h"
#include "util/util.h"

/**
 * struct pair - a node, as its bytes are interned
 * @parent: number of the node below
 * @name: number of its frame's name
 */
struct pair {
	uint32_t	parent;
	uint32_t	name;
};

static const struct pair *pair_of(const struct tring_flame *flame, uint32_t node)
{
	return (const struct pair *)flame->nodes.list[node].bytes;
}

/* Return: number of a node above another one. */
static uint32_t go_up(struct tring_flame *flame, uint32_t parent, uint32_t name)
{
	const struct pair pair = { parent, name };
	size_t count = flame->nodes.count;
	uint32_t node = tring_intern(&flame->nodes, &pair, sizeof(pair));

	if (node == count) {
		flame->own = tring_one_more(flame->own, count, sizeof(*flame->own));
		flame->own[node] = 0;
	}
	return node;
}

static uint32_t go_up_by(struct tring_flame *flame, uint32_t parent, enum tring_frame_kind kind,
			 const char *text)
{
	char *name = tring_format("%c%s", kind, text);
	uint32_t number = tring_intern(&flame->names, name, strlen(name));

	free(name);
	return go_up(flame, parent, number);
}

static uint32_t go_up_function(struct tring_flame *flame, uint32_t parent,
			       enum tring_frame_kind kind, uint64_t address)
{
	const struct tring_symbol *symbol = tring_function(flame->walk.top.trace, address);
	char number[24];

	if (symbol && symbol->name)
		return go_up_by(flame, parent, kind, symbol->name);
	snprintf(number, sizeof(number), "0x%" PRIx64, address);
	return go_up_by(flame, parent, kind, number);
}

/* Functions inside another one are marked as by stackcollapse-perf of the FlameGraph tools. */
static uint32_t go_up_place(struct tring_flame *flame, uint32_t node, enum tring_frame_kind kind,
			    const struct tring_place *place, bool inner)
{
	const char *file;
	char *text;
	size_t i;

	if (!place)
		return go_up_by(flame, node, kind, "[unknown]");
	if (!place->count) {
		file = strrchr(place->file, '/');
		text = tring_format("[%s+0x%" PRIx64 "]", file ? file + 1 : place->file,
				    place->offset);
		node = go_up_by(flame, node, kind, text);
		free(text);
	}
	for (i = 0; i < place->count; i++) {
		size_t at = inner ? i : place->count - 1 - i;

		text = tring_format("%s%s", place->functions[at],
				    at + 1 < place->count ? "_[i]" : "");
		node = go_up_by(flame, node, kind, text);
		free(text);
	}
	return node;
}

/*
 * @stack: its number; 0 for none. @is_program: it is the program's. @inner: the innermost function
 * comes first
 */
static uint32_t go_up_stack(struct tring_flame *flame, uint32_t node, enum tring_frame_kind kind,
			    uint32_t stack, bool is_program, bool inner)
{
	const struct tring_interned *bytes;
	const uint64_t *addresses;
	size_t count, i;

	if (!stack)
		return node;
	bytes = &flame->stacks.list[stack - 1];
	addresses = (const uint64_t *)bytes->bytes;
	count = bytes->size / sizeof(*addresses);
	for (i = 0; i < count; i++) {
		uint64_t address = addresses[inner ? i : count - 1 - i];

		node = is_program && flame->has_places ?
		       go_up_place(flame, node, kind, (void *)(uintptr_t)address, inner) :
		       go_up_function(flame, node, kind, address);
	}
	return node;
}

/* Return: number of the name of a sample's task; UINT32_MAX if the user has not asked for it. */
static uint32_t find_task(struct tring_flame *flame, const struct tring_sample *sample)
{
	const struct tring_top *top = &flame->walk.top;
	const struct tring_task *task;
	uint32_t name = UINT32_MAX;
	char *comm;

	if (flame->mode == TRING_FLAME_EVENTS)
		return sample->task;
	task = top->tasks.list[sample->task];
	comm = tring_table_task(top, task);
	if (tring_table_wants(top, task))
		name = tring_flame_task(flame, comm, task->pid);
	free(comm);
	return name;
}

static const char *name_state(const struct tring_flame *flame, uint32_t what)
{
	if (flame->mode == TRING_FLAME_EVENTS)
		return tring_event_at(flame->walk.top.trace, what)->name;
	return what == TRING_TASK_BLOCKED ? "[blocked]" :
	       what == TRING_TASK_WAITING ? "[waiting for a CPU]" :
	       "[unknown: events were lost, or not recorded]";
}

static uint32_t go_up_waker(struct tring_flame *flame, uint32_t node,
			    const struct tring_sample *sample)
{
	if (!sample->waker)
		return node;
	node = go_up_stack(flame, node, TRING_FRAME_WAKER, sample->waker_stacks.kernel, false,
			   true);
	node = go_up_stack(flame, node, TRING_FRAME_WAKER, sample->waker_stacks.user, true,
			   true);
	return go_up(flame, node, sample->waker - 1);
}

static void add_sample(struct tring_flame *flame, const struct tring_sample *sample,
		       uint64_t value)
{
	const bool unknown = flame->mode != TRING_FLAME_EVENTS &&
			     sample->what == TRING_TASK_UNKNOWN;
	uint32_t name, node = 0;

	if (flame->mode == TRING_FLAME_WAKEUP && sample->what == TRING_TASK_WAITING)
		return;
	name = find_task(flame, sample);
	if (name == UINT32_MAX)
		return;
	node = go_up(flame, node, name);
	if (!sample->stacks.kernel && !sample->stacks.user && !unknown)
		node = go_up_by(flame, node, TRING_FRAME_STATE, "[no stack]");
	node = go_up_stack(flame, node, TRING_FRAME_USER, sample->stacks.user, true, false);
	node = go_up_stack(flame, node, TRING_FRAME_KERNEL, sample->stacks.kernel, false, false);
	node = go_up_by(flame, node, TRING_FRAME_STATE, name_state(flame, sample->what));
	node = go_up_waker(flame, node, sample);
	flame->own[node] += value;
}

/**
 * tring_flame_grow - make the tree of what was gathered
 * @flame: from tring_flame_gather()
 */
void tring_flame_grow(struct tring_flame *flame)
{
	size_t i;

	/* the root is its own parent */
	go_up_by(flame, 0, TRING_FRAME_STATE, "all");
	for (i = 0; i < flame->samples.count; i++)
		add_sample(flame, (const struct tring_sample *)flame->samples.list[i].bytes,
			   flame->values[i]);
	flame->all = tring_allocate(flame->nodes.count * sizeof(*flame->all));
	for (i = flame->nodes.count; i--;) {
		flame->all[i] += flame->own[i];
		if (i)
			flame->all[pair_of(flame, i)->parent] += flame->all[i];
	}
}

/**
 * tring_flame_name - get the number of the name of a node's frame
 * @flame: the tree
 * @node: the node
 */
uint32_t tring_flame_name(const struct tring_flame *flame, uint32_t node)
{
	return pair_of(flame, node)->name;
}

/**
 * tring_flame_frame - get the name of a node's frame
 * @flame: the tree
 * @node: the node
 *
 * Return: its enum tring_frame_kind, and the name, of any bytes.
 */
const char *tring_flame_frame(const struct tring_flame *flame, uint32_t node)
{
	return flame->names.list[tring_flame_name(flame, node)].bytes;
}

static int compare(const void *a, const void *b, void *data)
{
	const struct tring_flame *flame = data;
	const uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
	const struct pair *first = pair_of(flame, one), *second = pair_of(flame, other);

	if (first->parent != second->parent)
		return first->parent < second->parent ? -1 : 1;
	return strcmp(tring_flame_frame(flame, one) + 1, tring_flame_frame(flame, other) + 1);
}

/**
 * struct order - the nodes in the order in which they are visited
 * @list: all but the root, those of one parent together
 * @first: of each node, index of its first child in @list
 * @end: behind its last one
 */
struct order {
	uint32_t	*list;
	uint32_t	*first;
	uint32_t	*end;
};

static void sort(const struct tring_flame *flame, struct order *order)
{
	const size_t count = flame->nodes.count;
	uint32_t i;

	order->list = tring_allocate(count * sizeof(*order->list));
	order->first = tring_allocate(count * sizeof(*order->first));
	order->end = tring_allocate(count * sizeof(*order->end));
	for (i = 1; i < count; i++)
		order->list[i - 1] = i;
	qsort_r(order->list, count - 1, sizeof(*order->list), compare, (void *)flame);
	for (i = 0; i + 1 < count; i++) {
		uint32_t parent = pair_of(flame, order->list[i])->parent;

		if (!order->end[parent])
			order->first[parent] = i;
		order->end[parent] = i + 1;
	}
}

static void visit_nodes(const struct order *order, struct tring_visit *visit,
			void (*call)(const struct tring_visit *visit))
{
	const uint32_t node = visit->node;
	const uint64_t before = visit->before;
	uint32_t i;

	visit->path[visit->depth] = node;
	call(visit);
	for (i = order->first[node]; i < order->end[node]; i++) {
		visit->node = order->list[i];
		visit->depth++;
		visit_nodes(order, visit, call);
		visit->depth--;
		visit->before += visit->flame->all[order->list[i]];
	}
	visit->node = node;
	visit->before = before;
}

/**
 * tring_flame_visit - visit all nodes
 * @flame: the tree
 * @line: for @visit
 * @data: for @visit
 * @visit: called for each node, before those above it
 */
void tring_flame_visit(const struct tring_flame *flame, struct tring_line *line, void *data,
		       void (*visit)(const struct tring_visit *visit))
{
	struct tring_visit at = { .flame = flame, .line = line, .data = data };
	struct order order;

	sort(flame, &order);
	at.path = tring_allocate(flame->nodes.count * sizeof(*at.path));
	visit_nodes(&order, &at, visit);
	free(at.path);
	free(order.list);
	free(order.first);
	free(order.end);
}
