// SPDX-License-Identifier: GPL-2.0
/* Description: a trace in parts is read as the same trace in one directory is. */
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "helpers.h"
#include "wire/filler.h"

#define CPUS	2
#define PARTS	3
#define MS	1000000ull

/**
 * struct counts - what a CPU's ring has counted
 * @read: events that were read
 * @lost: events that were refused
 */
struct counts {
	uint64_t read;
	uint64_t lost;
};

static struct builder whole[CPUS], part[CPUS];
static struct counts now[CPUS], before[CPUS];
static char *divided, *together;

static void add(unsigned int cpu, uint64_t ms, unsigned int events, unsigned int lost)
{
	whole[cpu].discarded += lost;
	part[cpu].discarded += lost;
	build_packet(&whole[cpu], ms * MS, events);
	build_packet(&part[cpu], ms * MS, events);
	now[cpu].read += events;
	now[cpu].lost += lost;
}

static void add_filler(struct builder *builder, uint64_t ms, unsigned int lost, bool counts)
{
	struct tring_filler filler = {
		.stamp = ms * MS, .seq_num = builder->seq,
		.discarded = builder->discarded + lost,
	};

	tring_filler_write(builder->bytes + builder->size, TRING_FILLER_SIZE, builder->bytes,
			   &filler);
	builder->size += TRING_FILLER_SIZE;
	builder->discarded += lost;
	builder->seq += counts;
}

/* What was lost behind the last packet of a part. */
static void lose(unsigned int cpu, uint64_t ms, unsigned int lost)
{
	add_filler(&whole[cpu], ms, lost, true);
	add_filler(&part[cpu], ms, lost, false);
	now[cpu].lost += lost;
}

static void write_stats(const char *dir, unsigned int cpu, const char *tail,
			const struct counts *counts)
{
	char *path = make_path("%s/tring/cpu%u.%s", dir, cpu, tail);
	char *text = make_path("read: %" PRIu64 "\noverwritten: 0\nrefused_no_room: %" PRIu64 "\n",
			       counts->read, counts->lost);

	write_text(path, text);
	free(text);
	free(path);
}

static void write_stream(const char *dir, const struct builder *builder)
{
	char *path = make_path("%s/cpu%u", dir, builder->cpu);

	if (builder->size)
		write_file(path, builder->bytes, builder->size);
	free(path);
}

static void write_names(const char *dir, const char *names)
{
	char *path = make_path("%s/tring/saved_cmdlines", dir);

	write_text(path, names);
	free(path);
}

static void end_part(unsigned int number, const char *names)
{
	char *dir = make_path("%s/%06u", divided, number);
	unsigned int cpu;

	make_trace(dir, false);
	write_names(dir, names);
	for (cpu = 0; cpu < CPUS; cpu++) {
		write_stream(dir, &part[cpu]);
		write_stats(dir, cpu, "start", &before[cpu]);
		write_stats(dir, cpu, "end", &now[cpu]);
		before[cpu] = now[cpu];
		memset(part[cpu].bytes, 0, part[cpu].size);
		part[cpu].size = 0;
		part[cpu].discarded = 0;
	}
	free(dir);
}

static void begin(void)
{
	unsigned int cpu;

	memset(now, 0, sizeof(now));
	memset(before, 0, sizeof(before));
	for (cpu = 0; cpu < CPUS; cpu++) {
		build_init(&whole[cpu], false, cpu);
		build_init(&part[cpu], false, cpu);
	}
}

/* CPU 1 has no event in the first part; a loss is inside of a part, and one between two. */
static void make_traces(void)
{
	static const struct counts nothing;
	unsigned int cpu;

	begin();
	add(0, 1000, 10, 0);
	add(0, 1100, 20, 3);
	add(0, 1200, 1, 0);
	end_part(1, "100 first\n1 only\nhere\n");
	add(0, 2000, 5, 0);
	add(1, 2100, 6, 2);
	add(1, 2200, 6, 0);
	lose(0, 2300, 7);
	end_part(2, "100 zero\n");
	add(1, 3000, 9, 0);
	add(0, 3100, 8, 1);
	add(0, 3200, 8, 0);
	now[0].lost += 4;
	end_part(3, "101 one\n");
	make_trace(together, false);
	write_names(together, "101 one\n100 zero\n1 only\nhere\n");
	for (cpu = 0; cpu < CPUS; cpu++) {
		write_stream(together, &whole[cpu]);
		write_stats(together, cpu, "start", &nothing);
		write_stats(together, cpu, "end", &now[cpu]);
	}
}

static char *run_on(const char *command, const char *dir, int status)
{
	char *line = make_path("rm -rf out && %s %s", command, dir);
	char *output = run_here(line, status);

	free(line);
	return output;
}

static int report_ranges(int argc, char **argv)
{
	static const unsigned int times[] = { 0, 1, 99, 100, 150, 200, 500, 1000, 1150, 1200,
					      1250, 1299, 1301, 2000, 2100, 2150, 2500 };
	size_t from, to;

	CHECK_EQ(argc, 2);
	for (from = 0; from < COUNT(times); from++)
		for (to = from + 1; to < COUNT(times); to += 3)
			report_range(argv[1], times[from], times[to]);
	return 0;
}

static void check_said(const char *command, int status, const char *said)
{
	char *output = run_on(command, "divided", status);

	if (!strstr(output, said)) {
		fprintf(stderr, "printed:\n%s", output);
		fail(said, 0, command);
	}
	free(output);
}

static void check_whole(void)
{
	char *output = run_on("$TRING report", "divided", 0), *at = output;
	unsigned int losses = 0;

	/* each loss once, where it was: what is lost between two packets is one loss */
	while ((at = strstr(at, "LOST "))) {
		losses++;
		at++;
	}
	if (losses != 4)
		fail(output, losses, "losses");
	free(output);
	check_same_text("$TRING report", "together", "divided");
	check_same_text("$TRING report --json", "together", "divided");
	check_same_text("$TRING report --cpu 1 --delta", "together", "divided");
	check_same_text("$TRING report --follow", "together", "divided");
	check_same_reports(report_ranges, together, divided);
	check_same_text("$TRING top", "together", "divided");
	check_same_text("$TRING top losses", "together", "divided");
	check_same_text("$TRING top --from +1.05 rate", "together", "divided");
	check_same_text("$TRING report --json", "together", "divided");
	check_said("$TRING info", 0, "\nparts            3: 000001 to 000003\n");
	check_said("$TRING info", 0, "command_line     tring record -e 'a b'\n");
}

/* Of each file: a conversion names the trace after options. */
static void check_conversion(const char *format)
{
	char *command = make_path("f() { $TRING convert --to %s -o out \"$1\" && cksum <out; };"
				  " f", format);

	check_same_text(command, "together", "divided");
	free(command);
}

static void shell_each(const char *what)
{
	check_run(0, "", "cd %s && %s", temp_dir(), what);
}

static void check_wrong(void)
{
	static const char missing[] = "parts are missing before divided/000003, with their events";

	/* all that can still be read is */
	shell_each("mv divided/000002 .");
	check_said("$TRING report", 1, missing);
	check_said("$TRING report", 1, " tick:");
	/* where they were is a loss, behind which nothing is assumed */
	check_said("$TRING report", 1, "CPU:1 [1 PACKETS MISSING]");
	check_said("$TRING top losses", 1, missing);
	check_run(0, "", "cd %s && $TRING top losses divided 2>&1 | grep -q '^ *1 .* 0 *1$'",
		  temp_dir());
	shell_each("mv 000002 divided");
	shell_each("mv divided/000001 .");
	check_said("$TRING report", 0, " tick:");
	shell_each("mv 000001 divided");
	/* damage is told with the part's file, and as missing there */
	shell_each("cp divided/000002/cpu1 .");
	shell_each("head -c 200 /dev/zero | dd of=divided/000002/cpu1 conv=notrunc status=none");
	check_said("$TRING report", 1, "divided/000002/cpu1: offset 0x0: ");
	check_said("$TRING report", 1,
		   "divided/000002/cpu1: 6 of 12 recorded events are missing");
	check_said("$TRING top", 1, "divided/000002/cpu1: 6 of 12 recorded events are missing");
	shell_each("mv cpu1 divided/000002");
	shell_each("mv divided/000001/cpu0 .");
	check_said("$TRING report", 1, "divided/000001/cpu0: no such file: 31 of 31 recorded");
	shell_each("mv cpu0 divided/000001");
	shell_each("mkdir divided/000002/cpu77");
	check_said("$TRING report", 1, "divided/000002/cpu77: ");
	shell_each("rmdir divided/000002/cpu77");
	shell_each("cp divided/000003/tring/trace_info .");
	shell_each("sed -i s/uuid=00/uuid=99/ divided/000003/tring/trace_info");
	check_said("$TRING report", 1, "divided/000003: not of the same trace as divided/000001");
	shell_each("mv trace_info divided/000003/tring");
	shell_each("cp divided/000003/tring/short_ids .");
	shell_each("sed -i s/342/999/ divided/000003/tring/short_ids");
	check_said("$TRING report", 1,
		   "divided/000002/tring/short_ids: its types are not those of the other parts");
	shell_each("mv short_ids divided/000003/tring");
	shell_each("mv divided/000003/tring/trace_info .");
	check_said("$TRING info", 0, "3: 000001 to 000003");
	check_said("$TRING report", 1, "divided/000003/tring/trace_info: No such file");
	shell_each("mv trace_info divided/000003/tring");
	/* the last part of a recorder that was killed */
	shell_each("mv divided/000003/tring/cpu0.end .");
	check_said("$TRING report", 1, "divided: the recording has no end: its recorder was");
	shell_each("mv cpu0.end divided/000003/tring");
	check_same_text("$TRING report", "together", "divided");
}

/* Only the part before the last one may describe something more. */
static void check_described(void)
{
	shell_each("mv divided/000003/tring/events/testing/tick .");
	shell_each("sed -i.old '/^3 /d' divided/000003/tring/short_ids");
	check_same_text("$TRING report", "together", "divided");
	shell_each("mv tick divided/000003/tring/events/testing");
	shell_each("mv divided/000003/tring/short_ids.old divided/000003/tring/short_ids");
}

/* What --max-size has dropped is told once. */
static void check_dropped(void)
{
	shell_each("echo 'dropped_by_max_size: 11' > divided/000001/tring/cpu0.dropped;"
		   "echo 'dropped_by_max_size: 9' > divided/000002/tring/cpu0.dropped");
	check_said("$TRING report", 0,
		   "divided/000001: 11 events of CPU 0 before it were dropped by --max-size\n");
	shell_each("$TRING report divided >said 2>&1 && ! grep ': 9 events' said");
	shell_each("rm divided/*/tring/*.dropped");
}

/* The parts come one by one; a part has its end after the next one has begun. */
static void check_followed(void)
{
	char *out = make_path("%s/followed", temp_dir());
	char *wanted = make_path("%s/wanted", temp_dir());
	int recorder = hold_trace(divided), status;
	pid_t pid;

	write_text(out, "");
	shell_each("for i in 1 2 3; do mkdir end$i && mv divided/*$i/tring/*.end end$i; done");
	shell_each("mkdir later && mv divided/000002 divided/000003 later");
	pid = start_tring(out, "report --follow %s", divided);
	wait_for_text(out, " 1.200000: ");
	/* in the recorder's order: a part has its end when the next one is there */
	shell_each("mv later/000002 divided && mv end1/* divided/000001/tring");
	wait_for_text(out, " 2.200000: ");
	shell_each("mv later/000003 divided && mv end2/* divided/000002/tring");
	shell_each("mv end3/* divided/000003/tring");
	CHECK_EQ(waitpid(pid, &status, 0), pid);
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		fail(read_file(out), status, "followed");
	shell_each("$TRING report together >wanted");
	/* but for names of tasks, of which the first part has others */
	check_run(0, "", "for f in %s %s; do sed -i 's/^.*-10/-10/' $f; done; cmp %s %s",
		  wanted, out, wanted, out);
	close(recorder);
	free(wanted);
	free(out);
}

static void check_none(void)
{
	shell_each("mkdir empty empty/.next");
	shell_each("! $TRING report empty >said 2>&1 && grep -q 'is empty a trace made by' said");
	shell_each("! $TRING info empty >said 2>&1 && grep -q 'is empty a trace made by' said");
}

int main(void)
{
	divided = make_path("%s/divided", temp_dir());
	together = make_path("%s/together", temp_dir());
	CHECK(!mkdir(divided, 0755));
	make_traces();
	check_whole();
	check_conversion("trace.dat");
	check_conversion("perfetto");
	check_described();
	check_dropped();
	check_wrong();
	check_followed();
	check_none();
	free(together);
	free(divided);
	return 0;
}
