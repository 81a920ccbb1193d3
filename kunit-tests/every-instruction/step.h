/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Injects interrupts at any instruction. See step.c.
 */
#ifndef _TRING_STEP_H
#define _TRING_STEP_H

#include <linux/limits.h>
#include <linux/types.h>

#include <asm/local.h>

/* Value of step_plan::at: the interrupt does not come. */
#define STEP_NEVER	UINT_MAX

/* Depth of interrupts: one may interrupt the run, another one that interrupt. */
#define STEP_DEPTHS	2

/* Number of second interrupts that suffice for an instruction. */
#define STEP_ENOUGH	8

/* Number of second interrupts in one run. */
#define STEP_SECONDS	4

/**
 * enum step_level - context level of an interrupt, as interrupt_context_level() has it
 * @STEP_TASK: level of the interrupted code, as in the first instructions of an
 *	interrupt and in events of a traced clock
 * @STEP_SOFTIRQ: softirq
 * @STEP_HARDIRQ: hard interrupt
 * @STEP_NMI: NMI
 * @STEP_LEVELS: number of levels
 */
enum step_level {
	STEP_TASK,
	STEP_SOFTIRQ,
	STEP_HARDIRQ,
	STEP_NMI,
	STEP_LEVELS
};

/**
 * enum step_clock - the clock during an interrupt
 * @STEP_CLOCK_STEADY: advances as always
 * @STEP_CLOCK_JUMPS: the first read in the interrupt is 2^27 ticks after the last
 *	read before it, which is the smallest difference that is not compact
 * @STEP_CLOCK_BACK: steps back until the interrupt ends
 */
enum step_clock {
	STEP_CLOCK_STEADY,
	STEP_CLOCK_JUMPS,
	STEP_CLOCK_BACK
};

/**
 * struct step_interrupt - an interrupt
 * @name: name in messages
 * @run: its code; runs with interrupts off
 * @level: its context level
 * @clock: the clock during the interrupt
 * @unstepped: run at full speed, while the clock stands
 * @same_pid: its writers have the pid of the interrupted writer; otherwise another
 *	pid, as if tasks had been switched in between
 */
struct step_interrupt {
	const char	*name;
	void		(*run)(void);
	enum step_level	level;
	enum step_clock	clock;
	bool		unstepped;
	bool		same_pid;
};

/**
 * struct step_plan - the interrupts of a run, and its results
 * @interrupts: [0] interrupts the run, [1] interrupts [0]
 * @at: step at which each interrupt comes, counted in the code that it interrupts;
 *	or STEP_NEVER
 * @clock_event: interrupt that comes at each read of the clock, or NULL
 * @clock_depth: number of levels to which @clock_event interrupts itself
 * @any_depth: @at[0] also counts the steps of interrupts
 * @trace: room for the addresses of the steps that @at[0] counts, or NULL
 * @room: number of addresses in @trace
 * @steps: result: number of steps that @at[0] counts
 * @second: interrupt that comes, after the first one, at each instruction of the
 *	ring that fewer than STEP_ENOUGH interrupts have reached in all runs, up to
 *	STEP_SECONDS times; or NULL
 * @came: result: address at which each interrupt came, or 0
 * @seconds: result: number of times that @second came
 * @second_came: result: addresses at which @second came
 */
struct step_plan {
	const struct step_interrupt	*interrupts[STEP_DEPTHS];
	unsigned int			at[STEP_DEPTHS];
	const struct step_interrupt	*clock_event;
	unsigned int			clock_depth;
	bool				any_depth;
	unsigned long			*trace;
	unsigned int			room;
	unsigned int			steps;
	const struct step_interrupt	*second;
	unsigned long			came[STEP_DEPTHS];
	unsigned int			seconds;
	unsigned long			second_came[STEP_SECONDS];
};

/* The entry in assembler, and the function that it calls. */
void step_interrupt_entry(void);
void step_interrupted(void);

int step_init(void);
void step_exit(void);
void step_run(struct step_plan *plan, void (*run)(void));
void step_advance(s64 ticks);
bool step_pause(void);
void step_resume(bool paused);
bool step_is_on(void);
u64 step_now(void);
u64 step_latest(void);
u32 step_pid(void);
bool step_overran(void);
u64 step_total(void);
bool step_is_test(unsigned long address);
bool step_is_cmpxchg(unsigned long address);
void step_print_covered(void);

#endif /* _TRING_STEP_H */
