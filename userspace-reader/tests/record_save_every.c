// SPDX-License-Identifier: GPL-2.0
/* Description: record saves as often as --save-every says, and all of it at the end. */
#include "fake_kernel.h"
#include "helpers.h"

static char *dir, *trace;
static struct builder zero;

static void record(const char *options, const char *command)
{
	struct fake_kernel kernel = {
		.dir = dir, .bytes = { zero.bytes }, .size = { zero.size },
		.stats = { balanced_stats(20 * 11, 0) },
	};

	write_extra(dir, "per_cpu/cpu0/stats", balanced_stats(0, 0));
	start_kernel(&kernel);
	check_run(0, "balance: every accepted event",
		  "$TRING record -e testing:tick -o %s %s -- %s", trace, options, command);
	end_kernel(&kernel);
	CHECK_EQ(count_of("$TRING report %s | grep -c ' tick: .*value=0'", trace), 20 * 11);
}

int main(void)
{
	unsigned int i;

	dir = make_path("%s/tracing", temp_dir());
	trace = make_path("%s/trace", temp_dir());
	build_init(&zero, false, 0);
	for (i = 0; i < 20; i++)
		build_packet(&zero, 1000 * (i + 1), 11);
	make_tracefs(dir);
	/* the command ends when something was saved */
	record("--save-every 0.05", make_path("sh -c 'until [ -s %s/cpu0 ]; do :; done'", trace));
	record("--save-every 3600", make_path("cat %s.fed", dir));
	return 0;
}
