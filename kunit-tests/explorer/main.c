// SPDX-License-Identifier: GPL-2.0
/*
 * explorer [--seconds N] [--quick] [--config NAME] [--run-known-states]
 * explorer --replay TEXT | --list
 *
 * Runs each configuration; the last line counts them. A schedule that fails is printed
 * as a text that --replay runs again, with a trace of its steps.
 */
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "explorer.h"
#include "schedule.h"

/* Time limit for a loop in the ring that has no point. */
#define HANG_SECONDS	20

static char schedule_text[8192];
static bool quick;

/* CPU time, so that a busy machine explores as much. */
double seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

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
	sigaction(SIGVTALRM, &action, NULL);
}

static void limit_time(double seconds)
{
	struct itimerval limit = { .it_value.tv_sec = seconds };

	setitimer(ITIMER_VIRTUAL, &limit, NULL);
}

static void print_numbers(const char *bounded, double begin)
{
	double seconds = seconds_now() - begin;
	uint64_t all = enumeration.complete + enumeration.known + enumeration.random;

	printf("%s: schedules: %lu (%lu to the end, %lu to a known state, %lu random), ",
	       config->name, all, enumeration.complete, enumeration.known,
	       enumeration.random);
	printf("distinct states: %s%lu, bounded by: %s; %.1f s, %.0f/s\n",
	       enumeration.states_full ? "over " : "", enumeration.states, bounded, seconds,
	       seconds > 0.05 ? all / seconds : 0);
}

/*
 * Run one configuration with a rising bound until all schedules are run or the time is
 * up, then random schedules for the rest of the time. True if no schedule failed.
 */
static bool run_config(const struct config *which, double scale)
{
	double begin = seconds_now(), limit = which->seconds * scale, last, took;
	enum schedule_end end = SCHEDULE_COMPLETE;
	uint64_t states = 0, complete = 0, known = 0;
	unsigned int bound, done = 0;
	char bounded[96];

	memset(&enumeration, 0, sizeof(enumeration));
	explore(which);
	snprintf(bounded, sizeof(bounded), "nothing");
	for (bound = 0; ; bound++) {
		last = seconds_now();
		enumeration.complete = 0;
		enumeration.known = 0;
		limit_time(limit + HANG_SECONDS);
		/* Random schedules, which reach any depth, get some of the time. */
		end = schedule_all(bound, begin + limit * 0.7);
		took = seconds_now() - last;
		if (end == SCHEDULE_FAILED)
			return false;
		if (end == SCHEDULE_COMPLETE)
			done = bound;
		if (end == SCHEDULE_COMPLETE && !enumeration.bound_hit)
			break;
		states = enumeration.states;
		complete = enumeration.complete;
		known = enumeration.known;
		if (end == SCHEDULE_COMPLETE && seconds_now() - begin + 4 * took < limit * 0.7)
			continue;
		if (end == SCHEDULE_COMPLETE)
			snprintf(bounded, sizeof(bounded),
				 "%u interruptions, more at random", done);
		else
			snprintf(bounded, sizeof(bounded),
				 "time: all with %u interruptions, some with %u, more at random",
				 bound - 1, bound);
		end = schedule_random(bound + 4, 0x5eed, begin + limit);
		if (end == SCHEDULE_FAILED)
			return false;
		enumeration.states = states;
		enumeration.complete = complete;
		enumeration.known = known;
		break;
	}
	limit_time(0);
	print_numbers(bounded, begin);
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
	limit_time(HANG_SECONDS);
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
	{ "seconds", required_argument, NULL, 's' },
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
	double total = 0, seconds = 0, scale = 1;
	int option;

	catch_crashes();
	setvbuf(stdout, NULL, _IOLBF, 0);
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (option) {
		case 's':
			seconds = atof(optarg);
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

	for (i = 0; i < nr_configs; i++)
		if (!only || !strcmp(only, configs[i].name))
			total += configs[i].seconds;
	if (seconds && total)
		scale = seconds / total;
	for (i = 0; i < nr_configs; i++) {
		if (only && strcmp(only, configs[i].name))
			continue;
		if (run_config(&configs[i], scale)) {
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
