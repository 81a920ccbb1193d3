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
	SCHEDULE_KNOWN,		/* reached a known state */
	SCHEDULE_FAILED,
	SCHEDULE_UNREADABLE
};

enum enumeration_mode {
	ENUMERATE_ONE,
	ENUMERATE_ALL,
	ENUMERATE_RANDOM
};

/**
 * struct enumeration - an enumeration and its results
 * @mode: which schedules
 * @bound: interruptions in a schedule, at most
 * @bound_hit: the bound has cut off schedules
 * @states_full: there were more states than the table holds
 * @complete: number of schedules that ran to their end
 * @known: number of schedules that ended at a known state
 * @random: number of random schedules
 * @states: number of distinct states, of the last bound
 * @effort: steps of all schedules so far, and SCHEDULE_STEPS for each schedule
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
	uint64_t	effort;
};

extern struct enumeration enumeration;
/* Go on at known states: to check that ending there misses nothing. */
extern bool run_known_states;

void schedule_abandon(enum schedule_end why) __attribute__((__noreturn__));
void schedule_print(char *text, size_t size);
enum schedule_end schedule_replay(const char *text);
enum schedule_end schedule_all(unsigned int bound, uint64_t effort);
enum schedule_end schedule_random(unsigned int bound, uint64_t seed, uint64_t effort);
unsigned int interrupts_left(void);

/* explorer.c */
unsigned int steps_taken(void);
/* state.c */
uint64_t hash_world(void);

#endif /* SCHEDULE_H */
