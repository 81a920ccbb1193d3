// SPDX-License-Identifier: GPL-2.0
/* Description: a second recorder of a ring is told the first one's pid, and changes nothing. */
#include <signal.h>
#include <unistd.h>

#include "fake_kernel.h"
#include "helpers.h"

static char *dir, *trace;

static bool is_on(const void *file)
{
	char *text = control_text(dir, file);
	bool on = !strcmp(text, "1");

	free(text);
	return on;
}

/* Starts a recorder that the second one must not disturb. */
static pid_t start_first(const char *instance)
{
	return start_tring("/dev/null", "record -e testing:tick -o %s/first%s%s", temp_dir(),
			   instance ? " -B " : "", instance ? instance : "");
}

static void check_second(const char *options, int status, const char *said)
{
	check_run(status, said, "$TRING record -e testing:flag -C tsc -b 64 -o %s -s 0.1 %s",
		  trace, options);
}

static void check_unchanged(const char *ring)
{
	char *file = make_path("%s/set_event", ring), *text;

	text = control_text(dir, file);
	CHECK(!strcmp(text, "testing:tick"));
	text = control_text(dir, make_path("%s/trace_clock", ring));
	CHECK(!strcmp(text, "[mono] tsc boot tai"));
	CHECK(access(trace, F_OK));
}

static void end_first(struct fake_kernel *kernel, pid_t pid)
{
	CHECK(!kill(pid, SIGINT));
	CHECK_EQ(end_child(pid), 0);
	end_kernel(kernel);
}

static void check_ring(const char *instance)
{
	const char *ring = instance ? make_path("instances/%s", instance) : ".";
	const char *options = instance ? make_path("-B %s", instance) : "";
	char *on = make_path("%s/tracing_on", ring);
	struct fake_kernel kernel = { .dir = dir, .instance = ring };
	pid_t pid;

	start_kernel(&kernel);
	pid = start_first(instance);
	wait_until(is_on, on, on);
	check_second(options, 1, make_path(": process %d (tring record -e testing:tick -o ", pid));
	check_unchanged(ring);
	/* the first one still records, and ends well */
	CHECK(is_on(on));
	end_first(&kernel, pid);
	/* the lock ends with its owner */
	start_kernel(&kernel);
	check_second(options, 0, "balance: every accepted event");
	end_kernel(&kernel);
}

/* Rings do not disturb each other, but have no directory in common. */
static void check_other_ring(const char *options)
{
	struct fake_kernel top = { .dir = dir };
	struct fake_kernel other = { .dir = dir, .instance = "instances/there" };
	pid_t pid;

	start_kernel(&top);
	start_kernel(&other);
	pid = start_tring("/dev/null", "record -e testing:tick -o %s/first%s", temp_dir(),
			  options);
	wait_until(is_on, "tracing_on", "tracing_on");
	check_run(1, "/first: a trace is being recorded there; not changed",
		  "$TRING record -e testing:flag -B there -o %s/first -s 0.1", temp_dir());
	check_second("-B there", 0, "balance: every accepted event");
	end_first(&top, pid);
	end_kernel(&other);
}

/* Makes a kernel of its own for a test, with an instance. */
static void make_kernel(const char *name)
{
	dir = make_path("%s/%s", temp_dir(), name);
	trace = make_path("%s/%s-trace", temp_dir(), name);
	make_tracefs(dir);
	make_ring(make_path("%s/tring/instances/there", dir));
}

int main(void)
{
	make_kernel("top");
	check_ring(NULL);
	make_kernel("instance");
	check_ring("there");
	make_kernel("both");
	check_other_ring("");
	make_kernel("parts");
	check_other_ring(" --split 3600s");
	return 0;
}
