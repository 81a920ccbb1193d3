// SPDX-License-Identifier: GPL-2.0
/*
 * numbered-markers MARKER WORD - on each CPU a thread writes texts with its CPU's number and a
 * number of their own to MARKER, the file trace_marker, until the machine ends. Says so when
 * the first ones are written.
 *
 * An image of the machine's memory tells which writes had ended: by then each thread has counted
 * them in a page that begins with WORD, 16 hexadecimal digits. See scripts/check/blackbox.py.
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PAGE		4096
#define CPUS_MAX	64

struct page {
	_Atomic uint64_t	word;
	uint64_t		cpu;
	_Atomic uint64_t	ended;
	char			rest[PAGE - 3 * sizeof(uint64_t)];
};

static _Alignas(PAGE) struct page pages[CPUS_MAX];
static int marker;

static void *write_markers(void *data)
{
	struct page *page = data;
	cpu_set_t cpus;
	uint64_t number;
	char text[64];

	CPU_ZERO(&cpus);
	CPU_SET(page->cpu, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		err(1, "sched_setaffinity");
	for (number = 1;; number++) {
		int size = snprintf(text, sizeof(text), "cpu %" PRIu64 " marker %" PRIu64 "\n",
				    page->cpu, number);

		if (write(marker, text, size) != size)
			err(1, "write");
		atomic_store(&page->ended, number);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN), cpu;
	pthread_t thread;

	if (argc != 3 || cpus < 1 || cpus > CPUS_MAX) {
		fprintf(stderr, "usage: numbered-markers MARKER WORD\n");
		return 2;
	}
	marker = open(argv[1], O_WRONLY);
	if (marker < 0)
		err(1, "%s", argv[1]);
	for (cpu = 0; cpu < cpus; cpu++) {
		pages[cpu].cpu = cpu;
		if (pthread_create(&thread, NULL, write_markers, &pages[cpu]))
			errx(1, "pthread_create");
	}
	for (cpu = 0; cpu < cpus; cpu++) {
		while (!atomic_load(&pages[cpu].ended))
			usleep(1000); /* time: the interval of the wait for a thread */
		atomic_store(&pages[cpu].word, strtoull(argv[2], NULL, 16));
	}
	puts("markers are being written");
	fflush(stdout);
	pause();
	return 0;
}
