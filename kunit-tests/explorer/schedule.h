/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Enumeration of schedules: see schedule.c.
 */
#ifndef SCHEDULE_H
#define SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum schedule_end {
	SCHEDULE_COMPLETE,
	SCHEDULE_KNOWN,		/* came to a state that was met before */
	SCHEDULE_FAILED,
	SCHEDULE_UNREADABLE
};

enum enumeration_mode {
	ENUMERATE_ONE,
	ENUMERATE_ALL,
	ENUMERATE_RANDOM
};

/**
 * struct enumeration - how, and what came of it
 * @mode: how
 * @bound: interruptions in a schedule, at most
 * @bound_hit: the bound kept something from being tried
 * @states_full: more states than are noted
 * @complete: schedules that ran to their end
 * @known: schedules that ended at a known state
 * @random: schedules by chance
 * @states: distinct ones, of the last bound
 */
struct enumeration {
	enum enumeration_mode mode;
	unsigned int	bound;
	bool		bound_hit;
	bool		states_full;
	uint64_t	complete;
	uint64_t	known;
	uint64_t	random;
	uint64_t	states;
};

extern struct enumeration enumeration;
/* Do not end schedules at known states: to check that nothing is missed so. */
extern bool run_known_states;

void schedule_abandon(enum schedule_end why) __attribute__((__noreturn__));
void schedule_print(char *text, size_t size);
enum schedule_end schedule_replay(const char *text);
enum schedule_end schedule_all(unsigned int bound, double deadline);
enum schedule_end schedule_random(unsigned int bound, uint64_t seed, double deadline);
unsigned int interrupts_left(void);

/* explorer.c: hash of all that the future depends on */
uint64_t hash_world(void);
/* main.c */
double seconds_now(void);

#endif /* SCHEDULE_H */
