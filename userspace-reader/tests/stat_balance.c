// SPDX-License-Identifier: GPL-2.0
/* Description: stat shows the counters of every CPU and names the line that does not balance. */
#include "fake_kernel.h"
#include "helpers.h"

int main(void)
{
	char *dir = make_path("%s/tracing", temp_dir());
	char *path = make_path("%s/tring/per_cpu/cpu1/stats", dir);
	char *output;

	make_tracefs(dir);
	CHECK_EQ(run("$TRING stat", &output), 0);
	CHECK(strstr(output, "committed = read + overwritten + remaining: holds on every CPU"));
	CHECK(strstr(output, "refused_off"));
	free(output);

	write_text(path, "reserved: 10\ncommitted: 8\ndiscarded: 1\nopen: 1\n"
		   "read: 5\noverwritten: 2\nremaining: 0\n"
		   "committed_bytes: 8\nread_bytes: 8\n"
		   "overwritten_bytes: 0\nremaining_bytes: 0\n");
	CHECK_EQ(run("$TRING stat", &output), 1);
	CHECK(strstr(output, "cpu1: DOES NOT BALANCE: committed = read + "));
	CHECK(strstr(output, "remaining: 8 is not 5 + 2 + 0, off by +1\n"));
	CHECK(strstr(output, "reserved = committed + discarded + open: holds"));
	free(output);

	write_text(path, "not a counter\n");
	CHECK_EQ(run("$TRING stat", &output), 1);
	CHECK(strstr(output, "line 1 is no counter"));
	free(output);
	free(path);
	free(dir);
	return 0;
}
