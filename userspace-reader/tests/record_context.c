// SPDX-License-Identifier: GPL-2.0
/* Description: without context, by option or by the ring, metadata and packets agree. */
#include "fake_kernel.h"
#include "helpers.h"

#define EVENTS	55

static struct builder zero;
static char *dir, *trace;

static void write_control(const char *file, const char *text)
{
	char *path = make_path("%s/tring/%s", dir, file);

	write_text(path, text);
	free(path);
}

/* Packets of which @mixed says whether the last one differs from the others. */
static void build(bool no_context, bool mixed)
{
	unsigned int i;

	build_init(&zero, false, 0);
	for (i = 0; i < 5; i++) {
		zero.no_context = no_context != (mixed && i == 4);
		build_packet(&zero, 1000 * (i + 1), EVENTS / 5);
	}
}

static char *record(const char *options, int status)
{
	struct fake_kernel kernel = { .dir = dir };
	char *command, *output, *none = balanced_stats(0, 0);

	write_control("per_cpu/cpu0/stats", none);
	free(none);
	kernel.bytes[0] = zero.bytes;
	kernel.size[0] = zero.size;
	kernel.stats[0] = balanced_stats(EVENTS, 0);
	start_kernel(&kernel);
	command = make_path("$TRING record -e testing:tick -o %s -s 0.5 %s",
			    trace, options);
	if (run(command, &output) != status)
		fail(command, status, output);
	end_kernel(&kernel);
	free(command);
	return output;
}

static void check_count(const char *command_format, const char *wanted)
{
	char *command = make_path(command_format, trace), *output;

	if (run(command, &output) || strcmp(output, wanted))
		fail(output, 0, wanted);
	free(output);
	free(command);
}

static void check_metadata(bool no_context)
{
	char *path = make_path("%s/metadata", trace), *text = read_file(path);

	CHECK_EQ(!strstr(text, "event.context"), no_context);
	CHECK_EQ(!strstr(text, "flags_and_lengths"), !no_context);
	free(text);
	free(path);
}

static void check_viewer(void)
{
	char *output;

	if (!run("command -v babeltrace2", &output))
		check_count("babeltrace2 %s | grep -c ' tick: .*value = 0 }$'",
			    "55\n");
	free(output);
}

static void check_trace(bool no_context, const char *left_behind)
{
	check_control(dir, "options/record-context", left_behind);
	check_metadata(no_context);
	check_count(no_context ? "$TRING report %s | grep -c '^  *<...>-?  .*value=0'" :
				 "$TRING report %s | grep -c '^  *<...>-100 .*value=0'",
		    "55\n");
	check_viewer();
}

int main(void)
{
	char *output, *info, *path;

	dir = make_path("%s/tracing", temp_dir());
	trace = make_path("%s/trace", temp_dir());
	make_tracefs(dir);
	build(false, false);
	free(record("", 0));
	check_trace(false, "1\n");
	build(true, false);
	free(record("--no-context", 0));
	check_trace(true, "1");

	/* who set it, wants it so */
	write_control("options/record-context", "0\n");
	free(record("", 0));
	check_trace(true, "0\n");
	free(record("--no-context", 0));
	check_trace(true, "0\n");

	/* packets that are not as the ring says are kept, and said */
	build(true, true);
	output = record("", 1);
	CHECK(strstr(output, "context of records where there was none"));
	CHECK(strstr(output, "  all           55 "));
	free(output);
	write_control("options/record-context", "maybe\n");
	output = record("", 1);
	CHECK(strstr(output, "options/record-context: \"maybe\""));
	free(output);

	/* a ring of version 2 does not have the file */
	path = make_path("%s/tring/options/record-context", dir);
	CHECK(!remove(path));
	free(path);
	info = info_text(false);
	CHECK(!strncmp(info, "format_version=3", 16));
	output = record("", 1);
	CHECK(strstr(output, "options/record-context: No such file"));
	free(output);
	info[15] = '2';
	write_control("trace_info", info);
	free(info);
	build(false, false);
	free(record("", 0));
	check_metadata(false);
	output = record("--no-context", 1);
	CHECK(strstr(output, "options/record-context: No such file"));
	free(output);
	free(trace);
	free(dir);
	return 0;
}
