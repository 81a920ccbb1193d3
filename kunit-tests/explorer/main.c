// SPDX-License-Identifier: GPL-2.0
/*
 * explorer [--steps N] [--seed N] [--quick] [--config NAME] [--run-known-states]
 * explorer --replay TEXT | --list
 *
 * Runs each configuration; the last line counts them. A schedule that fails is printed
 * as a text that --replay runs again, with a trace of its steps.
 *
 *   --steps N	thousands of steps for each unit of config::share
 *   --seed N	of the random schedules; with 0 there are none
 *   --quick	stop at the first configuration that fails
 */
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "explorer.h"
#include "schedule.h"

/* CPU time for the ring between two steps, at least half of it: for a loop without one. */
#define HANG_SECONDS	10

static char schedule_text[8192];
static bool quick;
static unsigned long seed = 0x5eed;

static void report_failure(void)
{
	schedule_print(schedule_text, sizeof(schedule_text));
	printf("not ok - %s: %s\n", config->name, failure);
	printf("    replay: explorer --replay '%s'\n", schedule_text);
	printf("killed by: %s: %s\n", config->name, failure);
}

/* A crash of the ring is a failure: report its schedule. */
static void crashed(int signal)
{
	snprintf(failure, sizeof(failure), signal == SIGVTALRM ? "the ring hangs" :
		 "the ring crashes with signal %d", signal);
	report_failure();
	printf("explorer: 0 passed, 1 failed, 0 skipped\n");
	fflush(stdout);
	_exit(1);
}

/* A step ends the time that the ring has for the next one. */
static void watch(int signal)
{
	static uint64_t before;
	uint64_t now = enumeration.effort + steps_taken();

	if (now == before)
		crashed(signal);
	before = now;
}

#ifdef __SANITIZE_ADDRESS__
void __sanitizer_set_death_callback(void (*callback)(void));

/* The sanitizer has printed what it found. */
static void sanitizer_found(void)
{
	snprintf(failure, sizeof(failure), "a sanitizer finds an error");
	report_failure();
	printf("explorer: 0 passed, 1 failed, 0 skipped\n");
	fflush(stdout);
}
#endif

static void catch_crashes(void)
{
	static char stack[64 << 10];
	struct sigaction action = { .sa_handler = crashed, .sa_flags = SA_ONSTACK };
	const struct timeval time = { .tv_sec = HANG_SECONDS };
	struct itimerval interval = { .it_interval = time, .it_value = time };
	stack_t alternative = { .ss_sp = stack, .ss_size = sizeof(stack) };

	sigaltstack(&alternative, NULL);
#ifdef __SANITIZE_ADDRESS__
	__sanitizer_set_death_callback(sanitizer_found);
#else
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
	sigaction(SIGFPE, &action, NULL);
	sigaction(SIGILL, &action, NULL);
	sigaction(SIGABRT, &action, NULL);
#endif
	action.sa_handler = watch;
	sigaction(SIGVTALRM, &action, NULL);
	setitimer(ITIMER_VIRTUAL, &interval, NULL);
}

static void print_numbers(const char *bounded)
{
	uint64_t all = enumeration.complete + enumeration.known + enumeration.random;

	printf("%s: schedules: %lu (%lu to the end, %lu to a known state, ", config->name, all,
	       enumeration.complete, enumeration.known);
	printf("%lu random with --seed %lu), distinct states: %s%lu, bounded by: %s; ",
	       enumeration.random, seed, enumeration.states_full ? "over " : "",
	       enumeration.states, bounded);
	printf("%.1f million steps\n", enumeration.effort / 1e6);
}

/*
 * Run one configuration with a rising bound until all schedules are run or their steps are
 * up to @steps, then random schedules for the rest of them. Steps, not seconds: each
 * machine explores as much. True if no schedule failed.
 */
static bool run_config(const struct config *which, uint64_t steps)
{
	/* Random schedules, which reach any depth, get some of the steps. */
	uint64_t limit = seed ? steps / 10 * 7 : steps, begin, states = 0, complete = 0, known = 0;
	enum schedule_end end;
	unsigned int bound;
	char bounded[96];

	memset(&enumeration, 0, sizeof(enumeration));
	explore(which);
	snprintf(bounded, sizeof(bounded), "nothing");
	for (bound = 0; ; bound++) {
		begin = enumeration.effort;
		enumeration.complete = 0;
		enumeration.known = 0;
		end = schedule_all(bound, limit);
		if (end == SCHEDULE_FAILED)
			return false;
		if (end == SCHEDULE_COMPLETE && !enumeration.bound_hit)
			break;
		states = enumeration.states;
		complete = enumeration.complete;
		known = enumeration.known;
		if (end == SCHEDULE_COMPLETE &&
		    enumeration.effort + 4 * (enumeration.effort - begin) < limit)
			continue;
		if (end == SCHEDULE_COMPLETE)
			snprintf(bounded, sizeof(bounded), "%u interruptions", bound);
		else
			snprintf(bounded, sizeof(bounded),
				 "steps: all with %d interruptions, some with %u",
				 (int)bound - 1, bound);
		if (seed && schedule_random(bound + 4, seed, steps) == SCHEDULE_FAILED)
			return false;
		enumeration.states = states;
		enumeration.complete = complete;
		enumeration.known = known;
		break;
	}
	print_numbers(bounded);
	return true;
}

static const struct config *find_config(const char *name, size_t length)
{
	unsigned int i;

	for (i = 0; i < nr_configs; i++)
		if (strlen(configs[i].name) == length && !memcmp(configs[i].name, name, length))
			return &configs[i];
	fprintf(stderr, "explorer: no configuration '%.*s'\n", (int)length, name);
	exit(2);
}

static int replay(const char *text)
{
	size_t length = strcspn(text, ":");
	enum schedule_end end;

	if (!text[length]) {
		fprintf(stderr, "explorer: not a schedule: '%s'\n", text);
		return 2;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	explore(find_config(text, length));
	tracing = true;
	end = schedule_replay(text + length + 1);
	if (end == SCHEDULE_UNREADABLE) {
		fprintf(stderr, "explorer: not a schedule: '%s'\n", text);
		return 2;
	}
	if (end == SCHEDULE_FAILED)
		printf("not ok - %s\n", failure);
	else
		printf("ok\n");
	return end == SCHEDULE_FAILED;
}

static const struct option options[] = {
	{ "steps", required_argument, NULL, 's' },
	{ "seed", required_argument, NULL, 'n' },
	{ "quick", no_argument, NULL, 'q' },
	{ "config", required_argument, NULL, 'c' },
	{ "run-known-states", no_argument, NULL, 'k' },
	{ "replay", required_argument, NULL, 'r' },
	{ "list", no_argument, NULL, 'l' },
	{ }
};

int main(int argc, char **argv)
{
	const char *only = NULL;
	unsigned int i, passed = 0, failed = 0;
	uint64_t steps = 500;
	int option;

	catch_crashes();
	setvbuf(stdout, NULL, _IOLBF, 0);
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (option) {
		case 's':
			steps = strtoul(optarg, NULL, 0);
			break;
		case 'n':
			seed = strtoul(optarg, NULL, 0);
			break;
		case 'q':
			quick = true;
			break;
		case 'c':
			only = optarg;
			break;
		case 'k':
			run_known_states = true;
			break;
		case 'r':
			return replay(optarg);
		case 'l':
			for (i = 0; i < nr_configs; i++)
				printf("%s\n", configs[i].name);
			return 0;
		default:
			return 2;
		}
	}

	for (i = 0; i < nr_configs; i++) {
		if (only && strcmp(only, configs[i].name))
			continue;
		if (run_config(&configs[i], configs[i].share * steps * 1000)) {
			passed++;
			printf("ok - %s\n", configs[i].name);
		} else {
			failed++;
			report_failure();
			if (quick)
				break;
		}
	}
	printf("explorer: %u passed, %u failed, 0 skipped\n", passed, failed);
	return failed || !passed;
}
