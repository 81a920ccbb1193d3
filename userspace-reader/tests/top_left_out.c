// SPDX-License-Identifier: GPL-2.0
/* Description: what the recording has left out is unknown in the tables, and no number. */
#include "top_trace.h"

/* Times are microseconds behind 1 s. */
#define AT(us)	(1000000000 + (us) * 1000ull)

static struct builder builder;

/*
 * Task 100 was to be recorded, 200 was not: what it did from 100 us to 6000 us is not known. The
 * idle task has woken task 100, so that this one was to be recorded.
 */
static void make(const char *dir, const char *left_out)
{
	top_make(dir, false);
	check_run(0, "", "sed -i 's/^command_line=.*/&%s/' %s/tring/trace_info", left_out, dir);
	build_init(&builder, false, 0);
	build_begin(&builder, AT(0));
	top_change(&builder, AT(0), 0, 0, 100);
	top_waking(&builder, AT(100), 100, 200);
	top_call(&builder, AT(200), AT(210), 100, 7, 0);
	top_interrupt(&builder, AT(300), AT(310), 100, 5, "eth0");
	top_change(&builder, AT(1000), 100, 1, 0);
	top_waking(&builder, AT(5000), 0, 100);
	top_change(&builder, AT(5500), 0, 0, 100);
	top_change(&builder, AT(6000), 100, 1, 200);
	top_waking(&builder, AT(7000), 200, 100);
	top_change(&builder, AT(8000), 200, 1, 100);
	top_waking(&builder, AT(8500), 100, 300);
	top_change(&builder, AT(9000), 100, 1, 0);
	top_change(&builder, AT(10000), 0, 0, 100);
	build_end(&builder);
	top_write(dir, &builder, 15, 0, 0);
}

static void check(const char *dir, const char *table, const char *wanted)
{
	check_run(0, wanted, "$TRING top %s -n 0 %s", table, dir);
}

/* What sql tells of switches, and the tables of a page. */
static void check_switches(const char *dir, const char *sql, const char *page)
{
	check_run(0, sql, "$TRING sql -o csv %s 'SELECT pid, switches, migrations FROM tasks'",
		  dir);
	if (!have("node"))
		return;
	check_run(0, "", "$TRING page -o %s.page %s", dir, dir);
	check_run(0, page, "node $TRING_TESTS/support/page_script.js %s.page cpu sched", dir);
}

static char *begin(const char *name, const char *left_out)
{
	char *dir = make_path("%s/%s", temp_dir(), name);

	make(dir, left_out);
	return dir;
}

/*
 * A part of a trace, or what a ring has kept: CPU 1 goes on later than CPU 0. Until then task 100
 * may have run there, or have ended a call and begun it again.
 */
static char *make_late(const char *name, uint64_t seq)
{
	char *dir = make_path("%s/%s", temp_dir(), name);

	top_make(dir, false);
	build_init(&builder, false, 0);
	builder.seq = seq;
	build_begin(&builder, AT(0));
	top_change(&builder, AT(0), 0, 0, 100);
	top_call(&builder, AT(100), AT(110), 100, 7, 0);
	top_change(&builder, AT(1000), 100, 1, 0);
	top_waking(&builder, AT(5000), 0, 100);
	top_change(&builder, AT(6000), 0, 0, 100);
	top_call(&builder, AT(7000), AT(7010), 100, 7, 0);
	top_change(&builder, AT(8000), 100, 1, 0);
	top_waking(&builder, AT(9000), 0, 100);
	top_change(&builder, AT(10000), 0, 0, 100);
	build_end(&builder);
	top_write(dir, &builder, 11, 0, 0);
	build_init(&builder, false, 1);
	builder.seq = seq;
	build_begin(&builder, AT(6500));
	top_change(&builder, AT(6500), 300, 1, 0);
	build_end(&builder);
	top_write(dir, &builder, 1, 0, 0);
	return dir;
}

static void check_late(void)
{
	char *dir = make_late("from-the-begin", 0);

	check(dir, "sched",
	      "     100      0.003000   30.0      0.002000      0.005000      0.000000         3");
	check(dir, "wakeup", "     100         2         2.000");
	check(dir, "syscall", "\n       7         2         0.020");
	dir = make_late("late", 5);
	check(dir, "sched",
	      "     100      0.003000   30.0      0.001000      0.001000      0.005000         3");
	check(dir, "wakeup", "     100         1         1.000");
	check(dir, "syscall", "\n       7         1         0.010");
	check(dir, "losses", "nothing was lost\n");
}

int main(void)
{
	char *dir = begin("nothing", "");

	check(dir, "sched",
	      "     100      0.002500   25.0      0.001500      0.005000      0.001000         4");
	check(dir, "sched",
	      "     200      0.002000   20.0      0.005900      0.002000      0.000000         1");
	check(dir, "wakeup", "     200         1         5.900");
	check(dir, "syscall", "\n       7         1         0.010");
	check(dir, "irq", "\n       5         1         0.010");
	check(dir, "cpu", "     45.0     55.0       0.0      0.1       0.0\n");
	check_switches(dir, "\n200,1,0\n", " irq-%=0.100 softirq-%=0.000");
	check_switches(dir, "\n200,1,0\n", " switches=1 migrations=0 task200\n");

	/* all of task 100 is there, nothing of 200's is certain */
	dir = begin("tasks", "\\nleft_out=tasks");
	check(dir, "sched",
	      "     100      0.002500   25.0      0.001500      0.005000      0.001000         4");
	check(dir, "sched",
	      "     200      0.000000    0.0      0.000000      0.000000      0.009900         -");
	/* no switch of this one is there at all */
	check(dir, "sched",
	      "     300      0.000000    0.0      0.000000      0.000000      0.001500         -");
	check(dir, "wakeup", "     100         2         1.500");
	check(dir, "wakeup", "     200         0         0.000            -");
	check(dir, "syscall", "\n       7         1         0.010");
	check(dir, "cpu", "     25.0      0.0      75.0        -         -\n");
	check_switches(dir, "\n100,4,0\n200,,\n300,,\n", " irq-%=null softirq-%=null");
	check_switches(dir, "\n200,,\n", " switches=4 migrations=0 task100\n");
	check_switches(dir, "\n200,,\n", " switches=null migrations=null task200\n");

	/* any task may have run there, or been woken */
	dir = begin("cpus", "\\nleft_out=cpus");
	check(dir, "sched",
	      "     100      0.002500   25.0      0.000000      0.000000      0.007500         -");
	check(dir, "wakeup", "     200         0         0.000            -");
	check(dir, "syscall", "\n       7         0         0.000            -");
	check(dir, "irq", "\n       5         1         0.010");
	check_switches(dir, "\n100,,\n200,,\n", " switches=null migrations=null task100\n");

	dir = begin("filters", "\\nleft_out=sched raw_syscalls irq");
	check(dir, "sched",
	      "     100      0.000000    0.0      0.000000      0.000000      0.010000         -");
	check(dir, "wakeup", "     100         0         0.000            -");
	check(dir, "syscall", "\n       7         0         0.000            -");
	check(dir, "irq", "\n       5         0         0.000            -");
	check(dir, "cpu", "      0.0      0.0     100.0        -         -\n");

	check_late();
	return 0;
}
