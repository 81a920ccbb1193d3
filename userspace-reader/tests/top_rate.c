// SPDX-License-Identifier: GPL-2.0
/* Description: "tring top rate" has intervals up to the last event, and none behind it. */
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

int main(void)
{
	char *dir = make_path("%s/trace", temp_dir()), *output;

	make(dir);
	output = output_of(0, "$TRING top rate %s | tail -n 2 | tr -s ' ' | cut -c1-27", dir);
	check_equal(output, " 1.000058000 0 0.0 0 0\n 1.000060000 1 1000000.0 65\n",
		    "the last intervals");
	return 0;
}
