// SPDX-License-Identifier: GPL-2.0
/* Description: top --diff tells what has changed between two traces from what is noise. */
#include "top_trace.h"

/* Times are milliseconds behind 1 s; each trace has 1 s. */
#define AT(ms)	(1000000000 + (ms) * 1000000ull)

static struct builder builder;

static void begin(void)
{
	build_init(&builder, false, 0);
	build_begin(&builder, AT(0));
}

static void ran(int32_t pid, unsigned int from, unsigned int to)
{
	top_change(&builder, AT(from), 0, 0, pid);
	top_change(&builder, AT(to), pid, 1, 0);
}

static void end(const char *name, unsigned int runs, unsigned int lost)
{
	char *dir = make_path("%s/%s", temp_dir(), name);

	build_end(&builder);
	top_make(dir, false);
	top_write(dir, &builder, 2 * runs, lost, 0);
}

/* Of 100, 600 and 700 both halves have the same, of 200 and 400 not. */
static void make_before(void)
{
	begin();
	ran(100, 0, 100);
	ran(200, 100, 400);
	ran(600, 410, 460);
	ran(700, 470, 490);
	ran(100, 600, 700);
	ran(200, 700, 800);
	ran(600, 810, 860);
	ran(700, 870, 890);
	ran(400, 990, 1000);
	end("before", 9, 0);
}

static void make_after(unsigned int lost)
{
	begin();
	ran(100, 0, 100);
	ran(200, 100, 300);
	ran(400, 300, 400);
	ran(500, 400, 450);
	ran(700, 460, 500);
	ran(800, 950, 1000);
	end("after", 6, lost);
}

static void check(const char *arguments, const char *wanted)
{
	check_run(0, wanted, "cd %s && $TRING top --diff %s before after", temp_dir(), arguments);
}

static void check_wrong(int status, const char *wanted, const char *arguments)
{
	check_run(status, wanted, "cd %s && $TRING top %s", temp_dir(), arguments);
}

static void check_rows(void)
{
	check("sched", "Tasks (tring top sched): running-s a second\n"
	      "       before         after         noise  change-%    is  task\n"
	      "     0.100000      0.000000      0.000000    -100.0  gone  task600\n"
	      "     0.200000      0.100000      0.000000     -50.0  less  task100\n");
	check("sched", "     0.400000      0.200000      0.400000     -50.0 noise  task200\n");
	check("sched", "     0.010000      0.100000      0.020000     900.0  more  task400\n");
	check("sched", "     0.000000      0.050000      0.000000         -   new  task500\n");
	check("sched", "     0.040000      0.040000      0.000000       0.0  same  task700\n");
	check("sched --sort switches",
	      "          2.0           1.0           0.0     -50.0  less  task100\n");
	/* what is known beforehand comes first, and what may be noise last */
	check("sched -n 1", "gone  task600\n(6 more; -n 0 prints all)\n");
	check("events", "Events (tring top events): events a second\n");
	check("cpu --sort busy-%",
	      "         75.0          54.0          38.0     -28.0 noise  cpu 0\n");
	check("sched --json", "{\"table\":\"sched\",\"before\":0.400000000,\"after\":0.200000000,");
	check("sched --json", ",\"noise\":0.400000000,\"change-%\":-50.000,\"is\":\"noise\",");
	check("sched --json", ",\"column\":\"running-s\",\"difference\":0.200000000,");
	check("sched --json", ",\"beyond-noise\":0.000000000,\"task\":\"task200\"}\n");
	/* a half that has no event is 0 */
	check("sched --to +0.45", "task200");
}

#define FIELDS	"\tfield:int number;\toffset:8;\tsize:4;\tsigned:1;\n"

/* An event that was not recorded may have happened; one that was, and never did, is no row. */
static void check_recorded(void)
{
	char *dir = make_path("%s/third", temp_dir());

	begin();
	build_record(&builder, AT(0), 801, 100, 12);
	build_record(&builder, AT(500), 801, 100, 12);
	build_end(&builder);
	top_make(dir, false);
	top_format(dir, "testing", "only_here", 801, FIELDS);
	write_metadata(dir, false);
	top_write(dir, &builder, 2, 0, 0);
	check_run(0, "            -           4.0             -         -     -  only_here\n",
		  "cd %s && $TRING top --diff events before third", temp_dir());
	check_run(0, "          4.0             -             -         -     -  only_here\n",
		  "cd %s && $TRING top --diff events third before", temp_dir());
	check_run(0, "gone  sched_switch\n",
		  "cd %s && $TRING top --diff events before third", temp_dir());
	check_run(1, "", "cd %s && $TRING top --diff events before third | grep dyn_sizes",
		  temp_dir());
	free(dir);
}

/* What comes how often in no time is not known. */
static void check_no_time(void)
{
	char *dir = make_path("%s/once", temp_dir());

	begin();
	top_change(&builder, AT(0), 0, 0, 100);
	build_end(&builder);
	top_make(dir, false);
	top_write(dir, &builder, 1, 0, 0);
	check_run(0, "     0.200000             -             -         -     -  task100\n",
		  "cd %s && $TRING top --diff sched before once", temp_dir());
	check_run(0, "            -          18.0             -         -     -  sched_switch\n",
		  "cd %s && $TRING top --diff events once before", temp_dir());
}

static void check_errors(void)
{
	check_wrong(2, "--diff is for the tables of two traces", "--diff sched before");
	check_wrong(2, "--diff is for the tables of two traces", "--diff sched -H before after");
	check_wrong(2, "--diff does not compare the table \"rate\"", "--diff rate before after");
	check_wrong(2, "--sort pid: it is no number that can be compared",
		    "--diff sched --sort pid before after");
	check_wrong(1, "the table \"block\": record -e block_rq_issue,",
		    "--diff block before after");
	check_wrong(1, "absent", "--diff sched before absent");
	check_wrong(2, "there is no table \"absent\"", "--diff sched absent before");
}

int main(void)
{
	make_before();
	make_after(0);
	check_rows();
	/* without a table, those that both have */
	check("", "running-s a second");
	CHECK(!strstr(run_here("$TRING top --diff before after", 0), "block"));
	check_recorded();
	check_no_time();
	check_errors();
	make_after(7);
	check("wakeup", "events were lost 1 times, so the table \"wakeup\" may lack some");
	return 0;
}
