// SPDX-License-Identifier: GPL-2.0
/* Description: record exits with its command's status, unless recording itself failed. */
#include <string.h>
#include <unistd.h>

#include "fake_kernel.h"
#include "helpers.h"

static char *dir, *trace, *until_fed;

/* @command: NULL for one that ends when the kernel has delivered all */
static int record(const char *command, uint64_t read, const char *said)
{
	struct fake_kernel kernel = { .dir = dir };
	char *line = make_path("$TRING record -e testing:tick -o %s%s%s", trace,
			       command ? " -- " : until_fed, command ? command : ""), *output;
	int status;

	kernel.stats[0] = balanced_stats(read, 0);
	start_kernel(&kernel);
	status = run(line, &output);
	end_kernel(&kernel);
	wants(output, said);
	if (strstr(output, "does not balance") && !strstr(said, "does not balance"))
		fail(output, 0, said);
	check_control(dir, "tracing_on", "0");
	return status;
}

int main(void)
{
	char *command;

	dir = make_path("%s/tracing", temp_dir());
	trace = make_path("%s/trace", temp_dir());
	until_fed = make_path(UNTIL_FED, dir);
	make_tracefs(dir);
	CHECK_EQ(record(NULL, 0, "no event was recorded"), 0);
	CHECK_EQ(record("sh -c 'echo was here; exit 7'", 0, "was here"), 7);
	CHECK_EQ(record("sh -c 'kill -9 $$'", 0, "CPU"), 137);
	/* as a pipe without a reader ends it */
	CHECK_EQ(record("sh -c 'kill -PIPE $$'", 0, "CPU"), 141);
	CHECK_EQ(record("/nonexistent/command", 0, "/nonexistent/command: No"),
		 127);
	/* the table has the counters of all CPUs, though those of one cannot be saved */
	command = make_path("mkdir %s/tring/cpu0.end", trace);
	CHECK_EQ(record(command, 0, "trace/tring/cpu0.end: "), 1);
	CHECK(!rmdir(command + strlen("mkdir ")));
	free(command);
	/* the ring counts packets as read that the recorder did not get */
	CHECK_EQ(record(NULL, 100, "does not balance: the ring gave 100 events"), 1);
	return 0;
}
