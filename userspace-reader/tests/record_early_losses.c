// SPDX-License-Identifier: GPL-2.0
/* Description: each viewer tells of the losses that the first packet has counted. */
#include "fake_kernel.h"
#include "helpers.h"

#define PACKETS	3
#define EVENTS	65
#define LOST	321

static struct builder builder;

static char *next_line(char *line)
{
	char *end = strchr(line, '\n');

	return end ? end + 1 : NULL;
}

/* The packets before @seq were overwritten; before 0 there is none, so events were refused. */
static void check(unsigned int seq)
{
	char *dir = make_path("%s/tracing%u", temp_dir(), seq);
	char *trace = make_path("%s/trace", temp_dir());
	struct fake_kernel kernel = { .dir = dir };
	char *command, *output, *line, *lost = make_path("CPU:0 [LOST %u EVENTS]\n", LOST);
	unsigned int i;

	make_tracefs(dir);
	build_init(&builder, false, 0);
	builder.seq = seq;
	builder.discarded = LOST;
	for (i = 0; i < PACKETS; i++)
		build_packet(&builder, 1000 * (i + 1), EVENTS);
	kernel.bytes[0] = builder.bytes;
	kernel.size[0] = builder.size;
	kernel.stats[0] = balanced_stats(PACKETS * EVENTS, LOST);
	start_kernel(&kernel);
	command = make_path("$TRING record -e testing:tick -o %s" UNTIL_FED, trace, dir);
	CHECK_EQ(run(command, &output), 0);
	end_kernel(&kernel);

	output = output_of(0, "$TRING report %s", trace);
	line = output;
	for (i = 0; i < (seq ? 0 : EVENTS) && line; i++)
		line = next_line(line);
	if (!line || strncmp(line, lost, strlen(lost)))
		fail(output, seq, lost);
	CHECK(!strstr(output, "MISSING"));
	if (have("babeltrace2"))
		check_run(0, make_path("Tracer discarded %u events between", LOST),
			  "babeltrace2 %s", trace);
}

int main(void)
{
	check(0);
	check(1);
	check(7);
	return 0;
}
