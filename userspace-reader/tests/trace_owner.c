// SPDX-License-Identifier: GPL-2.0
/* Description: root writes where only it and sudo's caller can, and the trace is the caller's. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/commands.h"
#include "fake_kernel.h"
#include "helpers.h"

/* Users that need not exist. */
#define CALLER	"54321"
#define OTHER	"54322"

#define CONVERT	\
	"cd %s && export %s; for f in trace.dat ctf perfetto; do $TRING convert --to $f -o $f; done"

static char *dir, *home;

/* Return: what "tring record" has said, to free(). */
static char *record(const char *before, const char *to, int status)
{
	struct fake_kernel kernel = { .dir = dir };
	char *said;

	if (!status)
		start_kernel(&kernel);
	said = output_of(status, "cd %s && %s $TRING record -e testing:tick %s -s 0.1", home,
			 before, to);
	if (!status)
		end_kernel(&kernel);
	return said;
}

static void check_refused(const char *before, const char *to)
{
	char *said = record(before, to, 1);

	if (!strstr(said, "can write there; --force writes there all the same"))
		fail(said, 0, to);
	free(said);
}

static void check_taken(const char *before, const char *to)
{
	free(record(before, to, 0));
}

/* Directories and files that the caller does not own, or that others can read. */
static void check_given(const char *trace)
{
	static const char kinds[] =
		"! -uid " CALLER " -o ! -gid " CALLER " -o -perm /077 -o -type f -perm /100";
	char *wrong = output_of(0, "cd %s && find %s \\( %s \\)", home, trace, kinds);

	if (*wrong)
		fail(wrong, 0, trace);
	free(wrong);
}

static int report(int argc, char **argv)
{
	CHECK(!setgid(atoi(CALLER)) && !setuid(atoi(CALLER)) && !chdir(home));
	return tring_cmd_report(argc, argv);
}

/* As by sudo in the home directory of its caller. */
static void check_sudo(void)
{
	static const char sudo[] = "SUDO_UID=" CALLER " SUDO_GID=" CALLER;

	check_run(0, "", "chown " CALLER ":" CALLER " %s && chmod 755 %s %s", home, home,
		  temp_dir());
	check_taken(sudo, "");
	check_given("tring-trace");
	CHECK_EQ(end_child(fork_command(report, "report tring-trace", "/dev/null")), 0);
	check_taken(sudo, "");
	check_given("tring-trace");
	check_taken(sudo, "-o parts --split 1M");
	check_given("parts");
	check_taken(sudo, "-o packed --compress");
	check_given("packed");
	check_run(0, "", CONVERT, home, sudo);
	check_given("trace.dat ctf perfetto");
	/* root itself is not the caller */
	check_refused("", "-o mine");
	check_run(0, "", "! test -e %s/mine", home);
	check_refused("SUDO_UID=" OTHER " SUDO_GID=" OTHER, "-o tring-trace");
	check_taken("", "-o mine --force");
	check_run(0, "", "chown root:root %s", home);
}

/* What makes a directory one of others, and how it is put right. */
static void check_others(void)
{
	static const struct {
		const char *make;
		bool taken;
	} cases[] = {
		{ "mkdir d", true },
		{ "mkdir d && chown " OTHER " d", false },
		{ "mkdir d && chmod 777 d", false },
		{ "mkdir d && chmod 1777 d", false },
		{ "mkdir d && chgrp " OTHER " d && chmod 775 d", false },
		{ "mkdir p && chown " OTHER " p && ln -s p/d d", false },
		{ "mkdir p && chmod 777 p && ln -s p/d d", false },
		/* as in /tmp */
		{ "mkdir p && chmod 1777 p && ln -s p/d d", true },
		{ "mkdir p e && chmod 1777 p && ln -s ../e p/d && ln -s p/d d", true },
		{ "mkdir p e && chmod 1777 p && ln -s ../e p/d && chown -h " OTHER
		  " p/d && ln -s p/d d", false },
		{ "mkdir p e && ln -s ../e p/d && chown -h " OTHER " p p/d && ln -s p/d d", false },
	};
	size_t i;

	for (i = 0; i < COUNT(cases); i++) {
		check_run(0, "", "cd %s && rm -rf d p e && %s", home, cases[i].make);
		if (cases[i].taken) {
			check_taken("", "-o d");
		} else {
			check_refused("", "-o d");
			check_run(0, "", "cd %s && ! find -L d p e | grep trace_info", home);
			check_taken("", "-o d --force");
		}
		check_run(0, "", "cd %s && test -e d/tring/trace_info", home);
	}
}

/* A recording has addresses of the kernel. */
static void check_mode(void)
{
	char *wrong;

	check_taken("umask 022;", "-o plain");
	wrong = output_of(0, "find %s/plain -perm /077", home);
	CHECK(!*wrong);
	free(wrong);
}

int main(void)
{
	dir = make_path("%s/tracing", temp_dir());
	home = make_path("%s/home", temp_dir());
	make_tracefs(dir);
	CHECK(!mkdir(home, 0755));
	check_mode();
	if (geteuid()) {
		printf("only root has directories of other users\n");
		return 77;
	}
	check_sudo();
	check_others();
	free(home);
	free(dir);
	return 0;
}
