// SPDX-License-Identifier: GPL-2.0
/*
 * A schedule is the list of options taken at each point that offered a choice. The
 * next schedule keeps the longest prefix of it after which an option is left untried,
 * and runs from a fresh ring.
 *
 * The state at a choice is everything that the rest of the schedule depends on: the
 * memory of the ring, the model, and the stacks and registers of all actors. If the
 * state is known from an earlier schedule, everything that can follow was or will be
 * tried from there, because no schedule returns to a state of its own. So the schedule
 * may end there. Two states with the same 64-bit hash are the exception.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explorer.h"
#include "schedule.h"

#define PATH_MAX_CHOICES	4096
/* What a schedule costs before its first step, in steps. */
#define SCHEDULE_STEPS		20
#define STATES_LOG_MIN		16
#define STATES_LOG_MAX		25

struct enumeration enumeration;
bool run_known_states;

static struct {
	unsigned char taken;
	unsigned char options;
} path[PATH_MAX_CHOICES];

static unsigned int path_length;	/* to be taken again */
static unsigned int position;
static unsigned int interrupts;
static uint64_t random_state;

static uint64_t *states;
static unsigned int states_log;
static uint64_t nr_states;

/* schedule_abandon() jumps here. */
static jmp_buf schedule_end;

static uint64_t next_random(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static bool put_state(uint64_t *table, unsigned int log, uint64_t hash)
{
	uint64_t mask = (1ull << log) - 1, at = hash & mask;

	while (table[at]) {
		if (table[at] == hash)
			return false;
		at = (at + 1) & mask;
	}
	table[at] = hash;
	return true;
}

static void grow_states(void)
{
	uint64_t *old = states, i;
	unsigned int log = states ? states_log + 1 : STATES_LOG_MIN;

	states = calloc(1ull << log, sizeof(*states));
	if (!states)
		abort();
	for (i = 0; old && i < 1ull << states_log; i++)
		if (old[i])
			put_state(states, log, old[i]);
	free(old);
	states_log = log;
}

/* True if the state is new. A full table keeps its states and takes no more. */
static bool note_state(uint64_t hash)
{
	bool is_new;

	hash += !hash;
	if (!states || (nr_states > (1ull << states_log) / 2 && states_log < STATES_LOG_MAX))
		grow_states();
	if (nr_states > (1ull << states_log) / 4 * 3) {
		enumeration.states_full = true;
		return true;
	}
	is_new = put_state(states, states_log, hash);
	nr_states += is_new;
	return is_new;
}

static void forget_states(void)
{
	if (states)
		memset(states, 0, sizeof(*states) << states_log);
	nr_states = 0;
}

/* End this schedule here. */
void schedule_abandon(enum schedule_end why)
{
	_longjmp(schedule_end, why);
}

/**
 * choose - take one of several options
 * @options: number of options; option 0 is that nothing interrupts
 *
 * Return: the option that this schedule takes.
 */
unsigned int choose(unsigned int options)
{
	unsigned int taken = 0;

	if (options < 2 || !exploring)
		return 0;
	if (position < path_length) {
		if (path[position].options && path[position].options != options)
			fail("the explorer does not repeat itself: %u options, then %u",
			     path[position].options, options);
		path[position].options = options;
		taken = path[position].taken;
		if (taken >= options)
			fail("no such option: %u of %u", taken, options);
		position++;
		return taken;
	}
	if (enumeration.mode == ENUMERATE_ALL && !note_state(hash_world()) && !run_known_states)
		schedule_abandon(SCHEDULE_KNOWN);
	if (position == PATH_MAX_CHOICES)
		fail("more choices than the explorer can note");
	if (enumeration.mode == ENUMERATE_RANDOM && next_random() % 8 == 0)
		taken = 1 + next_random() % (options - 1);
	path[position].options = options;
	path[position].taken = taken;
	position++;
	return taken;
}

/* Does the bound allow another interruption? */
bool may_interrupt(void)
{
	if (interrupts < enumeration.bound)
		return true;
	enumeration.bound_hit = true;
	return false;
}

void note_interrupt(void)
{
	interrupts++;
}

unsigned int interrupts_left(void)
{
	return enumeration.bound - interrupts;
}

/* Go to the next schedule; false if there is none. */
static bool advance(void)
{
	path_length = position;
	while (path_length && path[path_length - 1].taken + 1 == path[path_length - 1].options)
		path_length--;
	if (!path_length)
		return false;
	path[path_length - 1].taken++;
	return true;
}

static enum schedule_end run_one(void)
{
	enum schedule_end end;

	position = 0;
	interrupts = 0;
	end = _setjmp(schedule_end);
	if (!end) {
		/* The stack will hold the caller's registers, which are no part of a state. */
		__asm__ __volatile__("xor %%ebx, %%ebx; xor %%r12d, %%r12d; xor %%r13d, %%r13d;"
				     "xor %%r14d, %%r14d; xor %%r15d, %%r15d"
				     ::: "rbx", "r12", "r13", "r14", "r15", "cc");
		run_schedule();
	}
	enumeration.effort += steps_taken() + SCHEDULE_STEPS;
	return end;
}

/* The schedule as text: "NAME:BOUND:CHOICE=OPTION,...". */
void schedule_print(char *text, size_t size)
{
	const char *comma = "";
	unsigned int i;
	size_t at;

	at = snprintf(text, size, "%s:%u:", config->name, enumeration.bound);
	for (i = 0; i < position && at < size; i++)
		if (path[i].taken) {
			at += snprintf(text + at, size - at, "%s%u=%u", comma, i,
				       path[i].taken);
			comma = ",";
		}
}

/* Run the schedule of this text (without its name). */
enum schedule_end schedule_replay(const char *text)
{
	unsigned int choice, taken, bound;
	int used;

	memset(path, 0, sizeof(path));
	path_length = 0;
	if (sscanf(text, "%u:%n", &bound, &used) != 1)
		return SCHEDULE_UNREADABLE;
	for (text += used; *text; text += used) {
		if (sscanf(text, "%u=%u%n", &choice, &taken, &used) != 2 ||
		    choice >= PATH_MAX_CHOICES || taken > 255)
			return SCHEDULE_UNREADABLE;
		path[choice].taken = taken;
		path_length = choice + 1;
		if (text[used] == ',')
			used++;
	}
	memset(&enumeration, 0, sizeof(enumeration));
	enumeration.mode = ENUMERATE_ONE;
	enumeration.bound = bound;
	return run_one();
}

/*
 * Run all schedules with at most @bound interruptions, until the effort is @effort. Returns
 * SCHEDULE_COMPLETE if all were run.
 */
enum schedule_end schedule_all(unsigned int bound, uint64_t effort)
{
	enum schedule_end end;

	enumeration.mode = ENUMERATE_ALL;
	enumeration.bound = bound;
	enumeration.bound_hit = false;
	forget_states();
	path_length = 0;
	do {
		end = run_one();
		if (end == SCHEDULE_FAILED)
			return end;
		if (end == SCHEDULE_KNOWN)
			enumeration.known++;
		else
			enumeration.complete++;
		if (enumeration.effort >= effort) {
			end = SCHEDULE_KNOWN;
			break;
		}
		end = SCHEDULE_COMPLETE;
	} while (advance());
	enumeration.states = nr_states;
	return end;
}

/* Run random schedules until the effort is @effort; a seed gives the same schedules. */
enum schedule_end schedule_random(unsigned int bound, uint64_t seed, uint64_t effort)
{
	enumeration.mode = ENUMERATE_RANDOM;
	enumeration.bound = bound;
	random_state = seed;
	while (enumeration.effort < effort) {
		path_length = 0;
		if (run_one() == SCHEDULE_FAILED)
			return SCHEDULE_FAILED;
		enumeration.random++;
	}
	return SCHEDULE_COMPLETE;
}
