// SPDX-License-Identifier: GPL-2.0
/* Description: record reads the rings before other programs run; its command does not. */
#include <errno.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "fake_kernel.h"
#include "helpers.h"

#define LEAST_NICE	(-20)
/* Fields of /proc/PID/stat behind the name. */
#define FIELDS_TO_NICE	16
#define FIELDS_TO_RT	21

struct task {
	int nice;
	int realtime;
	int policy;
};

static char *dir;

/* Return: whether the line is one of /proc/PID/stat. @name: that of the task, up to 15 bytes */
static bool parse_task(const char *line, int *tid, char *name, struct task *task)
{
	const char *at = strrchr(line, ')');
	unsigned int i;
	char *end;

	if (!at || sscanf(line, "%d (%15[^)])", tid, name) != 2)
		return false;
	for (i = 0; i <= FIELDS_TO_NICE; i++)
		at = strchr(at + 1, ' ');
	task->nice = atoi(at);
	for (i = 0; i < FIELDS_TO_RT; i++)
		at = strchr(at + 1, ' ');
	task->realtime = strtol(at, &end, 10);
	task->policy = strtol(end, &end, 10);
	return true;
}

static void check_task(struct task task, struct task wanted)
{
	CHECK_EQ(task.nice, wanted.nice);
	CHECK_EQ(task.realtime, wanted.realtime);
	CHECK_EQ(task.policy, wanted.policy);
}

/* Return: whether the line was printed. The command prints its parent's tasks and itself. */
static bool check_record(const char *options, struct task threads, const char *said)
{
	const struct task usual = { .nice = getpriority(PRIO_PROCESS, 0) };
	struct fake_kernel kernel = { .dir = dir };
	char *command = make_path("$TRING record -e testing:tick -o %s/trace %s -- sh -c %s",
				  temp_dir(), options,
				  "'echo recorder $PPID; cat /proc/$PPID/task/*/stat /proc/self/stat'");
	char *output, *line, *rest, name[16];
	unsigned int tasks = 0;
	int recorder, tid;
	struct task task;
	bool found;

	start_kernel(&kernel);
	CHECK_EQ(run(command, &output), 0);
	end_kernel(&kernel);
	found = strstr(output, said);
	line = strstr(output, "recorder ");
	CHECK(line && sscanf(line, "recorder %d", &recorder) == 1);
	rest = output;
	while ((line = strsep(&rest, "\n"))) {
		if (!parse_task(line, &tid, name, &task))
			continue;
		/* the main thread, and the command */
		check_task(task, tid == recorder || !strcmp(name, "cat") ? usual : threads);
		tasks++;
	}
	CHECK_EQ(tasks, FAKE_CPUS + 2);
	return found;
}

static void check_refused(const char *options, int status, const char *said)
{
	check_run(status, said, "$TRING record -e testing:tick -s 9 -o %s/trace %s", temp_dir(),
		  options);
}

/* Whether root runs the test or a user. */
static bool may_raise(void)
{
	int before = getpriority(PRIO_PROCESS, 0);
	bool may = !setpriority(PRIO_PROCESS, 0, LEAST_NICE);

	CHECK(!setpriority(PRIO_PROCESS, 0, before));
	return may;
}

static void give_up_right(void)
{
	const struct rlimit none = { 0 };

	CHECK(!setrlimit(RLIMIT_NICE, &none));
	CHECK(!setrlimit(RLIMIT_RTPRIO, &none));
	/* takes effect when tring is executed */
	prctl(PR_CAPBSET_DROP, CAP_SYS_NICE);
}

int main(void)
{
	const struct task usual = { .nice = getpriority(PRIO_PROCESS, 0) };
	const struct task first = { .nice = LEAST_NICE };
	const struct task realtime = { .nice = usual.nice, .realtime = 7, .policy = SCHED_FIFO };
	char *refused = make_path("with nice value %d, a lower one is refused: %s\n",
				  usual.nice, strerror(EACCES));

	dir = make_path("%s/tracing", temp_dir());
	make_tracefs(dir);
	if (may_raise()) {
		CHECK(!check_record("-v", first, refused));
		check_record("-r 7", realtime, "");
	}
	give_up_right();
	CHECK(check_record("-v", usual, refused));
	CHECK(!check_record("", usual, refused));
	check_refused("-r 7", 1, "-r 7: the kernel refuses this priority: Operation not permitted");
	check_refused("-r 0", 2, "-r 0: not a real-time priority; a number from 1 to 99 is one");
	check_refused("--realtime 100", 2, "-r 100: not a real-time priority");
	check_refused("-r high", 2, "-r high: not a real-time priority");
	return 0;
}
