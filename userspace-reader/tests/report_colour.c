// SPDX-License-Identifier: GPL-2.0
/* Description: report has colours on a terminal only, and a reader that ends early is no error. */
#include "helpers.h"

static struct builder builder;
static char *dir;

static void check_colour(const char *environment, bool wanted)
{
	char *output = output_of(0, "%s script -qec '$TRING report %s' /dev/null", environment,
				 dir);

	if (!strstr(output, ": \033[36mtick:      ") == wanted ||
	    !strstr(output, "\033") == wanted)
		fail(output, wanted, environment);
	output = output_of(0, "%s $TRING report %s", environment, dir);
	CHECK(!strstr(output, "\033"));
}

int main(void)
{
	char *path, *output;
	int i;

	/* without colours */
	setenv("TERM", "dumb", 1);
	if (run("command -v script", &output))
		return SKIPPED;
	dir = make_path("%s/trace", temp_dir());
	path = make_path("%s/cpu0", dir);
	make_trace(dir, false);
	build_init(&builder, false, 0);
	for (i = 0; i < 40; i++)
		build_packet(&builder, 1000 * (i + 1), 65);
	write_file(path, builder.bytes, builder.size);
	check_colour("TERM=xterm", true);
	check_colour("TERM=xterm NO_COLOR=1", false);
	check_colour("TERM=xterm NO_COLOR=", true);
	check_colour("TERM=dumb", false);
	CHECK_EQ(run(make_path("$TRING report %s | head -n 1", dir), &output), 0);
	CHECK(strstr(output, " value=0\n"));
	CHECK_EQ(strchr(output, '\n') - output, strlen(output) - 1);
	return 0;
}
