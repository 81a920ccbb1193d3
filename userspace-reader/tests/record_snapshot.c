// SPDX-License-Identifier: GPL-2.0
/* Description: what snapshots take from a ring that is recorded is told as lost. */
#include "fake_kernel.h"
#include "helpers.h"

#define EVENTS	65
/* Two packets: one is in the snapshot, and one was in a snapshot that this has replaced. */
#define LOST	9

static struct builder builder;

int main(void)
{
	char *dir = make_path("%s/tracing", temp_dir()), *trace = make_path("%s/trace", temp_dir());
	struct fake_kernel kernel = { .dir = dir };
	char *output;

	make_tracefs(dir);
	build_init(&builder, false, 0);
	build_packet(&builder, 1000, EVENTS);
	builder.seq += 2;
	build_packet(&builder, 2000, EVENTS);
	kernel.bytes[0] = builder.bytes;
	kernel.size[0] = builder.size;
	kernel.stats[0] = make_path("reserved: %d\ncommitted: %d\ndiscarded: 0\nopen: 0\nread: %d\n"
				    "overwritten: 5\nremaining: 4\nsnapshot: 4\n"
				    "overwritten_snapshot: 5\ncommitted_bytes: 20\nread_bytes: 8\n"
				    "overwritten_bytes: 7\nremaining_bytes: 5\nrefused_off: 3\n",
				    2 * EVENTS + LOST, 2 * EVENTS + LOST, 2 * EVENTS);
	start_kernel(&kernel);
	output = output_of(0, "$TRING record -e testing:tick -o %s" UNTIL_FED, trace, dir);
	end_kernel(&kernel);
	wants(output, "            9  (snapshot 9)\n");
	wants(output, "tring record: 9 EVENTS WERE LOST");
	wants(output, "balance: every accepted event");

	output = output_of(0, "$TRING report %s 2>&1", trace);
	wants(output, "CPU:0 [2 PACKETS MISSING]\n");
	wants(output, "CPU:0 [LOST 9 EVENTS]\n");
	check_run(0, "130 events, 9 lost", "$TRING top %s", trace);
	if (have("babeltrace2"))
		check_run(0, "Tracer discarded 9 events between", "babeltrace2 %s", trace);
	return 0;
}
