// SPDX-License-Identifier: GPL-2.0
/*
 * workloads mark NUMBER | nothing | getppid TIMES | writev TIMES | stat TIMES | pipe TIMES |
 *	forkexec TIMES | run COMMAND...
 *
 * Work that is the same each time, between the marks 2 and 3 of scripts/qemu/count-phases.c.
 * "mark" makes one mark. A workload prints how many events it has caused: getppid and writev the
 * begins and ends of that system call, pipe the switches to another task, forkexec the programs
 * that its children, called "leaf", have executed, and their ends. stat asks for files that are
 * missing, and "run" runs a program; nothing is known of their events.
 *
 * The environment's RECORDER is how the names of the programs begin that record meanwhile. Of
 * these it prints the memory that is resident, in KiB, and their part of the processors' time, in
 * percent.
 */
#include <dirent.h>
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static inline __attribute__((always_inline)) void mark(int number)
{
	asm volatile(".byte 0x0f, 0x1f, 0x80, %c0, 0x6e, 0x72, 0x74" : : "i"(number) : "memory");
}

static void call(long times)
{
	while (times--)
		syscall(SYS_getppid);
}

/* No tracer makes this call. */
static void write_bytes(long times)
{
	const struct iovec byte = { .iov_base = "x", .iov_len = 1 };
	int fd = open("/dev/null", O_WRONLY);

	while (times--)
		if (writev(fd, &byte, 1) != 1)
			err(1, "writev");
}

static void ask_for_files(long times)
{
	struct stat info;
	char name[32];

	while (times--) {
		snprintf(name, sizeof(name), "/tmp/none-%07ld", times);
		stat(name, &info);
	}
}

static void run(char **command)
{
	pid_t child = fork();

	if (!child) {
		execvp(command[0], command);
		_exit(127);
	}
	waitpid(child, NULL, 0);
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
		err(1, "pipe");
	child = fork();
	if (!child)
		answer(to[0], from[1], times);
	while (times--)
		if (write(to[1], &byte, 1) != 1 || read(from[0], &byte, 1) != 1)
			err(1, "pipe");
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

/**
 * struct recorder - what the programs that record have used
 * @kb: memory that is resident, in KiB
 * @ns: time on the processors
 * @at: when that was
 */
struct recorder {
	unsigned long	kb;
	unsigned long long ns;
	struct timespec	at;
};

/* Return: the number that a line of the file begins with, or that follows the label; or 0. */
static unsigned long long number_in(const char *path, const char *label)
{
	FILE *file = fopen(path, "r");
	unsigned long long number = 0;
	char line[256];

	while (file && fgets(line, sizeof(line), file)) {
		if (strncmp(line, label, strlen(label)))
			continue;
		number = strtoull(line + strlen(label), NULL, 10);
		break;
	}
	if (file)
		fclose(file);
	return number;
}

static int begins_with(const char *path, const char *name)
{
	char comm[32] = "";
	FILE *file = fopen(path, "r");

	if (file && !fgets(comm, sizeof(comm), file))
		*comm = 0;
	if (file)
		fclose(file);
	return !strncmp(comm, name, strlen(name));
}

static void add_threads(struct recorder *recorder, const char *process)
{
	DIR *threads = opendir(process);
	struct dirent *entry;
	char path[600];

	while (threads && (entry = readdir(threads))) {
		snprintf(path, sizeof(path), "%s/%s/schedstat", process, entry->d_name);
		if (*entry->d_name != '.')
			recorder->ns += number_in(path, "");
	}
	if (threads)
		closedir(threads);
}

static struct recorder look_at_recorder(void)
{
	const char *name = getenv("RECORDER");
	struct recorder recorder = { 0 };
	DIR *all = name && *name ? opendir("/proc") : NULL;
	struct dirent *entry;
	char path[300];

	while (all && (entry = readdir(all))) {
		snprintf(path, sizeof(path), "/proc/%s/comm", entry->d_name);
		if (*entry->d_name < '1' || *entry->d_name > '9' || !begins_with(path, name))
			continue;
		snprintf(path, sizeof(path), "/proc/%s/status", entry->d_name);
		recorder.kb += number_in(path, "VmRSS:");
		snprintf(path, sizeof(path), "/proc/%s/task", entry->d_name);
		add_threads(&recorder, path);
	}
	if (all)
		closedir(all);
	clock_gettime(CLOCK_MONOTONIC, &recorder.at);
	return recorder;
}

static void tell_of_recorder(const struct recorder *before)
{
	struct recorder after = look_at_recorder();
	double ns = (after.at.tv_sec - before->at.tv_sec) * 1e9 + after.at.tv_nsec -
		    before->at.tv_nsec;

	printf("resident %lu\n", after.kb);
	printf("share %.2f\n", 100 * (after.ns - before->ns) / ns);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	long times = argc > 2 ? atol(argv[2]) : 0, events = 2 * times, before;
	struct recorder recorder;

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
	recorder = look_at_recorder();
	before = switches();
	mark(2);
	if (!strcmp(what, "getppid"))
		call(times);
	else if (!strcmp(what, "writev"))
		write_bytes(times);
	else if (!strcmp(what, "stat"))
		ask_for_files(times);
	else if (!strcmp(what, "run"))
		run(argv + 2);
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
	if (strcmp(what, "stat") && strcmp(what, "run"))
		printf("expected %ld\n", events);
	tell_of_recorder(&recorder);
	return 0;
}
