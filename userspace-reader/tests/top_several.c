// SPDX-License-Identifier: GPL-2.0
/* Description: top prints the tables of several traces one after another, each by itself. */
#include "helpers.h"

static struct builder builder;

static void make(const char *name, uint32_t cpu, unsigned int events)
{
	char *dir = make_path("%s/%s", temp_dir(), name);

	make_trace(dir, false);
	build_init(&builder, false, cpu);
	build_packet(&builder, 1000000 * events, events);
	build_write(&builder, dir);
}

static void check(const char *options)
{
	char *line = make_path("s=; for t in one two; do printf \"$s\"; s='\\n';"
			       " echo \"==> $t (test \\\"host\\\") <==\"; $TRING top %s $t; done",
			       options);
	char *each = run_here(line, 0), *both;

	line = make_path("$TRING top %s one two", options);
	both = run_here(line, 0);
	check_equal(both, each, line);
}

static void check_said(const char *command, int status, const char *said)
{
	char *output = run_here(command, status);

	wants(output, said);
}

int main(void)
{
	make("one", 0, 10);
	make("two", 3, 20);
	check("");
	check("events");
	check("events cpu");
	check("cpu --cpu 0-3 --from +0");
	/* one that cannot be read does not hide the other */
	check_said("$TRING top events one missing 2>&1", 1, "==> one");
	check_said("$TRING top events two missing 2>&1", 1, "is missing a trace made by");
	check_said("$TRING top events missing one 2>&1", 2, "there is no table \"missing\"");
	check_said("$TRING top --live one two 2>&1", 2, "--live and one: one without the other");
	return 0;
}
