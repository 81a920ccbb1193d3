/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Flame graphs: a time, or a number of events, for each stack. Samples are gathered from the
 * trace; then they become a tree of frames, which is written.
 */
#ifndef TRING_FLAME_H
#define TRING_FLAME_H

#include "programs/programs.h"
#include "stats/top_walk.h"
#include "util/intern.h"
#include "util/line.h"

enum tring_flame_mode {
	TRING_FLAME_OFF_CPU,
	TRING_FLAME_WAKEUP,
	TRING_FLAME_EVENTS,
};

/* What kind of frame: the first character of its name. */
enum tring_frame_kind {
	TRING_FRAME_TASK = 't',
	TRING_FRAME_USER = 'u',
	TRING_FRAME_KERNEL = 'k',
	TRING_FRAME_STATE = 's',
	TRING_FRAME_WAKER = 'w',
};

/**
 * struct tring_stacks - the stacks behind an event, by number; 0 if there is none
 * @kernel: the kernel's
 * @user: the program's
 */
struct tring_stacks {
	uint32_t	kernel;
	uint32_t	user;
};

/**
 * struct tring_sample - what has a time, or a number of events
 * @task: number of the task; with TRING_FLAME_EVENTS number of its name
 * @what: enum tring_task_state, or number of the event
 * @stacks: where the task was
 * @waker: what has ended that: number of the waker's name and 1; 0 if that is unknown
 * @waker_stacks: where the waker was
 */
struct tring_sample {
	uint32_t	task;
	uint32_t	what;
	struct tring_stacks stacks;
	uint32_t	waker;
	struct tring_stacks waker_stacks;
};

/**
 * struct tring_off - a task that is off its CPU
 * @sample: where it is, and what has woken it
 * @ticks: how long it has been, by enum tring_task_state
 * @spent: ticks of all samples so far, by enum tring_task_state
 */
struct tring_off {
	struct tring_sample sample;
	uint64_t	ticks[TRING_TASK_STATES];
	uint64_t	spent[TRING_TASK_STATES];
};

struct tring_flame_cpu;

/**
 * struct tring_flame - what is drawn
 * @walk: the trace
 * @mode: what of it
 * @tasks: each task has a frame, not each name of tasks
 * @title: what the graph is called
 * @cpus: events whose stacks may follow, of each CPU
 * @off: tasks, by number
 * @off_count: number of @off
 * @woken: the task whose blocked time the event at hand has ended; NULL for none
 * @programs: the programs of the trace
 * @has_places: programs' stacks have pointers to struct tring_place, or 0, instead of addresses
 * @stacks: addresses of each stack, the innermost one first
 * @names: names of tasks, and of frames behind an enum tring_frame_kind
 * @samples: struct tring_sample
 * @values: of each sample: ns, or events
 * @found: a stack was found
 * @lost: number of events that were lost on the CPUs and in the time that are asked for
 * @nodes: of the tree: pairs of a node's parent and the number of its frame's name; the root
 *	is the first one
 * @own: what each node has itself
 * @all: what it has with those above it
 */
struct tring_flame {
	struct tring_top_walk walk;
	enum tring_flame_mode mode;
	bool		tasks;
	const char	*title;
	struct tring_flame_cpu *cpus;
	struct tring_off **off;
	size_t		off_count;
	struct tring_off *woken;
	struct tring_programs *programs;
	bool		has_places;
	struct tring_intern stacks;
	struct tring_intern names;
	struct tring_intern samples;
	uint64_t	*values;
	bool		found;
	uint64_t	lost;
	struct tring_intern nodes;
	uint64_t	*own;
	uint64_t	*all;
};

void tring_flame_init(struct tring_flame *flame);
void tring_flame_gather(struct tring_flame *flame);
void tring_flame_free(struct tring_flame *flame);
uint32_t tring_flame_task(struct tring_flame *flame, const char *comm, int32_t pid);

void tring_flame_grow(struct tring_flame *flame);

/**
 * struct tring_visit - a node that is visited, in the order of parents and of names
 * @flame: the tree
 * @node: its number
 * @depth: 0 for the root
 * @before: what the nodes of this depth have that were visited before, and what is below
 *	them alone
 * @path: number of each node from the root on, up to this one
 * @line: where the text goes
 * @data: the caller's
 */
struct tring_visit {
	const struct tring_flame *flame;
	uint32_t	node;
	size_t		depth;
	uint64_t	before;
	uint32_t	*path;
	struct tring_line *line;
	void		*data;
};

void tring_flame_visit(const struct tring_flame *flame, struct tring_line *line, void *data,
		       void (*visit)(const struct tring_visit *visit));
uint32_t tring_flame_name(const struct tring_flame *flame, uint32_t node);
const char *tring_flame_frame(const struct tring_flame *flame, uint32_t node);

typedef void tring_flame_write(const struct tring_flame *flame, struct tring_line *line);
tring_flame_write tring_flame_folded, tring_flame_svg, tring_flame_speedscope;

#endif /* TRING_FLAME_H */
