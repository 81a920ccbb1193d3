// SPDX-License-Identifier: GPL-2.0
/* Description: babeltrace2 reports the losses that the packets contain. */
#include "helpers.h"

static struct builder builder;

int main(void)
{
	const char *dir = temp_dir();
	char *output;

	if (!have("babeltrace2")) {
		printf("babeltrace2 is not installed\n");
		return SKIPPED;
	}
	make_trace(dir, false);
	build_init(&builder, false, 1);
	build_packet(&builder, 1000, 3);
	builder.discarded = 17;
	build_packet(&builder, 2000, 3);
	builder.seq += 4;
	build_packet(&builder, 3000, 3);
	build_write(&builder, dir);
	output = output_of(0, "babeltrace2 %s", dir);
	CHECK(strstr(output, "WARNING: Tracer discarded 17 events between"));
	CHECK(strstr(output, "WARNING: Tracer discarded 4 packets between"));
	return 0;
}
