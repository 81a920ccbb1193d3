// SPDX-License-Identifier: GPL-2.0
/*
 * Reads a trace for its tables: the events of all CPUs in the order of time, and the losses.
 *
 * What happened before --from is read, too, so that it is known what each task does from
 * there on; and the numbers do not depend on where packets begin.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tables.h"
#include "top_walk.h"
#include "util/util.h"

static bool has_word(const char *text, const char *word)
{
	const size_t size = strlen(word);

	for (; *text; text += strcspn(text, " "), text += strspn(text, " "))
		if (strcspn(text, " ") == size && !strncmp(text, word, size))
			return true;
	return false;
}

/**
 * tring_left_out_parse - find out what a recording has left out on purpose
 * @text: the words of tring_env()'s "left_out"
 */
struct tring_left_out tring_left_out_parse(const char *text)
{
	return (struct tring_left_out) {
		.tasks = has_word(text, "tasks"),
		.cpus = has_word(text, "cpus"),
		.sched = has_word(text, "sched"),
		.calls = has_word(text, "raw_syscalls"),
		.interrupts = has_word(text, "irq"),
	};
}

/**
 * tring_top_walk_init - prepare the tables of a trace
 * @walk: with what the caller sets. tring_select() has let the trace give @every event
 */
void tring_top_walk_init(struct tring_top_walk *walk)
{
	struct tring_top *top = &walk->top;
	size_t i;

	top->cpu_count = tring_cpu_count(top->trace);
	top->cpus = tring_allocate(top->cpu_count * sizeof(*top->cpus));
	walk->unknown = tring_allocate(top->cpu_count * sizeof(*walk->unknown));
	top->first = tring_wants_from(top->trace);
	top->last = tring_wants_to(top->trace);
	top->left_out = tring_left_out_parse(walk->left_out ? walk->left_out :
					     tring_env(top->trace, "left_out"));
	top->every_task = tring_wants_all_tasks(top->trace);
	top->every_cpu = true;
	for (i = 0; i < top->cpu_count; i++) {
		top->cpus[i].cpu = tring_cpu_at(top->trace, i);
		top->cpus[i].wanted = tring_wants_cpu(top->trace, top->cpus[i].cpu);
		top->every_cpu &= top->cpus[i].wanted;
	}
	tring_top_init(top);
}

/* A loss whose time lies as a whole behind the selected one is none of it. */
static void begin_loss(struct tring_top_walk *walk, const struct tring_item *item)
{
	struct tring_top *top = &walk->top;

	if (item->since > top->last)
		return;
	if (item->since > walk->last)
		walk->last = item->since;
	/* what was taken already is no part of a loss that is known only now */
	tring_top_lose(top, &top->cpus[item->cpu_at],
		       item->since > walk->limit ? item->since : walk->limit);
}

/* Counts up to the last event, or to the end that the user has given if there are later ones. */
static void end(struct tring_top_walk *walk)
{
	struct tring_top *top = &walk->top;

	if (!walk->ended)
		tring_top_end(top, tring_has_later(top->trace) ? top->last : walk->last);
	walk->ended = true;
}

static void end_loss(struct tring_top_walk *walk, const struct tring_item *item)
{
	struct tring_gap gap = {
		.cpu = &walk->top.cpus[item->cpu_at],
		.from = item->since ? item->since : TRING_NO_VALUE,
		.to = item->record ? item->record->stamp : TRING_NO_VALUE,
		.events = item->events,
		.packets = item->packets,
	};

	/* what was lost behind the last event of a CPU lasts until the end */
	if (!item->record)
		end(walk);
	if (!gap.cpu->blind)
		return;
	/* what is missing before a CPU's first packet is no loss of the recording */
	if (!item->since && !item->events && !item->packets)
		tring_top_sight(&walk->top, gap.cpu, gap.to);
	else
		tring_top_gap(&walk->top, &gap);
}

static void take(struct tring_top_walk *walk, const struct tring_item *item)
{
	walk->last = item->record->stamp;
	walk->unknown[item->cpu_at] += !item->event;
	tring_top_take(&walk->top, &walk->top.cpus[item->cpu_at], item);
}

static void take_item(struct tring_top_walk *walk, const struct tring_item *item)
{
	tring_pairs_take(&walk->top, item);
	switch (item->kind) {
	case TRING_ITEM_EVENT:
		take(walk, item);
		break;
	case TRING_ITEM_LOSS:
		end_loss(walk, item);
		break;
	case TRING_ITEM_LOSS_BEGINS:
		begin_loss(walk, item);
		break;
	}
}

/**
 * tring_top_walk_step - read one event, or one loss
 * @walk: from tring_top_walk_init()
 * @item: set to it
 *
 * Return: false if there was none: the intervals that are open were told.
 */
bool tring_top_walk_step(struct tring_top_walk *walk, struct tring_item *item)
{
	if (tring_next(walk->top.trace, item) > 0) {
		take_item(walk, item);
		return true;
	}
	end(walk);
	return false;
}

static void read_all(struct tring_top_walk *walk)
{
	struct tring_item item;

	while (tring_next(walk->top.trace, &item) > 0)
		take_item(walk, &item);
}

/**
 * tring_top_walk_tell - report what was wrong with the events
 * @walk: from tring_top_walk_init()
 */
void tring_top_walk_tell(struct tring_top_walk *walk)
{
	size_t i;

	for (i = 0; i < walk->top.cpu_count; i++)
		if (walk->unknown[i])
			tring_error("cpu%d: no format describes %" PRIu64 " events",
				    walk->top.cpus[i].cpu, walk->unknown[i]);
	if (walk->top.damaged)
		tring_error("the payload of %" PRIu64 " events does not fit the format",
			    walk->top.damaged);
}

/**
 * tring_top_walk_run - read the trace
 * @walk: from tring_top_walk_init()
 *
 * What is wrong with the trace is reported on stderr and counted by tring_problems().
 */
void tring_top_walk_run(struct tring_top_walk *walk)
{
	read_all(walk);
	end(walk);
	tring_top_walk_tell(walk);
}

/**
 * tring_top_walk_more - read on, because the ring has got more
 * @walk: from tring_top_walk_init(), of a ring that is consumed
 *
 * @walk->limit is the time up to which everything was taken then.
 */
void tring_top_walk_more(struct tring_top_walk *walk)
{
	read_all(walk);
	walk->limit = tring_ring_time(walk->top.trace);
}

/**
 * tring_top_walk_free - free the tables of a trace
 * @walk: from tring_top_walk_init()
 */
void tring_top_walk_free(struct tring_top_walk *walk)
{
	tring_top_free(&walk->top);
	free(walk->top.cpus);
	free(walk->unknown);
}
