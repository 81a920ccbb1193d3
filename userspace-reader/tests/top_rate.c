// SPDX-License-Identifier: GPL-2.0
/* Description: "tring top" divides by the time that was selected, be there events in it or not. */
#include "top_trace.h"

/* Times are microseconds behind 1 s. */
#define AT(us)	(1000000000 + (us) * 1000ull)

static struct builder builder;

/* Intervals of 1 us suffice for the first events; the last one makes them 2 us long. */
static void make(const char *dir)
{
	unsigned int us;

	top_make(dir, false);
	build_init(&builder, false, 0);
	build_begin(&builder, AT(0));
	for (us = 0; us < 50; us++)
		top_change(&builder, AT(us), us & 1 ? 100 : 0, 0, us & 1 ? 0 : 100);
	top_change(&builder, AT(61), 0, 0, 100);
	build_end(&builder);
	top_write(dir, &builder, 51, 0, 0);
}

/* Nothing happens from 50 us to 60 us, when a task waits; nor before and behind it all. */
static void check_quiet(const char *dir)
{
	static const char quiet[] = "--from 1.000050 --to 1.000060";

	check_run(0, "\"seconds\":0.000010999}\n{\"table\":\"cpu\",\"cpu\":0,\"events\":0,",
		  "$TRING top cpu --json %s %s", quiet, dir);
	check_run(0, ",\"idle-%\":100.000,", "$TRING top cpu --json %s %s", quiet, dir);
	check_run(0, "\"cpu-%\":0.000,\"waiting-s\":0.000010999,",
		  "$TRING top sched --json %s %s", quiet, dir);
	check_run(0, "{\"table\":\"rate\",\"from\":1.000050000,\"events\":0,\"events/s\":0.000,",
		  "$TRING top rate --json %s %s", quiet, dir);
	check_run(0, "0 events, 0 lost, in 0.000011 s\n", "$TRING top %s %s", quiet, dir);
	check_run(0, "0 events, 0 lost, in 0.000000 s\n", "$TRING top --from 2 %s", dir);
	check_run(0, "0 events, 0 lost, in 0.000000 s\n", "$TRING top --to 0.9 %s", dir);
}

int main(void)
{
	char *dir = make_path("%s/trace", temp_dir()), *output;

	make(dir);
	output = output_of(0, "$TRING top rate %s | tail -n 2 | tr -s ' ' | cut -c1-27", dir);
	check_equal(output, " 1.000058000 0 0.0 0 0\n 1.000060000 1 1000000.0 65\n",
		    "the last intervals");
	check_quiet(dir);
	return 0;
}
