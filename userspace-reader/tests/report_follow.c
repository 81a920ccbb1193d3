// SPDX-License-Identifier: GPL-2.0
/* Description: report follows a trace that is recorded, in the order of time, to its end. */
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "helpers.h"

#define SECOND	1000000000ull

static struct builder builders[2];
static char *dir, *out;

static void append(unsigned int cpu)
{
	char *path = make_path("%s/cpu%u", dir, cpu);
	struct builder *builder = &builders[cpu];
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0644);

	CHECK(fd >= 0);
	CHECK_EQ(write(fd, builder->bytes, builder->size), builder->size);
	close(fd);
	free(path);
	builder->size = 0;
}

/* @tenth: tenths of seconds */
static void tick(unsigned int cpu, unsigned int tenth)
{
	builders[cpu].size = 0;
	build_packet(&builders[cpu], tenth * SECOND / 10, 1);
	append(cpu);
}

static void write_extra(const char *name, const char *text)
{
	char *path = make_path("%s/tring/%s", dir, name);

	write_text(path, text);
	free(path);
}

static void begin(void)
{
	unsigned int cpu;
	char *path;

	for (cpu = 0; cpu < 2; cpu++) {
		path = make_path("%s/cpu%u", dir, cpu);
		unlink(path);
		free(path);
		path = make_path("%s/tring/cpu%u.end", dir, cpu);
		unlink(path);
		free(path);
		build_init(&builders[cpu], false, cpu);
	}
	write_extra("cpu0.start", "read: 0\n");
	write_extra("cpu1.start", "read: 0\n");
}

static pid_t follow(const char *option)
{
	pid_t pid;

	write_text(out, "");
	pid = fork_with_output(out);

	if (pid)
		return pid;
	execl(test_env("TRING"), "tring", "report", "--follow", option, dir, NULL);
	_exit(127);
}

/* Waits until the output has the time of a line, at most 20 s. */
static void wait_for(const char *time)
{
	unsigned int i;

	for (i = 0; i < 400; i++) {
		char *text = read_file(out);
		bool found = strstr(text, time);

		free(text);
		if (found)
			return;
		usleep(50000);
	}
	fail(out, i, time);
}

static int end(pid_t pid)
{
	int status;

	CHECK_EQ(waitpid(pid, &status, 0), pid);
	CHECK(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* @wanted: the times, in tenths of seconds */
static void check_times(const char *wanted)
{
	static const char time[] = ".* +([0-9]+)\\.([0-9])00000: tick.*";
	char *command = make_path("sed -nE 's/%s/\\1\\2/p' %s | tr '\\n' ' '", time, out);
	char *output;

	CHECK_EQ(run(command, &output), 0);
	if (strcmp(output, wanted))
		fail(output, 0, wanted);
	free(output);
	free(command);
}

static void check_order(void)
{
	char *command, *output;
	pid_t pid;

	begin();
	tick(0, 10);
	tick(0, 11);
	pid = follow("-t");
	/* what is late by less than two seconds still comes in its place */
	tick(0, 30);
	tick(1, 12);
	/* behind its event 5 were refused */
	builders[0].discarded = 5;
	tick(0, 40);
	wait_for(" 1.200000000: ");
	tick(1, 35);
	tick(1, 41);
	tick(0, 70);
	wait_for(" 4.100000000: ");
	/* nothing more comes for some time */
	wait_for(" 7.000000000: ");
	tick(1, 72);
	write_extra("cpu0.end", "read: 5\noverwritten: 0\nrefused_no_room: 7\n");
	write_extra("cpu1.end", "read: 4\n");
	CHECK_EQ(end(pid), 0);
	/* it is the same as report prints of the whole trace */
	command = make_path("$TRING report -t %s | cmp - %s && grep LOST %s", dir, out, out);
	CHECK_EQ(run(command, &output), 0);
	CHECK(strstr(output, "[LOST 5 EVENTS]\n"));
	CHECK(strstr(output, "[LOST 2 EVENTS]\n"));
	free(output);
	free(command);
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
	pid = follow("--no-pager");
	wait_for(" 1.000000: ");
	bits = tring_load_u32(builder->bytes + HEADER_AT(packet_size), false);
	fd = open(path, O_WRONLY);
	CHECK(fd >= 0);
	put_u32(builder->bytes + HEADER_AT(packet_size), bits + 8 * sizeof(zeroes), false);
	CHECK_EQ(pwrite(fd, builder->bytes, TRING_PACKET_HEADER_SIZE, 0),
		 TRING_PACKET_HEADER_SIZE);
	CHECK_EQ(pwrite(fd, zeroes, sizeof(zeroes), bits / 8), sizeof(zeroes));
	close(fd);
	tick(0, 20);
	wait_for(" 2.000000: ");
	/* the recording has not ended: the user ends it */
	CHECK_EQ(kill(pid, SIGINT), 0);
	CHECK_EQ(end(pid), 0);
	check_times("10 20 ");
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
	wait_for(" 1.000000000: ");
	builders[0].size = 0;
	build_packet(&builders[0], 2 * SECOND, 1);
	memset(builders[0].bytes, 0, builders[0].size);
	append(0);
	tick(0, 30);
	write_extra("cpu0.end", "read: 3\n");
	write_extra("cpu1.end", "read: 0\n");
	CHECK_EQ(end(pid), 1);
	text = read_file(out);
	CHECK(strstr(text, " 3.000000000: "));
	CHECK(strstr(text, "cpu0: offset 0x"));
	CHECK(strstr(text, "1 of 3 recorded events are missing"));
	free(text);
}

static void check_range(void)
{
	pid_t pid;

	begin();
	tick(0, 10);
	tick(0, 20);
	pid = follow("--from=+0.5");
	tick(0, 30);
	wait_for(" 3.000000: ");
	CHECK_EQ(kill(pid, SIGTERM), 0);
	CHECK_EQ(end(pid), 0);
	check_times("20 30 ");
	pid = follow("--to=2.5");
	tick(0, 60);
	CHECK_EQ(end(pid), 0);
	check_times("10 20 ");
}

int main(void)
{
	dir = make_path("%s/trace", temp_dir());
	out = make_path("%s/out", temp_dir());
	make_trace(dir, false);
	check_order();
	check_longer_packet();
	check_damage();
	check_range();
	free(out);
	free(dir);
	return 0;
}
