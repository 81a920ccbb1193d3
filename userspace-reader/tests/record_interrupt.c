// SPDX-License-Identifier: GPL-2.0
/* Description: a signal ends a recording cleanly: the rest is read, the settings are restored. */
#include <signal.h>
#include <unistd.h>

#include "fake_kernel.h"
#include "helpers.h"

static struct builder zero;

static void check_signal(const char *dir, int number)
{
	struct fake_kernel kernel = { .dir = dir };
	char *trace = make_path("%s/trace", temp_dir()), *said = make_path("%s/said", temp_dir());
	pid_t pid;

	kernel.bytes[0] = zero.bytes;
	kernel.size[0] = zero.size;
	kernel.stats[0] = balanced_stats(60, 0);
	start_kernel(&kernel);
	pid = start_tring(said, "record -e testing:tick -o %s", trace);
	wait_until_fed(&kernel);
	CHECK(!kill(pid, number));
	CHECK_EQ(end_child(pid), 0);
	end_kernel(&kernel);
	CHECK(strstr(read_file(said), "  all           60 "));
	check_control(dir, "tracing_on", "0");
	check_control(dir, "set_event", "sched:sched_switch\n");
}

/* As nohup starts it: the end of the terminal does not end the recording. */
static void check_hangup(const char *dir)
{
	struct fake_kernel kernel = { .dir = dir };
	char *trace = make_path("%s/trace", temp_dir());
	pid_t pid;

	start_kernel(&kernel);
	signal(SIGHUP, SIG_IGN);
	pid = start_tring("/dev/null", "record -e testing:tick -o %s", trace);
	wait_until_fed(&kernel);
	/* bit 0 is SIGHUP's: what is ignored and not blocked is dropped, and never read */
	check_run(0, "", "grep -q '^SigBlk:.*[02468ace]$' /proc/%d/status", pid);
	CHECK(!kill(pid, SIGHUP));
	check_control(dir, "tracing_on", "1");
	CHECK(!kill(pid, SIGINT));
	CHECK_EQ(end_child(pid), 0);
	end_kernel(&kernel);
}

/* The end of the command is found where the caller takes no notice of its own children's. */
static void check_children(const char *dir)
{
	struct fake_kernel kernel = { .dir = dir };

	start_kernel(&kernel);
	check_run(3, "", "env --ignore-signal=CHLD %s -o %s -- sh -c 'exit 3'",
		  "$TRING record -q -e testing:tick", make_path("%s/trace", temp_dir()));
	end_kernel(&kernel);
}

int main(void)
{
	char *dir = make_path("%s/tracing", temp_dir());
	char *path = make_path("%s/tring/per_cpu/cpu0/stats", dir);
	char *stats = balanced_stats(0, 0);

	build_init(&zero, false, 0);
	build_packet(&zero, 1000, 30);
	build_packet(&zero, 2000, 30);
	make_tracefs(dir);
	check_signal(dir, SIGINT);
	write_text(path, stats);
	check_signal(dir, SIGTERM);
	write_text(path, stats);
	check_hangup(dir);
	check_children(dir);
	return 0;
}
