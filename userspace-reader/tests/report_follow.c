// SPDX-License-Identifier: GPL-2.0
/* Description: report follows a trace that is recorded, in the order of time, to its end. */
#include <fcntl.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cmd/commands.h"
#include "helpers.h"
#include "record/append.h"
#include "util/util.h"

#define SECOND	1000000000ull

/* Shared with the follower, a child, which sleeps after each round. */
static struct {
	sem_t		turn;
	sem_t		done;
	uint64_t	now_ns;
} *shared;

static struct builder builders[2];
static char *dir, *out;

/* Replaces the reader's: time passes while the follower sleeps, and at no other time. */
uint64_t tring_now_ns(void)
{
	return shared->now_ns;
}

/* time: replaces the C library's sleep by a wait for the turn */
int nanosleep(const struct timespec *time, struct timespec *rest)
{
	(void)rest;
	shared->now_ns += time->tv_sec * SECOND + time->tv_nsec;
	sem_post(&shared->done);
	return sem_wait(&shared->turn);
}

static void append(unsigned int cpu)
{
	char *path = make_path("%s/cpu%u", dir, cpu);
	struct builder *builder = &builders[cpu];
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0644);

	CHECK(fd >= 0);
	CHECK_EQ(write(fd, builder->bytes, builder->size), builder->size);
	close(fd);
	builder->size = 0;
}

/* @tenth: tenths of seconds */
static void tick(unsigned int cpu, unsigned int tenth)
{
	builders[cpu].size = 0;
	build_packet(&builders[cpu], tenth * SECOND / 10, 1);
	append(cpu);
}

static void begin(void)
{
	unsigned int cpu;

	for (cpu = 0; cpu < 2; cpu++) {
		unlink(make_path("%s/cpu%u", dir, cpu));
		unlink(make_path("%s/tring/cpu%u.end", dir, cpu));
		build_init(&builders[cpu], false, cpu);
	}
	write_extra(dir, "cpu0.start", "read: 0\n");
	write_extra(dir, "cpu1.start", "read: 0\n");
}

/* Starts a follower, which does a round. */
static pid_t follow(const char *option)
{
	char *arguments = make_path("report --follow %s %s", option, dir);
	pid_t pid;

	CHECK(!sem_init(&shared->turn, 1, 0) && !sem_init(&shared->done, 1, 0));
	pid = fork_command(tring_cmd_report, arguments, out);
	sem_wait(&shared->done);
	return pid;
}

/* The follower does rounds for some tenths of seconds, two in each round. */
static void go_on(unsigned int tenths)
{
	for (; tenths; tenths -= 2) {
		sem_post(&shared->turn);
		sem_wait(&shared->done);
	}
}

/* The follower looks before and behind each write of the recorder's. */
static bool is_watched;

/* Replaces the C library's. */
ssize_t pwrite(int fd, const void *data, size_t size, off_t offset)
{
	ssize_t wrote;

	if (is_watched)
		go_on(24);
	wrote = syscall(SYS_pwrite64, fd, data, size, offset);
	if (is_watched)
		go_on(24);
	return wrote;
}

static bool has(const char *time)
{
	return strstr(read_file(out), time);
}

/* The last round, or none after a signal. Return: exit status */
static int end(pid_t pid)
{
	sem_post(&shared->turn);
	return end_child(pid);
}

/* @wanted: the times, in tenths of seconds */
static void check_times(const char *wanted)
{
	static const char time[] = ".* +([0-9]+)\\.([0-9])00000: tick.*";
	char *output = output_of(0, "sed -nE 's/%s/\\1\\2/p' %s | tr '\\n' ' '", time, out);

	check_equal(output, wanted, "the times");
}

static void check_order(void)
{
	char *output;
	pid_t pid;

	begin();
	tick(0, 10);
	tick(0, 11);
	pid = follow("-t");
	tick(0, 30);
	go_on(18);
	CHECK(has(" 1.000000000: ") && !has(" 1.100000000: "));
	/* what is late by less than two seconds still comes in its place */
	tick(1, 12);
	/* behind its event 5 were refused */
	builders[0].discarded = 5;
	tick(0, 40);
	go_on(2);
	CHECK(has(" 1.200000000: ") && !has(" 3.000000000: "));
	tick(1, 35);
	tick(1, 41);
	tick(0, 70);
	go_on(20);
	CHECK(has(" 4.100000000: ") && !has(" 7.000000000: "));
	/* nothing more has come for some time */
	go_on(4);
	CHECK(has(" 7.000000000: "));
	tick(1, 72);
	write_extra(dir, "cpu0.end", "read: 5\noverwritten: 0\nrefused_no_room: 7\n");
	write_extra(dir, "cpu1.end", "read: 4\n");
	CHECK_EQ(end(pid), 0);
	/* it is the same as report prints of the whole trace */
	output = output_of(0, "$TRING report -t %s | cmp - %s && grep LOST %s", dir, out, out);
	CHECK(strstr(output, "[LOST 5 EVENTS]\n"));
	CHECK(strstr(output, "[LOST 2 EVENTS]\n"));
}

/* The recorder fills a block with the last packet that it has saved before. */
static void check_longer_packet(void)
{
	struct builder *builder = &builders[0];
	static const uint8_t zeroes[64];
	char *path = make_path("%s/cpu0", dir);
	uint32_t bits;
	pid_t pid;
	int fd;

	begin();
	tick(0, 10);
	pid = follow("");
	go_on(22);
	CHECK(has(" 1.000000: "));
	bits = tring_load_u32(builder->bytes + HEADER_AT(packet_size), false);
	fd = open(path, O_WRONLY);
	CHECK(fd >= 0);
	put_u32(builder->bytes + HEADER_AT(packet_size), bits + 8 * sizeof(zeroes), false);
	CHECK_EQ(pwrite(fd, builder->bytes, TRING_PACKET_HEADER_SIZE, 0),
		 TRING_PACKET_HEADER_SIZE);
	CHECK_EQ(pwrite(fd, zeroes, sizeof(zeroes), bits / 8), sizeof(zeroes));
	close(fd);
	tick(0, 20);
	go_on(24);
	CHECK(has(" 2.000000: "));
	/* the recording has not ended: the user ends it */
	CHECK_EQ(kill(pid, SIGINT), 0);
	CHECK_EQ(end(pid), 0);
	check_times("10 20 ");
}

/* Packets without events make room for those that the recorder appends. */
static void check_append(void)
{
	struct builder *builder = &builders[0];
	char *path = make_path("%s/cpu0", dir), *output;
	unsigned int tenth;
	size_t room;
	pid_t pid;
	int fd;

	begin();
	tick(0, 10);
	pid = follow("");
	builder->size = 0;
	builder->discarded = 3;
	for (tenth = 20; tenth < 50; tenth++)
		build_packet(builder, tenth * SECOND / 10, 10);
	fd = open(path, O_WRONLY);
	CHECK(fd >= 0);
	is_watched = true;
	CHECK_EQ(tring_append(fd, lseek(fd, 0, SEEK_END), builder->bytes, builder->size, &room),
		 0);
	is_watched = false;
	CHECK(has(" 2.000000: ") && has(" 4.900000: "));
	write_extra(dir, "cpu0.end", "read: 301\nrefused_no_room: 3\n");
	write_extra(dir, "cpu1.end", "read: 0\n");
	CHECK_EQ(end(pid), 0);
	output = output_of(0, "$TRING report %s | cmp - %s && grep -c LOST %s", dir, out, out);
	CHECK(!strcmp(output, "1\n"));
	free(output);
	close(fd);
	free(path);
}

/* Behind a damaged packet nothing is read until the recording has ended. */
static void check_damage(void)
{
	char *text;
	pid_t pid;

	begin();
	tick(0, 10);
	pid = follow("-t");
	go_on(22);
	CHECK(has(" 1.000000000: "));
	builders[0].size = 0;
	build_packet(&builders[0], 2 * SECOND, 1);
	memset(builders[0].bytes, 0, builders[0].size);
	append(0);
	tick(0, 30);
	write_extra(dir, "cpu0.end", "read: 3\n");
	write_extra(dir, "cpu1.end", "read: 0\n");
	CHECK_EQ(end(pid), 1);
	text = read_file(out);
	CHECK(strstr(text, " 3.000000000: "));
	CHECK(strstr(text, "cpu0: offset 0x"));
	CHECK(strstr(text, "1 of 3 recorded events are missing"));
}

/* The recorder describes an event when it meets it. */
static void check_described_late(void)
{
	char *output;
	pid_t pid;

	begin();
	output = output_of(0, "mv %s/tring/events/testing %s/testing", dir, temp_dir());
	free(output);
	write_extra(dir, "short_ids", "1 5 ftrace:print -\n2 319 sched:sched_switch 56\n");
	pid = follow("");
	go_on(4);
	output = output_of(0, "mv %s/testing %s/tring/events/testing", temp_dir(), dir);
	free(output);
	write_extra(dir, "short_ids", short_ids_text());
	write_metadata(dir, false);
	tick(0, 10);
	go_on(24);
	CHECK(has(" 1.000000: tick"));
	write_extra(dir, "cpu0.end", "read: 1\n");
	write_extra(dir, "cpu1.end", "read: 0\n");
	CHECK_EQ(end(pid), 0);
}

static char *go_to_part(const char *parts, unsigned int number)
{
	dir = make_path("%s/%06u", parts, number);
	make_trace(dir, false);
	begin();
	return dir;
}

/* The first part is removed when the recorder has left it, before the follower has. */
static void check_removed_part(void)
{
	char *whole = dir, *parts = make_path("%s/parts", temp_dir()), *first, *second;
	char *text;
	pid_t pid;

	CHECK(!mkdir(parts, 0755));
	first = go_to_part(parts, 1);
	tick(0, 10);
	dir = parts;
	pid = follow("");
	go_on(24);
	dir = first;
	tick(0, 20);
	second = go_to_part(parts, 2);
	builders[0].seq = 2;
	tick(0, 60);
	text = output_of(0, "rm -rf %s", first);
	free(text);
	go_on(2);
	write_extra(dir, "cpu0.end", "read: 1\n");
	write_extra(dir, "cpu1.end", "read: 0\n");
	CHECK_EQ(end(pid), 1);
	text = read_file(out);
	CHECK(strstr(text, " 1.000000: ") && strstr(text, " 6.000000: "));
	CHECK(strstr(text, "parts are missing before ") &&
	      strstr(text, "/000002, with their events"));
	CHECK(!strstr(text, "No such file"));
	free(text);
	free(first);
	free(second);
	free(parts);
	dir = whole;
}

static void check_range(void)
{
	pid_t pid;

	begin();
	tick(0, 10);
	tick(0, 20);
	pid = follow("--from=+0.5");
	tick(0, 30);
	go_on(24);
	CHECK(has(" 3.000000: "));
	CHECK_EQ(kill(pid, SIGTERM), 0);
	CHECK_EQ(end(pid), 0);
	check_times("20 30 ");
	pid = follow("--to=2.5");
	tick(0, 60);
	CHECK_EQ(end(pid), 0);
	check_times("10 20 ");
}

/* A recorder that was killed has left no counters of the end, and its mark is gone. */
static void check_killed(void)
{
	int recorder;
	pid_t pid;

	begin();
	tick(0, 10);
	pid = follow("");
	/* which the follower must not inherit */
	recorder = hold_trace(dir);
	go_on(60);
	tick(1, 30);
	close(recorder);
	CHECK_EQ(end(pid), 1);
	check_times("10 30 ");
	CHECK(has("/trace: the recording has no end: its recorder was killed"));
}

/* The recorder has ended, and was killed, before. */
static void check_without_recorder(void)
{
	char *text;
	pid_t pid;

	begin();
	tick(0, 10);
	pid = follow("");
	go_on(20);
	CHECK(!has("no recorder"));
	go_on(40);
	CHECK_EQ(kill(pid, SIGINT), 0);
	CHECK_EQ(end(pid), 0);
	check_times("10 ");
	text = output_of(0, "grep -c 'trace: no recorder of this system is at work there' %s", out);
	CHECK(!strcmp(text, "1\n"));
}

/* A CPU is saved when later events of another one have been printed. */
static void check_late(void)
{
	pid_t pid;

	begin();
	tick(0, 10);
	pid = follow("");
	tick(0, 40);
	go_on(2);
	CHECK(has(" 1.000000: "));
	tick(1, 5);
	tick(1, 8);
	tick(1, 15);
	write_extra(dir, "cpu0.end", "read: 2\n");
	write_extra(dir, "cpu1.end", "read: 3\n");
	CHECK_EQ(end(pid), 0);
	check_times("10 05 08 15 40 ");
	CHECK(has("/trace: 2 events came too late for the order of time\n"));
}

/* A recorder that saves less often, each CPU within five seconds. */
static void check_save_every(void)
{
	char *text;
	pid_t pid;

	text = output_of(0, "echo save_ns=5000000000 >>%s/tring/trace_info", dir);
	begin();
	tick(0, 10);
	pid = follow("");
	tick(0, 90);
	go_on(80);
	CHECK(!has(" 1.000000: "));
	tick(1, 20);
	tick(0, 115);
	go_on(2);
	CHECK(has(" 1.000000: ") && !has(" 2.000000: "));
	write_extra(dir, "cpu0.end", "read: 3\n");
	write_extra(dir, "cpu1.end", "read: 1\n");
	CHECK_EQ(end(pid), 0);
	check_times("10 20 90 115 ");
	free(text);
}

int main(void)
{
	int recorder;

	dir = make_path("%s/trace", temp_dir());
	out = make_path("%s/out", temp_dir());
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	CHECK(shared != MAP_FAILED);
	make_trace(dir, false);
	recorder = hold_trace(dir);
	check_order();
	check_longer_packet();
	check_append();
	check_damage();
	check_described_late();
	check_removed_part();
	check_range();
	check_late();
	close(recorder);
	check_killed();
	check_without_recorder();
	recorder = hold_trace(dir);
	check_save_every();
	close(recorder);
	return 0;
}
