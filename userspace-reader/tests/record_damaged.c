// SPDX-License-Identifier: GPL-2.0
/* Description: record writes only whole packets and reports skipped bytes. */
#include "fake_kernel.h"
#include "helpers.h"

static struct builder zero, one;

static void check_dump(const char *trace, int cpu, int status)
{
	check_run(status, "", "$TRING dump %s/cpu%d >/dev/null", trace, cpu);
}

int main(void)
{
	char *dir = make_path("%s/tracing", temp_dir());
	char *trace = make_path("%s/trace", temp_dir());
	char *output;
	struct fake_kernel kernel = { .dir = dir };

	/* good packets, an empty packet, garbage, and half of a packet */
	build_init(&zero, false, 0);
	build_packet(&zero, 1000, 5);
	build_packet(&zero, 2000, 0);
	build_packet(&zero, 3000, 5);
	memset(zero.bytes + zero.size, 'x', 500);
	zero.size += 500;
	build_packet(&zero, 4000, 5);
	build_packet(&zero, 5000, 5);
	build_init(&one, false, 1);
	build_packet(&one, 1000, 5);
	build_packet(&one, 2000, 50);

	make_tracefs(dir);
	kernel.bytes[0] = zero.bytes;
	kernel.size[0] = zero.size;
	kernel.stats[0] = balanced_stats(20, 0);
	kernel.bytes[1] = one.bytes;
	kernel.size[1] = one.size - 10;
	kernel.stats[1] = balanced_stats(55, 0);
	start_kernel(&kernel);
	output = output_of(1, "$TRING record -e testing:tick -o %s" UNTIL_FED, trace, dir);
	end_kernel(&kernel);
	CHECK(strstr(output, "packet without a record"));
	CHECK(strstr(output, "no packet magic"));
	CHECK(strstr(output, "of a torn packet"));
	CHECK(strstr(output, "cpu1 does not balance: the ring gave 55 events"));

	check_run(1, "/cpu1: 50 of 55 recorded events are missing\n",
		  "$TRING report %s 2>&1 >/dev/null", trace);
	CHECK_EQ(count_of("$TRING report %s 2>/dev/null | grep -c value=0", trace), 25);
	check_dump(trace, 0, 0);
	/* 5 events are missing */
	check_dump(trace, 1, 1);
	return 0;
}
