// SPDX-License-Identifier: GPL-2.0
/* Description: what programs had in their memory is written down, also of those that have ended. */
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include "fake_kernel.h"
#include "helpers.h"
#include "programs/maps.h"
#include "record/maps.h"
#include "trace/trace_dir.h"
#include "util/tree.h"

#define PROCESSES	1000
/* What perf's rings have room for. */
#define AT_ONCE		50

/* Prints its number, a time, and an address as such and as an offset in its file; also forked. */
#define PROGRAM	"#include <stdio.h>\n#include <time.h>\n#include <unistd.h>\n" \
	"extern char __executable_start;\nint main(void)\n{\n\tstruct timespec now;\n" \
	"\tfork();\n\tclock_gettime(CLOCK_MONOTONIC, &now);\n" \
	"\tprintf(\"%d %ld%09ld %lx %lx\\n\", getpid(), (long)now.tv_sec, now.tv_nsec,\n" \
	"\t       (long)main, (long)((char *)main - &__executable_start));\n\treturn 0;\n}\n"

#define USER_STACK	"name: user_stack\nID: 12\nformat:\n" \
	COMMON_FIELDS "\n" \
	"\tfield:unsigned int tgid;\toffset:8;\tsize:4;\tsigned:0;\n" \
	"\tfield:unsigned long caller[8];\toffset:16;\tsize:64;\tsigned:0;\n\n" \
	"print fmt: \"\\t=> %ps\", (void *)REC->caller[0]\n"

#define FIRST		"pid:[4026531836]"
#define NAMESPACE	"unshare --pid --fork --mount-proc"

static struct tring_maps_writer writer = { .sideband.fd = -1, .is_wanted = true };
static struct tring_trace_info info;

static struct tring_maps read_maps(const char *dir)
{
	struct tring_maps maps = { 0 };

	tring_maps_take(&maps, strdup(read_file(make_path("%s/tring/maps", dir))));
	CHECK_EQ(maps.bad, 0);
	return maps;
}

static void begin(const char *clock, uint64_t frequency)
{
	snprintf(info.clock, sizeof(info.clock), "%s", clock);
	info.clock_frequency = frequency;
	tring_maps_watch(&writer, &info, true);
	CHECK_EQ(tring_maps_begin(&writer, "work/trace"), 0);
}

/* Return: number of lines whose address leads to its place in the program. */
static unsigned int count_found(const struct tring_maps *maps, const char *lines,
				unsigned int processes, bool ignore_time)
{
	char *program = make_path("%s/program", temp_dir());
	unsigned int found = 0, all = 0;
	uint64_t stamp, address, offset, place;
	int32_t pid;

	for (; *lines; lines = strchr(lines, '\n') + 1, all++) {
		const struct tring_mapped *file;

		CHECK(sscanf(lines, "%d %" SCNu64 " %" SCNx64 " %" SCNx64, &pid, &stamp, &address,
			     &offset) == 4);
		file = tring_maps_find(maps, pid, ignore_time ? UINT64_MAX : stamp, address,
				       &place);
		found += file && !strcmp(file->path, program) && place == offset &&
			 strlen(file->build_id) == 40;
	}
	CHECK_EQ(all, processes);
	return found;
}

/* Return: false if other programs have filled perf's rings. */
static bool check_ended(const char *clock, uint64_t frequency)
{
	struct tring_maps maps;
	unsigned int i;
	char *lines = "";
	bool whole;

	CHECK_EQ(tring_trace_dir_create("work/trace"), 0);
	begin(clock, frequency);
	for (i = 0; i < PROCESSES; i += AT_ONCE) {
		lines = make_path("%s%s", lines, output_of(0, "for i in $(seq %d); do ./program; "
							   "done | cat", AT_ONCE));
		tring_maps_go_on(&writer);
	}
	CHECK_EQ(tring_maps_end(&writer), 0);
	maps = read_maps("work/trace");
	whole = !maps.lost;
	if (whole)
		CHECK_EQ(count_found(&maps, lines, 2 * PROCESSES, frequency != 1000000000),
			 2 * PROCESSES);
	tring_maps_free(&maps);
	output_of(0, "rm -r work/trace");
	return whole;
}

/* An address that a program did not have is not what a later one with its pid has there. */
static void check_later(void)
{
	static const char text[] = "begin\nfile - /old\nfile - /new\nfile - /again\n"
		"map 10 5 1000 1000 0 0\nexec 20 5\nmap 21 5 5000 1000 0 1\n"
		"fork 30 5 1\nmap 31 5 7000 1000 0 2\n";
	const struct {
		uint64_t stamp, address;
		const char *path;
	} cases[] = {
		{ 5, 0x1000, "/old" }, { 15, 0x1000, "/old" }, { 15, 0x5000, "none" },
		{ 25, 0x5000, "/new" }, { 20, 0x5000, "/new" }, { 25, 0x7000, "none" },
		{ 35, 0x7000, "/again" },
	};
	struct tring_maps maps = { 0 };
	uint64_t place;
	size_t i;

	tring_maps_take(&maps, strdup(text));
	CHECK_EQ(maps.bad, 0);
	for (i = 0; i < COUNT(cases); i++) {
		const struct tring_mapped *file = tring_maps_find(&maps, 5, cases[i].stamp,
								  cases[i].address, &place);

		check_equal(file ? file->path : "none", cases[i].path, "the file of an address");
	}
	tring_maps_free(&maps);
}

/* What runs already is in the file, with its threads; this program, too. */
static void check_begin(void)
{
	struct tring_maps maps;
	uint64_t place;

	CHECK_EQ(tring_trace_dir_create("work/trace"), 0);
	begin("mono", 1000000000);
	CHECK_EQ(tring_maps_end(&writer), 0);
	maps = read_maps("work/trace");
	CHECK(tring_maps_find(&maps, getpid(), UINT64_MAX, (uintptr_t)check_begin, &place));
	CHECK(!tring_maps_find(&maps, getpid(), UINT64_MAX, 1, &place));
	tring_maps_free(&maps);
	output_of(0, "rm -r work/trace");
}

/*
 * Return: the trace that tring record makes, where the ring has stacks of programs or not.
 * @before: a command that runs tring
 */
static char *record(const char *stacks, const char *before)
{
	char *dir = make_path("%s/tracing-%c", temp_dir(), *stacks), *status;
	char *trace = make_path("%s/recorded-%c%zu", temp_dir(), *stacks, strlen(before));
	struct fake_kernel kernel = { .dir = dir };

	make_tracefs(dir);
	write_text(make_path("%s/events/ftrace/user_stack/format", dir), USER_STACK);
	write_text(make_path("%s/tring/options/userstacktrace", dir), stacks);
	kernel.stats[0] = balanced_stats(0, 0);
	start_kernel(&kernel);
	status = output_of(0, "%s $TRING record -e testing:tick -o %s -- sh -c '%s' 2>&1", before,
			   trace, "for i in 1 2 3 4 5 6 7 8 9; do ./program | cat; done >lines");
	end_kernel(&kernel);
	CHECK(*status);
	CHECK_EQ(!strstr(status, "functions of programs will be missing"), !*before);
	return trace;
}

static void check_record(void)
{
	struct tring_maps maps = read_maps(record("1\n", ""));

	if (!maps.lost)
		CHECK_EQ(count_found(&maps, read_file("lines"), 18, true), 18);
	tring_maps_free(&maps);
	output_of(0, "rm -r tracing-1*");
	/* in a pid namespace it would be taken for the memory of others */
	if (!geteuid())
		CHECK(access(make_path("%s/tring/maps", record("1\n", NAMESPACE)), F_OK));
	CHECK(access(make_path("%s/tring/maps", record("0\n", "")), F_OK));
}

/* What perf has had no room for is told, also if nothing comes behind it. */
static void check_lost(void)
{
	struct tring_maps maps;
	cpu_set_t one = { 0 };

	CHECK_EQ(tring_trace_dir_create("work/trace"), 0);
	begin("mono", 1000000000);
	CPU_SET(sched_getcpu(), &one);
	CHECK(!sched_setaffinity(0, sizeof(one), &one));
	output_of(0, "for i in $(seq %d); do ./program; done", PROCESSES);
	CHECK_EQ(tring_maps_end(&writer), 0);
	maps = read_maps("work/trace");
	CHECK(maps.lost);
	tring_maps_free(&maps);
	output_of(0, "rm -r work/trace");
}

int main(void)
{
	struct tring_sideband sideband = { .fd = -1 };

	check_later();
	if (!have("cc") ||
	    strncmp(output_of(0, "readlink /proc/self/ns/pid"), FIRST, strlen(FIRST)) ||
	    tring_sideband_begin(&sideband, CLOCK_MONOTONIC)) {
		printf("neither without cc, nor without perf_event_open(), nor in a container\n");
		return SKIPPED;
	}
	tring_sideband_end(&sideband);
	CHECK(!chdir(temp_dir()));
	write_text("program.c", PROGRAM);
	output_of(0, "cc -pie -fPIE -Wl,--build-id -o program program.c");
	CHECK_EQ(tring_tree_open("work"), 0);
	check_begin();
	while (!check_ended("mono", 1000000000) || !check_ended("tsc", 2000000000))
		;
	check_record();
	check_lost();
	return 0;
}
