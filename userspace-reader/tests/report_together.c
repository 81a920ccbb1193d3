// SPDX-License-Identifier: GPL-2.0
/* Description: report orders the events of several traces, by wall clock or by an event. */
#include "helpers.h"

static struct builder builder;
static char *one, *two;

/* Each event is US microseconds behind second 1 of the trace's clock. */
#define AT(us)	(1000000000 + (us) * 1000)

static void write_info(const char *dir, const char *offset, const char *more)
{
	char *path = make_path("%s/tring/trace_info", dir);
	char *text = info_text(false), *at = strstr(text, "clock_offset="), *rest;

	CHECK(at);
	rest = strchr(at, '\n');
	CHECK(rest);
	*at = 0;
	write_text(path, make_path("%sclock_offset=%s%s\n%s", text, offset, rest, more));
}

/* @times: microseconds, up to 0; the last event is a sched_switch */
static void make(const char *dir, unsigned int cpu, const unsigned int *times)
{
	make_trace(dir, false);
	build_init(&builder, false, cpu);
	build_begin(&builder, AT(*times));
	for (; times[1]; times++)
		build_record(&builder, AT(*times), 342, 100 + cpu, 16);
	build_record(&builder, AT(*times), 319, 100 + cpu, 64);
	build_end(&builder);
	build_write(&builder, dir);
}

static char *run_report(const char *options, const char *more, int status)
{
	return output_of(status, "cd %s && $TRING report %s one two %s", temp_dir(), options,
			 more);
}

/* @wanted: the trace and the time of each line */
static void check(const char *options, const char *wanted)
{
	static const char line[] = "^(one|two):.*\\] [^ ]+ +([-0-9].*) (tick|sched_switch):.*";
	char *shorten = make_path("2>&1 | sed -E -e 's/%s/\\1 \\2/' -e 's/:$//'", line);

	check_equal(run_report(options, shorten, 0), wanted, options);
}

static void check_said(const char *options, int status, const char *said)
{
	char *output = run_report(options, "", status);

	wants(output, said);
}

static void check_clocks(void)
{
	/* the second trace's clock is 15 microseconds late */
	write_info(one, "1700000000000000000", "");
	write_info(two, "1700000000000015000", "");
	check("", "one 1.000010\none 1.000020\ntwo 1.000027\none 1.000030\ntwo 1.000040\n");
	check("-t --delta", "one 1.000010000: (+0.000000000)\none 1.000020000: (+0.000010000)\n"
	      "two 1.000027000: (+0.000007000)\none 1.000030000: (+0.000003000)\n"
	      "two 1.000040000: (+0.000010000)\n");
	check("--wall", "one 2023-11-14 22:13:21.000010\none 2023-11-14 22:13:21.000020\n"
	      "two 2023-11-14 22:13:21.000027\none 2023-11-14 22:13:21.000030\n"
	      "two 2023-11-14 22:13:21.000040\n");
	check("--from 1.000020 --to +0.000020", "one 1.000020\ntwo 1.000027\none 1.000030\n");
	check("--from 22:13:21.000027 --to 22:13:21.000027", "two 1.000027\n");
	check("--from 1.000030 -e sched", "one 1.000030\ntwo 1.000040\n");
	/* only one of the traces has the CPU */
	check("-c 1", "two 1.000027\ntwo 1.000040\n");
	check("-c 0 -F 'sched_switch: CPU == 0'", "one 1.000030\n");
	/* the second machine was booted earlier */
	write_info(two, "1699999998500000000", "");
	check("", "two -0.499988\ntwo -0.499975\none 1.000010\none 1.000020\none 1.000030\n");
	check("--delta", "two -0.499988: (+0.000000)\ntwo -0.499975: (+0.000013)\n"
	      "one 1.000010: (+1.499985)\none 1.000020: (+0.000010)\n"
	      "one 1.000030: (+0.000010)\n");
	check("--to 1.000010", "two -0.499988\ntwo -0.499975\none 1.000010\n");
	check("--from +1.5 --to +1.50001", "one 1.000020\n");
	/* nothing begins with a trace that has no events; its clock is shown */
	make_trace(make_path("%s/none", temp_dir()), false);
	write_info(make_path("%s/none", temp_dir()), "1600000000000000000", "");
	check_said("none --from +1.5 --to +1.50001", 1, " 100000001.000020: tick:");
}

static void check_alignment(void)
{
	check("--align sched_switch", "one 1.000010\ntwo 1.000017\none 1.000020\none 1.000030\n"
	      "two 1.000030\n");
	check("--align 'tick: CPU < 2'", "one 1.000010\ntwo 1.000010\none 1.000020\n"
	      "two 1.000023\none 1.000030\n");
	check("--align sched_switch --from 1.000020 --to 1.000030",
	      "one 1.000020\none 1.000030\ntwo 1.000030\n");
	/* of one boot and one clock, whatever the wall clock was set to meanwhile */
	write_info(one, "1700000000000000000", "boot_id=5c7f\n");
	write_info(two, "1600000000000000000", "boot_id=5c7f\n");
	check("", "one 1.000010\ntwo 1.000012\none 1.000020\ntwo 1.000025\none 1.000030\n");
	check_said("--align 'tick: CPU == 0'", 1, "--align: two: the trace has no such event");
	check_said("--align tik", 1, "--align: one: ");
	check_said("--align", 2, "--align is for several traces");
	check_said("-c 2", 1, "--cpu 2: none of the traces has such CPU");
	check_said("-e tack", 1, "--event tack: none of the traces has such event");
	check_said("--from 3", 0, "no event was selected");
	check_said("''", 1, "tring report: '': Invalid argument");
	check_said("three", 1, "three/tring/trace_info: No such file or directory");
}

static void check_json(void)
{
	char *output = run_report("--json -e sched", "", 0);
	const char *wanted[] = {
		"{\"trace\":\"tring\",\"version\":1,\"from\":\"one\",",
		"{\"trace\":\"tring\",\"version\":1,\"from\":\"two\",",
		"{\"ts\":1000025000,\"from\":\"two\",\"cpu\":1,\"pid\":101,",
		"{\"ts\":1000030000,\"from\":\"one\",\"cpu\":0,\"pid\":100,",
	};

	check_lines(output, wanted, COUNT(wanted));
	check_said("--json -t", 2, "--json has all of an event");
}

int main(void)
{
	one = make_path("%s/one", temp_dir());
	two = make_path("%s/two", temp_dir());
	make(one, 0, (const unsigned int[]){ 10, 20, 30, 0 });
	make(two, 1, (const unsigned int[]){ 12, 25, 0 });
	check_clocks();
	check_alignment();
	check_json();
	return 0;
}
