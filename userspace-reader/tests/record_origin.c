// SPDX-License-Identifier: GPL-2.0
/* Description: a trace says where it comes from, in info and in the metadata's env. */
#include <sys/utsname.h>

#include "fake_kernel.h"
#include "helpers.h"

static void check(const char *text, const char *wanted)
{
	wants(text, wanted);
}

static void set(const char *dir, const char *file, const char *value)
{
	char *path = make_path("%s/tring/%s", dir, file), *text = make_path("%s\n", value);

	write_text(path, text);
	free(text);
	free(path);
}

/*
 * What the ring is set to leave out, options of the recorder, and what the trace says of it; NULL
 * for nothing.
 */
static void check_left_out(const char *pids, const char *cgroups, const char *cpus,
			   const char *filter, const char *options, const char *wanted)
{
	char *dir = make_path("%s/left-out-of", temp_dir());
	char *trace = make_path("%s/left-out", temp_dir());
	struct fake_kernel kernel = { .dir = dir };
	char *output;

	free(output_of(0, "rm -rf %s %s*", trace, dir));
	make_tracefs(dir);
	free(output_of(0, "mkdir -p %s/tring/events/sched/sched_waking", dir));
	set(dir, "set_event_pid", pids);
	set(dir, "set_event_cgroup", cgroups);
	set(dir, "tracing_cpumask", cpus);
	set(dir, "events/sched/sched_waking/filter", filter);
	set(dir, "events/testing/tick/trigger", "");
	start_kernel(&kernel);
	output_of(0, "$TRING record -q --discard -e testing:tick %s -o %s -- true", options, trace);
	end_kernel(&kernel);
	output = output_of(0, "$TRING info %s; cat %s/metadata", trace, trace);
	if (wanted)
		check(output, wanted);
	else
		CHECK(!strstr(output, "left_out"));
	free(output);
	free(trace);
	free(dir);
}

int main(void)
{
	char *dir = make_path("%s/tracing", temp_dir());
	char *trace = make_path("%s/it's", temp_dir());
	const char *arguments = "record -q -b 512 --discard -e testing:tick -o";
	char *options = make_path(" %s '%s/it'\\''s' -- true ''", arguments, temp_dir());
	struct fake_kernel kernel = { .dir = dir };
	struct utsname names;
	char *output, *wanted;

	CHECK(!uname(&names));
	make_tracefs(dir);
	start_kernel(&kernel);
	check_run(0, "", "$TRING %s \"%s\" -- true ''", arguments, trace);
	end_kernel(&kernel);

	output = output_of(0, "$TRING info \"%s\"", trace);
	check(output, "hostname         test \"host\"\n");
	check(output, "kernel_release   6.1.0\n");
	check(output, "uuid             00010203-");
	/* the first line of the recorder's, behind the last one of the ring's */
	wanted = make_path("\nkernel_version   %s\narchitecture     %s\n", names.version,
			   names.machine);
	check(output, wanted);
	check(output, "user             ");
	check(output, options);
	check(output, "buffer_size_kb   512\n");
	check(output, "overwrite        0\n");

	output = output_of(0, "sed -n '/^env/,/^}/p' \"%s/metadata\"", trace);
	check(output, make_path("\tarchitecture = \"%s\";\n", names.machine));
	check(output, "\tuser = \"");
	check(output, "\tkernel_release = \"6.1.0\";\n");
	check(output, "record -q -b 512");

	output = output_of(1, "$TRING info %s", temp_dir());
	check(output, "/tring/trace_info: No such file");
	check_left_out("", "", "3", "none", "", NULL);
	check_left_out("100", "", "3", "none", "", "left_out         tasks\n");
	check_left_out("", "/in", "3", "none", "", "left_out         tasks\n");
	check_left_out("", "", "00000000,00000001", "none", "", "left_out         cpus\n");
	check_left_out("", "", "3", "pid == 100", "", "left_out         sched\n");
	check_left_out("7", "", "2", "pid == 100", "", "\tleft_out = \"tasks cpus sched\";\n");
	/* a recording that is switched off for good is whole up to there */
	check_left_out("", "", "3", "none", "-R traceoff", NULL);
	check_left_out("", "", "3", "none", "-R traceoff -R 'traceon if value > 1'",
		       "left_out         sched raw_syscalls irq\n");
	return 0;
}
