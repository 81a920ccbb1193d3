/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a schedule changes besides the memory of the ring. All of it is restored for the
 * next schedule, and all of it is part of a state.
 */
#ifndef WORLD_H
#define WORLD_H

#include "shim/shim.h"
#include "ring/fast.h"
#include "session/session.h"
#include "explorer.h"
#include "model.h"

/* What the kernel's macros tell of a CPU. */
struct context {
	int	level;		/* that the CPU runs at */
	int	reported;	/* level in the preempt count */
	int	preempt;
	int	attempt;	/* the current one, -1 for none */
	int	depth;		/* of nested attempts */
};

enum wait {
	WAIT_NOTHING,
	WAIT_MUTEX,
	WAIT_CALL,
	WAIT_GRACE,
	WAIT_QUEUE,
	WAIT_QUEUE_TIMEOUT,
	WAIT_PROGRESS,
	WAIT_WORK
};

/* The condition that an actor on another CPU waits for. */
struct waiting {
	enum wait	for_what;
	const void	*object;
	unsigned int	wakeups;
};

/* A function that an actor has called on the writers' CPU. */
struct call {
	void	(*function)(void *info);
	void	*info;
	bool	pending;
	bool	done;
};

#define WORKS_MAX	4
/* The session's. */
#define WORK_MAX	1

struct world {
	struct context	cpu;
	struct context	other[COROUTINES];
	int		running;	/* actor, or -1: the writers' CPU */
	int		last;		/* actor that ran last at this point */
	int		times[LEVELS];
	int		entry;
	int		traced_clock;
	int		clock_times;
	int		cpu_users;	/* holders of cpus_read_lock() */
	bool		offline;	/* the writers' CPU is offline */
	bool		waits_for_half;	/* the reader waits for half of the ring */
	struct tring_peek cursor;	/* of all peeks */
	bool		is_new_clock;	/* the next trace has another clock */
	u64		now;
	struct waiting	waiting[COROUTINES];
	struct call	call[COROUTINES];
	struct irq_work	*works[WORKS_MAX];
	struct work_struct *work[WORK_MAX];	/* pending, in order */
	unsigned int	steps;
	struct model	model;
};

extern struct world world;
extern struct tring_buffer *buffer;
extern struct context *me;
extern struct coroutine actors[COROUTINES];

/* explorer.c */
extern unsigned int nr_running;	/* actors, then the worker, if there are actors */
extern char *stack_top;		/* the schedule's part of the stack begins here */
void point(const char *name);
void run_call(void (*function)(void *info), void *info);
void run_works(void);
void interrupt_begin(struct context *saved, int level, int reported);
void interrupt_end(const struct context *saved);
void block(enum wait for_what, const void *object, unsigned int wakeups);

/* state.c */
void scrub_stack(void);

/* writers.c */
void prepare_events(void);
void write_word(const char *word);
u64 read_clock(struct tring_cpu_buffer *cpu_buffer);

/* actors.c */
void run_actor(int number);
void run_worker(int number);
void peek_all(void);
void drain_all(void);

/* arena.c */
void arena_clear(void);
void arena_save(void);
void arena_check(void);
void arena_restore(void);
const void *arena_used(size_t *size);

#define TRACE(...) \
do { \
	if (unlikely(tracing)) \
		trace(__VA_ARGS__); \
} while (0)

#endif /* WORLD_H */
