// SPDX-License-Identifier: GPL-2.0
/* Description: record uses an instance, and creates and removes it if it does not exist. */
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cmd/commands.h"
#include "fake_kernel.h"
#include "helpers.h"

static struct builder zero;
static bool refuse_removal;
static char *until_fed;

/*
 * These two functions replace the C library's. Like the kernel they fill a new
 * instance's directory, and empty the directory of an instance to be removed.
 */
int mkdir(const char *path, mode_t mode)
{
	int ret = syscall(SYS_mkdir, path, mode);

	/* record's mkdir() has permissions that make_ring()'s does not have */
	if (!ret && is_instance(path) && mode == 0750)
		make_ring(path);
	return ret;
}

int rmdir(const char *path)
{
	if (is_instance(path) && !refuse_removal)
		remove_tree(path);
	else
		return syscall(SYS_rmdir, path);
	return 0;
}

/* Runs tring record in a child process, with this program's mkdir() and rmdir(). */
static int record(const char *instance, const char *event, const char *trace,
		  char **output)
{
	char *path = make_path("%s/said", temp_dir());
	char *arguments = make_path("record -B %s -e %s -o %s%s", instance, event, trace,
				    until_fed);
	int status = end_child(fork_command(tring_cmd_record, arguments, path));

	*output = read_file(path);
	return status;
}

static void check_record(const char *dir, const char *name, int status,
			 const char *said)
{
	char *instance = make_path("instances/%s", name);
	struct fake_kernel kernel = { .dir = dir, .instance = instance };
	char *trace = make_path("%s/trace", temp_dir()), *output;

	kernel.bytes[0] = zero.bytes;
	kernel.size[0] = zero.size;
	kernel.stats[0] = balanced_stats(60, 0);
	start_kernel(&kernel);
	CHECK_EQ(record(name, "testing:tick", trace, &output), status);
	end_kernel(&kernel);
	CHECK(strstr(output, "  all           60 "));
	wants(output, said);
	CHECK_EQ(count_of("$TRING report %s | grep -c value=0", trace), 60);
	/* the top-level ring is unchanged */
	check_control(dir, "tracing_on", "0\n");
	check_control(dir, "set_event", "sched:sched_switch\n");
}

int main(void)
{
	char *dir = make_path("%s/tracing", temp_dir());
	char *instances = make_path("%s/tring/instances", dir);
	char *made = make_path("%s/made", instances);
	char *there = make_path("%s/there", instances);
	char *output;

	build_init(&zero, false, 0);
	build_packet(&zero, 1000, 30);
	build_packet(&zero, 2000, 30);
	until_fed = make_path(UNTIL_FED, dir);
	make_tracefs(dir);

	CHECK_EQ(record("made", "testing:tick", "unused", &output), 1);
	CHECK(strstr(output, "this tring module has no instances"));
	CHECK(!syscall(SYS_mkdir, instances, 0755));

	check_record(dir, "made", 0, "balance: every accepted event");
	CHECK(access(made, F_OK));

	/* the instance is removed, too, if the recording could not begin */
	CHECK_EQ(record("made", "testing:missing", "unused", &output), 1);
	CHECK(strstr(output, "testing/missing/format: No such file"));
	CHECK(access(made, F_OK));

	make_ring(there);
	check_record(dir, "there", 0, "balance: every accepted event");
	check_control(dir, "instances/there/tracing_on", "0");
	check_control(dir, "instances/there/set_event", "sched:sched_switch\n");

	refuse_removal = true;
	check_record(dir, "made", 1, "cannot remove the instance");
	CHECK(!access(made, F_OK));
	CHECK_EQ(record("..", "testing:tick", "unused", &output), 1);
	CHECK(strstr(output, "is not a name for an instance"));
	return 0;
}
