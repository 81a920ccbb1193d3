// SPDX-License-Identifier: GPL-2.0
/* Description: the metadata's env says that the clock was set during a recording. */
#include "fake_kernel.h"
#include "helpers.h"

static char *record(const char *name, const char *counters)
{
	char *dir = make_path("%s/%s.tracing", temp_dir(), name);
	char *trace = make_path("%s/%s", temp_dir(), name);
	char *balanced = balanced_stats(0, 0);
	struct fake_kernel kernel = { .dir = dir };

	make_tracefs(dir);
	kernel.stats[0] = make_path("%s%s", balanced, counters);
	start_kernel(&kernel);
	check_run(0, "", "$TRING record -q -e testing:tick -o %s" UNTIL_FED, trace, dir);
	end_kernel(&kernel);
	output_of(0, "babeltrace2 %s 2>&1", trace);
	return output_of(0, "sed -n '/^env/,/^}/p' %s/metadata", trace);
}

int main(void)
{
	char *output;

	output = record("steady", "clock_set_back: 0\nclock_set_forward: 0\n");
	CHECK(strstr(output, "tracer_name") && !strstr(output, "\tclock_set"));
	output = record("back", "clock_set_back: 3600000000000\nclock_set_forward: 0\n");
	CHECK(strstr(output, "\tclock_set_back = 3600000000000;\n"));
	CHECK(!strstr(output, "\tclock_set_forward"));
	output = record("slept", "clock_missed_ns: 12500000000\n");
	CHECK(strstr(output, "\tclock_missed_ns = 12500000000;\n"));
	output = record("unstable", "clock_set_forward: 5\nclock_unreliable: 1\n");
	CHECK(strstr(output, "\tclock_set_forward = 5;\n\tclock_unreliable = 1;\n"));
	return 0;
}
