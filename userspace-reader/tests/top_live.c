// SPDX-License-Identifier: GPL-2.0
/* Description: top --live prints each interval's tables, whatever comes late, is lost or ends. */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cmd/commands.h"
#include "fake_kernel.h"
#include "top_trace.h"

/* Seconds and milliseconds of the trace's clock. */
#define AT(s, ms)	((s) * 1000000000ull + (ms) * 1000000ull)

#define AVAILABLE	"block:block_rq_issue\nsyscalls:sys_enter_kill\ntesting:tick\n" \
			"sched:sched_switch\nsched:sched_waking\nsched:sched_wakeup\n" \
			"sched:sched_wakeup_new\n"

static struct builder packets[FAKE_CPUS];
static size_t sent[FAKE_CPUS];
static int fds[FAKE_CPUS];
static char *dir, *instance;
static unsigned int round_number;
/* that of sched_switch, in each instance; NULL for no file */
static const char *filter;

/* These functions replace the C library's: they are the kernel. */
int mkdir(const char *path, mode_t mode)
{
	bool made;
	int ret = fake_mkdir(path, mode, &made);

	if (made)
		instance = make_path("%s", path);
	if (made && filter) {
		free(output_of(0, "mkdir -p %s/events/sched/sched_switch", path));
		write_text(make_path("%s/events/sched/sched_switch/filter", path), filter);
	}
	return ret;
}

int rmdir(const char *path)
{
	return fake_rmdir(path);
}

static void mark(uint64_t stamp, const char *text)
{
	build_marker(&packets[0], stamp, text);
}

/* Task 100 runs; it is blocked for 250 ms, and waits for 100 ms. */
static void run_and_block(const char *marker)
{
	top_change(&packets[0], AT(1, 250), 100, 1, 0);
	top_waking(&packets[0], AT(1, 500), 0, 100);
	top_change(&packets[0], AT(1, 600), 0, 0, 100);
	mark(AT(2, 0), marker);
	/* behind the marker, and so of the next interval */
	build_begin(&packets[1], AT(2, 100));
	top_change(&packets[1], AT(2, 100), 0, 0, 200);
	build_end(&packets[1]);
}

static void lose_fifty(const char *marker)
{
	packets[0].discarded = 50;
	packets[0].seq += 3;
	build_begin(&packets[0], AT(3, 500));
	top_change(&packets[0], AT(3, 500), 0, 0, 100);
	mark(AT(4, 0), marker);
}

/* What happens up to each marker. */
static void make_round(unsigned int number, const char *marker)
{
	switch (number) {
	case 1:
		build_begin(&packets[0], AT(0, 900));
		top_change(&packets[0], AT(0, 900), 0, 0, 100);
		mark(AT(1, 0), marker);
		break;
	case 2:
		build_begin(&packets[0], AT(1, 250));
		run_and_block(marker);
		break;
	case 3:
		build_begin(&packets[1], AT(2, 300));
		top_change(&packets[1], AT(2, 300), 200, 1, 0);
		build_end(&packets[1]);
		build_begin(&packets[0], AT(3, 0));
		mark(AT(3, 0), marker);
		break;
	case 4:
		lose_fifty(marker);
		break;
	case 5:
		/* earlier than the marker before */
		build_begin(&packets[1], AT(3, 900));
		top_change(&packets[1], AT(3, 900), 0, 0, 300);
		build_end(&packets[1]);
		build_begin(&packets[0], AT(4, 500));
		top_change(&packets[0], AT(4, 500), 100, 0x20, 0);
		mark(AT(5, 0), marker);
		break;
	case 6:
		/* the marker is lost */
		build_begin(&packets[1], AT(5, 500));
		top_change(&packets[1], AT(5, 500), 300, 1, 0);
		build_end(&packets[1]);
		return;
	default:
		build_begin(&packets[0], AT(number, 0));
		mark(AT(number, 0), marker);
	}
	build_end(&packets[0]);
}

/* set_event appends what is written, and shows the system of each event. */
static bool append_event(int fd, const void *word, size_t size)
{
	static const char * const shown[] = {
		"sched:sched_switch\n", "sched:sched_waking\n", "sched:sched_wakeup\n",
		"sched:sched_wakeup_new\n", "syscalls:sys_enter_kill\n",
		"block:block_rq_issue\n",
	};
	char *text = make_path("%.*s", (int)size, (const char *)word);
	bool found = false;
	size_t i;

	for (i = 0; i < COUNT(shown) && !found; i++) {
		found = !strcmp(text, strchr(shown[i], ':') + 1) ||
			(!strcmp(text, "syscalls\n") && !strncmp(shown[i], "syscalls", 8));
		if (found) {
			lseek(fd, 0, SEEK_END);
			write_bytes(fd, shown[i], strlen(shown[i]));
		}
	}
	return found;
}

/* A marker comes behind what has happened, and top reads the rings after it. */
ssize_t write(int fd, const void *data, size_t size)
{
	if (append_event(fd, data, size))
		return size;
	if (!instance || size < strlen(FAKE_MARKER) ||
	    memcmp(data, FAKE_MARKER, strlen(FAKE_MARKER)))
		return write_bytes(fd, data, size);
	make_round(++round_number, make_path("%.*s", (int)size, (const char *)data));
	give_packets(instance, packets, sent, fds);
	return size;
}

/* Return: exit status of tring top, which runs in a child with the functions above. */
static int top(const char *arguments, const char *path)
{
	char *whole = make_path("top --live -d 0.0001 %s", arguments);

	return end_child(fork_command(tring_cmd_top, whole, path));
}

static char *top_output(const char *arguments, int status)
{
	char *path = make_path("%s/said", temp_dir()), *output;
	int ended = top(arguments, path);

	output = read_file(path);
	if (ended != status)
		fail(output, ended, arguments);
	return output;
}

/* No instance is left. */
static void check_left(void)
{
	char *output = output_of(0, "ls %s/tring/instances", dir);

	if (*output)
		fail(output, 0, "these instances are left");
}

static void check_intervals(void)
{
	static const char * const texts[] = {
		": 3 events, 0 lost, in 1.000000 s: 3.0 a second, of ",
		"\nCPUs (tring top cpu):\n",
		"\n   0            3            0     65.0     35.0       0.0        -         -\n",
		"   1            0            0      0.0      0.0     100.0        -         -\n",
		"\nTasks (tring top sched):\n",
		"  task\n     100      0.650000   65.0      0.100000      0.250000      0.000000",
		"         1          0  task100\n\n",
		"     100         1       100.000   100000.000    100000.000        1.600000000",
		"\nLosses (tring top losses):\nnothing was lost\n\n",

		": 2 events, 0 lost, in 1.000000 s: ",
		"  task\n     100      1.000000  100.0      0.000000      0.000000      0.000000",
		"         0          0  task100\n",
		"     200      0.200000   20.0      0.000000      0.700000      0.000000",
		"         1          0  task200\n\n",
		": 1 events, 50 lost, in 1.000000 s: ",
		"\n50 events were lost since the start; ",
		"\n   0            1           50     50.0      0.0      50.0 ",
		"  task\n     100      0.500000   50.0      0.000000      0.000000      0.500000",
		"         1          0  task100\n",
		"     200      0.000000    0.0      0.000000      0.000000      1.000000",
		"   0        3.000000000        3.500000000       500.000           50         3\n\n",
		/* task 300 came late */
		": 2 events, 0 lost, in 1.000000 s: ",
		"\n50 events were lost since the start; ",
		"  task\n     300      1.000000  100.0 ",
		"\n     100      0.500000   50.0      0.000000      0.000000      0.000000",
		"         0          0  task100\n",
		"     200      0.000000    0.0      0.000000      0.000000      1.000000",
		"\nnothing was lost\n\n",
		/* tasks that are over are forgotten; without a marker the last event serves */
		": 1 events, 0 lost, in 0.500000 s: ",
		"  task\n     300      0.500000  100.0 ",
		"  task300\n\n",
		": 0 events, 0 lost, in 1.500000 s\n",
		"  task\n     300      0.000000    0.0      0.000000      1.500000      0.000000",
		"         0          0  task300\n\n",
	};
	char *output = top_output("--count 6 cpu sched wakeup losses", 0);

	check_texts(output, texts, COUNT(texts));
	CHECK(!strstr(output, "task0"));
	check_left();
}

/* A filter may have left out any switch. The task is named first 250 ms behind the begin. */
static void check_filter(void)
{
	static const char * const texts[] = {
		"  task\n     100      0.000000    0.0      0.000000      0.000000      0.750000",
		"         -          -  task100\n",
	};
	char *output;

	filter = "prev_pid == 100\n";
	output = top_output("--count 1 sched", 0);
	filter = NULL;
	check_texts(output, texts, COUNT(texts));
	free(output);
}

/* Without a table: those of tasks; with -e, more. */
static void check_choice(void)
{
	static const char * const few[] = {
		"\nCPUs (", "\nTasks (", "\nTimes from a wakeup to a CPU (",
	};
	static const char * const more[] = {
		"\nTimes from a wakeup to a CPU (", "\nEvents (tring top events):\n",
		"  sched_switch\n", "  sched_waking\n",
	};
	char *output = top_output("--count 1", 0);

	check_texts(output, few, COUNT(few));
	CHECK(!strstr(output, "\nEvents ("));
	output = top_output("--count 1 -e testing:tick", 0);
	check_texts(output, more, COUNT(more));
	CHECK(!strstr(output, "\nTimes in interrupts ("));
	output = top_output("--count 2 -n 1 --sort migrations sched -P 200", 0);
	CHECK(strstr(output, "task200"));
	CHECK(!strstr(output, "task100"));
	check_left();
}

static void check_said(const char *arguments, int status, const char *said)
{
	char *output = top_output(arguments, status);

	wants(output, said);
	check_left();
}

static void check_errors(void)
{
	char *path = make_path("%s/tring/available_events", dir);

	check_said("-e testing:tik", 2, "-e testing:tik: no such event");
	check_said("events rate", 2, "the table \"events\" is of any events: name them by -e");
	check_said("--count 1 -c 7", 1, "--cpu 7: the trace has no such CPU");
	check_said("-b 0", 2, "-b 0: not a size");
	check_said("-f x", 2, "-f x: which events?");
	check_said("--count 0", 2, "bad value for --count: \"0\"");
	check_said("-d 0", 2, "bad value for --interval: \"0\"");
	check_said("--from 1", 2, "--from and --to are for a trace");
	check_said("nothing", 2, "--live and nothing: one without the other");
	CHECK_EQ(top("--count 1", "/dev/full"), 1);
	check_left();
	write_text(path, "sched:sched_switch\n");
	check_said("--count 1 cpu", 1, "no format describes 1 events");
	check_said("wakeup", 1, "the table \"wakeup\" needs sched_waking: no such event");
}

/*
 * The commands in the manual, but for their number of intervals. The fake kernel records what
 * they do not ask for, too.
 */
static void check_manual(void)
{
	static const char begin[] = "\n# tring top \\-\\-live ";
	char *path = make_path("%s/../../docs/man/tring-top.1", test_env("TRING_TESTS"));
	char *manual = read_file(path), *line = manual;
	unsigned int count = 0;

	while ((line = strstr(line, begin))) {
		char *path_said = make_path("%s/said", temp_dir());
		char *arguments, *from, *to, *command, *output;

		line += strlen(begin);
		arguments = strndup(line, strcspn(line, "\n>"));
		for (from = arguments, to = arguments; *from; from++)
			if (*from != '\\')
				*to++ = *from;
		*to = 0;
		command = make_path("%s --count 1", arguments);
		CHECK(top(command, path_said) <= 1);
		output = read_file(path_said);
		wants(output, " lost, in ");
		free(arguments);
		count++;
	}
	CHECK_EQ(count, 3);
	check_left();
}

/* What a killed one has left goes; instances of others stay. */
static void check_leftover(void)
{
	/* no process has this pid */
	char *left = make_path("%s/tring/instances/tring-top-2000000000", dir);
	char *other = make_path("%s/tring/instances/top-2000000000", dir);

	CHECK(!syscall(SYS_mkdir, left, 0755));
	CHECK(!syscall(SYS_mkdir, other, 0755));
	make_ring(left);
	make_ring(other);
	top_output("--count 1 cpu sched", 0);
	CHECK(access(left, F_OK));
	CHECK(!access(make_path("%s/tracing_on", other), F_OK));
	remove_tree(other);
	check_left();
}

int main(void)
{
	char *trace = make_path("%s/trace", temp_dir());

	dir = make_path("%s/tracing", temp_dir());
	top_make(trace, false);
	top_format(trace, "block", "block_rq_issue", 620,
		   "\tfield:unsigned int dev;\toffset:8;\tsize:4;\tsigned:0;\n");
	top_format(trace, "syscalls", "sys_enter_kill", 622,
		   "\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n");
	top_format(trace, "sched", "sched_wakeup_new", 621,
		   "\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n");
	make_tracefs(dir);
	check_run(0, "", "cp -r %s/tring/events %s", trace, dir);
	write_text(make_path("%s/tring/available_events", dir), AVAILABLE);
	CHECK(!syscall(SYS_mkdir, make_path("%s/tring/instances", dir), 0755));

	build_init(&packets[0], false, 0);
	build_init(&packets[1], false, 1);
	check_intervals();
	check_filter();
	check_choice();
	check_leftover();
	check_manual();
	check_errors();
	return 0;
}
