// SPDX-License-Identifier: GPL-2.0
/* Description: stat shows the counters of each CPU and names the law that does not balance. */
#include "fake_kernel.h"
#include "helpers.h"

static void check_instance(const char *instance)
{
	unsigned int cpu;

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
	check_run(0, "", "$TRING stat -B other | grep -x 'snapshot  *3  *4  *7'");
	check_run(0, "committed = read + overwritten + remaining: holds",
		  "$TRING stat --instance other");
}

int main(void)
{
	char *dir = make_path("%s/tracing", temp_dir());
	char *path = make_path("%s/tring/per_cpu/cpu1/stats", dir);
	char *instance = make_path("%s/tring/instances/other", dir);
	char *output;

	make_tracefs(dir);
	output = output_of(0, "$TRING stat");
	CHECK(strstr(output, "committed = read + overwritten + remaining: holds on every CPU"));
	CHECK(strstr(output, "refused_off"));

	write_text(path, "reserved: 10\ncommitted: 8\ndiscarded: 1\nopen: 1\n"
		   "read: 5\noverwritten: 2\nremaining: 0\n"
		   "committed_bytes: 8\nread_bytes: 8\n"
		   "overwritten_bytes: 0\nremaining_bytes: 0\n");
	output = output_of(1, "$TRING stat");
	CHECK(strstr(output, "cpu1: DOES NOT BALANCE: committed = read + "));
	CHECK(strstr(output, "remaining: 8 is not 5 + 2 + 0, off by +1\n"));
	CHECK(strstr(output, "reserved = committed + discarded + open: holds"));

	write_text(path, "not a counter\n");
	check_run(1, "line 1 is not a counter", "$TRING stat");

	/* an instance, in which a snapshot holds some of what remains */
	check_run(1, "this tring module has no instances", "$TRING stat -B other");
	make_ring(instance);
	check_instance(instance);
	check_run(1, "instances/none: there is no such instance", "$TRING stat -B none");
	check_run(2, "", "$TRING stat other");
	return 0;
}
