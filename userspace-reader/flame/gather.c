// SPDX-License-Identifier: GPL-2.0
/*
 * Gathers how long each stack was off its CPU, or how many events it has. tring top follows the
 * tasks, and tells of each time that ends, so that the sums are those of its table.
 *
 * A stack is recorded directly behind its event, in the same context of the same task. Only what
 * interrupts can come in between, which is another context. So an event that may get stacks is
 * kept until another one comes on its CPU in its context; or until a loss, which may have had it.
 */
#include <stdlib.h>
#include <string.h>

#include "flame.h"
#include "print/stack.h"
#include "stats/sched.h"
#include "util/clock.h"
#include "util/number.h"
#include "util/util.h"

/* Contexts that interrupt each other, and those whose event had no stack. */
#define KEPT		16

/* No kernel records as many frames; the tree is walked by calls within each other. */
#define FRAMES_MOST	2048
/* Nor of a program, in which the compiler may have put several functions into one. */
#define PROGRAM_FRAMES_MOST	32

/* Of a record's flags. */
#define FLAG_HARDIRQ	0x08
#define FLAG_SOFTIRQ	0x10

/**
 * struct kept - an event that stacks may follow
 * @pid: its task
 * @flags: its context
 * @preempt_count: the same
 * @counted: it is one that the user has asked for, to be counted when its stacks are known
 * @sample: that one
 * @stacks: where its stacks go; NULL for nowhere, or for @sample's
 */
struct kept {
	int32_t		pid;
	uint8_t		flags;
	uint8_t		preempt_count;
	bool		counted;
	struct tring_sample sample;
	struct tring_stacks *stacks;
};

struct tring_flame_cpu {
	struct kept	kept[KEPT];
	size_t		count;
};

static void add_sample(struct tring_flame *flame, const struct tring_sample *sample,
		       uint64_t value)
{
	size_t count = flame->samples.count;
	uint32_t number = tring_intern(&flame->samples, sample, sizeof(*sample));

	if (number == count) {
		flame->values = tring_one_more(flame->values, count, sizeof(*flame->values));
		flame->values[number] = 0;
	}
	flame->values[number] += value;
}

/* Times of a task add up to what the table has, which is rounded once. */
static void add_time(struct tring_flame *flame, struct tring_off *off,
		     enum tring_task_state state)
{
	const uint64_t frequency = flame->walk.top.frequency, before = off->spent[state];
	uint64_t ns;

	off->spent[state] += off->ticks[state];
	off->ticks[state] = 0;
	ns = tring_clock_ns(off->spent[state], frequency) - tring_clock_ns(before, frequency);
	off->sample.what = state;
	if (ns)
		add_sample(flame, &off->sample, ns);
}

/* A task has been off its CPU. What is unknown is so because a stack may be another one, too. */
static void end_off(struct tring_flame *flame, struct tring_off *off)
{
	struct tring_sample sample = off->sample;

	add_time(flame, off, TRING_TASK_BLOCKED);
	off->sample.waker = 0;
	memset(&off->sample.waker_stacks, 0, sizeof(off->sample.waker_stacks));
	add_time(flame, off, TRING_TASK_WAITING);
	memset(&off->sample, 0, sizeof(off->sample));
	off->sample.task = sample.task;
	add_time(flame, off, TRING_TASK_UNKNOWN);
}

static struct tring_off *off_of(struct tring_flame *flame, int32_t pid)
{
	size_t number = tring_tasks_get(&flame->walk.top.tasks, pid)->number;

	while (flame->off_count <= number) {
		struct tring_off *off = tring_allocate(sizeof(*off));

		off->sample.task = flame->off_count;
		flame->off = tring_one_more(flame->off, flame->off_count, sizeof(off));
		flame->off[flame->off_count++] = off;
	}
	return flame->off[number];
}

static void take_ended(void *data, const struct tring_ended *ended)
{
	struct tring_flame *flame = data;
	const struct tring_top *top = &flame->walk.top;
	const struct tring_task *task;
	struct tring_off *off;

	if (ended->kind != TRING_ENDED_WAIT)
		return;
	task = tring_tasks_get(&flame->walk.top.tasks, ended->pid);
	off = off_of(flame, ended->pid);
	/* the tables count a time for the CPU on which the task ran last */
	if (top->every_cpu || (task->cpu >= 0 && top->cpus[task->cpu].wanted))
		off->ticks[ended->state] += tring_top_span(top, ended->from, ended->to);
	if (ended->state == TRING_TASK_UNKNOWN)
		end_off(flame, off);
	else if (ended->state == TRING_TASK_BLOCKED && ended->waker >= 0)
		flame->woken = off;
}

static bool is_stack(const struct tring_item *item)
{
	return !strcmp(item->event->system, "ftrace") && tring_stack_find(item->event);
}

/* Addresses of a program say little without the task and the time: places take their place. */
static void take_place(void *data, uint64_t address, const struct tring_place *place)
{
	uint64_t **at = data;

	(void)address;
	*(*at)++ = (uintptr_t)place;
}

/* Return: number of the stack and 1; 0 for an empty one. */
static uint32_t take_addresses(struct tring_flame *flame, const struct tring_item *item)
{
	uint64_t *addresses, *at;
	size_t count = tring_stack_addresses(item, tring_stack_find(item->event), &addresses);
	uint32_t number = 0;
	size_t most = item->event->frames ? FRAMES_MOST : PROGRAM_FRAMES_MOST;

	at = addresses;
	if (count > most)
		count = most;
	if (!item->event->frames)
		flame->has_places |= tring_programs_stack(flame->programs, item, addresses, count,
							  take_place, &at);
	if (count)
		number = tring_intern(&flame->stacks, addresses, count * sizeof(*addresses)) + 1;
	free(addresses);
	return number;
}

static struct kept *find_kept(struct tring_flame_cpu *cpu, const struct tring_record *record)
{
	size_t i;

	for (i = 0; i < cpu->count; i++) {
		struct kept *kept = &cpu->kept[i];

		if (kept->pid == record->pid && kept->flags == record->flags &&
		    kept->preempt_count == record->preempt_count)
			return kept;
	}
	return NULL;
}

static void take_stack(struct tring_flame *flame, const struct tring_item *item)
{
	struct kept *kept = find_kept(&flame->cpus[item->cpu_at], item->record);
	struct tring_stacks *stacks;

	flame->found = true;
	if (!kept || (!kept->counted && !kept->stacks))
		return;
	stacks = kept->counted ? &kept->sample.stacks : kept->stacks;
	*(item->event->frames ? &stacks->kernel : &stacks->user) = take_addresses(flame, item);
}

static void forget(struct tring_flame *flame, struct tring_flame_cpu *cpu, struct kept *kept)
{
	if (kept->counted)
		add_sample(flame, &kept->sample, 1);
	cpu->count--;
	memmove(kept, kept + 1, (cpu->kept + cpu->count - kept) * sizeof(*kept));
}

static struct kept *keep(struct tring_flame *flame, const struct tring_item *item)
{
	struct tring_flame_cpu *cpu = &flame->cpus[item->cpu_at];
	const struct tring_record *record = item->record;
	struct kept *kept = find_kept(cpu, record);

	if (kept)
		forget(flame, cpu, kept);
	else if (cpu->count == KEPT)
		forget(flame, cpu, cpu->kept);
	kept = &cpu->kept[cpu->count++];
	*kept = (struct kept) {
		.pid = record->pid, .flags = record->flags,
		.preempt_count = record->preempt_count,
	};
	return kept;
}

/**
 * tring_flame_task - get the number of a task's name
 * @flame: the names
 * @comm: its name
 * @pid: its pid, which is part of the name if the user wants so
 */
uint32_t tring_flame_task(struct tring_flame *flame, const char *comm, int32_t pid)
{
	char *name = flame->tasks ? tring_format("t%s-%d", comm, pid) :
				    tring_format("t%s", comm);
	uint32_t number = tring_intern(&flame->names, name, strlen(name));

	free(name);
	return number;
}

/* What wakes a task is the one that an interrupt has interrupted by chance alone. */
static uint32_t name_waker(struct tring_flame *flame, const struct tring_record *record)
{
	const char *name = record->flags & FLAG_HARDIRQ ? "s[interrupt]" :
			   record->flags & FLAG_SOFTIRQ ? "s[softirq]" : NULL;

	if (name)
		return tring_intern(&flame->names, name, strlen(name));
	return tring_flame_task(flame, tring_comm(flame->walk.top.trace, record->pid),
				record->pid);
}

/* An event of the scheduler's: where does a task leave its CPU, or its waker wake it? */
static void take_sched(struct tring_flame *flame, const struct tring_item *item,
		       struct kept *kept)
{
	const struct tring_bound *bound = &flame->walk.top.bound[item->event->number];
	struct tring_off *off;
	int32_t pid;

	if (flame->woken && flame->mode == TRING_FLAME_WAKEUP) {
		flame->woken->sample.waker = name_waker(flame, item->record) + 1;
		kept->stacks = &flame->woken->sample.waker_stacks;
	}
	if (item->wrong || bound->kind != TRING_KIND_SWITCH)
		return;
	pid = tring_number(item, bound->numbers[TRING_SWITCH_PREV]);
	if (!pid || tring_number(item, bound->numbers[TRING_SWITCH_STATE]) & TRING_STATE_DEAD)
		return;
	off = off_of(flame, pid);
	end_off(flame, off);
	kept->stacks = &off->sample.stacks;
}

static void take_event(struct tring_flame *flame, const struct tring_item *item)
{
	const struct tring_record *record = item->record;
	struct kept *kept = keep(flame, item);

	if (flame->mode != TRING_FLAME_EVENTS) {
		if (item->event)
			take_sched(flame, item, kept);
		return;
	}
	kept->counted = item->event && item->wanted;
	if (!kept->counted)
		return;
	kept->sample.task = tring_flame_task(flame, tring_comm(item->trace, record->pid),
					     record->pid);
	kept->sample.what = item->event->number;
}

static void forget_all(struct tring_flame *flame, struct tring_flame_cpu *cpu)
{
	while (cpu->count)
		forget(flame, cpu, cpu->kept);
}

static void take_item(struct tring_flame *flame, const struct tring_item *item)
{
	if (item->kind == TRING_ITEM_LOSS_BEGINS)
		forget_all(flame, &flame->cpus[item->cpu_at]);
	else if (item->kind == TRING_ITEM_EVENT && item->event && !item->wrong && is_stack(item))
		take_stack(flame, item);
	else if (item->kind == TRING_ITEM_EVENT)
		take_event(flame, item);
	flame->woken = NULL;
}

/**
 * tring_flame_init - prepare for reading a trace
 * @flame: with @walk.top.trace, @mode and @tasks. tring_select() has let the trace give every
 *	event
 */
void tring_flame_init(struct tring_flame *flame)
{
	struct tring_top *top = &flame->walk.top;

	top->ended = flame->mode == TRING_FLAME_EVENTS ? NULL : take_ended;
	top->data = flame;
	tring_top_walk_init(&flame->walk);
	flame->programs = tring_programs_begin(top->trace);
	flame->cpus = tring_allocate(top->cpu_count * sizeof(*flame->cpus));
}

/**
 * tring_flame_gather - read a trace
 * @flame: from tring_flame_init()
 */
void tring_flame_gather(struct tring_flame *flame)
{
	struct tring_item item;
	size_t i;

	while (tring_top_walk_step(&flame->walk, &item))
		take_item(flame, &item);
	tring_top_walk_tell(&flame->walk);
	for (i = 0; i < flame->walk.top.cpu_count; i++) {
		forget_all(flame, &flame->cpus[i]);
		flame->lost += flame->walk.top.cpus[i].lost;
	}
	for (i = 0; i < flame->off_count; i++)
		end_off(flame, flame->off[i]);
}

/**
 * tring_flame_free - free what was gathered
 * @flame: from tring_flame_init()
 */
void tring_flame_free(struct tring_flame *flame)
{
	while (flame->off_count)
		free(flame->off[--flame->off_count]);
	free(flame->off);
	free(flame->cpus);
	tring_programs_end(flame->programs);
	tring_intern_free(&flame->stacks);
	tring_intern_free(&flame->names);
	tring_intern_free(&flame->samples);
	tring_intern_free(&flame->nodes);
	free(flame->values);
	free(flame->own);
	free(flame->all);
	tring_top_walk_free(&flame->walk);
}
