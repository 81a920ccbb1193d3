// SPDX-License-Identifier: GPL-2.0
/* Description: record reports why it cannot go on, and restores the settings. */
#include <unistd.h>

#include "fake_kernel.h"
#include "helpers.h"

static char *dir, *trace;

static void check(const char *options, int status, const char *said)
{
	char *command = make_path("$TRING record -o %s -s 0.1 %s", trace,
				  options), *output;

	CHECK_EQ(run(command, &output), status);
	if (!strstr(output, said))
		fail(output, 0, said);
	free(output);
	free(command);
}

int main(void)
{
	char *path;

	dir = make_path("%s/tracing", temp_dir());
	trace = make_path("%s/trace", temp_dir());
	CHECK(!setenv("TRING_TRACING_DIR", "/nonexistent", 1));
	check("-e testing:tick", 1, "is the tring module loaded");
	make_tracefs(dir);
	check("-e", 2, "tring record: option requires an argument -- 'e'");
	check("-b x", 2, "bad value for -b");
	check("-b 0", 2, "bad value for -b");
	check("-s -1", 2, "bad value for -s");
	check("-e '!sched'", 2, "bad value for -e");
	check("-e testing:missing", 1, "testing/missing/format: No such file");
	check_control(dir, "set_event",
		      "sched:sched_switch");

	/* recording was on before, and is on afterwards */
	path = make_path("%s/tring/tracing_on", dir);
	write_text(path, "1\n");
	free(path);
	path = make_path("%s/tring/options/overwrite", dir);
	CHECK(!unlink(path));
	check("-e testing:tick -C tsc -b 99 --overwrite", 1,
	      "options/overwrite: No such file");
	check_control(dir, "tracing_on", "1");
	check_control(dir, "trace_clock", "mono");
	check_control(dir, "buffer_size_kb", "1408");
	/* what the ring contains is not dropped because of an error */
	check("--help", 0, "usage");
	check_control(dir, "trace", "");
	free(path);
	free(trace);
	free(dir);
	return 0;
}
