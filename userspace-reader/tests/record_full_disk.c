// SPDX-License-Identifier: GPL-2.0
/* Description: after a partial write the file is cut to whole packets. */
#include "fake_kernel.h"
#include "helpers.h"

static struct builder zero;

static void check_said(const char *program, const char *trace, int status, const char *text,
		       unsigned int missing)
{
	char *command = make_path("%s %s", program, trace), *output;
	char *wanted = make_path(text, missing);

	if (run(command, &output) != status || !strstr(output, wanted))
		fail(output, status, wanted);
}

/* Each viewer shows how many events are missing. */
static void check_missing(const char *trace, unsigned int missing)
{
	char *file = make_path("%s/cpu0", trace);

	check_said("$TRING report", trace, 1, "CPU:0 [LOST %u EVENTS]\n", missing);
	check_said("$TRING report", trace, 1, "/cpu0: %u of 3900 recorded events are missing\n",
		   missing);
	check_said("$TRING dump", file, 1, "events_discarded %u\n", missing);
	check_said("$TRING dump", file, 1, "CPU:0 [LOST %u EVENTS]\n", missing);
	check_said("$TRING dump", file, 1, "/cpu0: %u of 3900 recorded events are missing\n",
		   missing);
	if (have("babeltrace2"))
		check_said("babeltrace2", trace, 0, "Tracer discarded %u events between", missing);
}

int main(void)
{
	unsigned int missing = 0;

	char *dir = make_path("%s/tracing", temp_dir());
	char *trace = make_path("%s/trace", temp_dir());
	char *output, *at;
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
	output = output_of(1, "(ulimit -f 80; $TRING record %s -o %s)",
			   "-e testing:tick -s 3600", trace);
	end_kernel(&kernel);
	at = make_path("%s/cpu0: File too large", trace);
	wants(output, at);
	check_control(dir, "tracing_on", "0");
	check_control(dir, "set_event", "sched:sched_switch\n");
	free(at);
	at = strstr(output, "cpu0: ");
	while (at && sscanf(at, "cpu0: %u of 3900 recorded events are not in the trace",
			    &missing) != 1)
		at = strstr(at + 1, "cpu0: ");
	CHECK(at);
	CHECK(missing > 0 && missing < 60 * 65 / 2);

	/* whole packets only */
	output = output_of(0, "cp %s/cpu0 %s/copy; cd %s; test $(stat -c %%s copy) -gt 30000 && %s",
			   trace, temp_dir(), temp_dir(), "$TRING dump copy >/dev/null");
	CHECK(!*output);
	check_missing(trace, missing);
	return 0;
}
