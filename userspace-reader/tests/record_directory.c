// SPDX-License-Identifier: GPL-2.0
/* Description: record replaces an old trace, but no other directory. */
#include <sys/stat.h>
#include <unistd.h>

#include "fake_kernel.h"
#include "helpers.h"

static char *dir, *trace;

static int record(const char *said)
{
	struct fake_kernel kernel = { .dir = dir };
	char *command = make_path("$TRING record -e testing:tick -o %s -s 0.1",
				  trace), *output;
	int status;

	start_kernel(&kernel);
	status = run(command, &output);
	end_kernel(&kernel);
	wants(output, said);
	return status;
}

int main(void)
{
	char *old, *precious;

	dir = make_path("%s/tracing", temp_dir());
	trace = make_path("%s/trace", temp_dir());
	old = make_path("%s/cpu77", trace);
	precious = make_path("%s/precious", trace);
	make_tracefs(dir);

	CHECK(!mkdir(trace, 0755));
	CHECK_EQ(record("trace in"), 0);
	write_text(old, "old packets");
	CHECK_EQ(record("trace in"), 0);
	CHECK(access(old, F_OK));

	/* with a foreign file in the directory nothing is removed */
	write_text(old, "old packets");
	write_text(precious, "data");
	CHECK_EQ(record("it has \"precious\""), 1);
	CHECK(!access(old, F_OK));
	CHECK(!access(precious, F_OK));
	check_control(dir, "set_event", "sched:sched_switch\n");

	trace = make_path("%s/other", temp_dir());
	precious = make_path("%s/cpu0", trace);
	write_text(precious, "looks like a trace, but without trace_info");
	CHECK_EQ(record("which is not of a trace of tring"), 1);
	CHECK(!access(precious, F_OK));
	return 0;
}
