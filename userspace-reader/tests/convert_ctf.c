// SPDX-License-Identifier: GPL-2.0
/* Description: babeltrace2 finds all events, tasks and losses in a trace for Trace Compass. */
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "every_kind.h"
#include "export/output_dir.h"
#include "helpers.h"
#include "top_trace.h"

/* the module bt2 is one of the distribution's Python */
#define PYTHON	"/usr/bin/python3"
#define COMPARE	PYTHON " $TRING_TESTS/../../scripts/trace/compare-ctf.py $TRING %1$s %1$s.ctf"
#define CONVERT	"$TRING convert --to ctf -o %1$s.ctf %1$s"

/* What babeltrace2 prints, in the order of time. */
static const char * const wanted[] = {
	"[00000000001500000000] ", "test \"host\" sched:sched_switch: ",
	"{ cpu_id = 0 }, { pid = 100, tid = 100, flags = 73, preempt_count = 33, comm = \"zero\" }",
	", { prev_comm = \"zero\", prev_pid = 100, prev_prio = -5, ",
	"prev_state = -9223372036854775808, next_comm = \"late\", next_pid = 4242, ",
	"{ cpu_id = 11 }, ", "testing:dyn_sizes: ",
	"name = \"abc\", _bytes_len = 3, bytes = [ [0] = 0, [1] = 127, [2] = 255 ], ",
	"ftrace:print: ", "{ ip = 18446744071578845184, buf = \"mark\" }\n",
	"irq:irq_handler_entry: { cpu_id = 0 }, { pid = 4242, tid = 4242, ",
	"comm = \"late\" }, { irq = -1, name = \"caf\xc3\xa9 \xc3\xa9\\\"\\\\\\n",
	"testing:tick: ", "comm = \"<...>\" }, { value = 18446744073709551615 }",
	"tring:undecoded: ",
	"{ id = 777, _payload_len = 4, payload = [ [0] = 4, [1] = 3, [2] = 2, [3] = 1 ] }",
	"raw_syscalls:sys_enter: ", "{ id = -2, args = [ [0] = 18446744073709551615, ",
};

static void check_order(bool order)
{
	char *dir = make_path("%s/%s", temp_dir(), order ? "be" : "le"), *output;

	make_every_kind(dir, order);
	check_run(1, "id 777: no format describes this event", CONVERT, dir);
	output = output_of(0, "babeltrace2 --clock-cycles %s.ctf 2>/dev/null", dir);
	check_texts(output, wanted, COUNT(wanted));
	check_run(0, "13 events and losses, 0 differences", COMPARE, dir);
	output = output_of(0, "cat %s.ctf/metadata", dir);
	CHECK(strstr(output, "\tdomain = \"kernel\";\n\ttracer_name = \"perf\";\n"));
	/* a keyword as a name is an error for Trace Compass, not for babeltrace2 */
	CHECK(strstr(output, "clock {\n\tname = trace_clock;\n"));
	CHECK(strstr(output, " map = clock.trace_clock.value;"));
	/* what exists stays as it is, but an empty directory */
	check_run(1, "it exists; not changed", CONVERT, dir);
	check_run(1, "", "rm %1$s.ctf/* && " CONVERT, dir);
	check_run(0, "", "test -s %s.ctf/metadata", dir);
}

static void check_empty(const char *dir)
{
	check_run(0, "", "test -z \"$(ls -A %s)\"", dir);
}

/* What a signal leaves of a directory that is being written. */
static void check_signal(int signal_number)
{
	char *dir = make_path("%s/signal%d", temp_dir(), signal_number);
	char *path = make_path("%s/out", dir);
	pid_t child;
	int status;

	CHECK_EQ(mkdir(dir, 0755), 0);
	child = fork();
	if (!child) {
		struct tring_output output;

		CHECK_EQ(tring_output_dir_open(&output, path), 0);
		tring_output_dir_make(&output, "part");
		tring_output_dir_append(&output, "part/one", "1", 1);
		raise(signal_number);
		tring_output_dir_append(&output, "two", "2", 1);
		tring_output_close(&output);
		_exit(0);
	}
	CHECK_EQ(waitpid(child, &status, 0), child);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == signal_number);
	check_empty(dir);
}

/* What a CPU without events has lost was lost in the time of the trace. */
static void check_all_lost(void)
{
	char *dir = make_path("%s/all_lost", temp_dir());

	make_all_lost(dir);
	check_run(0, "", "$TRING convert --to ctf -o %1$s.ctf %1$s", dir);
	check_run(0, "discarded 55 events between [22:13:21.000003000] and [22:13:21.000003000]",
		  "babeltrace2 %s.ctf", dir);
}

/* The limit of a file's size is reached as the end of a disk is. */
static void check_full(void)
{
	char *dir = make_path("%s/le", temp_dir()), *full = make_path("%s/full", temp_dir());

	CHECK_EQ(mkdir(full, 0755), 0);
	check_run(1, "/out: File too large", "ulimit -f 1; $TRING convert --to ctf -o %s/out/ %s",
		  full, dir);
	check_empty(full);
}

int main(void)
{
	if (!have("babeltrace2 && " PYTHON " -c 'import bt2'")) {
		printf("babeltrace2 or its Python module bt2 is not installed\n");
		return SKIPPED;
	}
	check_order(false);
	check_order(true);
	check_all_lost();
	check_signal(SIGINT);
	check_signal(SIGTERM);
	check_full();
	return 0;
}
