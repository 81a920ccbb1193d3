// SPDX-License-Identifier: GPL-2.0
/* Description: convert writes the events and losses that report prints with the same options. */
#include "top_trace.h"

#define SCRIPTS	"$TRING_TESTS/../../scripts/trace"
#define NAMELESS	" | sed 's/^ *[^ ]*-//'"
#define DECODE	" protoc -I $TRING_TESTS/support --decode=perfetto.protos.Trace " \
		"$TRING_TESTS/support/perfetto.proto"

/* Times are milliseconds behind 1 s. */
#define AT(ms)	(1000000000 + (ms) * 1000000ull)

static char *dir;

/* Each choice leaves some events, and not all. */
static const char * const choices[] = {
	"-c 1",
	"-P 100",
	"--comm 'task10*'",
	"-e sched_switch --from +0.004",
	"-F 'sched_switch: next_pid == 200'",
	"--comm task200 -F 'sched_switch: prev_comm == \"task200\"' -c 0",
	"--from 1.004 --to 1.0095",
	"--from -0.003 --to +0.01",
	"-e '*irq*' --to +0.006",
};

/* Two tasks take turns; the first CPU refuses events in the middle, and behind its end. */
static void write_cpu(unsigned int cpu)
{
	struct builder builder;
	unsigned int i;

	build_init(&builder, false, cpu);
	/* told by the packet before them */
	builder.discarded = 9 * (1 + cpu);
	build_begin(&builder, AT(cpu));
	for (i = 0; i < 16; i += 4) {
		top_change(&builder, AT(i + cpu), 100, 1, 200);
		top_interrupt(&builder, AT(i + 1 + cpu), AT(i + 2 + cpu), 200, 5, "eth0");
		top_change(&builder, AT(i + 3 + cpu), 200, 1, 100);
		if (i != 4)
			continue;
		build_end(&builder);
		build_begin(&builder, AT(i + 4 + cpu));
	}
	build_end(&builder);
	top_write(dir, &builder, 16, 9 * (1 + cpu) + 5 * cpu, 0);
}

static char *output_with(const char *command, const char *choice)
{
	return run_here(make_path(command, choice), 0);
}

/* A trace.dat has no name of a task of which only an event tells that is not chosen. */
static void check_choice(const char *choice, bool has_duckdb)
{
	static const char reported[] = "$TRING report -t -R %s trace 2>/dev/null" NAMELESS;
	static const char converted[] =
		"set -e; rm -f some.dat;"
		" $TRING convert -t trace.dat -o some.dat %s trace 2>/dev/null;"
		" $TRING report -t -R some.dat" NAMELESS;
	static const char perfetto[] =
		"set -e; $TRING convert --to perfetto -o some.pf %s trace;" DECODE
		" <some.pf | grep -c '^ *event {'";
	static const char others[] =
		"set -e; rm -rf ctf parquet; $TRING convert --to ctf -o ctf %s trace;"
		" $TRING convert --to parquet -o parquet %s trace";
	char *json = output_with("$TRING report --json %s trace 2>/dev/null", choice), *text;
	unsigned int events = 0;

	text = output_with(reported, choice);
	check_equal(output_with(converted, choice), text, choice);
	for (text = json; (text = strstr(text, "\"event\":")); text++)
		events++;
	CHECK(events && events < 32);
	text = output_with(perfetto, choice);
	/* losses are events there */
	for (json = output_with("$TRING report --json %s trace 2>/dev/null", choice);
	     (json = strstr(json, "\"lost\":")); json++)
		events += !!strncmp(json - 4, "null", 4);
	CHECK_EQ(strtoul(text, NULL, 10), events);
	run_here(make_path(others, choice, choice), 0);
	output_with("/usr/bin/python3 " SCRIPTS "/compare-ctf.py $TRING trace ctf %s", choice);
	if (has_duckdb)
		output_with("python3 " SCRIPTS "/compare-parquet.py $TRING trace parquet %s",
			    choice);
}

static void check_errors(void)
{
	check_run(2, "--to sql: there is no such format", "$TRING convert --to sql %s", dir);
	check_run(2, "--to FORMAT is missing", "$TRING convert --to +1 %s", dir);
	check_run(2, "bad value for --to: \"1x\"", "$TRING convert --to perfetto --to 1x %s", dir);
	check_run(1, "--event absent: the trace has no such event",
		  "$TRING convert --to perfetto -e absent %s", dir);
	check_run(1, "-F: ", "$TRING convert --to perfetto -F 'sched_switch: no == 1' %s", dir);
	check_run(1, "--to is earlier than --from",
		  "$TRING convert --to perfetto --from 2 --to 1 %s", dir);
	check_run(0, "no event was selected",
		  "$TRING convert --to ctf -o %1$s.ctf --from 9 %1$s", dir);
	check_run(0, "no event was selected",
		  "$TRING convert --to trace.dat -o %1$s.dat -P 7 %1$s", dir);
}

int main(void)
{
	bool has_duckdb = have("python3 && node -e \"require('@duckdb/node-api')\"");
	size_t i;

	if (!have("protoc && babeltrace2 && /usr/bin/python3 -c 'import bt2'")) {
		printf("protoc, babeltrace2 or its Python module bt2 is not installed\n");
		return SKIPPED;
	}
	dir = make_path("%s/trace", temp_dir());
	top_make(dir, false);
	write_cpu(0);
	write_cpu(1);
	for (i = 0; i < COUNT(choices); i++)
		check_choice(choices[i], has_duckdb);
	check_errors();
	return 0;
}
