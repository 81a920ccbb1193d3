/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Why a task waited. What each task and each CPU did is gathered from the whole trace first; then
 * a time of a task is cut into parts, by what it did, what it waited for, and what that did
 * meanwhile.
 */
#ifndef TRING_WHY_H
#define TRING_WHY_H

#include "stats/top_walk.h"

/* In place of a task: an idle one, or none at all. */
#define TRING_WHY_IDLE		SIZE_MAX
#define TRING_WHY_NO_TASK	(SIZE_MAX - 1)
#define TRING_WHY_SOFTIRQS	10

/**
 * enum tring_why_kind - what a time was spent with
 * @TRING_WHY_UNKNOWN: unknown: an event that would tell was lost, or not recorded
 * @TRING_WHY_RAN: the task ran
 * @TRING_WHY_RUNNABLE: it waited for a CPU
 * @TRING_WHY_BLOCKED: it waited to be woken
 * @TRING_WHY_ABSENT: it did not exist yet
 * @TRING_WHY_HELD: another task had the CPU
 * @TRING_WHY_IRQ: an interrupt had it
 * @TRING_WHY_SOFTIRQ: a softirq had it
 */
enum tring_why_kind {
	TRING_WHY_UNKNOWN,
	TRING_WHY_RAN,
	TRING_WHY_RUNNABLE,
	TRING_WHY_BLOCKED,
	TRING_WHY_ABSENT,
	TRING_WHY_HELD,
	TRING_WHY_IRQ,
	TRING_WHY_SOFTIRQ,
};

/**
 * struct tring_why_context - in what something happened
 * @level: in an interrupt of this level; TRING_INTERRUPTS if in a task
 * @task: the task, by number; TRING_WHY_IDLE for an idle one
 * @span: the interrupt; NULL if it is unknown
 * @function: the timer that had expired there; 0 for none
 */
struct tring_why_context {
	enum tring_interrupt level;
	size_t		task;
	const struct tring_span *span;
	uint64_t	function;
};

/**
 * struct tring_why_cause - a wakeup
 * @at: its time
 * @by: what has woken the task
 * @raised: when the softirq was raised that did; 0 if that is unknown
 * @raised_by: in what
 */
struct tring_why_cause {
	uint64_t	at;
	struct tring_why_context by;
	uint64_t	raised;
	struct tring_why_context raised_by;
};

/**
 * struct tring_why_part - a time, and what it was spent with; or a list of such
 * @from: its begin
 * @to: its end
 * @kind: what it was spent with
 * @state: of a task that was blocked: the bits of its state
 * @woken: of one that waited for a CPU: because it was woken, not because it was preempted
 * @cpu: index of the CPU; -1 if it is unknown
 * @task: the task that had the CPU, by number
 * @span: the interrupt; or the system call in which a task was blocked, NULL if it is unknown
 * @cause: the wakeup that has ended a wait; NULL if it is unknown
 * @list: what the other task did, or what had the CPU, in that time
 * @count: number of @list
 */
struct tring_why_part {
	uint64_t	from;
	uint64_t	to;
	enum tring_why_kind kind : 8;
	uint8_t		state;
	bool		woken;
	int		cpu;
	size_t		task;
	const struct tring_span *span;
	struct tring_why_cause *cause;
	struct tring_why_part *list;
	size_t		count;
};

/**
 * struct tring_why_life - what a task did
 * @steps: from its first event on, without gaps
 * @birth: the wakeup that has begun it; NULL if that is not in the trace
 * @state: its state when it ran last
 * @moves: for which CPUs it waits if it does not run, from which times on
 * @wanted: the user has asked for the task
 * @comm: its name, the last one that it had
 */
struct tring_why_life {
	struct tring_why_part steps;
	struct tring_why_cause *birth;
	uint64_t	state;
	struct tring_why_part moves;
	bool		wanted;
	char		*comm;
};

/* What a CPU does at each time is what the first of these has. */
enum tring_why_rank {
	TRING_WHY_IRQS,
	TRING_WHY_SERVED,
	TRING_WHY_TASKS,
	TRING_WHY_RANKS,
};

/**
 * struct tring_why_cpu - what a CPU did
 * @ranks: one after another
 * @sure: since then it is known whether there is an interrupt; UINT64_MAX if it is not
 * @function: the timer that has expired, by the level of the interrupt; 0 for none
 * @raised: softirqs that were raised first at these times and not served since, by number; 0 if
 *	they were not, or TRING_NO_VALUE if that is unknown
 * @raised_by: in what
 * @served: of the softirq that was served last, when it was raised
 */
struct tring_why_cpu {
	struct tring_why_part ranks[TRING_WHY_RANKS];
	uint64_t	sure;
	uint64_t	function[TRING_INTERRUPTS];
	uint64_t	raised[TRING_WHY_SOFTIRQS];
	struct tring_why_context raised_by[TRING_WHY_SOFTIRQS];
	struct tring_why_cause served;
};

/* Which times are asked for. */
enum tring_why_longest {
	/* all times of the tasks */
	TRING_WHY_ALL,
	TRING_WHY_WAKEUP,
	TRING_WHY_BLOCK,
	TRING_WHY_SYSCALL,
	TRING_WHY_SPAN,
	TRING_WHY_WAIT,
	TRING_WHY_LONGEST,
};

/**
 * struct tring_why - what all tasks and CPUs did
 * @walk: the trace
 * @longest: which times are asked for
 * @from: only what ends behind this time
 * @to: only what begins before
 * @item: the event
 * @lives: of each task, by number
 * @life_count: number of @lives
 * @cpus: of each CPU
 * @asked: the times that are asked for, with @task
 */
struct tring_why {
	struct tring_top_walk walk;
	enum tring_why_longest longest;
	uint64_t	from;
	uint64_t	to;
	struct tring_item item;
	struct tring_why_life *lives;
	size_t		life_count;
	struct tring_why_cpu *cpus;
	struct tring_why_part asked;
};

void tring_why_init(struct tring_why *why);
void tring_why_gather(struct tring_why *why);
void tring_why_free(struct tring_why *why);
struct tring_why_part *tring_why_add(struct tring_why_part *list, struct tring_why_part part);

struct tring_why_cause *tring_why_cause(struct tring_why *why);
void tring_why_follow_cpu(struct tring_why *why);
void tring_why_lose_cpu(struct tring_why_cpu *cpu);

void tring_why_choose(struct tring_why *why, size_t limit);
void tring_why_resolve(const struct tring_why *why, struct tring_why_part *asked);
uint64_t tring_why_unknown(const struct tring_why_part *part);
void tring_why_release(struct tring_why_part *part);

extern const char *const tring_why_longest_names[];
const char *tring_why_state(uint8_t state);
char *tring_why_span(const struct tring_span *span, const char *kind);
char *tring_why_task(const struct tring_why *why, size_t task, bool several);
char *tring_why_label(const struct tring_why *why, const struct tring_why_part *part,
		      bool several);

typedef void tring_why_show(const struct tring_why *why, const struct tring_why_part *asked);
tring_why_show tring_why_show_tree, tring_why_show_folded, tring_why_show_json;

#endif /* TRING_WHY_H */
