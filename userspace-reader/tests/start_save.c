// SPDX-License-Identifier: GPL-2.0
/* Description: start leaves a ring recording; saved traces tell each loss once; reset undoes it. */
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake_kernel.h"
#include "helpers.h"

static char *dir, *state, *trace;

static void check(const char *arguments, int status, const char *said)
{
	check_run(status, said, "$TRING %s", arguments);
}

/* The report of the saved trace has the text once. */
static void check_once(const char *wanted)
{
	char *output = output_of(0, "$TRING report %s", trace);

	wants(output, wanted);
	if (strstr(strstr(output, wanted) + 1, wanted))
		fail(output, 0, wanted);
}

/* @events: number of events in the CPU's file, which replaces what was read */
static void fill(const char *file, unsigned int events, uint64_t discarded, uint64_t stamp)
{
	static struct builder packets;
	char *path = make_path("%s/tring/per_cpu/cpu0/%s", dir, file);

	build_init(&packets, false, 0);
	packets.discarded = discarded;
	packets.seq = stamp;
	build_packet(&packets, 1000 * stamp, events);
	unlink(path);
	write_file(path, packets.bytes, packets.size);
}

static void set_stats(uint64_t read, uint64_t snapshot, uint64_t no_room)
{
	uint64_t all = read + snapshot;
	char *text = make_path("reserved: %" PRIu64 "\ncommitted: %" PRIu64 "\ndiscarded: 0\n"
			       "open: 0\nread: %" PRIu64 "\noverwritten: 0\nremaining: %" PRIu64
			       "\nsnapshot: %" PRIu64 "\ncommitted_bytes: 8\nread_bytes: 8\n"
			       "overwritten_bytes: 0\nremaining_bytes: 0\n"
			       "refused_no_room: %" PRIu64 "\n",
			       all, all, read, snapshot, snapshot, no_room);

	write_extra(dir, "per_cpu/cpu0/stats", text);
}

/* Regular files end where a ring ends that does not record. */
static void make_kernel(void)
{
	const char * const files[] = { "trace_pipe_raw_compact", "snapshot_raw_compact" };
	unsigned int cpu, i;

	make_tracefs(dir);
	write_extra(dir, "snapshot", "0\n");
	for (cpu = 0; cpu < FAKE_CPUS; cpu++) {
		for (i = 0; i < COUNT(files); i++) {
			char *path = make_path("%s/tring/per_cpu/cpu%u/%s", dir, cpu, files[i]);

			unlink(path);
			write_text(path, "");
		}
	}
}

static void start(void)
{
	set_stats(100, 0, 50);
	write_extra(dir, "tracing_on", "0\n");
	check("start -e testing:tick -C tsc -b 64 --discard", 0,
	      "/tring records; \"tring snapshot\" saves it, \"tring reset\" ends it");
	check_control(dir, "set_event", "testing:tick\n");
	check_control(dir, "trace_clock", "tsc");
	check_control(dir, "buffer_size_kb", "64");
	check_control(dir, "options/overwrite", "0");
	check_control(dir, "buffer_percent", "0\n");
	check_control(dir, "tracing_on", "1");
	/* other users of the ring read it, too */
	check_run(0, "644\n", "stat -c %%a %s", state);
	/* it shows what was chosen in brackets */
	write_extra(dir, "trace_clock", "mono [tsc] boot tai\n");
}

/* The file that tring reset would need is too large for the disk: what was set goes again. */
static void check_full(void)
{
	check_run(1, "File too large",
		  "trap '' XFSZ; (ulimit -f 1; $TRING start -e testing:tick)");
	check_control(dir, "set_event", "sched:sched_switch\n");
	check_control(dir, "tracing_on", "0");
	CHECK(access(state, F_OK));
}

static void check_others(void)
{
	static const char said[] = " -e testing:tick -C tsc -b 64 --discard) has started it; ";

	check("start -e testing:flag", 1, said);
	check("record -e testing:flag -s 1 -o nowhere", 1, said);
	CHECK(access("nowhere", F_OK));
	check_control(dir, "set_event", "testing:tick\n");
}

static void check_switch(void)
{
	check("restart", 0, "recording is on already");
	check("stop", 0, "");
	check_control(dir, "tracing_on", "0");
	check("stop", 0, "recording is off already");
	check("restart", 0, "");
	check_control(dir, "tracing_on", "1");
	check("stop", 0, "");
}

static void save(const char *how, const char *said)
{
	check(make_path("%s -o %s", how, trace), 0, said);
	if (have("babeltrace2"))
		output_of(0, "babeltrace2 %s", trace);
}

static void check_saved(void)
{
	fill("trace_pipe_raw_compact", 11, 5, 1);
	set_stats(111, 0, 55);
	save("extract", "  (no_room 5)\n");
	check_once("CPU:0 [LOST 5 EVENTS]\n");
	/* the next one has what is new */
	fill("trace_pipe_raw_compact", 7, 8, 2);
	set_stats(118, 0, 60);
	save("extract", "5 older events are lost, see the table");
	check_run(0, "644\n", "stat -c %%a %s", state);
	check_once("CPU:0 [LOST 3 EVENTS]\n");
	/* told by the counters only, behind the last event */
	check_once("CPU:0 [LOST 2 EVENTS]\n");
	write_extra(dir, "per_cpu/cpu0/trace_pipe_raw_compact", "");
	write_extra(dir, "tracing_on", "1\n");
	save("extract", " s meanwhile: 0 events refused\n");
	check_control(dir, "tracing_on", "1");
	fill("snapshot_raw_compact", 4, 10, 3);
	set_stats(118, 4, 60);
	save("snapshot", "saving the snapshot that is there");
}

/* What is consumed is nowhere else, so a signal has to wait. */
static void check_signal(void)
{
	char *path = make_path("%s/tring/per_cpu/cpu0/trace_pipe_raw_compact", dir);
	char *slow = make_path("%s/slow", temp_dir());
	struct builder packets;
	int fd, status;
	pid_t pid;

	build_init(&packets, false, 0);
	packets.discarded = 10;
	build_packet(&packets, 9000, 9);
	unlink(path);
	CHECK(!mkfifo(path, 0600));
	fd = open(path, O_RDWR | O_CLOEXEC);
	CHECK(fd >= 0 && write(fd, packets.bytes, packets.size) == (ssize_t)packets.size);
	set_stats(131, 0, 60);
	write_extra(dir, "tracing_on", "0\n");
	pid = start_tring("/dev/null", "extract -o %s", slow);
	wait_for_path(make_path("%s/cpu0", slow));
	CHECK(!kill(pid, SIGTERM));
	/* a ring that does not record ends here */
	close(fd);
	CHECK_EQ(waitpid(pid, &status, 0), pid);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	check(make_path("report %s", slow), 0, "");
	CHECK(!access(make_path("%s/tring/cpu0.end", slow), F_OK));
	CHECK(strstr(read_file(state), " read: 131 "));
	write_extra(dir, "tracing_on", "1\n");
	unlink(path);
	write_text(path, "");
}

static void check_wrong(void)
{
	char *old = read_file(state);

	/* events that the counters do not have */
	fill("trace_pipe_raw_compact", 3, 10, 4);
	set_stats(123, 0, 60);
	check("extract -o unsound", 1, "cpu0 does not balance: the ring gave 1 events");
	write_text(state, make_path("%scounters 0 x\n", old));
	check("extract -o damaged", 1, "/ring: not understood");
	CHECK(access("damaged", F_OK));
	write_text(state, old);
	check("extract -o /dev/null/trace", 1, "-o /dev/null/trace: Not a directory");
	check("extract more", 2, "unexpected argument \"more\"; -o DIR names the trace");
	check("start -e testing:tick -- ls", 2, "unexpected argument \"ls\"");
	check("start -o trace -e testing:tick", 2, "invalid option -- 'o'");
	check("start --output=trace -e testing:tick", 2, "unrecognized option '--output=trace'");
	check("extract --new", 2, "unrecognized option '--new'");
	check("snapshot -B nosuch", 1, "this tring module has no instances");
}

static void check_end(void)
{
	check("reset", 0, ") has set up is undone; put back: ");
	check_control(dir, "set_event", "sched:sched_switch\n");
	check_control(dir, "trace_clock", "mono");
	check_control(dir, "buffer_size_kb", "1408");
	check_control(dir, "options/overwrite", "1");
	check_control(dir, "tracing_on", "0");
	CHECK(access(state, F_OK));
	check("reset", 0, "nothing to put back");
}

/* A ring that was set up by other means: its packets tell what is lost. */
static void check_unstarted(void)
{
	fill("trace_pipe_raw_compact", 6, 9, 5);
	set_stats(200, 0, 300);
	/* the file does not change while it is read */
	check("extract -o unstarted", 1, "the ring gave 0 events, the trace has 6");
}

static void check_no_place(void)
{
	CHECK(!setenv("TRING_STATE_DIR", "/proc/tring", 1));
	check("start -e testing:tick", 1, "/proc/tring: No such file or directory");
	check_control(dir, "set_event", "sched:sched_switch\n");
	check_control(dir, "tracing_on", "0");
}

int main(void)
{
	CHECK(!chdir(temp_dir()));
	dir = make_path("%s/tracing", temp_dir());
	state = make_path("%s.state/ring", dir);
	trace = make_path("%s/trace", temp_dir());
	umask(0077);
	make_kernel();
	check_full();
	start();
	check_others();
	check_switch();
	check_saved();
	check_wrong();
	check_signal();
	check_end();
	check_unstarted();
	check_no_place();
	return 0;
}
