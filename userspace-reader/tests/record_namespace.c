// SPDX-License-Identifier: GPL-2.0
/* Description: record takes /proc's pids in a pid namespace, and none that are not the kernel's. */
#include <sched.h>
#include <stdio.h>
#include <sys/mount.h>
#include <unistd.h>

#include "cmd/commands.h"
#include "fake_kernel.h"
#include "helpers.h"

#define FIRST	"pid:[4026531836]"

#define USER_STACK	"name: user_stack\nID: 12\nformat:\n" \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n" \
	"\tfield:unsigned long caller[8];\toffset:16;\tsize:64;\tsigned:0;\n\n" \
	"print fmt: \"%ps\", (void *)REC->caller[0]\n"

/* LeakSanitizer does not find the threads of a task with two pids. */
static void end(int status)
{
	fflush(NULL);
	_exit(status);
}

/* @own_proc: /proc shows the new namespace, as in a container */
static int record_inside(int argc, char **argv, bool own_proc)
{
	pid_t child;

	CHECK(!unshare(CLONE_NEWPID | (own_proc ? CLONE_NEWNS : 0)));
	child = fork();
	if (!child && own_proc) {
		CHECK(!mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
		CHECK(!mount("proc", "/proc", "proc", 0, NULL));
	}
	if (!child)
		end(tring_cmd_record(argc, argv));
	end(end_child(child));
	return 0;
}

static int record_in_child(int argc, char **argv)
{
	return record_inside(argc, argv, false);
}

static int record_in_container(int argc, char **argv)
{
	return record_inside(argc, argv, true);
}

/* Tasks that this one starts are in the new namespace, itself is not. */
static int record_outside(int argc, char **argv)
{
	CHECK(!unshare(CLONE_NEWPID));
	end(tring_cmd_record(argc, argv));
	return 0;
}

static char *dir;

static void check(int (*record)(int argc, char **argv), const char *options, int status,
		  const char *wanted)
{
	char *said = make_path("%s/said", temp_dir()), *text;
	char *arguments = make_path("record -e testing:tick -o %s/trace %s", temp_dir(), options);
	struct fake_kernel kernel = { .dir = dir };
	int ended;

	if (!status)
		start_kernel(&kernel);
	ended = end_child(fork_command(record, arguments, said));
	if (!status)
		end_kernel(&kernel);
	text = read_file(said);
	if (ended != status || !strstr(text, wanted))
		fail(text, ended, options);
	free(text);
	free(arguments);
	free(said);
}

/* The kernel gets the pid that /proc has for the command. */
static void check_command(void)
{
	char *script = make_path("%s/script", temp_dir());
	char *options = make_path("-F -- sh %s", script);

	write_text(script, make_path("cat %s/tring/set_event_pid >%s/got\n"
				     "exec readlink /proc/self >%s/own\n",
				     dir, temp_dir(), temp_dir()));
	check(record_in_child, options, 0, "balance");
	check_equal(read_file(make_path("%s/got", temp_dir())),
		    make_path("%d", atoi(read_file(make_path("%s/own", temp_dir())))), "the pid");
	free(options);
	free(script);
}

int main(void)
{
	static const char refused[] = ": the tasks here have other pids for the kernel";
	char *place = output_of(0, "readlink /proc/self/ns/pid");
	bool is_first = !strncmp(place, FIRST, strlen(FIRST));

	free(place);
	dir = make_path("%s/tracing", temp_dir());
	make_tracefs(dir);
	place = make_path("%s/tring/set_event_pid", dir);
	write_text(place, "");
	free(place);
	if (!is_first)
		check(tring_cmd_record, "-F -- true", 1, refused);
	if (geteuid()) {
		printf("only root can make a pid namespace\n");
		return 77;
	}
	if (is_first) {
		check(tring_cmd_record, "-F -- true", 0, "balance");
		check_command();
	}
	check(record_in_container, "-F -- true", 1, refused);
	check(record_in_container, "-P 1", 1, refused);
	check(record_outside, "-F -- true", 1, refused);
	check_run(0, "", "! test -e %s/trace || rm -rf %s/trace", temp_dir(), temp_dir());
	/* all tasks can be recorded */
	check(record_in_container, "-s 0.1", 0, "balance");
	/* but what /proc tells of programs is of other pids */
	place = make_path("%s/tring/options/userstacktrace", dir);
	write_text(place, "1\n");
	free(place);
	place = make_path("%s/events/ftrace/user_stack/format", dir);
	write_text(place, USER_STACK);
	free(place);
	check(record_in_container, "-s 0.1", 0, "functions of programs will be missing");
	check_run(0, "", "! test -e %s/trace/tring/maps", temp_dir());
	free(dir);
	return 0;
}
