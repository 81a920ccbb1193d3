// SPDX-License-Identifier: GPL-2.0
/* Description: at each moment of a recording, report and its --follow print what there is. */
#include <fcntl.h>
#include <ftw.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cmd/commands.h"
#include "fake_kernel.h"
#include "helpers.h"
#include "util/util.h"

/* More than --max-size 64K keeps; and an append of more than a page is in several writes. */
#define PACKETS		200
#define EVENTS		3
#define ALL_EVENTS	(PACKETS * EVENTS)
#define SECOND		1000000000ull

/* Rounds of the follower behind which it has printed all that it has taken. */
#define ROUNDS		12

/* What is set in the follower only, which is a child, and what it shares. */
static bool is_follower;
static struct {
	sem_t		turn;
	sem_t		done;
	uint64_t	now_ns;
	bool		ended;
} *shared;

/**
 * struct variant - a way to record
 * @options: options of the recorder
 * @until: what is true in the trace's directory when the recording may end
 * @divided: there are parts; the fake kernel's counters are those of the end of all in each
 *	part, so that losses are told that are none
 * @drops: the oldest parts are dropped
 */
static const struct variant {
	const char	*options;
	const char	*until;
	bool		divided;
	bool		drops;
} variants[] = {
	{ "", "true", false, false },
	{ "--compress", "true", false, false },
	{ "--split 0.02s", "test -e 000003", true, false },
	{ "--max-size 64K --split 0.02s", "test ! -e 000001", true, true },
}, *variant;

static struct builder streams[FAKE_CPUS];
static char *dir, *trace, *followed, *printed;
static pid_t recorder, follower;

/* Replaces the reader's: time passes while the follower sleeps, and at no other time. */
uint64_t tring_now_ns(void)
{
	struct timespec now;

	if (is_follower)
		return shared->now_ns;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * SECOND + now.tv_nsec;
}

/* time: replaces the C library's sleep, in the follower by a wait for the turn */
int (nanosleep)(const struct timespec *time, struct timespec *rest)
{
	if (!is_follower)
		return syscall(SYS_nanosleep, time, rest);
	shared->now_ns += time->tv_sec * SECOND + time->tv_nsec;
	sem_post(&shared->done);
	return sem_wait(&shared->turn);
}

static int follow(int argc, char **argv)
{
	int status;

	is_follower = true;
	status = tring_cmd_report(argc, argv);
	fflush(NULL);
	shared->ended = true;
	sem_post(&shared->done);
	return status;
}

static uint64_t stamp_of(unsigned int event)
{
	return 1000 * (event / EVENTS + 1) + event % EVENTS;
}

static void build(unsigned int cpu)
{
	unsigned int i;

	build_init(&streams[cpu], false, cpu);
	for (i = 0; i < PACKETS; i++)
		build_packet(&streams[cpu], stamp_of(i * EVENTS), EVENTS);
}

/*
 * Each CPU's lines must be its first events, in their order; if the oldest parts are dropped,
 * others that follow each other. Return: number of lines.
 */
static unsigned int check_lines(const char *path)
{
	unsigned int next[FAKE_CPUS] = { 0 }, lines = 0, cpu;
	char *text = read_file(path), *line = text, *at;
	uint64_t ns;

	for (; *line; line = strchr(line, '\n') + 1) {
		if (!strchr(line, '\n'))
			break;
		if (!strncmp(line, "tring: ", 7) || (variant->divided && *line == 'C'))
			continue;
		at = strstr(line, "] ..... ");
		if (!at || *line == 'C')
			fail(text, lines, line);
		cpu = strtoul(at - 3, NULL, 10);
		CHECK_EQ(strtoul(at + 8, &at, 10), 0);
		ns = strtoull(at + 1, NULL, 10);
		while (variant->drops && next[cpu] < ALL_EVENTS && stamp_of(next[cpu]) < ns)
			next[cpu]++;
		if (next[cpu] >= ALL_EVENTS || stamp_of(next[cpu]) != ns)
			fail(text, next[cpu], line);
		next[cpu]++;
		lines++;
	}
	free(text);
	return lines;
}

static bool has_begun(void)
{
	static const char * const names[] = { "tring/cpu1.start", "000001/tring/cpu1.start" };
	bool there = false;
	unsigned int i;

	for (i = 0; i < COUNT(names); i++) {
		char *path = make_path("%s/%s", trace, names[i]);

		there |= !access(path, F_OK);
		free(path);
	}
	return there;
}

static void go_on(void)
{
	unsigned int i;

	for (i = 0; i < ROUNDS && !shared->ended; i++) {
		sem_post(&shared->turn);
		sem_wait(&shared->done);
	}
}

/* The recorder is stopped. */
static void look(void)
{
	char *arguments;

	if (!has_begun())
		return;
	arguments = make_path("report -t %s", trace);
	end_child(fork_command(tring_cmd_report, arguments, printed));
	free(arguments);
	check_lines(printed);
	if (!follower) {
		arguments = make_path("report -t --follow %s", trace);
		CHECK(!sem_init(&shared->turn, 1, 0) && !sem_init(&shared->done, 1, 0));
		follower = fork_command(follow, arguments, followed);
		free(arguments);
		sem_wait(&shared->done);
	}
	go_on();
	check_lines(followed);
}

static bool changes_files(uint64_t number)
{
	static const int numbers[] = {
		SYS_write, SYS_pwrite64, SYS_writev, SYS_ftruncate, SYS_fallocate,
		SYS_renameat, SYS_renameat2, SYS_linkat, SYS_mkdirat, SYS_unlinkat, SYS_openat,
#ifdef SYS_rename
		SYS_rename, SYS_link, SYS_mkdir, SYS_unlink, SYS_rmdir, SYS_open,
#endif
	};
	unsigned int i;

	for (i = 0; i < COUNT(numbers); i++)
		if (number == (uint64_t)numbers[i])
			return true;
	return false;
}

static uint64_t state;

static int add_file(const char *path, const struct stat *info, int type, struct FTW *walk)
{
	(void)type;
	(void)walk;
	/* the formats are written before the metadata, which changes with them */
	if (strstr(path, "/events"))
		return 0;
	state = state * 31 + info->st_ino + info->st_size + info->st_mtim.tv_sec * SECOND +
		info->st_mtim.tv_nsec + info->st_ctim.tv_nsec;
	return 0;
}

/* A sum tells, of the numbers, the sizes and the times of the trace's files. */
static bool has_changed(void)
{
	uint64_t before = state;

	state = 0;
	nftw(trace, add_file, 16, FTW_PHYS);
	return state != before;
}

/* Lets the recorder run from one system call's end to the next one's. Return: exit status. */
static int trace_recorder(void)
{
	static uint64_t entered[1 << 16];
	unsigned int stops = 0;
	int status, sig;
	pid_t pid;

	CHECK_EQ(waitpid(recorder, &status, 0), recorder);
	CHECK(!ptrace(PTRACE_SETOPTIONS, recorder, NULL,
		      PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL));
	ptrace(PTRACE_SYSCALL, recorder, NULL, NULL);
	while ((pid = waitpid(-1, &status, __WALL)) > 0) {
		struct __ptrace_syscall_info info;

		/* the follower ends when the recorder has written that it does */
		if (WIFEXITED(status) || WIFSIGNALED(status)) {
			if (pid == recorder)
				break;
			continue;
		}
		sig = WSTOPSIG(status);
		if (sig == (SIGTRAP | 0x80)) {
			sig = 0;
			CHECK(ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(info), &info) > 0);
			if (info.op == PTRACE_SYSCALL_INFO_ENTRY)
				entered[pid % COUNT(entered)] = info.entry.nr;
			else if (changes_files(entered[pid % COUNT(entered)]) && has_changed() &&
				 ++stops)
				look();
		} else if (status >> 16 || sig == SIGSTOP || sig == SIGTRAP) {
			sig = 0;
		}
		ptrace(PTRACE_SYSCALL, pid, NULL, (long)sig);
	}
	printf("%u stops\n", stops);
	CHECK(stops > 20);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void start_recorder(void)
{
	char *condition = make_path("(cd %s && %s)", trace, variant->until);
	char *wait = make_path(SHELL_UNTIL, condition);
	char *options = make_path("-e testing:tick -o %s %s", trace, variant->options);
	char *command = make_path("exec %s record %s -- sh -c '%s; cat %s.fed'",
				  test_env("TRING"), options, wait, dir);
	char *log = make_path("%s/log", temp_dir());

	recorder = fork_with_output(log);
	if (!recorder) {
		setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execl("/bin/sh", "sh", "-c", command, NULL);
		_exit(127);
	}
	free(log);
	free(command);
	free(options);
	free(wait);
	free(condition);
}

static void check(void)
{
	static const unsigned int events[FAKE_CPUS] = { ALL_EVENTS, ALL_EVENTS };
	char *clear = output_of(0, "rm -rf %s", trace);
	struct fake_kernel kernel;
	unsigned int lines;
	pid_t tracer;

	free(clear);
	shared->ended = false;
	start_kernel_with(&kernel, dir, streams, events);
	tracer = fork_child();
	if (!tracer) {
		start_recorder();
		trace_recorder();
		CHECK(follower);
		go_on();
		CHECK(shared->ended);
		lines = check_lines(followed);
		if (!variant->drops)
			CHECK_EQ(lines, FAKE_CPUS * ALL_EVENTS);
		fflush(NULL);
		_exit(0);
	}
	CHECK_EQ(end_child(tracer), 0);
	end_kernel(&kernel);
}

int main(void)
{
	unsigned int cpu;

	dir = make_path("%s/tracing", temp_dir());
	trace = make_path("%s/trace", temp_dir());
	followed = make_path("%s/followed", temp_dir());
	printed = make_path("%s/printed", temp_dir());
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	CHECK(shared != MAP_FAILED);
	for (cpu = 0; cpu < FAKE_CPUS; cpu++)
		build(cpu);
	make_tracefs(dir);
	for (variant = variants; variant < variants + COUNT(variants); variant++)
		check();
	free(printed);
	free(followed);
	free(trace);
	free(dir);
	return 0;
}
