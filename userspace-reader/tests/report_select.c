// SPDX-License-Identifier: GPL-2.0
/* Description: report prints the events that were selected, with all losses among them. */
#include "helpers.h"

static struct builder builder;
static char *dir;

/* Each event is US microseconds behind second 1. */
#define AT(us)	(1000000000 + (us) * 1000)

static void tick(unsigned int us, int32_t pid)
{
	build_record(&builder, AT(us), 342, pid, 16);
}

static void begin(unsigned int us, unsigned int missing, unsigned int discarded)
{
	builder.seq += missing;
	builder.discarded = discarded;
	build_begin(&builder, AT(us));
}

/* CPU 0: 3 events are refused behind the first packet, 1000 overwritten, 4 lost at the end. */
static void make_zero(void)
{
	unsigned int us;

	build_init(&builder, false, 0);
	begin(1, 0, 3);
	for (us = 1; us <= 3; us++)
		tick(us, 100);
	build_end(&builder);
	begin(10, 0, 3);
	for (us = 10; us <= 12; us++)
		tick(us, 100);
	build_end(&builder);
	begin(20, 2, 1003);
	tick(20, 100);
	tick(22, 100);
	build_end(&builder);
	build_write(&builder, dir);
	write_extra(dir, "cpu0.start", "read: 0\n");
	write_extra(dir, "cpu0.end", "read: 8\noverwritten: 1000\nrefused_no_room: 7\n");
}

/* CPU 1 tells the name of task 4242. */
static void make_one(void)
{
	uint8_t *payload;

	build_init(&builder, false, 1);
	begin(2, 0, 0);
	tick(2, 101);
	payload = build_record(&builder, AT(5), 319, 101, 64);
	strcpy((char *)payload + 8, "one");
	put_u32(payload + 24, 101, false);
	strcpy((char *)payload + 40, "late");
	put_u32(payload + 56, 4242, false);
	tick(6, 4242);
	tick(21, 4242);
	build_end(&builder);
	build_write(&builder, dir);
	write_extra(dir, "cpu1.start", "read: 0\n");
	write_extra(dir, "cpu1.end", "read: 4\n");
}

static char *run_report(const char *options, const char *more, int status)
{
	return output_of(status, "$TRING report %s %s %s", options, dir, more);
}

/* @wanted: lines, of an event the task and the microseconds, of any other line the start */
static void check(const char *options, const char *wanted)
{
	static const char line[] = "^ *([^ ]+) +\\[[0-9]+\\] [^ ]+ +1\\.0000([0-9]+): .*";
	char *shorten = make_path("2>/dev/null | sed -E 's/%s/\\1 \\2/'", line);

	check_equal(run_report(options, shorten, 0), wanted, options);
}

static void check_said(const char *options, int status, const char *said)
{
	char *output = run_report(options, ">/dev/null", status);

	if (*said ? !strstr(output, said) : *output)
		fail(output, 0, options);
}

#define LOST_ALL "CPU:0 [LOST 1007 EVENTS]\nCPU:0 [2 PACKETS MISSING]\n"

static void check_parts(void)
{
	check("", "zero-100 01\nzero-100 02\none-101 02\nzero-100 03\none-101 05\nlate-4242 06\n"
	      "CPU:0 [LOST 3 EVENTS]\nzero-100 10\nzero-100 11\nzero-100 12\n"
	      "CPU:0 [LOST 1000 EVENTS]\nCPU:0 [2 PACKETS MISSING]\nzero-100 20\n"
	      "late-4242 21\nzero-100 22\nCPU:0 [LOST 4 EVENTS]\n");
	/* nothing was lost on this CPU */
	check("--cpu 1", "one-101 02\none-101 05\nlate-4242 06\nlate-4242 21\n");
	check("-c 0-1 -c 1 -P 4242,7", "late-4242 06\nlate-4242 21\n" LOST_ALL);
	/* as pidof prints it */
	check("-c 1 -P '7 4242' -P 8-9", "late-4242 06\nlate-4242 21\n");
	check("-P 4200-4300 --cpu=0", LOST_ALL);
	check("--event sched", "one-101 05\n" LOST_ALL);
	check("-e nothing,sched:*switch", "one-101 05\n" LOST_ALL);
	check("-e 'tic?' --pid 101", "one-101 02\n" LOST_ALL);
	/* the name is that of the line */
	check("--comm 'l*,none'", "late-4242 06\nlate-4242 21\n" LOST_ALL);
	check("--comm one", "one-101 02\none-101 05\n" LOST_ALL);
	check("-F 'sched_switch: next_pid == 4242 && next_comm ~ \"la*\"'",
	      "one-101 05\n" LOST_ALL);
	/* one of the conditions has to be met, and what the other options ask for */
	check("-F 'tick: CPU == 1 && COMM == \"late\"' -F sched_switch -P 4242",
	      "late-4242 06\nlate-4242 21\n" LOST_ALL);
	check("-F 'sched,tick: CPU == 1' -e sched", "one-101 05\n" LOST_ALL);
	/* a loss stands before the next event of its CPU */
	check("--comm zero --from 1.000003", "zero-100 03\nCPU:0 [LOST 3 EVENTS]\nzero-100 10\n"
	      "zero-100 11\nzero-100 12\nCPU:0 [LOST 1000 EVENTS]\nCPU:0 [2 PACKETS MISSING]\n"
	      "zero-100 20\nzero-100 22\nCPU:0 [LOST 4 EVENTS]\n");
}

static void check_times(void)
{
	static const char middle[] = "CPU:0 [LOST 3 EVENTS]\nzero-100 10\nzero-100 11\n"
		"zero-100 12\nCPU:0 [LOST 1000 EVENTS]\nCPU:0 [2 PACKETS MISSING]\n";
	static const char end[] = "CPU:0 [LOST 1000 EVENTS]\nCPU:0 [2 PACKETS MISSING]\n"
		"zero-100 20\nlate-4242 21\nzero-100 22\nCPU:0 [LOST 4 EVENTS]\n";

	/* what was lost at an unknown time, which may be in the range, is told */
	check("--from 1.000010 --to 1.000012", middle);
	check("--from +0.000009 --to +0.000011", middle);
	check("--from 1.000010 --to 1.000012999", middle);
	check("--from 1.000007 --to 1.000008", "CPU:0 [LOST 3 EVENTS]\n");
	/* what was lost outside is not */
	check("--from 1.000011 --to 1.000011", "zero-100 11\n");
	check("--to 1.000002", "zero-100 01\nzero-100 02\none-101 02\n");
	check("--from 1.000013", end);
	check("--from -0.000002 --to 1.000012", middle);
	check("--to +0.000011 --from -0.000002", middle);
	check("--from -0.000002 --to 22:13:21.000012", middle);
	check("--from -0.000002 --to '2023-11-14 22:13:21.000012'", middle);
	check("--from -5 --to 1.000002", "zero-100 01\nzero-100 02\none-101 02\n");
	check("--from 22:13:21.000013", end);
	check("--from '2023-11-14 22:13:21.000013' --to 23:00:00", end);
	check("--from 2023-11-14T22:13:21.000013", end);
	check("--from 2 --cpu 1", "");
}

static void check_messages(void)
{
	static const char * const bad[] = {
		"--from 1.0.0", "--from x", "--from ''", "--from +", "--from +.5", "--from 1.",
		"--to 25:00:00", "--to 2023-11-14", "--to '2023-02-29 00:00:00'",
		"--from 99999999999999999999", "--from 1.0000000001", "--to -1", "--from -",
		"--cpu ''", "--cpu 1,", "--cpu 3-1", "--pid -1", "--pid 2147483648",
		"--comm a,,b", "-e ,",
	};
	size_t i;

	for (i = 0; i < COUNT(bad); i++)
		check_said(bad[i], 2, "tring report: bad value for --");
	check_said("--cpu 0,3-4", 1, "--cpu 3: the trace has no such CPU");
	check_said("-e sched_swich", 1,
		   "--event sched_swich: the trace has no such event");
	check_said("-F 'sched_switch: prev_pri < 100'", 1,
		   "tring report: -F: the event has no such field:\n"
		   "  sched_switch: prev_pri < 100\n"
		   "                ^\n");
	check_said("--from 2 --to 1", 1, "--to is earlier than --from");
	check_said("--from -1", 1, "is a time before --to, which is missing");
	check_said("--to '2023-11-13 22:13:22'", 1, "than --from, or than the clock's zero");
	check_said("--cpu 0", 0, "");
	check_said("-e sched", 0,
		   "1007 events were lost; how many of them belong here is unknown");
	check_said("--pid 7", 0, "no event was selected");
}

/* Packets outside of the range are not read, and whether they are all there is not checked. */
static void check_headers_only(void)
{
	unsigned int us;

	build_init(&builder, false, 0);
	for (us = 10; us < 50; us += 10) {
		begin(us, 0, 0);
		tick(us, 100);
		tick(us + 1, 100);
		build_end(&builder);
		/* a short type that the packet does not have */
		if (us != 20)
			builder.bytes[builder.start + TRING_PACKET_HEADER_SIZE] = 4;
	}
	build_write(&builder, dir);
	check_said("", 1, "cpu0: offset 0x70: ");
	check_said("--from 1.000010", 1, "cpu0: offset 0x70: ");
	check_said("--from 1.000020 --to 1.000021", 0, "");
	check("--from 1.000020 --to 1.000021 --cpu 0", "zero-100 20\nzero-100 21\n");
}

int main(void)
{
	dir = make_path("%s/trace", temp_dir());
	make_trace(dir, false);
	make_zero();
	make_one();
	check_parts();
	check_times();
	check_messages();
	check_headers_only();
	return 0;
}
