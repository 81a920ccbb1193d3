// SPDX-License-Identifier: GPL-2.0
/* Description: at each moment of a recording, report and babeltrace2 print what there is. */
#include <fcntl.h>
#include <ftw.h>
#include <libgen.h>
#include <limits.h>
#include <linux/magic.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
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

/* babeltrace2 reads at one of so many stops; at each one if TRING_EACH_STOP is set. */
#define SHARE		8

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
 * @compressed: babeltrace2 cannot read it
 * @drops: the oldest parts are dropped
 */
static const struct variant {
	const char	*options;
	const char	*until;
	bool		compressed;
	bool		drops;
} variants[] = {
	{ "", "true", false, false },
	{ "--compress", "true", true, false },
	{ "--split 0.02s", "test -e 000003", false, false },
	{ "--max-size 64K --split 0.02s", "test ! -e 000001", false, true },
}, *variant;

static struct builder streams[FAKE_CPUS];
/* Where each packet ends, in the stream of any CPU. */
static size_t ends[PACKETS];
static struct fake_kernel kernel;
static char *dir, *trace, *followed, *printed, *viewed;
static pid_t recorder, follower;
static bool has_viewer, at_each_stop;

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

/* From the second half on the last event of a packet is another one, which is not enabled. */
static bool is_flag(unsigned int event)
{
	return event >= ALL_EVENTS / 2 && event % EVENTS == EVENTS - 1;
}

static void build(unsigned int cpu)
{
	unsigned int event;

	build_init(&streams[cpu], false, cpu);
	for (event = 0; event < ALL_EVENTS; event++) {
		if (event % EVENTS == 0)
			build_begin(&streams[cpu], stamp_of(event));
		build_record(&streams[cpu], stamp_of(event), is_flag(event) ? 344 : 342, 1,
			     is_flag(event) ? 12 : 16);
		if (event % EVENTS == EVENTS - 1) {
			build_end(&streams[cpu]);
			ends[event / EVENTS] = streams[cpu].size;
		}
	}
}

/* Lines are those of report -t, or of babeltrace2 --clock-cycles. */
static bool is_event(const char *line, unsigned int *cpu, uint64_t *ns)
{
	static const char viewer[] = ": { cpu_id = ", report[] = "] ..... ";
	const char *at = strstr(line, *line == '[' ? viewer : report);

	if (!at)
		return false;
	if (*line == '[') {
		*cpu = strtoul(at + strlen(viewer), NULL, 10);
		*ns = strtoull(line + 1, NULL, 10);
	} else {
		*cpu = strtoul(at - 3, NULL, 10);
		*ns = strtoull(strchr(at + strlen(report), '.') + 1, NULL, 10);
	}
	return *cpu < FAKE_CPUS;
}

/* Else a line tells of losses, torn packets or unknown formats, and there are none. */
static bool is_allowed(const char *line)
{
	return strstr(line, ": the recording has no end: ") ||
	       /* the recorder is stopped for longer than a follower waits for the order */
	       strstr(line, " came too late for the order of time") ||
	       /* babeltrace2's: packets that only make room for others have no events */
	       strstr(line, " tring_discarded: { ");
}

/* Is the event the next one of its CPU? If the oldest parts are dropped, the first may be any. */
static bool is_next(const char *line, unsigned int *next)
{
	unsigned int cpu;
	uint64_t ns;

	if (!is_event(line, &cpu, &ns))
		return false;
	if (variant->drops && !next[cpu])
		while (next[cpu] < ALL_EVENTS && stamp_of(next[cpu]) < ns)
			next[cpu]++;
	return next[cpu] < ALL_EVENTS && stamp_of(next[cpu]) == ns &&
	       strstr(line, is_flag(next[cpu]++) ? " flag: " : " tick: ");
}

/* Each CPU's lines must be its first events, in their order. Return: number of lines. */
static unsigned int count_lines(const char *path)
{
	char *text = read_file(path), *rest = text, *line;
	unsigned int next[FAKE_CPUS] = { 0 }, lines = 0;

	/* the last line is not whole yet, or empty */
	while ((line = strsep(&rest, "\n")) && rest) {
		if (is_allowed(line))
			continue;
		if (!is_next(line, next))
			fail(make_path("%s of record %s", path, variant->options), lines, line);
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

/*
 * babeltrace2 takes its time to start. It must print the events that report prints, but for those
 * of a part that is being dropped: such a part loses its metadata first.
 */
static void view(unsigned int lines)
{
	unsigned int found;

	if (!has_viewer || variant->compressed || (!at_each_stop && random() % SHARE))
		return;
	output_of(0, "babeltrace2 --no-delta --clock-cycles %s >%s 2>&1", trace, viewed);
	found = count_lines(viewed);
	if (!variant->drops || found > lines)
		CHECK_EQ(found, lines);
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
	view(count_lines(printed));
	if (!follower) {
		arguments = make_path("report -t --follow %s", trace);
		CHECK(!sem_init(&shared->turn, 1, 0) && !sem_init(&shared->done, 1, 0));
		follower = fork_command(follow, arguments, followed);
		free(arguments);
		sem_wait(&shared->done);
	}
	go_on();
	count_lines(followed);
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

/* Which packets are whole that the recorder has read? The ring counts their events as read. */
static void count_read(pid_t pid, uint64_t fd, uint64_t bytes)
{
	static size_t taken[FAKE_CPUS];
	char *link = make_path("/proc/%d/fd/%" PRIu64, pid, fd), target[PATH_MAX] = "";
	unsigned int cpu, packets = 0;

	if (readlink(link, target, sizeof(target) - 1) < 0)
		return;
	for (cpu = 0; cpu < FAKE_CPUS; cpu++)
		if (strstr(target, make_path("/cpu%u/trace_pipe_raw_compact", cpu)))
			break;
	if (cpu == FAKE_CPUS)
		return;
	taken[cpu] += bytes;
	while (packets < PACKETS && ends[packets] <= taken[cpu])
		packets++;
	set_events_read(&kernel, cpu, packets * EVENTS);
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

/**
 * struct call - the system call of a thread
 * @number: its number
 * @fd: its first argument
 */
struct call {
	uint64_t	number;
	uint64_t	fd;
};

/* The thread whose call may be changing the trace, 0 for none, and those that wait for its end. */
static pid_t changing, held[8];
static unsigned int held_count, stops;

static void resume(pid_t pid, int sig)
{
	ptrace(PTRACE_SYSCALL, pid, NULL, (long)sig);
}

/* So nothing changes the trace while it is read. */
static void begin_call(pid_t pid, const struct call *call)
{
	if (!changes_files(call->number)) {
		resume(pid, 0);
	} else if (changing) {
		CHECK(held_count < COUNT(held));
		held[held_count++] = pid;
	} else {
		changing = pid;
		resume(pid, 0);
	}
}

static void end_call(pid_t pid, const struct call *call, int64_t result)
{
	if (call->number == SYS_read && result > 0)
		count_read(pid, call->fd, result);
	if (pid == changing) {
		if (has_changed()) {
			stops++;
			look();
		}
		changing = 0;
		if (held_count) {
			changing = held[0];
			memmove(held, held + 1, --held_count * sizeof(*held));
			resume(changing, 0);
		}
	}
	resume(pid, 0);
}

static void pass_call(pid_t pid)
{
	/* by the last digits of the thread's id */
	static struct call calls[1 << 16];
	struct call *call = &calls[pid % COUNT(calls)];
	struct __ptrace_syscall_info info;

	CHECK(ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(info), &info) > 0);
	if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
		*call = (struct call) { .number = info.entry.nr, .fd = info.entry.args[0] };
		begin_call(pid, call);
	} else {
		end_call(pid, call, info.exit.rval);
	}
}

/* Lets the recorder run from one system call's end to the next one's. Return: exit status. */
static int trace_recorder(void)
{
	int status, sig;
	pid_t pid;

	CHECK_EQ(waitpid(recorder, &status, 0), recorder);
	CHECK(!ptrace(PTRACE_SETOPTIONS, recorder, NULL,
		      PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL));
	resume(recorder, 0);
	while ((pid = waitpid(-1, &status, __WALL)) > 0) {
		/* the follower ends when the recorder has written that it does */
		if (WIFEXITED(status) || WIFSIGNALED(status)) {
			if (pid == recorder)
				break;
			continue;
		}
		sig = WSTOPSIG(status);
		if (sig == (SIGTRAP | 0x80))
			pass_call(pid);
		else
			resume(pid, status >> 16 || sig == SIGSTOP || sig == SIGTRAP ? 0 : sig);
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
	/* no event is read yet; count_read() goes on from there */
	static const unsigned int events[FAKE_CPUS];
	unsigned int lines;
	pid_t tracer;

	output_of(0, "rm -rf %s", trace);
	shared->ended = false;
	start_kernel_with(&kernel, dir, streams, events);
	tracer = fork_child();
	if (!tracer) {
		start_recorder();
		trace_recorder();
		CHECK(follower);
		go_on();
		CHECK(shared->ended);
		lines = count_lines(followed);
		if (!variant->drops)
			CHECK_EQ(lines, FAKE_CPUS * ALL_EVENTS);
		fflush(NULL);
		_exit(0);
	}
	CHECK_EQ(end_child(tracer), 0);
	end_kernel(&kernel);
}

static bool is_tmpfs(const char *path)
{
	struct statfs info;

	return !statfs(path, &info) && info.f_type == TMPFS_MAGIC;
}

static char *places[2];

static void remove_places(void)
{
	unsigned int i;

	for (i = 0; i < COUNT(places); i++)
		if (places[i])
			remove_tree(places[i]);
}

/* A recorder writes directly to a disk, and to the page cache of a tmpfs. */
static void make_place(bool on_tmpfs)
{
	const char * const above[] = {
		"/dev/shm", "/tmp", dirname(make_path("%s", test_env("TRING"))),
	};
	unsigned int i;

	for (i = 0; i < COUNT(above) && !places[on_tmpfs]; i++)
		if (!access(above[i], W_OK) && is_tmpfs(above[i]) == on_tmpfs)
			places[on_tmpfs] = mkdtemp(make_path("%s/tring-test-XXXXXX", above[i]));
	if (!places[on_tmpfs])
		printf("not on a %s, as none can be written\n", on_tmpfs ? "tmpfs" : "disk");
}

int main(void)
{
	unsigned int cpu, i;

	srandom(test_seed(getpid()));
	at_each_stop = getenv("TRING_EACH_STOP");
	has_viewer = have("babeltrace2");
	dir = make_path("%s/tracing", temp_dir());
	followed = make_path("%s/followed", temp_dir());
	printed = make_path("%s/printed", temp_dir());
	viewed = make_path("%s/viewed", temp_dir());
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	CHECK(shared != MAP_FAILED);
	for (cpu = 0; cpu < FAKE_CPUS; cpu++)
		build(cpu);
	make_tracefs(dir);
	atexit(remove_places);
	for (i = 0; i < COUNT(places); i++) {
		make_place(i);
		trace = make_path("%s/trace", places[i]);
		for (variant = variants; places[i] && variant < variants + COUNT(variants);
		     variant++)
			check();
	}
	return 0;
}
