// SPDX-License-Identifier: GPL-2.0
/* Description: whenever record is killed, babeltrace2 and report read all that lies there. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fake_kernel.h"
#include "helpers.h"
#include "util/util.h"

/* Number of kills; TRING_KILLS in the environment sets another one. */
#define KILLS		20
/* The longest time from the start, or from a number of delivered bytes, to the kill. */
#define LONGEST_NS	20000000

#define SHORT_IDS	"1 5 ftrace:print -\n"		\
			"2 319 sched:sched_switch 56\n"	\
			"3 342 testing:tick 8\n"	\
			"5 345 testing:dyn_sizes -\n"	\
			"28 344 testing:flag 4\n"

static struct builder streams[FAKE_CPUS];
static char *dir, *trace;

/* An event gets its short id while the recorder runs, another one has a long id only. */
static void build(unsigned int cpu)
{
	struct builder *builder = &streams[cpu];
	unsigned int i, event;
	uint8_t *payload;

	build_init(builder, false, cpu);
	for (i = 0; i < 50; i++) {
		build_begin(builder, 1000 * (i + 1));
		for (event = 0; event < 20 + i; event++)
			build_record(builder, 1000 * (i + 1) + event, 342, 1, 16);
		payload = build_record(builder, 1000 * (i + 1) + event, 345, 1, 44 + 6);
		memset(payload + 8, 0, 42);
		put_u32(payload + 12, 6 << 16 | 44, false);
		payload = build_record(builder, 1000 * (i + 1) + event, 343, 1, 12);
		build_end(builder);
	}
}

static size_t least;

static bool has_delivered(const void *data)
{
	const struct fake_kernel *kernel = data;

	return *kernel->delivered >= least;
}

static bool has_packet(const void *path)
{
	struct stat status;

	return !stat(path, &status) && status.st_size;
}

/* While the recorder begins, while it records, or when it has got all. */
static void wait_for_moment(const struct fake_kernel *kernel, bool last)
{
	size_t all = kernel->size[0] + kernel->size[1];
	struct timespec wait = { .tv_nsec = random() % LONGEST_NS };
	char *path = make_path("%s/cpu0", trace);

	least = random() % 4 ? random() % (all + 1) : 0;
	wait_until(has_delivered, kernel, "the kernel delivers");
	if (last)
		wait_until(has_packet, path, path);
	else
		nanosleep(&wait, NULL);	/* time: the kill comes at any moment */
}

/* @last: a trace that has events */
static void kill_recorder(bool last)
{
	struct fake_kernel kernel = { .dir = dir, .short_ids = SHORT_IDS };
	char *path = make_path("%s/tring/short_ids", dir);
	unsigned int cpu;
	pid_t pid;

	write_text(path, "1 5 ftrace:print -\n3 342 testing:tick 8\n");
	for (cpu = 0; cpu < FAKE_CPUS; cpu++) {
		kernel.bytes[cpu] = streams[cpu].bytes;
		kernel.size[cpu] = streams[cpu].size;
	}
	start_kernel(&kernel);
	pid = start_tring("/dev/null", "record -e testing:tick -o %s", trace);
	wait_for_moment(&kernel, last);
	CHECK(!kill(pid, SIGKILL));
	CHECK_EQ(waitpid(pid, NULL, 0), pid);
	end_kernel(&kernel);
}

/* Return: number of events in the packets of a file, all of which must be whole. */
static unsigned int count_events(unsigned int cpu)
{
	char *path = make_path("%s/cpu%u", trace, cpu);
	struct tring_packet packet;
	struct tring_cursor cursor;
	struct tring_record record;
	struct tring_input input = { 0 };
	unsigned int events = 0;
	size_t at;

	if (!access(path, F_OK))
		CHECK_EQ(tring_input_open(&input, path), 0);
	for (at = 0; at < input.size; at += packet.packet_size) {
		CHECK_EQ(tring_packet_parse((uint8_t *)input.data + at, input.size - at,
					    &packet), TRING_OK);
		tring_cursor_init(&cursor, &packet);
		while (tring_record_next(&cursor, &record) == TRING_OK)
			events += record.id != TRING_ID_DISCARDED;
	}
	tring_input_close(&input);
	return events;
}

static void check_lines(const char *command, int status, unsigned int events)
{
	char *output, *at;
	unsigned int lines = 0;

	CHECK_EQ(run(command, &output), status);
	for (at = output; (at = strchr(at, '\n')); at++)
		lines++;
	if (lines != events)
		fail(output, lines, command);
}

/* Return: false if the recorder was killed before the first packet. */
static bool check_trace(bool has_viewer)
{
	char *report = make_path("$TRING report %s 2>/dev/null", trace);
	char *viewer = make_path("babeltrace2 %s >%s.txt && grep -v tring_discarded: %s.txt",
				 trace, trace, trace);
	unsigned int cpu, events = 0;

	for (cpu = 0; cpu < FAKE_CPUS; cpu++)
		events += count_events(cpu);
	if (events) {
		check_lines(report, 1, events);
		if (has_viewer)
			check_lines(viewer, 0, events);
	}
	return events;
}

int main(void)
{
	const char *wanted = getenv("TRING_KILLS");
	int kills = wanted ? atoi(wanted) : KILLS, full = 0, i;
	bool has_viewer;
	char *output;
	unsigned int cpu;

	has_viewer = have("babeltrace2");
	srandom(test_seed(getpid()));
	dir = make_path("%s/tracing", temp_dir());
	trace = make_path("%s/trace", temp_dir());
	make_tracefs(dir);
	for (cpu = 0; cpu < FAKE_CPUS; cpu++)
		build(cpu);
	for (i = 0; i < kills; i++) {
		char *command = make_path("rm -rf %s; $TRING reset 2>/dev/null", trace);

		kill_recorder(i == kills - 1);
		full += check_trace(has_viewer);
		CHECK_EQ(run(command, &output), 0);
	}
	printf("%d of %d traces have events\n", full, kills);
	CHECK(full);
	return 0;
}
