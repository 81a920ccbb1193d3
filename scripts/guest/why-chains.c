// SPDX-License-Identifier: GPL-2.0
/*
 * why-chains FILE [COUNT] - has tasks wait for each other, and for a disk, in chains that are
 * known, on CPUs 0 and 1, and writes to a trace_marker when each part of a chain begins. With COUNT
 * it interrupts a task that runs as often instead. scripts/trace/check-why.py compares what
 * "tring why" makes of the recordings.
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MS		1000000l
/* What each part of a chain takes at least. */
#define PART		(100 * MS)

static int marker;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int first[2], second[2];
static int interrupts;
static bool calm;

static void mark(const char *text)
{
	if (write(marker, text, strlen(text)) < 0)
		err(1, "%s", text);
}

/* Real-time tasks, or the recorder would be a part of the chains. */
static void name(const char *text, int cpu, int priority)
{
	const struct sched_param param = { .sched_priority = priority };
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus) || prctl(PR_SET_NAME, text) ||
	    sched_setscheduler(0, SCHED_FIFO, &param))
		err(1, "%s", text);
}

static long now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000 * MS + time.tv_nsec;
}

static void spin(long ns)
{
	const long end = now() + ns;

	while (now() < end)
		;
}

static void rest(long ns)
{
	const struct timespec time = { .tv_nsec = ns };

	nanosleep(&time, NULL); /* time: what the chains consist of */
}

static void give(int fd)
{
	if (write(fd, "x", 1) != 1)
		err(1, "write");
}

static void take(int fd)
{
	char byte;

	if (read(fd, &byte, 1) != 1)
		err(1, "read");
}

static void run(void *(*const *tasks)(void *), int count)
{
	pthread_t threads[4];
	int i;

	for (i = 0; i < count; i++) {
		if (pthread_create(&threads[i], NULL, tasks[i], NULL))
			err(1, "pthread_create");
		/* each one waits for the one before */
		rest(PART / 2);
	}
	while (i--)
		pthread_join(threads[i], NULL);
}

static void *hold(void *unused)
{
	name("why-holder", 0, 5);
	pthread_mutex_lock(&lock);
	spin(8 * PART);
	mark("holder gives");
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *want(void *unused)
{
	name("why-waiter", 1, 5);
	mark("waiter waits");
	pthread_mutex_lock(&lock);
	mark("waiter goes on");
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *preempt(void *unused)
{
	name("why-preemptor", 0, 10);
	rest(2 * PART);
	mark("preemptor begins");
	spin(3 * PART);
	mark("preemptor ends");
	return unused;
}

static void *produce(void *unused)
{
	name("why-producer", 0, 5);
	spin(4 * PART);
	mark("producer gives");
	give(first[1]);
	return unused;
}

static void *pass(void *unused)
{
	name("why-passer", 1, 5);
	take(first[0]);
	mark("passer goes on");
	spin(PART);
	mark("passer gives");
	give(second[1]);
	return unused;
}

static void *consume(void *unused)
{
	name("why-consumer", 1, 5);
	mark("consumer waits");
	take(second[0]);
	mark("consumer goes on");
	return unused;
}

static void *convoy(void *unused)
{
	static int count;
	char text[32];
	int own = __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);

	snprintf(text, sizeof(text), "why-convoy%d", own);
	name(text, own > 0, 5);
	snprintf(text, sizeof(text), "convoy%d waits", own);
	mark(text);
	pthread_mutex_lock(&lock);
	snprintf(text, sizeof(text), "convoy%d goes on", own);
	mark(text);
	spin(4 * PART);
	snprintf(text, sizeof(text), "convoy%d gives", own);
	mark(text);
	pthread_mutex_unlock(&lock);
	return unused;
}

static void *sleep_once(void *unused)
{
	name("why-sleeper", 0, 5);
	mark("sleeper waits");
	rest(PART);
	mark("sleeper goes on");
	return unused;
}

static void *wait_for_child(void *unused)
{
	pid_t pid;

	name("why-parent", 0, 5);
	pid = fork();
	if (!pid) {
		name("why-child", 1, 5);
		spin(3 * PART);
		mark("child ends");
		_exit(0);
	}
	mark("parent waits");
	waitpid(pid, NULL, 0);
	mark("parent goes on");
	return unused;
}

/* The disk lets the first reads through at once, and takes a time of its own for each other one. */
static void *read_disk(void *unused)
{
	static char buffer[4096] __attribute__((aligned(4096)));
	int fd = open("/dev/vda", O_RDONLY | O_DIRECT), i;

	name("why-reader", 0, 5);
	for (i = 3; i >= 0; i--) {
		if (!i)
			mark("reader waits");
		if (pread(fd, buffer, sizeof(buffer), i * sizeof(buffer)) != sizeof(buffer))
			err(1, "/dev/vda");
	}
	mark("reader is back");
	close(fd);
	return unused;
}

static void *suffer(void *unused)
{
	name("why-victim", 0, 5);
	mark("victim begins");
	while (!__atomic_load_n(&calm, __ATOMIC_RELAXED))
		;
	mark("victim ends");
	return unused;
}

/* Each barrier interrupts the other CPU once, and waits for that. */
static void *storm(void *unused)
{
	name("why-storm", 1, 5);
	while (interrupts--)
		if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0))
			err(1, "membarrier");
	__atomic_store_n(&calm, true, __ATOMIC_RELAXED);
	return unused;
}

int main(int argc, char **argv)
{
	static void *(*const holder[])(void *) = { preempt, hold, want };
	static void *(*const pipeline[])(void *) = { produce, pass, consume };
	static void *(*const line[])(void *) = { convoy, convoy, convoy };
	static void *(*const sleeper[])(void *) = { sleep_once };
	static void *(*const parent[])(void *) = { wait_for_child };
	static void *(*const disk[])(void *) = { read_disk };
	static void *(*const victim[])(void *) = { suffer, storm };

	marker = argc == 2 || argc == 3 ? open(argv[1], O_WRONLY) : -1;
	if (marker < 0 || pipe(first) || pipe(second) ||
	    syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0))
		err(1, "why-chains FILE [COUNT]");
	if (argc == 3) {
		interrupts = atoi(argv[2]);
		run(victim, 2);
		return 0;
	}
	run(holder, 3);
	run(pipeline, 3);
	run(line, 3);
	run(sleeper, 1);
	run(parent, 1);
	run(disk, 1);
	return 0;
}
