// SPDX-License-Identifier: GPL-2.0
/*
 * lttng-texts COUNTS - what numbered-markers.c does with tring, with lttng-ust: on each CPU a
 * thread records numbered texts until the process ends. How many records had ended stands in the
 * file COUNTS then, a u64 for each CPU. Says so when LTTng has begun to record them.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "lttng-texts.h"

#include "../guest/fail.h"

static _Atomic uint64_t *counts;

static void *record(void *data)
{
	_Atomic uint64_t *count = data;
	int cpu = count - counts;
	uint64_t number;
	cpu_set_t cpus;
	char text[64];

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		fail("sched_setaffinity");
	for (number = 1;; number++) {
		int length = snprintf(text, sizeof(text), "cpu %d marker %" PRIu64, cpu, number);

		lttng_ust_tracepoint(tring, text, text, length, "text");
		atomic_store(count, number);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN), cpu;
	pthread_t thread;
	int file;

	if (argc != 2) {
		fprintf(stderr, "usage: lttng-texts COUNTS\n");
		return 2;
	}
	file = open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (file < 0 || ftruncate(file, cpus * sizeof(*counts)))
		fail("%s", argv[1]);
	counts = mmap(NULL, cpus * sizeof(*counts), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (counts == MAP_FAILED)
		fail("mmap");
	while (!lttng_ust_tracepoint_enabled(tring, text))
		usleep(1000);
	for (cpu = 0; cpu < cpus; cpu++)
		if (pthread_create(&thread, NULL, record, &counts[cpu]))
			fail("pthread_create");
	puts("texts are being recorded");
	fflush(stdout);
	pause();
	return 0;
}
