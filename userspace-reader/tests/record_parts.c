// SPDX-License-Identifier: GPL-2.0
/* Description: a recording is split into parts, each a whole trace; the oldest are dropped. */
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cmd/commands.h"
#include "fake_kernel.h"
#include "helpers.h"
#include "trace/parts_dir.h"

/* More than --max-size 64K keeps, whatever of it is in which part. */
#define PACKETS		120
#define EVENTS		22
#define ALL_EVENTS	(FAKE_CPUS * PACKETS * EVENTS)

static struct builder streams[FAKE_CPUS];
static const unsigned int per_cpu[FAKE_CPUS] = { PACKETS * EVENTS, PACKETS * EVENTS };
static char *dir, *trace, *until_fed;

static void make_streams(void)
{
	unsigned int cpu, i;

	for (cpu = 0; cpu < FAKE_CPUS; cpu++) {
		build_init(&streams[cpu], false, cpu);
		for (i = 0; i < PACKETS; i++)
			build_packet(&streams[cpu], 1000 * (i + 1), EVENTS);
	}
}

/* Number of events that each CPU refuses in the first part. */
static uint64_t refused;

static void start(struct fake_kernel *kernel)
{
	char *stats = balanced_stats(0, 0);
	unsigned int cpu;

	*kernel = (struct fake_kernel) { .dir = dir };
	for (cpu = 0; cpu < FAKE_CPUS; cpu++) {
		char *path = make_path("%s/tring/per_cpu/cpu%u/stats", dir, cpu);

		write_text(path, stats);
		free(path);
		kernel->bytes[cpu] = streams[cpu].bytes;
		kernel->size[cpu] = streams[cpu].size;
		kernel->stats[cpu] = balanced_stats(per_cpu[cpu], refused);
	}
	free(stats);
	start_kernel(kernel);
}

/* @status: -1 for any: the fake kernel's counters are those of the end in each part */
static void record(const char *options, int status, const char *said)
{
	char *command = make_path("$TRING record -e testing:tick -o %s %s", trace, options);
	struct fake_kernel kernel;
	char *output;
	int ended;

	start(&kernel);
	ended = run(command, &output);
	end_kernel(&kernel);
	if ((status >= 0 && ended != status) || !strstr(output, said)) {
		fprintf(stderr, "%s: status %d, printed:\n%s", command, ended, output);
		fail(said, status, "this was wanted");
	}
}

/* Records until there is a part behind this one, whenever that is. */
static void record_until(const char *options, unsigned int part, int status, const char *said)
{
	char *there = make_path("test \"$(ls %s | tail -n 1)\" -gt %u", trace, part);
	char *all = make_path("%s -- sh -c '" SHELL_UNTIL "; cat %s.fed'", options, there, dir);

	record(all, status, said);
}

static unsigned int count_parts(void)
{
	DIR *listing = opendir(trace);
	unsigned int count = 0;
	struct dirent *entry;

	CHECK(listing);
	while ((entry = readdir(listing))) {
		/* nothing but parts */
		CHECK(tring_is_part(entry->d_name) || !strcmp(entry->d_name, ".") ||
		      !strcmp(entry->d_name, ".."));
		count += *entry->d_name != '.';
	}
	closedir(listing);
	return count;
}

/* The counters of the fake kernel are those of the end of all, so this does not use them. */
static uint64_t count_events(const char *parts)
{
	static const char lines[] = "grep '^  record at ' | grep -vc ': discarded,'";
	char *command = make_path("for f in %s/*/cpu*; do $TRING dump $f; done 2>/dev/null | %s",
				  parts, lines);
	char *output;

	run(command, &output);
	return strtoull(output, NULL, 10);
}

static void check_viewer(void)
{
	if (have("babeltrace2"))
		output_of(0, "babeltrace2 %s >/dev/null", trace);
}

static void check_time(void)
{
	record_until("--split 0.2s", 2, -1, " parts, ");
	CHECK(count_parts() >= 3);
	/* the counters do not know when a part ended */
	CHECK_EQ(count_of("$TRING report %s/* 2>/dev/null | grep -c ' tick: .*value=0'",
			  trace), ALL_EVENTS);
	CHECK_EQ(count_of("$TRING report %s 2>/dev/null | grep -c ' tick: .*value=0'",
			  trace), ALL_EVENTS);
	check_viewer();
}

static void check_size(void)
{
	/* a last part with events does not balance, and one without does */
	record_until("--split 16K", 1, -1, " parts, ");
	CHECK(count_parts() > 1);
	CHECK_EQ(count_events(trace), ALL_EVENTS);
	check_viewer();
}

static uint64_t dropped_by(unsigned int cpu)
{
	char *oldest = output_of(0, "ls %s | head -n 1", trace), *path, *text;

	oldest[strcspn(oldest, "\n")] = 0;
	path = make_path("%s/%s/tring/cpu%u.dropped", trace, oldest, cpu);
	text = access(path, F_OK) ? make_path("dropped_by_max_size: 0") : read_file(path);
	CHECK(!strncmp(text, "dropped_by_max_size: ", strlen("dropped_by_max_size: ")));
	return strtoull(strchr(text, ' '), NULL, 10);
}

/* Where a user moves a part, once: the second one of those that have ended. */
static char *moved;

/* A file that comes while the second part is described. */
static const char *described_with;

/* The second CPU's change to the second part is held until the first CPU is recorded. */
static bool holds;

static bool has_part(unsigned int number)
{
	char *part = tring_part_path(trace, number);
	bool has = !access(part, F_OK);

	free(part);
	return has;
}

/* Are all packets of the first CPU in the parts? */
static bool has_first_cpu(const void *data)
{
	unsigned int number;
	size_t size = 0;
	struct stat info;

	(void)data;
	for (number = 1; has_part(number); number++) {
		char *file = make_path("%s/%06u/cpu0", trace, number);

		size += stat(file, &info) ? 0 : info.st_size;
		free(file);
	}
	return size >= streams[0].size;
}

/* Is the directory one of a part that has no name yet? */
static bool is_in_next_part(int fd)
{
	char path[PATH_MAX] = "";

	CHECK(readlink(make_path("/proc/self/fd/%d", fd), path, sizeof(path) - 1) > 0);
	return strstr(path, "/.next/");
}

static void move_part(void)
{
	struct tring_parts_list parts;
	char *to;

	CHECK_EQ(tring_parts_list(&parts, trace), 0);
	/* the last one has just got its name, and the one before it is recorded */
	if (parts.count >= 4) {
		to = tring_part_path(moved, 1);
		CHECK(!syscall(SYS_renameat2, AT_FDCWD, parts.dirs[1], AT_FDCWD, to, 0));
		free(to);
		moved = NULL;
	}
	tring_parts_list_free(&parts);
}

/* These replace the C library's. */
int renameat(int old_dir, const char *old, int new_dir, const char *new)
{
	int result = syscall(SYS_renameat2, old_dir, old, new_dir, new, 0);
	const char *name = strrchr(new, '/'), *met = described_with;

	name = name ? name + 1 : new;
	if (met && !strcmp(name, "format") && has_part(1) && is_in_next_part(new_dir)) {
		described_with = NULL;
		wait_for_path(met);
		write_text(make_path("%s/described", temp_dir()), "");
	}
	/* only the thread of this CPU looks at it */
	if (!strcmp(name, "cpu1.start") && holds && has_part(2)) {
		holds = false;
		wait_until(has_first_cpu, NULL, "the first CPU is recorded meanwhile");
		write_text(make_path("%s/held", temp_dir()), "");
	}
	if (!result && moved && isdigit((unsigned char)*name) && tring_is_part(name))
		move_part();
	return result;
}

int rename(const char *old, const char *new)
{
	return renameat(AT_FDCWD, old, AT_FDCWD, new);
}

/* Until the first part is gone. */
static void check_max_size(void)
{
	char *gone = make_path("test ! -e %s/000001", trace), *said;
	char *options = make_path("--max-size 64K -- sh -c '" SHELL_UNTIL "; cat %s.fed'", gone,
				  dir);
	char *report = make_path("$TRING report %s", trace), *output;
	unsigned int cpu;

	refused = 7;
	record(options, -1, " parts, ");
	refused = 0;
	CHECK(count_parts() > 0);
	/*
	 * What was lost is not forgotten with the part. No status is sure: a slow recorder has all
	 * packets in its first part, whose counters balance, and which is dropped.
	 */
	run(report, &output);
	for (cpu = 0; cpu < FAKE_CPUS; cpu++) {
		said = make_path("7 events of CPU %u before it were lost", cpu);
		wants(output, said);
	}
	CHECK(dropped_by(0) > 0);
	CHECK_EQ(count_events(trace) + dropped_by(0) + dropped_by(1), ALL_EVENTS);
	check_viewer();
}

/*
 * A ring that is larger than a part wakes its thread earlier, and in the end the parts have the
 * size, though the last one has what was in the rings: the recorder stands still until that is
 * all that the second CPU has.
 */
static void check_max_size_of_large_rings(void)
{
	char *script = make_path("%s/large", temp_dir()), *options;
	char *third = make_path("test -e %s/000003", trace);
	char *wakes = make_path("%s/wakes", temp_dir());

	write_text(script, make_path("cat %s/tring/buffer_percent >%s\n" SHELL_UNTIL
				     "\nkill -STOP $PPID\ncat %s.fed\nkill -CONT $PPID\n", dir,
				     wakes, third, dir));
	output_of(0, "rm -rf %s", trace);
	options = make_path("--max-size 64K --split 0.02s -b 400 -- sh %s", script);
	record(options, -1, " parts, ");
	/* of two rings of 400 KiB, for parts of 8 KiB */
	check_equal(read_file(wakes), "1", "buffer_percent");
	if (count_of("cat %s/*/cpu* | wc -c", trace) > 64 * 1024)
		CHECK_EQ(count_parts(), 1);
	CHECK_EQ(count_events(trace) + dropped_by(0) + dropped_by(1), ALL_EVENTS);
	check_viewer();
}

/* A part that is moved away is the user's: --max-size goes on without it. */
static void check_max_size_moved(void)
{
	char *other = make_path("%s.moved", trace), *log = make_path("%s/log", temp_dir());
	char *script = make_path("%s/script", temp_dir());
	char *text = make_path(SHELL_UNTIL "\ncat %s.fed\n", "test -e $1/000001", dir);
	static const char options[] = "--max-size 64K --split 0.02s";
	char *arguments = make_path("record -e testing:tick %s -o %s -- sh %s %s", options, trace,
				    script, other);
	struct fake_kernel kernel;
	char *said;

	CHECK(!mkdir(other, 0755));
	write_text(script, text);
	start(&kernel);
	moved = other;
	/* 1 if any part but the first one has events: the counters are those of the end of all */
	CHECK(end_child(fork_command(tring_cmd_record, arguments, log)) <= 1);
	moved = NULL;
	end_kernel(&kernel);
	said = read_file(log);
	if (strstr(said, "No such file"))
		fail(said, 0, "the recorder misses the part");
	free(said);
	CHECK_EQ(count_events(trace) + count_events(other) + dropped_by(0) + dropped_by(1),
		 ALL_EVENTS);
	free(arguments);
	free(text);
	free(script);
	free(log);
	free(other);
}

/* --max-size counts and drops the parts wherever the user has moved all of them. */
static void check_max_size_all_moved(void)
{
	char *third = make_path("test -e %s/000003", trace);
	char *other = make_path("%s.moved", trace);

	output_of(0, "rm -rf %s %s", trace, other);
	record(make_path("--max-size 64K -- sh -c '" SHELL_UNTIL "; mv %s %s; cat %s.fed'", third,
			 trace, other, dir), -1, " parts, ");
	output_of(0, "mv %s %s", other, trace);
	if (count_of("cat %s/*/cpu* | wc -c", trace) > 64 * 1024)
		CHECK_EQ(count_parts(), 1);
	CHECK_EQ(count_events(trace) + dropped_by(0) + dropped_by(1), ALL_EVENTS);
}

/*
 * A thread that meets an event for the first time while the next part is described does not
 * wait for that: it would not read its ring.
 */
static void check_described_with(void)
{
	char *arguments = make_path("record -e testing:tick --split 16K -o %s%s", trace, until_fed);
	char *log = make_path("%s/log", temp_dir()), *met = make_path("%s/000001/cpu1", trace);
	char *clear = output_of(0, "rm -rf %s", trace);
	struct fake_kernel kernel;

	start(&kernel);
	/* the second CPU begins when the first one has delivered more than a part */
	described_with = met;
	end_child(fork_command(tring_cmd_record, arguments, log));
	end_kernel(&kernel);
	CHECK_EQ(count_events(trace), ALL_EVENTS);
	/* the recorder is another process */
	CHECK(!access(make_path("%s/described", temp_dir()), F_OK));
	described_with = NULL;
	free(clear);
}

/* No CPU's thread waits for another one while the parts change. */
static void check_held(void)
{
	char *arguments = make_path("record -e testing:tick --split 16K -o %s%s", trace, until_fed);
	char *log = make_path("%s/log", temp_dir());
	struct fake_kernel kernel;

	output_of(0, "rm -rf %s", trace);
	start(&kernel);
	holds = true;
	end_child(fork_command(tring_cmd_record, arguments, log));
	holds = false;
	end_kernel(&kernel);
	CHECK_EQ(count_events(trace), ALL_EVENTS);
	CHECK(!access(make_path("%s/held", temp_dir()), F_OK));
}

/* At each moment the parts that are there can be read. */
static void check_killed(void)
{
	char *first = tring_part_path(trace, 1);
	struct timespec wait = { .tv_nsec = 0 };
	struct fake_kernel kernel;
	unsigned int tries;
	int status;
	pid_t pid;

	for (tries = 0; tries < 12; tries++) {
		/* a recorder may be killed while it removes an old trace */
		check_run(0, "", "rm -rf %s", trace);
		start(&kernel);
		pid = start_tring("/dev/null", "record -e testing:tick --max-size 64K -o %s",
				  trace);
		wait_for_path(first);
		wait.tv_nsec = tries * 17000000;
		nanosleep(&wait, NULL);	/* time: the kill comes at any moment */
		CHECK(!kill(pid, SIGKILL));
		CHECK_EQ(waitpid(pid, &status, 0), pid);
		end_kernel(&kernel);
		CHECK(count_parts() > 0);
		check_viewer();
		check_run(0, "", "$TRING reset");
	}
	free(first);
}

static void check_wrong(const char *options, const char *said)
{
	check_run(2, said, "$TRING record -e testing:tick -o %s %s", trace, options);
}

/* What is not of a trace stays. */
static void check_foreign(void)
{
	char *path = make_path("%s/000777", trace);

	CHECK(!mkdir(path, 0755));
	check_run(1, "it has \"000777\", which is not of a trace of tring",
		  "$TRING record -e testing:tick --split 1M -s 1 -o %s", trace);
	CHECK(!rmdir(path));
}

/* Removes the first part, as a user may, while the third one is recorded. */
static void check_moved_away(void)
{
	char *second = tring_part_path(trace, 2), *first = tring_part_path(trace, 1);
	char *third = make_path("test -e %s/000003", trace);
	char *fourth = make_path("test -e %s/000004", trace);
	char *options = make_path("--split 0.2s -- sh -c '" SHELL_UNTIL "; rm -rf %s; " SHELL_UNTIL
				  "; cat %s.fed'", third, first, fourth, dir);

	output_of(0, "rm -rf %s", trace);
	record(options, -1, " parts, ");
	CHECK(access(first, F_OK));
	CHECK(!access(second, F_OK));
	free(first);
	free(second);
}

int main(void)
{
	dir = make_path("%s/tracing", temp_dir());
	trace = make_path("%s/trace", temp_dir());
	until_fed = make_path(UNTIL_FED, dir);
	make_streams();
	make_tracefs(dir);
	check_time();
	check_size();
	check_max_size();
	check_max_size_of_large_rings();
	check_max_size_moved();
	check_max_size_all_moved();
	check_described_with();
	check_held();
	check_foreign();
	check_moved_away();
	/* a trace that is not split replaces the parts, and parts replace it */
	record(until_fed, 0, "balance: every accepted event");
	record(make_path("--split 3600s%s", until_fed), 0, "balance: every accepted event");
	CHECK_EQ(count_parts(), 1);
	check_killed();
	check_wrong("--split 1T", "--split 1T: neither a size nor a time; 1G and 60s are");
	check_wrong("--split 0s", "--split 0s: neither");
	check_wrong("--max-size 63K", "--max-size 63K: not a size of 64K or more, such as 1G");
	return 0;
}
