// SPDX-License-Identifier: GPL-2.0
/* Description: stat shows the counters of each CPU and names the law that does not balance. */
#include "fake_kernel.h"
#include "helpers.h"

static void check_instance(const char *instance)
{
	unsigned int cpu;
	char *output;

	for (cpu = 0; cpu < FAKE_CPUS; cpu++) {
		char *path = make_path("%s/per_cpu/cpu%u/stats", instance, cpu);
		char *stats = make_path("reserved: 9\ncommitted: 9\n"
					"discarded: 0\nopen: 0\nread: 2\n"
					"overwritten: 0\nremaining: 7\n"
					"snapshot: %u\ncommitted_bytes: 8\n"
					"read_bytes: 8\noverwritten_bytes: 0\n"
					"remaining_bytes: 0\n", 3 + cpu);

		write_text(path, stats);
	}
	CHECK_EQ(run("$TRING stat -B other | grep -x 'snapshot  *3  *4  *7'",
		     &output), 0);
	CHECK_EQ(run("$TRING stat --instance other", &output), 0);
	CHECK(strstr(output, "committed = read + overwritten + remaining: holds"));
}

int main(void)
{
	char *dir = make_path("%s/tracing", temp_dir());
	char *path = make_path("%s/tring/per_cpu/cpu1/stats", dir);
	char *instance = make_path("%s/tring/instances/other", dir);
	char *output;

	make_tracefs(dir);
	CHECK_EQ(run("$TRING stat", &output), 0);
	CHECK(strstr(output, "committed = read + overwritten + remaining: holds on every CPU"));
	CHECK(strstr(output, "refused_off"));

	write_text(path, "reserved: 10\ncommitted: 8\ndiscarded: 1\nopen: 1\n"
		   "read: 5\noverwritten: 2\nremaining: 0\n"
		   "committed_bytes: 8\nread_bytes: 8\n"
		   "overwritten_bytes: 0\nremaining_bytes: 0\n");
	CHECK_EQ(run("$TRING stat", &output), 1);
	CHECK(strstr(output, "cpu1: DOES NOT BALANCE: committed = read + "));
	CHECK(strstr(output, "remaining: 8 is not 5 + 2 + 0, off by +1\n"));
	CHECK(strstr(output, "reserved = committed + discarded + open: holds"));

	write_text(path, "not a counter\n");
	CHECK_EQ(run("$TRING stat", &output), 1);
	CHECK(strstr(output, "line 1 is not a counter"));

	/* an instance, in which a snapshot holds some of what remains */
	CHECK_EQ(run("$TRING stat -B other", &output), 1);
	CHECK(strstr(output, "this tring module has no instances"));
	make_ring(instance);
	check_instance(instance);
	CHECK_EQ(run("$TRING stat -B none", &output), 1);
	CHECK(strstr(output, "instances/none: there is no such instance"));
	CHECK_EQ(run("$TRING stat other", &output), 2);
	return 0;
}
