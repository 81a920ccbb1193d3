// SPDX-License-Identifier: GPL-2.0
/* Description: record saves short_ids as of its end, and reports contradictions. */
#include <unistd.h>

#include "fake_kernel.h"
#include "helpers.h"

#define PRINT		"1 5 ftrace:print -\n"
#define TICK		"3 342 testing:tick 8\n"
#define DYN		"5 345 testing:dyn_sizes -\n"

static char *dir, *trace, *file;
static struct builder zero;

/* Builds ticks and an event that gets its short id during the recording. */
static void build(bool order)
{
	uint8_t *payload;

	build_init(&zero, order, 0);
	build_begin(&zero, 1000);
	payload = build_record(&zero, 1000, 342, 1, 16);
	put_u64(payload + 8, 11, order);
	payload = build_record(&zero, 1001, 345, 1, 44 + 6);
	put_u32(payload + 12, 6 << 16 | 44, order);
	memcpy(payload + 44, "hello", 6);
	build_end(&zero);
}

/* @before: short_ids at the beginning of the recording; @after: at its end */
static void record(const char *before, const char *after, int status,
		   const char *said)
{
	struct fake_kernel kernel = {
		.dir = dir, .bytes = { zero.bytes }, .size = { zero.size },
		.stats = { balanced_stats(2, 0) }, .short_ids = after,
	};
	char *stats = make_path("%s/tring/per_cpu/cpu0/stats", dir);
	char *command, *output;

	output = balanced_stats(0, 0);
	write_text(stats, output);
	write_text(file, before);
	command = make_path("$TRING record -e testing:tick -o %s" UNTIL_FED, trace, dir);
	start_kernel(&kernel);
	if (run(command, &output) != status || !strstr(output, said))
		fail(output, status, said);
	end_kernel(&kernel);
}

static void check_text(const char *name, const char *wanted, bool there)
{
	char *path = make_path("%s/%s", trace, name), *text = read_file(path);

	if (!strstr(text, wanted) == there)
		fail(text, there, wanted);
}

static void check_report(int status, const char *wanted)
{
	check_run(status, wanted, "$TRING report %s", trace);
}

static void check_added(void)
{
	record(PRINT TICK, PRINT TICK DYN "6 9999 not:met 12\n", 0, "trace in");
	check_text("tring/short_ids", DYN, true);
	check_text("metadata", "name = \"tick\";\n\tid = 3;", true);
	check_text("metadata", "name = \"tick\";\n\tid = 374;", true);
	check_text("metadata", "name = \"dyn_sizes\";\n\tid = 5;", true);
	check_text("metadata", "name = \"dyn_sizes\";\n\tid = 377;", true);
	/* an event that was not recorded has no format and is not declared */
	check_text("metadata", "id = 6;", false);
	/* no thread writes a format again while its ring fills */
	check_run(1, "", "test %s/tring/events/testing/tick/format -nt %s/tring/cpu0.start", trace,
		  trace);
	check_report(0, "value=11");
	check_report(0, "hello");
}

/* The trace of a killed recorder is readable. */
static void check_killed(void)
{
	char *enabled = make_path("%s/tring/set_event", dir);
	char *there;
	struct fake_kernel kernel = {
		.dir = dir, .bytes = { zero.bytes }, .size = { zero.size },
		.short_ids = PRINT TICK DYN,
	};

	write_text(enabled, "testing:tick\ntesting:dyn_sizes\n");
	write_text(file, PRINT TICK);
	/* killed as soon as a packet is in the file */
	there = make_path("test -s %s/cpu0", trace);
	start_kernel(&kernel);
	check_run(128 + 9, "", "rm -r %s; $TRING record -o %s & " SHELL_UNTIL "; %s", trace, trace,
		  there, "kill -9 $!; wait $!");
	end_kernel(&kernel);
	check_text("tring/short_ids", "5 345 testing:dyn_sizes -", true);
	check_text("metadata", "name = \"dyn_sizes\";\n\tid = 5;", true);
	check_report(1, "value=11");
	check_report(1, "hello");
	check_report(1, "the recording has no end");
}

static void check_refusals(void)
{
	char *path = make_path("%s/tring/short_ids", trace);

	write_extra(trace, "short_ids", PRINT "2 0 a:b 4\n");
	check_report(1, "tring/short_ids:2: not an id of an event");
	write_extra(trace, "short_ids", PRINT DYN "3 342 testing:tick 12\n");
	check_report(1, "tick have another length than its format says");
	check_report(1, "value=11");
	CHECK(!unlink(path));
	check_report(1, "tring/short_ids: No such file");
	write_extra(trace, "trace_info", "format_version=1\n"
		    "uuid=00010203-0405-0607-0809-0a0b0c0d0e0f\n"
		    "byte_order=le\nclock=mono\nclock_frequency=1000000000\n"
		    "clock_offset=0\n");
	check_report(1, "format version 1 is older than any release");
}

int main(void)
{
	dir = make_path("%s/tracing", temp_dir());
	trace = make_path("%s/trace", temp_dir());
	file = make_path("%s/tring/short_ids", dir);
	make_tracefs(dir);
	build(false);

	check_added();
	record(PRINT TICK, PRINT TICK, 1,
	       "records of type 5 were recorded, but short_ids has no event for it");
	record(PRINT TICK, PRINT DYN, 1,
	       "short_ids: type 3 is no longer that of event id 342");
	record(PRINT TICK, PRINT TICK "5 345\n", 1,
	       "short_ids:3: fewer than four words");
	record(PRINT TICK, PRINT TICK "5 345 testing:dyn_sizes 4\n", 1,
	       "short_ids: the fields of testing:dyn_sizes have another length than its format says");
	record("", PRINT TICK DYN, 0, "trace in");
	check_refusals();
	check_control(dir, "buffer_percent", "0");
	check_killed();
	return 0;
}
