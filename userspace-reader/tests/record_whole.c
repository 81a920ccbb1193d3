// SPDX-License-Identifier: GPL-2.0
/* Description: record writes and counts every packet, and restores the settings. */
#include <unistd.h>

#include "fake_kernel.h"
#include "helpers.h"

static struct builder zero;

static void check_stream(const char *trace)
{
	char *path = make_path("%s/cpu0", trace);
	FILE *file = fopen(path, "r");
	size_t i;

	CHECK(file);
	for (i = 0; i < zero.size; i++)
		CHECK_EQ((uint8_t)getc(file), zero.bytes[i]);
	/* behind it a packet without events, for the losses behind the last event */
	for (i = 0; i < 128; i++)
		CHECK(getc(file) != EOF);
	CHECK(getc(file) == EOF);
	fclose(file);
	/* a CPU without a packet has no file, because viewers reject empty files */
	CHECK(access(make_path("%s/cpu1", trace), F_OK));
}

static void check_settings(const char *dir)
{
	check_control(dir, "tracing_on", "0");
	check_control(dir, "trace_clock", "mono");
	check_control(dir, "buffer_size_kb", "1408");
	check_control(dir, "options/overwrite", "1");
	check_control(dir, "set_event", "sched:sched_switch\n");
	/* the recording began with a new trace */
	check_control(dir, "trace", "0");
}

static void check_viewer(const char *trace)
{
	char *output;
	unsigned int lines = 0;
	char *at;

	output = output_of(0, "babeltrace2 %s", trace);
	/* the warning and the packet without events have a line each */
	for (at = output; (at = strchr(at, '\n')); at++)
		lines++;
	CHECK(strstr(output, "WARNING: Tracer discarded 5 events between"));
	CHECK_EQ(lines, 20 * 11 + 1 + 1);
}

int main(void)
{
	char *dir = make_path("%s/tracing", temp_dir());
	char *trace = make_path("%s/trace", temp_dir());
	char *output;
	struct fake_kernel kernel = { .dir = dir };
	unsigned int i;

	build_init(&zero, false, 0);
	for (i = 0; i < 20; i++)
		build_packet(&zero, 1000 * (i + 1), 11);
	make_tracefs(dir);
	kernel.bytes[0] = zero.bytes;
	kernel.size[0] = zero.size;
	kernel.stats[0] = balanced_stats(20 * 11, 5);
	start_kernel(&kernel);
	output = output_of(0,
			   "$TRING record -e testing:tick -o %s -C tsc -b 512 --discard" UNTIL_FED,
			   trace, dir);
	end_kernel(&kernel);
	CHECK(strstr(output, "  (no_room 5)\n"));
	CHECK(strstr(output, "5 EVENTS WERE LOST"));
	CHECK(strstr(output, "balance: every accepted event"));
	check_stream(trace);
	check_settings(dir);
	if (have("babeltrace2"))
		check_viewer(trace);

	CHECK_EQ(count_of("$TRING report %s | grep -c ' tick: .*value=0'", trace), 20 * 11);
	return 0;
}
