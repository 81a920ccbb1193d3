// SPDX-License-Identifier: GPL-2.0
/* Description: what the kernel refuses of a recording is refused before the old trace goes. */
#include "fake_kernel.h"
#include "helpers.h"

#define TRIGGER		"tring/events/testing/tick/trigger"
#define PIPE		"tring/per_cpu/cpu1/trace_pipe_raw_compact"

static char *dir, *trace;

static char *list(void)
{
	return output_of(0, "find %s -printf '%%p %%y %%s %%T@\\n' | sort", trace);
}

static void check_refused(const char *options, const char *said)
{
	char *before = list(), *after;

	check_run(1, said, "$TRING record -e testing:tick -o %s %s -s 0.1", trace, options);
	after = list();
	if (strcmp(before, after))
		fail(after, 0, options);
	check_control(dir, "set_event", "sched:sched_switch\n");
	free(after);
	free(before);
}

static void check_all(const char *options)
{
	char *line = make_path("%s -R traceof", options);

	/* the fake kernel has no file for triggers, so it refuses each */
	check_refused(line, "-R traceof: the kernel refuses it for testing:tick");
	check_run(0, "", "cd %s && mv " PIPE " pipe", dir);
	check_refused(options, "trace_pipe_raw_compact");
	check_run(0, "", "cd %s && mv pipe " PIPE, dir);
	free(line);
}

/* The kernel is asked for a trigger that never fires, and gets the user's when it records. */
static void check_asked(const char *trigger, const char *asked)
{
	struct fake_kernel kernel = { .dir = dir };
	char *wanted = make_path("/trigger: \"%s\"\n", asked), *first, *second, *said;

	start_kernel(&kernel);
	said = output_of(0, "$TRING record -v -e testing:tick -R '%s' -o %s" UNTIL_FED, trigger,
			 trace, dir);
	end_kernel(&kernel);
	first = strstr(said, wanted);
	free(wanted);
	wanted = make_path("/trigger: \"%s\"\n", trigger);
	second = strstr(said, wanted);
	if (!first || !second || first > second)
		fail(said, 0, asked);
	free(wanted);
	free(said);
}

int main(void)
{
	struct fake_kernel kernel = { 0 };
	char *path;

	dir = make_path("%s/tracing", temp_dir());
	trace = make_path("%s/trace", temp_dir());
	make_tracefs(dir);
	kernel.dir = dir;
	start_kernel(&kernel);
	check_run(1, "cannot be written: No space left on device",
		  "$TRING record -e testing:tick -o %s -s 0.1 >/dev/full", trace);
	check_run(0, "", "$TRING record -q -e testing:tick -o %s -s 0.1", trace);
	end_kernel(&kernel);

	check_all("");
	check_all("--compress");
	check_all("--split 1M");

	path = make_path("%s/" TRIGGER, dir);
	write_text(path, "");
	check_asked("traceoff", "traceoff:0");
	check_asked("traceoff:5", "traceoff:0");
	check_asked("snapshot:0x10 if value > 1", "snapshot:0 if value > 1");
	check_asked("enable_event:sched:sched_switch", "enable_event:sched:sched_switch:0");
	check_asked("disable_event:sched:sched_switch:3 if value > 1",
		    "disable_event:sched:sched_switch:0 if value > 1");
	/* what the kernel would refuse is asked for as it is */
	check_asked("traceoff:five", "traceoff:five:0");
	free(path);
	free(trace);
	free(dir);
	return 0;
}
