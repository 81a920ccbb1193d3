// SPDX-License-Identifier: GPL-2.0
/* Description: record --compress: the same trace, in parts, on a full disk, and after a kill. */
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "fake_kernel.h"
#include "helpers.h"

#define PACKETS		80
#define EVENTS		22
#define ALL_EVENTS	(FAKE_CPUS * PACKETS * EVENTS)

static struct builder streams[FAKE_CPUS];
static unsigned int events[FAKE_CPUS];
static char *dir, *trace;

static void make_streams(void)
{
	unsigned int cpu, i;

	for (cpu = 0; cpu < FAKE_CPUS; cpu++) {
		build_init(&streams[cpu], false, cpu);
		for (i = 0; i < PACKETS; i++)
			build_packet(&streams[cpu], 1000 * (i + 1), EVENTS);
		events[cpu] = PACKETS * EVENTS;
	}
}

/* @before: what precedes the program; @status: -1 for any */
static char *record(const char *before, const char *options, int status, const char *said)
{
	char *command = make_path("%s $TRING record -e testing:tick -o %s %s", before, trace,
				  options);
	struct fake_kernel kernel;
	char *output;
	int ended;

	start_kernel_with(&kernel, dir, streams, events);
	ended = run(command, &output);
	end_kernel(&kernel);
	if ((status >= 0 && ended != status) || !strstr(output, said)) {
		fprintf(stderr, "%s: status %d, printed:\n%s", command, ended, output);
		fail(said, status, "this was wanted");
	}
	return output;
}

/* Records all that the kernel delivers. */
static char *record_all(const char *options, const char *said)
{
	return record("", make_path("%s" UNTIL_FED, options, dir), 0, said);
}

static void run_well(const char *command)
{
	run_here(command, 0);
}

static void check_whole(void)
{
	char *output = record_all("", "balance: every accepted event");

	CHECK(!strstr(output, "compressed"));
	run_well("rm -rf plain && mv trace plain");
	record_all("--compress", "compressed to ");
	run_well("test -e trace/cpu0.zst -a -e trace/cpu1.zst -a ! -e trace/cpu0");
	run_well("test $(stat -c %s trace/cpu0.zst) -lt $(($(stat -c %s plain/cpu0) / 3))");
	run_well("for d in plain trace; do $TRING report $d >$d.text; done; cmp *.text");
	run_well("$TRING dump trace/cpu1.zst >/dev/null");
	/* other levels; a trace that is not compressed replaces it, and it replaces that */
	record_all("--compress=-5", "compressed to ");
	run_well("$TRING report trace | cmp - plain.text");
	record_all("", "balance: every accepted event");
	run_well("test ! -e trace/cpu0.zst && $TRING report trace | cmp - plain.text");
	record_all("--compress=19", "compressed to ");
	run_well("test ! -e trace/cpu0 && $TRING report trace | cmp - plain.text");
}

static void check_program(void)
{
	if (have("zstd && command -v babeltrace2")) {
		run_well("rm -rf copy && cp -r trace copy && zstd -q -d --rm copy/cpu*.zst");
		run_well("$TRING report copy | cmp - plain.text");
		run_well("babeltrace2 copy >/dev/null");
	}
}

/* Packets that hardly become smaller. */
static void make_noise(void)
{
	struct builder *builder = &streams[0];
	unsigned int i, j, byte;

	build_init(builder, false, 0);
	for (i = 0; i < 60; i++) {
		build_begin(builder, 1000 * (i + 1));
		for (j = 0; j < 65; j++) {
			uint8_t *payload = build_record(builder, 1000 * (i + 1) + j, 342, 100, 16);

			for (byte = TRING_PAYLOAD_HEAD; byte < 16; byte++)
				payload[byte] = rand();
		}
		build_end(builder);
	}
	events[0] = 60 * 65;
}

/* The counters do not know when a part ended. */
static void check_parts(void)
{
	static const char until[] = "-- sh -c '" SHELL_UNTIL "; cat %s.fed'";
	char *there = make_path("test -e %s/000003", trace), *loop = make_path(until, there, dir);

	record("", make_path("--compress --split 0.2s %s", loop), -1, " parts, ");
	run_well("ls trace/*/cpu0.zst");
	CHECK_EQ(count_of("$TRING report %s 2>/dev/null | grep -c ' tick: .*value=0'",
			  trace), ALL_EVENTS);
	/* more than a part, however few frames it is in */
	make_noise();
	loop = make_path(until, make_path("test \"$(ls %s | tail -n 1)\" -gt 1", trace), dir);
	record("", make_path("--compress --max-size 64K --split 1K %s", loop), -1, " parts, ");
	make_streams();
}

/* The size limit of 80 blocks of 512 bytes tears a frame, of which a part is tried again. */
static void check_full_disk(void)
{
	char *output;

	make_noise();
	output = record("ulimit -f 80;", "--compress=-100 -s 3600", 1,
			"/cpu0.zst: File too large");
	CHECK(strstr(output, " recorded events are not in the trace"));
	check_control(dir, "tracing_on", "0");
	run_well("test $(stat -c %s trace/cpu0.zst) -gt 10000");
	run_well("$TRING report trace >text 2>said; test $? = 1 -a $(grep -c tick: text) -gt 500");
	run_well("grep ' recorded events are missing' said; ! grep -e torn -e offset said");
	run_well("grep 'CPU:0 .LOST ' text");
	make_streams();
}

/* All but a torn frame can be read, whenever the recorder is killed. */
static void check_killed(void)
{
	struct timespec wait = { .tv_nsec = 0 };
	char *file = make_path("%s/cpu0.zst", trace);
	struct fake_kernel kernel;
	unsigned int tries;
	int status;
	pid_t pid;

	for (tries = 0; tries < 6; tries++) {
		run_well("rm -rf trace");
		start_kernel_with(&kernel, dir, streams, events);
		pid = start_tring("/dev/null", "record -e testing:tick --compress -o %s", trace);
		wait_for_path(file);
		wait.tv_nsec = tries * 7000000;
		nanosleep(&wait, NULL);	/* time: the kill comes at any moment */
		CHECK(!kill(pid, SIGKILL));
		CHECK_EQ(waitpid(pid, &status, 0), pid);
		end_kernel(&kernel);
		run_well("! $TRING report trace >text 2>said");
		run_well("! grep -v -e 'the recording has no end' -e 'last frame is torn' said");
		check_run(0, "", "$TRING reset");
	}
}

static void check_wrong(const char *command, const char *said)
{
	check_run(2, said, "%s", command);
}

int main(void)
{
	dir = make_path("%s/tracing", temp_dir());
	trace = make_path("%s/trace", temp_dir());
	make_streams();
	make_tracefs(dir);
	check_whole();
	check_program();
	check_parts();
	check_full_disk();
	check_killed();
	check_wrong("$TRING record --compress=0 -s 1", "--compress=0: not a level of zstd: 1 to");
	check_wrong("$TRING record --compress=20 -s 1", "--compress=20: not a level");
	check_wrong("$TRING record --compress=fast -s 1", "--compress=fast: not a level");
	check_wrong("$TRING snapshot --compress=-", "--compress=-: not a level");
	check_wrong("$TRING start --compress", "unrecognized option '--compress'");
	return 0;
}
