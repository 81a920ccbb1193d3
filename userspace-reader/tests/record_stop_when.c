// SPDX-License-Identifier: GPL-2.0
/* Description: --stop-when ends a recording when its condition is met, and only then; says why. */
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cmd/commands.h"
#include "fake_kernel.h"
#include "top_trace.h"

#define WAKEUP		"--stop-when 'latency wakeup > 50ms'"
#define FREE		"--stop-when 'latency --key %s sched:sched_waking sched:sched_switch>20ms'"
#define TASK_1		"--stop-when 'event sched:sched_switch prev_pid == 1'"
/* Seconds and milliseconds of the trace's clock. */
#define AT(s, ms)	((s) * 1000000000ull + (ms) * 1000000ull)
#define INSTANCES	2

#define AVAILABLE	"testing:tick\nsched:sched_switch\nsched:sched_waking\n"

/**
 * struct instance - the fake ring of a condition
 * @path: its directory
 * @packets: what it has recorded on each CPU
 * @sent: bytes of that which were given
 * @fds: where they are given
 * @round: number of markers so far
 */
struct instance {
	char		*path;
	struct builder	packets[FAKE_CPUS];
	size_t		sent[FAKE_CPUS];
	int		fds[FAKE_CPUS];
	unsigned int	round;
};

static struct instance instances[INSTANCES];
static unsigned int count;
static char *dir, *trace;

/* Adds what the instance records before its next marker. @round: 0 when it begins to record */
static void (*play)(unsigned int number, unsigned int round, const char *marker);

/* These functions replace the C library's: they are the kernel. */
int mkdir(const char *path, mode_t mode)
{
	struct instance *instance = &instances[count];
	unsigned int cpu;
	bool made;
	int ret = fake_mkdir(path, mode, &made);

	if (!made)
		return ret;
	CHECK(count++ < INSTANCES);
	write_text(make_path("%s/set_event_pid", path), "");
	free(output_of(0, "mkdir -p %s/events/sched/sched_switch", path));
	write_text(make_path("%s/events/sched/sched_switch/filter", path), "none\n");
	instance->path = make_path("%s", path);
	for (cpu = 0; cpu < FAKE_CPUS; cpu++)
		build_init(&instance->packets[cpu], false, cpu);
	return 0;
}

int rmdir(const char *path)
{
	return fake_rmdir(path);
}

static void give(struct instance *instance)
{
	give_packets(instance->path, instance->packets, instance->sent, instance->fds);
}

/* Return: the name of the file below an instance's directory; NULL for another file. */
static const char *file_of(int fd, struct instance **instance)
{
	char *link = make_path("/proc/self/fd/%d", fd), *path = make_path("%4096s", "");
	ssize_t size = readlink(link, path, 4096);
	unsigned int i;

	for (i = 0; i < count && size > 0; i++) {
		size_t length = strlen(instances[i].path);

		*instance = &instances[i];
		if ((size_t)size > length && !memcmp(path, instances[i].path, length) &&
		    path[length] == '/') {
			path[size] = 0;
			return path + length + 1;
		}
	}
	return NULL;
}

ssize_t write(int fd, const void *data, size_t size)
{
	struct instance *instance;
	const char *file = file_of(fd, &instance);
	char *text;

	if (!file)
		return write_bytes(fd, data, size);
	text = make_path("%.*s", (int)size, (const char *)data);
	if (strstr(file, "/filter"))
		fprintf(stderr, "filter: %s\n", text);
	if (!strcmp(file, "tracing_on") && *text == '1') {
		/* until the ring of the recording has all that it gets */
		if (instance == instances)
			read_file(make_path("%s.fed", dir));
		play(instance - instances, 0, NULL);
		give(instance);
	} else if (!strcmp(file, "trace_marker")) {
		CHECK(!strncmp(text, FAKE_MARKER, strlen(FAKE_MARKER)));
		play(instance - instances, ++instance->round, text);
		give(instance);
		return size;
	}
	return write_bytes(fd, data, size);
}

/* A packet with a marker alone. */
static void mark_alone(unsigned int number, uint64_t stamp, const char *marker)
{
	struct builder *packets = &instances[number].packets[0];

	build_begin(packets, stamp);
	build_marker(packets, stamp, marker);
	build_end(packets);
}

/* 20 ms, and 80 ms, whose begin comes behind a marker: without a further event it is looked at. */
static void play_wakeup(unsigned int number, unsigned int round, const char *marker)
{
	struct builder *packets = &instances[number].packets[0];

	switch (round) {
	case 0:
		build_begin(packets, AT(1, 0));
		top_waking(packets, AT(1, 0), 0, 100);
		break;
	case 1:
		build_begin(packets, AT(1, 20));
		top_change(packets, AT(1, 20), 0, 0, 100);
		build_marker(packets, AT(1, 100), marker);
		top_waking(packets, AT(2, 0), 0, 200);
		break;
	case 2:
		build_begin(packets, AT(2, 80));
		top_change(packets, AT(2, 80), 100, 0, 200);
		build_marker(packets, AT(2, 100), marker);
		/* behind the first one that is too long */
		top_waking(packets, AT(2, 110), 0, 300);
		top_change(packets, AT(2, 120), 200, 0, 300);
		break;
	default:
		build_begin(packets, AT(round, 125));
		build_marker(packets, round == 3 ? AT(2, 125) : AT(round, 125), marker);
	}
	build_end(packets);
}

/* The end of the time may be another one's. The user gives up then. */
static void play_loss(unsigned int number, unsigned int round, const char *marker)
{
	struct builder *packets = &instances[number].packets[0];

	switch (round) {
	case 0:
		build_begin(packets, AT(1, 0));
		top_waking(packets, AT(1, 0), 0, 100);
		build_end(packets);
		return;
	case 1:
		mark_alone(number, AT(1, 100), marker);
		packets->discarded += 50;
		packets->seq += 3;
		build_begin(packets, AT(1, 200));
		top_change(packets, AT(1, 200), 0, 0, 100);
		build_end(packets);
		return;
	default:
		CHECK(!kill(getpid(), SIGINT));
	}
	mark_alone(number, AT(round, 0), marker);
}

/* The end comes in the round behind a marker that is later. */
static void play_late(unsigned int number, unsigned int round, const char *marker)
{
	struct builder *packets = &instances[number].packets[0];
	struct builder *other = &instances[number].packets[1];

	switch (round) {
	case 1:
		build_begin(packets, AT(1, 100));
		build_marker(packets, AT(1, 100), marker);
		top_waking(packets, AT(1, 200), 0, 300);
		build_end(packets);
		return;
	case 2:
		build_begin(other, AT(1, 40));
		top_change(other, AT(1, 40), 0, 0, 100);
		build_end(other);
	}
	play_loss(number, round, marker);
}

/* A time, and an event that is earlier, but is found later. */
static void play_both(unsigned int number, unsigned int round, const char *marker)
{
	struct builder *packets = &instances[number].packets[0];

	if (number == 0) {
		play_wakeup(number, round, marker);
	} else if (round == 0) {
		build_begin(packets, AT(1, 90));
		build_end(packets);
	} else if (round == 3) {
		build_begin(packets, AT(2, 50));
		top_change(packets, AT(2, 50), 1, 0, 2);
		build_marker(packets, AT(2, 110), marker);
		build_end(packets);
	} else {
		mark_alone(number, round < 3 ? AT(1, 90 + round) : AT(2, 100 + 10 * round),
			   marker);
	}
}

/* @first: time of the ring's first event; @overwritten: number of events before it, of CPU 0 */
static void start_ring(struct fake_kernel *kernel, uint64_t first, unsigned int overwritten)
{
	static struct builder streams[FAKE_CPUS];
	unsigned int cpu;

	*kernel = (struct fake_kernel) { .dir = dir };
	for (cpu = 0; cpu < FAKE_CPUS; cpu++) {
		write_text(make_path("%s/tring/per_cpu/cpu%u/stats", dir, cpu),
			   balanced_stats(0, 0));
		build_init(&streams[cpu], false, cpu);
		streams[cpu].discarded = cpu ? 0 : overwritten;
		build_packet(&streams[cpu], first, 30);
		kernel->bytes[cpu] = streams[cpu].bytes;
		kernel->size[cpu] = streams[cpu].size;
	}
	kernel->stats[1] = balanced_stats(30, 0);
	kernel->stats[0] = make_path("reserved: %u\ncommitted: %u\ndiscarded: 0\nopen: 0\n"
				     "read: 30\noverwritten: %u\nremaining: 0\n"
				     "committed_bytes: 8\nread_bytes: 8\noverwritten_bytes: 0\n"
				     "remaining_bytes: 0\n", 30 + overwritten, 30 + overwritten,
				     overwritten);
	start_kernel(kernel);
}

/* Return: what tring record has said. It runs in a child with the functions above. */
static char *record(const char *arguments, int status, uint64_t first, unsigned int overwritten)
{
	char *said = make_path("%s/said", temp_dir());
	char *whole = make_path("record -o %s %s", trace, arguments);
	struct fake_kernel kernel;
	char *output;
	int ended;

	start_ring(&kernel, first, overwritten);
	ended = end_child(fork_command(tring_cmd_record, whole, said));
	end_kernel(&kernel);
	output = read_file(said);
	if (ended != status)
		fail(output, ended, arguments);
	if (*output_of(0, "ls %s/tring/instances", dir))
		fail(output, 0, "an instance is left");
	return output;
}

static void check_has(const char *output, const char *text)
{
	wants(output, text);
}

/* The trace says it to each that asks. */
static void check_stopped_by(const char *text)
{
	check_has(output_of(0, "$TRING info %s", trace), make_path("stopped_by       %s\n", text));
	check_has(output_of(0, "$TRING report %s", trace), make_path(": stopped by %s\n", text));
	check_has(read_file(make_path("%s/metadata", trace)),
		  make_path("stopped_by = \"%s\";", text));
}

static void check_met(void)
{
	const char *what = make_path("latency wakeup > 50ms: %s, %s; %s",
				     "80.000000 ms from 2.000000000 to 2.080000000",
				     "task <idle>-0, pid=200, CPU 0",
				     "recording was off 45.000 ms later");
	char *output;

	play = play_wakeup;
	output = record("--overwrite " WAKEUP, 0, AT(0, 500), 0);
	check_has(output, make_path("tring: stopped by %s\n", what));
	check_has(output, "tring: the trace has all since its begin\n");
	check_stopped_by(what);
	output = record("--overwrite " WAKEUP, 0, AT(0, 500), 5);
	check_has(output, "the trace has all from 0.500000000 on, 1.500000 s before that; 5 older");
	CHECK(!strstr(output, "EVENTS WERE LOST"));
	check_has(record("--overwrite " WAKEUP, 0, AT(2, 40), 5),
		  "tring: the trace has all from 2.040000000 on, but not its begin; see -b\n");
	check_has(record("--overwrite " WAKEUP, 0, AT(3, 0), 5),
		  "tring: the ring is too small: what has stopped it was overwritten; see -b\n");
	/* the ring is read meanwhile, and the table says what is lost */
	output = record(WAKEUP " --after 1ms", 0, AT(0, 500), 5);
	check_has(output, "; recording was off 0.045000 s later, 44.000 ms late\n");
	check_has(output, "5 EVENTS WERE LOST");
	CHECK(!strstr(output, "the trace has all"));
	/* a limit that is reached */
	check_has(record("--stop-when 'latency wakeup >= 20000us'", 0, AT(0, 500), 0),
		  "wakeup >= 20000us: 20.000000 ms from 1.000000000 to 1.020000000, task ");
	check_has(record(make_path(FREE, "pid=next_pid"), 0, AT(0, 500), 0),
		  "sched_switch>20ms: 80.000000 ms from ");
}

static void check_event(void)
{
	const char *what = make_path("event sched:sched_switch prev_pid == 1: at %s, %s: ",
				     "1.020000000", "task <idle>-0, CPU 0");
	char *output;

	play = play_wakeup;
	output = record("--overwrite " TASK_1, 0, AT(0, 500), 0);
	check_has(output, "filter: prev_pid == 1\n");
	check_has(output, what);
	check_has(output_of(0, "$TRING info %s", trace), what);
	play = play_both;
	output = record(WAKEUP " " TASK_1, 0, AT(0, 500), 0);
	check_has(output, "by event sched:sched_switch prev_pid == 1: at 2.050000000, task ");
}

/* Where the begin or the end may be another one's, nothing is met, and the user ends it. */
static void check_unknown(void)
{
	char *output;

	play = play_loss;
	output = record("--overwrite " WAKEUP, 3, AT(0, 500), 0);
	check_has(output, "tring: no condition of --stop-when was met\n");
	check_has(output, "'latency wakeup > 50ms': 50 events were not seen in time\n");
	check_has(output, "'latency wakeup > 50ms': 1 times are unknown\n");
	check_stopped_by("none of its conditions");
	play = play_late;
	output = record("--overwrite " WAKEUP, 3, AT(0, 500), 0);
	check_has(output, "1 events were not seen in time\n");
	check_has(output, "1 times are unknown\n");
}

/* The status of a command that ends before is its own, unless it has succeeded. */
static void check_command(void)
{
	play = play_late;
	record(WAKEUP " -- false", 1, AT(0, 500), 0);
	record(WAKEUP " -- true", 3, AT(0, 500), 0);
	record(WAKEUP " -s 0.001", 3, AT(0, 500), 0);
}

static void refuse(const char *arguments, const char *said)
{
	check_run(2, said, "$TRING record -o %s/refused %s", temp_dir(), arguments);
}

static void check_errors(void)
{
	refuse("--stop-when ''", "'': it is latency PAIR > TIME, or event EVENT [FILTER]");
	refuse("--stop-when 'late wakeup > 1s'", ": it is latency PAIR > TIME, or ");
	refuse("--stop-when 'latency wakeup'", ": a limit is missing, such as > 50ms");
	refuse("--stop-when 'latency wakeup > 50'", ": a time is a number with ns, us, ms or s");
	refuse("--stop-when 'latency wakeup > 50m'", ": a time is a number with ns, us, ms or s");
	refuse("--stop-when 'latency wakeup > 0s'", ": a time is a number with ns, us, ms or s");
	refuse("--stop-when 'latency wakup > 50ms'", ": there is no such pair; \"tring help lat");
	refuse("--stop-when 'latency > 50ms'", ": it is PAIR > TIME, or --key FIELD BEGIN END");
	refuse("--stop-when 'latency --key pid sched_waking > 1s'", "PAIR > TIME, or --key");
	refuse("--stop-when 'latency a b c d e f > 1s'", "PAIR > TIME, or --key");
	refuse("--stop-when event", ": it is one event, as \"tring list\" has them");
	refuse("--stop-when 'event sched:*'", ": it is one event, as \"tring list\" has them");
	refuse("--stop-when 'event sched:sched_swich'",
	       "--stop-when 'event sched:sched_swich' needs sched:sched_swich: no such event");
	refuse("--stop-when 'latency block > 1s'",
	       "--stop-when 'latency block > 1s' needs block:block_rq_issue: no such event");
	refuse("--after 1s", "--after is for --stop-when");
	refuse(WAKEUP " --after 1", "--after 1: not a time");
	refuse("--overwrite --max-size 1M " WAKEUP, ": one of them");
	refuse("-e testing:tick -R traceoff " WAKEUP, "a trigger that switches recording: one of");
	check_run(2, "unrecognized option '--stop-when'", "$TRING start " WAKEUP);
}

/* These are known when the instance is set up. */
static void check_refused(void)
{
	char *filter = make_path("%s/tring/events/sched/sched_switch", dir);

	play = play_wakeup;
	check_has(record(make_path(FREE, "pd"), 1, 0, 0),
		  "tring: pd: sched:sched_waking has no such field; it has ");
	check_has(record(make_path(FREE, "pid=prev_comm"), 1, 0, 0),
		  "one is a text, the other one a number");
	free(output_of(0, "mkdir -p %s", filter));
	write_text(make_path("%s/filter", filter), "next_prio < 5\n");
	check_has(record(WAKEUP, 1, 0, 0),
		  "sched:sched_switch is recorded with a filter; what it leaves out would not be");
	check_has(record(TASK_1, 1, 0, 0), "sched:sched_switch is recorded with a filter");
	free(output_of(0, "rm %s/filter", filter));
	/* begin and end may be of tasks that are left out */
	write_text(make_path("%s/tring/set_event_pid", dir), "100\n");
	check_has(record(WAKEUP, 1, 0, 0),
		  "'latency wakeup > 50ms': some tasks are not recorded, so no such time");
	free(output_of(0, "rm %s/tring/set_event_pid", dir));
	CHECK(access(make_path("%s/metadata", trace), F_OK));
}

/* What a killed one has left goes. */
static void check_leftover(void)
{
	/* no process has this pid */
	char *left = make_path("%s/tring/instances/tring-stop-2000000000", dir);
	char *second = make_path("%s-1", left);

	CHECK(!syscall(SYS_mkdir, left, 0755) && !syscall(SYS_mkdir, second, 0755));
	make_ring(left);
	make_ring(second);
	play = play_wakeup;
	record(WAKEUP, 0, AT(0, 500), 0);
}

int main(void)
{
	dir = make_path("%s/tracing", temp_dir());
	trace = make_path("%s/trace", temp_dir());
	top_make(make_path("%s/formats", temp_dir()), false);
	make_tracefs(dir);
	check_run(0, "", "cp -r %s/formats/tring/events %s", temp_dir(), dir);
	write_text(make_path("%s/tring/available_events", dir), AVAILABLE);
	CHECK(!syscall(SYS_mkdir, make_path("%s/tring/instances", dir), 0755));
	check_refused();
	check_met();
	check_event();
	check_unknown();
	check_command();
	check_leftover();
	check_errors();
	return 0;
}
