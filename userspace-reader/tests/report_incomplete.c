// SPDX-License-Identifier: GPL-2.0
/* Description: report and dump say what a trace lacks or has too much of, and exit with 1. */
#include <unistd.h>

#include "helpers.h"

static struct builder builder;
static char *dir;

static void write_stream(unsigned int cpu, size_t size)
{
	write_file(make_path("%s/cpu%u", dir, cpu), builder.bytes, size);
}

/* A trace of two CPUs with 3 packets of 4 events; 5 more were refused at the end. */
static void make(void)
{
	unsigned int cpu, i;

	make_trace(dir, false);
	for (cpu = 0; cpu < 2; cpu++) {
		build_init(&builder, false, cpu);
		for (i = 0; i < 3; i++)
			build_packet(&builder, 1000 * (i + 1), 4);
		write_stream(cpu, builder.size);
	}
	write_extra(dir, "cpu0.start", "read: 7\nremaining: 0\nrefused_no_room: 1\n");
	write_extra(dir, "cpu0.end", "read: 19\nremaining: 0\nrefused_no_room: 1\n");
	write_extra(dir, "cpu1.start", "read: 0\nremaining: 0\nrefused_no_room: 0\n");
	write_extra(dir, "cpu1.end", "read: 12\nremaining: 0\nrefused_no_room: 5\n");
	/* a CPU that has recorded nothing */
	write_extra(dir, "cpu2.start", "read: 0\n");
	write_extra(dir, "cpu2.end", "read: 0\n");
}

/* @events: lines of events; @said: on either file */
static void check(const char *option, int status, int events, const char *said)
{
	char *output;
	const char *at;
	int lines = 0;

	output = output_of(status, "$TRING report %s %s", option, dir);
	for (at = output; (at = strstr(at, " value=0\n")); at++)
		lines++;
	if (lines != events || !strstr(output, said))
		fail(output, lines, said);
}

static void remove_file(const char *name)
{
	CHECK(!unlink(make_path("%s/%s", dir, name)));
}

/* The same for a file of the trace. */
static void check_dump(const char *file, int status, const char *said)
{
	check_run(status, said, "$TRING dump %s/%s", dir, file);
}

static void check_dumps(void)
{
	make();
	check_dump("cpu1", 0, "\nCPU:1 [LOST 5 EVENTS]\n");
	check_dump("cpu7", 1, "/cpu7: No such file");
	write_stream(1, builder.size / 3 * 2);
	check_dump("cpu1", 1, "\nCPU:1 [LOST 9 EVENTS]\n");
	check_dump("cpu1", 1, "/cpu1: 4 of 12 recorded events are missing\n");
	make();
	remove_file("tring/cpu1.end");
	check_dump("cpu1", 1, "/trace: the recording has no end: ");
	/* between two packets, also in a file that is not of a trace */
	make();
	memmove(builder.bytes + builder.size / 3, builder.bytes + builder.size / 3 * 2,
		builder.size / 3);
	write_stream(1, builder.size / 3 * 2);
	check_dump("cpu1", 1, "\nCPU:1 [1 PACKETS MISSING]\n");
	write_file(make_path("%s/tring/copy", dir), builder.bytes, builder.size / 3 * 2);
	check_dump("tring/copy", 0, "\nCPU:1 [1 PACKETS MISSING]\n");
}

static void remove_cpu(unsigned int cpu)
{
	static const char *const names[] = { "cpu%u", "tring/cpu%u.start", "tring/cpu%u.end" };
	size_t i;

	for (i = 0; i < 3; i++) {
		char *name = make_path(names[i], cpu), *path = make_path("%s/%s", dir, name);

		unlink(path);
	}
}

int main(void)
{
	unsigned int cpu;

	dir = make_path("%s/trace", temp_dir());
	make();
	check("", 0, 24, "CPU:1 [LOST 5 EVENTS]\n");

	make();
	remove_file("cpu0");
	check("", 1, 12, "/cpu0: no such file: 12 of 12 recorded events are missing\n");
	check("", 1, 12, "CPU:0 [LOST 12 EVENTS]\n");

	make();
	write_stream(1, 0);
	check("", 1, 12, "/cpu1: 12 of 12 recorded events are missing\n");
	check("", 1, 12, "CPU:1 [LOST 17 EVENTS]\n");

	/* whole packets are missing at the end, or in the middle */
	make();
	write_stream(1, builder.size / 3 * 2);
	check("", 1, 20, "/cpu1: 4 of 12 recorded events are missing\n");
	check("", 1, 20, "CPU:1 [LOST 9 EVENTS]\n");
	make();
	memmove(builder.bytes + builder.size / 3, builder.bytes + builder.size / 3 * 2,
		builder.size / 3);
	write_stream(1, builder.size / 3 * 2);
	check("", 1, 20, "/cpu1: 4 of 12 recorded events are missing\n");
	check("", 1, 20, "CPU:1 [1 PACKETS MISSING]\n");

	/* the file of another CPU, or twice the same packets */
	make();
	write_stream(0, builder.size);
	check("", 1, 12, "/cpu0: offset 0x0: cpu_id differs from the stream's");
	make();
	memcpy(builder.bytes + builder.size, builder.bytes, builder.size);
	write_stream(1, 2 * builder.size);
	check("", 1, 36, "/cpu1: it has 24 events, but 12 were recorded\n");
	make();
	write_stream(5, builder.size);
	check("", 1, 24, "/cpu5: not of this recording, which has no counters of the CPU\n");

	/* a killed recorder; what earlier recordings have lost is not of this one */
	make();
	remove_file("tring/cpu0.end");
	remove_file("tring/cpu1.end");
	check("", 1, 24, "/trace: the recording has no end: ");

	/* killed at its beginning, before it had counters or had described anything */
	for (cpu = 0; cpu < 3; cpu++)
		remove_cpu(cpu);
	check("", 1, 0, "/trace: the recording has no end: ");
	remove_file("tring/short_ids");
	check("", 1, 0, "/trace: the recording has no end: ");
	make();
	remove_file("tring/short_ids");
	check("", 1, 0, "/tring/short_ids: No such file");
	make();

	/* a disk that was full when the recording ended left events in the ring */
	make();
	write_extra(dir, "cpu1.end", "read: 12\nremaining: 30\nsnapshot: 10\nrefused_no_room: 0\n");
	check("", 1, 24, "/cpu1: 20 of 32 recorded events are missing\n");
	write_extra(dir, "cpu1.end", "read: twelve\n");
	check("", 1, 24, "/cpu1.end: line 1 is not a counter\n");
	check_dumps();
	return 0;
}
