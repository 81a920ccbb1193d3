// SPDX-License-Identifier: GPL-2.0
/* Description: a recorder loses nothing while the library opens its ring again and again. */
#include <fcntl.h>
#include <sys/stat.h>
#include <tring.h>
#include <unistd.h>

#include "cmd/commands.h"
#include "fake_kernel.h"
#include "helpers.h"
#include "util/proc.h"

#define PACKETS	20
#define LOOKS	5
#define EVENTS	50

/* What a recorder has left in the ring, which is another file of the fake kernel. */
static struct builder streams[FAKE_CPUS], seen;

static void build(struct builder *builder, unsigned int cpu, unsigned int packets)
{
	unsigned int i;

	build_init(builder, false, cpu);
	for (i = 0; i < packets; i++)
		build_packet(builder, 1000000 * (i + 1), EVENTS);
}

/* All that is there is seen each time: none was taken by the call before, or by the recorder. */
static void look_once(void)
{
	struct tring_trace *trace;
	struct tring_item item;
	unsigned int events = 0;

	CHECK_EQ(tring_open_ring(&trace, NULL, NULL), 0);
	while (tring_next(trace, &item) > 0)
		events += item.kind == TRING_ITEM_EVENT;
	CHECK_EQ(events, FAKE_CPUS * EVENTS);
	CHECK_EQ(tring_problems(trace), 0);
	tring_close(trace);
}

/* One CPU, and of that the last events. */
static void look_at_some(void)
{
	const struct tring_options options = { .size = sizeof(options), .cpus = "1" };
	const struct tring_wanted wanted = { .size = sizeof(wanted), .newest = 7 };
	struct tring_trace *trace;
	struct tring_item item;
	unsigned int events = 0;

	CHECK_EQ(tring_open_ring(&trace, NULL, &options), 0);
	CHECK_EQ(tring_cpu_count(trace), 1);
	CHECK_EQ(tring_cpu_at(trace, 0), 1);
	CHECK(!tring_info(trace));
	CHECK_EQ(tring_select(trace, &wanted), 0);
	while (tring_next(trace, &item) > 0)
		events += item.kind == TRING_ITEM_EVENT;
	CHECK_EQ(events, 7);
	tring_close(trace);
}

/* A ring that is consumed has what /proc tells of tasks if that is asked for, and not else. */
static void consume(bool tasks, bool unnamed)
{
	struct tring_options options = {
		.size = sizeof(options), .consume = true, .tasks = tasks, .unnamed = unnamed,
	};
	struct tring_trace *trace;
	char *command;

	CHECK_EQ(tring_open_ring(&trace, NULL, &options), 0);
	command = (char *)tring_task_value(trace, getpid(), "command");
	CHECK(tasks == (command && strstr(command, "library_ring")));
	CHECK(*tring_comm(trace, getpid()) == (unnamed ? '<' : 'l'));
	tring_close(trace);
}

static unsigned int count_trace(const char *dir)
{
	struct tring_trace *trace;
	struct tring_item item;
	unsigned int events = 0;

	CHECK_EQ(tring_open(&trace, dir, NULL), 0);
	while (tring_next(trace, &item) > 0) {
		CHECK(item.kind == TRING_ITEM_EVENT);
		events++;
	}
	CHECK_EQ(tring_check(trace), 0);
	CHECK_EQ(tring_problems(trace), 0);
	tring_close(trace);
	return events;
}

int main(void)
{
	static const unsigned int events[FAKE_CPUS] = { PACKETS * EVENTS, PACKETS * EVENTS };
	char *dir = make_path("%s/tracing", temp_dir()), *out = make_path("%s/trace", temp_dir());
	struct fake_kernel kernel;
	char *gate = make_path("%s/gate", temp_dir());
	unsigned int cpu, i;
	int held;
	pid_t pid;

	make_tracefs(dir);
	write_text(make_path("%s/tring/trace_marker", dir), "");
	for (cpu = 0; cpu < FAKE_CPUS; cpu++) {
		build(&seen, cpu, 1);
		write_file(make_path("%s/tring/per_cpu/cpu%u/trace_raw_compact", dir, cpu),
			   seen.bytes, seen.size);
		build(&streams[cpu], cpu, PACKETS);
	}
	CHECK(!mkfifo(gate, 0600));
	start_kernel_with(&kernel, dir, streams, events);
	pid = fork_command(tring_cmd_record,
			   make_path("record -q -e testing:tick -o %s -- cat %s", out, gate),
			   make_path("%s/said", temp_dir()));
	/* the recording has begun, and does not end before the last look */
	held = open(gate, O_WRONLY);
	CHECK(held >= 0);
	for (i = 0; i < LOOKS; i++)
		look_once();
	look_at_some();
	if (tring_proc_has_kernel_pids()) {
		consume(false, false);
		consume(true, false);
		consume(false, true);
	}
	wait_until_fed(&kernel);
	look_once();
	close(held);
	CHECK_EQ(end_child(pid), 0);
	end_kernel(&kernel);
	CHECK_EQ(count_trace(out), FAKE_CPUS * PACKETS * EVENTS);
	return 0;
}
