// SPDX-License-Identifier: GPL-2.0
/* Description: after a partial write the file is cut to whole packets. */
#include "fake_kernel.h"
#include "helpers.h"

static struct builder zero;

int main(void)
{
	char *dir = make_path("%s/tracing", temp_dir());
	char *trace = make_path("%s/trace", temp_dir());
	char *command, *output, *at;
	struct fake_kernel kernel = { .dir = dir };
	unsigned int i;

	build_init(&zero, false, 0);
	for (i = 0; i < 60; i++)
		build_packet(&zero, 1000 * (i + 1), 65);
	CHECK(zero.size > 50000);
	make_tracefs(dir);
	kernel.bytes[0] = zero.bytes;
	kernel.size[0] = zero.size;
	kernel.stats[0] = balanced_stats(60 * 65, 0);
	start_kernel(&kernel);
	/* the size limit of 80 blocks of 512 bytes is in the middle of a packet */
	command = make_path("trap '' XFSZ; (ulimit -f 80; $TRING record %s -o %s)",
			    "-e testing:tick -s 5", trace);
	CHECK_EQ(run(command, &output), 1);
	end_kernel(&kernel);
	at = make_path("%s/cpu0: File too large", trace);
	CHECK(strstr(output, at));
	check_control(dir, "tracing_on", "0");
	check_control(dir, "set_event", "sched:sched_switch\n");
	free(at);
	free(output);
	free(command);

	command = make_path("cd %s; test $(stat -c %%s cpu0) -gt 30000 && %s",
			    trace, "$TRING dump cpu0 >/dev/null");
	CHECK_EQ(run(command, &output), 0);
	CHECK(!*output);
	free(output);
	free(command);
	free(trace);
	free(dir);
	return 0;
}
