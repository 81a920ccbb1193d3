/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a schedule changes besides the ring's memory. All of it is put back for
 * the next one, and all of it is part of a state.
 */
#ifndef WORLD_H
#define WORLD_H

#include "shim/shim.h"
#include "ring/ring.h"
#include "ring/fast.h"
#include "explorer.h"
#include "model.h"

/* A CPU as the kernel's macros see it. */
struct context {
	int	level;		/* that it runs at */
	int	reported;	/* as the preempt count has it */
	int	preempt;
	int	attempt;	/* that it is in, -1 for none */
	int	depth;		/* attempts that it is in */
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

/* What an actor on another CPU waits for. */
struct waiting {
	enum wait	for_what;
	const void	*object;
	unsigned int	wakeups;
};

/* A call that an actor wants made on the writers' CPU. */
struct call {
	void	(*function)(void *info);
	void	*info;
	bool	pending;
	bool	done;
};

#define WORKS_MAX	4
/* The ring's: to drop old memory, to give short types. */
#define WORK_MAX	2

struct world {
	struct context	cpu;
	struct context	other[COROUTINES];
	int		running;	/* an actor, or -1: the writers' CPU */
	int		last;		/* actor that went on last, here */
	int		times[LEVELS];
	int		entry;
	int		traced_clock;
	int		clock_times;
	int		cpu_users;	/* who keeps CPUs from coming and going */
	bool		offline;	/* the writers' CPU is */
	u64		now;
	struct waiting	waiting[COROUTINES];
	struct call	call[COROUTINES];
	struct irq_work	*works[WORKS_MAX];
	struct work_struct *work[WORK_MAX];	/* for the worker, the next one first */
	unsigned int	steps;
	struct model	model;
};

extern struct world world;
extern struct tring_buffer *buffer;
extern struct context *me;
extern struct coroutine actors[COROUTINES];

/* explorer.c */
void point(const char *name);
void run_call(void (*function)(void *info), void *info);
void run_works(void);
void interrupt_begin(struct context *saved, int level, int reported);
void interrupt_end(const struct context *saved);
void block(enum wait for_what, const void *object, unsigned int wakeups);

/* writers.c */
void prepare_events(void);
void write_word(const char *word);
u64 read_clock(struct tring_cpu_buffer *cpu_buffer);

/* actors.c */
void run_actor(int number);
void run_worker(int number);
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
