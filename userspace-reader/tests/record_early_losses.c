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

static char *said_by(const char *program, const char *trace, int status)
{
	char *output = output_of(status, "%s %s", program, trace);

	return output;
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
	free(output);
	free(command);

	output = said_by("$TRING report", trace, 0);
	line = output;
	for (i = 0; i < (seq ? 0 : EVENTS) && line; i++)
		line = next_line(line);
	if (!line || strncmp(line, lost, strlen(lost)))
		fail(output, seq, lost);
	CHECK(!strstr(output, "MISSING"));
	free(output);
	if (!run("command -v babeltrace2 >/dev/null", &output)) {
		char *text = make_path("Tracer discarded %u events between", LOST);
		char *said = said_by("babeltrace2", trace, 0);

		if (!strstr(said, text))
			fail(said, seq, text);
		free(said);
		free(text);
	}
	free(output);
	free(lost);
	free(trace);
	free(dir);
}

int main(void)
{
	check(0);
	check(1);
	check(7);
	return 0;
}
