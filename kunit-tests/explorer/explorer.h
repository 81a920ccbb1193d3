/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The explorer: runs the files of the ring in user space and enumerates the
 * interleavings of their steps with those of other actors; see explorer.c.
 */
#ifndef EXPLORER_H
#define EXPLORER_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limits of one schedule: attempts, packets, records of a packet. */
#define ATTEMPTS_MAX	64
#define PACKETS_MAX	64
#define RECORDS_MAX	48
/* Actors on other CPUs in one configuration, and the kernel's worker. */
#define ACTORS_MAX	2
#define WORKER		ACTORS_MAX
#define COROUTINES	(ACTORS_MAX + 1)
/* The largest sub-buffer that a configuration uses. */
#define SUBBUF_MAX	512

enum level {
	LEVEL_TASK,
	LEVEL_SOFTIRQ,
	LEVEL_IRQ,
	LEVEL_NMI,
	LEVELS
};

/**
 * struct config - a configuration to explore
 * @name: shown in results, and used by --replay
 * @task: events that the task on the writers' CPU writes, a letter each; see writers.c
 * @nested: for each level, words of such letters; an interrupt writes one word
 * @times: number of interrupts of each level, at most
 * @entry: number of interrupts, at most, whose level is not in the preempt count yet;
 *	each writes a word of @nested of LEVEL_IRQ
 * @traced_clock: number of reads of the clock, at most, that write an event
 * @actors: operations of actors on other CPUs, a letter each; see actors.c
 * @clock: tricks of the clock besides ticking, a letter each; see wind_clock()
 * @clock_times: number of tricks, at most
 * @prefill: events in the initial state, letters as in @task
 * @subbufs: number of sub-buffers
 * @overwrite: overwrite mode
 * @offline: the writers' CPU goes offline when the task has ended
 * @fine: each access of the shim is a point, not only the labelled steps
 * @storm: always, without a choice: n: an NMI interrupts each time that the task or a
 *	call has read the clock; c: each read of the clock writes an event
 * @share: of the steps of all configurations
 */
struct config {
	const char	*name;
	const char	*task;
	const char	*nested[LEVELS];
	int		times[LEVELS];
	int		entry;
	int		traced_clock;
	const char	*actors[ACTORS_MAX];
	const char	*clock;
	int		clock_times;
	const char	*prefill;
	unsigned long	subbufs;
	bool		overwrite;
	bool		offline;
	bool		fine;
	char		storm;
	unsigned int	share;
};

extern const struct config configs[];
extern const unsigned int nr_configs;

/* schedule.c: choices and their enumeration */
unsigned int choose(unsigned int options);
bool may_interrupt(void);
void note_interrupt(void);

/* explorer.c */
extern const struct config *config;
extern bool exploring;
extern bool tracing;
extern char failure[256];
void explore(const struct config *which);
__attribute__((__format__(__printf__, 1, 2), __noreturn__))
void fail(const char *format, ...);
void run_schedule(void);
void trace(const char *format, ...) __attribute__((__format__(__printf__, 1, 2)));

/* coroutine.c: the stack of an actor */
struct coroutine {
	jmp_buf		base;
	jmp_buf		where;
	char		*stack;
	size_t		stack_size;
	char		*top;		/* of the stack in use while suspended */
	void		(*run)(int number);
	int		number;
	bool		created;
	bool		started;
	bool		done;
	void		*fake_stack;
};

void coroutine_prepare(struct coroutine *coroutine, int number, void (*run)(int number));
void coroutine_restart(struct coroutine *coroutine);
void coroutine_resume(struct coroutine *coroutine);
void coroutine_yield(struct coroutine *coroutine);

/* decode.c: packets as userspace-reader/wire/parse.c decodes them */
struct decoded_record {
	uint64_t	stamp;
	const uint8_t	*fields;
	uint32_t	length;		/* of the fields */
	uint32_t	pid;
	uint16_t	id;
	uint8_t		type;
	uint8_t		flags;
	uint8_t		preempt_count;
	bool		is_discarded;
	bool		says_pid;
};

struct decoded {
	uint64_t	begin, end, seq_num, discarded;
	uint32_t	content, size, cpu;
	const uint8_t	*uuid;
	const uint8_t	*lengths;
	unsigned int	records;
	struct decoded_record record[RECORDS_MAX];
};

const char *decode_packet(const void *data, size_t size, const uint16_t *short_ids,
			  struct decoded *decoded);

#endif /* EXPLORER_H */
