// SPDX-License-Identifier: GPL-2.0
/* Description: a task that has a newline in its name gets one line. */
#include <sys/prctl.h>
#include <unistd.h>

#include "helpers.h"
#include "print/name_files.h"
#include "trace/kernel.h"

static void check_line(const char *text, unsigned int pid, const char *name)
{
	char *line = make_path("\n%u %s\n", pid, name);

	if (!strstr(text, line))
		fail(text, pid, name);
	free(line);
}

int main(void)
{
	char *path = make_path("%s/saved_cmdlines", temp_dir()), *text;
	struct tep_handle *tep = tep_alloc();

	CHECK(tep);
	write_text(path, "4000001 a\nb 5\n\n4000002 plain\n");
	CHECK(!prctl(PR_SET_NAME, "c\n6 d\n"));
	text = tring_kernel_cmdlines(temp_dir());
	CHECK(text);
	check_line(text, getpid(), "c?6 d?");
	check_line(text, 4000001, "a?b 5?");
	check_line(text, 4000002, "plain");
	CHECK_EQ(tring_give_tasks(tep, text, "saved_cmdlines"), 0);
	free(text);
	tep_free(tep);
	free(path);
	return 0;
}
