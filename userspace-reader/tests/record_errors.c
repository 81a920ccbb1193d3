// SPDX-License-Identifier: GPL-2.0
/* Description: record reports why it cannot go on, and restores the settings. */
#include <unistd.h>

#include "fake_kernel.h"
#include "helpers.h"
#include "util/util.h"

static char *dir, *trace;

static void check(const char *options, int status, const char *said)
{
	check_run(status, said, "$TRING record -o %s -s 0.1 %s", trace, options);
}

static void check_sizes(void)
{
	static const char * const bad[] = {
		"x", "0", "-1", "0M", "M", "4MB", "'4 M'", "4.5M", "''", "1T",
		"99999999999999999999", "18014398509481984", "17179869184G",
	};
	uint64_t kb;
	size_t i;

	for (i = 0; i < COUNT(bad); i++) {
		char *option = make_path("-b %s", bad[i]);

		check(option, 2, ": not a size; 4M, 64K or a number of KiB is one");
	}
	CHECK(tring_parse_size("1408", &kb));
	CHECK_EQ(kb, 1408);
	CHECK(tring_parse_size("64K", &kb));
	CHECK_EQ(kb, 64);
	CHECK(tring_parse_size("4m", &kb));
	CHECK_EQ(kb, 4096);
	CHECK(tring_parse_size("17179869183G", &kb));
	CHECK_EQ(kb, 17179869183ull << 20);
}

int main(void)
{
	dir = make_path("%s/tracing", temp_dir());
	trace = make_path("%s/trace", temp_dir());
	CHECK(!setenv("TRING_TRACING_DIR", "/nonexistent", 1));
	check("-e testing:tick", 1, "loads the module");
	make_tracefs(dir);
	check("-e", 2, "tring record: option requires an argument -- 'e'");
	check_sizes();
	check("-s -1", 2, "tring record: -s -1: not a time");
	check("-s 1s", 2, "tring record: -s 1s: not a time");
	check("--save-every 0", 2, "tring record: --save-every 0: not a time");
	check("--save-every 1e-10", 2, "tring record: --save-every 1e-10: not a time");
	check("--save-every 1m", 2, "tring record: --save-every 1m: not a time");
	check("-P 1,x", 2, "-P 1,x: \"x\" is not a pid");
	check("-P ''", 2, "-P : \"\" is not a pid");
	check("-P 4294967297", 2, "-P 4294967297: \"4294967297\" is not a pid");
	check("-P 2147483647", 2, "-P 2147483647: no such task");
	check("-M 0x3", 2, "-M 0x3: not a mask of CPUs");
	check("-M 0,0", 2, "-M 0,0: not a mask of CPUs");
	check("-F -s 1", 2, "-F: there is no COMMAND");
	check("-c -- true", 2, "-c: whose children? -P or -F says it");
	check("-e '!sched'", 2, "-e !sched: an event cannot be excluded");
	check("-e sched,,irq", 2, "-e sched,,irq: a name is missing");
	check("-e ''", 2, "-e : a name is missing");
	check("-- true", 2, "-s and COMMAND: COMMAND ends the recording");
	check("--split 60s --split 10X", 2, "--split 10X: neither a size nor a time");
	check("--split 0.1ns", 2, "--split 0.1ns: neither a size nor a time");
	check("-p function --max-graph-depth 2", 2, "--max-graph-depth is for -p function_graph");
	check("-e testing:tick -R ' !traceoff'", 2, "-R !traceoff: triggers go at the end");
	check("-e testing:missing", 1, "testing/missing/format: No such file");
	check_control(dir, "set_event", "sched:sched_switch\n");

	/* recording was on before, and is on afterwards */
	write_text(make_path("%s/tring/tracing_on", dir), "1\n");
	CHECK(!unlink(make_path("%s/tring/options/overwrite", dir)));
	check("-e testing:tick -C tsc -b 99 --overwrite", 1,
	      "--overwrite: the kernel refuses it");
	check_control(dir, "tracing_on", "1");
	/* a change of the clock would drop the ring's content, so it comes last */
	check_control(dir, "trace_clock", "[mono] tsc boot tai\n");
	check_control(dir, "buffer_size_kb", "1408\n");
	/* what the ring contains is not dropped because of an error */
	check("--help", 0, "usage");
	check_control(dir, "trace", "");
	/* a CPU takes several files, and a shell allows few */
	check_run(0, "", "(ulimit -Sn 14; $TRING record -q -o %s -s 0.1 -e testing:tick)", trace);
	return 0;
}
