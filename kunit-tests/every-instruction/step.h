/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An interrupt at any instruction, by the processor's single-step trap. See
 * step.c.
 */
#ifndef _TRING_STEP_H
#define _TRING_STEP_H

#include <linux/limits.h>
#include <linux/types.h>

#include <asm/local.h>

/* No step; the interrupt does not come. */
#define STEP_NEVER	UINT_MAX

/* Interrupts that one run may have: at a step, and at one within that. */
#define STEP_DEPTHS	2

/* Interrupts that an instruction gets that is only run after another one. */
#define STEP_ENOUGH	8

/* So many more may come in one run. */
#define STEP_SECONDS	4

/**
 * enum step_level - context that an interrupt says it is in
 * @STEP_TASK: the same as the interrupted one, as an interrupt's first
 *	instructions are and whatever a clock traces
 * @STEP_SOFTIRQ: as interrupt_context_level() numbers them, as the others
 * @STEP_HARDIRQ: likewise
 * @STEP_NMI: likewise
 * @STEP_LEVELS: how many there are
 */
enum step_level {
	STEP_TASK,
	STEP_SOFTIRQ,
	STEP_HARDIRQ,
	STEP_NMI,
	STEP_LEVELS
};

/**
 * enum step_clock - what the clock does when an interrupt comes
 * @STEP_CLOCK_STEADY: goes on
 * @STEP_CLOCK_JUMPS: the first read in the interrupt is 2^27 ticks after the
 *	last one before it: the first difference that must not be compact
 * @STEP_CLOCK_BACK: is behind until the interrupt ends
 */
enum step_clock {
	STEP_CLOCK_STEADY,
	STEP_CLOCK_JUMPS,
	STEP_CLOCK_BACK
};

/**
 * struct step_interrupt - what comes in between
 * @name: for people
 * @run: with interrupts off
 * @level: of it
 * @clock: of it
 * @unstepped: runs at full speed, with the real clock, which is far behind: for
 *	the ring it stands still
 * @same_pid: what it writes has the pid of what it interrupts, as in an interrupt
 *	proper; else another one, as if tasks had been switched in between
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
 * struct step_plan - which interrupts come in a run, and what came of it
 * @interrupts: [0] interrupts the run, [1] interrupts [0]
 * @at: steps that each comes at, counted in what it interrupts; or STEP_NEVER
 * @clock_event: comes at each read of the clock, or NULL
 * @clock_depth: and interrupts itself up to this depth
 * @any_depth: @at[0] counts steps in whatever interrupts the run, too
 * @trace: where the addresses of the steps counted by @at[0] go, or NULL
 * @room: of @trace
 * @steps: how many there were
 * @second: once the first has come, this one comes at each instruction of the
 *	ring at which fewer than STEP_ENOUGH have come in all runs, up to
 *	STEP_SECONDS times; or NULL
 * @came: address at which each interrupt came, 0 if it did not
 * @seconds: how often @second came
 * @second_came: where
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

/* In assembler, and what it calls. */
void step_interrupt_entry(void);
void step_interrupted(void);

int step_init(void);
void step_exit(void);
void step_run(struct step_plan *plan, bool fake_clock, void (*run)(void));
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
