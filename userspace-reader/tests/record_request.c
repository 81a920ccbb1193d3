// SPDX-License-Identifier: GPL-2.0
/* Description: record finds what cannot be done before it touches the ring or the old trace. */
#include "fake_kernel.h"
#include "helpers.h"

static char *dir, *trace, *old;

/* Return: the names of all files, and the checksum of each. */
static char *state_of_all(void)
{
	static const char find[] = "find . ! -path '*/events/*'";
	char *command = make_path("cd %s && %s | sort && %s -type f -exec cksum {} + | sort",
				  temp_dir(), find, find);
	char *output;

	run(command, &output);
	return output;
}

/* Nothing has changed, unless the recording begins. */
static void check(const char *arguments, int status, const char *said)
{
	char *before = state_of_all();

	check_run(status, said, "cd %s && $TRING record %s", temp_dir(), arguments);
	check_equal(state_of_all(), before, arguments);
}

static void check_events(void)
{
	check("-e sched_swich -o trace -s 9", 2,
	      "tring record: -e sched_swich: no such event; \"tring list\" prints all\n");
	/* each pattern of each list by itself */
	check("-e sched -e nosuch,irk -o trace -s 9", 2,
	      "tring record: -e nosuch: no such event; \"tring list\" prints all\n"
	      "tring record: -e irk: no such event; \"tring list\" prints all\n");
	check("-e 'sched:*_swich' -o trace -s 9", 2, "-e sched:*_swich: no such event");
	check("-e print -o trace -s 9", 2, "-e print: texts of the ring's trace_marker");
	/* an instance is not created */
	check("-B new -e nosuch -o trace -s 9", 2, "-e nosuch: no such event");
	check("-e nosuch -C sundial -o trace -s 9", 2, "-C sundial: no such clock");
}

static void check_filters(void)
{
	check("-f 'next_pid == 0' -e sched -o trace -s 9", 2,
	      "tring record: -f next_pid == 0: which events? Name them before it, by -e\n");
	check("-e sched -f", 2, "option requires an argument");
	check("-e sched -f '' -o trace -s 9", 2, "-f '': this lets everything through");
	check("-e sched -f ' 0 ' -o trace -s 9", 2, "-f ' 0 ': this lets everything through");
}

static void check_commands(void)
{
	char *script = make_path("%s/tool.sh", temp_dir());

	write_text(script, "#!/bin/sh\n");
	check("-e sched -o trace -- nonexistent-command", 127,
	      "COMMAND nonexistent-command: not found in PATH");
	check("-e sched -o trace -- ''", 127, "COMMAND : not found in PATH");
	check("-e sched -o trace -- ./nonexistent", 127,
	      "COMMAND ./nonexistent: No such file or directory");
	check("-e sched -o trace -- ./tool.sh/x", 127,
	      "COMMAND ./tool.sh/x: No such file or directory");
	check("-e sched -o trace -- ./tool.sh", 126,
	      "COMMAND ./tool.sh: Permission denied; \"chmod +x\" makes a script executable");
	check("-e sched -o trace -- /tmp", 126, "COMMAND /tmp: Is a directory");
	CHECK(!setenv("PATH", make_path("/nonexistent:.:%s", test_env("PATH")), 1));
	check("-e sched -o trace -- tool.sh", 126, "COMMAND tool.sh: Permission denied");
}

static void check_outputs(void)
{
	check("-e sched -s 9 -o no/such/parent", 1,
	      "-o no/such/parent: cannot create it: No such file or directory; another -o DIR");
	check("-e sched -s 9 -o tool.sh", 1, "-o tool.sh: Not a directory");
	check("-e sched -s 9 -o tool.sh/trace", 1, "-o tool.sh/trace: Not a directory");
	check("-e sched -s 9 -o /proc/1", 1, "-o /proc/1: ");
	check("-e sched -s 9 -o /sys/kernel/new", 1, "-o /sys/kernel/new: cannot create it: ");
	check("-e sched -s 9 -o ''", 2, "-o '': a name is missing");
}

static void check_clocks(void)
{
	check("-e sched -s 9 -o trace -C sundial", 2,
	      "-C sundial: no such clock; this kernel has mono, tsc, boot, tai");
	check("-e sched -s 9 -o trace -C '[mono]'", 2, "-C [mono]: no such clock");
	check("-e sched -s 9 -o trace -C ''", 2, "-C : no such clock");
}

static void check_functions(void)
{
	check("-e sched -s 9 -o trace -p wakeup", 2,
	      "-p wakeup: no such tracer; this kernel has function, nop\n");
	check("-e sched -s 9 -o trace -l vfs_read", 2,
	      "-l, -n: they choose among the functions of -p function\n");
	check("-e sched -s 9 -o trace -p function -l vfs_read,,vfs_write", 2,
	      "-l vfs_read,,vfs_write: a name is missing\n");
	check("-e sched -s 9 -o trace -p function_graph", 2,
	      "-g and -p function_graph: one without the other\n");
	check("-e sched -s 9 -o trace -p function -g vfs_read", 2,
	      "-g and -p function_graph: one without the other\n");
	check("-e sched -s 9 -o trace -p function_graph -g vfs_read -l vfs_write", 2,
	      "-l, -n: they choose among the functions of -p function\n");
	check("-e sched -s 9 -o trace -p function -l '!vfs_read'", 2,
	      "-l !vfs_read: -n names the functions not to record\n");
}

int main(void)
{
	dir = make_path("%s/tracing", temp_dir());
	trace = make_path("%s/trace", temp_dir());
	old = make_path("%s/cpu0", trace);
	make_tracefs(dir);
	make_trace(trace, false);
	write_text(old, "old packets");
	check_events();
	check_filters();
	check_commands();
	check_outputs();
	check_clocks();
	check_functions();
	return 0;
}
