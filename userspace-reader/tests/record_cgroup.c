// SPDX-License-Identifier: GPL-2.0
/* Description: record --cgroup finds cgroups by directory and path, and refuses what is none. */
#include <signal.h>
#include <sys/wait.h>

#include "fake_kernel.h"
#include "helpers.h"

static char *dir;

/* @wanted: what the kernel is told */
static void check(const char *options, const char *wanted)
{
	struct fake_kernel kernel = { .dir = dir };
	char *got = make_path("%s/got", temp_dir());
	char *file = make_path("%s/tring/set_event_cgroup", dir);

	write_text(file, "/user\n/user/s\n");
	start_kernel(&kernel);
	output_of(0, "$TRING record -q -o %s/trace -e testing:tick %s -- cp %s %s", temp_dir(),
		  options, file, got);
	end_kernel(&kernel);
	check_equal(read_file(got), wanted, options);
	check_equal(read_file(file), "/user\n/user/s\n", "the user's list");
}

static bool is_on(const void *path)
{
	char *text = read_file(path);
	bool on = *text == '1';

	free(text);
	return on;
}

/* What a killed recorder has changed has blanks in it, and several lines. */
static void check_killed(void)
{
	struct fake_kernel kernel = { .dir = dir };
	char *file = make_path("%s/tring/set_event_cgroup", dir);
	pid_t pid;

	write_text(file, "/a b\n/a b/c d\n");
	start_kernel(&kernel);
	pid = start_tring("/dev/null", "record -e testing:tick --cgroup / -o %s/killed",
			  temp_dir());
	wait_until(is_on, make_path("%s/tring/tracing_on", dir), "the recorder has begun");
	CHECK(!kill(pid, SIGKILL));
	CHECK_EQ(waitpid(pid, NULL, 0), pid);
	end_kernel(&kernel);
	check_run(0, "put back: ", "$TRING reset");
	check_equal(read_file(file), "/a b\n/a b/c d\n", "the list of a killed recorder");
}

static void refuse(const char *cgroup, const char *said)
{
	check_run(2, said, "$TRING record -o %s/trace -e testing:tick --cgroup %s -- true 2>&1",
		  temp_dir(), cgroup);
}

/* Return: where a file system of this type is mounted; or "". */
static char *mount_of(const char *type)
{
	return output_of(0, "awk '$3 == \"%s\" { printf \"%%s\", $2; exit }' %s", type,
			 "/proc/self/mounts");
}

int main(void)
{
	char *mount = mount_of("cgroup2"), *old = mount_of("cgroup"), *id;

	dir = make_path("%s/tracing", temp_dir());
	make_tracefs(dir);
	CHECK(!setenv("TRING_TRACING_DIR", dir, 1));
	if (*old)
		refuse(old, "is a cgroup of version 1");
	if (!*mount) {
		refuse("/", "no file system of type cgroup2 is mounted");
		printf("no cgroups are mounted\n");
		return SKIPPED;
	}
	id = output_of(0, "stat -c %%i %s", mount);
	check(make_path("--cgroup %s", mount), id);
	check("--cgroup /", id);
	check(make_path("--cgroup / --cgroup %s/.", mount), make_path("%s%s", id, id));
	check_killed();
	refuse("none", "--cgroup none: no such cgroup, here or in ");
	refuse(make_path("%s/cgroup.procs", mount), "no such cgroup");
	refuse(temp_dir(), "no such cgroup");
	return 0;
}
