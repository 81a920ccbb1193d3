// SPDX-License-Identifier: GPL-2.0
/* Description: record -q prints losses and errors only, -v also what is changed in the kernel. */
#include "fake_kernel.h"
#include "helpers.h"

static struct builder zero;
static char *dir;

/* Return: all that record prints. */
static char *record(const char *options, unsigned int lost)
{
	struct fake_kernel kernel = { .dir = dir };
	char *path = make_path("%s/tring/per_cpu/cpu0/stats", dir);
	char *clock = make_path("%s/tring/trace_clock", dir);
	char *stats = balanced_stats(0, 0), *output;

	write_text(path, stats);
	/* unlike the kernel's, this file shows what was written last */
	write_text(clock, "[mono] tsc boot tai\n");
	kernel.bytes[0] = zero.bytes;
	kernel.size[0] = zero.size;
	kernel.stats[0] = balanced_stats(5, lost);
	start_kernel(&kernel);
	output = output_of(0, "$TRING record -e testing:tick -C tsc -o %s/trace %s" UNTIL_FED,
			   temp_dir(), options, dir);
	end_kernel(&kernel);
	return output;
}

static void check(const char *options, unsigned int lost, const char *wanted)
{
	char *output = record(options, lost);

	check_equal(output, wanted, options);
}

static void check_has(const char *options, const char *value)
{
	char *output = record(options, 0);
	char *line = make_path("tring record: %s/tring/trace_clock: %s\n", dir, value);

	wants(output, line);
	CHECK(strstr(output, "balance: every accepted event"));
}

int main(void)
{
	dir = make_path("%s/tracing", temp_dir());
	make_tracefs(dir);
	build_init(&zero, false, 0);
	build_packet(&zero, 1000, 5);
	check("-q", 0, "");
	check("--quiet", 7, "tring record: 7 EVENTS WERE LOST\n");
	check_has("-v", "\"tsc\"");
	check_has("--verbose", "\"mono\" again");
	return 0;
}
