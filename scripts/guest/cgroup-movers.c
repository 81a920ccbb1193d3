// SPDX-License-Identifier: GPL-2.0
/*
 * cgroup-movers IN OUT LEDGER - has tasks move between two cgroups and fork, and make a system call
 * with a number of its own after each step. It writes the numbers of the calls that were made in
 * IN to the ledger, and prints the moves, the forks, and the time they took.
 *
 * A task moves itself, or its parent moves it while it waits. A move has ended when the write to
 * cgroup.procs returns, so it is known of each call in which cgroup it is made.
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WORKERS		4
#define ROUNDS		500
#define CALLS		2
/* Each so many rounds of a worker have a child. */
#define FORK_EVERY	5
/* No pid, so the call does nothing. */
#define FIRST_NUMBER	0x40000000

static int in, out, ledger;

static void move(int to, pid_t pid)
{
	char text[16];
	int size = snprintf(text, sizeof(text), "%d", (int)pid);

	if (write(to, text, size) != size)
		err(1, "cgroup.procs");
}

/* Return: the next number. */
static int call(int number, bool inside)
{
	char line[16];
	int i;

	for (i = 0; i < CALLS; i++, number++) {
		syscall(SYS_getpgid, number);
		if (inside && write(ledger, line, snprintf(line, sizeof(line), "%x\n", number)) < 9)
			err(1, "the ledger");
	}
	return number;
}

/* The child begins where its parent is, and is moved to the other side. */
static int with_child(int number, bool inside)
{
	int began[2], moved[2], status;
	char byte = 0;
	pid_t child;

	if (pipe(began) || pipe(moved))
		err(1, "pipe");
	child = fork();
	if (child < 0)
		err(1, "fork");
	if (!child) {
		number = call(number, inside);
		if (write(began[1], &byte, 1) != 1 || read(moved[0], &byte, 1) != 1)
			_exit(1);
		call(number, !inside);
		_exit(0);
	}
	if (read(began[0], &byte, 1) != 1)
		errx(1, "a child has ended");
	move(inside ? out : in, child);
	if (write(moved[1], &byte, 1) != 1 || waitpid(child, &status, 0) != child || status)
		errx(1, "a child has failed");
	close(began[0]);
	close(began[1]);
	close(moved[0]);
	close(moved[1]);
	return number + 2 * CALLS;
}

static void work(int worker)
{
	int number = FIRST_NUMBER + (worker << 20), round;

	for (round = 0; round < ROUNDS; round++) {
		bool inside = round % 2;

		move(inside ? in : out, 0);
		number = call(number, inside);
		if (round % FORK_EVERY == 0)
			number = with_child(number, inside);
	}
}

static int open_file(const char *path, int flags)
{
	int fd = open(path, flags | O_WRONLY | O_CLOEXEC, 0600);

	if (fd < 0)
		err(1, "%s", path);
	return fd;
}

int main(int argc, char **argv)
{
	struct timespec begin, end;
	int worker, status;

	if (argc != 4)
		errx(2, "usage: cgroup-movers IN/cgroup.procs OUT/cgroup.procs LEDGER");
	in = open_file(argv[1], 0);
	out = open_file(argv[2], 0);
	ledger = open_file(argv[3], O_CREAT | O_TRUNC | O_APPEND);
	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (worker = 0; worker < WORKERS; worker++) {
		if (fork())
			continue;
		work(worker);
		return 0;
	}
	while (wait(&status) > 0)
		if (status)
			errx(1, "a worker has failed");
	clock_gettime(CLOCK_MONOTONIC, &end);
	printf("%d moves, %d forks in %ld ms\n", WORKERS * (ROUNDS + ROUNDS / FORK_EVERY),
	       WORKERS * (ROUNDS / FORK_EVERY),
	       (end.tv_sec - begin.tv_sec) * 1000 + (end.tv_nsec - begin.tv_nsec) / 1000000);
	return 0;
}
