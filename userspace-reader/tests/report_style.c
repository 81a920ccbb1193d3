// SPDX-License-Identifier: GPL-2.0
/* Description: report prints nanoseconds, wall clock time, differences and all fields. */
#include "helpers.h"

/* Characters of a line before the time. */
#define BEGIN	37

static struct builder builder;
static char *dir;

static void make(void)
{
	uint8_t *payload;

	make_trace(dir, false);
	build_init(&builder, false, 0);
	build_begin(&builder, 1000000789);
	payload = build_record(&builder, 1000000789, 342, 100, 16);
	put_u64(payload + 8, 7, false);
	payload = build_record(&builder, 1000001000, 319, 100, 64);
	strcpy((char *)payload + 8, "zero");
	put_u32(payload + 24, 100, false);
	put_u32(payload + 56, 4242, false);
	build_record(&builder, 13000000999ull, 342, 100, 16);
	build_end(&builder);
	build_write(&builder, dir);
}

/* @wanted: begins of the three lines, behind the flags */
static void check(const char *options, const char *one, const char *two, const char *three)
{
	const char *wanted[] = { one, two, three };
	char *output, *rest, *line;
	size_t i;

	output = output_of(0, "%s report %s %s", "${ZONE:+env TZ=$ZONE} $TRING", options, dir);
	rest = output;
	for (i = 0; i < COUNT(wanted); i++) {
		line = strsep(&rest, "\n");
		if (!line || strlen(line) < BEGIN ||
		    strncmp(line + BEGIN, wanted[i], strlen(wanted[i])))
			fail(line ? line : "no line", i, options);
	}
	CHECK(!*rest);
}

int main(void)
{
	dir = make_path("%s/trace", temp_dir());
	make();
	check("", "     1.000000: tick: ", "     1.000001: sched_switch: ",
	      "    13.000000: tick: ");
	check("-t", "     1.000000789: tick: ", "     1.000001000: sched_switch: ",
	      "    13.000000999: tick: ");
	check("--delta", "     1.000000: (+0.000000) tick: ",
	      "     1.000001: (+0.000000) sched_switch: ", "    13.000000: (+11.999999) tick: ");
	check("-t --delta", "     1.000000789: (+0.000000000) tick: ",
	      "     1.000001000: (+0.000000211) sched_switch: ",
	      "    13.000000999: (+11.999999999) tick: ");
	check("--wall", "2023-11-14 22:13:21.000000: tick: ",
	      "2023-11-14 22:13:21.000001: sched_switch: ", "2023-11-14 22:13:33.000000: tick: ");
	setenv("ZONE", "TST-2", 1);
	check("-t --wall --delta --from '2023-11-15 00:13:21.000000789'",
	      "2023-11-15 00:13:21.000000789: (+0.000000000) tick: ",
	      "2023-11-15 00:13:21.000001000: (+0.000000211) sched_switch: ",
	      "2023-11-15 00:13:33.000000999: (+11.999999999) tick: ");
	unsetenv("ZONE");
	check("-R", "     1.000000: tick:                  value=7",
	      "     1.000001: sched_switch:          prev_comm=zero prev_pid=100 prev_prio=0 ",
	      "    13.000000: tick:                  value=0");
	return 0;
}
