// SPDX-License-Identifier: GPL-2.0
/* Description: report has a pager on a terminal only, and keeps its exit status. */
#include <unistd.h>

#include "helpers.h"

static struct builder builder;
static char *dir, *paged;

/* Runs report on a terminal of script(1). @events: lines that the pager gets */
static void check(const char *pager, const char *options, int status, int events,
		  bool is_paged)
{
	char *command = make_path("PAGER='%s' script -qec '$TRING report %s %s' /dev/null",
				  pager, options, dir);
	char *output, *at;
	int lines = 0;

	unlink(paged);
	if (run(command, &output) != status)
		fail(output, status, command);
	CHECK_EQ(!access(paged, F_OK), is_paged);
	if (is_paged)
		output = read_file(paged);
	for (at = output; (at = strstr(at, " value=0")); at++)
		lines++;
	if (lines != events)
		fail(output, lines, command);
}

static void check_colour(const char *environment, bool wanted)
{
	char *output = output_of(0, "PAGER=cat %s script -qec '$TRING report %s' /dev/null",
				 environment, dir);

	if (!strstr(output, ": \033[36mtick:      ") == wanted ||
	    !strstr(output, "\033") == wanted)
		fail(output, wanted, environment);
	output = output_of(0, "%s $TRING report %s", environment, dir);
	CHECK(!strstr(output, "\033"));
}

int main(void)
{
	char *pager, *path, *output;
	int i;

	/* without colours */
	setenv("TERM", "dumb", 1);
	if (run("command -v script", &output))
		return SKIPPED;
	dir = make_path("%s/trace", temp_dir());
	paged = make_path("%s/paged", temp_dir());
	path = make_path("%s/cpu0", dir);
	make_trace(dir, false);
	build_init(&builder, false, 0);
	for (i = 0; i < 40; i++)
		build_packet(&builder, 1000 * (i + 1), 65);
	write_file(path, builder.bytes, builder.size);

	pager = make_path("cat >%s", paged);
	check(pager, "", 0, 40 * 65, true);
	check(pager, "--no-pager", 0, 40 * 65, false);
	check("", "", 0, 40 * 65, false);
	check("cat", "", 0, 40 * 65, false);
	/* errors are in the pager, too */
	write_file(path, builder.bytes, builder.size - 1);
	check(pager, "", 1, 40 * 65, true);
	output = read_file(paged);
	CHECK(strstr(output, "packet is longer than"));
	/* the user leaves the pager early */
	pager = make_path("head -n 3 >%s", paged);
	write_file(path, builder.bytes, builder.size);
	check(pager, "", 0, 3, true);
	/* colours are for a terminal, with a pager or without, if the user wants them */
	check_colour("TERM=xterm", true);
	check_colour("TERM=xterm NO_COLOR=1", false);
	check_colour("TERM=xterm NO_COLOR=", true);
	check_colour("TERM=dumb", false);
	check_colour("TERM=xterm PAGER='cat -u'", true);
	/* no terminal, no pager */
	pager = make_path("PAGER='cat >%s' $TRING report %s", paged, dir);
	unlink(paged);
	CHECK_EQ(run(pager, &output), 0);
	CHECK(access(paged, F_OK));
	/* a reader that ends early is no error */
	CHECK_EQ(run(make_path("$TRING report %s | head -n 1", dir), &output), 0);
	CHECK(strstr(output, " value=0\n"));
	CHECK_EQ(strchr(output, '\n') - output, strlen(output) - 1);
	return 0;
}
