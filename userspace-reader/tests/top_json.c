// SPDX-License-Identifier: GPL-2.0
/* Description: top --json has the numbers of the tables, with all digits, for each row. */
#include "top_trace.h"

/* Times are nanoseconds behind 1 s. */
#define AT(ns)	(1000000000 + (ns) * 1ull)

static struct builder builder;
static char *dir;

/* An interrupt whose name is not harmless, an end without a begin, and a loss. */
static void make(void)
{
	top_make(dir, false);
	build_init(&builder, false, 0);
	build_begin(&builder, AT(0));
	top_change(&builder, AT(0), 0, 1, 100);
	top_interrupt(&builder, AT(1000), AT(2001), 100, 5, "e\"\033th");
	top_interrupt(&builder, AT(3000), AT(4002), 100, 5, "e\"\033th");
	top_change(&builder, AT(1234567), 100, 1, 0);
	top_change(&builder, AT(2000001), 0, 1, 100);
	build_end(&builder);
	builder.seq++;
	build_begin(&builder, AT(3000000));
	top_change(&builder, AT(3000000), 100, 1, 0);
	build_end(&builder);
	top_write(dir, &builder, 8, 0, 7);
}

static void check(const char *tables, const char *wanted)
{
	check_run(0, wanted, "$TRING top --json %s", make_path("%s %s", tables, dir));
}

static void check_rows(void)
{
	check("", make_path("{\"trace\":\"%s\",\"events\":8,\"lost\":7,\"bytes\":", dir));
	check("", ",\"seconds\":0.003000000}\n{\"table\":\"cpu\",\"cpu\":0,\"events\":8,");
	check("sched", "{\"table\":\"sched\",\"pid\":100,\"running-s\":0.001234567,");
	check("irq", "{\"table\":\"irq\",\"irq\":5,\"count\":2,\"total-ms\":0.002003,");
	check("irq", "\"mean-us\":1.001,\"max-us\":1.002,\"max-at\":1.000004002,");
	check("irq", ",\"unknown\":0,\"name\":\"e\\\"\\u001bth\"}\n");
	check("losses", "{\"table\":\"losses\",\"cpu\":0,\"from\":1.002000001,\"to\":1.003000000,");
	check("losses", "\"ms\":0.999999,\"events\":0,\"packets\":1}\n");
	check("losses", ",\"to\":null,\"ms\":null,\"events\":7,\"packets\":0}\n");
}

/* Neither a title nor a sum nor a remark is among the lines. */
static void check_others(void)
{
	char *lines = output_of(0, "$TRING top --json %s | grep -vc '^{.*}$'; true", dir);

	CHECK(!strcmp(lines, "0\n"));
	lines = output_of(0, "$TRING top --json irq sched -n 1 %s %s 2>/dev/null | wc -l", dir,
			  dir);
	CHECK(!strcmp(lines, "6\n"));
	check_run(2, "--json is for the tables of a trace", "$TRING top --json --live");
	check_run(2, "--json is for the tables of a trace", "$TRING top --json -H %s", dir);
	check_run(1, "no events for the table \"syscall\"", "$TRING top --json syscall %s",
		  make_path("%s/../bare", dir));
}

int main(void)
{
	dir = make_path("%s/trace", temp_dir());
	make();
	check_rows();
	make_trace(make_path("%s/../bare", dir), false);
	check_others();
	return 0;
}
