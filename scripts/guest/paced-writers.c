// SPDX-License-Identifier: GPL-2.0
/*
 * paced-writers WRITERS EVENTS RATE - threads make system calls that do nothing, so
 * that raw_syscalls has EVENTS events of them together. RATE is the number of events a
 * second that all threads aim at; 0 means as fast as they can. Prints the rate that
 * was reached.
 */
#include <err.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define WRITERS_MAX	64
/* sys_enter and sys_exit */
#define EVENTS_A_CALL	2
/* Calls between two looks at the time: a millisecond's at the rate, but at most so many. */
#define LOOKS_A_SECOND	1000
#define SECOND		1000000000ull

struct writer {
	pthread_t	thread;
	uint64_t	calls;
	uint64_t	rate;
};

static uint64_t now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * SECOND + time.tv_nsec;
}

static void sleep_until(uint64_t end)
{
	struct timespec time = { .tv_sec = end / SECOND, .tv_nsec = end % SECOND };

	/* time: the pace of the load */
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
}

static void *work(void *data)
{
	struct writer *writer = data;
	uint64_t begin = now_ns(), done = 0;
	uint64_t piece = writer->rate ? writer->rate / LOOKS_A_SECOND + 1 : writer->calls;

	while (done < writer->calls) {
		uint64_t end = done + piece < writer->calls ? done + piece : writer->calls;

		for (; done < end; done++)
			syscall(SYS_getppid);
		if (writer->rate)
			sleep_until(begin + (double)done * SECOND / writer->rate);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	struct writer writers[WRITERS_MAX];
	uint64_t count, events, rate, begin, i;
	double seconds;

	if (argc != 4)
		errx(1, "paced-writers WRITERS EVENTS RATE");
	count = strtoull(argv[1], NULL, 10);
	events = strtoull(argv[2], NULL, 10);
	rate = strtoull(argv[3], NULL, 10);
	if (!count || count > WRITERS_MAX)
		errx(1, "%s writers: 1 to %d are possible", argv[1], WRITERS_MAX);
	begin = now_ns();
	for (i = 0; i < count; i++) {
		writers[i].calls = events / EVENTS_A_CALL / count;
		writers[i].rate = rate / EVENTS_A_CALL / count;
		if (pthread_create(&writers[i].thread, NULL, work, &writers[i]))
			errx(1, "no thread");
	}
	for (i = 0; i < count; i++)
		pthread_join(writers[i].thread, NULL);
	seconds = (now_ns() - begin) / 1e9;
	printf("%.0f\n", events / seconds);
	return 0;
}
