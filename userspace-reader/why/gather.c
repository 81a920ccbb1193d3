// SPDX-License-Identifier: GPL-2.0
/*
 * Gathers what each task and each CPU did. tring top follows the tasks, and tells of each time
 * that ends; what is unknown to it, as behind a loss, is unknown here.
 */
#include <stdlib.h>

#include "stats/sched.h"
#include "stats/tables.h"
#include "util/util.h"
#include "why.h"

/**
 * tring_why_add - add a part to a list
 * @list: the list
 * @part: the part
 *
 * Return: the part in the list, where it stays until another one is added.
 */
struct tring_why_part *tring_why_add(struct tring_why_part *list, struct tring_why_part part)
{
	list->list = tring_one_more(list->list, list->count, sizeof(*list->list));
	list->list[list->count] = part;
	return &list->list[list->count++];
}

static struct tring_why_life *life_at(struct tring_why *why, size_t number)
{
	while (why->life_count <= number) {
		why->lives = tring_one_more(why->lives, why->life_count, sizeof(*why->lives));
		why->lives[why->life_count++] = (struct tring_why_life) { 0 };
	}
	return &why->lives[number];
}

static struct tring_why_life *life_of(struct tring_why *why, int32_t pid)
{
	struct tring_why_life *life = life_at(why, tring_tasks_get(&why->walk.top.tasks,
								   pid)->number);

	/* it may end, and another task get its pid, or get another name */
	life->wanted = tring_wants_task(why->walk.top.trace, pid);
	return life;
}

static void move(struct tring_why_life *life, uint64_t at, int cpu)
{
	const struct tring_why_part *moves = &life->moves;

	if (!moves->count || moves->list[moves->count - 1].cpu != cpu)
		tring_why_add(&life->moves, (struct tring_why_part) { .from = at, .cpu = cpu });
}

static void add_interrupt(struct tring_why *why, const struct tring_ended *ended)
{
	const int cpu = ended->cpu - why->walk.top.cpus;

	tring_why_add(&why->cpus[cpu].ranks[TRING_WHY_IRQS + ended->level],
		      (struct tring_why_part) { .from = ended->from, .to = ended->to, .cpu = cpu,
		      .kind = ended->level == TRING_IRQ ? TRING_WHY_IRQ : TRING_WHY_SOFTIRQ,
		      .span = ended->span });
}

static void end_run(struct tring_why *why, const struct tring_ended *ended)
{
	struct tring_why_part part = {
		.from = ended->from, .to = ended->to, .kind = TRING_WHY_RAN,
		.cpu = ended->cpu - why->walk.top.cpus, .task = TRING_WHY_IDLE,
	};
	struct tring_why_cpu *cpu = &why->cpus[part.cpu];

	if (ended->pid) {
		struct tring_why_life *life = life_of(why, ended->pid);

		part.task = life - why->lives;
		tring_why_add(&life->steps, part);
	}
	/* before that, an interrupt may have had the CPU whose begin was lost */
	if (part.from < cpu->sure)
		part.from = cpu->sure;
	if (part.from < part.to)
		tring_why_add(&cpu->ranks[TRING_WHY_TASKS], part);
}

/* For which CPUs a task has waited. @ran: index of the one that it got; -1 for none */
static void add_runnable(struct tring_why_life *life, struct tring_why_part part, int ran)
{
	const struct tring_why_part *moves = &life->moves;
	uint64_t to = part.to;
	size_t i;

	/* it was moved without an event that tells when */
	if (moves->count && ran >= 0 && moves->list[moves->count - 1].cpu != ran) {
		life->moves.count = 0;
		move(life, part.from, -1);
	}
	for (i = 0; i < moves->count; i++) {
		part.cpu = moves->list[i].cpu;
		part.to = i + 1 < moves->count ? moves->list[i + 1].from : to;
		if (part.to <= part.from)
			continue;
		tring_why_add(&life->steps, part);
		part.from = part.to;
	}
}

static void end_wait(struct tring_why *why, const struct tring_ended *ended)
{
	const struct tring_top *top = &why->walk.top;
	const struct tring_task *task = tring_tasks_get(&why->walk.top.tasks, ended->pid);
	struct tring_why_life *life = life_of(why, ended->pid);
	struct tring_why_part part = { .from = ended->from, .to = ended->to, .cpu = -1 };
	bool event = !ended->open && why->item.kind == TRING_ITEM_EVENT && !why->item.wrong;
	enum tring_kind kind = event ? top->bound[why->item.event->number].kind :
				       TRING_KIND_OTHER;

	if (ended->state == TRING_TASK_WAITING) {
		part.kind = TRING_WHY_RUNNABLE;
		part.woken = task->woken;
		add_runnable(life, part, kind == TRING_KIND_SWITCH ? (int)why->item.cpu_at : -1);
		return;
	}
	if (ended->state == TRING_TASK_BLOCKED) {
		part.kind = TRING_WHY_BLOCKED;
		part.state = life->state;
		/* a loss may have hidden its end, and the begin of another one */
		if (!top->left_out.calls && task->call.span &&
		    top->sighted <= task->call.since)
			part.span = task->call.span;
		/* sched_wakeup may come on another CPU than the waker's */
		if (kind == TRING_KIND_WAKING)
			part.cause = tring_why_cause(why);
	}
	tring_why_add(&life->steps, part);
}

static void take_ended(void *data, const struct tring_ended *ended)
{
	struct tring_why *why = data;

	if (ended->from >= ended->to)
		return;
	switch (ended->kind) {
	case TRING_ENDED_RUN:
		end_run(why, ended);
		break;
	case TRING_ENDED_WAIT:
		end_wait(why, ended);
		break;
	case TRING_ENDED_NEVER:
	case TRING_ENDED_INTERRUPT:
		if (ended->open || ended->kind == TRING_ENDED_INTERRUPT)
			add_interrupt(why, ended);
		break;
	case TRING_ENDED_COUNTER:
		break;
	case TRING_ENDED_CALL:
	case TRING_ENDED_SPAN:
		if (why->longest == (ended->kind == TRING_ENDED_CALL ? TRING_WHY_SYSCALL :
				     TRING_WHY_SPAN))
			tring_why_add(&why->asked, (struct tring_why_part) {
				      .from = ended->from, .to = ended->to, .span = ended->span,
				      .task = life_of(why, ended->pid) - why->lives });
		break;
	}
}

/* Return: index of a CPU, which mostly is its number; -1 if the trace does not have it. */
static int find_cpu(const struct tring_top *top, uint64_t number)
{
	size_t i;

	for (i = 0; i < top->cpu_count; i++)
		if ((uint64_t)top->cpus[(i + number) % top->cpu_count].cpu == number)
			return (i + number) % top->cpu_count;
	return -1;
}

/* A wakeup, or a migration. */
static void take_move(struct tring_why *why, const struct tring_bound *bound)
{
	const struct tring_item *item = &why->item;
	const struct tring_field *cpu = bound->numbers[TRING_TARGET_CPU];
	const int32_t pid = tring_number(item, bound->numbers[TRING_NUMBER]);
	struct tring_why_life *life;

	if (!pid)
		return;
	life = life_of(why, pid);
	move(life, item->record->stamp,
	     cpu ? find_cpu(&why->walk.top, tring_number(item, cpu)) : -1);
	if (bound->kind == TRING_KIND_NEW && !life->steps.count && !life->birth &&
	    tring_tasks_get(&why->walk.top.tasks, pid)->since == item->record->stamp)
		life->birth = tring_why_cause(why);
}

/* A task that leaves its CPU. */
static void take_switch(struct tring_why *why, const struct tring_bound *bound)
{
	const struct tring_item *item = &why->item;
	const int32_t pid = tring_number(item, bound->numbers[TRING_SWITCH_PREV]);
	const uint64_t state = tring_number(item, bound->numbers[TRING_SWITCH_STATE]);
	struct tring_why_life *life;

	if (!pid || state & TRING_STATE_DEAD)
		return;
	life = life_of(why, pid);
	life->state = state;
	life->moves.count = 0;
	move(life, item->record->stamp, item->cpu_at);
}

static void take_item(struct tring_why *why)
{
	const struct tring_bound *bound;

	if (why->item.kind == TRING_ITEM_LOSS_BEGINS)
		tring_why_lose_cpu(&why->cpus[why->item.cpu_at]);
	if (why->item.kind != TRING_ITEM_EVENT)
		return;
	tring_why_follow_cpu(why);
	if (why->item.wrong)
		return;
	bound = &why->walk.top.bound[why->item.event->number];
	if (bound->kind == TRING_KIND_SWITCH)
		take_switch(why, bound);
	else if (bound->kind == TRING_KIND_WAKING || bound->kind == TRING_KIND_WAKEUP ||
		 bound->kind == TRING_KIND_NEW || bound->kind == TRING_KIND_MIGRATE)
		take_move(why, bound);
}

/**
 * tring_why_init - prepare for reading a trace
 * @why: with @walk.top.trace, @longest, @from and @to. tring_select() has let the trace give
 *	every event
 */
void tring_why_init(struct tring_why *why)
{
	struct tring_top *top = &why->walk.top;
	size_t i;

	top->ended = take_ended;
	top->data = why;
	tring_top_walk_init(&why->walk);
	/* interrupts of all tasks, and all calls, may be part of an answer */
	top->every_task = true;
	why->cpus = tring_allocate(top->cpu_count * sizeof(*why->cpus));
	for (i = 0; i < top->cpu_count; i++)
		tring_why_lose_cpu(&why->cpus[i]);
}

/**
 * tring_why_gather - read a trace
 * @why: from tring_why_init()
 */
void tring_why_gather(struct tring_why *why)
{
	const struct tring_top *top = &why->walk.top;
	size_t i;

	while (tring_top_walk_step(&why->walk, &why->item))
		take_item(why);
	tring_top_walk_tell(&why->walk);
	for (i = 0; i < top->tasks.count; i++) {
		struct tring_why_life *life = life_at(why, i);
		const struct tring_task *task = top->tasks.list[i];

		life->comm = tring_table_task(top, task);
		if (task->state != TRING_TASK_GONE)
			life->wanted = tring_wants_task(top->trace, task->pid);
	}
}

/**
 * tring_why_free - free what was gathered
 * @why: from tring_why_init()
 */
void tring_why_free(struct tring_why *why)
{
	size_t i, j;

	for (i = 0; i < why->life_count; i++) {
		struct tring_why_life *life = &why->lives[i];

		for (j = 0; j < life->steps.count; j++)
			free(life->steps.list[j].cause);
		tring_why_release(&life->steps);
		free(life->birth);
		free(life->moves.list);
		free(life->comm);
	}
	for (i = 0; i < why->walk.top.cpu_count; i++)
		for (j = 0; j < TRING_WHY_RANKS; j++)
			tring_why_release(&why->cpus[i].ranks[j]);
	tring_why_release(&why->asked);
	free(why->lives);
	free(why->cpus);
	tring_top_walk_free(&why->walk);
}
