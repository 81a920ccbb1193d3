// SPDX-License-Identifier: GPL-2.0
/* Description: top says what a trace lacks for a table, and which option is wrong. */
#include <unistd.h>

#include "top_trace.h"

static char *dir;

static void check(const char *arguments, int status, const char *said)
{
	check_run(status, said, "$TRING top %s %s", arguments, dir);
}

static void remove_event(const char *system, const char *name)
{
	CHECK_EQ(unlink(make_path("%s/tring/events/%s/%s/format", dir, system, name)), 0);
	CHECK_EQ(rmdir(make_path("%s/tring/events/%s/%s", dir, system, name)), 0);
}

/* What takes a table for a trace, or the directory in a trace for it, says so. */
static void check_names(void)
{
	static const struct {
		const char *command;
		int status;
		const char *said;
	} names[] = {
		{ "$TRING top shced", 2, "there is no table and no trace \"shced\"" },
		{ "$TRING top %s sched", 2, "tables come first: tring top sched /" },
		{ "$TRING top sched %s/tring", 1, "the trace is the directory above /" },
	};
	size_t i;

	for (i = 0; i < COUNT(names); i++) {
		char *output = output_of(names[i].status, names[i].command, dir);

		wants(output, names[i].said);
	}
}

static void check_options(void)
{
	check("-n -1", 2, "bad value for --rows: \"-1\"");
	check("-n", 2, "bad value for --rows: \"/");
	check("rate -i 0", 2, "bad value for --interval: \"0\"");
	check("rate -i 1x", 2, "bad value for --interval: \"1x\"");
	check("rate -i nan", 2, "bad value for --interval: \"nan\"");
	check("sched -i 1", 2, "--interval is for the table \"rate\"");
	check("rate sched -i 1", 2, "--interval is for the table \"rate\"");
	check("rate sched --sort pid", 2, "--sort needs a table");
	check("-e absent sched", 1, "--event absent: the trace has no such event");
	check("--count 2", 2, "--count is for --live");
	check("--live sched", 2, "one without the other");
	check("-i 1", 2, "--interval is for the table \"rate\"");
	check("--sort pid", 2, "--sort needs a table");
	check("rate -i 1 --sort events", 2, "--sort needs a table without --interval");
	check("wakeup --sort max", 2, "--sort max: the columns are pid, wakeups, total-ms, ");
	check("shced", 2, "there is no table \"shced\"");
	check("sched more", 2, "there is no table \"more\"");
	check("-c 7", 1, "--cpu 7: the trace has no such CPU");
	check("--from 2 --to 1", 1, "--to is earlier than --from");
	check("cpu --from 9", 0, "no event was selected");
	check("--pid x", 2, "bad value for --pid: \"x\"");
}

/* What is not there is told, with the events to record. */
static void check_lacks(void)
{
	check("irq", 0, "(none)\n");
	check("losses", 0, "nothing was lost\n");
	check("sched losses sched", 0, "\n\nLosses (tring top losses):\nnothing was lost\n");
	remove_event("irq", "irq_handler_exit");
	remove_event("raw_syscalls", "sys_exit");
	remove_event("sched", "sched_waking");
	check("wakeup", 0, "     100         0         0.000            -             -  ");
	remove_event("sched", "sched_wakeup");
	check("irq", 1, "tring top: the trace has no events for the table \"irq\": record -e irq_");
	check("syscall", 1, "the table \"syscall\": record -e syscalls\n");
	check("wakeup", 1, "the table \"wakeup\": record -e sched_switch,sched_waking,sched");
	check("waits", 1, "the table \"waits\": record -e sched_switch,sched_waking,sched_");
	check("calls", 1, "the table \"calls\": record -e syscalls\n");
	check("io", 1, "the table \"io\": record -e syscalls\n");
	check("futex", 1, "the table \"futex\": record -e sys_enter_futex,sys_exit_futex\n");
	check("block", 1, "the table \"block\": record -e block_rq_issue,block_rq_complete\n");
	check("sched", 0, "a task was blocked and waited is unknown: record -e sched_switch,");
	check("sched", 0, "  100      0.000020   66.6      0.000000      0.000000      0.000010");
	check("", 0, "\nTimes in interrupts: not recorded; tring record -e irq_handler_entry,");
	check("", 0, "4 events, 0 lost, in 0.000030 s: 133333.3 a second, of ");
}

int main(void)
{
	static struct builder builder;
	unsigned int i;

	dir = make_path("%s/trace", temp_dir());
	top_make(dir, false);
	build_init(&builder, false, 0);
	build_begin(&builder, 1000000000);
	for (i = 0; i < 4; i++)
		top_switch(build_record(&builder, 1000000000 + i * 10000, TOP_SWITCH,
					i & 1 ? 100 : 0, TOP_SWITCH_LENGTH),
			   i & 1 ? 100 : 0, i & 1, i & 1 ? 0 : 100, false);
	build_end(&builder);
	top_write(dir, &builder, 4, 0, 0);
	check_names();
	check_options();
	check_lacks();
	/* what is damaged is named, and the rest is shown */
	builder.bytes[TRING_PACKET_HEADER_SIZE] = 4;
	top_write(dir, &builder, 4, 0, 0);
	check("events", 1, "cpu0: offset 0x");
	return 0;
}
