// SPDX-License-Identifier: GPL-2.0
/* Description: names of tasks: one line for each, from two places; pids are the kernel's. */
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "helpers.h"
#include "event/name_files.h"
#include "trace/kernel.h"
#include "util/proc.h"

static void check_line(const char *text, unsigned int pid, const char *name)
{
	char *line = make_path("\n%u %s\n", pid, name);

	wants(make_path("\n%s", text), line);
}

/* In a container /proc has other pids, of which each may be that of another task for the kernel. */
static void check_container(void)
{
	pid_t child = fork();
	char *text, *tasks;

	if (child) {
		CHECK_EQ(end_child(child), 0);
		return;
	}
	CHECK(!unshare(CLONE_NEWPID | CLONE_NEWNS));
	child = fork();
	/* LeakSanitizer does not find the threads of a task with two pids. */
	if (child)
		_exit(end_child(child));
	CHECK(!mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
	CHECK(!mount("proc", "/proc", "proc", 0, NULL));
	text = tring_kernel_cmdlines(temp_dir(), NULL);
	tasks = tring_kernel_tasks();
	CHECK(!strstr(text, "\n1 ") && strncmp(text, "1 ", 2));
	check_equal(tasks, "snapshot\n", "tasks");
	free(tasks);
	free(text);
	_exit(0);
}

/* This process has threads' lines, its cgroup and its command. */
static void check_tasks(void)
{
	char *tasks, *names = tring_kernel_cmdlines(temp_dir(), &tasks);

	check_line(names, getpid(), "c?6 d?");
	free(names);
	CHECK(!strncmp(tasks, "snapshot\n", 9));
	wants(tasks, make_path("\ncgroup %d /", getpid()));
	wants(tasks, make_path("\ncommand %d ", getpid()));
	wants(tasks, "/kernel_cmdlines\n");
	free(tasks);
}

int main(void)
{
	char *path = make_path("%s/saved_cmdlines", temp_dir()), *text;
	char *folder = make_path("%s/tring", temp_dir());
	char *ended = make_path("%s/tring/saved_cmdlines", temp_dir());
	struct tring_names names;
	char *lines;

	/* ftrace's: a task may have the name "a\n1 init" */
	write_text(path, "4000001 a\n4000002 init\n");
	/* the last one that ended comes first */
	CHECK(!mkdir(folder, 0700));
	lines = make_path("4000003 tring's\n4000004 last\n4000004 first\n%u ended\n4000005%c\n",
			  getpid(), ' ');
	write_text(ended, lines);
	CHECK(!prctl(PR_SET_NAME, "c\n6 d\n"));
	text = tring_kernel_cmdlines(temp_dir(), NULL);
	CHECK(text);
	if (tring_proc_has_kernel_pids())
		check_line(text, getpid(), "c?6 d?");
	check_line(text, 4000003, "tring's");
	check_line(text, 4000004, "last");
	check_line(text, 4000005, "");
	CHECK(!strstr(text, "first") && !strstr(text, "4000001") && !strstr(text, "4000002"));
	CHECK(!tring_proc_has_kernel_pids() || !strstr(text, "ended"));
	tring_names_init(&names);
	CHECK_EQ(tring_give_tasks(&names, text, "saved_cmdlines"), 0);
	CHECK(!strcmp(tring_names_comm(&names, 4000003), "tring's"));
	free(text);
	tring_names_free(&names);
	if (tring_proc_has_kernel_pids())
		check_tasks();
	if (geteuid())
		return SKIPPED;
	check_container();
	return 0;
}
