// SPDX-License-Identifier: GPL-2.0
/*
 * workloads mark NUMBER | nothing | getppid TIMES | pipe TIMES | forkexec TIMES
 *
 * Work that is the same each time, between the marks 2 and 3 of scripts/qemu/count-phases.c.
 * "mark" makes one mark. A workload prints how many events it has caused: getppid the begins and
 * ends of that system call, pipe the switches to another task, forkexec the programs that its
 * children, called "leaf", have executed, and their ends.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fail.h"

static inline __attribute__((always_inline)) void mark(int number)
{
	asm volatile(".byte 0x0f, 0x1f, 0x80, %c0, 0x6e, 0x72, 0x74" : : "i"(number) : "memory");
}

static void call(long times)
{
	while (times--)
		syscall(SYS_getppid);
}

static void answer(int from, int to, long times)
{
	char byte;

	while (times--)
		if (read(from, &byte, 1) != 1 || write(to, &byte, 1) != 1)
			_exit(1);
	_exit(0);
}

/* Each waits for the other. */
static void ask(long times)
{
	int to[2], from[2];
	char byte = 0;
	pid_t child;

	if (pipe(to) || pipe(from))
		fail("pipe");
	child = fork();
	if (!child)
		answer(to[0], from[1], times);
	while (times--)
		if (write(to[1], &byte, 1) != 1 || read(from[0], &byte, 1) != 1)
			fail("pipe");
	waitpid(child, NULL, 0);
}

static void execute(long times)
{
	while (times--) {
		pid_t child = fork();

		if (!child) {
			execl("/bench/leaf", "leaf", "leaf", NULL);
			_exit(127);
		}
		waitpid(child, NULL, 0);
	}
}

static long switches(void)
{
	struct rusage self, child;

	getrusage(RUSAGE_SELF, &self);
	getrusage(RUSAGE_CHILDREN, &child);
	return self.ru_nvcsw + self.ru_nivcsw + child.ru_nvcsw + child.ru_nivcsw;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	long times = argc > 2 ? atol(argv[2]) : 0, events = 2 * times, before;

	if (!strcmp(what, "leaf"))
		return 0;
	if (!strcmp(what, "mark")) {
		if (times == 1)
			mark(1);
		else
			mark(4);
		return 0;
	}
	/* Tracers know its switches up to the end by the name, which children have, too. */
	prctl(PR_SET_NAME, "work");
	before = switches();
	mark(2);
	if (!strcmp(what, "getppid"))
		call(times);
	else if (!strcmp(what, "pipe"))
		ask(times);
	else if (!strcmp(what, "forkexec"))
		execute(times);
	else if (strcmp(what, "nothing"))
		return 2;
	mark(3);
	prctl(PR_SET_NAME, "done");
	if (!strcmp(what, "pipe"))
		events = switches() - before;
	printf("expected %ld\n", events);
	return 0;
}
